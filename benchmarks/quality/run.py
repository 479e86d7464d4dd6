"""Measure how well questions are answered: indexes each tree, asks, prints one table.

    python benchmarks/quality/run.py --set FILE... [--trees DIR...] [--words-only] [--no-rerank]
        [--set-option section.field=value ...] [--against bm25 semble]
        [--compare A.toml B.toml | --ablate]
    python benchmarks/quality/run.py --all [--set FILE...] [...]

`--compare` takes two settings files, `--ablate` switches off one part of the search at a time,
`--against` adds other rankers; differences are paired, against the first configuration. Several
sets make one table, with a row for each. `--all` takes every set that is at hand (build.py), and
writes benchmarks/results/quality.md and .json; one set writes quality-<set>.md and .json.
"""

from __future__ import annotations

import argparse
import random
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from asking import Answer, Answers, Configuration, Contestant
from bm25 import Bm25
from questions import ASKED_IN, SETS, TONGUES, TREES, Question, read_set
from report import ALL, Judged, Row, compare_tongues, group, judge, make_rows, write
from semble_peer import Semble

WRITTEN = Path(__file__).parent / "sets"
"""Sets that people wrote; the others are made by build.py."""

SET = "set: "
NO_RERANK: dict[str, object] = {"rerank.model": "none"}
PEERS: dict[str, Contestant] = {"bm25": Bm25(), "semble": Semble()}
ABLATIONS: dict[str, dict[str, object]] = {
    "no second stage": NO_RERANK,
    "no coherence": {"search.coherence": False},
    "no definition prior": {"search.definition_prior": False},
    "no frame prior": {"search.frame_prior": False},
    "no stem prior": {"search.stem_prior": False},
    "no path class prior": {"search.path_class_prior": False},
    "several per file": {"search.one_per_file": False},
    "no words": {"search.words_weight": 0.0},
    "no vectors": {"search.vectors_weight": 0.0},
}


def main() -> None:
    options = read_options()
    files = [*(all_sets() if options.all else ()), *options.set]
    asked = [read_questions(file, options.trees, options.sample) for file in files]
    asked = [one for one in asked if one]
    if not asked:
        raise SystemExit("no set, or none whose trees are here: build.py makes them")
    questions = [question for one in asked for question in one]
    groups = group(questions)
    base: list[Judged] = []
    rows: list[Row] = []
    notes: list[str] = []
    for contestant in contestants(options):
        answers = ask(contestant, asked, options.trees)
        judged = [judge(q, a) for q, a in zip(questions, answers.answers, strict=True)]
        chosen = by_set(groups) if options.ablate and base else groups
        rows += make_rows(contestant.name, chosen, answers, (judged, base))
        for said in (compare_tongues(questions, judged), unread(answers)):
            notes += [f"{contestant.name}: {said}"] if said else []
        base = base or judged
    default = "quality" if len(asked) > 1 else f"quality-{files[0].stem}"
    write(options.name or default, rows, notes)


def by_set(groups: dict[str, list[int]]) -> dict[str, list[int]]:
    """Leave out every group but the whole and the sets."""
    return {name: held for name, held in groups.items() if name == ALL or name.startswith(SET)}


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", type=Path, nargs="+", default=[], help="as build.py writes")
    parser.add_argument("--all", action="store_true", help="every set whose trees are at hand")
    parser.add_argument(
        "--trees", type=Path, nargs="+", default=[TREES], help="a folder per `repo`"
    )
    parser.add_argument("--name", help="of the results; default: the set's")
    parser.add_argument("--sample", type=int, help="questions of each set at most")
    parser.add_argument("--words-only", action="store_true", help="ask without vectors")
    parser.add_argument("--no-rerank", action="store_true", help="without the second stage")
    parser.add_argument("--set-option", action="append", default=[], metavar="SECTION.FIELD=VALUE")
    parser.add_argument("--against", nargs="+", default=[], choices=PEERS, help="other rankers")
    several = parser.add_mutually_exclusive_group()
    several.add_argument("--compare", type=Path, nargs=2, metavar="TOML")
    several.add_argument("--ablate", action="store_true")
    return parser.parse_args()


def all_sets() -> list[Path]:
    """List the sets that were made and those that people wrote."""
    return [*sorted(SETS.glob("*.jsonl")), *sorted(WRITTEN.glob("*.jsonl"))]


def read_questions(file: Path, trees: Sequence[Path], most: int | None) -> list[Question]:
    """Read a set, a tree's questions together; leaves out those whose tree is not at hand."""
    found = [one for one in read_set(file) if tree_folder(one.repo, trees)]
    if most is not None and len(found) > most:
        found = sample(found, most)
    named = [replace(one, groups=(f"{SET}{file.stem}", *one.groups)) for one in found]
    return sorted(named, key=lambda question: question.repo)


def sample(questions: Sequence[Question], most: int) -> list[Question]:
    """Draw the same questions every time; one that is asked in two languages stays in both."""
    step = len(TONGUES) if any(name.startswith(ASKED_IN) for name in questions[0].groups) else 1
    firsts = range(0, len(questions), step)
    drawn = sorted(random.Random(0).sample(firsts, min(most // step, len(firsts))))
    return [one for first in drawn for one in questions[first : first + step]]


def tree_folder(repo: str, trees: Sequence[Path]) -> Path | None:
    """Find the folder that holds a tree."""
    return next((folder for folder in trees if (folder / repo).is_dir()), None)


def contestants(options: argparse.Namespace) -> Iterator[Contestant]:
    """List what to measure, the basis of comparison first."""
    common: dict[str, object] = dict(option.split("=", 1) for option in options.set_option)
    if options.no_rerank:
        common |= NO_RERANK
    variants: dict[str, dict[str, object]] = {"as set": {}}
    if options.ablate:
        variants.update(ABLATIONS)
    elif options.compare:
        variants = {file.stem: read_overrides(file) for file in options.compare}
    for name, overrides in variants.items():
        yield Configuration(name, {**common, **overrides}, options.words_only)
    yield from (PEERS[name] for name in options.against)


def read_overrides(file: Path) -> dict[str, object]:
    sections = tomllib.loads(file.read_text("utf-8"))
    return {
        f"{name}.{key}": value for name, keys in sections.items() for key, value in keys.items()
    }


def ask(
    contestant: Contestant, asked: Iterable[Sequence[Question]], trees: Sequence[Path]
) -> Answers:
    """Put set after set, folder after folder of trees; memory is the most of any."""
    answers: list[Answer] = []
    peaks: list[float] = []
    unread = 0
    for questions in asked:
        by_folder: dict[Path, list[int]] = {}
        for number, question in enumerate(questions):
            folder = tree_folder(question.repo, trees)
            assert folder is not None
            by_folder.setdefault(folder, []).append(number)
        found: dict[int, Answer] = {}
        for folder, numbers in by_folder.items():
            told = contestant.ask(folder, [questions[number] for number in numbers])
            found.update(zip(numbers, told.answers, strict=True))
            peaks += [told.peak_mb] if told.peak_mb is not None else []
            unread += told.unread
        answers += (found[number] for number in range(len(questions)))
    return Answers(tuple(answers), max(peaks, default=None), unread)


def unread(answers: Answers) -> str | None:
    """Say how many answers the second stage left as retrieval made them."""
    return f"{answers.unread} answers were not read again" if answers.unread else None


if __name__ == "__main__":
    main()
