"""Make a set of questions, and the tree they are put to, from what is at hand.

    python benchmarks/quality/build.py commits --repo PATH --out FILE [--name NAME] [--snapshot ID]
    python benchmarks/quality/build.py docstrings --tree PATH --out FILE [--name NAME]

The tree is written to a folder of its own below --trees; `run.py` takes both.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import commits
import docstrings
from questions import TREES, write_set


def main() -> None:
    options = read_options()
    name = options.name or options.source.resolve().name
    target = options.trees / name
    if target.exists():
        raise SystemExit(f"{target} exists: remove it, or choose another --name or --trees")
    if options.kind == "commits":
        source, count = options.source, options.count
        snapshot, records = commits.questions_from(source, name, count, options.snapshot)
        commits.export(source, snapshot, target)
        print(f"snapshot {snapshot}")
    else:
        records = docstrings.questions_from(options.source, target, options.count)
    print(f"{write_set(options.out, records)} questions for the tree {name}")


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    kinds = parser.add_subparsers(dest="kind", required=True)
    history = kinds.add_parser("commits", help="commit subject to the source files it changed")
    history.add_argument("--repo", dest="source", type=Path, required=True, help="with its history")
    history.add_argument("--snapshot", help="the commit to index; default: before all questions")
    functions = kinds.add_parser("docstrings", help="a docstring's first sentence to its file")
    functions.add_argument("--tree", dest="source", type=Path, required=True, help="Python files")
    for kind in (history, functions):
        kind.add_argument("--out", type=Path, required=True, help="the set to write, .jsonl")
        kind.add_argument("--name", help="what to call the tree; default: the folder's name")
        kind.add_argument("--count", type=int, default=200, help="questions at most")
        kind.add_argument("--trees", type=Path, default=TREES, help="where trees are written")
    return parser.parse_args()


if __name__ == "__main__":
    main()
