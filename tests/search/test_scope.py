import pytest

from scrubjay.errors import UsageError
from scrubjay.search.scope import resolve
from scrubjay.store.queries import survey
from scrubjay.types import Filters


def passing(library, **filters):
    scope = resolve(library.stores.catalog, Filters(**filters), library.roots)
    if scope is None:
        return None
    rows = library.stores.catalog.rows("SELECT id, folder, name FROM files")
    return {(b"/".join(filter(None, (f, n)))).decode() for id, f, n in rows if id in scope.files}


def test_resolve_restricts_nothing_without_filters(shop):
    assert passing(shop) is None


@pytest.mark.parametrize(
    ("globs", "expected"),
    [
        (("*.po",), {"locale/de.po"}),
        (("shop/*.py",), {"shop/cart.py", "shop/checkout.py"}),
        (("shop/",), {"shop/cart.py", "shop/checkout.py", "shop/tests/test_cart.py"}),
        (("./shop/tests",), {"shop/tests/test_cart.py"}),
        (("tests",), {"shop/tests/test_cart.py"}),
        (("**/cart.*",), {"shop/cart.py", "docs/cart.md"}),
        (("shop/*", "!shop/tests/"), {"shop/cart.py", "shop/checkout.py"}),
        (("用户.md",), {"notes/用户.md"}),
        (("cart",), set()),
        (("#nothing",), set()),
    ],
)
def test_resolve_reads_globs_as_git_does(shop, globs, expected):
    assert passing(shop, paths=globs) == expected


def test_resolve_combines_filters(shop):
    assert passing(shop, languages=("Python",), excluded=("tests/",)) == {
        "shop/cart.py",
        "shop/checkout.py",
    }
    assert passing(shop, roots=("other",)) == {"readme.md"}
    assert passing(shop, roots=("other",), languages=("go",)) == set()


def test_resolve_names_the_roots_it_knows(shop):
    with pytest.raises(UsageError, match="nowhere") as caught:
        passing(shop, roots=("nowhere",))
    assert "app, other" in caught.value.hint


def test_survey_counts_what_is_there(shop):
    shop.put({"plain.md": "words alone\n"}, words_only=True)
    shop.mark("plain.md")
    seen = survey(shop.stores.catalog)
    assert (seen.coverage.files, seen.coverage.searchable, seen.coverage.with_vectors) == (9, 9, 8)
    assert seen.coverage.dirty == 1
    assert list(seen.spaces.values()) == [8]
    assert seen.chunks == shop.stores.catalog.one("SELECT count(*) FROM chunks")
