"""One test per invariant: the index holds it, and its checker sees when it is broken by hand."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.stored import SPACE, Shelf, assert_sound, opened

from scrubjay.store.commit import space_name
from scrubjay.store.invariants import INVARIANTS
from scrubjay.store.maintain import repair
from scrubjay.store.windows import VectorRows

NAME = space_name(SPACE)
DOCUMENT = Path(__file__).parents[2] / "docs" / "consistency.md"


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """An index with live, replaced, words-only, skipped, failed and waiting files."""
    folder = tmp_path_factory.mktemp("original") / "index"
    with opened(folder) as shelf:
        shelf.put(a="one\n3:two\n", b="three\n", c="four\n")
        shelf.put(a="one\n3:two\nfive\n")
        shelf.put(words_only=True, d="six\n")
        shelf.ask("skipped", "failed", "waiting")
        shelf.settle(shelf.skipped("skipped"), shelf.failed("failed"))
    return folder


@pytest.fixture
def shelf(original, tmp_path):
    shutil.copytree(original, tmp_path / "index")
    with opened(tmp_path / "index") as shelf:
        yield shelf


def row(shelf: Shelf, generation: int, chunk: int, window: int = 0) -> None:
    shelf.stores.vectors.add(
        NAME,
        VectorRows(
            np.array([chunk]),
            np.array([generation]),
            np.array([window], np.int32),
            np.ones((1, SPACE.dimension), np.float32),
        ),
    )


def sql(*statements: str) -> Callable[[Shelf], None]:
    def spoil(shelf: Shelf) -> None:
        for statement in statements:
            assert shelf.stores.catalog.run(statement), statement

    return spoil


def double_a_row(shelf: Shelf) -> None:
    chunk, generation = shelf.stores.catalog.row(
        "SELECT c.id, generation FROM chunks c JOIN files f ON f.id = c.file WHERE f.id = 2"
    )
    row(shelf, generation, chunk)


def delete_rows(shelf: Shelf) -> None:
    generation = shelf.report("b").generation
    shelf.stores.vectors.delete(NAME, [generation])


def add_an_unknown_row(shelf: Shelf) -> None:
    row(shelf, 9_999, 9_999)


def add_a_row_to_a_live_generation(shelf: Shelf) -> None:
    row(shelf, shelf.report("b").generation, 9_999)


def doom_a_live_generation(shelf: Shelf) -> None:
    shelf.stores.catalog.run(
        "INSERT INTO doomed VALUES (?, ?)", (shelf.report("b").generation, shelf.space)
    )


def spoil_a_text(shelf: Shelf) -> None:
    shelf.stores.catalog.run("UPDATE texts SET body = x'00' WHERE file = 1")


BROKEN = [
    ("I0", double_a_row),
    ("I1", delete_rows),
    ("I1", sql("UPDATE chunks SET windows = 2 WHERE file = 2")),
    ("I2", add_an_unknown_row),
    ("I2", add_a_row_to_a_live_generation),
    ("I3", sql("DELETE FROM words WHERE rowid = (SELECT max(id) FROM chunks)")),
    ("I3", sql("INSERT INTO words(rowid, body) VALUES (9999, 'ghost')")),
    ("I3", sql("INSERT INTO imports VALUES (9999, 0, 1, 0, 1, 1, 1)")),
    ("I3", sql("UPDATE files SET chunks = 7 WHERE id = 2")),
    ("I4", doom_a_live_generation),
    ("I6", sql("UPDATE files SET recipe = NULL WHERE id = 2")),
    ("I6", sql("UPDATE files SET content_hash = NULL WHERE id = 2")),
    ("I6", sql("UPDATE texts SET generation = 77 WHERE file = 2")),
    ("I6", sql("DELETE FROM texts WHERE file = 2")),
    ("I6", sql("UPDATE chunks SET text_hash = x'00' WHERE file = 2")),
    ("I6", sql("UPDATE chunks SET stop = stop - 1 WHERE file = 2")),
    ("I6", spoil_a_text),
    ("I7", sql("UPDATE files SET mark = 0 WHERE state = 'dirty'")),
    ("I7", sql("UPDATE files SET mark = 9 WHERE state = 'clean'")),
    ("I8", sql("UPDATE files SET reason = NULL WHERE state = 'skipped'")),
    ("I8", sql("UPDATE files SET message = NULL WHERE state = 'failed'")),
    ("I8", sql("UPDATE files SET state = 'lost', mark = 0 WHERE state = 'skipped'")),
    ("I8", sql("UPDATE files SET state = 'skipped', reason = 'x' WHERE id = 2")),
    ("I8", sql("UPDATE files SET root = 7 WHERE id = 2")),
]


@pytest.mark.parametrize(("number", "spoil"), BROKEN)
def test_checker_sees_what_is_broken(shelf, number, spoil):
    assert shelf.problems() == []
    spoil(shelf)
    assert number in shelf.problems()


@pytest.mark.parametrize(("number", "spoil"), BROKEN)
def test_repair_mends_what_is_broken(shelf, number, spoil):
    spoil(shelf)
    assert repair(shelf.stores).left == ()
    assert shelf.problems() == []
    shelf.committer.sweep(budget_s=5)
    assert shelf.problems(swept=True) == []


def test_i0_no_vector_row_is_there_twice(shelf):
    chunks, _, windows = shelf.stores.vectors.rows(NAME)
    pairs = list(zip(chunks.tolist(), windows.tolist(), strict=True))
    assert len(pairs) == len(set(pairs))


def test_i1_every_window_of_a_live_chunk_has_its_vector(shelf):
    assert shelf.holds()["a"] == ("clean", "one\n3:two\nfive\n", True)


def test_i2_every_vector_row_is_live_or_doomed(shelf):
    _, generations, _ = shelf.stores.vectors.rows(NAME)
    known = {
        row[0]
        for row in shelf.stores.catalog.rows(
            "SELECT generation FROM files UNION SELECT generation FROM doomed"
        )
    }
    assert set(generations.tolist()) <= known


def test_i3_full_text_has_the_live_chunks_alone(shelf):
    shelf.put(b="seven\n")
    found = [
        shelf.stores.catalog.one(
            "SELECT count(*) FROM words JOIN chunks ON chunks.id = words.rowid WHERE words MATCH ?",
            (word,),
        )
        for word in ("three", "seven")
    ]
    assert found == [0, 1]


def test_i4_no_generation_is_live_and_doomed(shelf):
    both = "SELECT generation FROM files INTERSECT SELECT generation FROM doomed"
    assert shelf.stores.catalog.row(both) is None


def test_i5_sweep_leaves_the_vectors_of_live_chunks_alone(shelf):
    assert "I5" in shelf.problems(swept=True)
    shelf.committer.sweep(budget_s=5)
    assert shelf.problems(swept=True) == []
    assert len(shelf.stores.vectors.rows(NAME)[0]) == 7


def test_i6_clean_files_have_text_hash_and_recipe(shelf):
    report = shelf.report("a")
    assert (report.state.value, report.recipe, report.chunks) == ("clean", "r1", 3)
    assert shelf.text("a") == "one\n3:two\nfive\n"


def test_i7_mark_newer_than_its_work_stays(shelf):
    shelf.ask("b")
    early = shelf.publication("b", "early\n")
    shelf.ask("b")
    shelf.committer.publish([early], shelf.space)
    assert shelf.holds()["b"] == ("dirty", "early\n", True)
    assert shelf.known("b")[1] > early.met.mark


def test_i8_every_file_has_one_known_state(shelf):
    states = {name: state for name, (state, _, _) in shelf.holds().items()}
    assert states == {
        **dict.fromkeys("abcd", "clean"),
        "skipped": "skipped",
        "failed": "failed",
        "waiting": "dirty",
    }


def test_every_invariant_is_documented_and_breakable():
    documented = set(re.findall(r"\*\*(I\d)\*\*", DOCUMENT.read_text("utf-8")))
    assert documented == set(INVARIANTS)
    assert {number for number, _ in BROKEN} | {"I5"} == set(INVARIANTS)


def test_sound_index_is_sound_when_reopened(tmp_path):
    with opened(tmp_path) as shelf:
        shelf.put(a="one\n")
    assert_sound(tmp_path, swept=True)
