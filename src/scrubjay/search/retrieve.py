"""Which chunks could answer? Each leg brings its best candidates, ranked its own way.

The caller holds `Catalog.reading()`. Vectors are asked for more than is wanted, because one chunk
may have several windows, and rows that no live chunk owns are dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrubjay.search.plan import Plan
from scrubjay.search.query_class import QueryClass
from scrubjay.search.scope import Scope
from scrubjay.search.trace import Frame
from scrubjay.sections import SearchSettings
from scrubjay.store.catalog import Catalog
from scrubjay.store.content import Found, live_chunks
from scrubjay.store.maintain import Stores
from scrubjay.store.queries import (
    Place,
    chunk_at,
    chunk_of_line,
    definitions_named,
    files_named,
    known_chunks,
    match_words,
)
from scrubjay.types import Leg

if TYPE_CHECKING:
    from scrubjay.ports import Vectors

MAX_TERMS = 32
"""Words looked for at most, the rarest: each costs a list of postings."""

MAX_POSTINGS = 12_000
"""Words are added, rarest first, until so many chunks would be scored, at 1 to 2 µs each."""

FREE_POSTINGS = 3_000
"""A word in no more chunks than this is not common, however small the index: it costs little."""

MAX_LOOKED_UP = 256
"""Words whose frequency is asked for."""

COLUMN_WEIGHTS = {
    QueryClass.PATH: (8.0, 1.0, 0.5),
}
DEFAULT_WEIGHTS = (2.0, 2.0, 1.0)
"""How much a word counts in path, symbols and body."""

MAX_NAMESAKES = 12
MAX_NAMESAKES_OF_SYMBOL = 60
"""A name defined more often says little about where to look, unless it is all that is asked."""

OVERFETCH = 3
"""Windows asked for per wanted chunk: most have one or two. Asked again where that is too few."""

MOST_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Ranking:
    """One leg's candidates, best first: chunk ids and their raw scores, in parallel.

    `weight` is what a first place adds to a fused score.
    """

    leg: Leg
    weight: float
    chunks: tuple[int, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """A chunk in which a definition begins whose name the question spells, one of `namesakes`.

    `is_owned` says that the question spells what it is defined in, too: `Model.save`.
    """

    name: str
    is_exact: bool
    is_owned: bool
    namesakes: int


def rank_words(
    catalog: Catalog, plan: Plan, scope: Scope | None, chunks: int, settings: SearchSettings
) -> Ranking:
    """Rank chunks by BM25 over the question's rarer words; `chunks` is how many the index holds."""
    terms = choose_terms(catalog, plan, round(chunks * settings.common_term_share))
    weight = settings.words_weight
    if not terms or (scope is not None and not scope.files):
        return Ranking(Leg.WORDS, weight, (), ())
    rows = match_words(
        catalog,
        terms,
        COLUMN_WEIGHTS.get(plan.kind, DEFAULT_WEIGHTS),
        most=settings.candidates,
        within=None if scope is None else scope.files,
    )
    ids, scores = tuple(row[0] for row in rows), tuple(row[1] for row in rows)
    return Ranking(Leg.WORDS, weight, ids, scores)


def choose_terms(catalog: Catalog, plan: Plan, most: int) -> list[str]:
    """Choose words, rarest first, none in more than `most` chunks while others remain."""
    counted = _counted(catalog, (*plan.content, *plan.joined))
    if not counted:
        counted = _counted(catalog, plan.words)
    chosen: list[str] = []
    postings = 0
    for count, term in sorted(counted):
        if chosen and (
            count > max(most, FREE_POSTINGS)
            or postings + count > MAX_POSTINGS
            or len(chosen) == MAX_TERMS
        ):
            break
        chosen.append(term)
        postings += count
    return chosen


def _counted(catalog: Catalog, terms: Iterable[str]) -> list[tuple[int, str]]:
    """Pair words with the number of chunks that hold them, those that none holds left out."""
    seen: set[str] = set()
    counted = []
    for term in tuple(dict.fromkeys(terms))[:MAX_LOOKED_UP]:
        stems = catalog.stems([term])
        if not stems or seen.issuperset(stems):
            continue
        seen.update(stems)
        count = min(catalog.frequency(stem) for stem in stems)
        if count:
            counted.append((count, term))
    return counted


@dataclass(frozen=True, slots=True)
class Probe:
    """A question in one space: its vector, and how far this space is trusted."""

    vector: Vectors
    weight: float


def rank_vectors(
    stores: Stores, probes: Mapping[str, Probe], scope: Scope | None, count: int
) -> list[Ranking]:
    """Rank live chunks by their best window's similarity, once per space."""
    rankings = []
    for space, probe in probes.items():
        generations = None if scope is None else scope.generations.get(space, frozenset())
        if generations is not None and not generations:
            continue
        best = _nearest_chunks(stores, space, probe.vector, generations, count)
        rankings.append(Ranking(Leg.VECTORS, probe.weight, tuple(best), tuple(best.values())))
    return rankings


def _nearest_chunks(
    stores: Stores, space: str, vector: Vectors, generations: frozenset[int] | None, count: int
) -> dict[int, float]:
    wanted = count * OVERFETCH
    for _ in range(MOST_ROUNDS):
        nearest = stores.vectors.nearest(space, vector, wanted, generations=generations)
        best: dict[int, float] = {}
        for chunk, score in zip(
            nearest.chunks.tolist(), nearest.similarities.tolist(), strict=True
        ):
            best.setdefault(chunk, score)  # best first: the nearest window speaks for its chunk
        known = known_chunks(stores.catalog, best)
        live = {chunk: score for chunk, score in best.items() if chunk in known}
        if len(live) >= count or len(nearest.chunks) < wanted:
            break
        wanted *= 4
    return dict(list(live.items())[:count])


def find_named(catalog: Catalog, plan: Plan, scope: Scope | None) -> dict[int, Named]:
    """Find the chunks in which definitions begin that the question spells, by chunk id."""
    exact = {spelling.folded: spelling.exact for spelling in plan.spellings}
    owners = {name for name in exact.values() if name is not None}
    most = MAX_NAMESAKES_OF_SYMBOL if plan.kind is QueryClass.SYMBOL else MAX_NAMESAKES
    by_name: dict[str, list[Place]] = {}
    for place in definitions_named(catalog, exact):
        if scope is None or place.file in scope.files:
            by_name.setdefault(place.name.lower(), []).append(place)
    named: dict[int, Named] = {}
    for folded, places in by_name.items():
        best = [place for place in places if place.name == exact[folded]] or places
        owned = [place for place in best if _owner(place) in owners]
        if len(owned or best) > most:
            continue
        for place in owned or best:
            chunk = chunk_at(catalog, place.file, place.start)
            name = Named(place.name, place.name == exact[folded], bool(owned), len(owned or best))
            if chunk is not None and (chunk not in named or owned):
                named[chunk] = name
    return named


def _owner(place: Place) -> str:
    """Name what a definition stands in, without what that stands in."""
    return re.split(r"\W", place.container)[-1]


def find_framed(catalog: Catalog, frames: Sequence[Frame], scope: Scope | None) -> dict[int, int]:
    """Find the chunks that frames point at, by chunk id, each with its least depth.

    A frame's path and a file's match from their ends; the files that share most of it are meant.
    """
    framed: dict[int, int] = {}
    by_name = {frame.path.rpartition("/")[2].encode("utf-8", "replace") for frame in frames}
    held = [f for f in files_named(catalog, by_name) if scope is None or f.id in scope.files]
    for depth, frame in enumerate(frames):
        path = frame.path.encode("utf-8", "replace")
        shared = {file.id: _shared_parts(file.path, path) for file in held}
        most = max(shared.values(), default=0)
        meant = [file for file, parts in shared.items() if parts == most > 0]
        for file in meant if len(meant) <= MAX_NAMESAKES else ():
            chunk = chunk_of_line(catalog, file, frame.line)
            if chunk is not None:
                framed.setdefault(chunk, depth)
    return framed


def _shared_parts(path: bytes, other: bytes) -> int:
    """Count the last parts two paths have in common."""
    count = 0
    for mine, theirs in zip(reversed(path.split(b"/")), reversed(other.split(b"/")), strict=False):
        if mine != theirs:
            break
        count += 1
    return count


def look_up(
    catalog: Catalog, rankings: Iterable[Ranking], others: Iterable[int]
) -> dict[int, Found]:
    """Look up every candidate; those that are not live are left out."""
    return live_chunks(catalog, {*_ids(rankings), *others})


def _ids(rankings: Iterable[Ranking]) -> Iterator[int]:
    for ranking in rankings:
        yield from ranking.chunks
