"""Is it on the disk? Pushes files and folders out of the system's cache, so that power may fail."""

from __future__ import annotations

import os
from pathlib import Path


def flush_file(path: str) -> None:
    """Push one file to the disk; one that is gone by now needs none of it."""
    _flush(path, os.O_RDWR | os.O_BINARY if os.name == "nt" else os.O_RDONLY)  # type: ignore[attr-defined,unused-ignore]  # O_BINARY is of Windows


def flush_folder(path: str) -> None:
    """Push a folder's names to the disk; Windows does that by itself."""
    if os.name != "nt":
        _flush(path, os.O_RDONLY)


def _flush(path: str, flags: int) -> None:
    try:
        descriptor = os.open(path, flags)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_small(path: Path, text: str) -> None:
    """Write a small file so that a crash leaves the old one or the new one, whole."""
    temporary = path.with_name(path.name + ".new")
    temporary.write_text(text, "utf-8")
    flush_file(str(temporary))
    temporary.replace(path)
    flush_folder(str(path.parent))


class Flushed:
    """Which files of a folder tree are known to be on the disk; new ones are flushed once.

    Files never change once written, but for hints (`.json`), which are right or are not believed.
    """

    def __init__(self) -> None:
        """Know nothing: whatever an earlier process wrote may still be in the cache."""
        self._names: dict[str, frozenset[str]] = {}

    def flush(self, tree: Path) -> None:
        """Push what is new below `tree`, files before the folders that name them."""
        is_new = str(tree) not in self._names
        self._flush_below(str(tree))
        if is_new:
            flush_folder(str(tree.parent))

    def _flush_below(self, folder: str) -> None:
        known = self._names.get(folder)
        names = set()
        with os.scandir(folder) as listing:
            for entry in listing:
                names.add(entry.name)
                if entry.is_dir(follow_symlinks=False):
                    self._flush_below(entry.path)
                elif not entry.name.endswith(".json") and entry.name not in (known or ()):
                    flush_file(entry.path)
        if known is None or not names <= known:
            flush_folder(folder)
        self._names[folder] = frozenset(names)
