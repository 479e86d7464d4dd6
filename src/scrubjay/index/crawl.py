"""What changed on disk since we last looked? Compares, marks, and reads only what it must.

Only a readable listing of a folder may remove what was known in it. Everything is repeatable: a
crawl that stops half-way has marked some files and forgotten none.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from scrubjay.errors import Cancelled, MassRemoval, RootOffline
from scrubjay.events import CrawlAdvanced, CrawlFinished, CrawlStarted, Listener
from scrubjay.scan.probe import Content, hash_file, is_unchanged
from scrubjay.store import files
from scrubjay.store.catalog import Catalog
from scrubjay.store.files import Known, Root
from scrubjay.types import Entry, FileState, Listing, SkipReason, Stat, shown

ROWS_PER_TRANSACTION = 2_000
ENTRIES_PER_EVENT = 500


@dataclass(frozen=True, slots=True)
class CrawlRequest:
    """A crawl of one root: what files should be made with, and how careful to be.

    `removal_guard_files`: from this many known files on, losing more than half needs `force`.
    """

    root: Root
    recipe: str
    removal_guard_files: int
    force: bool
    tell: Listener
    is_cancelled: Callable[[], bool]


@dataclass(slots=True)
class CrawlOutcome:
    """What a crawl saw and did; `walked` counts every entry, folders left out as one.

    `gone` holds the ids of files that are no longer there. They are forgotten only after the work,
    so that a file found under a new name takes its vectors along.
    """

    walked: int = 0
    unchanged: int = 0
    restamped: int = 0
    marked: int = 0
    gone: list[int] = field(default_factory=list)
    reasons: Counter[SkipReason] = field(default_factory=Counter)
    problems: list[tuple[bytes, str]] = field(default_factory=list)


def crawl(catalog: Catalog, listings: Iterable[Listing], request: CrawlRequest) -> CrawlOutcome:
    """Compare a walk of a root with what is known of it, mark what differs, name what is gone.

    Raises RootOffline when the root cannot be trusted, MassRemoval when too much seems gone, and
    Cancelled; marks made until then stay.
    """
    require_online(catalog, request.root, force=request.force)
    request.tell(CrawlStarted(shown(request.root.path)))
    pass_ = _Pass(catalog, request)
    for listing in listings:
        if request.is_cancelled():
            raise Cancelled("stopped while looking for changes")
        pass_.compare(listing)
    outcome = pass_.outcome
    outcome.gone = pass_.finish()
    _require_plausible(catalog, request, len(outcome.gone))
    with catalog.writing():
        counts = {reason.value: count for reason, count in outcome.reasons.items()}
        files.note_walk(
            catalog, request.root.id, {"walked": outcome.walked, **counts}, outcome.problems
        )
        files.note_device(catalog, request.root.id, os.stat(request.root.path).st_dev)
    request.tell(
        CrawlFinished(
            shown(request.root.path),
            outcome.walked,
            outcome.unchanged,
            outcome.marked,
            len(outcome.gone),
        )
    )
    return outcome


def require_online(catalog: Catalog, root: Root, *, force: bool = False) -> None:
    """Make sure a root is there; raises RootOffline when missing, or empty where it was full."""
    try:
        with os.scandir(root.path) as entries:
            is_empty = next(entries, None) is None
    except OSError as error:
        raise RootOffline(
            f"{shown(root.path)} cannot be read: {error.strerror or error}",
            hint="its index is kept; connect the drive or correct the path",
        ) from error
    if is_empty and not force and files.count_files(catalog, root.id):
        raise RootOffline(
            f"{shown(root.path)} is empty, and was not before",
            hint="its index is kept; if it really is empty, run with --force",
        )


def _require_plausible(catalog: Catalog, request: CrawlRequest, gone: int) -> None:
    root = request.root
    known = files.count_files(catalog, root.id)
    if request.force or gone * 2 <= known:
        return
    if os.stat(root.path).st_dev != root.device:
        raise RootOffline(
            f"{shown(root.path)} is on another file system than before,"
            f" and {gone} of {known} files are missing",
            hint="its index is kept; if this is the right folder, run with --force",
        )
    if known >= request.removal_guard_files:
        raise MassRemoval(
            f"{gone} of {known} files of {shown(root.path)} seem to be gone",
            hint="nothing was removed; if that is right, run with --force",
        )


class _Pass:
    """One comparison of a walk with the catalog."""

    def __init__(self, catalog: Catalog, request: CrawlRequest) -> None:
        self.outcome = CrawlOutcome()
        self._catalog = catalog
        self._request = request
        self._root = request.root.id
        self._folders_left = set(files.known_folders(catalog, self._root))
        self._unreadable: list[bytes] = []
        self._gone: list[int] = []
        self._new: list[Entry] = []
        self._dirty: list[int] = []
        self._reclassified: list[tuple[int, Entry]] = []
        self._stamps: list[tuple[int, Stat]] = []
        self._told = 0

    def compare(self, listing: Listing) -> None:
        outcome = self.outcome
        outcome.walked += len(listing.entries) + len(listing.skips)
        outcome.reasons.update(skip.reason for skip in listing.skips)
        if listing.problem is not None:
            outcome.problems.append((listing.folder, listing.problem))
            self._unreadable.append(listing.folder)
        known: dict[bytes, Known] = {}
        if listing.folder in self._folders_left:
            known = {k.name: k for k in files.known_in(self._catalog, self._root, listing.folder)}
        if listing.problem is None:
            self._folders_left.discard(listing.folder)
        prefix = len(listing.folder) + 1 if listing.folder else 0
        for entry in listing.entries:
            self._compare_file(known.pop(entry.path[prefix:], None), entry)
        if listing.problem is None:
            self._gone.extend(k.id for k in known.values())
        if len(self._new) + len(self._dirty) + len(self._stamps) >= ROWS_PER_TRANSACTION:
            self._write()
        if outcome.walked - self._told >= ENTRIES_PER_EVENT:
            self._told = outcome.walked
            self._request.tell(CrawlAdvanced(shown(self._request.root.path), outcome.walked))

    def _compare_file(self, known: Known | None, entry: Entry) -> None:
        if known is None:
            self._new.append(entry)
            return
        if known.state is FileState.DIRTY and not known.attempts:
            self.outcome.marked += 1
            return
        if known.language != entry.language and not entry.shebang:
            self._reclassified.append((known.id, entry))
            self._dirty.append(known.id)
            return
        if known.recipe != self._request.recipe and known.state is not FileState.DIRTY:
            self._dirty.append(known.id)
        elif is_unchanged(known.stamp, entry.stat):
            self.outcome.unchanged += 1
        elif known.state is FileState.DIRTY or known.state is FileState.FAILED:
            self._dirty.append(known.id)  # it changed: what it failed at is forgiven
        elif (stamp := self._same_content(known, entry)) is not None:
            self._stamps.append((known.id, stamp))
        else:
            self._dirty.append(known.id)

    def _same_content(self, known: Known, entry: Entry) -> Stat | None:
        """Read a file whose times moved but not its size; its new stamp if its bytes did not."""
        if known.content_hash is None or known.stamp.size_bytes != entry.stat.size_bytes:
            return None
        read = hash_file(self._request.root.path, entry.path)
        if isinstance(read, Content) and not read.moved and read.sha256 == known.content_hash:
            return read.stat
        return None

    def finish(self) -> list[int]:
        """Write what is pending; returns the ids of files that are gone."""
        self._write()
        for folder in sorted(self._folders_left):
            if not any(_is_below(folder, unreadable) for unreadable in self._unreadable):
                self._gone.extend(k.id for k in files.known_in(self._catalog, self._root, folder))
        return self._gone

    def _write(self) -> None:
        if not (self._new or self._dirty or self._stamps):
            return
        with self._catalog.writing():
            if self._new:
                files.add_files(self._catalog, self._root, self._new)
            files.reclassify(self._catalog, self._reclassified)
            if self._dirty:
                files.mark_files(self._catalog, self._dirty)
            files.restamp(self._catalog, self._stamps)
        self.outcome.marked += len(self._new) + len(self._dirty)
        self.outcome.restamped += len(self._stamps)
        self._new, self._dirty, self._reclassified, self._stamps = [], [], [], []


def _is_below(folder: bytes, ancestor: bytes) -> bool:
    return not ancestor or folder == ancestor or folder.startswith(ancestor + b"/")
