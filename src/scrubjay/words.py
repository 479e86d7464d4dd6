"""Which words does a text hold? One answer for index, embedder and questions; it never stems.

A run is a maximal stretch of letters, digits and `_`. Identifiers are split at underscores and case
borders (`parseHTTPResponse` -> parse http response; `utf8` stays whole), and stretches of Han, kana
and Hangul become overlapping pairs, because those scripts write no spaces.
"""

from __future__ import annotations

import re
import unicodedata

MAX_WORD_CHARS = 64
"""Longer words (base64, minified names) are cut: they would only fill the vocabulary."""

MAX_RUN_CHARS = 512
"""What of one run is looked at."""

_MEMO_RUNS = 400_000
"""A memo is emptied beyond this many runs: source code repeats its words, but not for ever."""

CJK = (
    "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Han, kana and Hangul, as the inside of a character class."""

_IS_CJK = re.compile(rf"[{CJK}]")
_ASCII_TABLE = "".join(c if c.isalnum() or c == "_" else " " for c in map(chr, range(128)))
"""Every other ASCII character becomes a space to split at: several times faster than a pattern."""

_RUN = re.compile(r"\w[\w\u0300-\u036f]*")
_ASCII_PART = re.compile(r"[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+(?:[0-9]+[a-z]*)*|[0-9]+[a-z]*")
_SCRIPT = re.compile(rf"[{CJK}]+|[^_{CJK}]+")


def runs(text: str) -> list[str]:
    """Cut text into raw runs as they are spelled: identifiers, numbers, words of any script."""
    return text.translate(_ASCII_TABLE).split() if text.isascii() else _RUN.findall(text)


def split_run(run: str) -> tuple[str, ...]:
    """Split one run into lower-case words, and its CJK stretches into character pairs.

    >>> split_run("getUserName")
    ('get', 'user', 'name')
    >>> split_run("用户登录")
    ('用户', '户登', '登录')
    """
    if run.isascii():
        if run.islower() and run.isalpha() and len(run) <= MAX_WORD_CHARS:
            return (run,)
        pieces = _ASCII_PART.findall(run[:MAX_RUN_CHARS])
    else:
        pieces = _split_unicode(unicodedata.normalize("NFC", run[:MAX_RUN_CHARS]))
    if len(run) <= MAX_WORD_CHARS:
        return tuple([piece.lower() for piece in pieces])
    return tuple(
        piece[i : i + MAX_WORD_CHARS].lower()
        for piece in pieces
        for i in range(0, len(piece), MAX_WORD_CHARS)
    )


def _split_unicode(run: str) -> list[str]:
    if run.islower() and run.isalpha() and not _IS_CJK.search(run):
        return [run]
    return [
        piece
        for stretch in _SCRIPT.findall(run)
        for piece in (_pairs(stretch) if _IS_CJK.match(stretch) else _split_at_case(stretch))
    ]


def _pairs(stretch: str) -> list[str]:
    return [stretch] if len(stretch) == 1 else [stretch[i : i + 2] for i in range(len(stretch) - 1)]


def _split_at_case(stretch: str) -> list[str]:
    if stretch.isascii():
        return _ASCII_PART.findall(stretch)
    pieces, start = [], 0
    for i in range(1, len(stretch)):
        if stretch[i].isupper() and stretch[i - 1].islower():
            pieces.append(stretch[start:i])
            start = i
    return [*pieces, stretch[start:]]


class _Memo(dict[str, str]):
    """Runs to their indexed spelling, filled on demand and bounded."""

    def __missing__(self, run: str) -> str:
        if len(self) >= _MEMO_RUNS:
            self.clear()
        spelled = self[run] = _spell_out(run)
        return spelled


_indexed = _Memo()


def _spell_out(run: str) -> str:
    split = split_run(run)
    if len(split) > 1 and len(run) <= MAX_WORD_CHARS and not _IS_CJK.search(run):
        return " ".join((*split, run.replace("_", "").lower()))
    return " ".join(split)


def words(text: str) -> list[str]:
    """List the lower-case words of a text in order, identifiers split, CJK in pairs."""
    return [word for run in runs(text) for word in split_run(run)]


def indexed_words(text: str) -> str:
    """Spell a text as the words the full-text index stores, parts and whole identifiers."""
    return " ".join(map(_indexed.__getitem__, runs(text)))


def is_compound(run: str) -> bool:
    """Say whether a run is an identifier of several parts (`get_user`): not CJK, not one word."""
    return len(split_run(run)) > 1 and not _IS_CJK.search(run)


def has_cjk(text: str) -> bool:
    """Say whether a text holds Han, kana or Hangul."""
    return bool(_IS_CJK.search(text))
