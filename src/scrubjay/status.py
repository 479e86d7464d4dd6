"""How does an index stand? What it holds, root by root, and how large it is."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from scrubjay.store import files
from scrubjay.store.files import Root, Totals
from scrubjay.store.lock import Owner
from scrubjay.store.maintain import Stores
from scrubjay.types import shown


@dataclass(frozen=True, slots=True)
class RootStatus:
    """One root as people see it: `online` is False when it is not there now."""

    path: str
    online: bool
    files: Totals
    walked: dict[str, int]
    problems: tuple[str, ...]
    last_complete_at: float | None


@dataclass(frozen=True, slots=True)
class Status:
    """What an index holds and how it stands; sizes in bytes, times in Unix seconds."""

    folder: str
    roots: tuple[RootStatus, ...]
    files: Totals
    model: str
    outdated: int
    doomed: int
    size_bytes: int
    owner: Owner | None


def root_status(stores: Stores, root: Root) -> RootStatus:
    """Report what one root holds."""
    return RootStatus(
        path=shown(root.path),
        online=os.path.isdir(root.path),
        files=files.totals(stores.catalog, root.id),
        walked=root.counts,
        problems=tuple(f"{shown(folder) or '.'}: {why}" for folder, why in root.problems),
        last_complete_at=root.last_complete_at,
    )


def size_of(folder: Path) -> int:
    """Add up the files of an index folder, in bytes."""
    return sum(
        os.path.getsize(file)
        for place, _, names in os.walk(folder)
        for name in names
        if os.path.exists(file := os.path.join(place, name))
    )
