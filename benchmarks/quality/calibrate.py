"""Fit how a score becomes a probability, and draw how well it does.

    python benchmarks/quality/calibrate.py --set FILE... [--trees DIR] [--fast] [--png FILE]

Asks every question of its own tree, and of another set's tree, where every hit is wrong. Half of
the questions fit the logistic (slope and intercept, see src/scrubjay/search/weights.py), the other
half are judged by it. Prints the constants, and what each threshold keeps and spares.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from math import log
from pathlib import Path

import numpy as np
from asking import Configuration, open_tree
from questions import TREES, Question, read_set

from scrubjay.app import Workspace
from scrubjay.search.weights import FUSED, profile_of
from scrubjay.sections import RerankSettings

SEED = 0
HITS = 10
BINS = 10
THRESHOLDS = (0.01, 0.02, 0.05, 0.08, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
NEWTON_STEPS = 50


@dataclass(frozen=True, slots=True)
class Asked:
    """One question put to one tree: its hits' raw scores, and which of them answer.

    `bare` are the scores without the role of the file: what a threshold looks at.
    """

    scores: tuple[float, ...]
    bare: tuple[float, ...]
    is_right: tuple[bool, ...]
    is_answerable: bool


def main() -> None:
    options = read_options()
    sets = [
        random.Random(SEED).sample(q, min(options.most, len(q))) for q in map(read_set, options.set)
    ]
    profile = profile_of(FUSED if options.fast else RerankSettings().model)
    asked = [
        ask(question, repo, options, is_answerable=repo == question.repo)
        for question, repo in chain.from_iterable(pair(sets))
    ]
    random.Random(SEED).shuffle(asked)
    half = len(asked) // 2
    slope, intercept = fit(*flatten(asked[:half]))
    print(f"slope {slope:.3f}, intercept {intercept:.3f}; now {profile.slope}, {profile.intercept}")
    judged = asked[half:]
    scores, labels = flatten(judged)
    probabilities = likely(scores, slope, intercept)
    print(f"Brier score {np.mean((probabilities - labels) ** 2):.4f}, of the mean alone", end=" ")
    print(f"{np.mean((labels.mean() - labels) ** 2):.4f}; {len(judged)} questions")
    for line in trade_offs(judged, slope, intercept):
        print(line)
    if options.png:
        draw(probabilities, labels, options.png)


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", type=Path, nargs="+", required=True)
    parser.add_argument("--trees", type=Path, nargs="+", default=[TREES])
    parser.add_argument("--fast", action="store_true", help="without the second stage")
    parser.add_argument("--most", type=int, default=150, help="questions of each set")
    parser.add_argument("--png", type=Path, help="where to draw the reliability diagram")
    return parser.parse_args()


def pair(sets: Sequence[Sequence[Question]]) -> Iterator[list[tuple[Question, str]]]:
    """Pair each question with its tree, and with the next tree of all, which cannot answer."""
    repos = list(dict.fromkeys(question.repo for questions in sets for question in questions))
    for question in chain.from_iterable(sets):
        other = repos[(repos.index(question.repo) + 1) % len(repos)]
        yield [(question, question.repo), (question, other)]


def ask(
    question: Question, repo: str, options: argparse.Namespace, *, is_answerable: bool
) -> Asked:
    tree = next(folder / repo for folder in options.trees if (folder / repo).is_dir())
    workspace = _opened(tree)
    report = workspace.search(question.query, fast=options.fast)
    profile = profile_of(report.reranker or FUSED)
    hits = report.hits[:HITS] if (report.reranker is None) == options.fast else ()
    right = tuple(is_answerable and hit.path in question.relevant for hit in hits)
    scores, bare = (
        tuple(
            (log(chance / (1 - chance)) - profile.intercept) / profile.slope for chance in chances
        )
        for chances in ([hit.score for hit in hits], [hit.chance for hit in hits])
    )
    return Asked(scores, bare, right, is_answerable)


@cache
def _opened(tree: Path) -> Workspace:
    overrides = {"rerank.threshold": 0.0, "rerank.deadline_s": 60.0}
    return open_tree(Configuration("calibrate", overrides), tree)


def flatten(asked: Sequence[Asked]) -> tuple[np.ndarray, np.ndarray]:
    scores = [score for one in asked for score in one.scores]
    labels = [float(right) for one in asked for right in one.is_right]
    return np.array(scores), np.array(labels)


def fit(scores: np.ndarray, labels: np.ndarray) -> tuple[float, float]:
    """Fit P(right) = 1 / (1 + exp(-(slope x score + intercept))) by Newton's method."""
    rows = np.stack([scores, np.ones_like(scores)], 1)
    weights = np.zeros(2)
    for _ in range(NEWTON_STEPS):
        chances = 1 / (1 + np.exp(-rows @ weights))
        slopes = rows * (chances * (1 - chances))[:, None]
        weights += np.linalg.solve(rows.T @ slopes + 1e-6 * np.eye(2), rows.T @ (labels - chances))
    return float(weights[0]), float(weights[1])


def likely(scores: np.ndarray, slope: float, intercept: float) -> np.ndarray:
    return 1 / (1 + np.exp(-(slope * scores + intercept)))


def trade_offs(asked: Sequence[Asked], slope: float, intercept: float) -> Iterator[str]:
    yield "| threshold | right hits kept | hits right | hits a question | silent if none answers |"
    yield "| --- | --- | --- | --- | --- |"
    for threshold in (0.0, *THRESHOLDS):
        kept = [likely(np.array(one.bare), slope, intercept) >= threshold for one in asked]
        right = sum(
            int(np.sum(k & np.array(a.is_right, bool))) for k, a in zip(kept, asked, strict=True)
        )
        shown = [int(k.sum()) for k, a in zip(kept, asked, strict=True) if a.is_answerable]
        silent = [not k.any() for k, a in zip(kept, asked, strict=True) if not a.is_answerable]
        most = sum(sum(one.is_right) for one in asked)
        cells = (right / most, right / max(1, sum(shown)), sum(shown) / len(shown), np.mean(silent))
        yield f"| {threshold:.2f} | {' | '.join(f'{cell:.3f}' for cell in cells)} |"


def draw(probabilities: np.ndarray, labels: np.ndarray, file: Path) -> None:
    """Draw the share of right hits against the probability they were given."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    bins = np.minimum((probabilities * BINS).astype(int), BINS - 1)
    filled = [b for b in range(BINS) if (bins == b).sum() >= 10]
    figure, axes = pyplot.subplots(figsize=(4.6, 4.6), dpi=110)
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=1, linestyle="--")
    given = [probabilities[bins == b].mean() for b in filled]
    found = [labels[bins == b].mean() for b in filled]
    errors = [(labels[bins == b].std() / (bins == b).sum() ** 0.5) * 1.96 for b in filled]
    axes.errorbar(given, found, yerr=errors, color="#1f5fa8", marker="o", capsize=3, linewidth=1.5)
    for x, y, b in zip(given, found, filled, strict=True):
        axes.annotate(
            f"{(bins == b).sum():,}", (x, y), (6, -10), textcoords="offset points", size=7
        )
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="score shown", ylabel="share of hits that answer")
    axes.set_title("Is a score a probability?", size=11)
    figure.tight_layout()
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file)


if __name__ == "__main__":
    main()
