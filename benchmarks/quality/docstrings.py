"""A Python tree as questions: a docstring's first sentence asks for the file of its function.

The docstring is cut out of a copy of the tree, so that only the code can answer.
"""

from __future__ import annotations

import ast
import random
import re
import shutil
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from questions import spells_a_stem

FEWEST_WORDS = 5
MOST_WORDS = 40
SEED = 0

_ASIDE = re.compile(r"(?:^|/)(?:tests?|docs?|examples?|site-packages|\.\w+)/|(?:^|/)test_[^/]*$")
_SENTENCE_END = re.compile(r"(?<=[^.][.!?])\s")


@dataclass(frozen=True, slots=True)
class Documented:
    """A function and its docstring's first sentence; `first` and `last` are the lines of it."""

    path: str
    name: str
    sentence: str
    first: int
    last: int


def questions_from(tree: Path, target: Path, count: int) -> list[dict[str, Any]]:
    """Sample functions whose first sentence is said once in the tree; write the tree without them.

    Tests, documentation and examples stay in the tree, but are not asked for.
    """
    found = [documented for path in _modules(tree) for documented in _functions(tree, path)]
    said = Counter(documented.sentence.lower() for documented in found)
    unique = [documented for documented in found if said[documented.sentence.lower()] == 1]
    chosen = random.Random(SEED).sample(unique, min(count, len(unique)))
    shutil.copytree(
        tree,
        target,
        symlinks=True,
        ignore=shutil.ignore_patterns("__pycache__", "site-packages", ".git"),
    )
    for path in {documented.path for documented in chosen}:
        _cut(target / path, [documented for documented in chosen if documented.path == path])
    return [
        {
            "query": documented.sentence,
            "relevant": [documented.path],
            "repo": target.name,
            "function": documented.name,
            "names_file": spells_a_stem(documented.sentence, [documented.path]),
        }
        for documented in chosen
    ]


def _modules(tree: Path) -> Iterator[str]:
    for path in sorted(tree.rglob("*.py")):
        relative = path.relative_to(tree).as_posix()
        if path.is_file() and not path.is_symlink() and not _ASIDE.search(relative):
            yield relative


def _functions(tree: Path, path: str) -> Iterator[Documented]:
    """Find functions whose docstring stands on lines of its own and is not all of the body."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse((tree / path).read_bytes())
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(module):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        text = ast.get_docstring(node)
        if text is None or len(node.body) < 2:
            continue
        first, last = node.body[0].lineno, node.body[0].end_lineno or node.body[0].lineno
        sentence = _first_sentence(text)
        is_apart = node.lineno < first and last < node.body[1].lineno
        if is_apart and FEWEST_WORDS <= len(sentence.split()) <= MOST_WORDS:
            yield Documented(path, node.name, sentence, first, last)


def _first_sentence(docstring: str) -> str:
    paragraph = " ".join(re.split(r"\n\s*\n|>>>", docstring, maxsplit=1)[0].split())
    return _SENTENCE_END.split(paragraph, maxsplit=1)[0].rstrip(".")


def _cut(file: Path, documented: list[Documented]) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    for one in sorted(documented, key=lambda one: -one.first):
        del lines[one.first - 1 : one.last]
    file.write_bytes(b"".join(lines))
    ast.parse(file.read_bytes())
