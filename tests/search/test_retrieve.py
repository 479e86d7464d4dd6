from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay.search import retrieve
from scrubjay.search.plan import make_plan
from scrubjay.search.retrieve import (
    Probe,
    choose_terms,
    find_framed,
    find_named,
    rank_vectors,
    rank_words,
)
from scrubjay.search.scope import resolve
from scrubjay.search.trace import Frame
from scrubjay.sections import SearchSettings
from scrubjay.store.commit import space_name
from scrubjay.store.content import live_chunks
from scrubjay.store.queries import survey
from scrubjay.types import Filters

PLAIN = SearchSettings()


def plan(question, **filters):
    return make_plan(question, Filters(**filters))


def ranked(library, question, settings=PLAIN, **filters):
    catalog = library.stores.catalog
    asked = plan(question, **filters)
    scope = resolve(catalog, asked.filters, library.roots)
    return rank_words(catalog, asked, scope, survey(catalog).chunks, settings).chunks


def nearest(library, question, count, **filters):
    scope = resolve(library.stores.catalog, Filters(**filters), library.roots)
    probe = Probe(library.embedder.embed_query(question), 1.0)
    probes = {space_name(library.embedder.space): probe}
    return rank_vectors(library.stores, probes, scope, count)


def test_choose_terms_drops_common_ones_while_others_remain(library, monkeypatch):
    monkeypatch.setattr(retrieve, "FREE_POSTINGS", 0)
    library.put({f"{i}.md": f"common word{i}\n" for i in range(20)})
    catalog = library.stores.catalog
    assert choose_terms(catalog, plan("common word3"), most=2) == ["word3"]
    assert choose_terms(catalog, plan("common"), most=2) == ["common"]


def test_choose_terms_stops_at_the_budget(library, monkeypatch):
    monkeypatch.setattr(retrieve, "MAX_POSTINGS", 25)
    library.put({f"{i}.md": f"common other{i % 2}\n" for i in range(20)})
    terms = choose_terms(library.stores.catalog, plan("common other0 other1"), most=20)
    assert terms == ["other0", "other1"]


def test_choose_terms_leaves_out_unknown_and_repeated_words(library):
    library.put({"a.md": "running tests\n"})
    chosen = choose_terms(library.stores.catalog, plan("runs running run unknown"), most=9)
    assert chosen == ["runs"]


def test_rank_words_finds_identifiers_by_their_parts_and_whole(shop):
    for question in ("add item", "addItem", "add_item"):
        assert shop.ask(question, embedders=()).hits[0].path == "shop/cart.py", question


def test_rank_words_filters_before_it_limits(library):
    library.put({f"many/{i}.md": "needle needle needle\n" for i in range(50)})
    library.put({"few/only.md": "one needle in much other hay and straw and grass\n"})
    few = SearchSettings(candidates=3)
    assert len(ranked(library, "needle", few)) == 3
    assert len(ranked(library, "needle", few, paths=("few/",))) == 1


def test_rank_vectors_folds_windows_into_chunks(library):
    library.put({f"{i}.md": f"needle hay{i}\n" for i in range(10)}, windows=7)
    (ranking,) = nearest(library, "needle", 10)
    assert len(set(ranking.chunks)) == len(ranking.chunks) == 10
    assert list(ranking.scores) == sorted(ranking.scores, reverse=True)


def test_rank_vectors_looks_past_dead_rows(library):
    for version in range(12):
        library.put({"a.md": f"needle needle\n\nversion{version}\n"}, windows=4)
    (ranking,) = nearest(library, "needle", 2)
    live = {row[0] for row in library.stores.catalog.rows("SELECT id FROM chunks")}
    assert set(ranking.chunks) == live


def test_rank_vectors_filters_before_it_limits(library):
    library.put({f"many/{i}.md": "needle\n" for i in range(40)})
    library.put({"few/only.md": "needle and hay\n"})
    (ranking,) = nearest(library, "needle", 2, paths=("few/",))
    assert len(ranking.chunks) == 1
    assert nearest(library, "needle", 2, paths=("none/",)) == []


def test_find_named_prefers_the_exact_spelling(library):
    library.put({"a.py": "class Signal:\n    pass\n", "b.py": "def signal():\n    pass\n"})
    named = find_named(library.stores.catalog, plan("Signal"), None)
    assert [(n.name, n.is_exact) for n in named.values()] == [("Signal", True)]


def test_find_named_passes_over_names_defined_everywhere(library):
    library.put({f"{i}.py": "def run_it():\n    pass\n" for i in range(20)})
    assert find_named(library.stores.catalog, plan("what does run_it do"), None) == {}


def test_find_named_prefers_the_owner_that_is_spelled(library, monkeypatch):
    monkeypatch.setattr(retrieve, "MAX_NAMESAKES_OF_SYMBOL", 2)
    library.put({f"{i}.py": "def save():\n    pass\n" for i in range(5)})
    library.put({"m.py": "class Model:\n    def save(self):\n        pass\n"})
    named = find_named(library.stores.catalog, plan("Model.save"), None)
    assert {(n.name, n.is_owned) for n in named.values()} == {("save", True)}


def test_find_named_obeys_filters(shop):
    catalog = shop.stores.catalog
    scope = resolve(catalog, Filters(paths=("docs/",)), shop.roots)
    assert len(find_named(catalog, plan("add_item"), None)) == 1
    assert find_named(catalog, plan("add_item"), scope) == {}


def framed_files(library, *frames, scope=None):
    """Name the files that frames point at, with the depth of each."""
    catalog = library.stores.catalog
    framed = find_framed(catalog, frames, scope)
    chunks = live_chunks(catalog, framed)
    return {chunks[id].path.decode(): (chunks[id].span.first_line, framed[id]) for id in framed}


def test_find_framed_matches_paths_from_their_end(shop):
    frames = Frame("/home/me/app/shop/cart.py", 8, "add_item"), Frame("/usr/lib/ssl.py", 3, None)
    assert framed_files(shop, *frames) == {"shop/cart.py": (6, 0)}
    scope = resolve(shop.stores.catalog, Filters(paths=("docs/",)), shop.roots)
    assert framed_files(shop, *frames, scope=scope) == {}


def test_find_framed_prefers_the_file_that_shares_more_of_the_path(library):
    library.put({"a/util.py": "x = 1\n", "b/util.py": "y = 1\n"})
    assert framed_files(library, Frame("src/b/util.py", 1, None)) == {"b/util.py": (1, 0)}
    assert len(framed_files(library, Frame("other/util.py", 1, None))) == 2


def test_find_framed_takes_the_end_of_a_file_that_became_shorter(shop):
    assert framed_files(shop, Frame("shop/checkout.py", 900, None)) == {"shop/checkout.py": (2, 0)}


HOSTILE = """ " | "" | AND OR NOT | foo* | a:b | ( | '; drop table words; -- | <|endoftext|> | ^x
 | NEAR(a b, 3) | {path body}: x | -x | \x00 | \udcff | a\u0300 | \U0001f389 x | rowid | %s | \\ """


def test_rank_words_takes_any_syntax_as_text(shop):
    for question in HOSTILE.split(" | "):
        shop.ask(question)
    assert shop.paths("drop cart; --")[0] == "shop/cart.py"


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text(st.characters(codec=None), max_size=60))
def test_rank_words_takes_any_text(shop, question):
    ranked(shop, question)
