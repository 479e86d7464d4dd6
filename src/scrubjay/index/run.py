"""One index run over some roots: crawl, work, sweep, tidy, and the truth about what was done."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from scrubjay.errors import Cancelled
from scrubjay.events import Maintained
from scrubjay.index.crawl import CrawlOutcome, CrawlRequest, crawl
from scrubjay.index.worker import Tally, Workshop, work
from scrubjay.store import files
from scrubjay.store.files import Root
from scrubjay.store.maintain import tidy
from scrubjay.types import Listing, RunSummary, shown

FILES_PER_RETRACT = 1_000

Walk = Callable[[Root], Iterable[Listing]]


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What to look at, how to walk a root, and how careful to be."""

    roots: tuple[Root, ...]
    walk: Walk
    force: bool = False


def run(shop: Workshop, request: RunRequest) -> RunSummary:
    """Bring the roots up to date; a cancelled run keeps and reports what it finished.

    Raises RootOffline and MassRemoval before any work is done on the root they name.
    """
    began = time.monotonic()
    outcomes: list[CrawlOutcome] = []
    tally, cancelled, removed = Tally(), False, 0
    changed = sweep(shop) > 0
    try:
        for root in request.roots:
            outcomes.append(_crawl(shop, request, root))
        tally = work(shop)
        cancelled = shop.is_cancelled()
        if not cancelled:
            removed = _forget(shop, [file for outcome in outcomes for file in outcome.gone])
    except Cancelled:
        cancelled = True
    changed |= sweep(shop) > 0 or tally.indexed > 0
    if not cancelled:
        _finish(shop, request, tidying=changed)
    summary = _summary(shop, request, outcomes, tally)
    return replace(
        summary,
        removed=removed,
        seconds=time.monotonic() - began,
        complete=not cancelled,
        cancelled=cancelled,
    )


def _crawl(shop: Workshop, request: RunRequest, root: Root) -> CrawlOutcome:
    return crawl(
        shop.stores.catalog,
        request.walk(root),
        CrawlRequest(
            root,
            shop.recipe,
            shop.settings.removal_guard_files,
            request.force,
            shop.tell,
            shop.is_cancelled,
        ),
    )


def _forget(shop: Workshop, gone: Sequence[int]) -> int:
    for start in range(0, len(gone), FILES_PER_RETRACT):
        shop.committer.retract(gone[start : start + FILES_PER_RETRACT])
    return len(gone)


def sweep(shop: Workshop) -> int:
    """Finish what commits, or a crash, left to delete; returns how many generations went."""
    began = time.monotonic()
    count = shop.committer.sweep(budget_s=shop.settings.sweep_budget_s)
    if count:
        shop.tell(Maintained("sweep", time.monotonic() - began, count))
    return count


def _finish(shop: Workshop, request: RunRequest, *, tidying: bool) -> None:
    began = time.monotonic()
    if tidying and (count := tidy(shop.stores)):
        shop.tell(Maintained("tidy", time.monotonic() - began, count))
    with shop.stores.catalog.writing():
        for root in request.roots:
            files.note_complete(shop.stores.catalog, root.id)


def _summary(
    shop: Workshop,
    request: RunRequest,
    outcomes: Sequence[CrawlOutcome],
    tally: Tally,
) -> RunSummary:
    totals = files.totals(shop.stores.catalog)
    reasons = dict(totals.reasons)
    for outcome in outcomes:
        for reason, count in outcome.reasons.items():
            reasons[reason.value] = reasons.get(reason.value, 0) + count
    problems = [
        f"{shown(folder) or '.'}: {why}" for outcome in outcomes for folder, why in outcome.problems
    ]
    return RunSummary(
        roots=tuple(shown(root.path) for root in request.roots),
        walked=sum(outcome.walked for outcome in outcomes),
        unchanged=sum(outcome.unchanged for outcome in outcomes),
        restamped=sum(outcome.restamped for outcome in outcomes),
        indexed=tally.indexed,
        skipped=sum(reasons.values()),
        failed=tally.failed,
        pending=totals.states["dirty"],
        chunks=tally.chunks,
        embedded=tally.embedded,
        reused=tally.reused,
        unsettled=tally.unsettled,
        reasons=reasons,
        failures=tuple(tally.failures),
        notes=tuple(problems),
    )
