"""Which lines of a hit are shown? The few that say most about the question, its words marked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scrubjay import words

LINES_SHOWN = 6
LEAST_WORD_CHARS = 3
"""Shorter words of a question are marked nowhere: they are in every line."""
TAB_CHARS = 4
COMMON = re.compile(
    "the|and|for|are|was|were|how|what|where|when|which|who|why|does|did|with|from|into|this|that"
    "|not|can|all|any|its|has|have|had|will|you|your|our|use[sd]?|using|gets?|got|there|then|than"
)
"""Words of a question that say nothing about a place."""
ENDING = "ations?|ings?|ies|ers?|ors?|ed|es|s|e|y"
"""English endings: a word of the question also marks the same word with another one, or none."""
STEM = re.compile(f"(?<=.{{4}})(?:{ENDING})$")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file: `number` is 1-based; `marks` are where `text` has words of the question."""

    number: int
    text: str
    marks: tuple[tuple[int, int], ...] = ()


def pattern_of(question: str) -> re.Pattern[str] | None:
    """Make what finds a question's words in all their forms; None if there are none to find."""
    found = {STEM.sub("", word) for word in words.words(question) if _is_telling(word)}
    if not found:
        return None
    longest_first = sorted(found, key=lambda word: (-len(word), word))
    stems = "|".join(map(re.escape, longest_first))
    return re.compile(f"(?:{stems})(?:{ENDING})?", re.IGNORECASE)


def _is_telling(word: str) -> bool:
    return len(word) >= LEAST_WORD_CHARS and not COMMON.fullmatch(word) or words.has_cjk(word)


def make_preview(
    text: str, first_line: int, pattern: re.Pattern[str] | None, most: int = LINES_SHOWN
) -> list[Line]:
    """Choose up to `most` neighbouring lines of a chunk that hold most of the question's words."""
    lines = [line.removesuffix("\r").expandtabs(TAB_CHARS) for line in text.split("\n")]
    start = _best_start(lines, pattern, most)
    end = min(start + most, len(lines))
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    chosen = lines[start:end]
    indent = min((len(line) - len(line.lstrip()) for line in chosen if line.strip()), default=0)
    return [
        _marked(first_line + start + i, _printable(line[indent:].rstrip()), pattern)
        for i, line in enumerate(chosen)
    ]


def _best_start(lines: list[str], pattern: re.Pattern[str] | None, most: int) -> int:
    """Find the window with most distinct words, then most matches, then the best place to begin."""
    if pattern is None or len(lines) <= most:
        return 0
    found = [[m.group().lower() for m in pattern.finditer(line)] for line in lines]

    def score(start: int) -> tuple[int, int, bool, int]:
        inside = [word for line in found[start : start + most] for word in line]
        first = lines[start]
        indent = len(first) - len(first.lstrip())
        return len(set(inside)), len(inside), bool(first.strip()), -indent

    return max(range(len(lines) - most + 1), key=score)


def _marked(number: int, text: str, pattern: re.Pattern[str] | None) -> Line:
    if pattern is None:
        return Line(number, text)
    return Line(number, text, tuple(match.span() for match in pattern.finditer(text)))


def _printable(text: str) -> str:
    """Replace control characters: a file must not command the terminal."""
    return (
        text
        if text.isprintable()
        else "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    )


def clipped(line: Line, width: int) -> Line:
    """Cut a line to a width, around its first mark where that lies further right."""
    if len(line.text) <= width:
        return line
    first = line.marks[0][0] if line.marks else 0
    start = 0 if first < width - 20 else first - width // 3
    end = start + width - 1
    lead = "…" if start else ""
    shift = len(lead) - start
    marks = tuple((a + shift, min(b, end) + shift) for a, b in line.marks if start <= a < end)
    return Line(
        line.number, lead + line.text[start:end] + ("…" if end < len(line.text) else ""), marks
    )
