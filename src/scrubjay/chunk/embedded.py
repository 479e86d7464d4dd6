"""Component files (Vue, Svelte, Astro) are markup with code in it: one outline of both."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from scrubjay.chunk.outline import Outline

COMPONENT_LANGUAGES = frozenset({"vue", "svelte", "astro"})

_BLOCK = re.compile(r"^<(?:script|template|style)\b", re.MULTILINE)
_SCRIPT = re.compile(r"<script\b(?P<attributes>[^>]*)>", re.IGNORECASE)
_SCRIPT_END = re.compile(r"</script\s*>", re.IGNORECASE)
_FRONT_MATTER = re.compile(r"---[ \t]*\r?\n(?P<body>.*?)^---", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Script:
    """The code of a component, in place: all other text is blanked, line breaks are kept."""

    text: str
    language: str


def script_of(text: str) -> Script | None:
    """Find a component's code, or None if it has none."""
    language = "typescript"
    parts: list[str] = []
    done = 0
    front = _FRONT_MATTER.match(text)
    if front is not None:
        parts += [_blank(text[: front.start("body")]), front["body"]]
        done = front.end("body")
    while (tag := _SCRIPT.search(text, done)) and (end := _SCRIPT_END.search(text, tag.end())):
        if re.search("[jt]sx", tag["attributes"]):
            language = "tsx"
        parts += [_blank(text[done : tag.end()]), text[tag.end() : end.start()]]
        done = end.start()
    if not parts:
        return None
    return Script("".join([*parts, _blank(text[done:])]), language)


def add_script(outline: Outline, script: Outline, text: str) -> None:
    """Add to the outline of a component's markup what was found in its code."""
    for match in _BLOCK.finditer(text):
        outline.add_break(match.start(), 0)
    for place, depth in script.breaks.items():
        outline.add_break(place, depth + 1)
    shift = len(outline.units)
    for unit in script.units:
        parent = unit.parent + shift if unit.parent >= 0 else -1
        outline.units.append(replace(unit, parent=parent))
    outline.imports.extend(script.imports)


def _blank(text: str) -> str:
    return "\n".join(" " * len(line) for line in text.split("\n"))
