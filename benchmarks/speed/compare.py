"""Measure scrubjay beside a peer on copies of one tree, alternately; print medians and ratios.

    python benchmarks/speed/compare.py [--corpus FOLDER] [--runs 3] [--no-peer]

Writes benchmarks/results/speed-<corpus>.json and .md. Needs a POSIX system.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from contestants import Contestant, count_embedded, make_scrubjay, make_semble
from corpus import copy_tree, edit_files, fetch_django, size_mb, touch_all

from measure import Cost, Finished, median

RESULTS = Path(__file__).parents[1] / "results"
QUESTION = "how is a csrf token checked"
EDITED_FILES = 10


@dataclass(frozen=True, slots=True)
class Row:
    """What one step cost one contestant: medians, and what the last run said."""

    step: str
    contestant: str
    cost: Cost
    embedded: int | None
    index_mb: float


def main() -> None:
    options = read_options()
    corpus = options.corpus.resolve() if options.corpus else fetch_django()
    contestants = [make_scrubjay(options.question)]
    if options.peer:
        contestants.append(make_semble(options.question, options.content))
    with tempfile.TemporaryDirectory(prefix="speed-") as scratch:
        rows = measure_all(contestants, corpus, options.runs, Path(scratch))
    facts = {
        "corpus": corpus.name,
        "runs": options.runs,
        "question": options.question,
        "cores": os.cpu_count(),
        "machine": platform.machine(),
        "python": platform.python_version(),
    }
    table = "\n".join(draw_table(facts, rows)) + "\n"
    print(table)
    RESULTS.mkdir(exist_ok=True)
    target = RESULTS / f"speed-{corpus.name.lower()}"
    target.with_name(f"{target.name}.md").write_text(table, "utf-8")
    record = json.dumps({**facts, "rows": [asdict(row) for row in rows]}, indent=1)
    target.with_name(f"{target.name}.json").write_text(record + "\n", "utf-8")


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, help="a folder; default: Django, fetched with pip")
    parser.add_argument("--runs", type=int, default=3, help="fresh copies per contestant")
    parser.add_argument("--question", default=QUESTION)
    parser.add_argument("--content", default="code", help="what semble indexes; scrubjay: all")
    parser.add_argument("--no-peer", dest="peer", action="store_false", help="scrubjay alone")
    return parser.parse_args()


def measure_all(contestants: list[Contestant], corpus: Path, runs: int, scratch: Path) -> list[Row]:
    """Let the contestants take turns, each in a fresh copy, and summarise by step."""
    seen: dict[tuple[str, str], list[tuple[Finished, float]]] = {}
    for turn in range(runs):
        for contestant in contestants:
            tree, home = scratch / "tree", scratch / "home"
            copy_tree(corpus, tree)
            for step, finished in take_steps(contestant, tree, home):
                measured = (finished, size_mb(home))
                seen.setdefault((step, contestant.name), []).append(measured)
                print(f"{turn + 1}: {contestant.name}, {step}: {finished.cost.cpu_s:.2f} s CPU")
            shutil.rmtree(home)
    return [
        Row(
            step,
            name,
            median([finished.cost for finished, _ in measured]),
            count_embedded(measured[-1][0]),
            measured[-1][1],
        )
        for (step, name), measured in seen.items()
    ]


def take_steps(contestant: Contestant, tree: Path, home: Path) -> Iterator[tuple[str, Finished]]:
    """Index, do nothing, touch, do nothing, edit, ask: what a working day brings."""
    home.mkdir()
    yield "first index", contestant.update(tree, home)
    yield "no change", contestant.update(tree, home)
    touch_all(tree)
    yield "every file touched", contestant.update(tree, home)
    yield "no change after that", contestant.update(tree, home)
    edit_files(tree, EDITED_FILES)
    yield f"{EDITED_FILES} files edited", contestant.update(tree, home)
    for name in contestant.queries:
        yield name, contestant.query(name, tree, home)


def draw_table(facts: dict[str, object], rows: list[Row]) -> Iterator[str]:
    """Put the contestants side by side; a ratio says how many times as much CPU the peer takes."""
    names = list(dict.fromkeys(row.contestant for row in rows))
    found = {(row.step, row.contestant): row for row in rows}
    yield (
        f"{facts['corpus']}, medians of {facts['runs']} runs, {facts['cores']} cores; "
        "CPU is user + system with all processes; memory is the largest process / all together."
    )
    yield ""
    figures = ["CPU s", "wall s", "memory MB", "index MB", "embedded"]
    titles = ["step", *(f"{name}: {figure}" for name in names for figure in figures)]
    titles += ["ratio"] * (len(names) - 1)
    yield f"| {' | '.join(titles)} |"
    yield f"|{' --- |' * len(titles)}"
    for step in dict.fromkeys(row.step for row in rows):
        cells = [step]
        for name in names:
            cells += draw_cells(found.get((step, name)), len(figures))
        cells += draw_ratios([found.get((step, name)) for name in names])
        yield f"| {' | '.join(cells)} |"


def draw_cells(row: Row | None, count: int) -> list[str]:
    if row is None:
        return ["-"] * count
    cost = row.cost
    return [
        f"{cost.cpu_s:.2f}",
        f"{cost.wall_s:.2f}",
        f"{cost.peak_mb:.0f} / {cost.sum_mb:.0f}",
        f"{row.index_mb:.1f}",
        "-" if row.embedded is None else str(row.embedded),
    ]


def draw_ratios(rows: list[Row | None]) -> Iterator[str]:
    own = rows[0]
    for peer in rows[1:]:
        both = own is not None and peer is not None
        yield f"{peer.cost.cpu_s / own.cost.cpu_s:.1f}" if both else "-"


if __name__ == "__main__":
    main()
