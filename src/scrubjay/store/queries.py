"""What the read path asks of the catalog; every function runs inside the caller's `reading()`."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scrubjay.store.catalog import Catalog, Value
from scrubjay.store.commit import space_names
from scrubjay.store.files import join_path
from scrubjay.types import Coverage, FileState, Stat


@dataclass(frozen=True, slots=True)
class Survey:
    """What the whole index holds; `spaces` counts the files with vectors by the space's name."""

    coverage: Coverage
    chunks: int
    spaces: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class LiveFile:
    """A published file, and the space its generation has vectors in."""

    id: int
    path: bytes
    generation: int
    space: str | None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a definition begins, and the dotted names around it."""

    name: str
    container: str
    file: int
    start: int


@dataclass(frozen=True, slots=True)
class Location:
    """Where a live chunk's file is, and its stamp."""

    root: int
    path: bytes
    stamp: Stat


def survey(catalog: Catalog) -> Survey:
    """Count what the index holds, in one pass over its files."""
    states: dict[str, int] = {}
    spaces: dict[str, int] = {}
    names = space_names(catalog)
    chunks = searchable = 0
    for state, space, count, live, held in catalog.rows(
        "SELECT state, space, count(*), count(generation), sum(chunks) FROM files GROUP BY 1, 2"
    ):
        states[state] = states.get(state, 0) + count
        if space is not None:
            spaces[names[space]] = spaces.get(names[space], 0) + live
        searchable += live
        chunks += held
    roots, complete, oldest = catalog.row(
        "SELECT count(*), count(last_complete_at), min(last_complete_at) FROM roots"
    ) or (0, 0, None)
    coverage = Coverage(
        files=sum(states.values()),
        searchable=searchable,
        with_vectors=sum(spaces.values()),
        dirty=states.get(FileState.DIRTY.value, 0),
        failed=states.get(FileState.FAILED.value, 0),
        last_complete_at=oldest if roots == complete else None,
    )
    return Survey(coverage, chunks, spaces)


def live_files(
    catalog: Catalog, *, languages: Collection[str] = (), roots: Collection[int] = ()
) -> Iterator[LiveFile]:
    """List published files, optionally of some languages (lower case) and roots only."""
    sql, values = "", list[Value]()
    if languages:
        sql += " AND lower(coalesce(f.language, 'text')) IN (SELECT value FROM json_each(?))"
        values.append(json.dumps(list(languages)))
    if roots:
        sql += " AND f.root IN (SELECT value FROM json_each(?))"
        values.append(json.dumps(list(roots)))
    for id, folder, name, generation, space in catalog.rows(
        "SELECT f.id, f.folder, f.name, f.generation, s.name"
        " FROM files f LEFT JOIN spaces s ON s.id = f.space"
        f" WHERE f.generation IS NOT NULL{sql}",
        values,
    ):
        yield LiveFile(id, join_path(folder, name), generation, space)


def files_named(catalog: Catalog, names: Collection[bytes]) -> list[LiveFile]:
    """List the published files that bear one of some names, whatever their folder."""
    held = []
    for name in names:
        held += [
            LiveFile(id, join_path(folder, name), generation, None)
            for id, folder, generation in catalog.rows(
                "SELECT id, folder, generation FROM files"
                " WHERE name = ? AND generation IS NOT NULL",
                (name,),
            )
        ]
    return held


def match_words(
    catalog: Catalog,
    terms: Sequence[str],
    weights: tuple[float, float, float],
    *,
    most: int,
    within: Collection[int] | None = None,
) -> list[tuple[int, float]]:
    """Rank chunks that hold any of the terms by BM25, best first: (chunk, score above 0).

    `weights` are those of path, symbols and body; `within` restricts matches to files, before the
    limit counts them.
    """
    condition, values = "", list[Value]()
    if within is not None:
        condition = (
            " AND EXISTS (SELECT 1 FROM chunks c WHERE c.id = words.rowid"
            " AND c.file IN (SELECT value FROM json_each(?)))"
        )
        values.append(json.dumps(sorted(within)))
    return [
        (chunk, -score)
        for chunk, score in catalog.rows(
            # ordered by SQLite, which keeps the best few; `ORDER BY rank` would sort every match
            f"SELECT rowid, bm25(words, {','.join(map(str, weights))}) AS score FROM words"
            f" WHERE words MATCH ?{condition} ORDER BY score LIMIT ?",
            (" OR ".join(f'"{term}"' for term in terms), *values, most),
        )
    ]


def known_chunks(catalog: Catalog, chunks: Collection[int]) -> set[int]:
    """Tell which of these chunks are live."""
    return {
        row[0]
        for row in catalog.rows(
            "SELECT id FROM chunks WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(chunks)),),
        )
    }


def definitions_named(catalog: Catalog, folded: Collection[str]) -> Iterator[Place]:
    """Find definitions by their names in lower case."""
    for name, container, file, start in catalog.rows(
        "SELECT name, container, file, start FROM definitions"
        " WHERE folded IN (SELECT value FROM json_each(?))",
        (json.dumps(list(folded)),),
    ):
        yield Place(name, container, file, start)


def definitions_around(catalog: Catalog, file: int, start: int, end: int) -> list[tuple[int, int]]:
    """List the spans of a file's definitions that begin before `end` and reach to it."""
    return [
        (first, last)
        for first, last in catalog.rows(
            "SELECT start, stop FROM definitions WHERE file = ? AND start < ? AND stop >= ?",
            (file, end, end),
        )
        if first < end and start < last
    ]


def chunk_at(catalog: Catalog, file: int, start: int) -> int | None:
    """Find the first chunk of a file that reaches beyond a code point."""
    chunk = catalog.one(
        "SELECT id FROM chunks WHERE file = ? AND stop > ? ORDER BY id LIMIT 1", (file, start)
    )
    return None if chunk is None else int(chunk)


def chunk_of_line(catalog: Catalog, file: int, line: int) -> int | None:
    """Find the first chunk of a file that reaches a line; the last for a line beyond the end."""
    chunk = catalog.one(
        "SELECT coalesce((SELECT min(id) FROM chunks WHERE file = ?1 AND last_line >= ?2),"
        " (SELECT max(id) FROM chunks WHERE file = ?1))",
        (file, line),
    )
    return None if chunk is None else int(chunk)


def location_of(catalog: Catalog, chunk: int) -> Location | None:
    """Tell where a live chunk's file is."""
    row = catalog.row(
        "SELECT f.root, f.folder, f.name, f.size_bytes, f.mtime_ns, f.ctime_ns, f.inode,"
        " f.observed_ns FROM chunks c JOIN files f ON f.id = c.file WHERE c.id = ?",
        (chunk,),
    )
    if row is None:
        return None
    root, folder, name, size, mtime, ctime, inode, seen = row
    return Location(root, join_path(folder, name), Stat(size, mtime, ctime, int(inode), seen))


def has_vectors(catalog: Catalog, space: str) -> bool:
    """Say whether any live generation has vectors in a space."""
    return (
        catalog.row(
            "SELECT 1 FROM files f JOIN spaces s ON s.id = f.space WHERE s.name = ? LIMIT 1",
            (space,),
        )
        is not None
    )


def count_outdated(catalog: Catalog, recipe: str) -> int:
    """Count the files that are not waiting and were made under another recipe."""
    return int(
        catalog.one(
            "SELECT count(*) FROM files WHERE state <> 'dirty' AND recipe IS NOT ?", (recipe,)
        )
    )


def count_doomed(catalog: Catalog) -> int:
    """Count the generations that wait to be swept."""
    return int(catalog.one("SELECT count(*) FROM doomed"))
