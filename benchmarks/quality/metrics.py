"""How good is a ranking of files, and is one better than the other? Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from math import log2

import numpy as np

RESAMPLES = 5_000
SEED = 0


@dataclass(frozen=True, slots=True)
class Scores:
    """What one ranking is worth, each from 0 to 1; a file's second hit only takes up its place."""

    ndcg_10: float
    mrr: float
    recall_5: float
    recall_10: float
    recall_50: float


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean of paired differences, and the interval that holds it in 95 % of resamples."""

    mean: float
    low: float
    high: float


MEASURES = tuple(field.name for field in fields(Scores))


def score(ranked: Sequence[str], relevant: Collection[str]) -> Scores:
    """Score a ranking of paths, best first."""
    places = sorted(ranked.index(path) + 1 for path in set(relevant).intersection(ranked))
    ideal = sum(1 / log2(place + 1) for place in range(1, min(10, len(relevant)) + 1))
    return Scores(
        ndcg_10=sum(1 / log2(place + 1) for place in places if place <= 10) / ideal,
        mrr=1 / places[0] if places else 0.0,
        recall_5=sum(place <= 5 for place in places) / len(relevant),
        recall_10=sum(place <= 10 for place in places) / len(relevant),
        recall_50=sum(place <= 50 for place in places) / len(relevant),
    )


def mean(scores: Sequence[Scores]) -> Scores:
    """Average each measure over the questions."""
    return Scores(*(float(np.mean([getattr(s, name) for s in scores])) for name in MEASURES))


def compare(base: Sequence[float], other: Sequence[float]) -> Difference:
    """Take the mean of `other - base`, question by question, with its bootstrap interval."""
    gains = np.asarray(other) - np.asarray(base)
    drawn = np.random.default_rng(SEED).integers(0, len(gains), (RESAMPLES, len(gains)))
    low, high = np.percentile(gains[drawn].mean(axis=1), [2.5, 97.5])
    return Difference(float(gains.mean()), float(low), float(high))
