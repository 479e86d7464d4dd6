"""A process killed anywhere leaves a sound index, and running it again comes to the same end."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from crash_child import run_script
from tests.stored import assert_sound, opened

from scrubjay.store.commit import CRASH_POINTS
from scrubjay.store.lock import writer_lock
from scrubjay.store.maintain import open_for_writing

CHILD = Path(__file__).with_name("crash_child.py")
DOCUMENT = Path(__file__).parents[2] / "docs" / "consistency.md"
INSTANTS = 30

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")


def kill_children(*arguments: str | Path) -> None:
    done = subprocess.run(
        [sys.executable, CHILD, *map(str, arguments)], capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def check_recovery(folder: Path, expected: dict[str, object]) -> None:
    """Reopen, check, sweep, check again, then finish the work and compare its outcome."""
    if not (folder / "catalog.sqlite").exists():
        return run_again(folder, expected)  # killed before anything was made
    with writer_lock(folder, "test"):
        open_for_writing(folder).close()
        assert_sound(folder)
        with opened(folder) as shelf:
            shelf.committer.sweep(budget_s=60)
        assert_sound(folder, swept=True)
    return run_again(folder, expected)


def run_again(folder: Path, expected: dict[str, object]) -> None:
    run_script(folder)
    assert_sound(folder, swept=True)
    assert state_of(folder) == expected


def state_of(folder: Path) -> dict[str, object]:
    with opened(folder) as shelf:
        return shelf.holds()


@pytest.mark.slow
def test_kill_at_every_point_is_recovered_from(scratch):
    kill_children("points", scratch)
    expected = state_of(scratch / "whole")
    assert_sound(scratch / "whole", swept=True)
    crashed = [path for path in scratch.iterdir() if path.is_dir() and path.name != "whole"]
    assert {path.name.rpartition("-")[0] for path in crashed} == set(CRASH_POINTS)
    for folder in crashed:
        check_recovery(folder, expected)


@pytest.mark.slow
def test_kill_at_random_instants_is_recovered_from(scratch):
    kill_children("instants", scratch, str(INSTANTS), "7")
    expected = state_of(scratch / "whole")
    crashed = list(scratch.glob("instant-*"))
    assert crashed
    for folder in crashed:
        check_recovery(folder, expected)


def test_script_ends_as_intended(scratch):
    run_script(scratch)
    assert state_of(scratch) == {
        "a": ("clean", "one\nseven\n", True),
        "b": ("clean", "eight\nnine\n", True),
        "c": ("clean", "2:twelve\n", True),
        "d": ("skipped", None, False),
        "e": ("clean", "ten\n", True),
        "f": ("failed", None, False),
    }


def test_every_crash_point_is_documented():
    documented = re.findall(r"^\| `([a-z-]+)` \|", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    assert tuple(documented) == CRASH_POINTS
