"""The composition root: which index is meant, what it is made of, and everything one can ask of it.

The only module that constructs adapters. It prints nothing and parses no command line.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from scrubjay.errors import RootError, StoreError, UsageError
from scrubjay.events import Listener, ignore
from scrubjay.places import contains
from scrubjay.ports import Embedder, Engine
from scrubjay.settings import (
    FILE_NAME,
    Settings,
    data_home,
    load_settings,
    user_settings_file,
)
from scrubjay.status import Status, root_status, size_of
from scrubjay.store import files, maintain, queries
from scrubjay.store.commit import Committer, open_space, space_name
from scrubjay.store.files import FileReport, Root
from scrubjay.store.lock import lock_owner, writer_lock
from scrubjay.store.maintain import Repair, Stores, Violation
from scrubjay.types import Block, Filters, Hit, RootKind, RunSummary, SearchReport, Space, shown

if TYPE_CHECKING:
    from scrubjay.search.answering import Searchable
    from scrubjay.search.rerank import SecondStage
    from scrubjay.why import Explanation

EVERYTHING = Filters()


class Workspace:
    """One index directory and what can be done with it; opens only what a call needs."""

    def __init__(self, folder: Path, overrides: Mapping[str, object] | None = None) -> None:
        """Work with the index at `folder`, which need not exist yet."""
        self.folder = folder
        self.settings: Settings = load_settings(
            user_settings_file(), folder / FILE_NAME, overrides=overrides
        )
        self._embedder: Embedder | None = None
        self._second: SecondStage | None = None

    # -- write path

    def index(
        self,
        paths: Sequence[Path] = (),
        *,
        force: bool = False,
        wait_s: float = 0.0,
        tell: Listener = ignore,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> RunSummary:
        """Register `paths` as roots and bring them, or all roots if none are given, up to date.

        Raises RootError, RootOffline, MassRemoval, IndexBusy and StoreError.
        """
        for path in paths:
            _require_folder(path)
        with writer_lock(self.folder, "index", wait_s=wait_s):
            stores = maintain.open_for_writing(self.folder)
            try:
                chosen = [self._register(stores, path) for path in paths]
                roots = files.roots(stores.catalog)
                if chosen:
                    roots = [root for root in roots if root.id in chosen]
                if not roots:
                    raise UsageError("nothing to index", hint="`scrubjay index PATH` adds a folder")
                return self._run(stores, roots, force, tell, is_cancelled)
            finally:
                stores.close()

    def _run(
        self,
        stores: Stores,
        roots: Sequence[Root],
        force: bool,
        tell: Listener,
        is_cancelled: Callable[[], bool],
    ) -> RunSummary:
        from scrubjay.index.run import RunRequest, run
        from scrubjay.index.worker import Workshop
        from scrubjay.scan.walk import open_tree, walk

        settings = self.settings
        space = self._space()
        shop = Workshop(
            stores=stores,
            committer=Committer(stores.catalog, stores.vectors),
            open_engine=self._open_engine,
            open_embedder=None if space is None else self._open_embedder,
            space=None if space is None else open_space(stores.catalog, space),
            dimension=0 if space is None else space.dimension,
            recipe=self._recipe(),
            settings=settings.index,
            roots={root.id: root.path for root in roots},
            tell=tell,
            is_cancelled=is_cancelled,
        )
        own = (str(data_home()), str(self.folder))
        request = RunRequest(
            roots=tuple(roots),
            walk=lambda root: walk(
                open_tree(root.path, settings.scan, own=own, root_kind=root.kind)
            ),
            force=force,
        )
        return run(shop, request)

    def _register(self, stores: Stores, path: Path) -> int:
        """Make sure a folder is a root and return its id."""
        real = os.path.realpath(path)
        encoded = os.fsencode(real)
        for root in files.roots(stores.catalog):
            if root.path == encoded:
                return root.id
            known = Path(os.fsdecode(root.path))
            if Path(real).is_relative_to(known) or known.is_relative_to(real):
                raise RootError(
                    f"{path} overlaps {known}, which is a root of this workspace already",
                    hint="index them as workspaces of their own, or only the outer one",
                )
        return files.add_root(stores.catalog, encoded, RootKind.TEXT, os.stat(real).st_dev)

    def retry(self) -> int:
        """Give failed files another chance at the next run; returns how many."""
        with self._writing("retry") as stores:
            return files.retry_failed(stores.catalog)

    def repair(self) -> Repair:
        """Mend what can be mended without loss."""
        with writer_lock(self.folder, "repair"):
            stores = maintain.open_for_repair(self.folder)
            try:
                return maintain.repair(stores)
            finally:
                stores.close()

    def compact(self) -> int:
        """Sweep, merge fragments and give free space back; returns the bytes gained."""
        before = size_of(self.folder)
        with self._writing("compact") as stores:
            Committer(stores.catalog, stores.vectors).sweep(budget_s=float("inf"))
            maintain.tidy(stores, always=True)
            stores.catalog.vacuum()
        return before - size_of(self.folder)

    def migrate(self, *, reset: bool = False) -> int:
        """Take an aborted migration again, or with `reset` empty the index but keep its roots."""
        with writer_lock(self.folder, "migrate"):
            if not reset:
                return maintain.migrate_again(self.folder)
            kept = self._roots_or_none()
            maintain.reset(self.folder)
            stores = maintain.open_for_writing(self.folder)
            try:
                for root in kept:
                    files.add_root(stores.catalog, root.path, root.kind, root.device)
            finally:
                stores.close()
            return 0

    def delete(self) -> bool:
        """Remove the index and its settings; says whether the folder is gone too.

        It stays where it holds files of others. Raises IndexBusy and StoreError.
        """
        with writer_lock(self.folder, "delete"):
            maintain.reset(self.folder)
        try:
            for path in self.folder.iterdir():  # the lock's own files too: they are closed now
                if maintain.is_index_file(path.name) or path.name == FILE_NAME:
                    path.unlink(missing_ok=True)
            if any(self.folder.iterdir()):
                return False
            self.folder.rmdir()
        except OSError as error:
            raise StoreError(f"{self.folder} cannot be removed: {error.strerror}") from error
        return True

    def _roots_or_none(self) -> list[Root]:
        """Read the roots of an index that may be damaged; nothing where it cannot be read."""
        try:
            stores = maintain.open_for_reading(self.folder)
        except StoreError:
            return []
        try:
            return files.roots(stores.catalog)
        except StoreError:
            return []
        finally:
            stores.close()

    # -- read path

    def search(
        self,
        question: str,
        filters: Filters = EVERYTHING,
        *,
        words_only: bool = False,
        fast: bool = False,
    ) -> SearchReport:
        """Answer a question with the best places; `fast` leaves the second stage out."""
        with self.searchable(words_only=words_only, fast=fast) as index:
            return self._search(index, question, filters)

    def context(
        self,
        question: str,
        filters: Filters = EVERYTHING,
        *,
        words_only: bool = False,
        fast: bool = False,
    ) -> tuple[SearchReport, tuple[Block, ...]]:
        """Answer a question with blocks ready for a prompt; `fast` as in `search`."""
        from scrubjay.search.pack import make_context

        with self.searchable(words_only=words_only, fast=fast) as index:
            report = self._search(index, question, filters)
            return report, make_context(report, index.stores, self.settings.search)

    @contextmanager
    def searchable(self, *, words_only: bool = False, fast: bool = False) -> Iterator[Searchable]:
        """Open the index for many questions, with the models that these settings name."""
        from scrubjay.models.glossary import in_english
        from scrubjay.search.answering import Searchable

        with self._reading() as stores:
            names = {root.id: shown(root.path) for root in files.roots(stores.catalog)}
            space, embedders = None if words_only else self._space(), tuple[Embedder, ...]()
            if space is not None and queries.has_vectors(stores.catalog, space_name(space)):
                embedders = (self._open_embedder(),)
            second = None if words_only or fast else self._second_stage()
            yield Searchable(stores, names, embedders, second, in_english)

    def _search(self, index: Searchable, question: str, filters: Filters) -> SearchReport:
        from scrubjay.freshness import with_freshness
        from scrubjay.search.answering import search

        roots = {root.id: root for root in files.roots(index.stores.catalog)}
        report = search(question, index, filters, self.settings.search)

        def checked(hits: Sequence[Hit]) -> tuple[Hit, ...]:
            return tuple(with_freshness(index.stores.catalog, roots, hit) for hit in hits)

        return replace(report, hits=checked(report.hits), near_misses=checked(report.near_misses))

    def status(self) -> Status:
        """Report what the index holds."""
        with self._reading() as stores:
            catalog = stores.catalog
            return Status(
                folder=str(self.folder),
                roots=tuple(root_status(stores, root) for root in files.roots(catalog)),
                files=files.totals(catalog),
                model=self.settings.embed.model,
                outdated=queries.count_outdated(catalog, self._recipe()),
                doomed=queries.count_doomed(catalog),
                size_bytes=size_of(self.folder),
                owner=lock_owner(self.folder),
            )

    def failures(self) -> tuple[FileReport, ...]:
        """Report the files that could not be indexed."""
        with self._reading() as stores:
            return tuple(files.failures(stores.catalog))

    def skipped(self) -> tuple[FileReport, ...]:
        """Report the files that were looked at and left out."""
        with self._reading() as stores:
            return tuple(files.skipped(stores.catalog))

    def roots(self) -> tuple[Root, ...]:
        """List the roots."""
        with self._reading() as stores:
            return tuple(files.roots(stores.catalog))

    def verify(self, *, wait_s: float = 60.0) -> list[Violation]:
        """Check every invariant, once nobody writes; raises IndexBusy after `wait_s` seconds."""
        with (
            writer_lock(self.folder, "verify", wait_s=wait_s),
            closing(maintain.open_for_reading(self.folder)) as stores,
        ):
            return maintain.check(stores)

    def why(self, path: Path) -> Explanation:
        """Explain what the index makes of a path: the rule that leaves it out, or its state."""
        from scrubjay.scan.walk import explain, open_tree
        from scrubjay.why import Explanation, judge

        absolute = _without_following(path)
        with self._reading() as stores:
            root = next((r for r in files.roots(stores.catalog) if contains(r, absolute)), None)
            if root is None:
                return Explanation(str(path), None, "lies in none of the roots")
            relative = os.fsencode(absolute.relative_to(os.fsdecode(root.path)).as_posix())
            relative = b"" if relative == b"." else relative
            own = (str(data_home()), str(self.folder))
            finding = explain(
                open_tree(root.path, self.settings.scan, own=own, root_kind=root.kind), relative
            )
            report = files.find_file(stores.catalog, root.id, relative)
        return Explanation(
            path=str(path),
            root=shown(root.path),
            verdict=judge(finding, report),
            rule=finding.skip.rule if finding.skip is not None else None,
            file=report,
            is_current=None if report is None else report.recipe == self._recipe(),
        )

    # -- parts

    def _space(self) -> Space | None:
        from scrubjay.models.catalogue import space_of

        return space_of(self.settings.embed)

    def _recipe(self) -> str:
        from scrubjay.index.recipe import make_recipe

        space = self._space()
        return make_recipe(self.settings, "" if space is None else space_name(space))

    def _open_engine(self) -> Engine:
        from scrubjay.index.engine import LocalEngine
        from scrubjay.index.tasks import PrepareSettings

        settings = self.settings
        prepare = PrepareSettings(
            settings.scan,
            settings.chunk,
            settings.embed.window_chars,
            settings.embed.window_overlap_chars,
            settings.embed.words_only_languages,
            str(data_home() / "grammars"),
        )
        return LocalEngine(
            prepare,
            workers=settings.index.workers or max(1, (os.cpu_count() or 2) - 1),
            deadline_s=settings.index.file_deadline_s,
        )

    def _open_embedder(self) -> Embedder:
        from scrubjay.models.catalogue import load_embedder

        if self._embedder is None:
            self._embedder = load_embedder(self.settings.embed)
        assert self._embedder is not None
        return self._embedder

    def _second_stage(self) -> SecondStage | None:
        from scrubjay.models.catalogue import load_reranker
        from scrubjay.search.rerank import SecondStage

        if self._second is None and (reranker := load_reranker(self.settings.rerank)) is not None:
            self._second = SecondStage(reranker, self.settings.rerank)
        return self._second

    @contextmanager
    def _reading(self) -> Iterator[Stores]:
        stores = maintain.open_for_reading(self.folder)
        try:
            yield stores
        finally:
            stores.close()

    @contextmanager
    def _writing(self, purpose: str) -> Iterator[Stores]:
        with writer_lock(self.folder, purpose):
            stores = maintain.open_for_writing(self.folder)
            try:
                yield stores
            finally:
                stores.close()


def _without_following(path: Path) -> Path:
    """Resolve a path but for its last part, which may be a link to be explained as one."""
    if path.name in ("", ".."):
        return Path(os.path.realpath(path))
    return Path(os.path.realpath(path.parent)) / path.name


def _require_folder(path: Path) -> None:
    if not os.path.isdir(path):
        what = "is not a folder" if os.path.exists(path) else "does not exist"
        raise RootError(f"{path} {what}", hint="give the folder to index")
