from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from pathlib import Path

import pytest

from scrubjay.scan import probe
from scrubjay.scan.probe import (
    CLOCK_SKEW_NS,
    COARSE_CLOCK_NS,
    FINE_CLOCK_NS,
    Content,
    Unread,
    hash_file,
    is_unchanged,
    judge_size,
    read_file,
    read_first_line,
    read_plain,
)
from scrubjay.types import SkipReason, Stat

NOW = 1_700_000_000_123_456_789
QUIET = Stat(10, NOW - 10**12, NOW - 10**12, 7, NOW)


@pytest.fixture
def root(tmp_path: Path) -> bytes:
    return os.fsencode(tmp_path)


def test_equal_stat_of_a_quiet_file_is_unchanged() -> None:
    assert is_unchanged(QUIET, replace(QUIET, observed_ns=NOW + 5))


@pytest.mark.parametrize("field", ["size_bytes", "mtime_ns", "ctime_ns", "inode"])
@pytest.mark.parametrize("step", [-1, 1])
def test_any_difference_in_any_direction_is_a_change(field: str, step: int) -> None:
    assert not is_unchanged(QUIET, replace(QUIET, **{field: getattr(QUIET, field) + step}))


@pytest.mark.parametrize(
    ("age_ns", "unchanged"),
    [(0, False), (FINE_CLOCK_NS - 1, False), (FINE_CLOCK_NS + 1, True), (-1_000_000, False)],
)
def test_stamp_taken_within_a_tick_of_the_change_proves_nothing(
    age_ns: int, unchanged: bool
) -> None:
    stamp = replace(QUIET, ctime_ns=NOW - age_ns)
    assert is_unchanged(stamp, stamp) is unchanged


def test_whole_seconds_ask_for_a_longer_wait() -> None:
    second = NOW // 10**9 * 10**9
    young = Stat(10, second, 0, 0, second + COARSE_CLOCK_NS)
    assert not is_unchanged(young, young)
    old = replace(young, observed_ns=second + COARSE_CLOCK_NS + 1)
    assert is_unchanged(old, old)


def test_mtime_in_the_future_is_believed_after_one_read() -> None:
    known = replace(QUIET, mtime_ns=NOW + 10**15)
    assert is_unchanged(known, known)
    without_ctime = replace(known, ctime_ns=0)
    assert is_unchanged(without_ctime, without_ctime)
    skewed = replace(without_ctime, mtime_ns=NOW + CLOCK_SKEW_NS - 1)
    assert not is_unchanged(skewed, skewed)


@pytest.mark.parametrize(
    ("size", "reason"), [(0, SkipReason.EMPTY), (1, None), (9, None), (10, SkipReason.TOO_LARGE)]
)
def test_size_decides_before_any_read(size: int, reason: SkipReason | None) -> None:
    assert judge_size(size, 9) is reason


def test_read_gives_bytes_hash_and_stat_of_one_read(root: bytes, tmp_path: Path) -> None:
    data = b"line\r\n" * 100_000
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "a.py").write_bytes(data)
    content = read_file(root, b"d/a.py", len(data))
    assert isinstance(content, Content)
    assert content.data == data
    assert content.sha256 == hashlib.sha256(data).digest()
    assert content.stat.size_bytes == len(data)
    assert content.stat.inode == os.stat(tmp_path / "d" / "a.py").st_ino
    assert not content.moved
    hashed = hash_file(root, b"d/a.py")
    assert isinstance(hashed, Content)
    assert (hashed.sha256, hashed.data) == (content.sha256, b"")


def test_file_over_the_limit_is_not_read(root: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"x" * 11)
    unread = read_file(root, b"a.py", 10)
    assert isinstance(unread, Unread)
    assert unread.reason is SkipReason.TOO_LARGE
    assert unread.stat is not None
    assert unread.stat.size_bytes == 11


@pytest.mark.parametrize(("size", "limit"), [(20, 100), (200, 100)])
def test_file_that_grows_while_it_is_read_is_moved_or_too_large(
    root: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, limit: int
) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"x")
    fstat = os.fstat

    def grow(descriptor: int) -> os.stat_result:
        before = fstat(descriptor)
        path.write_bytes(b"y" * size)
        return before

    monkeypatch.setattr(os, "fstat", grow)
    read = read_file(root, b"a.py", limit)
    if size > limit:
        assert isinstance(read, Unread)
        assert read.reason is SkipReason.TOO_LARGE
    else:
        assert isinstance(read, Content)
        assert read.moved
        assert read.data == b"y" * size


def test_missing_file_is_gone_not_skipped(root: bytes) -> None:
    for path in (b"none.py", b"no/folder.py"):
        unread = read_file(root, path, 10)
        assert isinstance(unread, Unread)
        assert unread.reason is None


def test_link_and_linked_folder_are_refused(root: bytes, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (outside / "secret.py").write_text("secret")
    os.symlink(outside / "secret.py", tmp_path / "a.py")
    os.symlink(outside, tmp_path / "d")
    for path in (b"a.py", b"d/secret.py"):
        assert isinstance(read_file(root, path, 100), Unread)
        assert isinstance(hash_file(root, path), Unread)
        assert read_first_line(root, path) is None


def test_refusals_hold_without_descent_by_descriptor(
    root: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probe, "_CAN_DESCEND", False)
    test_link_and_linked_folder_are_refused(root, tmp_path)
    (tmp_path / "plain.py").write_text("x")
    assert isinstance(read_file(root, b"plain.py", 100), Content)


def test_root_may_itself_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.py").write_text("x")
    os.symlink("real", tmp_path / "link")
    assert isinstance(read_file(os.fsencode(tmp_path / "link"), b"a.py", 100), Content)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_fifo_does_not_block(root: bytes, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    unread = read_file(root, b"pipe.py", 100)
    assert isinstance(unread, Unread)
    assert unread.reason is SkipReason.SPECIAL
    assert read_first_line(root, b"pipe.py") is None
    assert read_plain(root + b"/pipe.py", 100) is None


def test_folder_in_place_of_a_file_is_special(root: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.py").mkdir()
    unread = read_file(root, b"a.py", 100)
    assert isinstance(unread, Unread)
    assert unread.reason in (SkipReason.SPECIAL, SkipReason.UNREADABLE)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_unreadable_file_says_why(root: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x")
    (tmp_path / "a.py").chmod(0)
    unread = read_file(root, b"a.py", 100)
    assert isinstance(unread, Unread)
    assert unread.reason is SkipReason.UNREADABLE
    assert unread.message


def test_first_line_is_all_that_is_read(root: bytes, tmp_path: Path) -> None:
    (tmp_path / "run").write_bytes(b"#!/bin/sh\necho\n")
    assert read_first_line(root, b"run") == b"#!/bin/sh"


def test_plain_read_follows_links_only_if_asked(root: bytes, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"rules")
    os.symlink("a", tmp_path / "l")
    assert read_plain(root + b"/a", 5) == b"rules"
    assert read_plain(root + b"/a", 4) is None
    assert read_plain(root + b"/l", 5) is None
    assert read_plain(root + b"/l", 5, follow=True) == b"rules"
