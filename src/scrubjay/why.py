"""Why is a path in the index, or not? One sentence, the rule behind it, and the row of the file."""

from __future__ import annotations

import time
from dataclasses import dataclass

from scrubjay.scan.walk import Finding
from scrubjay.store.files import FileReport
from scrubjay.types import FileState, Rule, Skip


@dataclass(frozen=True, slots=True)
class Explanation:
    """What the index makes of a path: `verdict` is one sentence, `rule` the line that decided.

    `file` is the row of a known file, and `is_current` says whether it was made as the settings
    now ask.
    """

    path: str
    root: str | None
    verdict: str
    rule: Rule | None = None
    file: FileReport | None = None
    is_current: bool | None = None


def judge(finding: Finding, file: FileReport | None) -> str:
    """Put the walk's finding and the file's row into one sentence."""
    if finding.skip is not None:
        return _of_skip(finding.skip, finding.path)
    if finding.problem is not None:
        kept = "; what is known of it is kept" if file is not None else ""
        return f"cannot be looked at: {finding.problem}{kept}"
    if finding.is_folder:
        return "is a folder whose files are looked at"
    if finding.entry is None:
        return "is not there" + ("; the next run forgets it" if file is not None else "")
    return "would be indexed, but no run has seen it yet" if file is None else _of_file(file)


def _of_skip(skip: Skip, path: bytes) -> str:
    whole = (
        ""
        if skip.path == path
        else f", because the folder {skip.path.decode(errors='replace')}/ is"
    )
    return f"is left out{whole}: {skip.reason.value}"


def _of_file(file: FileReport) -> str:
    match file.state:
        case FileState.CLEAN:
            return f"is indexed in {file.chunks} chunks"
        case FileState.SKIPPED:
            return f"was looked at and left out: {file.reason}"
        case FileState.FAILED:
            return f"failed {file.attempts} times and is not tried again by itself: {file.message}"
    if file.attempts:
        wait = max(0.0, file.not_before - time.time())
        return f"failed {file.attempts} times, next attempt in {wait:.0f} s: {file.message}"
    return "waits to be indexed" + (" again" if file.generation is not None else "")
