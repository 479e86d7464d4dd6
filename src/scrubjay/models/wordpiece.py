"""Which vocabulary entries does a run of letters and digits stand for? WordPiece, greedy and exact.

Runs are split into words by `scrubjay.words`; a word is looked up whole, else cut into the longest
known beginning and the longest known continuations (`##ing`), as in Wu et al. 2016 and BERT. A word
with an unknown rest stands for nothing. Texts have no special tokens: `[CLS]` is the word `cls`.

Chinese, Japanese and Korean write no spaces: a stretch of them is cut at the longest known entry
from the left (forward maximum matching), and a character that no entry has is skipped.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from scrubjay import words

_MEMO_WORDS = 100_000
"""A memo is emptied beyond this many words (about 15 MB)."""

_MAX_ASCII_PIECES = 24
"""An ASCII run of more pieces is a key, a hash or encoded data, and would drown its text."""

_CONTINUES = "##"
_HEAD_CHARS = 2

_LETTERS = re.compile(rf"[A-Za-z0-9\u00c0-\u024f{words.CJK}]")
"""Scripts the vocabulary has words or word-like signs of; of others it has the alphabet."""

_STRETCH = re.compile(rf"[{words.CJK}]+|[^{words.CJK}]+")

WORDPIECE_VERSION = 3
"""Part of the space: raised when a run would stand for other rows of the same vocabulary."""


class WordPiece:
    """Maps runs to rows of a vocabulary; remembers words it has cut."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._rows = {entry: row for row, entry in enumerate(vocabulary)}
        self._reach = _reach_of_heads(vocabulary)
        self._memo: dict[str, tuple[int, ...]] = {}

    def rows_of_run(self, run: str) -> tuple[int, ...]:
        """List the rows a run stands for, in order; empty where no word of it is known.

        A run in a script of which the vocabulary knows single letters only stands for nothing: the
        sum of an alphabet would look like the sum of any other text in it.
        """
        if not run.isascii():
            if not _LETTERS.search(run):
                return ()
            if words.has_cjk(run):
                return self._rows_of_stretches(run)
        elif run.islower() and run.isalpha() and len(run) <= words.MAX_WORD_CHARS:
            return self.rows_of_word(run)
        split = words.split_run(run)
        if len(split) == 1:
            rows = self.rows_of_word(split[0])
        else:
            rows = tuple([row for word in split for row in self.rows_of_word(word)])
        return rows if len(rows) <= _MAX_ASCII_PIECES or not run.isascii() else ()

    def rows_of_word(self, word: str) -> tuple[int, ...]:
        """List the rows of one lower-case word without CJK characters."""
        known = self._memo.get(word)
        if known is None:
            if len(self._memo) >= _MEMO_WORDS:
                self._memo.clear()
            known = self._memo[word] = self._look_up(word)
        return known

    def _look_up(self, word: str) -> tuple[int, ...]:
        if not word.isascii():
            word = without_accents(word)
        row = self._rows.get(word)
        return self._cut(word) if row is None else (row,)

    def _rows_of_stretches(self, run: str) -> tuple[int, ...]:
        rows: list[int] = []
        for stretch in stretches(run):
            if words.has_cjk(stretch):
                rows += self._match_longest(stretch)
            else:
                rows += [
                    row for word in words.split_run(stretch) for row in self.rows_of_word(word)
                ]
        return tuple(rows)

    def _match_longest(self, stretch: str) -> Iterator[int]:
        """Yield the rows of the longest entries from left to right."""
        start = 0
        while start < len(stretch):
            reach = self._reach.get(stretch[start : start + _HEAD_CHARS], 1)
            for end in range(min(len(stretch), start + reach), start, -1):
                row = self._rows.get(stretch[start:end])
                if row is not None:
                    yield row
                    break
            start = end

    def _cut(self, word: str) -> tuple[int, ...]:
        rows, start, prefix = [], 0, ""
        while start < len(word):
            reach = self._reach.get(prefix + word[start : start + _HEAD_CHARS], 1)
            for end in range(min(len(word), start + reach), start, -1):
                row = self._rows.get(prefix + word[start:end])
                if row is not None:
                    break
            else:
                return ()
            rows.append(row)
            start, prefix = end, _CONTINUES
        return tuple(rows)


def stretches(run: str) -> list[str]:
    """Cut a run where Chinese, Japanese or Korean begins or ends."""
    return _STRETCH.findall(unicodedata.normalize("NFC", run[: words.MAX_RUN_CHARS]))


def _reach_of_heads(vocabulary: Sequence[str]) -> dict[str, int]:
    """Tell, for each beginning of two characters, how long the longest entry is that has it."""
    reach: dict[str, int] = {}
    for entry in vocabulary:
        mark = len(_CONTINUES) if entry.startswith(_CONTINUES) else 0
        head, length = entry[: mark + _HEAD_CHARS], len(entry) - mark
        if length > reach.get(head, 1):
            reach[head] = length
    return reach


def without_accents(word: str) -> str:
    """Drop combining marks, as uncased BERT vocabularies do: `café` -> `cafe`."""
    decomposed = unicodedata.normalize("NFD", word)
    bare = "".join(c for c in decomposed if unicodedata.category(c) != "Mn")
    return unicodedata.normalize("NFC", bare)
