"""The invariants every chunked document keeps, as one check."""

from __future__ import annotations

from scrubjay.chunk.document import chunk_document
from scrubjay.sections import ChunkSettings
from scrubjay.types import Chunk, Chunked, Document, Span


def chunked(text: str, language: str | None, settings: ChunkSettings | None = None) -> Chunked:
    """Chunk a text and check all invariants of the result."""
    settings = settings or ChunkSettings()
    result = chunk_document(Document(text, language, "utf-8"), settings)
    check_chunks(text, result.chunks, settings)
    for definition in result.definitions:
        assert definition.name
        check_span(text, definition.span)
        assert text[definition.span.start : definition.span.end].strip()
    end = 0
    for run in result.imports:
        assert run.start >= end
        check_span(text, run)
        end = run.end
    return result


def check_chunks(text: str, chunks: tuple[Chunk, ...], settings: ChunkSettings) -> None:
    covered, last = 0, -1
    for chunk in chunks:
        span = chunk.span
        check_span(text, span)
        assert text[span.start : span.end].strip()
        assert span.end - span.start <= 1.5 * settings.max_chars + settings.overlap_chars
        assert span.start > last
        assert not text[covered : span.start].strip()
        assert span.end > covered
        assert text[span.start - 1 : span.start + 1] != "\r\n"
        covered, last = span.end, span.start
        if chunk.enclosing is not None:
            start, end = chunk.enclosing
            assert 0 <= start < end <= len(text)
    assert not text[covered:].strip()
    assert bool(chunks) == bool(text.strip())


def check_span(text: str, span: Span) -> None:
    assert 0 <= span.start < span.end <= len(text)
    assert span.start16 == units(text[: span.start])
    assert span.end16 == units(text[: span.end])
    assert span.first_line == text.count("\n", 0, span.start) + 1
    assert span.last_line == text.count("\n", 0, span.end - 1) + 1


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def texts(text: str, result: Chunked) -> list[str]:
    return [text[chunk.span.start : chunk.span.end] for chunk in result.chunks]
