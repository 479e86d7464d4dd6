"""In what order? Pure: ranks are fused, priors are added, and every reason for a score is kept.

A score of 1 is the first place in one leg of weight 1; priors count in the same unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt

from scrubjay.search.paths import PathClass, path_class
from scrubjay.search.plan import Plan
from scrubjay.search.query_class import QueryClass
from scrubjay.search.retrieve import Named, Ranking
from scrubjay.search.weights import (
    CLASS_FACTORS,
    COHERENCE,
    DEFINITION,
    EXACT_PATH,
    FRAME,
    FRAME_DECAY,
    STEM,
)
from scrubjay.sections import SearchSettings
from scrubjay.store.content import Found
from scrubjay.types import Contribution, shown
from scrubjay.words import split_run

MAX_MORE = 5
"""Other places of a file that a hit names."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """What retrieval brings: each leg's ranking, all looked up.

    `named` are the chunks that define a name the question spells; `framed` those a stack trace
    names, with how many frames lie between them and the error.
    """

    rankings: Sequence[Ranking]
    named: Mapping[int, Named]
    framed: Mapping[int, int]
    found: Mapping[int, Found]


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate, its score and why; `more` are the file's other candidates, best first.

    `factor` is that of its file's role, which the score holds and whatever is added to it gets.
    `chance` is the probability that it answers, its role put aside: what a threshold looks at.
    """

    found: Found
    score: float
    contributions: tuple[Contribution, ...]
    factor: float = 1.0
    chance: float = 1.0
    more: tuple[Found, ...] = ()


@dataclass(slots=True)
class _Tally:
    found: Found
    reasons: list[Contribution]
    score: float = 0.0
    factor: float = 1.0

    def add(
        self, name: str, value: float, rank: int | None = None, raw: float | None = None
    ) -> None:
        if value:
            self.reasons.append(Contribution(name, value, rank, raw))
            self.score += value


def fuse(plan: Plan, candidates: Candidates, settings: SearchSettings) -> list[Scored]:
    """Order candidates, best first."""
    tallies = {id: _Tally(chunk, []) for id, chunk in candidates.found.items()}
    _add_ranks(tallies, candidates.rankings, settings)
    if settings.coherence:
        _add_coherence(tallies.values())
    if settings.definition_prior:
        _add_definitions(tallies, plan, candidates.named)
    if settings.frame_prior:
        _add_frames(tallies, candidates.framed)
    if settings.stem_prior:
        _add_stems(tallies.values(), plan)
    if settings.path_class_prior:
        _add_path_classes(tallies.values(), plan)
    ordered = sorted(tallies.values(), key=lambda tally: (-tally.score, tally.found.id))
    return [
        Scored(tally.found, tally.score, tuple(tally.reasons), tally.factor) for tally in ordered
    ]


def one_per_file(ordered: Iterable[Scored]) -> list[Scored]:
    """Let each file's best candidate stand for it, with the places of the next few."""
    files: dict[int, list[Scored]] = {}
    for scored in ordered:
        files.setdefault(scored.found.file, []).append(scored)
    return [
        replace(best, more=tuple(other.found for other in others[:MAX_MORE]))
        for best, *others in files.values()
    ]


def _add_ranks(
    tallies: Mapping[int, _Tally], rankings: Iterable[Ranking], settings: SearchSettings
) -> None:
    k = settings.rank_constant
    for ranking in rankings:
        for rank, (chunk, raw) in enumerate(zip(ranking.chunks, ranking.scores, strict=True), 1):
            if chunk in tallies:
                value = ranking.weight * (k + 1) / (k + rank)
                tallies[chunk].add(ranking.leg.value, value, rank, raw)


def _add_coherence(tallies: Iterable[_Tally]) -> None:
    """Let a file's chunks support each other, in proportion to the file that has most support.

    All of them gain alike: which of them is best is not theirs to say.
    """
    files: dict[int, list[_Tally]] = {}
    for tally in tallies:
        files.setdefault(tally.found.file, []).append(tally)
    sums = {file: sum(tally.score for tally in group) for file, group in files.items()}
    most = max(sums.values(), default=0.0)
    for file, group in files.items():
        if most > 0 and len(group) > 1:
            for tally in group:
                tally.add("coherence", COHERENCE * sums[file] / most)


def _add_definitions(tallies: Mapping[int, _Tally], plan: Plan, named: Mapping[int, Named]) -> None:
    for chunk, name in named.items():
        if chunk in tallies:
            tallies[chunk].add(f"defines {name.name}", _definition_value(plan, name))


def _definition_value(plan: Plan, name: Named) -> float:
    value = DEFINITION * (1.5 if name.is_exact else 1.0) * (2 if name.is_owned else 1)
    return 2 * value if plan.kind is QueryClass.SYMBOL else value / sqrt(name.namesakes)


def _add_frames(tallies: Mapping[int, _Tally], framed: Mapping[int, int]) -> None:
    for chunk, depth in framed.items():
        if chunk in tallies:
            tallies[chunk].add("stack frame", FRAME * FRAME_DECAY**depth, depth + 1)


def _add_stems(tallies: Iterable[_Tally], plan: Plan) -> None:
    asked = {_singular(word) for word in (*plan.content, *plan.joined)}
    path = plan.question.replace("\\", "/").split(":")[0].strip("/").lower()
    known: dict[bytes, float] = {}
    for tally in tallies:
        value = known.get(tally.found.path)
        if value is None:
            value = STEM * _stem_share(tally.found.path, asked)
            if plan.kind is QueryClass.PATH and f"/{shown(tally.found.path).lower()}".endswith(
                f"/{path}"
            ):
                value += EXACT_PATH
            known[tally.found.path] = value
        tally.add("file name", value)


_ENTRY_NAMES = frozenset({"__init__", "__main__", "index", "init", "lib", "main", "mod", "readme"})


def _stem_share(path: bytes, asked: set[str]) -> float:
    """Tell which share of a file's name is asked for; an entry file is named by its folder."""
    *folders, name = shown(path).split("/")
    stem = name.split(".")[0] or name
    if stem.lower() in _ENTRY_NAMES and folders:
        stem = folders[-1]
    parts = {_singular(part) for part in split_run(stem) if part}
    if not parts:
        return 0.0
    if _singular(stem.replace("_", "").replace("-", "").lower()) in asked:
        return 1.0
    return len(parts & asked) / len(parts)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _add_path_classes(tallies: Iterable[_Tally], plan: Plan) -> None:
    known: dict[bytes, PathClass] = {}
    for tally in tallies:
        path = tally.found.path
        role = known.get(path)
        if role is None:
            role = known[path] = path_class(shown(path))
        if role not in plan.wants and plan.kind is not QueryClass.PATH:
            tally.factor = CLASS_FACTORS.get(role, 1.0)
            tally.add(role.value, tally.score * (tally.factor - 1.0))
