"""`scrubjay why`, `failures`, `skipped` and `retry`: what became of single files."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scrubjay.cli.options import Where, index_options
from scrubjay.cli.output import Output
from scrubjay.cli.wording import ago, many, near, sized
from scrubjay.types import FileState, shown

if TYPE_CHECKING:
    from scrubjay.store.files import FileReport
    from scrubjay.why import Explanation

RECIPE_CHARS = 12
"""Of a recipe or hash are shown; --json gives all."""


@click.command("why", epilog="\b\nExample:\n  scrubjay why build/output.js")
@click.argument("path", type=click.Path(path_type=Path))
@index_options
def why_command(output: Output, where: Where, path: Path) -> int:
    """Explain why PATH is in the index, or not: the rule that decided, or the state of its file."""
    if where.workspace is None and where.folder == Path():
        beside = replace(where, folder=path.parent)
        where = beside if beside.find() is not None else where
    explanation = where.open().why(Path(os.path.abspath(path)))
    if output.is_json:
        output.json(explanation)
    else:
        label = shown(os.fsencode(path))
        output.line(f"{output.painted(label, 'path')} {explanation.verdict}")
        output.facts(_facts(explanation))
    return 0


def _facts(explanation: Explanation) -> Iterator[tuple[str, str]]:
    rule, file = explanation.rule, explanation.file
    if rule is not None:
        line = f":{rule.line}" if rule.line else ""
        yield "Rule", f"{rule.source}{line}: {rule.pattern}"
    if explanation.root is not None:
        yield "Root", explanation.root
    if file is None:
        return
    yield "State", file.state.value + (f": {file.reason}" if file.reason else "")
    yield "Language", ", ".join(filter(None, (file.language, file.encoding)))
    yield "Chunks", f"{file.chunks:,}" if file.generation is not None else ""
    yield "Size", sized(file.stamp.size_bytes)
    yield "Changed", ago(file.stamp.mtime_ns / 1e9)
    yield "Indexed", ago(file.indexed_at) if file.indexed_at is not None else ""
    yield "Hash", file.content_hash.hex()[:RECIPE_CHARS] if file.content_hash is not None else ""
    current = "as the settings ask" if explanation.is_current else "other settings than now"
    yield "Recipe", f"{file.recipe[:RECIPE_CHARS]}, {current}" if file.recipe else ""
    yield "Attempts", str(file.attempts) if file.attempts else ""
    yield "Error", file.message or ""
    yield "Note", file.note or ""


@click.command("failures", epilog="\b\nExample:\n  scrubjay failures --json")
@index_options
def failures_command(output: Output, where: Where) -> int:
    """List the files that could not be indexed, with the reason and what happens next."""
    workspace = where.open()
    found = workspace.failures()
    if output.is_json:
        output.json({"failures": found})
        return 0
    roots = {root.id: Path(os.fsdecode(root.path)) for root in workspace.roots()}
    for file in found:
        output.line(f"{_label(output, roots, file)}: {file.message}")
        output.line("    " + output.painted(_next(file), "faint"))
    if not found:
        output.line("No file failed.")
    return 0


def _next(file: FileReport) -> str:
    tried = f"tried {file.attempts} times" if file.attempts > 1 else "tried once"
    if file.state is FileState.FAILED:
        return f"{tried}; not again by itself: `scrubjay retry`"
    wait = file.not_before - time.time()
    return f"{tried}; again by the next run" + (f" in {wait:.0f} s or later" if wait > 0 else "")


@click.command("skipped", epilog="\b\nExample:\n  scrubjay skipped | grep 'too large'")
@index_options
def skipped_command(output: Output, where: Where) -> int:
    """List the files that were looked at and left out, with the reason.

    What a rule leaves out by name is not remembered file by file: `scrubjay why PATH` tells.
    """
    workspace = where.open()
    found = workspace.skipped()
    if output.is_json:
        output.json({"skipped": found})
        return 0
    roots = {root.id: Path(os.fsdecode(root.path)) for root in workspace.roots()}
    for file in found:
        size = sized(file.stamp.size_bytes)
        output.line(f"{_label(output, roots, file)}: {file.reason} ({size})")
    return 0


@click.command("retry", epilog="\b\nExample:\n  scrubjay retry && scrubjay index")
@index_options
def retry_command(output: Output, where: Where) -> int:
    """Give failed files another chance at the next run."""
    count = where.open().retry()
    if output.is_json:
        output.json({"retried": count})
    elif count:
        output.line(f"{many(count, 'file')} will be tried again by the next `scrubjay index`.")
    else:
        output.line("No file failed.")
    return 0


def _label(output: Output, roots: dict[int, Path], file: FileReport) -> str:
    path = roots[file.root] / os.fsdecode(file.path)
    text = shown(os.fsencode(near(path)))
    return output.linked(output.painted(text, "path"), path)
