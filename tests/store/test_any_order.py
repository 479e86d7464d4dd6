"""Any sequence of writes, stopped anywhere, against a dictionary of what must be there."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.stored import Shelf, assert_sound, opened

from scrubjay.store.commit import CRASH_POINTS, Committer
from scrubjay.store.maintain import tidy

NAMES = "abc"
TEXTS = ("one\n", "one\n2:two\n", "3:three\nfour\n", "0:five\n")


class Stopped(Exception):
    """Stands for a crash: nothing below the point runs, and the index is opened anew."""


@dataclass(frozen=True)
class Seen:
    """What must be seen of one file."""

    text: str | None
    state: str


class Model:
    """Does everything to an index and to a dictionary."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: dict[str, Seen] = {}
        self.late: list = []

    def do(self, action: str, name: str, text: str, stop: str | None) -> None:
        passed = []

        def reached(point: str) -> None:
            passed.append(point)
            if point == stop:
                raise Stopped

        with opened(self.folder) as shelf:
            if action in ("publish", "words", "skip", "fail", "unsettled"):
                shelf.ask(name)
                self.files[name] = Seen(self.text(name), "dirty")
            shelf.committer = Committer(shelf.stores.catalog, shelf.stores.vectors, reached)
            try:
                outcome = getattr(self, action)(shelf, name, text)
            except Stopped:
                outcome = None
                if "committed" in passed:
                    outcome = getattr(self, f"after_{action}")(name, text)
            if outcome is not None:
                self.files = {**self.files, **outcome}
            self.files = {n: seen for n, seen in self.files.items() if seen.state != "gone"}
            self.compare(shelf)

    def text(self, name: str) -> str | None:
        return self.files[name].text if name in self.files else None

    def publish(self, shelf: Shelf, name: str, text: str) -> dict[str, Seen]:
        shelf.committer.publish([shelf.publication(name, text)], shelf.space)
        return self.after_publish(name, text)

    def after_publish(self, name: str, text: str) -> dict[str, Seen]:
        return {name: Seen(text, "clean")}

    def words(self, shelf: Shelf, name: str, text: str) -> dict[str, Seen]:
        publication = shelf.publication(name, text, words_only=True)
        shelf.committer.publish([publication], shelf.space)
        return self.after_publish(name, text)

    after_words = after_publish

    def unsettled(self, shelf: Shelf, name: str, text: str) -> dict[str, Seen]:
        publication = shelf.publication(name, text, settled=False)
        shelf.committer.publish([publication], shelf.space)
        return self.after_unsettled(name, text)

    def after_unsettled(self, name: str, text: str) -> dict[str, Seen]:
        return {name: Seen(text, "dirty")}

    def skip(self, shelf: Shelf, name: str, text: str) -> dict[str, Seen]:
        shelf.settle(shelf.skipped(name))
        return self.after_skip(name, text)

    def after_skip(self, name: str, text: str) -> dict[str, Seen]:
        return {name: Seen(None, "skipped")}

    def fail(self, shelf: Shelf, name: str, text: str) -> dict[str, Seen]:
        shelf.settle(shelf.failed(name))
        return self.after_fail(name, text)

    def after_fail(self, name: str, text: str) -> dict[str, Seen]:
        return {name: Seen(self.text(name), "failed")}

    def retract(self, shelf: Shelf, name: str, text: str) -> dict[str, Seen]:
        shelf.retract(name)
        return self.after_retract(name, text)

    def after_retract(self, name: str, text: str) -> dict[str, Seen]:
        return {name: Seen(None, "gone")}

    def remember(self, shelf: Shelf, name: str, text: str) -> None:
        """Keep an outcome of today's mark, to be published whenever."""
        if name in self.files:
            self.late.append((name, shelf.publication(name, text)))

    def publish_late(self, shelf: Shelf, name: str, text: str) -> dict[str, Seen] | None:
        """Publish an outcome that may be out of date: it may show its text, never clear a mark."""
        if not self.late:
            return None
        waiter, late = self.late.pop()
        known = shelf.known(waiter)
        shelf.committer.publish([late], shelf.space)
        if known is None or known[0] != late.met.file or (known[1] == 0 and late.met.mark != 0):
            return None
        state = "clean" if late.met.mark == known[1] else "dirty"
        written = "".join(chunk.body for chunk in late.content.chunks)
        return {waiter: Seen(written, state)}

    def after_publish_late(self, name: str, text: str) -> dict[str, Seen] | None:
        raise AssertionError("late outcomes are not stopped")

    def sweep(self, shelf: Shelf, name: str, text: str) -> None:
        shelf.committer.sweep(budget_s=5)
        assert shelf.problems(swept=True) == []

    def tidy(self, shelf: Shelf, name: str, text: str) -> None:
        tidy(shelf.stores, always=True)

    def compare(self, shelf: Shelf) -> None:
        assert shelf.problems() == []
        seen = {name: Seen(text, state) for name, (state, text, _) in shelf.holds().items()}
        assert seen == self.files


STOPPABLE = st.tuples(
    st.sampled_from(["publish", "words", "unsettled", "skip", "fail", "retract", "sweep"]),
    st.sampled_from(NAMES),
    st.sampled_from(TEXTS),
    st.sampled_from([None, None, *CRASH_POINTS]),
)
WHOLE = st.tuples(
    st.sampled_from(["remember", "publish_late", "tidy"]),
    st.sampled_from(NAMES),
    st.sampled_from(TEXTS),
    st.none(),
)
HISTORIES = st.lists(st.one_of(STOPPABLE, STOPPABLE, WHOLE), max_size=12)


def check_history(history: list[tuple[str, str, str, str | None]]) -> None:
    folder = Path(tempfile.mkdtemp(dir=Path("/dev/shm") if Path("/dev/shm").is_dir() else None))
    try:
        model = Model(folder / "index")
        for step in history:
            model.do(*step)
        model.do("sweep", "a", "", None)
        assert_sound(folder / "index", swept=True)
    finally:
        shutil.rmtree(folder)


@pytest.mark.slow
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(HISTORIES)
def test_any_history_is_kept(history):
    check_history(history)


def test_late_outcome_shows_its_text_and_keeps_the_mark():
    check_history(
        [
            ("unsettled", "a", "one\n", None),
            ("remember", "a", "one\n2:two\n", None),
            ("unsettled", "a", "3:three\nfour\n", None),
            ("publish_late", "a", "", None),
            ("publish", "a", "one\n", "vectors-added"),
            ("retract", "a", "", "committing"),
            ("retract", "a", "", "committed"),
        ]
    )
