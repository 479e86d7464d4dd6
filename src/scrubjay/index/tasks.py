"""What goes to a worker process and what comes back: plain values that MessagePack carries."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scrubjay.sections import ChunkSettings, ScanSettings
from scrubjay.store.content import StoredChunk
from scrubjay.types import Definition, SkipReason, Span, Stat


@dataclass(frozen=True, slots=True)
class Task:
    """A file to prepare: where it is, what it is thought to be, and the mark that asked."""

    file: int
    mark: int
    attempts: int
    root: int
    root_path: bytes
    path: bytes
    language: str | None
    shebang: bool


@dataclass(frozen=True, slots=True)
class PreparedText:
    """A document cut up: its text, as it is and deflated, and the chunks to publish."""

    text: str
    deflated: bytes
    language: str | None
    encoding: str
    path_words: str
    chunks: tuple[StoredChunk, ...]
    definitions: tuple[Definition, ...]
    imports: tuple[Span, ...]
    note: str | None


@dataclass(frozen=True, slots=True)
class Prepared:
    """What became of a task: `text`, or why there is none.

    `skip` names a reason the file is left out, `failure` an error that costs an attempt, `is_gone`
    that it is no longer there. `settled` is False when the file changed while it was read.
    """

    file: int
    mark: int
    attempts: int
    root: int
    path: bytes
    stamp: Stat | None = None
    settled: bool = True
    content_hash: bytes | None = None
    text: PreparedText | None = None
    skip: SkipReason | None = None
    failure: str | None = None
    is_gone: bool = False


@dataclass(frozen=True, slots=True)
class PrepareSettings:
    """The sections of the settings that preparing needs, and how chunks are split into windows."""

    scan: ScanSettings
    chunk: ChunkSettings
    window_chars: int
    window_overlap_chars: int
    words_only_languages: tuple[str, ...]
    grammar_cache: str


def failed(task: Task, why: str) -> Prepared:
    """Say that a task came to nothing, at the cost of an attempt."""
    return replace(nothing_of(task), failure=why)


def nothing_of(task: Task) -> Prepared:
    """Begin the answer to a task."""
    return Prepared(task.file, task.mark, task.attempts, task.root, task.path)
