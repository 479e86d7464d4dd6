import subprocess
import sys

import pytest

from scrubjay.search import answering
from scrubjay.types import Filters, Leg


def test_search_reports_how_it_came_about(shop):
    report = shop.ask("add items to the cart")
    assert [stage.name for stage in report.stages] == [
        "plan", "embed", "words", "vectors", "names", "fuse", "slice",
    ]  # fmt: skip
    assert all(stage.seconds >= 0 for stage in report.stages)
    assert report.legs == (Leg.WORDS, Leg.VECTORS)
    assert report.notes == ()
    assert report.coverage is not None
    assert report.coverage.searchable == 8
    names = {reason.name for reason in report.hits[0].contributions}
    assert {"words", "vectors"} <= names


def test_search_slices_hits_from_the_stored_text(shop):
    texts = {"shop/cart.py": shop.texts["shop/cart.py"]}
    (hit,) = shop.ask("cart total", Filters(paths=("shop/cart.py",))).hits
    text = texts[hit.path]
    assert hit.text == text[hit.span.start : hit.span.end]
    assert hit.text.splitlines()[0] == text.splitlines()[hit.span.first_line - 1]
    assert hit.root == "app"
    assert len(hit.content_hash) == 64


def test_search_names_other_places_of_the_file(shop):
    (hit,) = shop.ask("cart total item", Filters(paths=("shop/cart.py",))).hits
    assert hit.more
    assert hit.span not in hit.more


def test_search_limits_hits(shop):
    assert len(shop.ask("cart", results=2).hits) == 2


def test_search_finds_chinese(shop):
    assert shop.paths("用户登录")[0] == "notes/用户.md"
    assert [hit.path for hit in shop.ask("订单", embedders=()).hits] == ["notes/用户.md"]


@pytest.mark.parametrize("question", ["", "  ", '"?!('])
def test_search_says_that_a_question_is_blank(shop, question):
    report = shop.ask(question)
    assert (report.hits, report.notes) == ((), (answering.BLANK,))
    assert report.coverage is not None


def test_search_says_that_nothing_is_indexed(library):
    assert library.ask("cart").notes == (answering.NOTHING_INDEXED,)


def test_search_says_that_nothing_passes(shop):
    assert shop.ask("cart", Filters(paths=("nothing/",))).notes == (answering.NOTHING_PASSES,)


def test_search_says_that_nothing_was_found(shop):
    report = shop.ask("zzunheard", embedders=())
    assert report.notes == (answering.NO_EMBEDDER, answering.NOTHING_FOUND)


def test_search_answers_from_words_without_an_embedder(shop):
    report = shop.ask("add item", embedders=())
    assert report.hits[0].path == "shop/cart.py"
    assert (report.legs, report.notes) == ((Leg.WORDS,), (answering.NO_EMBEDDER,))


def test_search_answers_from_words_before_there_are_vectors(library):
    library.put({"a.md": "a cart\n"}, words_only=True)
    report = library.ask("cart")
    assert len(report.hits) == 1
    assert report.notes == (answering.NO_VECTORS,)


def test_search_answers_from_words_when_the_provider_is_down(shop):
    report = shop.ask("add item", embedders=[shop.failing()])
    assert report.hits[0].path == "shop/cart.py"
    assert "the provider is down" in report.notes[0]


def test_search_answers_from_words_that_the_model_does_not_know(library):
    library.put({"a.md": "the zzword\n"})
    report = library.ask("zzword")
    assert len(report.hits) == 1
    assert report.notes == (answering.UNKNOWN_WORDS,)


def test_search_counts_files_of_another_model(shop):
    shop.embedder = shop.another()
    shop.put({"new.md": "a new cart\n"})
    report = shop.ask("cart")
    assert report.legs == (Leg.WORDS, Leg.VECTORS)
    assert report.notes[0].startswith("8 files were found by words alone")


def test_search_answers_from_both_spaces_while_models_change(shop):
    old = shop.embedder
    shop.embedder = shop.another()
    shop.put({"new.md": "a new cart\n"})
    report = shop.ask("cart", embedders=[old, shop.embedder])
    assert report.notes == ()
    near = {h.path for h in report.hits if any(c.name == "vectors" for c in h.contributions)}
    assert {"new.md", "shop/cart.py"} <= near


def test_search_marks_hits_whose_file_waits(shop):
    shop.mark("shop/cart.py")
    stale = {hit.path: hit.stale for hit in shop.ask("add item").hits}
    assert "changed" in stale["shop/cart.py"]
    assert stale["shop/checkout.py"] is None


def test_search_sees_a_change_at_once(library):
    library.put({"a.md": "an old cart\n"})
    assert library.ask("cart").hits
    library.put({"a.md": "a new basket\n"})
    assert library.ask("cart", embedders=()).hits == ()
    assert library.ask("basket").hits[0].text == "a new basket\n"


@pytest.mark.slow
def test_search_by_words_alone_imports_no_vector_library(shop):
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from scrubjay.search import Searchable, make_context, search\n"
        "from scrubjay.settings import SearchSettings\n"
        "from scrubjay.store.maintain import open_for_reading\n"
        "from scrubjay.types import Filters\n"
        "stores = open_for_reading(Path(sys.argv[1]))\n"
        "report = search('cart', Searchable(stores, {}), Filters(), SearchSettings())\n"
        "assert make_context(report, stores, SearchSettings())\n"
        "assert not {'numpy', 'lance', 'pyarrow', 'tree_sitter'} & set(sys.modules)\n"
    )
    folder = shop.stores.catalog.file.parent
    subprocess.run([sys.executable, "-c", code, str(folder)], check=True, timeout=60)
