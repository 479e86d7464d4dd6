"""How well are held-out texts told apart? By language and kind, in pools of one size."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from encoder import Encoded, Encoder
from pairs import Pair
from tune import max_sim

POOL = 100
FEWEST = 50
SEED = 1
BLOCK = 20


@dataclass(frozen=True)
class Found:
    """MRR of the right text in a pool: by late interaction, by means, and by both together."""

    questions: int
    maxsim: float
    cosine: float
    both: float


@torch.inference_mode()
def tell_apart(encoder: Encoder, pairs: Sequence[Pair], pieces: int) -> dict[str, Found]:
    """Ask each kind's questions of its pool."""
    kinds: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        kinds[pair.kind].append(pair)
    found = {}
    for kind, held in sorted(kinds.items()):
        if len(held) < FEWEST:
            continue
        chosen = random.Random(SEED).sample(held, min(POOL, len(held)))
        questions = [encoder.encode([p.question], 64) for p in chosen]
        blocks = [chosen[i : i + BLOCK] for i in range(0, len(chosen), BLOCK)]
        texts = [encoder.encode([p.document for p in block], pieces) for block in blocks]
        scores = [torch.stack([_ask(q, t) for q in questions], 1) for t in texts]
        maxsim, cosine = torch.cat([s[0] for s in scores], 1), torch.cat([s[1] for s in scores], 1)
        found[kind] = Found(len(chosen), _mrr(maxsim), _mrr(cosine), _mrr(2 * maxsim + cosine))
    return found


def _ask(question: Encoded, texts: Encoded) -> torch.Tensor:
    return torch.stack([max_sim(question, texts)[0], (question.pooled @ texts.pooled.T)[0]])


def _mrr(scores: torch.Tensor) -> float:
    right = scores.diagonal()[:, None]
    ranks = (scores > right).sum(1) + 1
    return float((1 / ranks).where(ranks <= 10, 0).mean())
