"""Would other weights order the hits better? Re-scores what was recorded, and trusts only what
holds on questions it was not chosen by.

Pure. Approximate in two ways: the candidates are those that today's weights brought, and a file's
coherence is not computed anew; so a suggestion is asked again before it is made (evaluate.py).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import product

from scrubjay.measure.asking import Asked, Candidate
from scrubjay.measure.metrics import SEED, Difference, score_places, spread
from scrubjay.search.paths import PathClass
from scrubjay.sections import SearchSettings
from scrubjay.types import Leg

FOLDS = 5
FEWEST_QUESTIONS = 60
"""With fewer, an interval is wider than what weights can win."""

VECTORS_TIMES = (1.0, 0.0, 0.5, 2.0)
"""No more: a name would be looked for by meaning rather than by its letters."""
WORDS_TIMES = (1.0, 0.5, 2.0, 3.0)
COHERENCE = "coherence"
"""The one prior that is tried. The others are for questions that a history does not ask: for
names, paths, stack traces, and for what is no source."""

_ROLES = frozenset(role.value for role in PathClass)
_PRIORS = ("defines ", "file name", "stack frame")


@dataclass(frozen=True, slots=True)
class Trial:
    """Weights to try: each leg's times what it is now, and whether coherence counts as now."""

    words: float = 1.0
    vectors: float = 1.0
    coherence: bool = True

    @property
    def changes(self) -> int:
        """Count what differs from now."""
        return (self.words != 1) + (self.vectors != 1) + (not self.coherence)

    def applied(self, settings: SearchSettings) -> SearchSettings:
        """Make settings of it."""
        return replace(
            settings,
            words_weight=settings.words_weight * self.words,
            vectors_weight=settings.vectors_weight * self.vectors,
            coherence=settings.coherence and self.coherence,
        )

    def settings(self, now: SearchSettings) -> dict[str, object]:
        """Name the settings that would change, as `search.field`, with their new values."""
        new = self.applied(now)
        return {
            f"search.{field.name}": getattr(new, field.name)
            for field in fields(new)
            if getattr(new, field.name) != getattr(now, field.name)
        }


@dataclass(frozen=True, slots=True)
class Terms:
    """What a candidate's score is made of: legs and priors, times `factor`, plus what was `read`.

    `read` is None for a candidate the second stage did not read.
    """

    words: float
    vectors: float
    coherence: float
    priors: float
    factor: float
    read: float | None

    def score(self, trial: Trial) -> float:
        """Sum the terms with a trial's weights."""
        legs = trial.words * self.words + trial.vectors * self.vectors
        total = legs + self.priors + trial.coherence * self.coherence
        return total * self.factor + (self.read or 0.0)


@dataclass(frozen=True, slots=True)
class Fitted:
    """The best trial, and its gain in nDCG@10 on questions that did not choose it.

    Each fold's questions are judged by the trial that was best on all others.
    """

    best: Trial
    gain: Difference
    tried: int

    @property
    def is_better(self) -> bool:
        """Tell whether the gain is more than chance."""
        return self.best != Trial() and self.gain.low > 0


def fit_weights(asked: Sequence[Asked], settings: SearchSettings) -> Fitted | None:
    """Search weights coarsely, with cross-validation; None for too few questions."""
    if len(asked) < FEWEST_QUESTIONS:
        return None
    trials = trials_for(settings)
    readings = [_Reading.of(one) for one in asked]
    values = [[reading.ndcg_10(trial) for reading in readings] for trial in trials]
    order = list(range(len(asked)))
    random.Random(SEED).shuffle(order)
    gains = []
    for fold in range(FOLDS):
        held_out = order[fold::FOLDS]
        chosen = _best(values, sorted(set(order).difference(held_out)))
        gains += [values[chosen][one] - values[0][one] for one in held_out]
    return Fitted(trials[_best(values, order)], spread(gains), len(trials))


def trials_for(settings: SearchSettings) -> list[Trial]:
    """List what is tried, least changed first; a leg or prior that is off stays off."""
    words = WORDS_TIMES if settings.words_weight else (1.0,)
    vectors = VECTORS_TIMES if settings.vectors_weight else (1.0,)
    coherence = (True, False) if settings.coherence else (True,)
    trials = [Trial(*chosen) for chosen in product(words, vectors, coherence)]
    return sorted(trials, key=lambda trial: trial.changes)


def _best(values: Sequence[Sequence[float]], members: Sequence[int]) -> int:
    """Find the trial with the greatest sum; of equals the first, which changes least."""
    sums = [round(sum(trial[member] for member in members), 9) for trial in values]
    return sums.index(max(sums))


@dataclass(frozen=True, slots=True)
class _Reading:
    """One answer's candidates as terms, and which of them each right file came first with."""

    terms: tuple[Terms, ...]
    right: tuple[int, ...]
    relevant: int
    was_read: bool

    @classmethod
    def of(cls, asked: Asked) -> _Reading:
        firsts = {c.place.key: i for i, c in reversed(list(enumerate(asked.candidates)))}
        right = [firsts.get(place.key) for place in asked.question.relevant]
        return cls(
            terms=tuple(terms_of(candidate) for candidate in asked.candidates),
            right=tuple(index for index in right if index is not None),
            relevant=len(right),
            was_read=asked.reranker is not None,
        )

    def ndcg_10(self, trial: Trial) -> float:
        """Score the order that a trial gives; candidates that were not read stay below."""
        keys = [(not self.was_read or one.read is not None, one.score(trial)) for one in self.terms]
        places = []
        for index in self.right:
            own = keys[index]
            ahead = sum(key > own for key in keys) + sum(key == own for key in keys[:index])
            places.append(ahead + 1)
        return score_places(sorted(places), self.relevant).ndcg_10


def terms_of(candidate: Candidate) -> Terms:
    """Sort a candidate's contributions; names unknown here are a second stage's features."""
    known = dict.fromkeys((Leg.WORDS.value, Leg.VECTORS.value, COHERENCE), 0.0)
    priors, role, read = 0.0, 0.0, None
    for reason in candidate.reasons:
        if reason.name in known:
            known[reason.name] += reason.value
        elif reason.name in _ROLES:
            role += reason.value
        elif reason.name.startswith(_PRIORS):
            priors += reason.value
        else:
            read = (read or 0.0) + reason.value
    before = sum(known.values()) + priors
    factor = 1 + role / before if before else 1.0
    return Terms(
        words=known[Leg.WORDS.value],
        vectors=known[Leg.VECTORS.value],
        coherence=known[COHERENCE],
        priors=priors,
        factor=factor,
        read=read,
    )
