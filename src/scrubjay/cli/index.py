"""`scrubjay index`: which workspaces are meant, one run over each, and what it did."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scrubjay.cli.options import Where, index_options
from scrubjay.cli.output import STOPPED_CODE, Output
from scrubjay.cli.progress import Watched, watching
from scrubjay.cli.stopping import stopping
from scrubjay.cli.summary import FAILED_CODE, show_summary
from scrubjay.errors import Cancelled, IndexBusy, MassRemoval, RootError, UsageError
from scrubjay.events import Warned

if TYPE_CHECKING:
    from scrubjay.app import Workspace
    from scrubjay.types import RunSummary

WAIT_STEP_S = 0.5

EPILOG = """\b
Examples:
  scrubjay index                     the workspace of the current folder, or the folder itself
  scrubjay index ~/code/app          a folder as a workspace of its own
  scrubjay index a b -w both         two folders that are searched together

\b
Ctrl-C finishes what is in flight and keeps it; a second Ctrl-C stops at once.
Exit codes: 0 all done, 3 done but some files failed, 130 stopped.
"""


@dataclass(frozen=True, slots=True)
class Job:
    """One run: an index, and the roots to add or to bring up to date, all if there are none."""

    workspace: Workspace
    paths: tuple[Path, ...]
    force: bool
    wait_s: float


@click.command("index", epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Believe the disk even if most files seem to be gone.")
@click.option(
    "--wait",
    "wait_s",
    type=click.FloatRange(0),
    default=0.0,
    metavar="SECONDS",
    help="Wait this long for another process that writes the index.",
)
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@index_options
def index_command(
    output: Output, where: Where, paths: tuple[Path, ...], force: bool, wait_s: float, quiet: bool
) -> int:
    """Index a folder, or bring its index up to date.

    Only what changed is worked on. Without PATH it is the workspace of the current folder; if there
    is none, the current folder becomes one.
    """
    codes, summaries = [0], []
    for workspace, chosen in _choose(where, paths):
        summary = _run(output, Job(workspace, chosen, force, wait_s), quiet=quiet)
        summaries.append(summary)
        known = workspace.failures()
        if not output.is_json:
            show_summary(output, summary, known)
        if summary.cancelled:
            codes.append(STOPPED_CODE)
            break
        codes.append(FAILED_CODE if summary.failed or known else 0)
    if output.is_json:
        output.json({"runs": summaries})
    return max(codes)


def _choose(where: Where, paths: tuple[Path, ...]) -> list[tuple[Workspace, tuple[Path, ...]]]:
    """Decide which workspaces are meant, and which roots each is given."""
    from scrubjay.app import Workspace
    from scrubjay.places import folder_for

    if where.workspace is not None:
        folder = where.require() if not paths else folder_for(where.folder, where.workspace)
        _require_folders(paths)
        return [(Workspace(folder), paths)]
    if paths:
        return [_workspace_of(path) for path in dict.fromkeys(paths)]
    found = where.find()
    if found is not None:
        return [(Workspace(found), ())]
    _require_folders((where.folder,))
    _require_narrow(where.folder)
    return [(Workspace(folder_for(where.folder)), (where.folder,))]


def _workspace_of(path: Path) -> tuple[Workspace, tuple[Path, ...]]:
    """Find the workspace that has `path` as a root; else it becomes a workspace of its own.

    A root that is known but not there is left to the run, which can say that it is offline.
    """
    from scrubjay.app import Workspace
    from scrubjay.places import find_folder, folder_for

    found = find_folder(path)
    real = os.fsencode(os.path.realpath(path))
    if found is not None:
        workspace = Workspace(found)
        roots = [root.path for root in workspace.roots()]
        if real in roots:
            return workspace, () if len(roots) == 1 else (path,)
    _require_folders((path,))
    return Workspace(folder_for(path)), (path,)


def _require_folders(paths: tuple[Path, ...]) -> None:
    for path in paths:
        if not path.is_dir():
            what = "is a file" if path.exists() else "does not exist"
            raise RootError(f"{path} {what}", hint="give the folder to index")


def _require_narrow(folder: Path) -> None:
    """Refuse to take the home folder or a whole disk for a project just because we stand in it."""
    real = Path(os.path.realpath(folder))
    if real in (Path.home(), Path(real.anchor)):
        raise UsageError(
            f"{real} is no project, and would be indexed whole",
            hint=f"if that is wanted, name it: scrubjay index {real}",
        )


def _run(output: Output, job: Job, *, quiet: bool) -> RunSummary:
    with watching(output, quiet=quiet) as display:
        try:
            return _attempt(job, display, force=job.force)
        except MassRemoval as error:
            if not output.can_ask():
                raise
            asked = error
    output.aside(f"{asked.message}.")
    if not click.confirm("Remove them from the index?", err=True):
        raise asked
    with watching(output, quiet=quiet) as display:
        return _attempt(job, display, force=True)


def _attempt(job: Job, display: Watched, *, force: bool) -> RunSummary:
    """Run once the index is free; waits in steps, because a wait for a lock hears no Ctrl-C."""
    deadline = time.monotonic() + job.wait_s
    is_told = False
    with stopping(display.stopping) as is_cancelled:
        while True:
            left = deadline - time.monotonic()
            try:
                return job.workspace.index(
                    job.paths,
                    force=force,
                    wait_s=max(0.0, min(left, WAIT_STEP_S)),
                    tell=display.tell,
                    is_cancelled=is_cancelled,
                )
            except IndexBusy as error:
                if left <= 0:
                    raise
                if is_cancelled():
                    raise Cancelled("stopped while waiting; nothing was changed") from error
                if not is_told:
                    display.tell(Warned(f"{error.message}; waiting for it"))
                    is_told = True
