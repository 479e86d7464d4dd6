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


class Reranker(Protocol):
    """Reads a question and candidates together, and says how well each answers it.

    `judge` returns one tuple per text, in order: the values that `features` names, higher is
    better. It raises TooSlow when `deadline` (of `time.monotonic`) passes first, what it has
    computed being kept for the next time; ModelError for good, Transient for now.
    """

    @property
    def profile(self) -> str:
        """Name whose fitted weights and threshold turn the features into a probability."""
        ...

    @property
    def features(self) -> tuple[str, ...]:
        """Name what `judge` returns of each text."""
        ...

    def reads(self, question: str) -> bool:
        """Say whether the model knows the question's script well enough to judge."""
        ...

    def judge(
        self, question: str, texts: Sequence[str], deadline: float
    ) -> list[tuple[float, ...]]:
        """Judge texts, each a path, a line feed, and the chunk's text."""
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
