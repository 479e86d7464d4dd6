"""Packages of one language as questions: what is said of a function asks for the function.

All comments and docstrings of functions are cut out of the tree, so that only code can answer.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from comments import Function, without_comments
from packages import Package, files_of
from questions import spells_a_stem

from scrubjay.words import words

SEED = 0
LARGEST_SHARE = 1 / 3
"""Of the questions, that one package may give."""

SUFFIXES = {
    "python": (".py",),
    "javascript": (".js", ".mjs"),
    "typescript": (".ts", ".tsx"),
    "java": (".java",),
    "go": (".go",),
    "rust": (".rs",),
    "c": (".c", ".h"),
    "c++": (".cc", ".cpp", ".h", ".hpp"),
    "ruby": (".rb",),
    "php": (".php",),
}
_ASIDE = re.compile(
    r"(?i)(?:^|/)(?:tests?|testing|testdata|__tests__|specs?|fixtures|examples?|samples?|docs?"
    r"|bench(?:marks?)?|fuzz(?:ing)?|vendor|_vendor|third_party|contrib|debian|lang|locales?"
    r"|package-info\.java|module-info\.java)(?:/|$)"
    r"|(?:^|/)test_|[._-](?:test|tests|spec|bench|d)\.\w+$|\.min\.|_pb2\.py$"
)


def questions_from(
    packages: Sequence[Package], language: str, target: Path, count: int
) -> tuple[int, list[dict[str, Any]]]:
    """Write the packages' sources without what is said of functions, and sample questions.

    Returns how many functions the tree holds, and the records. A sentence that is said of several
    functions, or is still in the tree, is no question.
    """
    functions: list[Function] = []
    tree: list[str] = []
    for package in packages:
        for path, text in _sources(package, language):
            left, found = without_comments(f"{_short(package)}/{path}", text, language)
            file = target / _short(package) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(left, "utf-8", newline="")
            functions += found
            tree.append(f" {' '.join(words(left))} ")
    said = Counter(" ".join(words(one.sentence)) for one in functions if one.sentence)
    unique = [one for one in functions if one.sentence and said[" ".join(words(one.sentence))] == 1]
    random.Random(SEED).shuffle(unique)
    chosen = _answered_by_code(unique, "\n".join(tree), count)
    return len(functions), [_record(one, language, target.name) for one in chosen]


def _sources(package: Package, language: str) -> Iterator[tuple[str, str]]:
    for path, data in files_of(package):
        if path.endswith(SUFFIXES[language]) and not _ASIDE.search(path):
            text = data.decode("utf-8", "replace").replace("\r\n", "\n")
            if text.strip():
                yield path, text


def _short(package: Package) -> str:
    """Name a package's folder: as its project does, not as a distribution does."""
    name = package.name.rpartition("/")[2].lower().removesuffix("-dev")
    if name.startswith("golang-"):
        return name.rpartition("-")[2]
    return re.sub(r"^(?:librust|ruby|php|lib)-|^lib(?=commons)|-java$", "", name)


def _answered_by_code(candidates: Sequence[Function], tree: str, count: int) -> list[Function]:
    chosen: list[Function] = []
    taken: Counter[str] = Counter()
    for one in candidates:
        package = one.path.partition("/")[0]
        if len(chosen) == count:
            break
        if taken[package] >= count * LARGEST_SHARE or not one.sentence:
            continue
        if f" {' '.join(words(one.sentence))} " not in tree:
            chosen.append(one)
            taken[package] += 1
    return chosen


def _record(one: Function, language: str, repo: str) -> dict[str, Any]:
    sentence = one.sentence or ""
    return {
        "query": sentence,
        "relevant": [one.path],
        "spans": [[one.path, one.first, one.last]],
        "repo": repo,
        "language": language,
        "function": one.name,
        "names_file": spells_a_stem(sentence, [one.path]),
        "names_function": one.name.lower() in map(str.lower, sentence.split()),
    }
