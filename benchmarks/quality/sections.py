"""Documents as questions: a title that was cut out asks for its section, a NAME line for its page.

Only the titles asked for are cut; other sections keep theirs, as documents do.
"""

from __future__ import annotations

import gzip
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from packages import Package, files_of
from questions import spells_a_stem

from scrubjay.words import words

LANGUAGES = ("en", "man", "zh")
SEED = 0
LARGEST_SHARE = 1 / 3
LEAST_CHARS = 200
"""A section says at least so much, half of it in Chinese."""

_MARKDOWN = re.compile(r"(?m)^(#{1,6})[ \t]+(?P<title>.+?)[ \t#]*(?:\n|$)")
_RST = re.compile(
    r"(?m)^(?:(?P<above>[=\-~^\"'`#*+.])(?P=above){2,}[ \t]*\n)?(?=\S)(?P<title>.+)\n"
    r"(?P<below>[=\-~^\"'`#*+.])(?P=below){2,}[ \t]*(?:\n|$)"
)
_FENCE = re.compile(r"(?ms)^[ \t]*(```|~~~).*?^[ \t]*\1[ \t]*$")
_MAN_NAME = re.compile(r"(?m)^\.S[Hh] \"?NAME\"?[ \t]*\n(?P<said>(?:(?!\.S[Hh]\b).*\n)+)")
_MARKUP = re.compile(r":[a-z:]+:`~?([^`<]*)[^`]*`|``?([^`]+)`?`|\[([^\]]+)\]\([^)]*\)|\{#[^}]*\}")
_ROFF = re.compile(r"\\f(?:\(..|\[[^\]]*\]|.)|\\[&|^]|\\s[-+]?\d")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_DULL = re.compile(
    r"(?i)^(?:release|version|changes|changelog|v?\d[\d.]*|.*\breleased?\b.*|.*\d+\.\d+(?:\.\d+)?.*)$"
)
_FOLDERS = re.compile(r"^.*/(?:_sources|man)/|^docs?/")
_ASIDE = re.compile(r"(?i)(?:^|/)(?:change(?:s|log)|history|news|whatsnew|release\w*|locale)\b")


@dataclass(frozen=True, slots=True)
class Section:
    """What one title stands over: `cut` are the lines of the title, `last` ends its text."""

    path: str
    title: str
    cut: range
    last: int
    size: int


def questions_from(
    packages: Sequence[Package], language: str, target: Path, count: int
) -> tuple[int, list[dict[str, Any]]]:
    """Write the packages' documents without the titles asked for.

    Returns how many sections the tree holds, and the records. A title that stands elsewhere in the
    tree too is no question.
    """
    texts = {path: text for package in packages for path, text in _documents(package, language)}
    found = [one for path, text in texts.items() for one in _sections(path, text, language)]
    every = f" {' / '.join(' '.join(words(text)) for text in texts.values())} "
    fit = [one for one in found if _is_fit(one, language)]
    random.Random(SEED).shuffle(fit)
    chosen: list[Section] = []
    taken: Counter[str] = Counter()
    for one in fit:
        package = one.path.partition("/")[0]
        alone = every.count(f" {' '.join(words(one.title))} ") == 1
        if len(chosen) < count and alone and taken[package] < count * LARGEST_SHARE:
            chosen.append(one)
            taken[package] += len(packages) > 1
    for path, text in texts.items():
        gone = {line for one in chosen if one.path == path for line in one.cut}
        kept = [x for n, x in enumerate(text.splitlines(keepends=True), 1) if n not in gone]
        file = target / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(kept), "utf-8", newline="")
    return len(found), [_record(one, chosen, target.name, language) for one in chosen]


def _documents(package: Package, language: str) -> Iterator[tuple[str, str]]:
    name = package.name.rpartition("/")[2].lower()
    suffixes = (".gz",) if language == "man" else (".md", ".mdx", ".rst", ".rst.txt")
    for path, data in files_of(package):
        if not path.endswith(suffixes) or _ASIDE.search(path):
            continue
        if language == "man":
            data, path = gzip.decompress(data), f"{path.removesuffix('.gz')}.man"
        text = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\f", "")
        if len(text) > LEAST_CHARS:
            yield f"{name}/{_FOLDERS.sub('', path).removesuffix('.txt')}", text


def _sections(path: str, text: str, language: str) -> Iterator[Section]:
    if language == "man":
        yield from _page(path, text)
        return
    pattern = _RST if path.endswith(".rst") else _MARKDOWN
    fences = [] if pattern is _RST else [match.span() for match in _FENCE.finditer(text)]
    heads = [
        match
        for match in pattern.finditer(text)
        if not any(start <= match.start() < end for start, end in fences)
    ]
    starts = [*(match.start() for match in heads), len(text)]
    for match, (start, end) in zip(heads, pairwise(starts), strict=True):
        first = text.count("\n", 0, start) + 1
        cut = range(first, first + match[0].rstrip("\n").count("\n") + 1)
        last = first + text[start:end].rstrip().count("\n")
        title = _MARKUP.sub(_inside, match["title"])
        yield Section(
            path, " ".join(title.split()), cut, last, len(text[match.end() : end].strip())
        )


def _page(path: str, text: str) -> Iterator[Section]:
    """Read a manual page's NAME: what stands after the dash, or in mdoc's `.Nd`."""
    match = _MAN_NAME.search(text)
    if match is None:
        return
    said = _ROFF.sub("", match["said"])
    if ".Nd " in said:
        title = said.rpartition(".Nd ")[2].partition("\n")[0]
    else:
        title = re.split(r"\\\(em|\\-|\s-\s", " ".join(said.split()), maxsplit=1)[-1]
    first = text.count("\n", 0, match.start()) + 1
    cut = range(first, first + match[0].count("\n"))
    title = " ".join(title.replace("\\", "").replace('"', "").split()).rstrip(".")
    yield Section(path, title, cut, text.rstrip().count("\n") + 1, len(text))


def _inside(match: re.Match[str]) -> str:
    return next((group for group in match.groups() if group), " ")


def _is_fit(one: Section, language: str) -> bool:
    if _DULL.match(one.title):
        return False
    if language == "zh":
        return len(_HAN.findall(one.title)) >= 5 and one.size >= LEAST_CHARS / 2
    return 3 <= len(one.title.split()) <= 30 and one.size >= LEAST_CHARS


def _record(one: Section, chosen: Sequence[Section], repo: str, language: str) -> dict[str, Any]:
    """Describe a question; its lines are those after all cuts in its file."""
    cuts = [line for other in chosen if other.path == one.path for line in other.cut]
    first = one.cut.stop - sum(line < one.cut.stop for line in cuts)
    last = one.last - sum(line <= one.last for line in cuts)
    return {
        "query": one.title,
        "relevant": [one.path],
        "spans": [[one.path, max(1, 1 if language == "man" else first), last]],
        "repo": repo,
        "language": "zh" if language == "zh" else "en",
        "names_file": spells_a_stem(one.title, [one.path]),
    }
