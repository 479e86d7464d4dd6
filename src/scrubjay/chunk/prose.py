"""Prose to outline: headings make sections, blank lines make paragraphs, fences stay whole.

Works on whole-text patterns, never character by character: translation files, logs and generated
documents are the bulk of many trees.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from scrubjay.chunk.outline import Outline, Unit

PARAGRAPH_DEPTH = 100
"""Depth of a border between paragraphs; the indent of the next line deepens it."""

FENCED_DEPTH = 600
"""Depth of a blank line inside a code block."""

_MAX_INDENT = 80
_MAX_TITLE_CHARS = 200
_MAX_LEVEL = 50

_PARAGRAPH = re.compile(r"\n(?:[ \t\r\f\v]*\n)+([ \t]*)")
_FRONT_MATTER = re.compile(r"(---|\+\+\+)[ \t]*\r?\n(?:.*\n)*?\1[ \t]*(?:\r?\n|\Z)")
_MARKDOWN = re.compile(
    r"^ {0,3}(?P<fence>`{3,}|~{3,})"
    r"|^ {0,3}(?P<marks>#{1,6})(?:[ \t]+(?P<title>.*))?$"
    r"|^ {0,3}(?P<setext>[^\s#>`~|\-].*)\n {0,3}(?P<rule>=+|--+)[ \t]*\r?$",
    re.MULTILINE,
)
_UNDERLINE = re.compile(r"\n(([!-/:-@\[-`{-~])\2{2,})[ \t]*\r?(?=\n|\Z)")
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*")
_ASCIIDOC = re.compile(
    r"^(?P<fence>-{4,}|\.{4,}|/{4,}|\+{4,})[ \t]*\r?$"
    r"|^(?P<marks>={1,6}|#{1,6})[ \t]+(?P<title>\S.*)$",
    re.MULTILINE,
)
_ORG = re.compile(
    r"^[ \t]*(?P<fence>#\+(?i:begin)_\w+)|^(?P<marks>\*+)[ \t]+(?P<title>\S.*)$", re.MULTILINE
)
_LATEX = re.compile(
    r"^[ \t]*\\(?P<word>part|chapter|section|subsection|subsubsection|paragraph)\*?"
    r"(?:\[[^\]\n]*\])?\{(?P<title>[^}\n]*)\}",
    re.MULTILINE,
)
_LATEX_LEVELS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph")
_HTML = re.compile(r"<h(?P<level>[1-6])\b[^>\n]{0,300}>(?P<title>[^<]{1,300})", re.IGNORECASE)
_TYPST = re.compile(r"^(?P<fence>`{3,})|^(?P<marks>=+)[ \t]+(?P<title>\S.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Heading:
    """A section's beginning; level 1 is outermost."""

    start: int
    level: int
    title: str


@dataclass(slots=True)
class _Found:
    """What a reader of one format has seen; `fences` are stretches without headings in them."""

    headings: list[_Heading]
    fences: list[tuple[int, int]]


def outline_prose(text: str, language: str | None) -> Outline:
    """Find paragraphs, and sections in the manner of the language."""
    outline = Outline()
    reader = _READERS.get((language or "text").lower())
    found = reader(text) if reader is not None else _Found([], [])
    _add_paragraphs(text, outline, found.fences)
    _add_sections(text, outline, found.headings)
    return outline


def _add_paragraphs(text: str, outline: Outline, fences: list[tuple[int, int]]) -> None:
    breaks = outline.breaks
    for match in _PARAGRAPH.finditer(text):
        place = match.start(1)
        breaks[place] = PARAGRAPH_DEPTH + min(match.end() - place, _MAX_INDENT)
    if not fences:
        return
    inside = iter(sorted(breaks))
    place = next(inside, len(text))
    for start, end in fences:
        while place <= start:
            place = next(inside, len(text) + 1)
        while place < end:
            breaks[place] += FENCED_DEPTH
            place = next(inside, len(text) + 1)


def _add_sections(text: str, outline: Outline, headings: list[_Heading]) -> None:
    """Nest sections: each ends where one of its own or an outer level begins."""
    ends = [len(text)] * len(headings)
    parents = [-1] * len(headings)
    open_sections: list[int] = []
    for i, heading in enumerate(headings):
        while open_sections and headings[open_sections[-1]].level >= heading.level:
            ends[open_sections.pop()] = heading.start
        parents[i] = open_sections[-1] if open_sections else -1
        open_sections.append(i)
        outline.breaks[heading.start] = min(heading.level, _MAX_LEVEL)
    for heading, end, parent in zip(headings, ends, parents, strict=True):
        names = (heading.title,) if heading.title else ()
        outline.units.append(Unit(heading.start, end, names, "section", parent, False))


def _read_markdown(text: str) -> _Found:
    front = _FRONT_MATTER.match(text)
    if front is None:
        return _read_marked(text, _MARKDOWN, _close_markdown)
    found = _read_marked(text, _MARKDOWN, _close_markdown, front.end())
    found.fences.insert(0, (0, front.end()))
    return found


def _read_marked(
    text: str, pattern: re.Pattern[str], close: Callable[[str], str], start: int = 0
) -> _Found:
    """Read headings of repeated marks; `close` gives the pattern that ends a fence."""
    found = _Found([], [])
    place = start
    while (match := pattern.search(text, place)) is not None:
        groups = match.groupdict()
        place = match.end()
        if groups.get("fence"):
            end = re.compile(close(groups["fence"]), re.MULTILINE).search(text, place)
            place = len(text) if end is None else end.end()
            found.fences.append((match.start(), place))
            continue
        if groups.get("marks"):
            level, title = len(groups["marks"]), groups["title"] or ""
        else:
            level, title = (1 if groups["rule"][0] == "=" else 2), groups["setext"]
        found.headings.append(_Heading(match.start(), level, _clean(title)))
    return found


def _close_markdown(fence: str) -> str:
    return rf"^ {{0,3}}{fence[0]}{{{len(fence)},}}[ \t]*\r?$"


def _close_asciidoc(fence: str) -> str:
    return rf"^{re.escape(fence)}[ \t]*\r?$"


def _close_org(fence: str) -> str:
    return r"^[ \t]*#\+(?i:end)" + re.escape(fence[fence.index("_") :])


def _read_underlined(text: str) -> _Found:
    """Read headings underlined with punctuation, maybe overlined; levels by order of appearance."""
    styles: dict[str, int] = {}
    headings: list[_Heading] = []
    for match in _UNDERLINE.finditer(text):
        start = text.rfind("\n", 0, match.start()) + 1
        title, style = text[start : match.start()].rstrip(), match[2]
        if not title or len(match[1]) < len(title) or _ADORNMENT.fullmatch(title):
            continue
        above = text.rfind("\n", 0, max(start - 1, 0)) + 1
        if start > 0 and text[above:start].rstrip() == match[1]:
            start, style = above, style * 2
        headings.append(_Heading(start, styles.setdefault(style, len(styles) + 1), _clean(title)))
    return _Found(headings, [])


def _read_latex(text: str) -> _Found:
    return _Found(
        [
            _Heading(m.start(), _LATEX_LEVELS.index(m["word"]) + 1, _clean(m["title"]))
            for m in _LATEX.finditer(text)
        ],
        [],
    )


def _read_html(text: str) -> _Found:
    return _Found(
        [_Heading(m.start(), int(m["level"]), _clean(m["title"])) for m in _HTML.finditer(text)], []
    )


def _clean(title: str) -> str:
    return " ".join(title.rstrip("\r \t").rstrip("#").split())[:_MAX_TITLE_CHARS]


_READERS: dict[str, Callable[[str], _Found]] = {
    "markdown": _read_markdown,
    "asciidoc": lambda text: _read_marked(text, _ASCIIDOC, _close_asciidoc),
    "org": lambda text: _read_marked(text, _ORG, _close_org),
    "typst": lambda text: _read_marked(text, _TYPST, _close_markdown),
    "rst": _read_underlined,
    "text": _read_underlined,
    "latex": _read_latex,
    "html": _read_html,
}
for _other, _like in {
    "md": "markdown",
    "mdx": "markdown",
    "rmarkdown": "markdown",
    "quarto": "markdown",
    "restructuredtext": "rst",
    "plaintext": "text",
    "tex": "latex",
    "adoc": "asciidoc",
    **dict.fromkeys(("xhtml", "ejs", "handlebars", "liquid"), "html"),
    **dict.fromkeys(("embedded_template", "heex", "gotmpl", "jinja2", "jinja"), "html"),
}.items():
    _READERS[_other] = _READERS[_like]
