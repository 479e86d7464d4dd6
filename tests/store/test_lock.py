"""One writer: across processes, in one process, and after its death."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from scrubjay.errors import IndexBusy, StoreError
from scrubjay.store.lock import LOCK_NAME, OWNER_NAME, lock_owner, writer_lock

HOLDER = """
import sys
from pathlib import Path
from scrubjay.store.lock import writer_lock
with writer_lock(Path(sys.argv[1]), "holding"):
    print("held", flush=True)
    sys.stdin.read()
"""


def hold_in_another_process(folder) -> subprocess.Popen[str]:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    return holder


def finish(holder: subprocess.Popen[str]) -> None:
    holder.communicate(timeout=60)


def test_lock_says_who_holds_it(scratch):
    folder = scratch / "index"
    assert lock_owner(folder) is None
    with writer_lock(folder, "indexing") as owner:
        assert lock_owner(folder) == owner
        assert owner.purpose == "indexing"
    assert lock_owner(folder) is None
    assert [path.name for path in folder.iterdir()] == [LOCK_NAME]


def test_lock_is_refused_twice_in_one_process(scratch):
    with writer_lock(scratch, "first"):
        with pytest.raises(IndexBusy, match="first"), writer_lock(scratch, "second"):
            pass
        assert lock_owner(scratch).purpose == "first"
    with writer_lock(scratch, "third"):
        pass


def test_lock_is_released_by_an_error(scratch):
    with pytest.raises(KeyError), writer_lock(scratch, "failing"):
        raise KeyError
    with writer_lock(scratch, "next"):
        pass


def test_busy_error_of_the_work_is_its_own(scratch):
    with pytest.raises(IndexBusy, match="^inner$"), writer_lock(scratch, "working"):
        raise IndexBusy("inner")


@pytest.mark.slow
def test_lock_holds_across_processes_and_dies_with_its_holder(scratch):
    holder = hold_in_another_process(scratch)
    who = f"process {holder.pid} \\(holding\\)"
    with pytest.raises(IndexBusy, match=who), writer_lock(scratch, "second"):
        pass
    assert lock_owner(scratch).pid == holder.pid
    holder.kill()
    finish(holder)
    assert json.loads((scratch / OWNER_NAME).read_text())["pid"] == holder.pid
    assert lock_owner(scratch) is None
    with writer_lock(scratch, "second", wait_s=10):
        assert lock_owner(scratch).purpose == "second"


@pytest.mark.slow
def test_lock_is_waited_for(scratch):
    holder = hold_in_another_process(scratch)
    assert holder.stdin is not None
    holder.stdin.close()
    with writer_lock(scratch, "second", wait_s=60):
        pass
    holder.stdin = None
    finish(holder)


def test_lock_without_its_record_is_still_held(scratch):
    with writer_lock(scratch, "first"):
        (scratch / OWNER_NAME).write_text("{}")
        assert lock_owner(scratch) is None
        with pytest.raises(IndexBusy, match="another process"), writer_lock(scratch, "second"):
            pass


def test_folder_that_cannot_be_made_is_an_error(scratch):
    (scratch / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be made"), writer_lock(scratch / "file" / "x", ""):
        pass
