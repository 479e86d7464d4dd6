"""Document to chunks: chooses syntax or prose, names what each chunk lies in. Reads no files."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace

from scrubjay.chunk.code import outline_code
from scrubjay.chunk.embedded import COMPONENT_LANGUAGES, add_script, script_of
from scrubjay.chunk.languages import grammar_for
from scrubjay.chunk.offsets import Positions
from scrubjay.chunk.outline import Outline, Unit
from scrubjay.chunk.pack import Slice, pack
from scrubjay.chunk.prose import outline_prose
from scrubjay.chunk.syntax import SyntaxUnavailable, parse
from scrubjay.sections import ChunkSettings
from scrubjay.types import Chunk, Chunked, Definition, Document

_CLOSERS = " \t\r\n)}];,"
_WORD_CLOSERS = ("end", "END", "fi", "done", "esac", "</script>")


def chunk_document(document: Document, settings: ChunkSettings) -> Chunked:
    """Cut a document into chunks, and find its definitions and imports.

    Every chunk is an exact slice of `document.text`; blank text gives no chunks, any other at
    least one. Never raises for what a text holds: syntax that fails is explained in `fallback`.
    """
    text = document.text
    if not text or text.isspace():
        return Chunked(())
    positions = Positions(text)
    outline, fallback = _outline(document, positions, settings)
    slices = pack(text, outline, settings)
    return Chunked(
        chunks=tuple(_chunks(text, slices, outline, positions)),
        definitions=tuple(_definitions(outline, positions)),
        imports=tuple(positions.span(start, end) for start, end in outline.imports),
        fallback=fallback,
    )


def _outline(
    document: Document, positions: Positions, settings: ChunkSettings
) -> tuple[Outline, str | None]:
    grammar = grammar_for(document.language)
    if grammar is None:
        return _outline_without_grammar(document, settings)
    try:
        syntax = parse(document.text, grammar, settings)
    except SyntaxUnavailable as problem:
        return outline_prose(document.text, document.language), str(problem)
    outline = outline_code(syntax, positions, grammar, settings.max_chars)
    if syntax.is_doubtful and not any(unit.is_definition for unit in outline.units):
        return outline_prose(document.text, document.language), "mostly syntax errors"
    return outline, None


def _outline_without_grammar(
    document: Document, settings: ChunkSettings
) -> tuple[Outline, str | None]:
    """Read prose, and the code inside a component file."""
    text = document.text
    outline = outline_prose(text, document.language)
    script = script_of(text) if document.language in COMPONENT_LANGUAGES else None
    if script is None:
        return outline, None
    inner, fallback = _outline(
        replace(document, text=script.text, language=script.language),
        Positions(script.text),
        settings,
    )
    if fallback is None:
        add_script(outline, inner, text)
    return outline, fallback


def _chunks(
    text: str, slices: list[Slice], outline: Outline, positions: Positions
) -> Iterator[Chunk]:
    imports = [start for start, _ in outline.imports]
    for piece, index in zip(slices, _around(text, slices, outline.units), strict=True):
        span = positions.span(piece.start, piece.end)
        run = bisect_right(imports, piece.core_start) - 1
        if run >= 0 and piece.end <= outline.imports[run][1]:
            yield Chunk(span, "import", outline.full_names(index))
            continue
        if index < 0:
            yield Chunk(span, outline.default_kind)
            continue
        unit = outline.units[index]
        yield Chunk(span, unit.kind, outline.full_names(index), (unit.start, unit.end))


def _around(text: str, slices: list[Slice], units: list[Unit]) -> Iterator[int]:
    """Give the innermost unit around each slice's own text, or -1.

    Closing brackets after a unit's end do not count: they belong to what is around it.
    """
    if not units:
        yield from [-1] * len(slices)
        return
    order = _in_order(units)
    open_units: list[int] = []
    coming = 0
    for piece in slices:
        while coming < len(order) and units[order[coming]].start <= piece.core_start:
            open_units.append(order[coming])
            coming += 1
        open_units = [i for i in open_units if units[i].end > piece.core_start]
        end = _content_end(text, piece)
        inside = (i for i in reversed(open_units) if units[i].end >= end)
        yield next(inside, -1)


def _content_end(text: str, piece: Slice) -> int:
    body = text[piece.core_start : piece.end]
    while True:
        shorter = body.rstrip(_CLOSERS)
        for word in _WORD_CLOSERS:
            if shorter.endswith(word) and shorter[: -len(word)].rstrip(" \t").endswith("\n"):
                shorter = shorter[: -len(word)]
        if len(shorter) == len(body):
            return piece.core_start + len(body)
        body = shorter


def _definitions(outline: Outline, positions: Positions) -> Iterator[Definition]:
    for index in _in_order(outline.units):
        unit = outline.units[index]
        if unit.is_definition:
            yield Definition(
                name=unit.names[-1],
                kind=unit.kind,
                span=positions.span(unit.start, unit.end),
                container=".".join(outline.full_names(index)[:-1]),
            )


def _in_order(units: list[Unit]) -> list[int]:
    return sorted(range(len(units)), key=lambda i: (units[i].start, -units[i].end))
