"""What is in this file right now, and has it changed? Reads bytes and stats; decodes nothing.

No read blocks on a FIFO, follows a link or leaves the root, even when the tree changes under it.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import time
from dataclasses import dataclass

from scrubjay.types import SkipReason, Stat

FINE_CLOCK_NS = 20_000_000
"""How far a file's times may lag behind the clock where they have fractions of a second: kernels
stamp files with the last timer tick (1-16 ms)."""

COARSE_CLOCK_NS = 2_000_000_000
"""The same where every time is a whole number of seconds: FAT counts in steps of two."""

CLOCK_SKEW_NS = 60_000_000_000
"""Times further ahead of the clock were set on purpose: a write now would not repeat them."""

_IS_WINDOWS = os.name == "nt"
_BLOCK_BYTES = 1 << 20
_NS_PER_S = 1_000_000_000
_OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOINHERIT", 0)
)
_FOLDER_FLAGS = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_CAN_DESCEND = (
    os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW") and hasattr(os, "O_DIRECTORY")
)


@dataclass(frozen=True, slots=True)
class Content:
    """A file's bytes and their SHA-256, of one read; `moved` says that the file changed meanwhile.

    `data` is empty where only the hash was asked for.
    """

    data: bytes
    sha256: bytes
    stat: Stat
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Unread:
    """Why a file gave no content; `reason` is None where the file is gone."""

    reason: SkipReason | None
    message: str
    stat: Stat | None = None


def is_unchanged(stamp: Stat, now: Stat) -> bool:
    """Say whether a file need not be opened: stats are equal and could not hide a later write.

    git's racy rule: a file written again within one tick of its clock keeps its times, so equality
    proves nothing while the last change lies less than a tick before the observation. Where the
    change time is known it is the one compared, since programs cannot set it; so an mtime in the
    future is read once and then believed.
    """
    if (
        stamp.size_bytes != now.size_bytes
        or stamp.mtime_ns != now.mtime_ns
        or stamp.ctime_ns != now.ctime_ns
        or stamp.inode != now.inode
    ):
        return False
    changed_ns = stamp.ctime_ns or stamp.mtime_ns
    tick = FINE_CLOCK_NS if changed_ns % _NS_PER_S else COARSE_CLOCK_NS
    return not stamp.observed_ns - tick <= changed_ns <= stamp.observed_ns + CLOCK_SKEW_NS


def judge_size(size_bytes: int, max_bytes: int) -> SkipReason | None:
    """Say what a size alone decides, before any read."""
    if size_bytes == 0:
        return SkipReason.EMPTY
    return SkipReason.TOO_LARGE if size_bytes > max_bytes else None


def stat_of(result: os.stat_result, observed_ns: int) -> Stat:
    """Keep what matters of a stat result.

    On Windows `st_ctime` is the time of creation and listings carry no inode: both are unknown.
    """
    if _IS_WINDOWS:
        return Stat(result.st_size, result.st_mtime_ns, 0, 0, observed_ns)
    return Stat(result.st_size, result.st_mtime_ns, result.st_ctime_ns, result.st_ino, observed_ns)


def read_file(root: bytes, path: bytes, max_bytes: int) -> Content | Unread:
    """Read a regular file whole, at most `max_bytes`, and hash those very bytes.

    `root` is an absolute path, `path` relative to it with `/`. Never raises OSError.
    """
    return _probe(root, path, max_bytes, keep=True)


def hash_file(root: bytes, path: bytes) -> Content | Unread:
    """Hash a regular file of any size, block by block; `data` of the result is empty."""
    return _probe(root, path, None, keep=False)


def read_first_line(root: bytes, path: bytes, max_bytes: int = 512) -> bytes | None:
    """Read the first line of a regular file, for its `#!`; None where it cannot be read."""
    try:
        descriptor = _open(root, path)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        return os.read(descriptor, max_bytes).split(b"\n", 1)[0]
    except OSError:
        return None
    finally:
        os.close(descriptor)


def read_plain(path: bytes, max_bytes: int, *, follow: bool = False) -> bytes | None:
    """Read a regular file such as an ignore file; None where it is missing, a link, or larger."""
    flags = _OPEN_FLAGS & ~getattr(os, "O_NOFOLLOW", 0) if follow else _OPEN_FLAGS
    try:
        if not follow and not hasattr(os, "O_NOFOLLOW") and os.path.islink(path):
            return None
        descriptor = os.open(path, flags)
    except (OSError, ValueError):
        return None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > max_bytes:
            return None
        return _read_up_to(descriptor, max_bytes)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def _probe(root: bytes, path: bytes, max_bytes: int | None, *, keep: bool) -> Content | Unread:
    observed_ns = time.time_ns()
    try:
        descriptor = _open(root, path)
    except OSError as error:
        return _unread(error)
    try:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            return Unread(SkipReason.SPECIAL, SkipReason.SPECIAL.value)
        seen = stat_of(before, observed_ns)
        if max_bytes is not None and before.st_size > max_bytes:
            return Unread(SkipReason.TOO_LARGE, f"{before.st_size} bytes", seen)
        limit = max_bytes if keep else None
        data = _read_up_to(descriptor, limit, before.st_size) if limit is not None else b""
        if limit is not None and len(data) > limit:
            return Unread(
                SkipReason.TOO_LARGE, f"grew beyond {limit} bytes while it was read", seen
            )
        digest = hashlib.sha256(data).digest() if keep else _hash_blocks(descriptor)
        after = stat_of(os.fstat(descriptor), observed_ns)
        moved = after != seen or (keep and len(data) != before.st_size)
        return Content(data, digest, seen, moved)
    except OSError as error:
        return _unread(error)
    finally:
        os.close(descriptor)


def _read_up_to(descriptor: int, max_bytes: int, expected: int = 0) -> bytes:
    """Read to the end, or one byte beyond the limit so that the caller can tell."""
    data = os.read(descriptor, min(expected, max_bytes) + 1)
    if len(data) == expected:
        return data
    blocks = [data]
    size = len(data)
    while data and size <= max_bytes:
        data = os.read(descriptor, min(_BLOCK_BYTES, max_bytes + 1 - size))
        blocks.append(data)
        size += len(data)
    return b"".join(blocks)


def _hash_blocks(descriptor: int) -> bytes:
    digest = hashlib.sha256()
    while block := os.read(descriptor, _BLOCK_BYTES):
        digest.update(block)
    return digest.digest()


def _open(root: bytes, path: bytes) -> int:
    """Open a file for reading, folder by folder from the root and none through a link."""
    if not _CAN_DESCEND:
        return _open_checked(root, path)
    *folders, name = path.split(b"/")
    parent = os.open(root or b"/", _FOLDER_FLAGS)
    try:
        for folder in folders:
            child = os.open(folder, _FOLDER_FLAGS | os.O_NOFOLLOW, dir_fd=parent)
            os.close(parent)
            parent = child
        return os.open(name, _OPEN_FLAGS, dir_fd=parent)
    finally:
        os.close(parent)


def _open_checked(root: bytes, path: bytes) -> int:
    """Open by path where descriptors cannot descend: the real path must be the one asked for."""
    real_root = os.path.realpath(root)
    wanted = os.path.join(real_root, *path.split(b"/"))
    if os.path.normcase(os.path.realpath(wanted)) != os.path.normcase(wanted):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return os.open(wanted, _OPEN_FLAGS)


def _unread(error: OSError) -> Unread:
    message = error.strerror or str(error)
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return Unread(None, message)
    if error.errno in (errno.ELOOP, errno.EMLINK):
        return Unread(SkipReason.SYMLINK, message)
    if error.errno == errno.ENAMETOOLONG:
        return Unread(SkipReason.PATH_TOO_LONG, message)
    if error.errno in (errno.ENXIO, errno.ENODEV, errno.EISDIR):
        return Unread(SkipReason.SPECIAL, message)
    return Unread(SkipReason.UNREADABLE, message)
