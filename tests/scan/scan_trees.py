"""Trees to walk, and what git says of them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from scrubjay.scan.walk import Tree, open_tree
from scrubjay.sections import ScanSettings


def look_at(root: Path, *, own: tuple[Path, ...] = (), **settings: object) -> Tree:
    """Open a tree with some scan settings."""
    return open_tree(root, ScanSettings(**settings), own=own)  # type: ignore[arg-type]


def make_repository(root: Path | bytes) -> None:
    """Lay down the least that git takes for a repository; faster than `git init`."""
    git = os.path.join(os.fsencode(root), b".git")
    for folder in (b"objects", b"refs", b"info"):
        os.makedirs(os.path.join(git, folder), exist_ok=True)
    with open(os.path.join(git, b"HEAD"), "wb") as head:
        head.write(b"ref: refs/heads/main\n")


def git_untracked(root: Path | bytes) -> set[bytes]:
    """Ask git which files it would not ignore."""
    command = ["git", "-C", os.fsdecode(root), "ls-files", "-z", "-o", "--exclude-standard"]
    done = subprocess.run(command, capture_output=True, check=True)
    return set(done.stdout.split(b"\0")) - {b""}
