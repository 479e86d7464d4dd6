"""Scratch folders for indexes, in memory where there is such a place: every commit flushes."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.stored import opened

MEMORY = Path("/dev/shm")


@pytest.fixture
def scratch(tmp_path) -> Iterator[Path]:
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK):
        with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
            yield Path(folder)
    else:
        yield tmp_path


@pytest.fixture
def shelf(scratch):
    with opened(scratch / "index") as shelf:
        yield shelf
