"""Trees to measure on: fetched once, copied fresh for each run, and changed as an editor would."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

CACHE = Path(__file__).parents[1] / ".cache"
DJANGO = "5.2.19"


def fetch_django() -> Path:
    """Unpack Django's source distribution below the cache, once."""
    folder = CACHE / f"django-{DJANGO}"
    if not folder.is_dir():
        CACHE.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-binary", ":all:"]
            + ["--no-deps", "--dest", str(CACHE), f"django=={DJANGO}"],
            check=True,
        )
        with tarfile.open(next(CACHE.glob(f"[dD]jango-{DJANGO}.tar.gz"))) as archive:
            archive.extractall(CACHE, filter="data")
        found = next(p for p in CACHE.glob(f"[dD]jango-{DJANGO}") if p.is_dir())
        found.rename(folder)
    return folder


def copy_tree(corpus: Path, target: Path) -> Path:
    """Copy a corpus to a folder of its own, times kept."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(corpus, target, symlinks=True)
    return target


def touch_all(tree: Path) -> None:
    """Give every file a new modification time and leave the bytes alone."""
    for path in _files(tree):
        os.utime(path)


def edit_files(tree: Path, count: int) -> None:
    """Append a line to `count` Python files spread over the tree."""
    paths = [p for p in _files(tree) if p.suffix == ".py" and p.stat().st_size > 2_000]
    for path in paths[:: max(1, len(paths) // count)][:count]:
        with path.open("a", encoding="utf-8") as file:
            file.write("\nbenchmark_edit = 1\n")


def size_mb(folder: Path) -> float:
    """Add up the files below a folder, in millions of bytes."""
    return sum(p.stat().st_size for p in _files(folder)) / 1e6


def _files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*") if p.is_file() and not p.is_symlink())
