"""What is it doing? Events the write path emits, for any listener to show, log or count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CrawlStarted:
    """A root is being walked."""

    root: str


@dataclass(frozen=True, slots=True)
class CrawlAdvanced:
    """So many entries were seen so far."""

    root: str
    walked: int


@dataclass(frozen=True, slots=True)
class CrawlFinished:
    """The walk is over: what it saw, what is unchanged and what waits for work."""

    root: str
    walked: int
    unchanged: int
    dirty: int
    removed: int


@dataclass(frozen=True, slots=True)
class FileStarted:
    """A file is in flight."""

    path: str


@dataclass(frozen=True, slots=True)
class FileFinished:
    """A file was published, skipped or failed (`problem` says why)."""

    path: str
    chunks: int
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class WorkAdvanced:
    """Files done of files known to be waiting, and texts embedded so far."""

    done: int
    total: int
    embedded: int
    reused: int


@dataclass(frozen=True, slots=True)
class Warned:
    """Something the user should know that stops nothing."""

    message: str


@dataclass(frozen=True, slots=True)
class Maintained:
    """The stores were swept or compacted."""

    action: str
    seconds: float
    count: int


Event = (
    CrawlStarted
    | CrawlAdvanced
    | CrawlFinished
    | FileStarted
    | FileFinished
    | WorkAdvanced
    | Warned
    | Maintained
)
Listener = Callable[[Event], None]


def ignore(event: Event) -> None:
    """Listen to nothing."""
