"""What does the index say to a question? Plan, retrieve, fuse, slice; an empty answer says why.

Retrieval to slicing see one snapshot of the catalog. It parses no source and never indexes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from scrubjay.errors import ScrubjayError, TooSlow
from scrubjay.search.fuse import Candidates, Scored, fuse, one_per_file
from scrubjay.search.plan import Gloss, Plan, make_plan
from scrubjay.search.query_class import QueryClass
from scrubjay.search.rerank import (
    READ_PER_FILE,
    Reread,
    SecondStage,
    as_fused,
    part,
    read_again,
)
from scrubjay.search.retrieve import (
    Probe,
    Ranking,
    find_framed,
    find_named,
    look_up,
    rank_vectors,
    rank_words,
)
from scrubjay.search.scope import Scope, resolve
from scrubjay.search.weights import trust_of
from scrubjay.sections import SearchSettings
from scrubjay.store.catalog import Catalog
from scrubjay.store.commit import space_name
from scrubjay.store.content import Found, text_of
from scrubjay.store.maintain import Stores
from scrubjay.store.queries import Survey, survey
from scrubjay.types import FileState, Filters, Hit, Leg, SearchReport, Stage, shown

if TYPE_CHECKING:
    from scrubjay.ports import Embedder

BLANK = "The question holds no words to look for."
NOTHING_INDEXED = "Nothing is indexed yet."
NOTHING_PASSES = "No indexed file passes the filters."
NOTHING_FOUND = "Nothing that may answer holds any of the question's words."
NO_EMBEDDER = "Answered from words alone."
NO_VECTORS = "Answered from words alone: no file has vectors yet."
UNKNOWN_WORDS = "Answered from words alone: the embedding model knows none of the question's words."
NOT_READ = "The first candidates were not read again"
TOO_SLOW = NOT_READ + ": reading took longer than {:g} s (`rerank.deadline_s`)."
FOREIGN = f"{NOT_READ}: the model that reads them does not know this script."
READ_AS = "Read as: {}"
NOTHING_LIKELY = (
    "Nothing is likely enough to answer: the best hit has {}, `rerank.threshold` asks for {}."
    " Name what is looked for more fully, or show all with --threshold 0."
)
NEAR_MISSES = 3
STALE = {
    FileState.DIRTY.value: "changed since it was indexed, or waits to be indexed again",
    FileState.FAILED.value: "could not be indexed again: this is its earlier text",
}


@dataclass(frozen=True, slots=True)
class Searchable:
    """An index to put questions to, and the models at hand.

    No embedder means words only, no second stage that retrieval's order stands. `gloss` spells a
    Chinese question in English words.
    """

    stores: Stores
    root_names: Mapping[int, str]
    embedders: Sequence[Embedder] = ()
    second: SecondStage | None = None
    gloss: Gloss | None = None


def search(
    question: str, index: Searchable, filters: Filters, settings: SearchSettings
) -> SearchReport:
    """Answer a question; raises UsageError for an unknown root, never because a model fails."""
    course = _Course()
    with course.stage("plan"):
        plan = make_plan(question, filters, index.gloss)
        if plan.kind is QueryClass.CJK and plan.read != plan.dense:
            course.notes.append(READ_AS.format(plan.read))
    with index.stores.catalog.reading():
        seen = survey(index.stores.catalog)
    answer = _Search(index, plan, settings, seen, course).answer()
    return SearchReport(
        question=plan.question,
        hits=answer.hits,
        near_misses=answer.near_misses,
        threshold=answer.threshold,
        reranker=answer.reranker,
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
class _Answer:
    """What a question brought, and by whose measure."""

    hits: tuple[Hit, ...] = ()
    near_misses: tuple[Hit, ...] = ()
    threshold: float = 0.0
    reranker: str | None = None


@dataclass(frozen=True, slots=True)
class _Search:
    """One question under way."""

    index: Searchable
    plan: Plan
    settings: SearchSettings
    seen: Survey
    course: _Course

    def answer(self) -> _Answer:
        if self.plan.kind is QueryClass.BLANK:
            return self._nothing(BLANK)
        if not self.seen.coverage.searchable:
            return self._nothing(NOTHING_INDEXED)
        with self.course.stage("embed"):
            probes = self._embed()
        catalog = self.index.stores.catalog
        with catalog.reading():
            scope = self._scope(catalog)
            if scope is not None and not scope.files:
                return self._nothing(NOTHING_PASSES)
            ranked = self._rank(self._retrieve(catalog, scope, probes), scope)
            if not ranked:
                return self._nothing(NOTHING_FOUND)
            texts = _Texts(catalog)
            reread = self._read_again(ranked, texts)
            if self.settings.one_per_file:
                reread = replace(reread, ranked=one_per_file(reread.ranked))
            return self._cut(reread, texts)

    def _nothing(self, note: str) -> _Answer:
        self.course.notes.append(note)
        return _Answer()

    def _embed(self) -> dict[str, Probe]:
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
        probes = {}
        for name, embedder in usable.items():
            try:
                vector = embedder.embed_query(self.plan.dense)
            except ScrubjayError as error:
                notes.append(f"Answered from words alone: {error.message}")
                continue
            if vector.any():
                trust = trust_of(embedder.space.model).of(self.plan.kind)
                probes[name] = Probe(vector, self.settings.vectors_weight * trust)
            else:
                notes.append(UNKNOWN_WORDS)
        self.course.count = len(probes)
        return probes

    def _scope(self, catalog: Catalog) -> Scope | None:
        if self.plan.filters == Filters():
            return None
        with self.course.stage("filter"):
            scope = resolve(catalog, self.plan.filters, self.index.root_names)
            self.course.count = 0 if scope is None else len(scope.files)
        return scope

    def _retrieve(
        self, catalog: Catalog, scope: Scope | None, probes: Mapping[str, Probe]
    ) -> list[Ranking]:
        course, wanted = self.course, self.settings.candidates
        with course.stage(Leg.WORDS.value):
            rankings = [rank_words(catalog, self.plan, scope, self.seen.chunks, self.settings)]
            course.count = len(rankings[0].chunks)
        course.legs.append(Leg.WORDS)
        if probes:
            with course.stage(Leg.VECTORS.value):
                rankings += rank_vectors(self.index.stores, probes, scope, wanted)
                course.count = sum(len(ranking.chunks) for ranking in rankings[1:])
            course.legs.append(Leg.VECTORS)
        return rankings

    def _rank(self, rankings: list[Ranking], scope: Scope | None) -> list[Scored]:
        catalog = self.index.stores.catalog
        with self.course.stage("names"):
            named = find_named(catalog, self.plan, scope)
            framed = find_framed(catalog, self.plan.frames, scope)
            self.course.count = len(named) + len(framed)
        with self.course.stage("fuse"):
            found = look_up(catalog, rankings, (*named, *framed))
            candidates = Candidates(rankings, named, framed, found)
            ranked = fuse(self.plan, candidates, self.settings)
            self.course.count = len(ranked)
        return ranked

    def _read_again(self, ranked: list[Scored], texts: _Texts) -> Reread:
        """Let the second stage order the first candidates; retrieval's order stands if it fails."""
        second = self.index.second
        if second is None or not second.share(self.plan):
            return as_fused(ranked)
        with self.course.stage("rerank"):
            count = second.settings.candidates
            parted = part(ranked, count, READ_PER_FILE if self.settings.one_per_file else count)
            presented = [texts.presented(scored) for scored in parted.first]
            if not second.knows(self.plan, presented):
                self.course.notes.append(FOREIGN)
                return as_fused(ranked)
            try:
                reread = read_again(self.plan, parted, presented, second)
            except TooSlow:
                self.course.notes.append(TOO_SLOW.format(second.settings.deadline_s))
            except ScrubjayError as error:
                self.course.notes.append(f"{NOT_READ}: {error.message}")
            else:
                self.course.count = len(presented)
                return reread
        return as_fused(ranked)

    def _cut(self, reread: Reread, texts: _Texts) -> _Answer:
        """Part hits from near misses, and slice both."""
        wanted = reread.ranked[: self.settings.results]
        likely = [scored for scored in wanted if scored.chance >= reread.threshold]
        below = [s for s in wanted if s.chance < reread.threshold][:NEAR_MISSES]
        with self.course.stage("slice"):
            hits = tuple(self._hit(scored, texts) for scored in likely)
            near_misses = tuple(self._hit(scored, texts) for scored in below)
            self.course.count = len(hits)
        if not hits:
            best, least = f"{below[0].chance:.2f}", f"{reread.threshold:.2f}"
            self.course.notes.append(NOTHING_LIKELY.format(best, least))
        return _Answer(hits, near_misses, reread.threshold, reread.reranker)

    def _hit(self, scored: Scored, texts: _Texts) -> Hit:
        found = scored.found
        return Hit(
            root=self.index.root_names.get(found.root, str(found.root)),
            path=shown(found.path),
            language=found.language,
            span=found.span,
            text=texts.of(found),
            score=scored.score,
            chance=scored.chance,
            scope=found.scope,
            kind=found.kind,
            content_hash=found.content_hash.hex(),
            chunk=found.id,
            contributions=scored.contributions,
            more=tuple(other.span for other in scored.more),
            stale=STALE.get(found.state),
        )


class _Texts:
    """Slices chunks out of their files' stored texts, each of which is read once."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._texts: dict[int, str] = {}

    def of(self, found: Found) -> str:
        text = self._texts.get(found.file)
        if text is None:
            text = self._texts[found.file] = text_of(self._catalog, found.file) or ""
        return text[found.span.start : found.span.end]

    def presented(self, scored: Scored) -> str:
        """Give a candidate's text as a reranker reads it."""
        return f"{shown(scored.found.path)}\n{self.of(scored.found)}"
