"""Who may write? One process at a time, by an operating-system lock that dies with its holder.

The lock is SQLite's own on a file of its own: the same code on every platform, nothing to import
besides what the catalog needs. The record beside it is for people: it names the holder, it locks
nothing, and it counts only while the lock is held.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from scrubjay.errors import IndexBusy, StoreError
from scrubjay.store.catalog import exclusively, is_held

LOCK_NAME = "writer.lock"
OWNER_NAME = "writer.json"


@dataclass(frozen=True, slots=True)
class Owner:
    """Who holds the lock: process id, what it does, and since when (Unix seconds)."""

    pid: int
    purpose: str
    since: float


@contextmanager
def writer_lock(folder: Path, purpose: str, *, wait_s: float = 0.0) -> Iterator[Owner]:
    """Hold the writer's lock of an index; raises IndexBusy, naming the holder, after `wait_s`."""
    make_folder(folder)
    with ExitStack() as stack:
        try:
            stack.enter_context(exclusively(folder / LOCK_NAME, wait_s=wait_s))
        except IndexBusy as error:
            owner = lock_owner(folder)
            who = f"process {owner.pid} ({owner.purpose})" if owner else "another process"
            raise IndexBusy(
                f"{who} is writing this index", hint="wait for it, or stop it"
            ) from error
        owner = Owner(os.getpid(), purpose, time.time())
        record = folder / OWNER_NAME
        with suppress(OSError):
            record.write_text(json.dumps(asdict(owner)), "utf-8")
        try:
            yield owner
        finally:
            with suppress(OSError):
                record.unlink(missing_ok=True)


def lock_owner(folder: Path) -> Owner | None:
    """Tell who holds the lock; None if nobody does, or if it has not said so yet."""
    if not is_held(folder / LOCK_NAME):
        return None
    try:
        return Owner(**json.loads((folder / OWNER_NAME).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def make_folder(folder: Path) -> None:
    """Make an index folder; raises StoreError if that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"{folder} cannot be made: {error.strerror}",
            hint="check its permissions, or set SCRUBJAY_HOME to another folder",
        ) from error
