"""Leading comments of Ruby code, with the definition below them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pairs import Pair, Source, question_of, window_of

_COMMENTED = re.compile(
    r"(?m)(?P<said>(?:^[ \t]*#(?!!)[^\n]*\n){1,60})(?P<indent>[ \t]*)(?:def|class|module) [^\n]*\n"
)
_GUTTER = re.compile(r"(?m)^[ \t]*#[ \t]?")
_LONGEST_DEFINITION = 3_000


def ruby_pairs(source: Source) -> Iterator[Pair]:
    """Yield comment to `def`, `class` or `module`, to the `end` at the same indentation."""
    for match in _COMMENTED.finditer(source.text):
        question = question_of(_GUTTER.sub("", match["said"]))
        if question is None:
            continue
        start = match.start("indent")
        end = source.text.find(f"\n{match['indent']}end\n", start, start + _LONGEST_DEFINITION)
        code = source.text[start : end + 4 if end > 0 else start + _LONGEST_DEFINITION]
        window = window_of(source, code)
        if window:
            yield Pair(question, window, source.package, "ruby function")
