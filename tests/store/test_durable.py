"""Flushing: what is new, once, files before the folders that name them."""

from __future__ import annotations

import os
import sys

import pytest

from scrubjay.store.durable import Flushed, flush_file, write_small


@pytest.fixture
def flushes(monkeypatch):
    """Names of what is flushed to the disk, in order."""
    names: list[str] = []

    def fsync(descriptor: int) -> None:
        names.append(os.path.basename(os.readlink(f"/proc/self/fd/{descriptor}")))

    monkeypatch.setattr(os, "fsync", fsync)
    return names


needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@needs_proc
def test_flush_pushes_what_is_new_once(tmp_path, flushes):
    tree = tmp_path / "tree"
    (tree / "data").mkdir(parents=True)
    (tree / "data" / "a").write_text("a")
    flushed = Flushed()
    flushed.flush(tree)
    assert flushes == ["a", "data", "tree", tmp_path.name]
    flushes.clear()
    flushed.flush(tree)
    assert flushes == []
    (tree / "data" / "b").write_text("b")
    flushed.flush(tree)
    assert flushes == ["b", "data"]


@needs_proc
def test_flush_leaves_hints_to_the_system(tmp_path, flushes):
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "hint.json").write_text("1")
    Flushed().flush(tmp_path / "tree")
    assert flushes == ["tree", tmp_path.name]


@needs_proc
def test_small_file_is_flushed_before_it_gets_its_name(tmp_path, flushes):
    write_small(tmp_path / "id", "x")
    assert flushes == ["id.new", tmp_path.name]
    assert [path.name for path in tmp_path.iterdir()] == ["id"]


def test_flush_of_a_missing_file_is_nothing(tmp_path):
    flush_file(str(tmp_path / "none"))
