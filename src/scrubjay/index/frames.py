"""Frames on a pipe: a 4-byte little-endian length, then that many bytes."""

from __future__ import annotations

import struct
from typing import IO

HEADER = struct.Struct("<I")
READY = b"ready"
"""The first frame a worker sends: it could import all it needs."""


def read_frame(source: IO[bytes]) -> bytes | None:
    """Read one frame; None at the end of the stream, also in the middle of a frame."""
    header = source.read(HEADER.size)
    if len(header) < HEADER.size:
        return None
    (length,) = HEADER.unpack(header)
    body = source.read(length)
    return body if len(body) == length else None


def write_frame(target: IO[bytes], body: bytes) -> None:
    """Write one frame and push it out."""
    target.write(HEADER.pack(len(body)) + body)
    target.flush()
