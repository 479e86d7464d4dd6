import re

from scrubjay.search import make_context, render_context
from scrubjay.search.expand import Passage, merge
from scrubjay.sections import SearchSettings
from scrubjay.types import Block


def context(library, question, **settings):
    report = library.ask(question)
    return make_context(report, library.stores, SearchSettings(**settings))


def lines_of(block, text):
    return "\n".join(text.split("\n")[block.first_line - 1 : block.last_line])


LONG = (
    "import alpha\nfrom beta import gamma\n\n"
    + "\n\n".join(
        f"class Box{i}:\n    size = {i}\n\n"
        f"    def open_box{i}(self):\n        return alpha.lift({i})\n\n"
        f"    def close_box{i}(self):\n        return gamma({i})"
        for i in range(40)
    )
    + "\n"
)


def test_context_grows_a_hit_to_its_widest_definition_that_fits(library):
    library.put({"box.py": LONG})
    hit = context(library, "close_box7", block_chars=400)[-1]
    assert hit.text.startswith("class Box7:")
    assert hit.text.endswith("return gamma(7)")
    assert lines_of(hit, LONG) == hit.text


def test_context_keeps_to_the_function_where_the_class_is_too_long(library):
    library.put({"box.py": LONG})
    hit = context(library, "close_box7", block_chars=100)[-1]
    assert hit.text.strip().startswith("def close_box7")
    assert hit.text.startswith("    def")


def test_context_shows_a_small_file_whole(shop):
    block = context(shop, "add_item to a Cart")[0]
    assert block.text == shop.texts["shop/cart.py"].rstrip()
    assert (block.first_line, block.last_line, block.why) == (1, 11, "hit")


def test_context_adds_imports_of_a_file_once(library):
    library.put({"box.py": LONG})
    report = library.ask("open_box3 close_box30", one_per_file=False)
    blocks = make_context(report, library.stores, SearchSettings(block_chars=200))
    assert len(blocks) > 3
    assert [b.why for b in blocks].count("imports") == 1
    assert blocks[0].text == "import alpha\nfrom beta import gamma"


def test_context_keeps_within_its_budget(library):
    library.put({f"box{i}.py": LONG for i in range(12)})
    for most_chars, most_blocks in ((300, 6), (1_000, 2), (12_000, 6)):
        blocks = context(
            library,
            "open box",
            context_chars=most_chars,
            context_blocks=most_blocks,
            block_chars=400,
        )
        assert 0 < sum(len(b.text) for b in blocks) <= most_chars
        assert sum(b.why == "hit" for b in blocks) <= most_blocks


def test_context_shows_no_line_twice(library):
    library.put({"box.py": LONG})
    report = library.ask("open_box3 close_box3 open_box4", one_per_file=False)
    blocks = make_context(report, library.stores, SearchSettings(block_chars=400))
    shown = [line for b in blocks for line in range(b.first_line, b.last_line + 1)]
    assert len(shown) == len(set(shown))


def test_context_leaves_out_what_is_gone(shop):
    report = shop.ask("cart")
    shop.put({"shop/cart.py": "nothing left\n"})
    blocks = make_context(report, shop.stores, SearchSettings())
    assert "shop/cart.py" not in {b.path for b in blocks}
    assert blocks


def test_context_names_the_root_where_there_are_several(shop):
    labels = {b.path for b in context(shop, "cart carts another")}
    assert {"app/shop/cart.py", "other/readme.md"} <= labels


def test_merge_joins_what_overlaps_or_touches():
    text = "a" * 10 + "\n\n" + "b" * 10 + "x" + "c" * 100
    passages = [Passage(12, 22, 0), Passage(0, 10, 1), Passage(5, 11, 2), Passage(23, 120, 3)]
    assert merge(passages, text, 60) == [Passage(0, 22, 0), Passage(23, 120, 3)]


def test_render_fences_longer_than_any_fence_inside():
    block = Block("a.md", 3, 5, "markdown", "text\n````\ncode\n````")
    rendered = render_context((block,))
    assert "a.md:3-5\n`````markdown\n" in rendered
    assert len(re.findall(r"^`{5}(?:markdown)?$", rendered, re.MULTILINE)) == 2
    assert rendered.startswith("The blocks below")


def test_render_of_nothing_is_empty():
    assert render_context(()) == ""
