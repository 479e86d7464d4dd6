"""What the answers are worth, group by group, as rows of one table."""

from __future__ import annotations

import json
import platform
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from asking import Answer, Answers
from questions import ASKED_IN, TONGUES, Question

from scrubjay.measure.metrics import Difference, Scores, compare, mean, score
from scrubjay.search.plan import make_plan
from scrubjay.types import Filters

RESULTS = Path(__file__).parents[1] / "results"
ALL = "all"
PLACE = "place_mrr_10"
PLACE_DEPTH = 10
COMPARED = ("ndcg_10", "mrr", PLACE)
"""Measures whose differences are given with an interval."""

TITLES = (
    "configuration | questions about | n | nDCG@10 | difference [95 %] | MRR | difference [95 %]"
    " | place MRR@10 | difference [95 %] | R@5 | R@10 | R@50 | median ms | p95 ms | MB"
)


@dataclass(frozen=True, slots=True)
class Judged:
    """One answer's worth: by files, and by places where the set knows them (else None)."""

    files: Scores
    place_mrr_10: float | None

    def value(self, measure: str) -> float | None:
        """Give one measure by name."""
        found = self.place_mrr_10 if measure == PLACE else getattr(self.files, measure)
        return None if found is None else float(found)


@dataclass(frozen=True, slots=True)
class Row:
    """One configuration over one group of questions; differences are to the first configuration."""

    configuration: str
    group: str
    questions: int
    scores: Scores
    place_mrr_10: float | None
    differences: dict[str, Difference]
    median_ms: float
    p95_ms: float
    peak_mb: float | None


def judge(question: Question, answer: Answer) -> Judged:
    """Score an answer; a place counts when it shares a line with one that answers."""
    files = score(answer.paths, question.relevant)
    if not question.places:
        return Judged(files, None)
    ranks = [
        rank
        for rank, place in enumerate(answer.places[:PLACE_DEPTH], 1)
        if any(place.overlaps(right) for right in question.places)
    ]
    return Judged(files, 1 / ranks[0] if ranks else 0.0)


def group(questions: Sequence[Question]) -> dict[str, list[int]]:
    """Sort questions by the set's own groups and by the class the search gives them."""
    groups: dict[str, list[int]] = {ALL: list(range(len(questions)))}
    for number, question in enumerate(questions):
        kind = make_plan(question.query, Filters()).kind.value
        for name in (*question.groups, f"read as: {kind}"):
            groups.setdefault(name, []).append(number)
    parts = {name: held for name, held in sorted(groups.items()) if len(held) < len(questions)}
    return {ALL: groups[ALL], **parts}


def make_rows(
    name: str,
    groups: dict[str, list[int]],
    answers: Answers,
    measured: tuple[list[Judged], list[Judged]],
) -> Iterator[Row]:
    """Summarise a configuration by group; `measured` are its scores and, if any, its basis's."""
    judged, base = measured
    for title, members in groups.items():
        times = sorted(answers.answers[member].seconds * 1e3 for member in members)
        yield Row(
            configuration=name,
            group=title,
            questions=len(members),
            scores=mean([judged[member].files for member in members]),
            place_mrr_10=_mean_place([judged[member] for member in members]),
            differences=dict(_differences(judged, base, members)),
            median_ms=statistics.median(times),
            p95_ms=times[min(len(times) - 1, int(len(times) * 0.95))],
            peak_mb=answers.peak_mb,
        )


def _mean_place(judged: Sequence[Judged]) -> float | None:
    """Average over questions that know places; None where any does not."""
    values = [one.place_mrr_10 for one in judged if one.place_mrr_10 is not None]
    return statistics.fmean(values) if len(values) == len(judged) else None


def _differences(
    judged: Sequence[Judged], base: Sequence[Judged], members: Sequence[int]
) -> Iterator[tuple[str, Difference]]:
    for measure in COMPARED if base else ():
        before = [base[member].value(measure) for member in members]
        after = [judged[member].value(measure) for member in members]
        pairs = [(b, a) for b, a in zip(before, after, strict=True) if None not in (b, a)]
        if len(pairs) == len(members):
            yield measure, compare([b or 0.0 for b, _ in pairs], [a or 0.0 for _, a in pairs])


def compare_tongues(questions: Sequence[Question], judged: Sequence[Judged]) -> str | None:
    """Set the same questions in two languages side by side; None where none is asked twice."""
    asked = [
        [
            j.files.mrr
            for q, j in zip(questions, judged, strict=True)
            if ASKED_IN + tongue in q.groups
        ]
        for tongue in TONGUES
    ]
    if not all(asked):
        return None
    first, second = (statistics.fmean(values) for values in asked)
    difference = draw_difference(compare(*asked))
    return (
        f"MRR of the same {len(asked[0])} questions: {TONGUES[0]} {first:.3f}, {TONGUES[1]}"
        f" {second:.3f}, ratio {second / first:.2f}, difference {difference}"
    )


def write(name: str, rows: Sequence[Row], notes: Sequence[str] = ()) -> None:
    """Print the table, and keep it and its figures below benchmarks/results."""
    table = "\n".join([*draw_table(rows), *(f"\n{note}" for note in notes)]) + "\n"
    print(table)
    facts = {"set": name, "machine": platform.machine(), "python": platform.python_version()}
    figures = {**facts, "notes": list(notes), "rows": [asdict(row) for row in rows]}
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.md").write_text(table, "utf-8")
    (RESULTS / f"{name}.json").write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


def draw_table(rows: Sequence[Row]) -> Iterator[str]:
    """Draw rows as Markdown."""
    yield f"| {TITLES} |"
    yield f"|{' --- |' * len(TITLES.split(' | '))}"
    for row in rows:
        scores = row.scores
        cells = [row.configuration, row.group, str(row.questions)]
        cells += [f"{scores.ndcg_10:.3f}", draw_difference(row.differences.get("ndcg_10"))]
        cells += [f"{scores.mrr:.3f}", draw_difference(row.differences.get("mrr"))]
        cells += ["-" if row.place_mrr_10 is None else f"{row.place_mrr_10:.3f}"]
        cells += [draw_difference(row.differences.get(PLACE))]
        cells += [f"{scores.recall_5:.3f}", f"{scores.recall_10:.3f}", f"{scores.recall_50:.3f}"]
        cells += [f"{row.median_ms:.0f}", f"{row.p95_ms:.0f}"]
        cells += ["-" if row.peak_mb is None else f"{row.peak_mb:.0f}"]
        yield f"| {' | '.join(cells)} |"


def draw_difference(difference: Difference | None) -> str:
    """Draw a paired difference with its interval."""
    if difference is None:
        return "-"
    return f"{difference.mean:+.3f} [{difference.low:+.3f}, {difference.high:+.3f}]"
