"""Who does the waiting work? Takes dirty files through prepare, embed and commit, batch by batch.

One thread commits; parser processes run ahead of it, a bounded distance. Only what
no live chunk of the space already has a vector for is embedded.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scrubjay.errors import ModelError
from scrubjay.events import FileFinished, FileStarted, Listener, WorkAdvanced
from scrubjay.index.garbage import rare_collection
from scrubjay.index.tasks import Prepared, PreparedText, Task
from scrubjay.index.windows import split_windows
from scrubjay.ports import Embedder, Engine
from scrubjay.scan.probe import stat_of
from scrubjay.sections import IndexSettings
from scrubjay.store.catalog import Catalog
from scrubjay.store.commit import Committer, FailedFile, Met, Publication, SkippedFile, space_names
from scrubjay.store.content import Content, embedded_twins
from scrubjay.store.files import count_waiting, waiting
from scrubjay.store.maintain import Stores
from scrubjay.types import SkipReason, Stat, shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TASKS_PER_PAGE = 256
UNKNOWN_STAMP = Stat(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Workshop:
    """What the work is done with: stores, tools, and whom to tell.

    `open_engine` is called when there is work, `open_embedder` when a text needs a vector. `space`
    is the id its vectors of `dimension` go to, None for words only. `is_cancelled` is asked
    before each file.
    """

    stores: Stores
    committer: Committer
    open_engine: Callable[[], Engine]
    open_embedder: Callable[[], Embedder] | None
    space: int | None
    dimension: int
    recipe: str
    settings: IndexSettings
    roots: dict[int, bytes]
    tell: Listener
    is_cancelled: Callable[[], bool]


@dataclass(slots=True)
class Tally:
    """What a run has done so far."""

    total: int = 0
    done: int = 0
    indexed: int = 0
    skipped: int = 0
    failed: int = 0
    unsettled: int = 0
    chunks: int = 0
    embedded: int = 0
    reused: int = 0
    failures: list[tuple[str, str]] = field(default_factory=list)


def work(shop: Workshop) -> Tally:
    """Do all the work that is waiting; on cancellation finish what is in flight and commit it."""
    tally = Tally(total=count_waiting(shop.stores.catalog, shop.roots, now=time.time()))
    if not tally.total:
        return tally
    feed = Catalog(shop.stores.catalog.file)
    batch = _Batch(shop, tally)
    try:
        with rare_collection():
            for prepared in shop.open_engine().map(_tasks(shop, feed)):
                batch.add(prepared)
            batch.flush()
    finally:
        feed.close()
    return tally


def _tasks(shop: Workshop, feed: Catalog) -> Iterator[Task]:
    """Page through the waiting files; each is handed out once, whatever becomes of it."""
    last, now = 0, time.time()
    while page := waiting(feed, shop.roots, now=now, after=last, most=TASKS_PER_PAGE):
        for item in page:
            if shop.is_cancelled():
                return
            last = item.id
            shop.tell(FileStarted(shown(item.path)))
            yield Task(
                item.id,
                item.mark,
                item.attempts,
                item.root,
                shop.roots[item.root],
                item.path,
                item.language,
                item.shebang,
            )


class _Batch:
    """Prepared files on their way to one commit."""

    def __init__(self, shop: Workshop, tally: Tally) -> None:
        self._shop = shop
        self._tally = tally
        self._embedder: Embedder | None = None
        self._prepared: list[Prepared] = []
        self._windows = 0
        self._began = 0.0

    def add(self, prepared: Prepared) -> None:
        limits = self._shop.settings
        if not self._prepared:
            self._began = time.monotonic()
        self._prepared.append(prepared)
        if prepared.text is not None:
            self._windows += sum(chunk.windows for chunk in prepared.text.chunks)
        if (
            len(self._prepared) >= limits.batch_files
            or self._windows >= limits.batch_windows
            or time.monotonic() - self._began >= limits.batch_seconds
        ):
            self.flush()

    def flush(self) -> None:
        batch, self._prepared, self._windows = self._prepared, [], 0
        if not batch:
            return
        texts = [p for p in batch if p.text is not None and p.text.chunks]
        vectors = self._vectors(texts)
        self._shop.committer.publish(
            [self._publication(p, vectors) for p in texts],
            self._shop.space,
            [
                self._other(p)
                for p in batch
                if (p.text is None or not p.text.chunks) and not p.is_gone
            ],
        )
        gone = [p.file for p in batch if p.is_gone]
        if gone:
            self._shop.committer.retract(gone)
        for prepared in batch:
            self._count(prepared)
        tally = self._tally
        self._shop.tell(WorkAdvanced(tally.done, tally.total, tally.embedded, tally.reused))

    def _vectors(self, batch: Sequence[Prepared]) -> dict[bytes, NDArray[np.float32]]:
        """Find or make the vectors of a batch's chunk texts: text hash to rows (windows, d)."""
        shop = self._shop
        if shop.space is None or shop.open_embedder is None:
            return {}
        wanted: dict[bytes, tuple[Prepared, str]] = {}
        for prepared in batch:
            assert prepared.text is not None
            for stored in prepared.text.chunks:
                if stored.windows and stored.text_hash not in wanted:
                    span = stored.chunk.span
                    wanted[stored.text_hash] = (prepared, prepared.text.text[span.start : span.end])
        found = self._reused(shop.space, wanted.keys())
        self._tally.reused += sum(len(rows) for rows in found.values())
        missing = {key: value for key, value in wanted.items() if key not in found}
        found.update(self._embedded(missing))
        return found

    def _reused(self, space: int, hashes: Collection[bytes]) -> dict[bytes, NDArray[np.float32]]:
        stores = self._shop.stores
        twins = embedded_twins(stores.catalog, space, hashes)
        if not twins:
            return {}
        rows = stores.vectors.fetch(space_names(stores.catalog)[space], set(twins.values()))
        return {key: rows[chunk] for key, chunk in twins.items() if chunk in rows}

    def _embedded(
        self, missing: dict[bytes, tuple[Prepared, str]]
    ) -> dict[bytes, NDArray[np.float32]]:
        if not missing:
            return {}
        if self._embedder is None:
            assert self._shop.open_embedder is not None
            self._embedder = self._shop.open_embedder()
        space = self._embedder.space
        texts: list[str] = []
        slices: dict[bytes, slice] = {}
        for key, (prepared, chunk_text) in missing.items():
            windows = split_windows(chunk_text, space.window_chars, space.window_overlap)
            slices[key] = slice(len(texts), len(texts) + len(windows))
            label = shown(prepared.path)
            texts.extend(f"{label}\n{window}" for window in windows)
        rows = self._embedder.embed_texts(texts)
        if rows.shape != (len(texts), space.dimension):
            raise ModelError(
                f"{space.model} gave vectors of shape {rows.shape} for {len(texts)} texts",
                hint="`scrubjay doctor` checks the model",
            )
        self._tally.embedded += len(texts)
        return {key: rows[part] for key, part in slices.items()}

    def _publication(
        self, prepared: Prepared, vectors: dict[bytes, NDArray[np.float32]]
    ) -> Publication:
        rows = None
        text = prepared.text
        assert text is not None
        assert prepared.content_hash is not None
        if self._shop.space is not None:
            rows = _stack(text, vectors, self._shop.dimension)
        return Publication(
            met=self._met(prepared),
            content=Content(
                text.deflated,
                len(text.text),
                text.path_words,
                text.chunks,
                text.definitions,
                text.imports,
            ),
            content_hash=prepared.content_hash,
            language=text.language,
            encoding=text.encoding,
            note=text.note,
            vectors=rows,
        )

    def _other(self, prepared: Prepared) -> SkippedFile | FailedFile:
        met = self._met(prepared)
        if prepared.failure is None:
            reason = prepared.skip or SkipReason.BLANK
            return SkippedFile(met, reason, content_hash=prepared.content_hash)
        settings = self._shop.settings
        attempts = prepared.attempts + 1
        return FailedFile(
            met,
            prepared.failure,
            not_before=time.time() + settings.retry_delay_s * 2**prepared.attempts,
            final=attempts >= settings.max_attempts,
        )

    def _met(self, prepared: Prepared) -> Met:
        stamp = prepared.stamp or self._stat(prepared)
        return Met(prepared.file, prepared.mark, stamp, self._shop.recipe, prepared.settled)

    def _stat(self, prepared: Prepared) -> Stat:
        """Stamp a file whose worker died before it could say what it saw."""
        if prepared.failure is None:
            return UNKNOWN_STAMP
        root = self._shop.roots[prepared.root]
        try:
            return stat_of(os.lstat(os.path.join(root, prepared.path)), time.time_ns())
        except OSError:
            return UNKNOWN_STAMP

    def _count(self, prepared: Prepared) -> None:
        tally, path = self._tally, shown(prepared.path)
        tally.done += 1
        chunks = len(prepared.text.chunks) if prepared.text is not None else 0
        if prepared.failure is not None:
            tally.failed += 1
            tally.failures.append((path, prepared.failure))
        elif chunks:
            tally.indexed += 1
            tally.chunks += chunks
        elif not prepared.is_gone:
            tally.skipped += 1
        if not prepared.settled:
            tally.unsettled += 1
        self._shop.tell(FileFinished(path, chunks, prepared.failure))


def _stack(
    text: PreparedText, vectors: dict[bytes, NDArray[np.float32]], dimension: int
) -> NDArray[np.float32]:
    """Lay the rows of a file's windows out in chunk order, shape (windows, dimension)."""
    import numpy as np

    rows = [vectors[stored.text_hash] for stored in text.chunks if stored.windows]
    return np.concatenate(rows) if rows else np.empty((0, dimension), np.float32)
