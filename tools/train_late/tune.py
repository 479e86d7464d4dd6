"""Tune a MiniLM for late interaction: a question's words against a text's words, and their means.

InfoNCE over batches whose texts come half from one package (near negatives) and half from
anywhere; a text is the words the index would read (`scrubjay.words`), without punctuation.
"""

from __future__ import annotations

import math
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from encoder import Encoded, Encoder
from pairs import Pair

SEED = 0


@dataclass(frozen=True)
class Recipe:
    """How long and how fast to learn; `temperature` divides both kinds of score.

    `kept` is the share of what was learnt in the weights that are shipped, the rest being those
    that were published (Wortsman et al. 2022): questions unlike docstrings keep their answers.
    """

    pairs: int = 10_080
    batch: int = 24
    near_share: float = 0.5
    question_pieces: int = 40
    text_pieces: int = 128
    rate: float = 2e-5
    warm_up: float = 0.06
    temperature: float = 0.05
    decay: float = 0.01
    clip: float = 1.0
    kept: float = 0.7


def tune(encoder: Encoder, pairs: Sequence[Pair], recipe: Recipe, checkpoint: Path) -> None:
    """Tune in place, in steps that can be stopped: a checkpoint is written every few minutes."""
    batches = list(make_batches(pairs, recipe))
    optimiser = torch.optim.AdamW(encoder.parameters(), lr=recipe.rate, weight_decay=recipe.decay)
    first = _resume(encoder, optimiser, checkpoint)
    told = time.monotonic()
    losses: list[float] = []
    for step in range(first, len(batches)):
        for group in optimiser.param_groups:
            group["lr"] = recipe.rate * _pace(step / len(batches), recipe.warm_up)
        losses.append(_learn(encoder, optimiser, batches[step], recipe))
        if time.monotonic() - told > 120 or step == len(batches) - 1:
            told = time.monotonic()
            recent = sum(losses[-100:]) / len(losses[-100:])
            cpu = time.process_time()
            print(f"step {step + 1}/{len(batches)}: loss {recent:.3f}, {cpu:.0f} s", flush=True)
            _save(encoder, optimiser, step + 1, checkpoint)


def _pace(done: float, warm_up: float) -> float:
    """Rise to one, then fall to a tenth along a cosine."""
    if done < warm_up:
        return done / warm_up
    return 0.1 + 0.45 * (1 + math.cos(math.pi * (done - warm_up) / (1 - warm_up)))


def _learn(
    encoder: Encoder, optimiser: torch.optim.Optimizer, batch: list[Pair], recipe: Recipe
) -> float:
    questions = encoder.encode([p.question for p in batch], recipe.question_pieces)
    texts = encoder.encode([p.document for p in batch], recipe.text_pieces)
    wanted = torch.arange(len(batch))
    loss = torch.zeros(())
    for scores in (max_sim(questions, texts), questions.pooled @ texts.pooled.T):
        scores = scores / recipe.temperature
        loss = loss + F.cross_entropy(scores, wanted) + 0.5 * F.cross_entropy(scores.T, wanted)
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(list(encoder.parameters()), recipe.clip)
    optimiser.step()
    return float(loss)


def max_sim(questions: Encoded, texts: Encoded) -> torch.Tensor:
    """Score each question against each text: the mean over its words of their best match."""
    nearest = torch.einsum("qid,tjd->qtij", questions.words, texts.words)
    nearest = nearest.masked_fill(texts.mask[None, :, None, :] == 0, -1.0).amax(-1)
    weights = questions.mask / questions.mask.sum(1, keepdim=True)
    return torch.einsum("qti,qi->qt", nearest, weights)


def make_batches(pairs: Sequence[Pair], recipe: Recipe) -> Iterator[list[Pair]]:
    """Mix batches: a stretch of one package and kind, and the rest from anywhere."""
    rng = random.Random(SEED)
    chosen = sample(pairs, recipe.pairs, rng)
    groups: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    for pair in chosen:
        groups[pair.package, pair.kind].append(pair)
    near = int(recipe.batch * recipe.near_share)
    stretches, loose = [], []
    for group in groups.values():
        rng.shuffle(group)
        whole = len(group) // near * near if len(group) >= near else 0
        stretches += [group[i : i + near] for i in range(0, whole, near)]
        loose += group[whole:]
    rng.shuffle(stretches)
    rng.shuffle(loose)
    count = len(chosen) // recipe.batch
    for _ in range(count):
        batch = stretches.pop() if stretches else []
        while len(batch) < recipe.batch and loose:
            batch.append(loose.pop())
        while len(batch) < recipe.batch and stretches:
            batch += stretches.pop()
        batch = _distinct(batch[: recipe.batch])
        if len(batch) > recipe.batch // 2:
            yield batch


def sample(pairs: Sequence[Pair], count: int, rng: random.Random) -> list[Pair]:
    """Take pairs evenly over kinds (language and what was commented), few of each comment kind."""
    kinds: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        kinds[pair.kind].append(pair)
    shares = {kind: _share(kind) * len(held) ** 0.5 for kind, held in kinds.items()}
    total = sum(shares.values())
    chosen: list[Pair] = []
    for kind, held in sorted(kinds.items()):
        # Whole packages, so that near negatives are at hand.
        held = _by_package(held, rng)
        chosen += held[: round(count * shares[kind] / total)]
    return chosen


def _share(kind: str) -> float:
    return 0.4 if kind.endswith("comment") else 1.0


def _by_package(pairs: Sequence[Pair], rng: random.Random) -> list[Pair]:
    """Order pairs in stretches of up to 48 of one package."""
    packages: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        packages[pair.package].append(pair)
    stretches = []
    for held in packages.values():
        rng.shuffle(held)
        stretches += [held[i : i + 48] for i in range(0, len(held), 48)]
    rng.shuffle(stretches)
    return [pair for stretch in stretches for pair in stretch]


def _distinct(batch: list[Pair]) -> list[Pair]:
    """Drop pairs that would be each other's false negatives."""
    seen: set[str] = set()
    kept = []
    for pair in batch:
        if pair.question not in seen and pair.document not in seen:
            seen |= {pair.question, pair.document}
            kept.append(pair)
    return kept


def _save(encoder: Encoder, optimiser: torch.optim.Optimizer, step: int, file: Path) -> None:
    part = file.with_suffix(".part")
    state = {"weights": encoder.weights, "optimiser": optimiser.state_dict(), "step": step}
    torch.save(state, part)
    part.replace(file)


def _resume(encoder: Encoder, optimiser: torch.optim.Optimizer, file: Path) -> int:
    if not file.is_file():
        return 0
    state = torch.load(file, weights_only=True)
    with torch.no_grad():
        for name, values in state["weights"].items():
            encoder.weights[name].copy_(values)
    optimiser.load_state_dict(state["optimiser"])
    return int(state["step"])
