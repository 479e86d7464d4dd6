"""How well does an index answer, and what would make it better? Asks, scores, suggests.

Changes no setting and no index. A suggestion of weights has to hold twice: on questions that did
not choose it, and when all questions are asked again with it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from scrubjay.measure.asking import Asked, ask_all
from scrubjay.measure.fit import Fitted, fit_weights
from scrubjay.measure.history import open_checkout
from scrubjay.measure.metrics import MEASURES, Difference, Scores, compare, mean, spread
from scrubjay.measure.questions import Holdings, QuestionSet, from_history, read_set, too_few
from scrubjay.measure.threshold import ThresholdAdvice, weigh_thresholds
from scrubjay.search.answering import Searchable, search
from scrubjay.search.weights import profile_of
from scrubjay.sections import RerankSettings, SearchSettings
from scrubjay.store.catalog import Catalog
from scrubjay.store.files import roots
from scrubjay.types import Filters, SearchReport

LEAST_QUESTIONS = 20
"""Fewer measure nothing: the interval of a mean spans a third of the scale."""
RESULTS = 50
"""Hits asked for: recall is measured so deep."""
PATIENCE_S = 60.0
"""The second stage's deadline while it is measured; how often the real one passes is counted."""
MEASURED: Mapping[str, object] = {
    "search.results": RESULTS,
    "rerank.threshold": 0.0,
    "rerank.deadline_s": PATIENCE_S,
}
"""Overrides of an index to be evaluated: a whole ranking is measured, and nothing is cut off."""
FEWEST_OF_A_GROUP = 3
"""Languages with fewer questions are put together."""
WORST = 10
AGAIN = "asking again, other weights"

AskWith = Callable[[str, SearchSettings], SearchReport]
"""Puts a question to the index under some search settings."""
Tell = Callable[[str, int, int], None]
"""Hears of progress: what is done, how far, of how many."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to ask, and the settings in force, without the overrides of MEASURED.

    Questions come from `questions`, a file, or from the history of the repository that holds
    `folder`, its newest commits, none before the date `since` (YYYY-MM-DD).
    """

    folder: Path
    search: SearchSettings
    rerank: RerankSettings
    count: int = 150
    since: str | None = None
    questions: Path | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Some of the questions: means, and their intervals by measure."""

    name: str
    questions: int
    scores: Scores
    intervals: Mapping[str, Difference]


@dataclass(frozen=True, slots=True)
class Timing:
    """How long questions took, in seconds.

    `overdue` counts those whose second stage took longer than its deadline, which in a search
    would have left them as retrieval ordered them; `unread` those it did not read at all.
    """

    median_s: float
    p95_s: float
    total_s: float
    overdue: int
    unread: int


@dataclass(frozen=True, slots=True)
class WeightAdvice:
    """Settings to change, and the gain in nDCG@10: on held-out questions, and asked again.

    A change is a setting's name and new value; without any, today's are as good as any tried.
    `fitted` is None for too few questions.
    """

    changes: Mapping[str, object]
    fitted: Fitted | None
    asked_again: Difference | None = None


@dataclass(frozen=True, slots=True)
class Expected:
    """A file that answers, and the hit, from 1, it came with; None if it was not among them."""

    root: str
    path: str
    rank: int | None


@dataclass(frozen=True, slots=True)
class Top:
    """The first hit of an answer."""

    root: str
    path: str
    first_line: int
    last_line: int
    score: float


@dataclass(frozen=True, slots=True)
class Poor:
    """A question that was answered poorly: where from, what was expected, what came first."""

    query: str
    source: str
    ndcg_10: float
    expected: tuple[Expected, ...]
    top: Top | None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All that was measured, and what follows from it."""

    set: QuestionSet
    groups: tuple[Group, ...]
    timing: Timing
    weights: WeightAdvice
    threshold: ThresholdAdvice | None
    reranker: str | None
    worst: tuple[Poor, ...]
    notes: tuple[str, ...]


def evaluate(request: Request, index: Searchable, tell: Tell) -> Evaluation:
    """Measure an index that was opened with MEASURED; raises as `measure` does."""

    def ask(question: str, settings: SearchSettings) -> SearchReport:
        return search(question, index, Filters(), settings)

    return measure(request, index.stores.catalog, ask, tell)


def measure(request: Request, catalog: Catalog, ask: AskWith, tell: Tell) -> Evaluation:
    """Ask all questions, score the answers, and look for better settings.

    `ask` answers under MEASURED. Raises UsageError where no questions can be had, or fewer than
    LEAST_QUESTIONS; ScrubjayError where git fails.
    """
    found = find_questions(request, catalog)
    if len(found.questions) < LEAST_QUESTIONS:
        raise too_few(found, LEAST_QUESTIONS)
    now = replace(request.search, results=RESULTS)
    start = time.perf_counter()
    asked = _ask_all(found, ask, now, tell, "asking")
    total_s = time.perf_counter() - start
    weights, after = _advise(asked, lambda other: _ask_all(found, ask, other, tell, AGAIN), now)
    return Evaluation(
        set=found,
        groups=tuple(_groups(asked)),
        timing=_timing(asked, total_s, request.rerank.deadline_s),
        weights=weights,
        threshold=weigh_thresholds(after, request.search.results, _threshold(asked, request)),
        reranker=_reranker(asked),
        worst=tuple(_poor(one) for one in sorted(asked, key=_worth)[:WORST]),
        notes=tuple(_notes(asked)),
    )


def find_questions(request: Request, catalog: Catalog) -> QuestionSet:
    """Make the questions of a request, as far as the index holds what answers them."""
    with catalog.reading():
        holdings = Holdings(catalog, roots(catalog))
        if request.questions is not None:
            return read_set(request.questions, holdings, request.count)
        checkout = open_checkout(request.folder)
        return from_history(checkout, holdings, request.count, request.since)


def _ask_all(
    found: QuestionSet, ask: AskWith, settings: SearchSettings, tell: Tell, doing: str
) -> list[Asked]:
    asked: list[Asked] = []
    for one in ask_all(found.questions, lambda question: ask(question, settings)):
        asked.append(one)
        tell(doing, len(asked), len(found.questions))
    return asked


def _groups(asked: Sequence[Asked]) -> Iterator[Group]:
    everything = [one.scores() for one in asked]
    yield _group("all", everything, MEASURES)
    parts: dict[str, list[Scores]] = {}
    counts = _counts(one.question.language for one in asked)
    for one, scores in zip(asked, everything, strict=True):
        language = one.question.language
        few = counts[language] < FEWEST_OF_A_GROUP
        named = "names a file" if one.question.names_file else "names no file"
        for name in (
            f"class: {one.kind.value}",
            f"language: {'other' if few else language}",
            f"question {named}",
        ):
            parts.setdefault(name, []).append(scores)
    for name in sorted(parts):
        if len(parts[name]) < len(asked):
            yield _group(name, parts[name], ("ndcg_10", "mrr"))


def _counts(names: Iterator[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return counts


def _group(name: str, scores: Sequence[Scores], measures: Sequence[str]) -> Group:
    intervals = {m: spread([getattr(one, m) for one in scores]) for m in measures}
    return Group(name, len(scores), mean(scores), intervals)


def _timing(asked: Sequence[Asked], total_s: float, deadline_s: float) -> Timing:
    times = sorted(one.seconds for one in asked)
    return Timing(
        median_s=median(times),
        p95_s=times[min(len(times) - 1, int(len(times) * 0.95))],
        total_s=total_s,
        overdue=sum(one.reading_s > deadline_s for one in asked),
        unread=sum(one.reranker is None for one in asked),
    )


def _advise(
    asked: list[Asked], ask_again: Callable[[SearchSettings], list[Asked]], now: SearchSettings
) -> tuple[WeightAdvice, list[Asked]]:
    """Suggest weights; with them come the answers that they, or today's if they stay, give."""
    fitted = fit_weights(asked, now)
    if fitted is None or not fitted.is_better:
        return WeightAdvice({}, fitted), asked
    again = ask_again(fitted.best.applied(now))
    gain = compare(*([one.scores().ndcg_10 for one in answers] for answers in (asked, again)))
    if gain.low <= 0:
        return WeightAdvice({}, fitted, gain), asked
    return WeightAdvice(fitted.best.settings(now), fitted, gain), again


def _threshold(asked: Sequence[Asked], request: Request) -> float:
    """Tell the threshold in force: the one set, or the model's own."""
    reranker = _reranker(asked)
    if request.rerank.threshold >= 0 or reranker is None:
        return max(0.0, request.rerank.threshold)
    return profile_of(reranker).threshold


def _reranker(asked: Sequence[Asked]) -> str | None:
    return next((one.reranker for one in asked if one.reranker), None)


def _worth(asked: Asked) -> tuple[float, float, float]:
    scores = asked.scores()
    return scores.ndcg_10, scores.mrr, scores.recall_50


def _poor(asked: Asked) -> Poor:
    tops = [
        Top(one.place.root, one.place.path, one.first_line, one.last_line, one.score)
        for one in asked.candidates[:1]
    ]
    return Poor(
        query=asked.question.query,
        source=asked.question.source,
        ndcg_10=asked.scores().ndcg_10,
        expected=tuple(
            Expected(place.root, place.path, asked.rank_of(place))
            for place in asked.question.relevant
        ),
        top=tops[0] if tops else None,
    )


def _notes(asked: Sequence[Asked]) -> Iterator[str]:
    """Say what was noted of answers, each once, with how many it was said of."""
    for note, count in _counts(note for one in asked for note in one.notes).items():
        yield f"{note} ({count} of {len(asked)} questions)"
