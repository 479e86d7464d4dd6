"""The worker process: takes tasks from stdin, prepares each, answers on stdout.

Frames are a 4-byte little-endian length and MessagePack, decoded into known types only: what a
hostile file might do to a parser in here cannot run code out there.
"""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import IO

import msgspec

from scrubjay.chunk.syntax import use_grammar_cache
from scrubjay.index.frames import READY, read_frame, write_frame
from scrubjay.index.garbage import rare_collection
from scrubjay.index.prepare import prepare
from scrubjay.index.tasks import Prepared, PrepareSettings, Task, failed


def main() -> None:
    """Serve one parent until its end of the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C: the parent decides when to stop
    source, target = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing but frames may reach the pipe
    with rare_collection():
        _serve(source, target)


def _serve(source: IO[bytes], target: IO[bytes]) -> None:
    first = read_frame(source)
    if first is None:
        return
    settings = msgspec.msgpack.decode(first, type=PrepareSettings)
    use_grammar_cache(Path(settings.grammar_cache))
    write_frame(target, READY)
    decoder, encoder = msgspec.msgpack.Decoder(Task), msgspec.msgpack.Encoder()
    while (frame := read_frame(source)) is not None:
        task = decoder.decode(frame)
        write_frame(target, encoder.encode(_prepared(task, settings)))


def _prepared(task: Task, settings: PrepareSettings) -> Prepared:
    try:
        return prepare(task, settings)
    except Exception as error:  # a bug or a hostile file: it costs this file an attempt, no other
        return failed(task, f"{type(error).__name__}: {error}"[:500])
