"""Which vocabulary entries does a run of letters and digits stand for? WordPiece, greedy and exact.

Runs are split into words by `scrubjay.words`; a word is looked up whole, else cut into the longest
known beginning and the longest known continuations (`##ing`), as in Wu et al. 2016 and BERT. A word
with an unknown rest stands for nothing. Texts have no special tokens: `[CLS]` is the word `cls`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from scrubjay import words

_MEMO_WORDS = 100_000
"""A memo is emptied beyond this many words (about 15 MB)."""

_MAX_ASCII_PIECES = 24
"""An ASCII run of more pieces is a key, a hash or encoded data, and would drown its text."""

_KEPT_BYTES = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")
_RUN_BYTES = bytes(byte if byte in _KEPT_BYTES else 0x20 for byte in range(256))


def run_keys(text: str) -> list[bytes]:
    """List the runs of a text as UTF-8; equal to encoding `words.runs(text)`, several times faster.

    In ASCII text the regular expression is a table: each other byte becomes a space to split at.
    """
    if text.isascii():
        return text.encode("ascii").translate(_RUN_BYTES).split()
    return [run.encode("utf-8", "surrogatepass") for run in words.runs(text)]


class WordPiece:
    """Maps runs to rows of a vocabulary; remembers words it has cut."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._rows = {entry: row for row, entry in enumerate(vocabulary)}
        self._longest = max(map(len, vocabulary), default=0)
        self._memo: dict[str, tuple[int, ...]] = {}

    def rows_of_run(self, key: bytes) -> tuple[int, ...]:
        """List the rows a run (UTF-8) stands for, in order; empty where no word of it is known."""
        run = key.decode("utf-8", "surrogatepass")
        if key.islower() and key.isalpha() and len(key) <= words.MAX_WORD_CHARS:
            return self.rows_of_word(run)  # one word already: bytes are letters only in ASCII
        rows = tuple(row for word in words.split_run(run) for row in self.rows_of_word(word))
        return rows if len(rows) <= _MAX_ASCII_PIECES or not run.isascii() else ()

    def rows_of_word(self, word: str) -> tuple[int, ...]:
        """List the rows of one lower-case word; pairs of CJK characters fall back to characters."""
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
        if row is not None:
            return (row,)
        if words.has_cjk(word):
            return tuple(self._rows[c] for c in word if c in self._rows)
        return self._cut(word)

    def _cut(self, word: str) -> tuple[int, ...]:
        rows, start, prefix = [], 0, ""
        while start < len(word):
            for end in range(min(len(word), start + self._longest), start, -1):
                row = self._rows.get(prefix + word[start:end])
                if row is not None:
                    break
            else:
                return ()
            rows.append(row)
            start, prefix = end, "##"
        return tuple(rows)


def without_accents(word: str) -> str:
    """Drop combining marks, as uncased BERT vocabularies do: `café` -> `cafe`."""
    decomposed = unicodedata.normalize("NFD", word)
    bare = "".join(c for c in decomposed if unicodedata.category(c) != "Mn")
    return unicodedata.normalize("NFC", bare)
