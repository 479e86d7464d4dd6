"""Opening, tidying, and mending an index whose stores fell apart."""

from __future__ import annotations

import shutil

import pytest
from tests.stored import SPACE, Shelf, assert_sound, opened

from scrubjay.errors import StoreDamaged, StoreError
from scrubjay.store.commit import space_name
from scrubjay.store.maintain import (
    check,
    is_index_file,
    open_for_reading,
    open_for_repair,
    open_for_writing,
    repair,
    tidy,
)

NAME = space_name(SPACE)


@pytest.fixture
def folder(scratch):
    with opened(scratch / "index") as shelf:
        shelf.put(a="one\n3:two\n", b="three\n")
    return scratch / "index"


def mended(folder) -> dict:
    """Repair, do the work that repairing asked for, and tell what readers see."""
    stores = open_for_repair(folder)
    assert repair(stores).left == ()
    stores.close()
    assert_sound(folder)
    with opened(folder) as shelf:
        seen = shelf.holds()
        again = {name: text for name, (state, text, _) in seen.items() if state == "dirty"}
        for name in again:
            assert shelf.report(name).recipe is None
            shelf.put(**{name: {"a": "one\n3:two\n", "b": "three\n"}[name]})
        shelf.committer.sweep(budget_s=5)
    assert_sound(folder, swept=True)
    return seen


def healthy(folder) -> bool:
    with opened(folder) as shelf:
        return shelf.holds() == {
            "a": ("clean", "one\n3:two\n", True),
            "b": ("clean", "three\n", True),
        }


def test_reading_needs_an_index(scratch):
    with pytest.raises(StoreError, match="missing"):
        open_for_reading(scratch)
    assert list(scratch.iterdir()) == []


def test_stores_bear_one_id(folder):
    stores = open_for_reading(folder)
    assert stores.catalog.noted("index_id") == stores.vectors.index_id()
    stores.close()


@pytest.mark.parametrize("open_index", [open_for_reading, open_for_writing])
def test_vectors_of_another_index_are_refused(folder, scratch, open_index):
    with opened(scratch / "other") as shelf:
        shelf.put(a="other\n")
    shutil.rmtree(folder / "vectors")
    shutil.copytree(scratch / "other" / "vectors", folder / "vectors")
    with pytest.raises(StoreDamaged, match="does not belong"):
        open_index(folder)
    assert mended(folder)["a"] == ("dirty", "one\n3:two\n", False)
    assert healthy(folder)


@pytest.mark.parametrize("open_index", [open_for_reading, open_for_writing])
def test_missing_vectors_are_named(folder, open_index):
    shutil.rmtree(folder / "vectors" / f"{NAME}.lance")
    with pytest.raises(StoreDamaged, match=NAME):
        open_index(folder)
    assert mended(folder)["b"] == ("dirty", "three\n", False)
    assert healthy(folder)


def test_missing_vectors_folder_is_mended(folder):
    shutil.rmtree(folder / "vectors")
    with pytest.raises(StoreDamaged):
        open_for_writing(folder)
    mended(folder)
    assert healthy(folder)


def test_damaged_vectors_are_a_violation_and_mended(folder):
    for file in (folder / "vectors" / f"{NAME}.lance" / "data").iterdir():
        file.write_bytes(b"x" * 100)
    with opened(folder) as shelf:
        assert [(v.invariant, v.space) for v in check(shelf.stores)] == [("I1", NAME)]
    assert mended(folder)["a"] == ("dirty", "one\n3:two\n", False)
    assert healthy(folder)


def test_missing_catalog_starts_afresh(folder):
    for path in folder.glob("catalog.sqlite*"):
        path.unlink()
    with opened(folder) as shelf:
        assert shelf.stores.vectors.spaces() == []
        shelf.put(a="one\n")
    assert_sound(folder, swept=True)


def test_sound_index_needs_no_repair(folder):
    with opened(folder) as shelf:
        done = repair(shelf.stores)
    assert (done.marked, done.rescued_spaces, done.deleted_generations) == (0, 0, 0)
    assert healthy(folder)


def test_repair_leaves_other_files_alone(folder):
    with opened(folder) as shelf:
        shelf.stores.vectors.delete(NAME, [shelf.report("b").generation])
    seen = mended(folder)
    assert seen == {"a": ("clean", "one\n3:two\n", True), "b": ("dirty", "three\n", False)}
    assert healthy(folder)


def test_tidy_drops_spaces_that_nothing_is_in(folder):
    with opened(folder) as shelf:
        assert tidy(shelf.stores) == 0
        shelf.put(words_only=True, a="one\n", b="two\n")
        assert tidy(shelf.stores) == 0  # their old generations are doomed, but there
        shelf.committer.sweep(budget_s=5)
        assert tidy(shelf.stores) == 1
        assert shelf.stores.vectors.spaces() == []
        shelf.put(a="one\n3:two\n", b="three\n")
    assert_sound(folder, swept=True)
    assert healthy(folder)


def test_tidy_drops_spaces_that_nobody_knows(folder):
    shutil.copytree(folder / "vectors" / f"{NAME}.lance", folder / "vectors" / "ghost.lance")
    with opened(folder) as shelf:
        assert tidy(shelf.stores) == 1
        assert shelf.stores.vectors.spaces() == [NAME]


def test_unchanged_index_is_not_written_to(folder):
    def listing() -> list[tuple[str, int]]:
        return sorted(
            (str(path), path.stat().st_mtime_ns)
            for path in folder.rglob("*")
            if path.is_file() and not path.name.endswith(("-shm", "-wal"))
        )

    before = listing()
    with opened(folder) as shelf:
        shelf.committer.sweep(budget_s=5)
        tidy(shelf.stores)
    assert listing() == before


def test_own_files_are_known_by_name(folder):
    assert all(is_index_file(path.name) for path in folder.iterdir())
    assert not is_index_file("settings.toml")


def test_readers_answer_while_a_writer_writes(folder):
    readers = [open_for_reading(folder) for _ in range(2)]
    with opened(folder) as shelf, readers[0].catalog.reading():
        before = Shelf(readers[0], shelf.committer, shelf.root, shelf.space).holds()
        shelf.put(a="new\n")
        assert readers[0].catalog.one("SELECT body FROM texts WHERE file = 1") is not None
        old, new = (Shelf(r, shelf.committer, shelf.root, shelf.space).text("a") for r in readers)
    assert (before["a"][1], old, new) == ("one\n3:two\n", "one\n3:two\n", "new\n")
    for reader in readers:
        reader.close()
