"""What does a file hold? Its text, chunks, full text, definitions and imports in the catalog.

Writers run inside the caller's write transaction; readers inside its read transaction.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TypeVar

from scrubjay.errors import StoreDamaged
from scrubjay.store.catalog import Catalog
from scrubjay.store.files import join_path
from scrubjay.types import Chunk, Definition, Span

T = TypeVar("T")

SCOPE_SEPARATOR = "\x1f"
IDS_PER_QUERY = 500


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk as it is published: words for the full text, hash of its text, window count."""

    chunk: Chunk
    symbols: str
    body: str
    text_hash: bytes
    windows: int


@dataclass(frozen=True, slots=True)
class Content:
    """All that a file holds: `text` is deflated UTF-8 of `chars` code points."""

    text: bytes
    chars: int
    path_words: str
    chunks: tuple[StoredChunk, ...]
    definitions: tuple[Definition, ...] = ()
    imports: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """A live chunk with the file it belongs to."""

    id: int
    file: int
    root: int
    path: bytes
    language: str | None
    content_hash: bytes
    state: str
    kind: str
    scope: tuple[str, ...]
    span: Span
    enclosing: tuple[int, int] | None
    text_hash: bytes


def deflate(text: str) -> bytes:
    """Compress a text for storage."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 3)


def inflate(body: bytes) -> str:
    """Read a stored text back; raises StoreDamaged."""
    try:
        return zlib.decompress(body).decode("utf-8", "surrogatepass")
    except (zlib.error, UnicodeDecodeError) as error:
        raise StoreDamaged(
            f"a stored text is damaged: {error}", hint="`scrubjay repair` indexes its file again"
        ) from error


def text_hash(text: str) -> bytes:
    """Identify a chunk's text: 128 bits of BLAKE2b over its UTF-8 (RFC 7693)."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def insert_content(
    catalog: Catalog, file: int, generation: int, first_chunk: int, content: Content
) -> None:
    """Write a file's content; its chunks get consecutive ids from `first_chunk`."""
    catalog.run(
        "INSERT INTO texts VALUES (?, ?, ?, ?)", (file, generation, content.chars, content.text)
    )
    catalog.run_many(
        "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                first_chunk + i,
                file,
                stored.chunk.kind,
                SCOPE_SEPARATOR.join(stored.chunk.scope),
                *_columns(stored.chunk.span),
                *(stored.chunk.enclosing or (None, None)),
                stored.windows,
                stored.text_hash,
            )
            for i, stored in enumerate(content.chunks)
        ),
    )
    catalog.run_many(
        "INSERT INTO words(rowid, path, symbols, body) VALUES (?, ?, ?, ?)",
        (
            (first_chunk + i, content.path_words, stored.symbols, stored.body)
            for i, stored in enumerate(content.chunks)
        ),
    )
    catalog.run_many(
        "INSERT INTO definitions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (file, d.name.lower(), d.name, d.kind, d.container, *_columns(d.span))
            for d in content.definitions
        ),
    )
    catalog.run_many(
        "INSERT INTO imports VALUES (?, ?, ?, ?, ?, ?, ?)",
        ((file, *_columns(span)) for span in content.imports),
    )


def delete_content(catalog: Catalog, file: int) -> None:
    """Remove everything a file holds, if it holds anything."""
    catalog.run("DELETE FROM words WHERE rowid IN (SELECT id FROM chunks WHERE file = ?)", (file,))
    for table in ("chunks", "definitions", "imports", "texts"):
        catalog.run(f"DELETE FROM {table} WHERE file = ?", (file,))


def text_of(catalog: Catalog, file: int) -> str | None:
    """Read the text a file was published with; None if it holds none."""
    body = catalog.one("SELECT body FROM texts WHERE file = ?", (file,))
    return None if body is None else inflate(body)


def live_chunks(catalog: Catalog, ids: Collection[int]) -> dict[int, Found]:
    """Look up chunks by id; those that are not live (any more) are left out."""
    found: dict[int, Found] = {}
    for part in _slices(list(ids)):
        for row in catalog.rows(f"{_FOUND} WHERE c.id IN ({','.join('?' * len(part))})", part):
            chunk = _found(row)
            found[chunk.id] = chunk
    return found


def chunks_of(catalog: Catalog, file: int) -> list[Found]:
    """List a file's chunks in order."""
    return [
        _found(row) for row in catalog.rows(f"{_FOUND} WHERE c.file = ? ORDER BY c.id", (file,))
    ]


_FOUND = (
    "SELECT c.id, c.file, f.root, f.folder, f.name, f.language, f.content_hash, f.state, c.kind,"
    " c.scope, c.start, c.stop, c.start16, c.stop16, c.first_line, c.last_line, c.enclosing_start,"
    " c.enclosing_stop, c.text_hash FROM chunks c JOIN files f ON f.id = c.file"
)


def _found(row: tuple) -> Found:  # type: ignore[type-arg]  # a row of _FOUND
    id, file, root, folder, name, language, content, state, kind, scope, *rest = row
    *span, enclosing_start, enclosing_stop, text_hash = rest
    return Found(
        id,
        file,
        root,
        join_path(folder, name),
        language,
        content,
        state,
        kind,
        tuple(scope.split(SCOPE_SEPARATOR)) if scope else (),
        Span(*span),
        None if enclosing_start is None else (enclosing_start, enclosing_stop),
        text_hash,
    )


def imports_of(catalog: Catalog, file: int) -> list[Span]:
    """List the import runs of a file in order."""
    return [
        Span(*row)
        for row in catalog.rows(
            "SELECT start, stop, start16, stop16, first_line, last_line FROM imports"
            " WHERE file = ? ORDER BY start",
            (file,),
        )
    ]


def embedded_twins(
    catalog: Catalog, space: int, text_hashes: Collection[bytes]
) -> dict[bytes, int]:
    """Find, for chunk texts, a live chunk of the same text that has vectors in this space."""
    twins: dict[bytes, int] = {}
    for part in _slices(list(text_hashes)):
        twins.update(
            catalog.rows(
                "SELECT c.text_hash, c.id FROM chunks c JOIN files f ON f.id = c.file"
                f" WHERE f.space = ? AND c.text_hash IN ({','.join('?' * len(part))})",
                (space, *part),
            )
        )
    return twins


def _columns(span: Span) -> tuple[int, int, int, int, int, int]:
    return (span.start, span.end, span.start16, span.end16, span.first_line, span.last_line)


def _slices(items: list[T]) -> Iterator[list[T]]:
    for start in range(0, len(items), IDS_PER_QUERY):
        yield items[start : start + IDS_PER_QUERY]
