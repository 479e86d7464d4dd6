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
from typing import TypeVar

from questions import CACHE, Question

from scrubjay.app import Workspace
from scrubjay.places import folder_for
from scrubjay.settings import ENV_PREFIX, HOME_VARIABLE, describe_settings

T = TypeVar("T")

RESULTS = 50
"""Hits asked for: recall is measured so deep."""


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


@dataclass(frozen=True, slots=True)
class Answer:
    """The paths of the hits, best first, and how long a caller waited for them."""

    paths: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Answers:
    """A configuration's answers, in the questions' order; `peak_mb` is None where unknown."""

    answers: tuple[Answer, ...]
    peak_mb: float | None


def ask_all(configuration: Configuration, trees: Path, questions: Sequence[Question]) -> Answers:
    """Bring the indexes up to date, then ask; questions of one tree must stand together."""
    repos = dict.fromkeys(question.repo for question in questions)
    _in_fresh_process(_index, configuration, trees, tuple(repos))
    return _in_fresh_process(_ask, configuration, trees, tuple(questions))


def _in_fresh_process(work: Callable[..., T], configuration: Configuration, *rest: object) -> T:
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawning) as pool:
        return pool.submit(work, configuration, *rest).result()


def _index(configuration: Configuration, trees: Path, repos: Sequence[str]) -> None:
    for repo in repos:
        start = time.perf_counter()
        summary = _open(configuration, trees / repo).index([trees / repo])
        seconds = time.perf_counter() - start
        print(f"{repo}: {summary.indexed} files indexed in {seconds:.1f} s", file=sys.stderr)


def _ask(configuration: Configuration, trees: Path, questions: Sequence[Question]) -> Answers:
    answers: list[Answer] = []
    for repo, asked in groupby(questions, key=lambda question: question.repo):
        workspace = _open(configuration, trees / repo)
        workspace.search("open the model", words_only=configuration.words_only)
        answers += (_answer(workspace, question.query, configuration) for question in asked)
    return Answers(tuple(answers), _peak_mb())


def _answer(workspace: Workspace, query: str, configuration: Configuration) -> Answer:
    start = time.perf_counter()
    report = workspace.search(query, words_only=configuration.words_only)
    seconds = time.perf_counter() - start
    return Answer(tuple(hit.path for hit in report.hits), seconds)


def _open(configuration: Configuration, tree: Path) -> Workspace:
    """Open a tree's index away from the user's own indexes and settings."""
    for variable in _own_variables():
        del os.environ[variable]
    os.environ[HOME_VARIABLE] = str(configuration.home())
    overrides = {**configuration.overrides, "search.results": RESULTS}
    return Workspace(folder_for(tree), overrides)


def _own_variables() -> Iterator[str]:
    yield from [name for name in os.environ if name.startswith(ENV_PREFIX)]


def _peak_mb() -> float | None:
    try:
        import resource
    except ImportError:  # Windows
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
