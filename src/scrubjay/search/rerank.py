"""Which of the first candidates answer best, read together with the question?

A reranker gives each candidate features; a profile makes of them and of the fused score one order,
and of that a probability. Without a reranker the fused score becomes the probability, by a profile
of its own.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from scrubjay.errors import ModelError
from scrubjay.ports import Reranker
from scrubjay.search.fuse import Scored
from scrubjay.search.plan import Plan
from scrubjay.search.query_class import QueryClass
from scrubjay.search.weights import FUSED, READ_SHARES, Profile, profile_of
from scrubjay.sections import RerankSettings
from scrubjay.types import Contribution

MOST_EXPONENT = 60.0
"""Beyond it a probability is 0 or 1 to a float."""

KNOWN_SHARE = 0.8
"""Of the candidates for a question in another script: below it, those in that script would lose."""

READ_PER_FILE = 4
"""Candidates of one file that are read, where its best stands for it: the rest of a file's would
take the place of other files, which costs more than it brings (167 commit subjects)."""


@dataclass(frozen=True, slots=True)
class SecondStage:
    """What reads the first candidates once more, and how."""

    reranker: Reranker
    settings: RerankSettings

    def knows(self, plan: Plan, texts: Sequence[str]) -> bool:
        """Say whether the model knows the scripts of the question and of most of the texts."""
        if not self.reranker.reads(plan.read):
            return False
        if plan.kind is not QueryClass.CJK:
            return True
        return sum(map(self.reranker.reads, texts)) >= KNOWN_SHARE * len(texts)

    def share(self, plan: Plan) -> float:
        """Tell how much this stage counts for a class of question; 0 says that it is left out."""
        return READ_SHARES.get(plan.kind, 1.0)


@dataclass(frozen=True, slots=True)
class Reread:
    """Candidates in their last order, their scores probabilities; `reranker` None: as fused."""

    ranked: list[Scored]
    threshold: float
    reranker: str | None = None


def as_fused(ranked: Iterable[Scored]) -> Reread:
    """Keep retrieval's order, its scores made probabilities; nothing is a near miss."""
    profile = profile_of(FUSED)
    return Reread([_likely(scored, profile) for scored in ranked], profile.threshold)


@dataclass(frozen=True, slots=True)
class Parted:
    """Candidates that will be read, and those that will not, each best first."""

    first: list[Scored]
    rest: list[Scored]


def part(ranked: Iterable[Scored], count: int, per_file: int) -> Parted:
    """Choose the first `count` candidates, of each file no more than `per_file`."""
    parted = Parted([], [])
    chosen: Counter[int] = Counter()
    for scored in ranked:
        file = scored.found.file
        if len(parted.first) < count and chosen[file] < per_file:
            chosen[file] += 1
            parted.first.append(scored)
        else:
            parted.rest.append(scored)
    return parted


def read_again(plan: Plan, parted: Parted, texts: Sequence[str], second: SecondStage) -> Reread:
    """Order the first candidates anew, `texts` being theirs; the others keep their order below.

    Raises TooSlow after the deadline, ModelError and Transient as the reranker does.
    """
    reranker, settings = second.reranker, second.settings
    deadline = time.monotonic() + settings.deadline_s
    judged = reranker.judge(plan.read, texts, deadline)
    _require_sane(judged, len(texts), reranker)
    profile, share = profile_of(reranker.profile), second.share(plan)
    weights = [share * profile.features.get(name, 0.0) for name in reranker.features]
    first = [
        _with_features(scored, list(zip(reranker.features, weights, values, strict=True)))
        for scored, values in zip(parted.first, judged, strict=True)
    ]
    first.sort(key=lambda scored: -scored.score)
    rest = _below(first, parted.rest)
    lacking = (1 - share) * profile.typical
    likely = [_likely(scored, profile, lacking) for scored in (*first, *rest)]
    threshold = profile.threshold if settings.threshold < 0 else settings.threshold
    # A name or an error is found by its words: there every match counts.
    return Reread(likely, threshold if share == 1 else 0.0, reranker.profile)


def _require_sane(judged: Sequence[tuple[float, ...]], count: int, reranker: Reranker) -> None:
    """Refuse an answer that cannot be one: a wrong order is worse than retrieval's."""
    fits = len(judged) == count and all(len(v) == len(reranker.features) for v in judged)
    if not fits or not all(math.isfinite(value) for values in judged for value in values):
        raise ModelError(f"{reranker.profile} gave an impossible answer")


def _with_features(scored: Scored, features: Iterable[tuple[str, float, float]]) -> Scored:
    reasons = [
        Contribution(name, scored.factor * weight * value, raw=value)
        for name, weight, value in features
    ]
    score = scored.score + sum(reason.value for reason in reasons)
    return replace(scored, score=score, contributions=(*scored.contributions, *reasons))


def _below(first: Sequence[Scored], rest: Sequence[Scored]) -> list[Scored]:
    """Put those that were not read below those that were, in their order."""
    if not first or not rest:
        return list(rest)
    drop = rest[0].score - min(first[-1].score, rest[0].score)
    return [replace(scored, score=scored.score - drop) for scored in rest]


def _likely(scored: Scored, profile: Profile, lacking: float = 0.0) -> Scored:
    """Make a score a probability; `lacking` is what reading with full weight would have added."""
    score = _probability(profile, scored.score + lacking)
    chance = _probability(profile, scored.score / scored.factor + lacking)
    return replace(scored, score=score, chance=chance)


def _probability(profile: Profile, score: float) -> float:
    exponent = profile.slope * score + profile.intercept
    return 1 / (1 + math.exp(-max(-MOST_EXPONENT, min(MOST_EXPONENT, exponent))))
