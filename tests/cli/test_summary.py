"""The last lines of an index run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrubjay.cli.output import Output
from scrubjay.cli.summary import show_summary
from scrubjay.store.files import FileReport
from scrubjay.types import FileState, RunSummary, Stat

DONE = RunSummary(("/r",), walked=9, unchanged=5, seconds=1.2, complete=True)
FAILING = FileReport(
    root=1,
    path=b"bad.py",
    state=FileState.FAILED,
    reason=None,
    message="the parser died",
    stamp=Stat(1, 1, 1, 1),
    language="python",
    encoding=None,
    content_hash=None,
    recipe=None,
    generation=None,
    chunks=0,
    attempts=3,
    not_before=0.0,
    note=None,
    indexed_at=None,
)


@pytest.mark.parametrize(
    ("summary", "expected"),
    [
        (DONE, "Up to date: 5 files unchanged (looked at in 1.2 s).\n"),
        (
            replace(DONE, indexed=2, chunks=7, embedded=1, reused=8, removed=1, failed=1),
            "Indexed 2 files in 1.2 s: 7 chunks, 1 text embedded, 8 reused,"
            " 5 unchanged, 1 removed, 1 failed.\n",
        ),
        (
            replace(DONE, removed=3),
            "Nothing new (looked at in 1.2 s), 5 unchanged, 3 removed.\n",
        ),
        (
            replace(DONE, cancelled=True, complete=False, indexed=2, pending=3),
            "Stopped: 2 files of this run are kept, 3 wait. `scrubjay index` goes on from here.\n",
        ),
        (
            replace(DONE, pending=1, unsettled=1),
            "Up to date: 5 files unchanged (looked at in 1.2 s).\n"
            "1 file was being written while read, and waits for the next run.\n",
        ),
        (
            replace(DONE, reasons={"empty": 1, "binary": 20}),
            "Up to date: 5 files unchanged (looked at in 1.2 s).\nLeft out: binary 20 · empty 1\n",
        ),
    ],
)
def test_summary_says_what_was_done(capsys, summary, expected):
    show_summary(Output(), summary, ())
    assert capsys.readouterr() == (expected, "")


def test_summary_names_files_that_fail(capsys):
    retried = replace(FAILING, state=FileState.DIRTY, path=b"odd\xff.py", attempts=1)
    show_summary(Output(), replace(DONE, pending=1), (FAILING, retried))
    said = capsys.readouterr()
    assert "being written" not in said.out
    assert said.err == (
        "2 files failed; 1 will be tried again by the next run,"
        " 1 will not, unless `scrubjay retry` says so:\n"
        "  bad.py: the parser died\n"
        "  odd\\xff.py: the parser died\n"
    )


def test_summary_stops_naming_at_some_point(capsys):
    show_summary(Output(), DONE, (FAILING,) * 12)
    assert capsys.readouterr().err.endswith("  … and 2 more\n")


def test_summary_names_folders_that_cannot_be_read(capsys):
    show_summary(Output(), replace(DONE, notes=("private: Permission denied",)), ())
    assert capsys.readouterr().err == "not readable: private: Permission denied\n"
