"""Make a set of questions, and the tree they are put to, from what is at hand or in a registry.

    python benchmarks/quality/build.py commits --repo PATH [--snapshot ID]
    python benchmarks/quality/build.py docstrings --tree PATH
    python benchmarks/quality/build.py cosqa --source PATH
    python benchmarks/quality/build.py functions --language go [--packages FILE]
    python benchmarks/quality/build.py sections --language zh [--packages FILE]
    python benchmarks/quality/build.py missing

The tree is written to a folder of its own below --trees, the set to --out, by default below the
cache; `run.py` takes both. `missing` makes every set of functions and sections that is not there.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import commits
import cosqa
import docstrings
import functions
import sections
from packages import Package, read_list
from questions import SETS, TREES, write_set

LISTS = Path(__file__).parent
HELD_OUT = LISTS / "held_out.txt"
DOCUMENTS = LISTS / "documents.txt"


def main() -> None:
    options = read_options()
    if options.kind == "missing":
        make_missing()
        return
    target = options.trees / options.name
    if target.exists():
        raise SystemExit(f"{target} exists: remove it, or choose another --name or --trees")
    make(options, target)


def make(options: argparse.Namespace, target: Path) -> None:
    """Write tree and set, and say how large they are."""
    records = build(options, target)
    out = options.out or SETS / f"{options.name}.jsonl"
    print(f"{write_set(out, records)} questions for the tree {target.name}")


def make_missing() -> None:
    """Make the sets of functions and sections whose trees are not at hand, at their defaults."""
    for kind, languages in (("functions", functions.SUFFIXES), ("sections", sections.LANGUAGES)):
        for language in languages:
            options = read_options([kind, "--language", language])
            target = options.trees / options.name
            if not target.exists():
                make(options, target)


def build(options: argparse.Namespace, target: Path) -> list[dict[str, Any]]:
    """Write the tree and return the questions to it."""
    count = options.count
    match options.kind:
        case "commits":
            snapshot, records = commits.questions_from(
                options.source, target.name, count, options.snapshot
            )
            commits.export(options.source, snapshot, target)
            print(f"snapshot {snapshot}")
            return records
        case "docstrings":
            return docstrings.questions_from(options.source, target, count)
        case "cosqa":
            return cosqa.questions_from(options.source, target, count)
        case "functions":
            chosen = packages_for(options)
            pool, records = functions.questions_from(chosen, options.language, target, count)
            print(f"{pool} functions in {len(chosen)} packages")
            return records
        case _:
            chosen = packages_for(options)
            pool, records = sections.questions_from(chosen, options.language, target, count)
            print(f"{pool} sections in {len(chosen)} packages")
            return records


def packages_for(options: argparse.Namespace) -> list[Package]:
    """List the packages of the language asked for."""
    listed = [one for one in read_list(options.packages) if one.purpose == options.language]
    if not listed:
        raise SystemExit(f"{options.packages}: lists no package for {options.language}")
    return listed


def read_options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    kinds = parser.add_subparsers(dest="kind", required=True)
    history = kinds.add_parser("commits", help="commit subject to the source files it changed")
    history.add_argument("--repo", dest="source", type=Path, required=True, help="with its history")
    history.add_argument("--snapshot", help="the commit to index; default: before all questions")
    python = kinds.add_parser("docstrings", help="a docstring's first sentence to its file")
    python.add_argument("--tree", dest="source", type=Path, required=True, help="Python files")
    web = kinds.add_parser("cosqa", help="web query to function")
    web.add_argument("--source", type=Path, required=True, help="checkout of CoCLR")
    said = kinds.add_parser("functions", help="a function's comment to the function")
    said.add_argument("--language", required=True, choices=functions.SUFFIXES)
    said.add_argument("--packages", type=Path, default=HELD_OUT, help="list of packages")
    titles = kinds.add_parser("sections", help="a section's title to the section")
    titles.add_argument("--language", required=True, choices=sections.LANGUAGES)
    titles.add_argument("--packages", type=Path, default=DOCUMENTS, help="list of packages")
    for kind in kinds.choices.values():
        kind.add_argument("--out", type=Path, help="the set to write, .jsonl")
        kind.add_argument("--name", help="what to call tree and set; default: after the source")
        kind.add_argument("--count", type=int, default=250, help="questions at most")
        kind.add_argument("--trees", type=Path, default=TREES, help="where trees are written")
    kinds.add_parser("missing", help="all sets of functions and sections that are not there")
    options = parser.parse_args(arguments)
    if options.kind != "missing":
        options.name = options.name or default_name(options)
    return options


def default_name(options: argparse.Namespace) -> str:
    """Name a set after its kind and language, or after the folder it is made from."""
    if options.kind == "cosqa":
        return "cosqa"
    if options.kind in ("functions", "sections"):
        return f"{options.kind}-{options.language.replace('+', 'p')}"
    return str(options.source.resolve().name)


if __name__ == "__main__":
    main()
