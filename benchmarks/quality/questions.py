"""A set of questions: JSON lines with `query`, `relevant` (paths), `repo`, and optional groups.

`spans`, [path, first line, last line] of each answer, says more narrowly than a path what answers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CACHE = Path(__file__).parents[1] / ".cache"
TREES = CACHE / "trees"
SETS = CACHE / "sets"
TONGUES = ("en", "zh")
ASKED_IN = "asked in: "


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of a file, 1-based and inclusive."""

    path: str
    first: int
    last: int

    def overlaps(self, other: Place) -> bool:
        """Tell whether two places share a line."""
        return self.path == other.path and self.first <= other.last and other.first <= self.last


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of which tree, and the files that answer it; `groups` are the set's own.

    `places` are the narrower answers, empty where the set knows files only.
    """

    query: str
    relevant: tuple[str, ...]
    repo: str
    groups: tuple[str, ...]
    places: tuple[Place, ...] = ()


def read_set(file: Path) -> list[Question]:
    """Read a set; raises KeyError where a line lacks one of the three fields.

    A line that asks in several languages (`en`, `zh` instead of `query`) is a question in each.
    """
    records = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    return [question for record in records for question in _questions(record)]


def _questions(record: dict[str, Any]) -> Iterator[Question]:
    asked = {ASKED_IN + tongue: record[tongue] for tongue in TONGUES if tongue in record}
    for group, query in (asked or {"": record["query"]}).items():
        yield Question(
            query,
            tuple(record["relevant"]),
            record["repo"],
            (*_groups(record), *([group] if group else [])),
            tuple(Place(*span) for span in record.get("spans", ())),
        )


def write_set(file: Path, records: Iterable[dict[str, Any]]) -> int:
    """Write a set and return how many questions it has."""
    lines = [json.dumps(record, ensure_ascii=False) for record in records]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return len(lines)


def spells_a_stem(query: str, paths: Iterable[str]) -> bool:
    """Tell whether a question contains the name of one of its files, without the suffix."""
    asked = query.lower()
    stems = [path.rpartition("/")[2].split(".")[0].lower() for path in paths]
    return any(len(stem) > 2 and stem in asked for stem in stems)


def _groups(record: dict[str, Any]) -> tuple[str, ...]:
    groups = [f"repo: {record['repo']}"]
    groups += [f"{name}: {record[name]}" for name in ("language", "class") if name in record]
    for name, said in (("names_file", "a file"), ("names_function", "its function")):
        if name in record:
            groups.append(f"names {said}" if record[name] else f"does not name {said}")
    return tuple(groups)
