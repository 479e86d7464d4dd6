"""Where is a place of a text: code points, UTF-16 units, lines? Never asks what it means."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate

from scrubjay.types import Span

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


class Positions:
    """Converts places of one text; a text without characters beyond U+FFFF needs no conversion."""

    __slots__ = ("_astral", "_astral16", "_line_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        lengths = map(len, text.split("\n"))
        self._line_starts = [0, *accumulate(map((1).__add__, lengths))]
        self._line_starts.pop()
        self._astral = [m.start() for m in _ASTRAL.finditer(text)] if _has_astral(text) else []
        self._astral16 = [place + before for before, place in enumerate(self._astral)]

    @property
    def is_plain(self) -> bool:
        """Say whether code points and UTF-16 units are the same in this text."""
        return not self._astral

    def span(self, start: int, end: int) -> Span:
        """Describe the slice [start, end) of code points; an empty one is where it starts."""
        lines = self._line_starts
        first = bisect_right(lines, start)
        last = bisect_right(lines, end - 1) if end > start else first
        if not self._astral:
            return Span(start, end, start, end, first, last)
        return Span(start, end, self._unit(start), self._unit(end), first, last)

    def from_unit(self, unit: int) -> int:
        """Turn an offset in UTF-16 units into code points."""
        if not self._astral:
            return unit
        return unit - bisect_left(self._astral16, unit)

    def _unit(self, place: int) -> int:
        return place + bisect_left(self._astral, place)


def _has_astral(text: str) -> bool:
    """Compare lengths: encoding is many times faster than looking for the characters."""
    return not text.isascii() and len(text.encode("utf-16-le", "surrogatepass")) > 2 * len(text)
