"""How good is a ranking of files, and is one better than the other? Pure."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from math import fsum, log2
from statistics import fmean

RESAMPLES = 5_000
SEED = 0
TAIL = 0.025
"""Share of resamples on either side of an interval, which therefore holds 95 % of them."""


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
    """A mean, and the interval that holds it in 95 % of resamples."""

    mean: float
    low: float
    high: float


MEASURES = tuple(field.name for field in fields(Scores))


def score(ranked: Sequence[str], relevant: Collection[str]) -> Scores:
    """Score a ranking of paths, best first; at least one must be relevant.

    nDCG of Järvelin and Kekäläinen (2002) with gain 1, the ideal cut at 10 as well.
    """
    places = sorted(ranked.index(path) + 1 for path in set(relevant).intersection(ranked))
    return score_places(places, len(relevant))


def score_places(places: Sequence[int], relevant: int) -> Scores:
    """Score the ranks, from 1 and rising, at which some of `relevant` files were found."""
    ideal = fsum(1 / log2(place + 1) for place in range(1, min(10, relevant) + 1))
    return Scores(
        ndcg_10=fsum(1 / log2(place + 1) for place in places if place <= 10) / ideal,
        mrr=1 / places[0] if places else 0.0,
        recall_5=sum(place <= 5 for place in places) / relevant,
        recall_10=sum(place <= 10 for place in places) / relevant,
        recall_50=sum(place <= 50 for place in places) / relevant,
    )


def mean(scores: Sequence[Scores]) -> Scores:
    """Average each measure over the questions."""
    return Scores(*(fmean(getattr(s, name) for s in scores) for name in MEASURES))


def compare(base: Sequence[float], other: Sequence[float]) -> Difference:
    """Take the mean of `other - base`, question by question, with its bootstrap interval."""
    return spread([after - before for before, after in zip(base, other, strict=True)])


def spread(values: Sequence[float]) -> Difference:
    """Take a mean with its bootstrap interval (Efron's percentiles); the same every time."""
    draw = random.Random(SEED).choices
    count = len(values)
    means = sorted(sum(draw(values, k=count)) / count for _ in range(RESAMPLES))
    edge = int(RESAMPLES * TAIL)
    return Difference(fmean(values), means[edge], means[-1 - edge])
