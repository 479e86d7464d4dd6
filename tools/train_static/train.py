"""Contrastive training of the table: a question comes nearest to its own window in the batch.

InfoNCE in both directions (van den Oord et al. 2018). A batch is made of small groups from one
package and kind each, so that it holds easy and hard negatives at once.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from corpus import Bags, Corpus


@dataclass(frozen=True)
class Recipe:
    """The numbers of a training run; measured choices are explained in docs/models.md."""

    epochs: int = 3
    batch: int = 1024
    group: int = 64
    temperature: float = 0.05
    rate: float = 5e-3
    weight_rate: float = 2e-2
    seed: int = 20260


def train(
    rows: np.ndarray, corpus: Corpus, recipe: Recipe, moved: np.ndarray | None = None
) -> np.ndarray:
    """Tune rows (float32) on pairs; a row's length is its weight, learned on its own scale.

    With `moved`, a mask, only those rows change.
    """
    torch.manual_seed(recipe.seed)
    random = np.random.default_rng(recipe.seed)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True) + 1e-9
    table = torch.tensor(rows / lengths, requires_grad=True)
    weights = torch.tensor(np.log(lengths[:, 0]), dtype=torch.float32, requires_grad=True)
    if moved is not None:
        mask = torch.from_numpy(moved.astype(np.float32))
        table.register_hook(lambda gradient: gradient * mask[:, None])
        weights.register_hook(lambda gradient: gradient * mask)
    optimiser = torch.optim.Adam(
        [{"params": [table], "lr": recipe.rate}, {"params": [weights], "lr": recipe.weight_rate}],
        betas=(0.9, 0.98),
        fused=True,
    )
    steps = recipe.epochs * len(_batches(corpus, recipe, np.random.default_rng(0)))
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _pace(step, steps))
    started, done, total = time.process_time(), 0, 0.0
    for _ in range(recipe.epochs):
        for chosen in _batches(corpus, recipe, random):
            loss = _loss(table, weights, corpus, chosen, recipe.temperature)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            scheduler.step()
            done, total = done + 1, total + float(loss.detach())
            if done % 100 == 0:
                spent = time.process_time() - started
                print(f"step {done}/{steps} loss {total / 100:.3f} cpu {spent:.0f} s", flush=True)
                total = 0.0
    tuned: np.ndarray = (table.detach() * weights.detach().exp()[:, None]).numpy()
    return tuned


def _loss(
    table: torch.Tensor,
    weights: torch.Tensor,
    corpus: Corpus,
    chosen: np.ndarray,
    temperature: float,
) -> torch.Tensor:
    asked = _embed(table, weights, corpus.questions, chosen)
    answers = _embed(table, weights, corpus.documents, chosen)
    scores = asked @ answers.T / temperature
    right = torch.arange(len(chosen))
    return (F.cross_entropy(scores, right) + F.cross_entropy(scores.T, right)) / 2


def _embed(
    table: torch.Tensor, weights: torch.Tensor, bags: Bags, chosen: np.ndarray
) -> torch.Tensor:
    rows, starts = map(torch.from_numpy, bags.take(chosen))
    rows = rows.long()
    factors = weights.index_select(0, rows).exp()
    sums = F.embedding_bag(rows, table, starts, mode="sum", per_sample_weights=factors)
    return F.normalize(sums, dim=1)


def _pace(step: int, steps: int) -> float:
    """Warm up over the first 3 %, then fall to nothing along a cosine."""
    warm = max(1, steps // 33)
    if step < warm:
        return (step + 1) / warm
    return 0.5 * (1 + math.cos(math.pi * (step - warm) / max(1, steps - warm)))


def _batches(corpus: Corpus, recipe: Recipe, random: np.random.Generator) -> list[np.ndarray]:
    order = random.permutation(len(corpus.groups))
    order = order[np.argsort(corpus.groups[order], kind="stable")]
    borders = np.flatnonzero(np.diff(corpus.groups[order])) + 1
    pieces = [
        package[start : start + recipe.group]
        for package in np.split(order, borders)
        for start in range(0, len(package), recipe.group)
    ]
    random.shuffle(pieces)
    mixed = np.concatenate(pieces)
    count = len(mixed) // recipe.batch
    return [mixed[i * recipe.batch : (i + 1) * recipe.batch] for i in range(count)]
