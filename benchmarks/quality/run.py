"""Measure how well questions are answered: indexes each tree, asks, prints one table.

    python benchmarks/quality/run.py --set FILE [--trees DIR] [--words-only]
        [--set-option section.field=value ...] [--compare A.toml B.toml | --ablate]

`--compare` takes two settings files, `--ablate` switches off one part of the search at a time;
differences are paired, against the first configuration. Writes benchmarks/results/quality-<set>.md
and .json.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from asking import Answers, Configuration, ask_all
from metrics import MEASURES, Difference, Scores, compare, mean, score
from questions import TREES, Question, read_set

from scrubjay.search.plan import make_plan
from scrubjay.settings import SearchSettings
from scrubjay.types import Filters

RESULTS = Path(__file__).parents[1] / "results"
ALL = "all"
ABLATIONS: dict[str, dict[str, object]] = {
    "no coherence": {"search.coherence": False},
    "no definition prior": {"search.definition_prior": False},
    "no stem prior": {"search.stem_prior": False},
    "no path class prior": {"search.path_class_prior": False},
    "several per file": {"search.one_per_file": False},
    "no words": {"search.words_weight": 0.0},
    "no vectors": {"search.vectors_weight": 0.0},
}
TITLES = (
    "configuration | questions about | n | nDCG@10 | difference [95 %] | MRR | difference [95 %]"
    " | R@5 | R@10 | R@50 | median ms | p95 ms | MB"
)


@dataclass(frozen=True, slots=True)
class Row:
    """One configuration over one group of questions; differences are to the first configuration."""

    configuration: str
    group: str
    questions: int
    scores: Scores
    differences: dict[str, Difference]
    median_ms: float
    p95_ms: float
    peak_mb: float | None


def main() -> None:
    options = read_options()
    questions = sorted(read_set(options.set), key=lambda question: question.repo)
    groups = group(questions)
    base: list[Scores] = []
    rows: list[Row] = []
    for configuration in configurations(options):
        answers = ask_all(configuration, options.trees, questions)
        scores = [
            score(answer.paths, question.relevant)
            for question, answer in zip(questions, answers.answers, strict=True)
        ]
        chosen = {ALL: groups[ALL]} if options.ablate and base else groups
        rows += make_rows(configuration.name, chosen, answers, (scores, base))
        base = base or scores
    report(options.name or options.set.stem, rows)


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", type=Path, required=True, help="questions, as build.py writes")
    parser.add_argument("--trees", type=Path, default=TREES, help="holds a folder per `repo`")
    parser.add_argument("--name", help="of the results; default: the set's")
    parser.add_argument("--words-only", action="store_true", help="ask without vectors")
    parser.add_argument("--set-option", action="append", default=[], metavar="SECTION.FIELD=VALUE")
    several = parser.add_mutually_exclusive_group()
    several.add_argument("--compare", type=Path, nargs=2, metavar="TOML")
    several.add_argument("--ablate", action="store_true")
    return parser.parse_args()


def configurations(options: argparse.Namespace) -> Iterator[Configuration]:
    """List what to measure, the basis of comparison first."""
    common = dict(option.split("=", 1) for option in options.set_option)
    variants: dict[str, dict[str, object]] = {"as set": {}}
    if options.ablate:
        variants.update(ABLATIONS)
    elif options.compare:
        variants = {file.stem: read_overrides(file) for file in options.compare}
    for name, overrides in variants.items():
        yield Configuration(name, {**common, **overrides}, options.words_only)


def read_overrides(file: Path) -> dict[str, object]:
    sections = tomllib.loads(file.read_text("utf-8"))
    return {
        f"{name}.{key}": value for name, keys in sections.items() for key, value in keys.items()
    }


def group(questions: Sequence[Question]) -> dict[str, list[int]]:
    """Sort questions by the set's own groups and by the class the search gives them."""
    groups: dict[str, list[int]] = {ALL: list(range(len(questions)))}
    for number, question in enumerate(questions):
        kind = make_plan(question.query, Filters(), SearchSettings()).kind.value
        for name in (*question.groups, f"read as: {kind}"):
            groups.setdefault(name, []).append(number)
    parts = {name: held for name, held in sorted(groups.items()) if len(held) < len(questions)}
    return {ALL: groups[ALL], **parts}


def make_rows(
    name: str,
    groups: dict[str, list[int]],
    answers: Answers,
    measured: tuple[list[Scores], list[Scores]],
) -> Iterator[Row]:
    """Summarise a configuration by group; `measured` are its scores and, if any, its basis's."""
    scores, base = measured
    for title, members in groups.items():
        times = sorted(answers.answers[member].seconds * 1e3 for member in members)
        differences = {
            measure: compare(
                [getattr(base[member], measure) for member in members],
                [getattr(scores[member], measure) for member in members],
            )
            for measure in (MEASURES if base else ())
        }
        yield Row(
            configuration=name,
            group=title,
            questions=len(members),
            scores=mean([scores[member] for member in members]),
            differences=differences,
            median_ms=statistics.median(times),
            p95_ms=times[min(len(times) - 1, int(len(times) * 0.95))],
            peak_mb=answers.peak_mb,
        )


def report(name: str, rows: Sequence[Row]) -> None:
    table = "\n".join(draw_table(rows)) + "\n"
    print(table)
    facts = {"set": name, "machine": platform.machine(), "python": platform.python_version()}
    record = json.dumps({**facts, "rows": [asdict(row) for row in rows]}, indent=1)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"quality-{name}.md").write_text(table, "utf-8")
    (RESULTS / f"quality-{name}.json").write_text(record + "\n", "utf-8")


def draw_table(rows: Sequence[Row]) -> Iterator[str]:
    yield f"| {TITLES} |"
    yield f"|{' --- |' * len(TITLES.split(' | '))}"
    for row in rows:
        scores = row.scores
        cells = [row.configuration, row.group, str(row.questions)]
        cells += [f"{scores.ndcg_10:.3f}", draw_difference(row.differences.get("ndcg_10"))]
        cells += [f"{scores.mrr:.3f}", draw_difference(row.differences.get("mrr"))]
        cells += [f"{scores.recall_5:.3f}", f"{scores.recall_10:.3f}", f"{scores.recall_50:.3f}"]
        cells += [f"{row.median_ms:.0f}", f"{row.p95_ms:.0f}"]
        cells += ["-" if row.peak_mb is None else f"{row.peak_mb:.0f}"]
        yield f"| {' | '.join(cells)} |"


def draw_difference(difference: Difference | None) -> str:
    if difference is None:
        return "-"
    return f"{difference.mean:+.3f} [{difference.low:+.3f}, {difference.high:+.3f}]"


if __name__ == "__main__":
    main()
