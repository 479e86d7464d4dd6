"""Answers made up of contributions, as a search would give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scrubjay.measure.asking import Asked, Candidate
from scrubjay.measure.questions import Place, Question
from scrubjay.search.query_class import QueryClass
from scrubjay.types import Contribution, Hit, SearchReport, Span

SPAN = Span(0, 9, 0, 9, 1, 3)


def place(path: str) -> Place:
    return Place("/tree", path, "python")


def candidate(
    path: str,
    reasons: Mapping[str, float],
    *,
    score: float = 0.5,
    chance: float | None = None,
    is_right: bool = False,
) -> Candidate:
    told = tuple(Contribution(name, value) for name, value in reasons.items())
    chance = score if chance is None else chance
    return Candidate(place(path), 1, 3, score, chance, told, is_right)


def asked(candidates: Sequence[Candidate], right: str = "right.py", **how: object) -> Asked:
    question = Question("retry after a timeout", (place(right),), "c0ffee")
    return Asked(question, QueryClass.NATURAL, tuple(candidates), 0.01, **how)


def hit(path: str, score: float, **reasons: float) -> Hit:
    told = tuple(Contribution(name, value) for name, value in reasons.items())
    return Hit("/tree", path, "python", SPAN, "", score, (), "code", "", 0, told)


def report(question: str, hits: Sequence[Hit], **how: object) -> SearchReport:
    return SearchReport(question, tuple(hits), **how)
