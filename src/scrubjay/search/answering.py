"""What does the index say to a question? Plan, retrieve, fuse, slice; an empty answer says why.

Retrieval to slicing see one snapshot of the catalog. It parses no source and never indexes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scrubjay.errors import ScrubjayError
from scrubjay.search.fuse import Candidates, Scored, fuse
from scrubjay.search.plan import Plan, QueryClass, make_plan
from scrubjay.search.retrieve import Ranking, find_named, look_up, rank_vectors, rank_words
from scrubjay.search.scope import Scope, resolve
from scrubjay.settings import SearchSettings
from scrubjay.store.catalog import Catalog
from scrubjay.store.commit import space_name
from scrubjay.store.content import text_of
from scrubjay.store.maintain import Stores
from scrubjay.store.queries import Survey, survey
from scrubjay.types import FileState, Filters, Hit, Leg, SearchReport, Stage, shown

if TYPE_CHECKING:
    from scrubjay.ports import Embedder, Vectors

BLANK = "The question holds no words to look for."
NOTHING_INDEXED = "Nothing is indexed yet."
NOTHING_PASSES = "No indexed file passes the filters."
NOTHING_FOUND = "Nothing that may answer holds any of the question's words."
NO_EMBEDDER = "Answered from words alone."
NO_VECTORS = "Answered from words alone: no file has vectors yet."
UNKNOWN_WORDS = "Answered from words alone: the embedding model knows none of the question's words."
STALE = {
    FileState.DIRTY.value: "changed since it was indexed, or waits to be indexed again",
    FileState.FAILED.value: "could not be indexed again: this is its earlier text",
}


@dataclass(frozen=True, slots=True)
class Searchable:
    """An index to put questions to, and the embedders at hand: none means words only."""

    stores: Stores
    root_names: Mapping[int, str]
    embedders: Sequence[Embedder] = ()


def search(
    question: str, index: Searchable, filters: Filters, settings: SearchSettings
) -> SearchReport:
    """Answer a question; raises UsageError for an unknown root, never because a model fails."""
    course = _Course()
    with course.stage("plan"):
        plan = make_plan(question, filters, settings)
    with index.stores.catalog.reading():
        seen = survey(index.stores.catalog)
    hits = _Search(index, plan, settings, seen, course).hits()
    return SearchReport(
        question=plan.question,
        hits=hits,
        stages=tuple(course.stages),
        notes=tuple(course.notes),
        legs=tuple(course.legs),
        coverage=seen.coverage,
    )


@dataclass(slots=True)
class _Course:
    """What happens on the way to an answer."""

    stages: list[Stage] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    legs: list[Leg] = field(default_factory=list)
    count: int = 0

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a step; what runs inside leaves its number of candidates in `count`."""
        self.count = 0
        start = time.perf_counter()
        yield
        self.stages.append(Stage(name, time.perf_counter() - start, self.count))


@dataclass(frozen=True, slots=True)
class _Search:
    """One question under way."""

    index: Searchable
    plan: Plan
    settings: SearchSettings
    seen: Survey
    course: _Course

    def hits(self) -> tuple[Hit, ...]:
        if self.plan.kind is QueryClass.BLANK:
            self.course.notes.append(BLANK)
            return ()
        if not self.seen.coverage.searchable:
            self.course.notes.append(NOTHING_INDEXED)
            return ()
        with self.course.stage("embed"):
            vectors = self._embed()
        catalog = self.index.stores.catalog
        with catalog.reading():
            scope = self._scope(catalog)
            if scope is not None and not scope.files:
                self.course.notes.append(NOTHING_PASSES)
                return ()
            ranked = self._rank(self._retrieve(catalog, scope, vectors), scope)
            with self.course.stage("slice"):
                hits = tuple(self._slice(catalog, ranked[: self.settings.results]))
                self.course.count = len(hits)
        if not hits:
            self.course.notes.append(NOTHING_FOUND)
        return hits

    def _embed(self) -> dict[str, Vectors]:
        """Embed the question in every space with live vectors; note what cannot be done."""
        spaces, notes = self.seen.spaces, self.course.notes
        at_hand = {space_name(embedder.space): embedder for embedder in self.index.embedders}
        usable = {name: at_hand[name] for name in spaces if name in at_hand}
        if not spaces:
            notes.append(NO_VECTORS)
        elif not at_hand:
            notes.append(NO_EMBEDDER)
        elif len(usable) < len(spaces):
            count = sum(held for name, held in spaces.items() if name not in usable)
            notes.append(
                f"{count} files were found by words alone: another model made their vectors."
            )
        vectors = {}
        for name, embedder in usable.items():
            try:
                vector = embedder.embed_query(self.plan.dense)
            except ScrubjayError as error:
                notes.append(f"Answered from words alone: {error.message}")
                continue
            if vector.any():
                vectors[name] = vector
            else:
                notes.append(UNKNOWN_WORDS)
        self.course.count = len(vectors)
        return vectors

    def _scope(self, catalog: Catalog) -> Scope | None:
        if self.plan.filters == Filters():
            return None
        with self.course.stage("filter"):
            scope = resolve(catalog, self.plan.filters, self.index.root_names)
            self.course.count = 0 if scope is None else len(scope.files)
        return scope

    def _retrieve(
        self, catalog: Catalog, scope: Scope | None, vectors: Mapping[str, Vectors]
    ) -> list[Ranking]:
        course, wanted = self.course, self.settings.candidates
        with course.stage(Leg.WORDS.value):
            rankings = [rank_words(catalog, self.plan, scope, self.seen.chunks, self.settings)]
            course.count = len(rankings[0].chunks)
        course.legs.append(Leg.WORDS)
        if vectors:
            with course.stage(Leg.VECTORS.value):
                rankings += rank_vectors(self.index.stores, vectors, scope, wanted)
                course.count = sum(len(ranking.chunks) for ranking in rankings[1:])
            course.legs.append(Leg.VECTORS)
        return rankings

    def _rank(self, rankings: list[Ranking], scope: Scope | None) -> list[Scored]:
        catalog = self.index.stores.catalog
        with self.course.stage("names"):
            named = find_named(catalog, self.plan, scope)
            self.course.count = len(named)
        with self.course.stage("fuse"):
            found = look_up(catalog, rankings, named)
            ranked = fuse(self.plan, Candidates(rankings, named, found), self.settings)
            self.course.count = len(ranked)
        return ranked

    def _slice(self, catalog: Catalog, ranked: Sequence[Scored]) -> Iterator[Hit]:
        """Cut every hit out of its file's stored text, which is read once."""
        texts: dict[int, str] = {}
        for scored in ranked:
            found = scored.found
            if found.file not in texts:
                texts[found.file] = text_of(catalog, found.file) or ""
            yield Hit(
                root=self.index.root_names.get(found.root, str(found.root)),
                path=shown(found.path),
                language=found.language,
                span=found.span,
                text=texts[found.file][found.span.start : found.span.end],
                score=scored.score,
                scope=found.scope,
                kind=found.kind,
                content_hash=found.content_hash.hex(),
                chunk=found.id,
                contributions=scored.contributions,
                more=tuple(other.span for other in scored.more),
                stale=STALE.get(found.state),
            )
