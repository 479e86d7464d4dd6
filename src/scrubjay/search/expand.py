"""How much around a hit is worth reading? From spans stored at index time; no source is parsed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from scrubjay.store.catalog import Catalog
from scrubjay.store.content import Found, imports_of
from scrubjay.store.queries import definitions_around

MAX_IMPORT_CHARS = 1_200
SAME_PLACE_SHARE = 0.5
"""A definition stands for a hit when it holds this much of it: chunks overlap a little."""

MERGED_SHARE = 4 / 3
"""Neighbours are joined while they stay below this many times the size of a block."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a file's text in code points; `rank` is the best hit in it."""

    start: int
    end: int
    rank: int


def widen(catalog: Catalog, found: Found, text: str, most: int) -> tuple[int, int]:
    """Grow a chunk to the widest definition around it, or whole file, of `most` characters."""
    if len(text) <= most:
        return _trimmed(text, 0, len(text))
    start, end = _trimmed(text, found.span.start, found.span.end)
    around = definitions_around(catalog, found.file, start, end)
    if found.enclosing is not None:
        around.append(found.enclosing)
    spans = [(start, end)]
    for first, last in around:
        if min(end, last) - max(start, first) >= (end - start) * SAME_PLACE_SHARE:
            spans.append((min(start, first), max(end, last)))
    fitting = [span for span in spans if span[1] - span[0] <= most]
    widest = max(fitting or spans[:1], key=lambda span: span[1] - span[0])
    return _trimmed(text, *widest)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Begin at the start of a line, leave out blank lines around."""
    piece = text[start:end]
    end -= len(piece) - len(piece.rstrip())
    lead = len(piece) - len(piece.lstrip())
    start = min(start + lead, end)
    line = text.rfind("\n", 0, start) + 1
    return (line if not text[line:start].strip() else start), end


def merge(passages: Iterable[Passage], text: str, most: int) -> list[Passage]:
    """Join passages that overlap, and neighbours while the whole is short; best rank first."""
    merged: list[Passage] = []
    for passage in sorted(passages, key=lambda p: (p.start, p.end)):
        last = merged[-1] if merged else None
        if last is not None and _belong_together(last, passage, text, most):
            merged[-1] = replace(
                last, end=max(last.end, passage.end), rank=min(last.rank, passage.rank)
            )
        else:
            merged.append(passage)
    return sorted(merged, key=lambda p: p.rank)


def _belong_together(left: Passage, right: Passage, text: str, most: int) -> bool:
    if right.start < left.end:
        return True
    is_near = not text[left.end : right.start].strip()
    return is_near and right.end - left.start <= most * MERGED_SHARE


def first_imports(
    catalog: Catalog, file: int, text: str, passages: Sequence[Passage]
) -> tuple[int, int] | None:
    """Find a file's first run of imports, in whole lines, unless a passage shows them already."""
    spans = imports_of(catalog, file)
    if not spans:
        return None
    start, end = spans[0].start, spans[0].end
    for span in spans[1:]:
        if text[end : span.start].strip():
            break
        end = span.end
    if end - start > MAX_IMPORT_CHARS:
        end = max(text.rfind("\n", start, start + MAX_IMPORT_CHARS), start)
    start, end = _trimmed(text, start, end)
    if start >= end or any(p.start < end and start < p.end for p in passages):
        return None
    return start, end
