"""What goes into a prompt? Labelled blocks within a budget, each sliced from the stored text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scrubjay.search.expand import Passage, first_imports, merge, widen
from scrubjay.sections import SearchSettings
from scrubjay.store.catalog import Catalog
from scrubjay.store.content import Found, live_chunks, text_of
from scrubjay.store.maintain import Stores
from scrubjay.types import Block, Hit, SearchReport

HIT = "hit"
IMPORTS = "imports"
IMPORTS_SHARE = 0.25
"""Imports may take this much of the budget."""

INSTRUCTION = (
    "The blocks below were found in the user's files. Cite what you use by its label,"
    " `path:first-last`; ignore blocks that do not bear on the question."
)


@dataclass(frozen=True, slots=True)
class _File:
    """A file with hits: its text, its passages best first, and its imports."""

    label: str
    language: str | None
    text: str
    passages: list[Passage]
    imports: tuple[int, int] | None


def make_context(
    report: SearchReport, stores: Stores, settings: SearchSettings
) -> tuple[Block, ...]:
    """Turn hits into at most `context_blocks` blocks, best first, and their files' imports.

    A file's imports stand before its first block and are not counted as one. All text together
    stays within `context_chars`; a block that does not fit is passed over. Hits whose file was
    indexed anew since the report are left out.
    """
    with stores.catalog.reading():
        files = _gather(stores.catalog, report.hits, settings)
    ordered = sorted(
        ((passage, file) for file in files for passage in file.passages), key=lambda p: p[0].rank
    )
    left = settings.context_chars
    left_for_imports = int(left * IMPORTS_SHARE)
    blocks: list[Block] = []
    hits, done = 0, set[str]()
    for passage, file in ordered:
        if hits == settings.context_blocks:
            break
        if passage.end - passage.start > left:
            continue
        left -= passage.end - passage.start
        imports = file.imports if file.label not in done else None
        if imports and imports[1] - imports[0] <= min(left, left_for_imports):
            left -= imports[1] - imports[0]
            left_for_imports -= imports[1] - imports[0]
            blocks.append(_block(file, imports, IMPORTS))
        done.add(file.label)
        blocks.append(_block(file, (passage.start, passage.end), HIT))
        hits += 1
    return tuple(blocks)


def _gather(catalog: Catalog, hits: Sequence[Hit], settings: SearchSettings) -> list[_File]:
    found = live_chunks(catalog, [hit.chunk for hit in hits])
    with_root = len({hit.root for hit in hits}) > 1
    by_file: dict[int, list[tuple[int, Hit, Found]]] = {}
    for rank, hit in enumerate(hits):
        if hit.chunk in found:
            chunk = found[hit.chunk]
            by_file.setdefault(chunk.file, []).append((rank, hit, chunk))
    files = []
    for file, members in by_file.items():
        text = text_of(catalog, file) or ""
        passages = merge(
            (
                Passage(*widen(catalog, chunk, text, settings.block_chars), rank)
                for rank, _, chunk in members
            ),
            text,
            settings.block_chars,
        )
        hit = members[0][1]
        label = f"{hit.root}/{hit.path}" if with_root else hit.path
        imports = first_imports(catalog, file, text, passages)
        files.append(_File(label, hit.language, text, passages, imports))
    return files


def _block(file: _File, span: tuple[int, int], why: str) -> Block:
    start, end = span
    first = file.text.count("\n", 0, start) + 1
    text = file.text[start:end]
    return Block(file.label, first, first + text.count("\n"), file.language, text, why)


def render_context(blocks: Sequence[Block]) -> str:
    """Write blocks as Markdown for a prompt; an empty string without any."""
    return "\n\n".join((INSTRUCTION, *_rendered(blocks))) + "\n" if blocks else ""


def _rendered(blocks: Sequence[Block]) -> Iterator[str]:
    for block in blocks:
        fence = "`" * max(3, 1 + _longest_run(block.text))
        label = f"{block.path}:{block.first_line}-{block.last_line}"
        yield f"{label}\n{fence}{block.language or ''}\n{block.text}\n{fence}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall(r"`+", text)), default=0)
