"""What a pair is, and how a comment becomes a question."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

WINDOW_CHARS = 600
"""As the index cuts (settings: embed.window_chars)."""


@dataclass(frozen=True)
class Pair:
    """A question-like text and the window that answers it: path, newline, text, as indexed."""

    question: str
    document: str
    package: str
    kind: str


@dataclass(frozen=True)
class Source:
    """One file of a package."""

    path: str
    text: str
    package: str


_MARKUP = re.compile(
    r":[a-z:]+:`~?([^`<]*)[^`]*`|``?([^`]+)`?`|\{@\w+\s+([^}|]+)[^}]*\}|"
    r"\[([^\]]+)\]\([^)]*\)|</?[a-zA-Z][^>]*>"
)
_SENTENCE_END = re.compile(
    r"(?<=[a-z0-9)`'\"])[.:!?](?=\s|$)|\n\s*\n|\n\s*[@:\-*>]|[\u3002\uff01\uff1f\uff1b]"
)
_DIRECTIVE = re.compile(
    r"(?i)^(todo|fixme|xxx|noqa|type:|pragma|pylint|eslint|prettier|istanbul|ts-|c8 |copyright|"
    r"licen[sc]e|spdx|@|deprecated|see |note:?$|example|internal|private|returns?:|args:|"
    r"auto-?generated)"
)


def question_of(comment: str) -> str | None:
    """Take a comment's first sentence as a question; None if it says too little or is no prose."""
    text = _MARKUP.sub(lambda m: next((g for g in m.groups() if g), " "), comment.strip())
    if _DIRECTIVE.match(text):
        return None
    first = " ".join(_SENTENCE_END.split(text, maxsplit=1)[0].split())
    count = length_in_words(first)
    letters = sum(c.isalpha() or c == " " for c in first)
    if not 3 <= count <= 50 or letters < 0.8 * len(first) or len(first) > 300:
        return None
    return first


_HAN = re.compile(r"[\u4e00-\u9fff]")


def length_in_words(text: str) -> int:
    """Count words; Chinese, which writes no spaces, at two characters each."""
    return len(_HAN.sub("", text).split()) + len(_HAN.findall(text)) // 2


def window_of(source: Source, code: str) -> str | None:
    """Make the window the index would embed; of long definitions sometimes the second one."""
    code = code.strip("\n")
    if len(code.strip()) < 50:
        return None
    start = 0
    if len(code) > 2 * WINDOW_CHARS and _draw(code) < 64:
        start = code.find("\n", WINDOW_CHARS - 80) + 1
    window = code[start : start + WINDOW_CHARS]
    if max(map(len, window.split("\n"))) > 400:
        return None
    return f"{source.path}\n{window}"


def _draw(text: str) -> int:
    """A number of 0-255 that depends on nothing but the text."""
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=1).digest()[0]
