"""A small index to write on, and the question whether an index on disk is sound.

`Shelf` publishes made-up files: every line of a text is a chunk, every chunk has the windows that
its line asks for (`3:` in front means three), and the vectors follow from the text alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from scrubjay.store.catalog import Reached, pass_by
from scrubjay.store.commit import (
    Committer,
    FailedFile,
    Met,
    Publication,
    SkippedFile,
    open_space,
    space_name,
)
from scrubjay.store.content import Content, StoredChunk, chunks_of, deflate, text_hash, text_of
from scrubjay.store.files import add_files, add_root, find_file, mark_files, roots
from scrubjay.store.maintain import Stores, check, open_for_reading, open_for_writing
from scrubjay.types import Chunk, Definition, Entry, Kind, RootKind, SkipReason, Space, Span, Stat

DIMENSION = 16
SPACE = Space("test", "made-up", "none", DIMENSION, 100, 10)
OTHER_SPACE = Space("test", "another", "none", DIMENSION, 100, 10)


def assert_sound(folder: Path, *, swept: bool = False) -> None:
    """Open the index at `folder` for reading and check every invariant."""
    stores = open_for_reading(folder)
    try:
        found = check(stores, swept=swept)
        assert not found, found
    finally:
        stores.close()


def vector_of(line: str, window: int, space: Space = SPACE) -> np.ndarray:
    seed = hashlib.sha256(f"{space.model}{window}{line}".encode()).digest()
    numbers = np.frombuffer(seed, np.uint8).astype(np.float32)[: space.dimension] - 127.5
    return numbers / np.linalg.norm(numbers)


def windows_of(line: str) -> int:
    head, colon, _ = line.partition(":")
    return int(head) if colon and head.isdigit() else 1


def content_of(text: str) -> Content:
    chunks, definitions, start = [], [], 0
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        span = Span(start, start + len(line), start, start + len(line), number, number)
        chunks.append(
            StoredChunk(
                Chunk(span, "code", ("Outer", "inner"), (0, len(text))),
                "outer inner",
                line,
                text_hash(line),
                windows_of(line),
            )
        )
        definitions.append(Definition(line.strip(), "function", span))
        start += len(line)
    return Content(
        deflate(text),
        len(text),
        "a path",
        tuple(chunks),
        tuple(definitions),
        (Span(0, 1, 0, 1, 1, 1),),
    )


def vectors_of(text: str, space: Space = SPACE) -> np.ndarray:
    rows = [
        vector_of(line, window, space)
        for line in text.splitlines(keepends=True)
        for window in range(windows_of(line))
    ]
    return np.array(rows, np.float32).reshape(-1, space.dimension)


@dataclass
class Shelf:
    """An index open for writing."""

    stores: Stores
    committer: Committer
    root: int
    space: int

    def known(self, name: str) -> tuple[int, int] | None:
        """Find a file's id and mark."""
        return self.stores.catalog.row(
            "SELECT id, mark FROM files WHERE root = ? AND folder = x'' AND name = ?",
            (self.root, name.encode()),
        )

    def ask(self, *names: str) -> None:
        """Register files, or mark the known ones."""
        with self.stores.catalog.writing():
            for name in names:
                known = self.known(name)
                if known is not None:
                    mark_files(self.stores.catalog, [known[0]])
                    continue
                entry = Entry(name.encode(), Stat(1, 2, 3, 4), Kind.TEXT, "python")
                add_files(self.stores.catalog, self.root, [entry])

    def met(self, name: str, **changes: Any) -> Met:
        known = self.known(name)
        assert known is not None
        file, mark = known
        return Met(**{"file": file, "mark": mark, "stamp": STAMP, "recipe": "r1", **changes})

    def publication(self, name: str, text: str, *, words_only: bool = False, **met: Any):
        return Publication(
            self.met(name, **met),
            content_of(text),
            hashlib.sha256(text.encode()).digest(),
            "python",
            "utf-8",
            vectors=None if words_only else vectors_of(text),
        )

    def put(self, words_only: bool = False, **texts: str) -> None:
        """Ask for work on files and publish their texts in one commit."""
        self.ask(*texts)
        self.committer.publish(
            [self.publication(n, t, words_only=words_only) for n, t in texts.items()], self.space
        )

    def skipped(self, name: str, **met: Any) -> SkippedFile:
        return SkippedFile(self.met(name, **met), SkipReason.BINARY, content_hash=b"h")

    def failed(self, name: str, *, final: bool = True, **met: Any) -> FailedFile:
        return FailedFile(self.met(name, **met), "broken", 5.0, final)

    def settle(self, *others: SkippedFile | FailedFile) -> None:
        self.committer.publish([], self.space, others)

    def retract(self, *names: str) -> None:
        known = [self.known(name) for name in names]
        self.committer.retract([file[0] for file in known if file is not None])

    def report(self, name: str):
        return find_file(self.stores.catalog, self.root, name.encode())

    def text(self, name: str) -> str | None:
        known = self.known(name)
        return None if known is None else text_of(self.stores.catalog, known[0])

    def problems(self, *, swept: bool = False) -> list[str]:
        return [v.invariant for v in check(self.stores, swept=swept)]

    def holds(self) -> dict[str, Any]:
        """Tell what a reader can see: name to state, text, and whether it has its own vectors."""
        seen = {}
        for file, name, state, space in self.stores.catalog.rows(
            "SELECT id, name, state, space FROM files ORDER BY name"
        ):
            has_vectors = space is not None and self._has_its_vectors(file)
            seen[name.decode()] = (state, text_of(self.stores.catalog, file), has_vectors)
        return seen

    def _has_its_vectors(self, file: int) -> bool:
        chunks = chunks_of(self.stores.catalog, file)
        text = text_of(self.stores.catalog, file) or ""
        found = self.stores.vectors.fetch(space_name(SPACE), [chunk.id for chunk in chunks])
        return all(
            np.allclose(
                found[chunk.id],
                vectors_of(text[chunk.span.start : chunk.span.end]),
                atol=1e-3,
            )
            for chunk in chunks
            if windows_of(text[chunk.span.start : chunk.span.end])
        )


STAMP = Stat(1, 2, 3, 4, 5)


@contextmanager
def opened(folder: Path, reached: Reached = pass_by) -> Iterator[Shelf]:
    """Open or make the index at `folder` for writing."""
    stores = open_for_writing(folder)
    try:
        catalog = stores.catalog
        known = [root.id for root in roots(catalog)]
        root = known[0] if known else add_root(catalog, b"/tree", RootKind.TEXT, 1)
        yield Shelf(
            stores,
            Committer(catalog, stores.vectors, reached),
            root,
            open_space(catalog, SPACE),
        )
    finally:
        stores.close()


def break_catalog(folder: Path, *statements: str, values: Sequence[Any] = ()) -> None:
    """Change the catalog behind scrubjay's back."""
    stores = open_for_reading(folder)
    try:
        for statement in statements:
            stores.catalog.run(statement, values)
    finally:
        stores.close()
