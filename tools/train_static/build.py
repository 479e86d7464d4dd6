"""The whole way from packages to the artefact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

import numpy as np
from archives import Package, archives_in
from corpus import number_pairs
from distil import choose_vocabulary, distil
from evaluate import Figures, evaluate
from fetch import fetch_packages
from harvest import BENCHMARKS, HELD_OUT, Harvest, harvest
from pack import copy_licence, quantise, write_artefact
from pairs import Pair
from teacher import HASHES, MODEL, REVISION, WHEEL, fetch_teacher
from train import Recipe, train

from scrubjay import words

ENTRIES = 40_000
"""Of the vocabulary: 10 MB of int8 rows."""

COUNTED = 4
"""Words are counted in every fourth pair."""


def build(work: Path, out: Path) -> None:
    """Fetch, harvest, distil, train, measure and write."""
    teacher = fetch_teacher(work / "teacher")
    fetch_packages(work / "packages")
    archives = archives_in(work / "packages")
    learnt, unseen = harvest(archives), harvest(archives, held_out=True)
    frequency = count_words(learnt.pairs)
    vocabulary = choose_vocabulary(teacher, frequency, ENTRIES)
    first = distil(teacher, vocabulary, frequency)
    recipe = Recipe()
    tuned = train(first, number_pairs(learnt.pairs, vocabulary), recipe)
    test = number_pairs(unseen.pairs, vocabulary)
    figures = {"distilled": evaluate(first, test), "trained": evaluate(rounded(tuned), test)}
    write_artefact(out, vocabulary, tuned, facts(learnt, unseen, recipe, figures))
    copy_licence(work / "teacher", out)


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


def facts(
    learnt: Harvest, unseen: Harvest, recipe: Recipe, figures: dict[str, list[Figures]]
) -> dict[str, object]:
    """Collect what MODEL.json says besides the files: sources, recipe, figures, packages."""
    return {
        "teacher": {
            "model": MODEL,
            "revision": REVISION,
            "licence": "Apache-2.0",
            "wheel": WHEEL,
            "sha256": HASHES,
        },
        "recipe": asdict(recipe),
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
