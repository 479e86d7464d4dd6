"""Below which probability is a hit more noise than answer? Pure.

What counts as right is a file that the commit changed: other hits may help as well, so shares of
right hits are least values; what a threshold loses is not touched by that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scrubjay.measure.asking import Asked
from scrubjay.measure.metrics import spread
from scrubjay.search.weights import READ_SHARES

STEPS = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.13, 0.16, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7)
FEWEST_QUESTIONS = 60
MOST_LOST = 0.02
"""Share of right hits that a suggested threshold may hide on these questions."""
MOST_LOST_BY_CHANCE = 0.05
"""The same at the upper end of the 95 % interval."""
LEAST_SAVED = 0.1
"""Share of wrong hits that a higher threshold must hide beyond today's to be worth it."""


@dataclass(frozen=True, slots=True)
class TradeOff:
    """What a threshold does: shares of right hits kept and of shown hits that are right.

    `shown` is the mean number of hits, `silent` the share of questions that get none, `lost` the
    share whose only right hits it hides.
    """

    threshold: float
    kept: float
    precision: float
    shown: float
    silent: float
    lost: float


@dataclass(frozen=True, slots=True)
class ThresholdAdvice:
    """The trade-off at some values, today's, and the one to choose; None: keep today's."""

    trade_offs: tuple[TradeOff, ...]
    now: TradeOff
    suggested: TradeOff | None


def has_threshold(asked: Asked) -> bool:
    """Say whether a threshold applies to an answer: it was read again, with full weight."""
    return asked.reranker is not None and READ_SHARES.get(asked.kind, 1.0) == 1


def weigh_thresholds(asked: Sequence[Asked], hits: int, now: float) -> ThresholdAdvice | None:
    """Weigh thresholds over the first `hits` hits of each answer; None for too little to go by."""
    answers = [_Answer.of(one, hits) for one in asked if has_threshold(one)]
    if len(answers) < FEWEST_QUESTIONS or not any(answer.right for answer in answers):
        return None
    current = _trade_off(answers, now)
    weighed = [_trade_off(answers, step) for step in (0.0, *STEPS)]
    fit = [one for one in weighed if _is_cheap(answers, one)]
    best = max(fit, key=lambda one: one.threshold)
    is_too_high = not _is_cheap(answers, current)
    saved = _wrong(current) - _wrong(best)
    is_worth = best.threshold > now and saved > LEAST_SAVED * _wrong(weighed[0])
    return ThresholdAdvice(tuple(weighed), current, best if is_too_high or is_worth else None)


@dataclass(frozen=True, slots=True)
class _Answer:
    """Chances of all hits, and of those that are right."""

    every: tuple[float, ...]
    right: tuple[float, ...]

    @classmethod
    def of(cls, asked: Asked, hits: int) -> _Answer:
        first = asked.candidates[:hits]
        return cls(
            tuple(candidate.chance for candidate in first),
            tuple(candidate.chance for candidate in first if candidate.is_right),
        )


def _trade_off(answers: Sequence[_Answer], threshold: float) -> TradeOff:
    shown = [sum(chance >= threshold for chance in answer.every) for answer in answers]
    kept = [sum(chance >= threshold for chance in answer.right) for answer in answers]
    right = sum(len(answer.right) for answer in answers)
    lost = [bool(a.right) and not k for a, k in zip(answers, kept, strict=True)]
    return TradeOff(
        threshold=threshold,
        kept=sum(kept) / right,
        precision=sum(kept) / sum(shown) if sum(shown) else 0.0,
        shown=sum(shown) / len(answers),
        silent=sum(not count for count in shown) / len(answers),
        lost=sum(lost) / len(answers),
    )


def _wrong(trade: TradeOff) -> float:
    """Tell how many wrong hits a question shows."""
    return trade.shown * (1 - trade.precision)


def _is_cheap(answers: Sequence[_Answer], trade: TradeOff) -> bool:
    if 1 - trade.kept > MOST_LOST:
        return False
    losses = list(_losses(answers, trade.threshold))
    return not any(losses) or spread(losses).high <= MOST_LOST_BY_CHANCE


def _losses(answers: Sequence[_Answer], threshold: float) -> Iterator[float]:
    """List the share of right hits that each answer with any loses."""
    for answer in answers:
        if answer.right:
            yield sum(chance < threshold for chance in answer.right) / len(answer.right)
