"""BM25 and nothing else, as a yardstick: blocks of lines, identifiers split, no stop words.

Robertson and Zaragoza 2009, with Lucene's inverse document frequency, which is never negative.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
from asking import RESULTS, Answer, Answers, in_fresh_process, peak_mb
from questions import Place, Question

from scrubjay.words import words

K1 = 1.2
B = 0.75
BLOCK_LINES = 40
MOST_BYTES = 524_288


@dataclass(frozen=True, slots=True)
class Bm25:
    """The contestant: a block is read with its path, and its best block stands for a file."""

    name: str = "bm25"

    def ask(self, trees: Path, questions: Sequence[Question]) -> Answers:
        """Index each tree in memory and answer."""
        return in_fresh_process(_ask, trees, tuple(questions))


class Blocks:
    """Blocks of text, and in which of them each word is how often."""

    def __init__(self, blocks: Sequence[tuple[Place, str]]) -> None:
        self.places = [place for place, _ in blocks]
        postings: dict[str, tuple[list[int], list[int]]] = {}
        lengths = []
        for number, (place, text) in enumerate(blocks):
            counted = Counter(words(f"{place.path}\n{text}"))
            lengths.append(counted.total())
            for word, count in counted.items():
                held = postings.setdefault(word, ([], []))
                held[0].append(number)
                held[1].append(count)
        self._postings = {
            word: (np.array(numbers), np.array(counts, np.float32))
            for word, (numbers, counts) in postings.items()
        }
        self._norm = K1 * (1 - B + B * np.array(lengths) / max(1.0, float(np.mean(lengths))))

    def rank(self, query: str) -> list[Place]:
        """List the best block of each of the best files."""
        scores = np.zeros(len(self.places), np.float64)
        for word in dict.fromkeys(words(query)):
            if word in self._postings:
                numbers, counts = self._postings[word]
                share = (len(self.places) - len(numbers) + 0.5) / (len(numbers) + 0.5)
                scores[numbers] += (
                    np.log1p(share) * counts * (K1 + 1) / (counts + self._norm[numbers])
                )
        best: dict[str, Place] = {}
        for number in np.argsort(-scores, kind="stable"):
            place = self.places[number]
            if scores[number] <= 0 or len(best) == RESULTS:
                break
            best.setdefault(place.path, place)
        return list(best.values())


def _ask(trees: Path, questions: Sequence[Question]) -> Answers:
    answers = []
    for repo, asked in groupby(questions, key=lambda question: question.repo):
        blocks = Blocks(list(_blocks(trees / repo)))
        for question in asked:
            start = time.perf_counter()
            ranked = blocks.rank(question.query)
            answers.append(Answer(tuple(ranked), time.perf_counter() - start))
    return Answers(tuple(answers), peak_mb())


def _blocks(tree: Path) -> Iterator[tuple[Place, str]]:
    for file in sorted(tree.rglob("*")):
        path = file.relative_to(tree).as_posix()
        is_hidden = any(part.startswith(".") for part in path.split("/"))
        if is_hidden or not file.is_file() or file.stat().st_size > MOST_BYTES:
            continue
        data = file.read_bytes()
        if b"\0" in data[:8_000]:
            continue
        lines = data.decode("utf-8", "replace").split("\n")
        for start in range(0, len(lines), BLOCK_LINES):
            block = lines[start : start + BLOCK_LINES]
            yield Place(path, start + 1, start + len(block)), "\n".join(block)
