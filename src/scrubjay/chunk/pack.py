"""Which pieces of a document make one chunk? Joins small ones, cuts long ones, adds the overlap.

A place to cut has a depth: shallow borders (between functions) are preferred to deep ones (between
lines). Units that are large enough to be an answer of their own are not joined with neighbours.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass

from scrubjay.chunk.outline import Outline
from scrubjay.sections import ChunkSettings

STANDS_ALONE = 2
"""A definition or section of this part (1/2) of a full chunk is never merged with a sibling.

Against a quarter: equal ranking of commits and hand questions, an eighth fewer chunks.
"""

LINE_DEPTH = 1_000
"""Depth of a border between lines that no structure explains; white space deepens it."""

BLANK_LINE_DEPTH = 900
"""Depth of a border after a blank line that no structure explains."""

INSIDE_LINE_DEPTH = 2_000
"""Depth of a cut inside a line: the last resort."""

_MAX_INDENT = 80
_LINE = re.compile(r"\n(\s*\n)?([^\S\n]*)(?=\S)")
"""A line with its indent, after blank ones or not; linear: it never fails before visible text."""
_SEPARATORS = (" ", "\t", ";", ",", ">", "}")
_SEPARATOR_REACH = 80
_MAX_MARKS = 16


@dataclass(frozen=True, slots=True)
class Slice:
    """A chunk to be: from `core_start` on its own text, before that a repetition."""

    start: int
    core_start: int
    end: int


@dataclass(slots=True)
class _Core:
    """A chunk without overlap, trimmed; `depth` is that of its first border."""

    start: int
    end: int
    depth: int


def pack(text: str, outline: Outline, settings: ChunkSettings) -> list[Slice]:
    """Cut the whole text: slices in order, none blank, every non-blank character in one.

    No core is longer than 1.5 x `max_chars`; the overlap adds at most `overlap_chars`.
    """
    limit = settings.max_chars
    places, depths = _pieces(text, outline.breaks, limit)
    firm = _firm_places(outline, places, limit // STANDS_ALONE)
    cores = _fill(text, places, depths, firm, limit)
    cores = _fold_small(cores, min(settings.min_chars, limit // 2), limit * 3 // 2)
    return _overlap(text, cores, min(settings.overlap_chars, limit // 2))


def _pieces(text: str, breaks: dict[int, int], limit: int) -> tuple[list[int], list[int]]:
    """List all borders, with the text's end as the last; a piece over the limit is cut further."""
    known = sorted({0, *breaks})
    while known and known[-1] >= len(text) and len(known) > 1:
        known.pop()
    places: list[int] = []
    depths: list[int] = []
    for start, end in zip(known, [*known[1:], len(text)], strict=True):
        places.append(start)
        depths.append(breaks.get(start, 0))
        if end - start > limit:
            _cut_lines(text, (start, end), limit, (places, depths))
    places.append(len(text))
    depths.append(0)
    return places, depths


def _cut_lines(
    text: str, piece: tuple[int, int], limit: int, borders: tuple[list[int], list[int]]
) -> None:
    places, depths = borders
    start, end = piece[0], _trimmed_end(text, *piece)
    line = start
    for match in _LINE.finditer(text, start, end):
        place = match.start(2)
        if match.start() - line > limit:
            _cut_inside(text, (line, match.start()), limit, borders)
        places.append(place)
        base = LINE_DEPTH if match.group(1) is None else BLANK_LINE_DEPTH
        depths.append(base + min(match.end() - place, _MAX_INDENT))
        line = place
    if end - line > limit:
        _cut_inside(text, (line, end), limit, borders)


def _cut_inside(
    text: str, line: tuple[int, int], limit: int, borders: tuple[list[int], list[int]]
) -> None:
    places, depths = borders
    start, end = line
    while end - start > limit:
        start = _place_inside(text, start, start + limit)
        places.append(start)
        depths.append(INSIDE_LINE_DEPTH)


def _place_inside(text: str, start: int, place: int) -> int:
    """Find a cut at or before `place`, after a separator; CRLF and combined marks stay whole."""
    reach = max(place - _SEPARATOR_REACH, start + (place - start) // 2)
    after = max(text.rfind(separator, reach, place) for separator in _SEPARATORS) + 1
    if after > reach:
        return after
    least = max(place - _MAX_MARKS, start + 1)
    while place > least and _is_joined(text, place):
        place -= 1
    return place


def _is_joined(text: str, place: int) -> bool:
    before, after = text[place - 1], text[place]
    if after < "\x80":
        return before == "\r" and after == "\n"
    return (
        unicodedata.combining(after) != 0
        or after in "\u200d\ufe0e\ufe0f"
        or before == "\u200d"
        or "\U0001f3fb" <= after <= "\U0001f3ff"
    )


def _firm_places(outline: Outline, places: list[int], least: int) -> set[int]:
    """List the borders of units that are large enough to stand alone."""
    firm: set[int] = set()
    for unit in outline.units:
        if unit.end - unit.start >= least and unit.start in outline.breaks:
            firm.add(unit.start)
            firm.add(places[min(bisect_left(places, unit.end), len(places) - 1)])
    return firm


def _fill(
    text: str, places: list[int], depths: list[int], firm: set[int], limit: int
) -> list[_Core]:
    cores: list[_Core] = []
    count = len(places) - 1
    first = 0
    while first < count:
        start = places[first]
        after = first + 1
        while (
            after < count
            and places[after] not in firm
            and (
                places[after + 1] - start <= limit
                or _trimmed_end(text, places[after], places[after + 1]) - start <= limit
            )
        ):
            after += 1
        if after < count and places[after] not in firm:
            after = _best_border(places, depths, (first, after), limit)
        core = _trim(text, start, places[after], depths[first])
        if core is not None:
            cores.append(core)
        first = after
    return cores


def _best_border(places: list[int], depths: list[int], window: tuple[int, int], limit: int) -> int:
    """Choose the shallowest border in the second half of a full chunk; the last of equals."""
    first, after = window
    least = places[first] + limit // 2
    best = after
    for border in range(after - 1, first, -1):
        if places[border] < least:
            break
        if depths[border] < depths[best]:
            best = border
    return best


def _trimmed_end(text: str, start: int, end: int) -> int:
    return start + len(text[start:end].rstrip())


def _trim(text: str, start: int, end: int, depth: int) -> _Core | None:
    """Drop blank lines at both ends; the first line keeps its indent."""
    body = text[start:end]
    visible = body.lstrip()
    if not visible:
        return None
    indent = len(body) - len(visible)
    line = text.rfind("\n", start, start + indent) + 1
    return _Core(max(start, line), start + len(body.rstrip()), depth)


def _fold_small(cores: list[_Core], least: int, most: int) -> list[_Core]:
    """Join cores under `least` with the neighbour behind the deeper border, up to `most`."""
    folded: list[_Core] = []
    for i, core in enumerate(cores):
        if core.end - core.start >= least:
            folded.append(core)
            continue
        before = folded[-1] if folded else None
        after = cores[i + 1] if i + 1 < len(cores) else None
        if before is not None and core.end - before.start > most:
            before = None
        if after is not None and after.end - core.start > most:
            after = None
        if after is not None and (before is None or _belongs_forward(core, before, after)):
            after.start, after.depth = core.start, core.depth
        elif before is not None:
            before.end = core.end
        else:
            folded.append(core)
    return folded


def _belongs_forward(core: _Core, before: _Core, after: _Core) -> bool:
    if core.depth != after.depth:
        return after.depth > core.depth
    return after.end - after.start < before.end - before.start


def _overlap(text: str, cores: list[_Core], overlap: int) -> list[Slice]:
    slices: list[Slice] = []
    previous = -1
    for core in cores:
        start = core.start
        if overlap and previous >= 0:
            start = _overlap_start(text, core, max(start - overlap, previous + 1))
        slices.append(Slice(start, core.start, core.end))
        previous = core.start
    return slices


def _overlap_start(text: str, core: _Core, earliest: int) -> int:
    """Find the first whole line at or after `earliest`; a cut inside a line repeats characters."""
    if earliest >= core.start:
        return core.start
    line = text.find("\n", earliest - 1, core.start)
    if line >= 0:
        shared = text[line + 1 : core.start]
        visible = shared.lstrip()
        if not visible:
            return core.start
        return text.rfind("\n", line, core.start - len(visible)) + 1
    if text[core.start - 1] == "\n":
        return core.start
    while earliest < core.start and _is_joined(text, earliest):
        earliest += 1
    return earliest
