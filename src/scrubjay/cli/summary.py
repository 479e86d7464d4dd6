"""What did an index run do? The last lines of `scrubjay index`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from scrubjay.cli.wording import counted, lasted, many
from scrubjay.types import FileState, shown

if TYPE_CHECKING:
    from scrubjay.cli.output import Output
    from scrubjay.store.files import FileReport
    from scrubjay.types import RunSummary

FAILED_CODE = 3
FAILURES_SHOWN = 10


def show_summary(output: Output, summary: RunSummary, known: Sequence[FileReport]) -> None:
    """Print what a run did; `known` are the index's failing files, of this run or earlier ones."""
    output.line(_headline(summary))
    reasons = counted(summary.reasons)
    if reasons:
        output.line(f"Left out: {reasons}")
    for line in _waiting(summary):
        output.line(line)
    for note in summary.notes:
        output.aside(f"{output.painted('not readable:', 'warn', sys.stderr)} {note}")
    if known:
        output.aside(_failing(output, known))
        for file in known[:FAILURES_SHOWN]:
            output.aside(f"  {shown(file.path)}: {file.message}")
        if len(known) > FAILURES_SHOWN:
            output.aside(f"  … and {len(known) - FAILURES_SHOWN:,} more")


def _headline(summary: RunSummary) -> str:
    if summary.cancelled:
        return (
            f"Stopped: {many(summary.indexed, 'file')} of this run are kept,"
            f" {summary.pending:,} wait. `scrubjay index` goes on from here."
        )
    if not (summary.indexed or summary.removed or summary.failed):
        what = "1 file" if summary.unchanged == 1 else f"{summary.unchanged:,} files"
        return f"Up to date: {what} unchanged (looked at in {lasted(summary.seconds)})."
    if summary.indexed or summary.failed:
        head = (
            f"Indexed {many(summary.indexed, 'file')} in {lasted(summary.seconds)}:"
            f" {many(summary.chunks, 'chunk')}, {many(summary.embedded, 'text')} embedded,"
            f" {summary.reused:,} reused"
        )
    else:
        head = f"Nothing new (looked at in {lasted(summary.seconds)})"
    parts = [head]
    if summary.unchanged:
        parts.append(f"{summary.unchanged:,} unchanged")
    if summary.removed:
        parts.append(f"{summary.removed:,} removed")
    if summary.failed:
        parts.append(f"{summary.failed:,} failed")
    return ", ".join(parts) + "."


def _waiting(summary: RunSummary) -> Iterator[str]:
    """Say why files still wait after a run that came to its end."""
    written = summary.unsettled
    if written:
        was = "was" if written == 1 else "were"
        yield (
            f"{many(written, 'file')} {was} being written while read, and"
            f" {'waits' if written == 1 else 'wait'} for the next run."
        )


def _failing(output: Output, known: Sequence[FileReport]) -> str:
    final = sum(file.state is FileState.FAILED for file in known)
    retried = len(known) - final
    parts = []
    if retried:
        parts.append(f"{retried:,} will be tried again by the next run")
    if final:
        parts.append(f"{final:,} will not, unless `scrubjay retry` says so")
    head = output.painted(f"{many(len(known), 'file')} failed", "bad", sys.stderr)
    return f"{head}; {', '.join(parts)}:"
