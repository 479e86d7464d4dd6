"""Index trees and put questions to them, each configuration in a fresh process of its own."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Protocol, TypeVar

from questions import CACHE, Place, Question

from scrubjay.app import Workspace
from scrubjay.places import folder_for
from scrubjay.settings import ENV_PREFIX, HOME_VARIABLE, describe_settings

T = TypeVar("T")

RESULTS = 50
"""Hits asked for: recall is measured so deep."""

RANKING: Mapping[str, object] = {"search.results": RESULTS, "rerank.threshold": 0.0}
"""A whole ranking is measured: what a threshold would hide is part of it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The places of the hits, best first, and how long a caller waited for them."""

    places: tuple[Place, ...]
    seconds: float

    @property
    def paths(self) -> tuple[str, ...]:
        """The files of the hits, best first."""
        return tuple(place.path for place in self.places)


@dataclass(frozen=True, slots=True)
class Answers:
    """A contestant's answers, in the questions' order; `peak_mb` is None where unknown.

    `unread` counts the answers that a second stage should have read again, and did not.
    """

    answers: tuple[Answer, ...]
    peak_mb: float | None
    unread: int = 0


class Contestant(Protocol):
    """What ranks places: scrubjay in some configuration, or a peer."""

    @property
    def name(self) -> str:
        """Name of its rows in the table."""
        ...

    def ask(self, trees: Path, questions: Sequence[Question]) -> Answers:
        """Index each question's tree, `trees`/`repo`, and answer; one tree's stand together."""
        ...


@dataclass(frozen=True, slots=True)
class Configuration:
    """A name for settings that differ from the defaults, keyed `section.field`."""

    name: str
    overrides: Mapping[str, object]
    words_only: bool = False

    def home(self) -> Path:
        """Tell where its indexes lie: shared by all that would index the same."""
        dirtying = {info.name for info in describe_settings() if info.dirties}
        chosen = {name: self.overrides[name] for name in sorted(dirtying & set(self.overrides))}
        digest = hashlib.sha256(json.dumps(chosen).encode()).hexdigest()[:12]
        return CACHE / "quality" / (digest if chosen else "default")

    def ask(self, trees: Path, questions: Sequence[Question]) -> Answers:
        """Bring the indexes up to date, then ask, each in a fresh process."""
        repos = dict.fromkeys(question.repo for question in questions)
        in_fresh_process(_index, self, trees, tuple(repos))
        return in_fresh_process(_ask, self, trees, tuple(questions))


def in_fresh_process(work: Callable[..., T], *arguments: object) -> T:
    """Run a function where nothing is loaded yet, so that memory and first times are its own."""
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawning) as pool:
        return pool.submit(work, *arguments).result()


def open_tree(configuration: Configuration, tree: Path) -> Workspace:
    """Open a tree's index away from the user's own indexes and settings."""
    for variable in _own_variables():
        del os.environ[variable]
    os.environ[HOME_VARIABLE] = str(configuration.home())
    return Workspace(folder_for(tree), {**configuration.overrides, **RANKING})


def peak_mb() -> float | None:
    """Tell the most memory this process has held; None where the system does not say."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def _index(configuration: Configuration, trees: Path, repos: Sequence[str]) -> None:
    for repo in repos:
        start = time.perf_counter()
        summary = open_tree(configuration, trees / repo).index([trees / repo], wait_s=600)
        seconds = time.perf_counter() - start
        print(f"{repo}: {summary.indexed} files indexed in {seconds:.1f} s", file=sys.stderr)


def _ask(configuration: Configuration, trees: Path, questions: Sequence[Question]) -> Answers:
    answers: list[Answer] = []
    unread = 0
    for repo, asked in groupby(questions, key=lambda question: question.repo):
        workspace = open_tree(configuration, trees / repo)
        workspace.search("open the model", words_only=configuration.words_only)
        reads = workspace.settings.rerank.model != "none" and not configuration.words_only
        for question in asked:
            start = time.perf_counter()
            report = workspace.search(question.query, words_only=configuration.words_only)
            seconds = time.perf_counter() - start
            unread += reads and report.reranker is None and bool(report.hits)
            hits = (*report.hits, *report.near_misses)
            places = (Place(hit.path, hit.span.first_line, hit.span.last_line) for hit in hits)
            answers.append(Answer(tuple(places), seconds))
    return Answers(tuple(answers), peak_mb(), unread)


def _own_variables() -> Iterator[str]:
    yield from [name for name in os.environ if name.startswith(ENV_PREFIX)]
