"""Docstrings and leading comments of Python code, with what they describe."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

from pairs import Pair, Source, length_in_words, question_of, window_of

_COMMENT_LINES = 12
"""What an inline comment is taken to speak of: so many lines below it, while not dedented."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def python_pairs(source: Source) -> Iterator[Pair]:
    """Yield docstring to definition, and comment to the lines below it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    lines = source.text.split("\n")
    for node in ast.walk(tree):
        if isinstance(node, Definition):
            yield from _definition_pair(source, lines, node)
    yield from _comment_pairs(source, lines)


def _definition_pair(source: Source, lines: list[str], node: Definition) -> Iterator[Pair]:
    docstring = ast.get_docstring(node, clean=True)
    question = question_of(docstring) if docstring else None
    if question is None:
        return
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)]) - 1
    text = node.body[0]
    body = lines[first : text.lineno - 1] + lines[text.end_lineno : node.end_lineno]
    if len(node.body) == 1 and not isinstance(node, ast.ClassDef):
        return  # nothing but a docstring: an abstract method
    window = window_of(source, "\n".join(body))
    if window:
        kind = "class" if isinstance(node, ast.ClassDef) else "function"
        yield Pair(question, window, source.package, f"python {kind}")


_COMMENT = re.compile(r"^(\s+)# ?(.*)$")


def _comment_pairs(source: Source, lines: list[str]) -> Iterator[Pair]:
    row = 0
    while row < len(lines):
        match = _COMMENT.match(lines[row])
        if not match:
            row += 1
            continue
        said = []
        while row < len(lines) and (more := _COMMENT.match(lines[row])):
            said.append(more[2])
            row += 1
        question = question_of("\n".join(said))
        if question is None or length_in_words(question) < 5:
            continue
        below = _indented(lines[row : row + _COMMENT_LINES], match[1])
        if len(below) >= 3 and (window := window_of(source, "\n".join(below))):
            yield Pair(question, window, source.package, "python comment")


def _indented(lines: list[str], indent: str) -> list[str]:
    kept = []
    for line in lines:
        if line.strip() and not line.startswith(indent):
            break
        kept.append(line)
    return kept
