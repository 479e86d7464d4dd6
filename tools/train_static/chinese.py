"""Chinese in the table: which words it has, and where their rows start.

Rows of English stay as they are: Chinese comes to them. What a Chinese word means in English is
learnt from translations by IBM model 1 (Brown et al. 1993).
"""

from __future__ import annotations

import re
import subprocess
import tarfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from corpus import Bags, Corpus
from pairs import Pair
from translations import KIND

from scrubjay import words
from scrubjay.models.wordpiece import WordPiece

DICTIONARY = "@node-rs/jieba@2.0.3"
"""Holds jieba's list of Chinese words (MIT): candidates, of which those met in pairs are taken."""

ROUNDS = 8
_LONGEST_WORD = 4
_STRETCH = re.compile(rf"[{words.CJK}]+")
_HAN = re.compile(r"[\u3400-\u9fff]")


def fetch_dictionary(folder: Path) -> list[str]:
    """Download the list unless it is there; words of two to four characters and all characters."""
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob("*.tgz")):
        subprocess.run(["npm", "pack", "--silent", DICTIONARY], cwd=folder, check=True)
    with tarfile.open(next(folder.glob("*.tgz"))) as tarball:
        file = tarball.extractfile("package/dict.txt")
        lines = file.read().decode("utf-8").splitlines() if file else []
    candidates = (line.partition(" ")[0] for line in lines)
    return [w for w in candidates if len(w) <= _LONGEST_WORD and _STRETCH.fullmatch(w)]


def choose_words(pairs: list[Pair], candidates: list[str], size: int) -> list[str]:
    """List the most frequent Chinese words and characters of questions, once a text."""
    characters = sorted({c for pair in pairs for c in pair.question if _HAN.match(c)})
    entries = [*dict.fromkeys([*candidates, *characters])]
    cutter = WordPiece(entries)
    counted: Counter[str] = Counter()
    for pair in pairs:
        stretches = _STRETCH.findall(pair.question)
        found = {entries[row] for stretch in stretches for row in cutter.rows_of_run(stretch)}
        counted.update(found)
        # A character must be there alone, too, for words that are not.
        counted.update({c for word in found for c in word} - found)
    return [word for word, _ in counted.most_common(size)]


def is_chinese(entry: str) -> bool:
    """Say whether an entry is trained as Chinese."""
    return bool(_HAN.search(entry))


@dataclass(frozen=True)
class Lexicon:
    """Which English row a Chinese row stands for: parallel arrays, sorted by Chinese row.

    `shares` sum to one per Chinese row, over all it is aligned with.
    """

    chinese: np.ndarray
    english: np.ndarray
    shares: np.ndarray


def align(corpus: Corpus, chinese: np.ndarray) -> Lexicon:
    """Align the words of translations; `chinese` marks the rows of the vocabulary."""
    members = np.array([i for i, kind in enumerate(corpus.kinds) if kind == KIND])
    left, right = _edges(corpus.questions, corpus.documents, members, chinese)
    size = len(chinese)
    keys, places = np.unique(left.words * size + right.words, return_inverse=True)
    asked, answer = keys // size, keys % size
    chance = np.full(len(keys), 1.0)
    for _ in range(ROUNDS):
        weights = chance[places]
        # How likely an English word explains this one place of a Chinese word.
        whole = np.bincount(left.places, weights)
        counts = np.bincount(places, weights / whole[left.places])
        chance = counts / np.bincount(answer, counts, size)[answer]
    shares = counts / np.bincount(asked, counts, size)[asked]
    return Lexicon(asked, answer, shares)


@dataclass(frozen=True)
class _Edges:
    words: np.ndarray
    places: np.ndarray


def _edges(
    questions: Bags, documents: Bags, members: np.ndarray, chinese: np.ndarray
) -> tuple[_Edges, _Edges]:
    """List every Chinese word with every English word of the same pair."""
    asked, answers, places = [], [], []
    place = 0
    for member in members:
        left = np.unique(questions.rows[questions.starts[member] : questions.starts[member + 1]])
        right = np.unique(documents.rows[documents.starts[member] : documents.starts[member + 1]])
        left, right = left[chinese[left]], right[~chinese[right]]
        asked.append(np.repeat(left, len(right)))
        answers.append(np.tile(right, len(left)))
        places.append(np.repeat(np.arange(place, place + len(left)), len(right)))
        place += len(left)
    numbers = np.concatenate(places)
    return (
        _Edges(np.concatenate(asked).astype(np.int64), numbers),
        _Edges(np.concatenate(answers).astype(np.int64), numbers),
    )


_EMPTY = """
the of for to a an and or in on at by with is are be been was were this that these those it its as
from not no if can will you your when which has have must may should there their they all any only
please into than then but also such other each does do we
"""
"""English words that say nothing alone: no meaning of a Chinese word in a glossary."""

_CLEAR_SHARE = 0.15


def glossary(lexicon: Lexicon, vocabulary: list[str], chinese: np.ndarray) -> str:
    """Write a line per Chinese entry: the one or two English words it clearly stands for."""
    lines, nothing = [], set(_EMPTY.split())
    starts = np.searchsorted(lexicon.chinese, np.arange(len(vocabulary) + 1))
    for row in np.flatnonzero(chinese):
        part = slice(starts[row], starts[row + 1])
        best = np.argsort(-lexicon.shares[part])[:2]
        said = [
            vocabulary[lexicon.english[part][i]]
            for i in best
            if lexicon.shares[part][i] >= _CLEAR_SHARE
        ]
        meant = [w for w in said if w not in nothing and w.isalnum() and len(w) > 1]
        lines.append(f"{vocabulary[row]}\t{' '.join(meant)}\n")
    return "".join(lines)


def start_rows(rows: np.ndarray, lexicon: Lexicon, chinese: np.ndarray) -> np.ndarray:
    """Put each Chinese row at the mean of the English rows it stands for, by share squared."""
    weights = np.where(lexicon.shares > 0.02, lexicon.shares**2, 0)
    total = np.bincount(lexicon.chinese, weights, len(rows))
    known = weights > 0
    started = rows.copy()
    started[chinese] = np.random.default_rng(1).normal(0, 1e-3, (int(chinese.sum()), rows.shape[1]))
    started[np.unique(lexicon.chinese[known])] = 0
    factor = weights[known] / total[lexicon.chinese[known]]
    np.add.at(started, lexicon.chinese[known], rows[lexicon.english[known]] * factor[:, None])
    return started.astype(np.float32)
