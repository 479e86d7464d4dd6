"""How do vectors look in memory? Parallel arrays; one row is one window of a chunk."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class VectorRows:
    """Rows to add: parallel arrays of chunk id, generation, window number, and vectors (n, d)."""

    chunks: NDArray[np.int64]
    generations: NDArray[np.int64]
    windows: NDArray[np.int32]
    vectors: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class GenerationRows:
    """One generation's vectors (n, d): chunk `first_chunk + i` has the next `windows[i]` rows."""

    generation: int
    first_chunk: int
    windows: Sequence[int]
    vectors: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The nearest windows, best first: chunk ids and cosine similarities, both of shape (n,)."""

    chunks: NDArray[np.int64]
    similarities: NDArray[np.float32]


def number_rows(generations: Sequence[GenerationRows]) -> VectorRows:
    """Give every row of at least one generation its chunk, generation and window number."""
    import numpy as np

    counts = np.array([n for g in generations for n in g.windows], np.int64)
    chunks = np.array([g.first_chunk + i for g in generations for i in range(len(g.windows))])
    starts = np.cumsum(counts) - counts
    rows = int(counts.sum())
    return VectorRows(
        np.repeat(chunks.astype(np.int64), counts),
        np.repeat(
            np.array([g.generation for g in generations], np.int64),
            [len(g.vectors) for g in generations],
        ),
        (np.arange(rows) - np.repeat(starts, counts)).astype(np.int32),
        np.concatenate([g.vectors for g in generations]),
    )


@dataclass(frozen=True, slots=True)
class Resident:
    """A space in memory at one version, for exact search in some milliseconds."""

    version: int
    chunks: NDArray[np.int64]
    generations: NDArray[np.int64]
    vectors: NDArray[np.float32]

    def nearest(
        self, question: NDArray[np.float32], count: int, generations: Collection[int] | None
    ) -> Neighbours:
        """Find the windows most similar to a question (d,), optionally within some generations."""
        import numpy as np

        similarities = self.vectors @ question
        if generations is not None:
            wanted = np.isin(self.generations, np.fromiter(generations, np.int64, len(generations)))
            similarities = np.where(wanted, similarities, -np.inf)
        count = min(count, len(similarities))
        best = np.argpartition(-similarities, count - 1)[:count] if count else np.empty(0, np.int64)
        best = best[np.argsort(-similarities[best], kind="stable")]
        best = best[np.isfinite(similarities[best])]
        return Neighbours(self.chunks[best], similarities[best])
