"""What is in this file? Bytes to one plain value; it touches no store and no model.

Read once, hash those bytes, extract, cut, spell the words: all that depends on the file alone.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace

from scrubjay.chunk.document import chunk_document
from scrubjay.errors import ScrubjayError
from scrubjay.extract.document import extract
from scrubjay.index.tasks import Prepared, PreparedText, PrepareSettings, Task, nothing_of
from scrubjay.index.windows import split_windows
from scrubjay.scan.kinds import language_of_shebang
from scrubjay.scan.probe import Unread, read_file
from scrubjay.store.content import StoredChunk, deflate, text_hash
from scrubjay.types import Chunk, Chunked, Document, SkipReason
from scrubjay.words import indexed_words


def prepare(task: Task, settings: PrepareSettings) -> Prepared:
    """Turn one file into what is to be stored of it; never raises for what the file holds."""
    read = read_file(task.root_path, task.path, settings.scan.max_text_bytes)
    if isinstance(read, Unread):
        return _without_content(task, read)
    seen = replace(
        nothing_of(task),
        stamp=read.stat,
        settled=not read.moved,
        content_hash=read.sha256,
    )
    if not read.data:
        return replace(seen, skip=SkipReason.EMPTY)
    language = task.language
    if task.shebang:
        language = language_of_shebang(read.data.split(b"\n", 1)[0])
        if language is None:
            return replace(seen, skip=SkipReason.NO_SHEBANG)
    try:
        document = extract(read.data, task.path, language, settings.scan.legacy_encoding)
    except ScrubjayError as error:
        return replace(seen, failure=error.message)
    if isinstance(document, SkipReason):
        return replace(seen, skip=document)
    return replace(seen, text=_cut(task.path, document, settings))


def _without_content(task: Task, read: Unread) -> Prepared:
    nothing = replace(nothing_of(task), stamp=read.stat)
    if read.reason is None:
        return replace(nothing, is_gone=True)
    return replace(nothing, skip=read.reason)


def _cut(path: bytes, document: Document, settings: PrepareSettings) -> PreparedText:
    cut = chunk_document(document, settings.chunk)
    return PreparedText(
        text=document.text,
        deflated=deflate(document.text),
        language=document.language,
        encoding=document.encoding,
        path_words=indexed_words(path.decode("utf-8", "replace")),
        chunks=tuple(_stored(document, cut, settings)),
        definitions=cut.definitions,
        imports=cut.imports,
        note=_note(document, cut),
    )


def _stored(document: Document, cut: Chunked, settings: PrepareSettings) -> Iterator[StoredChunk]:
    has_vectors = document.language not in settings.words_only_languages
    size, overlap = settings.window_chars, settings.window_overlap_chars
    defined = sorted((d.span.start, d.name) for d in cut.definitions)
    for chunk in cut.chunks:
        piece = document.text[chunk.span.start : chunk.span.end]
        yield StoredChunk(
            chunk=chunk,
            symbols=indexed_words(" ".join((*chunk.scope, *_names_in(defined, chunk)))),
            body=indexed_words(piece),
            text_hash=text_hash(piece),
            windows=len(split_windows(piece, size, overlap)) if has_vectors else 0,
        )


def _names_in(defined: list[tuple[int, str]], chunk: Chunk) -> Iterator[str]:
    """Name the definitions that begin inside a chunk and are not in its scope already."""
    for i in range(bisect_left(defined, (chunk.span.start, "")), len(defined)):
        start, name = defined[i]
        if start >= chunk.span.end:
            return
        if name not in chunk.scope:
            yield name


def _note(document: Document, cut: Chunked) -> str | None:
    notes = [cut.fallback] if cut.fallback else []
    if document.is_guess:
        notes.append(f"encoding guessed: {document.encoding}")
    return "; ".join(notes) or None
