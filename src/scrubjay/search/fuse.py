"""In what order? Pure: ranks are fused, priors are added, and every reason for a score is kept.

A score of 1 is the first place in one leg of weight 1; priors count in the same unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from scrubjay.search.paths import PathClass, path_class
from scrubjay.search.plan import Plan, QueryClass
from scrubjay.search.retrieve import Named, Ranking
from scrubjay.settings import SearchSettings
from scrubjay.store.content import Found
from scrubjay.types import Contribution, Leg, shown
from scrubjay.words import split_run

# Weights of the priors: plateaus over 167 commit subjects in five repositories (Python, Go, C,
# TypeScript) and 48 questions over Django and the standard library.
COHERENCE = 0.7
DEFINITION = 0.5
STEM = 0.3
EXACT_PATH = 2.0
CLASS_FACTORS = {
    PathClass.TESTS: 0.4,
    PathClass.EXAMPLES: 0.4,
    PathClass.DOCS: 0.6,
    PathClass.NOTES: 0.3,
    PathClass.VENDORED: 0.5,
    PathClass.GENERATED: 0.5,
    PathClass.LOCALE: 0.3,
}
MAX_MORE = 5
"""Other places of a file that a hit names."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """What retrieval brings: each leg's ranking, the chunks that define a name, all looked up."""

    rankings: Sequence[Ranking]
    named: Mapping[int, Named]
    found: Mapping[int, Found]


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate, its score and why; `more` are the file's other candidates, best first."""

    found: Found
    score: float
    contributions: tuple[Contribution, ...]
    more: tuple[Found, ...] = ()


@dataclass(slots=True)
class _Tally:
    found: Found
    reasons: list[Contribution]
    score: float = 0.0

    def add(
        self, name: str, value: float, rank: int | None = None, raw: float | None = None
    ) -> None:
        if value:
            self.reasons.append(Contribution(name, value, rank, raw))
            self.score += value


def fuse(plan: Plan, candidates: Candidates, settings: SearchSettings) -> list[Scored]:
    """Order candidates, best first; with `one_per_file` each file's best stands for it."""
    tallies = {id: _Tally(chunk, []) for id, chunk in candidates.found.items()}
    _add_ranks(tallies, plan, candidates.rankings, settings)
    if settings.coherence:
        _add_coherence(tallies.values())
    if settings.definition_prior:
        _add_definitions(tallies, plan, candidates.named)
    if settings.stem_prior:
        _add_stems(tallies.values(), plan)
    if settings.path_class_prior:
        _add_path_classes(tallies.values(), plan)
    ordered = sorted(tallies.values(), key=lambda tally: (-tally.score, tally.found.id))
    return list(_one_per_file(ordered) if settings.one_per_file else map(_scored, ordered))


def _add_ranks(
    tallies: Mapping[int, _Tally], plan: Plan, rankings: Iterable[Ranking], settings: SearchSettings
) -> None:
    k = settings.rank_constant
    weights = {Leg.WORDS: plan.words_weight, Leg.VECTORS: plan.vectors_weight}
    for ranking in rankings:
        for rank, (chunk, raw) in enumerate(zip(ranking.chunks, ranking.scores, strict=True), 1):
            if chunk in tallies:
                value = weights[ranking.leg] * (k + 1) / (k + rank)
                tallies[chunk].add(ranking.leg.value, value, rank, raw)


def _add_coherence(tallies: Iterable[_Tally]) -> None:
    """Let a file's chunks support its best one, in proportion to the file that has most support."""
    files: dict[int, list[_Tally]] = {}
    for tally in tallies:
        files.setdefault(tally.found.file, []).append(tally)
    sums = {file: sum(tally.score for tally in group) for file, group in files.items()}
    most = max(sums.values(), default=0.0)
    for file, group in files.items():
        if most > 0 and len(group) > 1:
            best = max(group, key=lambda tally: tally.score)
            best.add("coherence", COHERENCE * sums[file] / most)


def _add_definitions(tallies: Mapping[int, _Tally], plan: Plan, named: Mapping[int, Named]) -> None:
    for chunk, name in named.items():
        if chunk in tallies:
            tallies[chunk].add(f"defines {name.name}", _definition_value(plan, name))


def _definition_value(plan: Plan, name: Named) -> float:
    value = DEFINITION * (1.5 if name.is_exact else 1.0) * (2 if name.is_owned else 1)
    return 2 * value if plan.kind is QueryClass.SYMBOL else value / sqrt(name.namesakes)


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
            tally.add(role.value, tally.score * (CLASS_FACTORS.get(role, 1.0) - 1.0))


def _one_per_file(ordered: Iterable[_Tally]) -> Iterator[Scored]:
    files: dict[int, list[_Tally]] = {}
    for tally in ordered:
        files.setdefault(tally.found.file, []).append(tally)
    for best, *others in files.values():
        yield _scored(best, tuple(tally.found for tally in others[:MAX_MORE]))


def _scored(tally: _Tally, more: tuple[Found, ...] = ()) -> Scored:
    return Scored(tally.found, tally.score, tuple(tally.reasons), more)
