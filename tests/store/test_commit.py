"""Publishing, retracting and sweeping; what a crash leaves is in test_crash.py."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.stored import OTHER_SPACE, SPACE, vectors_of

from scrubjay.errors import StoreError
from scrubjay.store.commit import Committer, open_space, space_name
from scrubjay.store.content import embedded_twins, imports_of, text_hash
from scrubjay.store.files import count_waiting, mark_files, restamp
from scrubjay.store.queries import definitions_named

NAME = space_name(SPACE)


class Stopped(Exception):
    """Stands for a crash: nothing below the point runs."""


def stop_at(shelf, point: str) -> Committer:
    def reached(passed: str) -> None:
        if passed == point:
            raise Stopped

    return Committer(shelf.stores.catalog, shelf.stores.vectors, reached)


def doomed(shelf) -> list[int]:
    return [row[0] for row in shelf.stores.catalog.rows("SELECT generation FROM doomed")]


def rows(shelf) -> int:
    return len(shelf.stores.vectors.rows(NAME)[0])


def test_publish_makes_a_file_clean(shelf):
    shelf.put(a="one\n3:two\n")
    assert shelf.holds() == {"a": ("clean", "one\n3:two\n", True)}
    report = shelf.report("a")
    assert (report.chunks, report.recipe, report.encoding, report.attempts) == (2, "r1", "utf-8", 0)
    assert shelf.problems(swept=True) == []


def test_publish_replaces_content_and_dooms_the_old(shelf):
    shelf.put(a="one\ntwo\n")
    old = shelf.report("a").generation
    shelf.put(a="three\n")
    assert doomed(shelf) == [old]
    assert rows(shelf) == 3
    assert [place.name for place in definitions_named(shelf.stores.catalog, ["one", "three"])] == [
        "three"
    ]
    assert len(imports_of(shelf.stores.catalog, 1)) == 1


def test_sweep_removes_replaced_vectors(shelf):
    shelf.put(a="one\ntwo\n")
    shelf.put(a="three\n")
    assert shelf.committer.sweep(budget_s=5) == 1
    assert (doomed(shelf), rows(shelf)) == ([], 1)
    assert shelf.committer.sweep(budget_s=5) == 0


def test_sweep_stops_when_its_budget_is_spent(shelf, monkeypatch):
    monkeypatch.setattr("scrubjay.store.commit.GENERATIONS_PER_SWEEP", 1)
    for text in ("one\n", "two\n", "three\n"):
        shelf.put(a=text)
    assert shelf.committer.sweep(budget_s=0) == 1
    assert shelf.problems() == []
    assert shelf.committer.sweep(budget_s=5) == 1
    assert shelf.problems(swept=True) == []


def test_interrupted_sweep_is_finished_by_the_next(shelf):
    shelf.put(a="one\n")
    shelf.put(a="two\n")
    with pytest.raises(Stopped):
        stop_at(shelf, "swept-vectors").sweep(budget_s=5)
    assert (len(doomed(shelf)), rows(shelf), shelf.problems()) == (1, 1, [])
    shelf.committer.sweep(budget_s=5)
    assert shelf.problems(swept=True) == []


def test_retract_forgets_a_file(shelf):
    shelf.put(a="one\n", b="two\n")
    shelf.retract("a")
    assert shelf.holds() == {"b": ("clean", "two\n", True)}
    shelf.committer.sweep(budget_s=5)
    assert shelf.problems(swept=True) == []


def test_publish_of_a_retracted_file_leaves_its_generation_doomed(shelf):
    shelf.ask("a")
    late = shelf.publication("a", "one\n")
    shelf.retract("a")
    shelf.committer.publish([late], shelf.space)
    assert (shelf.holds(), len(doomed(shelf)), shelf.problems()) == ({}, 1, [])
    shelf.committer.sweep(budget_s=5)
    assert shelf.problems(swept=True) == []


def test_outcome_of_a_met_mark_is_dropped(shelf):
    shelf.ask("a")
    first, again = shelf.publication("a", "one\n"), shelf.publication("a", "two\n")
    skip, failure = shelf.skipped("a"), shelf.failed("a")
    shelf.committer.publish([first], shelf.space)
    shelf.committer.publish([again], shelf.space)
    shelf.settle(skip)
    shelf.settle(failure)
    assert shelf.holds() == {"a": ("clean", "one\n", True)}
    assert shelf.problems() == []


def test_last_outcome_of_a_file_in_a_batch_counts(shelf):
    shelf.ask("a", "b")
    shelf.committer.publish(
        [
            shelf.publication("a", "one\n"),
            shelf.publication("b", "two\n"),
            shelf.publication("a", "three\n"),
        ],
        shelf.space,
        [shelf.skipped("b")],
    )
    assert shelf.holds() == {"a": ("clean", "three\n", True), "b": ("skipped", None, False)}
    assert shelf.problems(swept=True) == []


def test_unsettled_file_is_published_and_stays_dirty(shelf):
    shelf.ask("a")
    shelf.committer.publish([shelf.publication("a", "one\n", settled=False)], shelf.space)
    assert shelf.holds() == {"a": ("dirty", "one\n", True)}
    assert shelf.problems() == []


def test_unsettled_outcome_of_a_clean_file_makes_it_dirty(shelf):
    shelf.put(a="one\n")
    shelf.committer.publish([shelf.publication("a", "two\n", settled=False)], shelf.space)
    assert shelf.holds() == {"a": ("dirty", "two\n", True)}
    assert shelf.problems() == []


def test_words_only_then_vectors(shelf):
    shelf.put(words_only=True, a="one\n")
    assert shelf.holds() == {"a": ("clean", "one\n", False)}
    assert shelf.stores.vectors.spaces() == []
    shelf.put(a="one\n")
    assert shelf.holds() == {"a": ("clean", "one\n", True)}
    shelf.put(words_only=True, a="one\n")
    assert shelf.holds() == {"a": ("clean", "one\n", False)}
    shelf.committer.sweep(budget_s=5)
    assert shelf.problems(swept=True) == []


@pytest.mark.parametrize("text", ["", "0:nothing\n", "0:nothing\none\n"])
def test_publication_without_rows_is_sound(shelf, text):
    shelf.put(a=text)
    shelf.put(b=text, c="one\n")
    assert shelf.problems(swept=True) == []
    assert shelf.report("a").chunks == len(text.splitlines())


@pytest.mark.parametrize("shape", [(2, SPACE.dimension), (1, SPACE.dimension + 1), (0, 1)])
def test_vectors_that_do_not_fit_are_refused(shelf, shape):
    shelf.ask("a")
    wrong = dataclasses.replace(
        shelf.publication("a", "one\n"), vectors=np.zeros(shape, np.float32)
    )
    with pytest.raises(StoreError, match="shape"):
        shelf.committer.publish([wrong], shelf.space)
    assert (doomed(shelf), shelf.problems()) == ([], [])


def test_skipped_file_gives_its_content_up(shelf):
    shelf.put(a="one\n")
    shelf.ask("a")
    shelf.settle(shelf.skipped("a"))
    report = shelf.report("a")
    assert (report.state.value, report.reason, report.chunks) == ("skipped", "binary", 0)
    shelf.committer.sweep(budget_s=5)
    assert shelf.problems(swept=True) == []


def test_failed_file_keeps_its_content(shelf):
    shelf.put(a="one\n")
    shelf.ask("a")
    shelf.settle(shelf.failed("a", final=False))
    report = shelf.report("a")
    assert (report.state.value, report.attempts, report.not_before) == ("dirty", 1, 5.0)
    assert (report.message, shelf.text("a")) == ("broken", "one\n")
    assert count_waiting(shelf.stores.catalog, [shelf.root], now=4.0) == 0
    shelf.settle(shelf.failed("a"))
    assert (shelf.report("a").state.value, shelf.report("a").attempts) == ("failed", 2)
    assert (shelf.text("a"), shelf.problems()) == ("one\n", [])


def test_failure_of_older_work_counts_no_attempt(shelf):
    shelf.ask("a")
    late = shelf.failed("a")
    shelf.ask("a")
    shelf.settle(late)
    report = shelf.report("a")
    assert (report.state.value, report.attempts, report.message) == ("dirty", 0, None)


def test_success_forgets_earlier_failures(shelf):
    shelf.ask("a")
    shelf.settle(shelf.failed("a", final=False))
    shelf.committer.publish([shelf.publication("a", "one\n")], shelf.space)
    report = shelf.report("a")
    assert (report.attempts, report.not_before, report.message) == (0, 0, None)


def test_numbers_are_never_used_again(shelf):
    shelf.put(a="one\ntwo\n")
    highest = shelf.stores.catalog.one("SELECT max(id) FROM chunks")
    generation = shelf.report("a").generation
    shelf.retract("a")
    shelf.committer.sweep(budget_s=5)
    shelf.put(a="one\n")
    assert shelf.stores.catalog.one("SELECT min(id) FROM chunks") > highest
    assert shelf.report("a").generation > generation


@pytest.mark.parametrize("point", ["intended", "vectors-added", "committing"])
def test_stopped_publication_leaves_the_old_content(shelf, point):
    shelf.put(a="one\n")
    shelf.ask("a")
    with pytest.raises(Stopped):
        stop_at(shelf, point).publish([shelf.publication("a", "two\n")], shelf.space)
    assert shelf.holds() == {"a": ("dirty", "one\n", True)}
    assert shelf.problems() == []
    shelf.committer.sweep(budget_s=5)
    assert shelf.problems(swept=True) == []


def test_spaces_live_side_by_side(shelf):
    other = open_space(shelf.stores.catalog, OTHER_SPACE)
    shelf.put(a="one\n", b="two\n")
    shelf.ask("b")
    moved = dataclasses.replace(
        shelf.publication("b", "two\n"), vectors=vectors_of("two\n", OTHER_SPACE)
    )
    shelf.committer.publish([moved], other)
    assert shelf.stores.vectors.spaces() == sorted([NAME, space_name(OTHER_SPACE)])
    assert shelf.problems() == []
    shelf.committer.sweep(budget_s=5)
    assert shelf.problems(swept=True) == []


def test_open_space_finds_its_space_again(shelf):
    assert open_space(shelf.stores.catalog, SPACE) == shelf.space
    changed = dataclasses.replace(SPACE, document_prefix="passage: ")
    assert open_space(shelf.stores.catalog, changed) != shelf.space


def test_twins_are_live_chunks_of_the_same_space(shelf):
    shelf.put(a="one\n", b="one\n")
    wanted = [text_hash("one\n"), text_hash("two\n")]
    (chunk,) = embedded_twins(shelf.stores.catalog, shelf.space, wanted).values()
    found = shelf.stores.vectors.fetch(NAME, [chunk])[chunk]
    assert np.allclose(found, vectors_of("one\n"), atol=1e-3)
    shelf.retract("a", "b")
    assert embedded_twins(shelf.stores.catalog, shelf.space, wanted) == {}


def test_marks_grow(shelf):
    shelf.ask("a")
    before = shelf.known("a")[1]
    shelf.ask("b", "a")
    assert shelf.known("a")[1] > shelf.known("b")[1] > before


def test_restamp_leaves_the_mark(shelf):
    shelf.ask("a")
    mark = shelf.known("a")[1]
    with shelf.stores.catalog.writing():
        restamp(shelf.stores.catalog, [(1, dataclasses.replace(shelf.met("a").stamp, inode=2**64))])
        mark_files(shelf.stores.catalog, [])
    assert (shelf.report("a").stamp.inode, shelf.known("a")[1]) == (2**64, mark)
