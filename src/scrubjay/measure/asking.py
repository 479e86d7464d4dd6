"""What does the index answer to each question? Asks, and keeps what scores and fits need."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from scrubjay.measure.metrics import Scores, score_places
from scrubjay.measure.questions import Place, Question
from scrubjay.search.plan import make_plan
from scrubjay.search.query_class import QueryClass
from scrubjay.types import Contribution, Filters, Hit, SearchReport

Ask = Callable[[str], SearchReport]
"""Puts one question to an index, and returns as many hits as are to be measured."""

READING = "rerank"
"""The stage in which the second model reads."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One hit: its lines, score, chance, and the reasons for it; `is_right` if it answers.

    `chance` is what a threshold looks at (`types.Hit`).
    """

    place: Place
    first_line: int
    last_line: int
    score: float
    chance: float
    reasons: tuple[Contribution, ...]
    is_right: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and its hits, best first; `reranker` None where nothing was read again.

    `seconds` is what a caller waited, `reading_s` the second stage's part of it.
    """

    question: Question
    kind: QueryClass
    candidates: tuple[Candidate, ...]
    seconds: float
    reading_s: float = 0.0
    reranker: str | None = None
    notes: tuple[str, ...] = ()

    def rank_of(self, place: Place) -> int | None:
        """Tell at which hit, from 1, a file comes first; None if it is not among them."""
        keys = [candidate.place.key for candidate in self.candidates]
        return keys.index(place.key) + 1 if place.key in keys else None

    def scores(self) -> Scores:
        """Score the hits by the files that answer."""
        ranks = [self.rank_of(place) for place in self.question.relevant]
        return score_places(sorted(rank for rank in ranks if rank), len(ranks))


def ask_all(questions: Sequence[Question], ask: Ask) -> Iterator[Asked]:
    """Ask questions one after another; a first one, uncounted, opens the models."""
    if questions:
        ask(questions[0].query)
    for question in questions:
        start = time.perf_counter()
        report = ask(question.query)
        yield _asked(question, report, time.perf_counter() - start)


def _asked(question: Question, report: SearchReport, seconds: float) -> Asked:
    right = {place.key for place in question.relevant}
    hits = (*report.hits, *report.near_misses)
    return Asked(
        question=question,
        kind=make_plan(question.query, Filters()).kind,
        candidates=tuple(_candidate(hit, right) for hit in hits),
        seconds=seconds,
        reading_s=sum(stage.seconds for stage in report.stages if stage.name == READING),
        reranker=report.reranker,
        notes=report.notes,
    )


def _candidate(hit: Hit, right: set[str]) -> Candidate:
    place = Place(hit.root, hit.path, hit.language)
    return Candidate(
        place=place,
        first_line=hit.span.first_line,
        last_line=hit.span.last_line,
        score=hit.score,
        chance=hit.chance,
        reasons=hit.contributions,
        is_right=place.key in right,
    )
