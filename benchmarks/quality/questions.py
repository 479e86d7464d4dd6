"""A set of questions: JSON lines with `query`, `relevant` (paths), `repo`, and optional groups."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CACHE = Path(__file__).parents[1] / ".cache"
TREES = CACHE / "trees"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of which tree, and the files that answer it; `groups` are the set's own."""

    query: str
    relevant: tuple[str, ...]
    repo: str
    groups: tuple[str, ...]


def read_set(file: Path) -> list[Question]:
    """Read a set; raises KeyError where a line lacks one of the three fields."""
    records = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    return [
        Question(record["query"], tuple(record["relevant"]), record["repo"], _groups(record))
        for record in records
    ]


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
    if "class" in record:
        groups.append(f"class: {record['class']}")
    if "names_file" in record:
        groups.append("names a file" if record["names_file"] else "names no file")
    return tuple(groups)
