"""Does the index hold what docs/consistency.md promises? Looks at everything, changes nothing.

Each invariant has its number there, a checker here and a test of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrubjay.errors import StoreError
from scrubjay.store.catalog import Catalog
from scrubjay.store.commit import space_names
from scrubjay.store.content import inflate, text_hash
from scrubjay.store.vectors import VectorStore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INVARIANTS = ("I0", "I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8")
WINDOW_BITS = 20
"""A row's key is its chunk id and window number in one integer; no chunk has a million windows."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken invariant: its number, what was found, and what it concerns, for repairing.

    `files` are ids; `generations` are of vector rows in `space`.
    """

    invariant: str
    message: str
    files: tuple[int, ...] = ()
    space: str | None = None
    generations: tuple[int, ...] = ()


def violations(catalog: Catalog, vectors: VectorStore, *, swept: bool = False) -> list[Violation]:
    """List what breaks an invariant; `swept` adds I5, which holds only after a sweep.

    Reads everything once, with about 70 bytes of memory for each vector. The caller is the only
    writer, or what is written meanwhile looks broken.
    """
    found = [Violation("SQLite", problem) for problem in catalog.problems()]
    with catalog.reading():
        for number, name in sorted(space_names(catalog).items()):
            found += _check_space(catalog, vectors, number, name, swept=swept)
        found += _check_doomed(catalog, swept=swept)
        found += _check_words(catalog)
        found += _check_contents(catalog)
        found += _check_texts(catalog)
        found += _check_files(catalog)
    return found


def _check_space(
    catalog: Catalog, vectors: VectorStore, space: int, name: str, *, swept: bool
) -> Iterator[Violation]:
    import numpy as np

    try:
        chunks, generations, windows = vectors.rows(name)
    except StoreError as error:
        files = _numbers(catalog, "SELECT id FROM files WHERE space = ?", space)
        yield Violation("I1", error.message, tuple(files.tolist()), name)
        return
    present = (chunks << WINDOW_BITS) | windows
    unique = np.unique(present)
    if len(unique) < len(present):
        order = np.argsort(present, kind="stable")
        again = order[1:][np.diff(present[order]) == 0]
        yield Violation(
            "I0",
            f"{len(again)} vector rows of {name} are there more than once",
            _files_of(catalog, chunks[again]),
            name,
            tuple(np.unique(generations[again]).tolist()),
        )
    expected = _expected(catalog, space)
    missing = np.setdiff1d(expected, unique, assume_unique=True)
    if len(missing):
        yield Violation(
            "I1",
            f"{len(missing)} windows of live chunks have no vector in {name}",
            _files_of(catalog, missing >> WINDOW_BITS),
            name,
        )
    at = np.isin(present, np.setdiff1d(unique, expected, assume_unique=True))
    surplus = np.unique(generations[at])
    doomed = _numbers(catalog, "SELECT generation FROM doomed WHERE space = ?", space)
    unknown = np.setdiff1d(surplus, doomed)
    if len(unknown):
        yield Violation(
            "I2",
            f"vector rows of {len(unknown)} generations in {name} are neither live nor doomed",
            _files_of_generations(catalog, unknown),
            name,
            tuple(unknown.tolist()),
        )
    if swept and len(surplus) > len(unknown):
        yield Violation("I5", f"{name} still has vector rows of doomed generations", (), name)


def _expected(catalog: Catalog, space: int) -> NDArray[np.int64]:
    """List the keys of the rows that the live chunks of a space must have."""
    import numpy as np

    pairs = np.array(
        list(
            catalog.rows(
                "SELECT c.id, c.windows FROM chunks c JOIN files f ON f.id = c.file"
                " WHERE f.space = ?",
                (space,),
            )
        ),
        np.int64,
    ).reshape(-1, 2)
    chunks, counts = pairs[:, 0], pairs[:, 1]
    windows = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    return (np.repeat(chunks, counts) << WINDOW_BITS) | windows


def _numbers(catalog: Catalog, sql: str, space: int) -> NDArray[np.int64]:
    import numpy as np

    return np.fromiter((row[0] for row in catalog.rows(sql, (space,))), np.int64)


def _files_of(catalog: Catalog, chunks: NDArray[np.int64]) -> tuple[int, ...]:
    return _looked_up(catalog, "SELECT file FROM chunks WHERE id = ?", chunks)


def _files_of_generations(catalog: Catalog, generations: NDArray[np.int64]) -> tuple[int, ...]:
    return _looked_up(catalog, "SELECT id FROM files WHERE generation = ?", generations)


def _looked_up(catalog: Catalog, sql: str, keys: NDArray[np.int64]) -> tuple[int, ...]:
    found = {catalog.one(sql, (key,)) for key in set(keys.tolist())}
    return tuple(sorted(file for file in found if file is not None))


def _check_doomed(catalog: Catalog, *, swept: bool) -> Iterator[Violation]:
    for (generation,) in catalog.rows(
        "SELECT generation FROM doomed INTERSECT SELECT generation FROM files"
    ):
        yield Violation("I4", f"generation {generation} is live and doomed")
    doomed = catalog.one("SELECT count(*) FROM doomed")
    if swept and doomed:
        yield Violation("I5", f"{doomed} generations are doomed after a sweep")


def _check_words(catalog: Catalog) -> Iterator[Violation]:
    missing = sorted(
        {
            row[0]
            for row in catalog.rows(
                "SELECT file FROM chunks WHERE id NOT IN (SELECT rowid FROM words)"
            )
        }
    )
    extra = catalog.one("SELECT count(*) FROM words WHERE rowid NOT IN (SELECT id FROM chunks)")
    if missing or extra:
        yield Violation(
            "I3",
            f"full text lacks chunks of {len(missing)} files and has {extra} that are gone",
            tuple(missing),
        )


def _check_contents(catalog: Catalog) -> Iterator[Violation]:
    """Look for content without a published file, and for published files without their content."""
    for table in ("chunks", "definitions", "imports", "texts"):
        orphans = catalog.one(
            f"SELECT count(*) FROM {table} WHERE file NOT IN"
            " (SELECT id FROM files WHERE generation IS NOT NULL)"
        )
        if orphans:
            yield Violation("I3", f"{orphans} rows of {table} belong to no published file")
    for file, claimed, held in catalog.rows(
        "SELECT f.id, f.chunks, (SELECT count(*) FROM chunks c WHERE c.file = f.id) AS held"
        " FROM files f WHERE f.chunks <> held"
    ):
        yield Violation("I3", f"file {file} claims {claimed} chunks and has {held}", (file,))
    for (file,) in catalog.rows(
        "SELECT id FROM files WHERE generation IS NOT NULL AND id NOT IN (SELECT file FROM texts)"
    ):
        yield Violation("I6", f"file {file} is published without its text", (file,))


def _check_texts(catalog: Catalog) -> Iterator[Violation]:
    """Read every stored text again: every chunk must be a slice of it (I6)."""
    for file, generation, body, chars, published in catalog.rows(
        "SELECT t.file, t.generation, t.body, t.chars, f.generation"
        " FROM texts t JOIN files f ON f.id = t.file"
    ):
        text = _inflated(body)
        if text is None or generation != published or len(text) != chars:
            yield Violation(
                "I6", f"the stored text of file {file} is not that of its generation", (file,)
            )
            continue
        for start, stop, stored in catalog.rows(
            "SELECT start, stop, text_hash FROM chunks WHERE file = ?", (file,)
        ):
            if text_hash(text[start:stop]) != stored:
                yield Violation("I6", f"a chunk of file {file} is no slice of its text", (file,))
                break


def _inflated(body: bytes) -> str | None:
    try:
        return inflate(body)
    except StoreError:
        return None


def _check_files(catalog: Catalog) -> Iterator[Violation]:
    for file, state, generation, mark, content, recipe, reason, message in catalog.rows(
        "SELECT id, state, generation, mark, content_hash, recipe, reason, message FROM files"
    ):
        is_whole = generation is not None and content is not None and bool(recipe)
        if state == "clean" and not is_whole:
            yield Violation("I6", f"file {file} is clean without a whole publication", (file,))
        if (state == "dirty") != (mark > 0):
            yield Violation("I7", f"file {file} is {state} with mark {mark}", (file,))
        if (state == "skipped" and not reason) or (state == "failed" and not message):
            yield Violation("I8", f"file {file} is {state} without a reason", (file,))
        if state == "skipped" and generation is not None:
            yield Violation("I8", f"file {file} is skipped and has content", (file,))
        if state not in ("clean", "dirty", "skipped", "failed"):
            yield Violation("I8", f"file {file} is in no known state: {state}", (file,))
    for (file,) in catalog.rows("SELECT id FROM files WHERE root NOT IN (SELECT id FROM roots)"):
        yield Violation("I8", f"file {file} belongs to no root", (file,))
