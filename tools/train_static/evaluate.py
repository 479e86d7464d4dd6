"""How well does a table find the window a sentence speaks of? On packages it has not seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from corpus import Bags, Corpus

QUESTIONS = 1_000
"""Asked per kind; the standard error of an MRR is then about .013."""


@dataclass(frozen=True)
class Figures:
    """Of one kind of pair: mean reciprocal rank and recall at 10 over a pool of windows."""

    kind: str
    questions: int
    pool: int
    mrr_at_10: float
    recall_at_10: float


def evaluate(rows: np.ndarray, corpus: Corpus, least_pool: int = 150) -> list[Figures]:
    """Rank, for each kind, all its windows for up to 1,000 of its questions."""
    found = []
    kinds = np.array(corpus.kinds)
    for kind in sorted(set(corpus.kinds)):
        members = np.flatnonzero(kinds == kind)
        if len(members) >= least_pool:
            found.append(_evaluate_kind(kind, rows, corpus, members))
    return found


def _evaluate_kind(kind: str, rows: np.ndarray, corpus: Corpus, members: np.ndarray) -> Figures:
    asked = np.random.default_rng(7).permutation(len(members))[:QUESTIONS]
    answers = _embed(rows, corpus.documents, members)
    questions = _embed(rows, corpus.questions, members[asked])
    scores = questions @ answers.T
    right = scores[np.arange(len(asked)), asked]
    ranks = (scores >= right[:, None]).sum(1)  # of equals the last: no vector finds nothing
    reciprocal = np.where(ranks <= 10, 1 / ranks, 0)
    return Figures(
        kind, len(asked), len(members), float(reciprocal.mean()), float((ranks <= 10).mean())
    )


def _embed(rows: np.ndarray, bags: Bags, chosen: np.ndarray) -> np.ndarray:
    numbers, starts = bags.take(chosen)
    sums = np.add.reduceat(rows[numbers], starts, axis=0)
    return sums / (np.linalg.norm(sums, axis=1, keepdims=True) + 1e-9)
