"""Headings of Markdown and reStructuredText, with the section below them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pairs import Pair, Source, question_of, window_of

_MARKDOWN = re.compile(r"(?m)^(#{1,5})[ \t]+(.+?)[ \t#]*$")
_RST = re.compile(r"(?m)^(?=\S)(.+)\n([=\-~^\"'`#*+.])\2{2,}[ \t]*$")
_DULL = re.compile(
    r"(?i)^(installation|install|usage|licen[sc]e|contributing|contributors|features|overview|example|"
    r"examples|api|table of contents|changelog|documentation|support|requirements|credits|authors?|"
    r"v?\d[\d.]*.*|\[.*\].*)$"
)


def prose_pairs(source: Source, suffix: str) -> Iterator[Pair]:
    """Yield `title heading` to section text without the heading."""
    found = list((_MARKDOWN if suffix == ".md" else _RST).finditer(source.text))
    title = found[0][2 if suffix == ".md" else 1].strip() if found else ""
    ends = [*(m.start() for m in found[1:]), len(source.text)][: len(found)]
    for match, end in zip(found, ends, strict=True):
        heading = match[2 if suffix == ".md" else 1].strip()
        if _DULL.match(heading) or len(heading.split()) < 2:
            continue
        question = question_of(heading) or question_of(f"{title} {heading}")
        window = window_of(source, source.text[match.end() : end])
        if question and window and len(window) > 150:
            yield Pair(question, window, source.package, f"{suffix[1:]} section")
