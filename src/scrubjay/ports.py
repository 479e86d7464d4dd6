"""Contracts between layers that have, or are about to have, two real implementations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from scrubjay.types import Space

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    """Rows of L2-normalised float32, shape (n, dimension)."""

    from scrubjay.index.tasks import Prepared, Task


class Embedder(Protocol):
    """Turns texts into vectors of one space.

    `embed_texts` returns one L2-normalised float32 row per text, in order, shape (n, dimension);
    a text without any known token gets the zero row. `embed_query` returns shape (dimension,).
    Both raise ModelError for good and Transient for now.
    """

    @property
    def space(self) -> Space:
        """Everything that shapes this embedder's vectors."""
        ...

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Embed document windows."""
        ...

    def embed_query(self, question: str) -> Vectors:
        """Embed a question."""
        ...


class Engine(Protocol):
    """Runs `prepare` over many files, somewhere else.

    Results come in any order, one per task; a task whose worker dies or overruns comes back as a
    failed Prepared, never as an exception, and costs no other task anything.
    """

    def map(self, tasks: Iterable[Task]) -> Iterator[Prepared]:
        """Prepare every task; closing the iterator abandons what has not started."""
        ...

    def close(self) -> None:
        """Stop the workers."""
        ...
