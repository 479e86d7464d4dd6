"""How does new content become true? The one commit protocol.

    publish   1  tx: new generations -> doomed                                       intent
              2  vectors.add(rows of the new generations)                            invisible
              3  tx: old content out, new in; file row -> generation; doomed moves   COMMIT
    retract   step 3 without the new half
    sweep     delete the vectors of doomed generations, then forget them

There is no rollback and no compensation: whatever stopped, the next sweep finishes.
docs/consistency.md says what a crash at each point leaves.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from scrubjay.errors import StoreError
from scrubjay.store.catalog import Catalog, Reached, pass_by
from scrubjay.store.content import Content, delete_content, insert_content
from scrubjay.store.files import mark_files, restamp
from scrubjay.store.vectors import VectorStore
from scrubjay.store.windows import GenerationRows, number_rows
from scrubjay.types import SkipReason, Space, Stat

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CRASH_POINTS = ("intended", "vectors-added", "committing", "committed", "swept-vectors", "swept")
"""Every point at which a crash leaves another state behind, in order of the protocol."""

GENERATIONS_PER_SWEEP = 2_000


@dataclass(frozen=True, slots=True)
class Met:
    """The request that an outcome answers: a file, its mark when work began, what was looked at.

    `settled` is False when the file moved while it was read: it is published and stays dirty.
    """

    file: int
    mark: int
    stamp: Stat
    recipe: str
    settled: bool = True


@dataclass(frozen=True, slots=True)
class Publication:
    """A file's new content; `vectors` (windows, d) in chunk order, None for words only."""

    met: Met
    content: Content
    content_hash: bytes
    language: str | None
    encoding: str
    note: str | None = None
    vectors: NDArray[np.float32] | None = None


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file that was looked at and holds nothing for us; what it held before goes."""

    met: Met
    reason: SkipReason
    message: str | None = None
    content_hash: bytes | None = None


@dataclass(frozen=True, slots=True)
class FailedFile:
    """A file that could not be worked on; what it held before stays. `final` ends the attempts."""

    met: Met
    message: str
    not_before: float
    final: bool


@dataclass(frozen=True, slots=True)
class _Numbered:
    publication: Publication
    generation: int
    first_chunk: int


def space_name(space: Space) -> str:
    """Name a space after its model and a hash of all that shapes its vectors; a legal file name."""
    model = "".join(c if c.isalnum() or c in "-_." else "-" for c in space.model)
    identity = hashlib.sha256(repr(sorted(asdict(space).items())).encode()).hexdigest()
    return f"{model}-{identity[:12]}"


def open_space(catalog: Catalog, space: Space) -> int:
    """Register a space and return its id."""
    name = space_name(space)
    known = catalog.one("SELECT id FROM spaces WHERE name = ?", (name,))
    if known is not None:
        return int(known)
    with catalog.writing():
        catalog.run(
            "INSERT INTO spaces(name, dimension, description) VALUES (?, ?, ?)",
            (name, space.dimension, f"{space.provider}/{space.model}"),
        )
        return int(catalog.one("SELECT last_insert_rowid()"))


def space_names(catalog: Catalog) -> dict[int, str]:
    """List the known spaces by id."""
    return dict(catalog.rows("SELECT id, name FROM spaces"))


class Committer:
    """Publishes and retracts; the caller holds the writer's lock."""

    def __init__(self, catalog: Catalog, vectors: VectorStore, reached: Reached = pass_by) -> None:
        """Work on two stores; `reached` is told each point that is passed."""
        self._catalog = catalog
        self._vectors = vectors
        self._reached = reached

    def publish(
        self,
        publications: Sequence[Publication],
        space: int | None,
        others: Sequence[SkippedFile | FailedFile] = (),
    ) -> None:
        """Make new content true, all of it in one commit; vectors go to `space`.

        `others` ride along in the same commit: files that turned out to hold nothing, or failed. Of
        several outcomes of one file the last counts.
        """
        last = {outcome.met.file: outcome for outcome in (*publications, *others)}
        outcomes = list(last.values())
        numbered = self._intend([o for o in outcomes if isinstance(o, Publication)], space)
        self._add_vectors(numbered, space)
        with self._catalog.writing():
            for item in numbered:
                self._swap(item, space)
            for other in outcomes:
                if not isinstance(other, Publication):
                    self._settle(other)
            self._reached("committing")
        self._reached("committed")

    def retract(self, files: Sequence[int]) -> None:
        """Forget files and all they hold, in one commit."""
        with self._catalog.writing():
            for file in files:
                self._drop_current(file)
                self._catalog.run("DELETE FROM files WHERE id = ?", (file,))
            self._reached("committing")
        self._reached("committed")

    def _intend(self, publications: Sequence[Publication], space: int | None) -> list[_Numbered]:
        if not publications:
            return []
        self._require_fitting(publications, space)
        with self._catalog.writing():
            generation = self._catalog.take_ids("next_generation", len(publications))
            chunk = self._catalog.take_ids(
                "next_chunk", sum(len(p.content.chunks) for p in publications)
            )
            numbered = []
            for i, publication in enumerate(publications):
                numbered.append(_Numbered(publication, generation + i, chunk))
                chunk += len(publication.content.chunks)
            if space is not None:
                self._catalog.run_many(
                    "INSERT INTO doomed VALUES (?, ?)",
                    ((n.generation, space) for n in numbered if n.publication.vectors is not None),
                )
        self._reached("intended")
        return numbered

    def _require_fitting(self, publications: Sequence[Publication], space: int | None) -> None:
        """Refuse vectors of another number or length than promised: they would break I1."""
        if space is None:
            return
        dimension = self._catalog.one("SELECT dimension FROM spaces WHERE id = ?", (space,))
        for p in publications:
            expected = (sum(chunk.windows for chunk in p.content.chunks), dimension)
            if p.vectors is not None and p.vectors.shape != expected:
                raise StoreError(
                    f"file {p.met.file} has vectors of shape {p.vectors.shape}, not {expected}",
                    hint="`scrubjay verify` checks the index, `scrubjay doctor` the model",
                )

    def _add_vectors(self, numbered: Sequence[_Numbered], space: int | None) -> None:
        rows = [
            GenerationRows(
                n.generation,
                n.first_chunk,
                [chunk.windows for chunk in n.publication.content.chunks],
                n.publication.vectors,
            )
            for n in numbered
            if n.publication.vectors is not None
        ]
        if rows and space is not None:
            self._vectors.add(space_names(self._catalog)[space], number_rows(rows))
            self._reached("vectors-added")

    def _swap(self, item: _Numbered, space: int | None) -> None:
        p, met = item.publication, item.publication.met
        if self._is_stale(met):
            return  # forgotten meanwhile, or answered already: the new generation stays doomed
        self._drop_current(met.file)
        insert_content(self._catalog, met.file, item.generation, item.first_chunk, p.content)
        self._catalog.run("DELETE FROM doomed WHERE generation = ?", (item.generation,))
        self._catalog.run(
            "UPDATE files SET generation = ?, space = ?, content_hash = ?, recipe = ?,"
            " encoding = ?, language = ?, chunks = ?, note = ?, indexed_at = ?, reason = NULL,"
            " message = NULL WHERE id = ?",
            (
                item.generation,
                None if p.vectors is None else space,
                p.content_hash,
                met.recipe,
                p.encoding,
                p.language,
                len(p.content.chunks),
                p.note,
                time.time(),
                met.file,
            ),
        )
        self._clear(met, "clean")

    def _settle(self, other: SkippedFile | FailedFile) -> None:
        met = other.met
        if self._is_stale(met):
            return
        if isinstance(other, FailedFile):
            self._fail(other)
            return
        self._drop_current(met.file)
        self._catalog.run(
            "UPDATE files SET generation = NULL, space = NULL, chunks = 0, content_hash = ?,"
            " recipe = ?, encoding = NULL, note = NULL, reason = ?, message = ? WHERE id = ?",
            (other.content_hash, met.recipe, other.reason.value, other.message, met.file),
        )
        self._clear(met, "skipped")

    def _fail(self, failed: FailedFile) -> None:
        """Count an attempt, unless work was asked for anew meanwhile."""
        met = failed.met
        counted = self._catalog.run(
            "UPDATE files SET attempts = attempts + 1, message = ?, not_before = ?,"
            " reason = NULL WHERE id = ? AND mark = ?",
            (failed.message, failed.not_before, met.file, met.mark),
        )
        if counted and failed.final:
            self._catalog.run("UPDATE files SET recipe = ? WHERE id = ?", (met.recipe, met.file))
            self._clear(met, "failed")
        else:
            self._stamp(met)

    def _is_stale(self, met: Met) -> bool:
        """Say whether nobody waits for an outcome: its file is forgotten, or its mark was met."""
        mark = self._catalog.one("SELECT mark FROM files WHERE id = ?", (met.file,))
        return mark is None or (mark == 0 and met.mark != 0)

    def _clear(self, met: Met, state: str) -> None:
        """Stamp a file, and clear its mark if that is still the newest (I7)."""
        self._stamp(met)
        if met.settled:
            attempts = "" if state == "failed" else ", attempts = 0, not_before = 0"
            self._catalog.run(
                f"UPDATE files SET state = ?, mark = 0, priority = 0{attempts}"
                " WHERE id = ? AND mark = ?",
                (state, met.file, met.mark),
            )
        elif met.mark == 0:
            mark_files(self._catalog, [met.file])

    def _stamp(self, met: Met) -> None:
        restamp(self._catalog, [(met.file, met.stamp)])

    def _drop_current(self, file: int) -> None:
        """Remove what a file holds, if it holds anything, and doom its vectors."""
        row = self._catalog.row("SELECT generation, space FROM files WHERE id = ?", (file,))
        if row is None or row[0] is None:
            return
        if row[1] is not None:
            self._catalog.run("INSERT OR IGNORE INTO doomed VALUES (?, ?)", row)
        delete_content(self._catalog, file)

    def sweep(self, *, budget_s: float) -> int:
        """Delete the vectors of doomed generations until done or the budget is spent.

        Returns how many generations went.
        """
        deadline, swept = time.monotonic() + budget_s, 0
        names = space_names(self._catalog)
        while True:
            doomed = list(
                self._catalog.rows(
                    "SELECT generation, space FROM doomed ORDER BY generation LIMIT ?",
                    (GENERATIONS_PER_SWEEP,),
                )
            )
            for space in sorted({space for _, space in doomed}):
                generations = [g for g, s in doomed if s == space]
                if space in names:
                    self._vectors.delete(names[space], generations)
                self._reached("swept-vectors")
                with self._catalog.writing():
                    self._catalog.run_many(
                        "DELETE FROM doomed WHERE generation = ?", ((g,) for g in generations)
                    )
                self._reached("swept")
                swept += len(generations)
            if len(doomed) < GENERATIONS_PER_SWEEP or time.monotonic() >= deadline:
                return swept
