"""Which files do we know, what do they wait for, and why? The rows of `files` and `roots`.

All functions take an open catalog; those that change rows run inside the caller's write
transaction, or say that they open their own.
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scrubjay.store.catalog import Catalog, Row
from scrubjay.types import Entry, FileState, RootKind, Stat


@dataclass(frozen=True, slots=True)
class Root:
    """A registered folder: its path, its file system, its last complete crawl (Unix seconds)."""

    id: int
    path: bytes
    kind: RootKind
    device: int
    last_complete_at: float | None
    counts: dict[str, int]
    problems: tuple[tuple[bytes, str], ...]


@dataclass(frozen=True, slots=True)
class Known:
    """What a crawl needs of a known file: its stamp, state and the pair it was published under."""

    id: int
    name: bytes
    stamp: Stat
    state: FileState
    recipe: str | None
    content_hash: bytes | None
    language: str | None
    attempts: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """A file that wants work: where it is, and the mark that asked for it."""

    id: int
    root: int
    path: bytes
    language: str | None
    shebang: bool
    mark: int
    attempts: int


@dataclass(frozen=True, slots=True)
class FileReport:
    """Everything the index knows of one file."""

    root: int
    path: bytes
    state: FileState
    reason: str | None
    message: str | None
    stamp: Stat
    language: str | None
    encoding: str | None
    content_hash: bytes | None
    recipe: str | None
    generation: int | None
    chunks: int
    attempts: int
    not_before: float
    note: str | None
    indexed_at: float | None


def add_root(catalog: Catalog, path: bytes, kind: RootKind, device: int) -> int:
    """Register a folder, in a transaction of its own, and return its id."""
    with catalog.writing():
        catalog.run(
            "INSERT INTO roots(path, kind, device, added_at) VALUES (?, ?, ?, ?)",
            (path, kind.value, str(device), time.time()),
        )
        return int(catalog.one("SELECT last_insert_rowid()"))


def roots(catalog: Catalog) -> list[Root]:
    """List the registered folders."""
    return [
        Root(
            id,
            path,
            RootKind(kind),
            int(device),
            complete_at,
            json.loads(counts),
            tuple((bytes.fromhex(folder), why) for folder, why in json.loads(problems)),
        )
        for id, path, kind, device, complete_at, counts, problems in catalog.rows(
            "SELECT id, path, kind, device, last_complete_at, counts, problems"
            " FROM roots ORDER BY id"
        )
    ]


def note_walk(
    catalog: Catalog, root: int, counts: Mapping[str, int], problems: Iterable[tuple[bytes, str]]
) -> None:
    """Remember what the last walk of a root counted, and which folders it could not read."""
    catalog.run(
        "UPDATE roots SET counts = ?, problems = ? WHERE id = ?",
        (
            json.dumps(dict(counts)),
            json.dumps([(folder.hex(), why) for folder, why in problems]),
            root,
        ),
    )


def note_complete(catalog: Catalog, root: int) -> None:
    """Remember that a run over a root has just come to its end."""
    catalog.run("UPDATE roots SET last_complete_at = ? WHERE id = ?", (time.time(), root))


def note_device(catalog: Catalog, root: int, device: int) -> None:
    """Remember the file system a root is on."""
    catalog.run("UPDATE roots SET device = ? WHERE id = ?", (str(device), root))


def known_in(catalog: Catalog, root: int, folder: bytes) -> list[Known]:
    """List the known files directly in a folder."""
    return [
        Known(id, name, Stat(size, mtime, ctime, int(inode), seen), FileState(state), *rest)
        for id, name, size, mtime, ctime, inode, seen, state, *rest in catalog.rows(
            "SELECT id, name, size_bytes, mtime_ns, ctime_ns, inode, observed_ns, state,"
            " recipe, content_hash, language, attempts FROM files WHERE root = ? AND folder = ?",
            (root, folder),
        )
    ]


def known_folders(catalog: Catalog, root: int) -> list[bytes]:
    """List the folders of a root in which files are known."""
    return [
        row[0] for row in catalog.rows("SELECT DISTINCT folder FROM files WHERE root = ?", (root,))
    ]


def count_files(catalog: Catalog, root: int) -> int:
    """Count the known files of a root."""
    return int(catalog.one("SELECT count(*) FROM files WHERE root = ?", (root,)))


def add_files(catalog: Catalog, root: int, entries: Sequence[Entry]) -> None:
    """Register new files, marked for work."""
    mark = catalog.take_ids("next_mark", len(entries))
    catalog.run_many(
        "INSERT INTO files(root, folder, name, kind, language, shebang, size_bytes, mtime_ns,"
        " ctime_ns, inode, observed_ns, state, mark)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 'dirty', ?)",
        (
            (
                root,
                *split_path(entry.path),
                entry.kind.value,
                entry.language,
                int(entry.shebang),
                entry.stat.size_bytes,
                entry.stat.mtime_ns,
                entry.stat.ctime_ns,
                str(entry.stat.inode),
                mark + i,
            )
            for i, entry in enumerate(entries)
        ),
    )


def mark_files(catalog: Catalog, ids: Sequence[int], *, priority: int = 0) -> None:
    """Ask for work on known files; whatever they fail at now is forgiven."""
    mark = catalog.take_ids("next_mark", len(ids))
    catalog.run_many(
        "UPDATE files SET state = 'dirty', mark = ?, attempts = 0, not_before = 0, message = NULL,"
        " priority = ? WHERE id = ?",
        ((mark + i, priority, id) for i, id in enumerate(ids)),
    )


def reclassify(catalog: Catalog, entries: Sequence[tuple[int, Entry]]) -> None:
    """Note that files are of another language than before."""
    catalog.run_many(
        "UPDATE files SET kind = ?, language = ?, shebang = ? WHERE id = ?",
        ((entry.kind.value, entry.language, int(entry.shebang), id) for id, entry in entries),
    )


def restamp(catalog: Catalog, stamps: Iterable[tuple[int, Stat]]) -> None:
    """Note that files were looked at and found unchanged."""
    catalog.run_many(
        "UPDATE files SET size_bytes = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, observed_ns = ?"
        " WHERE id = ?",
        (
            (s.size_bytes, s.mtime_ns, s.ctime_ns, str(s.inode), s.observed_ns, id)
            for id, s in stamps
        ),
    )


def waiting(
    catalog: Catalog, roots: Collection[int], *, now: float, after: int, most: int
) -> list[Waiting]:
    """List files of some roots that want work and may have it now, by id, from above `after`."""
    return [
        Waiting(id, root, join_path(folder, name), language, bool(shebang), mark, attempts)
        for id, root, folder, name, language, shebang, mark, attempts in catalog.rows(
            "SELECT id, root, folder, name, language, shebang, mark, attempts FROM files"
            f" WHERE {_WAITING} AND id > ? ORDER BY id LIMIT ?",
            (now, json.dumps(list(roots)), after, most),
        )
    ]


def count_waiting(catalog: Catalog, roots: Collection[int], *, now: float) -> int:
    """Count the files of some roots that want work and may have it now."""
    values = (now, json.dumps(list(roots)))
    return int(catalog.one(f"SELECT count(*) FROM files WHERE {_WAITING}", values))


_WAITING = "state = 'dirty' AND not_before <= ? AND root IN (SELECT value FROM json_each(?))"


def retry_failed(catalog: Catalog, ids: Sequence[int] | None = None) -> int:
    """Mark failed and retried files again, in a transaction of its own; returns how many."""
    with catalog.writing():
        if ids is None:
            ids = [row[0] for row in catalog.rows(f"SELECT id FROM files WHERE {_FAILING}")]
        mark_files(catalog, ids)
    return len(ids)


def find_file(catalog: Catalog, root: int, path: bytes) -> FileReport | None:
    """Report everything known of one file."""
    return next(
        iter(_reports(catalog, "root = ? AND folder = ? AND name = ?", (root, *split_path(path)))),
        None,
    )


def failures(catalog: Catalog) -> Iterator[FileReport]:
    """Report the files that failed or wait for another attempt."""
    return _reports(catalog, _FAILING, ())


_FAILING = "(state = 'failed' OR (state = 'dirty' AND attempts > 0))"


def skipped(catalog: Catalog) -> Iterator[FileReport]:
    """Report the files that were looked at and left out."""
    return _reports(catalog, "state = 'skipped'", ())


def _reports(catalog: Catalog, where: str, values: Sequence[int | bytes]) -> Iterator[FileReport]:
    for row in catalog.rows(
        "SELECT root, folder, name, state, reason, message, size_bytes, mtime_ns, ctime_ns, inode,"
        " observed_ns, language, encoding, content_hash, recipe, generation, chunks, attempts,"
        " not_before, note, indexed_at"
        f" FROM files WHERE {where} ORDER BY root, folder, name",
        values,
    ):
        yield _report(row)


def _report(row: Row) -> FileReport:
    root, folder, name, state, reason, message, size, mtime, ctime, inode, seen, *rest = row
    return FileReport(
        root,
        join_path(folder, name),
        FileState(state),
        reason,
        message,
        Stat(size, mtime, ctime, int(inode), seen),
        *rest,
    )


@dataclass(frozen=True, slots=True)
class Totals:
    """Files by state and skip reason, and what they hold."""

    states: dict[str, int]
    reasons: dict[str, int]
    languages: dict[str, int]
    chunks: int
    with_vectors: int
    searchable: int


def totals(catalog: Catalog, root: int | None = None) -> Totals:
    """Count what the index holds, of one root or of all."""
    where, values = ("WHERE root = ?", (root,)) if root is not None else ("", ())
    states: dict[str, int] = {state.value: 0 for state in FileState}
    reasons: dict[str, int] = {}
    chunks = with_vectors = searchable = 0
    for state, reason, count, held, vectors, live in catalog.rows(
        "SELECT state, reason, count(*), sum(chunks), count(space), count(generation)"
        f" FROM files {where} GROUP BY 1, 2",
        values,
    ):
        states[state] += count
        if state == FileState.SKIPPED.value:
            reasons[reason] = reasons.get(reason, 0) + count
        chunks += held
        with_vectors += vectors
        searchable += live
    live_where = f"{where} {'AND' if where else 'WHERE'} generation IS NOT NULL"
    languages = {
        str(language): int(count)
        for language, count in catalog.rows(
            f"SELECT coalesce(language, 'text'), count(*) FROM files {live_where}"
            " GROUP BY 1 ORDER BY 2 DESC",
            values,
        )
    }
    return Totals(
        states,
        reasons,
        languages,
        chunks,
        with_vectors,
        searchable,
    )


def split_path(path: bytes) -> tuple[bytes, bytes]:
    """Split a path into its folder (b"" for the root) and its name."""
    folder, _, name = path.rpartition(b"/")
    return folder, name


def join_path(folder: bytes, name: bytes) -> bytes:
    """Join a folder and a name."""
    return folder + b"/" + name if folder else name
