"""A repository's history as questions: a commit's subject asks for the source files it changed."""

from __future__ import annotations

import io
import re
import subprocess
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from questions import spells_a_stem

MOST_FILES = 5
FEWEST_WORDS = 4
MOST_WORDS = 40

_SOURCE = re.compile(
    r"\.(?:py|pyx|js|jsx|mjs|ts|tsx|vue|svelte|c|h|cc|cpp|hpp|cxx|m|mm|rs|go|java|kt|scala|cs|rb"
    r"|php|swift|lua|pl|ex|exs|erl|hs|ml|jl|r|sh|sql)$",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"(?:^|/)(?:tests?|__tests__|specs?|testing|fixtures|examples?|samples?|demos?|docs?|docs_src"
    r"|bench(?:marks?)?|vendor|third_party|node_modules|dist)/"
    r"|(?:^|/)(?:test_|conftest)[^/]*$|[._-](?:test|tests|spec|bench)\.\w+$",
    re.IGNORECASE,
)
"""Files that accompany a change: what is asked for is where the change was made."""

_CHORE = re.compile(
    r"^(?:revert|merge|release|bump|upgrade|update dependenc|prepare|version)\b|^v?\d+\.\d+"
    r"|\b(?:typos?|bump(?:s|ed)?|changelog|lint(?:er|ing)?|reformat|formatting|whitespace|copyright)\b"
    r"|\b(?:release|version) v?\d|\[?skip ci\]?",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^(?:(?:\w+(?:\([^)]*\))?!?|[\w./,-]+): )|^:\w+: |^[^\w\s`'\"(\[]+ +")
_NUMBER = re.compile(r"\s*\(?(?:gh-|#)\d+\)?\.?\s*$|^\[?#\d+\]?:?\s*")


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit: its subject without label and ticket number, and the source files it changed."""

    id: str
    subject: str
    files: tuple[str, ...]


def questions_from(
    repository: Path, name: str, count: int, snapshot: str | None
) -> tuple[str, list[dict[str, Any]]]:
    """Take the newest `count` fit commits; returns the tree to index and the questions for it.

    Without a `snapshot` the tree is the parent of the oldest: no change asked for is in it.
    """
    since = "HEAD" if snapshot is None else f"{snapshot}..HEAD"
    chosen = [commit for commit in _history(repository, since) if _is_fit(commit)][:count]
    if not chosen:
        raise SystemExit(f"{name}: no commit is fit to be a question")
    tree = git(repository, "rev-parse", snapshot or f"{chosen[-1].id}^").strip()
    held = set(git(repository, "ls-tree", "-r", "--name-only", tree).splitlines())
    records = [
        {
            "query": commit.subject,
            "relevant": list(commit.files),
            "repo": name,
            "commit": commit.id,
            "names_file": spells_a_stem(commit.subject, commit.files),
        }
        for commit in chosen
        if held.issuperset(commit.files)
    ]
    return tree, records


def export(repository: Path, commit: str, target: Path) -> None:
    """Write the files of a commit to a folder, without its history."""
    archive = subprocess.run(
        ["git", "-C", str(repository), "archive", commit], check=True, stdout=subprocess.PIPE
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(target, filter="data")


def git(repository: Path, *arguments: str) -> str:
    """Run git and return what it prints; raises CalledProcessError."""
    command = ["git", "-C", str(repository), "-c", "core.quotepath=off", *arguments]
    return subprocess.run(
        command, check=True, stdout=subprocess.PIPE, encoding="utf-8", errors="replace"
    ).stdout


def _history(repository: Path, since: str) -> Iterator[Commit]:
    log = git(repository, "log", "--no-merges", "--name-only", "--format=%x1e%H%x1f%s", since)
    for entry in log.split("\x1e")[1:]:
        head, *lines = entry.splitlines()
        id, _, subject = head.partition("\x1f")
        files = [line for line in lines if _SOURCE.search(line) and not _ASIDE.search(line)]
        yield Commit(id, _plain(subject), tuple(files))


def _plain(subject: str) -> str:
    return _NUMBER.sub("", _LABEL.sub("", _NUMBER.sub("", subject))).strip()


def _is_fit(commit: Commit) -> bool:
    return (
        1 <= len(commit.files) <= MOST_FILES
        and FEWEST_WORDS <= len(commit.subject.split()) <= MOST_WORDS
        and not _CHORE.search(commit.subject)
    )
