"""Pairs as numbers: the rows each text stands for, exactly as the embedder cuts it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from pairs import Pair

from scrubjay import words
from scrubjay.models.wordpiece import WordPiece


@dataclass(frozen=True)
class Bags:
    """Row numbers of many texts, one after the other; text i is `rows[starts[i]:starts[i + 1]]`."""

    rows: np.ndarray
    starts: np.ndarray

    def __len__(self) -> int:
        return len(self.starts) - 1

    def take(self, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Concatenate some texts: their rows, and where each starts."""
        lengths = (self.starts[1:] - self.starts[:-1])[chosen]
        starts = np.zeros(len(chosen), np.int64)
        np.cumsum(lengths[:-1], out=starts[1:])
        at = np.arange(lengths.sum()) - np.repeat(starts - self.starts[chosen], lengths)
        return self.rows[at], starts


@dataclass(frozen=True)
class Corpus:
    """Questions, the windows that answer them, and the group (package) of each pair."""

    questions: Bags
    documents: Bags
    groups: np.ndarray
    kinds: list[str]


def number_pairs(pairs: Sequence[Pair], vocabulary: Sequence[str]) -> Corpus:
    """Cut all texts with a vocabulary; pairs with an unknown side are dropped."""
    cutter = WordPiece(vocabulary)
    names: dict[str, int] = {}
    questions, documents, groups, kinds = [], [], [], []
    for pair in pairs:
        asked, answer = _cut(cutter, pair.question), _cut(cutter, pair.document)
        if asked and answer:
            questions.append(asked)
            documents.append(answer)
            groups.append(names.setdefault(f"{pair.package} {pair.kind}", len(names)))
            kinds.append(pair.kind)
    return Corpus(bags_of(questions), bags_of(documents), np.array(groups, np.int32), kinds)


def _cut(cutter: WordPiece, text: str) -> list[int]:
    """List the rows of a text's distinct runs, as `StaticEmbedder` sums them."""
    return [row for run in dict.fromkeys(words.runs(text)) for row in cutter.rows_of_run(run)]


def bags_of(texts: Sequence[Sequence[int]]) -> Bags:
    """Store lists of rows end to end."""
    starts = np.zeros(len(texts) + 1, np.int64)
    np.cumsum([len(text) for text in texts], out=starts[1:])
    rows = np.fromiter((row for text in texts for row in text), np.int32, int(starts[-1]))
    return Bags(rows, starts)
