"""A repository's history as questions: a commit's subject asks for the source files it changed.

Which commits are fit, and how a subject reads as a question, is what `scrubjay eval` says.
"""

from __future__ import annotations

import io
import subprocess
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from questions import spells_a_stem

from scrubjay.measure.history import git, open_checkout, read_commits
from scrubjay.measure.subjects import MOST_FILES, fault_of, is_about_aside, is_source, plain


@dataclass(frozen=True, slots=True)
class Asking:
    """A commit that is fit: its subject as a question, and the source files it changed."""

    id: str
    query: str
    files: tuple[str, ...]


def questions_from(
    repository: Path, name: str, count: int, snapshot: str | None
) -> tuple[str, list[dict[str, Any]]]:
    """Take the newest `count` fit commits; returns the tree to index and the questions for it.

    Without a `snapshot` the tree is the parent of the oldest: no change asked for is in it.
    """
    since = "HEAD" if snapshot is None else f"{snapshot}..HEAD"
    chosen = list(_fit(repository, since))[:count]
    if not chosen:
        raise SystemExit(f"{name}: no commit is fit to be a question")
    tree = git(repository, "rev-parse", snapshot or f"{chosen[-1].id}^").strip()
    held = set(git(repository, "ls-tree", "-r", "-z", "--name-only", tree).split("\0"))
    records = [
        {
            "query": one.query,
            "relevant": list(one.files),
            "repo": name,
            "commit": one.id,
            "names_file": spells_a_stem(one.query, one.files),
        }
        for one in chosen
        if held.issuperset(one.files)
    ]
    return tree, records


def export(repository: Path, commit: str, target: Path) -> None:
    """Write the files of a commit to a folder, without its history."""
    archive = subprocess.run(
        ["git", "-C", str(repository), "archive", commit], check=True, stdout=subprocess.PIPE
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(target, filter="data")


def _fit(repository: Path, revision: str) -> Iterator[Asking]:
    reverted: tuple[str, ...] = ()
    for commit in read_commits(open_checkout(repository), revision=revision, follow=False):
        reverted += commit.reverts
        paths = [path.decode("utf-8", "replace") for path in commit.paths]
        files = tuple(path for path in paths if is_source(path))
        if (
            commit.parents <= 1
            and not commit.id.startswith(reverted)
            and 1 <= len(files) <= MOST_FILES
            and fault_of(commit.author, commit.subject) is None
            and not is_about_aside(commit.subject, paths)
        ):
            yield Asking(commit.id, plain(commit.subject), files)
