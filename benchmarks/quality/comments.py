"""What is said of a function, in any of ten languages: found, turned into a question, cut out."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scrubjay.chunk.document import chunk_document
from scrubjay.sections import ChunkSettings
from scrubjay.types import Document, Span

FEWEST_WORDS = 5
MOST_WORDS = 40
LEAST_CODE = 50
"""Characters a function must have without its comment to be asked for."""

_KINDS = frozenset({"function", "method", "constructor"})
_BLOCK = r"/\*.*?\*/"
_LEADING = {
    "ruby": re.compile(r"(?:[ \t]*#[^\n]*(?:\n|$))+"),
    "": re.compile(rf"(?:[ \t]*(?:{_BLOCK}|//[^\n]*)[ \t]*(?:\n[ \t]*)*\n?)+", re.DOTALL),
}
_GUTTER = re.compile(r"(?m)^[ \t]*(?:/\*+!?|\*+/|//[/!]?|\*+(?!/)|#+)?[ \t]?|\*+/[ \t]*$")
_LINK = re.compile(r"\[([^\]]+)\](?:\([^)]*\))?")
_MARKUP = re.compile(
    r":[a-z:]+:`~?([^`<]*)[^`]*`|``?([^`]+)`?`|\{@\w+\s+([^}|]+)[^}]*\}|</?[a-zA-Z][^>]*>"
)
_TAG = re.compile(r"(?m)^[@\\](?:summary|description|desc|brief|short|details)\b[ \t]*")
_END = re.compile(
    r"(?<=[^.\s][.!?])(?<!i\.e\.)(?<!e\.g\.)(?<!etc\.)\s|:\s*(?:\n|$)|\n\s*\n|\n\s*(?:[@\\:]\w|[-*+>]\s|```|>>>|=begin)"
)
_NO_PROSE = re.compile(
    r"(?i)^(?:todo|fixme|xxx|hack|noqa|eslint|istanbul|prettier|ts-|@|\\|copyright|licen[sc]e|spdx"
    r"|deprecated|see |note\b|example|internal|private|returns?:|args:|auto-?generated|inheritdoc"
    r"|requires:|[-=*#_]{3})"
)
_NO_FUNCTION = re.compile(r"\s*(?:class|struct|interface|enum|union)\b")
"""What a macro before a name lets a parser take for a function."""


@dataclass(frozen=True, slots=True)
class Function:
    """One function of a file without comments before functions; lines are 1-based and inclusive.

    `sentence` is what was said of it first, None where that is too little to be a question.
    """

    path: str
    name: str
    first: int
    last: int
    sentence: str | None


@dataclass(frozen=True, slots=True)
class _Place:
    """A function in the text as it came: its lines, and those of what is said of it."""

    name: str
    first: int
    last: int
    said: str = ""
    cut: range = range(0)


def without_comments(path: str, text: str, language: str) -> tuple[str, list[Function]]:
    """Cut what is said of functions out of a file, and find the functions in what is left."""
    lines = text.splitlines(keepends=True)
    found = _python_places(text) if language == "python" else _places(text, language)
    places = list({(place.first, place.last): place for place in found}.values())
    cut = {line for place in places for line in place.cut}
    gone = [0]
    for line in range(1, len(lines) + 1):
        gone.append(gone[-1] + (line in cut))
    kept = "".join(line for number, line in enumerate(lines, 1) if number not in cut)
    functions = []
    for place in places:
        first, last = place.first - gone[place.first - 1], place.last - gone[place.last]
        code = "".join(kept.splitlines(keepends=True)[first - 1 : last])
        is_fit = place.said and last > first and len(code.strip()) >= LEAST_CODE
        named_first = place.name if language == "go" else ""
        sentence = question_from(place.said, named_first) if is_fit else None
        functions.append(Function(path, place.name, first, last, sentence))
    return kept, functions


def question_from(comment: str, name: str = "") -> str | None:
    """Take the first sentence; without the function's `name` if given and it begins with that."""
    text = _LINK.sub(r"\1", _GUTTER.sub("", comment).strip())
    text = _MARKUP.sub(lambda match: next((g for g in match.groups() if g), " "), text)
    if tag := _TAG.search(text):
        text = text[tag.end() :]
    if _NO_PROSE.match(text):
        return None
    sentence = " ".join(_END.split(text, maxsplit=1)[0].split()).rstrip(".!:")
    head, _, rest = sentence.partition(" ")
    if name and head.rstrip("():,").rpartition(".")[2].lower() == name.lower():
        sentence = rest
    letters = sum(c.isalpha() or c == " " for c in sentence)
    is_prose = letters >= 0.8 * len(sentence) and sentence.isascii()
    count = len(sentence.split())
    return sentence if is_prose and FEWEST_WORDS <= count <= MOST_WORDS else None


def _places(text: str, language: str) -> Iterator[_Place]:
    document = Document(text, language, "utf-8")
    definitions = chunk_document(document, ChunkSettings(parse_deadline_s=10)).definitions
    leading = _LEADING.get(language, _LEADING[""])
    for definition in definitions:
        span = definition.span
        match = leading.match(text, span.start, span.end)
        said = match[0].rstrip() if match else ""
        if definition.kind not in _KINDS or _NO_FUNCTION.match(text, span.start + len(said)):
            continue
        lead = _Lead(span.first_line, said) if said else _apart(text, span)
        after = text[span.start + len(said) : span.end]
        if not lead.said or (said and after.partition("\n")[0].strip()):
            yield _Place(definition.name, span.first_line, span.last_line)
            continue
        cut = range(lead.line, lead.line + lead.said.count("\n") + 1)
        blank = len(after) - len(after.lstrip()) if said else 0
        first = max(span.first_line + said.count("\n") + after[:blank].count("\n"), cut.stop)
        yield _Place(definition.name, first, span.last_line, _last_part(lead.said), cut)


@dataclass(frozen=True, slots=True)
class _Lead:
    """Comments before a function, on lines of their own, and the first of these lines."""

    line: int = 0
    said: str = ""


def _apart(text: str, span: Span) -> _Lead:
    """Find a block comment that one blank line parts from its function."""
    before = text[: span.start].rstrip()
    gap = text.count("\n", len(before), span.start)
    start = before.rfind("/*")
    line_start = text.rfind("\n", 0, start) + 1
    if not before.endswith("*/") or gap > 2 or start < 0 or text[line_start:start].strip():
        return _Lead()
    return _Lead(text.count("\n", 0, start) + 1, before[start:])


def _last_part(said: str) -> str:
    """Keep the last block, or the lines after it."""
    if not said.endswith("*/"):
        return said.rpartition("*/")[2]
    return said[said.rfind("/*") :]


def _python_places(text: str) -> Iterator[_Place]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(module):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
        last = node.end_lineno or node.lineno
        said, cut = ast.get_docstring(node) or "", range(0)
        if said and len(node.body) > 1:
            begin, end = node.body[0].lineno, node.body[0].end_lineno or node.body[0].lineno
            if node.lineno < begin and end < _first_line(node.body[1]):
                cut = range(begin, end + 1)
        yield _Place(node.name, first, last, said if cut else "", cut)


def _first_line(node: ast.stmt) -> int:
    decorators: Iterable[ast.expr] = getattr(node, "decorator_list", ())
    return min([node.lineno, *(one.lineno for one in decorators)])
