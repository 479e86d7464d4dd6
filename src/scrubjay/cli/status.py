"""`scrubjay status` and `scrubjay roots`: what the index holds and how it stands."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from scrubjay.cli.options import Where, index_options
from scrubjay.cli.output import Output
from scrubjay.cli.wording import ago, counted, many, sized

if TYPE_CHECKING:
    from scrubjay.status import RootStatus, Status

STATES = {"clean": "indexed", "dirty": "waiting", "failed": "failed"}
"""What a person reads for a file's state; those left out have a line of their own."""
WALKED = "walked"


@click.command("status", epilog="\b\nExample:\n  scrubjay status --json | jq .files.states")
@index_options
def status_command(output: Output, where: Where) -> int:
    """Show what the index holds and how it stands."""
    status = where.open().status()
    if output.is_json:
        output.json(status)
    else:
        _show(output, status)
    return 0


@click.command("roots", epilog="\b\nExample:\n  scrubjay roots -w both")
@index_options
def roots_command(output: Output, where: Where) -> int:
    """List the folders of this index, and whether they are there now."""
    roots = where.open().status().roots
    if output.is_json:
        output.json({"roots": roots})
    else:
        for root in roots:
            _show_root(output, root)
    return 0


def _show(output: Output, status: Status) -> None:
    files = status.files
    held = counted({STATES[state]: files.states[state] for state in STATES}, len(STATES))
    missing = files.searchable - files.with_vectors
    without = f", {many(missing, 'file')} without vectors" if missing else ""
    redo = f"{many(status.outdated, 'file')} made with other settings; the next run redoes them"
    writer = status.owner
    output.facts(
        [
            ("Files", held or "none yet"),
            ("Left out", counted(_left_out(status))),
            ("Languages", counted(files.languages)),
            ("Chunks", f"{files.chunks:,}{without}"),
            ("Model", status.model),
            ("Outdated", redo if status.outdated else ""),
            ("Size", f"{sized(status.size_bytes)} in {status.folder}"),
            ("To sweep", many(status.doomed, "replaced generation") if status.doomed else ""),
            (
                "Written by",
                f"process {writer.pid} ({writer.purpose}), begun {ago(writer.since)}"
                if writer
                else "",
            ),
        ],
        indent="",
    )
    output.line()
    for root in status.roots:
        _show_root(output, root)


def _left_out(status: Status) -> dict[str, int]:
    """Add what the walks left out by name to what was left out after a look inside."""
    reasons = Counter(status.files.reasons)
    for root in status.roots:
        reasons.update({reason: n for reason, n in root.walked.items() if reason != WALKED})
    return dict(reasons)


def _show_root(output: Output, root: RootStatus) -> None:
    state = output.painted("online", "good") if root.online else output.painted("offline", "bad")
    complete = root.last_complete_at
    when = f"complete {ago(complete)}" if complete is not None else "no run has come to its end yet"
    counts = root.files.states
    output.line(
        f"{output.painted(root.path, 'strong')}  {state},"
        f" {many(sum(counts.values()), 'file')}, {when}"
    )
    for problem in root.problems:
        output.line(f"  {output.painted('not readable:', 'warn')} {problem}")
