"""What does a text mean, at the speed of reading it? The embedder that comes inside the package.

A text's vector is the sum of the vectors of its distinct runs, normalised; a run's vector is the
sum of its word pieces' rows; how much a piece counts is the length of its row, learned in training
(docs/models.md). No order, no context: that is the price of the speed. It never reads the network
and never unpickles.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrubjay import words
from scrubjay.errors import ModelError
from scrubjay.models.wordpiece import WORDPIECE_VERSION, WordPiece
from scrubjay.types import Space

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from scrubjay.ports import Vectors
    from scrubjay.sections import EmbedSettings

PROVIDER = "builtin"
STATIC_256 = "static-256"

_MEMO_RUNS = 131_072
"""Runs whose vectors are kept: 128 MB of rows when full, which takes many languages."""

_BLOCK_RUNS = 8_192
"""Runs summed between two looks at the memo's room; a larger text is summed in parts."""

_FILL_RUNS = 256
"""New runs summed together: their vectors stay in the processor's second cache."""


def data_folder(name: str) -> Path:
    """Locate a shipped model's folder; it may not exist."""
    return Path(__file__).parent / "data" / name


def load_static(settings: EmbedSettings, name: str = STATIC_256) -> StaticEmbedder:
    """Open a shipped static model; its rows are mapped, not read.

    Raises ModelError when files are missing or do not fit together.
    """
    import numpy as np

    folder = data_folder(name)
    try:
        facts = json.loads((folder / "MODEL.json").read_text("utf-8"))
        vocabulary = (folder / "vocab.txt").read_text("utf-8").split("\n")[:-1]
        rows = np.load(folder / "rows.npy", mmap_mode="r", allow_pickle=False)
        scales = np.load(folder / "scales.npy", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise ModelError(f"{name}: {error}", hint="reinstall scrubjay") from error
    if rows.shape != (len(vocabulary), facts["dimension"]) or scales.shape != (len(vocabulary),):
        raise ModelError(f"{name}: its files do not fit together", hint="reinstall scrubjay")
    return StaticEmbedder(_space(facts, settings, name), _Table(vocabulary, rows, scales))


def static_space(settings: EmbedSettings, name: str = STATIC_256) -> Space:
    """Tell a shipped model's space without its table; raises ModelError like `load_static`."""
    try:
        facts = json.loads((data_folder(name) / "MODEL.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"{name}: {error}", hint="reinstall scrubjay") from error
    return _space(facts, settings, name)


def _space(facts: dict[str, Any], settings: EmbedSettings, name: str) -> Space:
    return Space(
        provider=PROVIDER,
        model=name,
        artefact=f"{facts['artefact'][:12]}-{WORDPIECE_VERSION}",
        dimension=facts["dimension"],
        window_chars=settings.window_chars,
        window_overlap=settings.window_overlap_chars,
    )


class StaticEmbedder:
    """Implements `ports.Embedder` over a table of int8 rows; safe to share between threads."""

    def __init__(self, space: Space, table: _Table) -> None:
        self._space = space
        self._memo = _RunVectors(table, space.dimension)
        self._lock = threading.Lock()

    @property
    def space(self) -> Space:
        """Everything that shapes this embedder's vectors."""
        return self._space

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Embed texts: float32 (n, dimension), L2-normalised; the zero row if nothing is known."""
        import numpy as np

        sums = np.zeros((len(texts), self._space.dimension), np.float32)
        for block in _blocks(texts):
            with self._lock:
                self._memo.add_to(sums, block)
        lengths = np.sqrt(np.einsum("ij,ij->i", sums, sums))
        lengths[lengths == 0] = 1
        sums /= lengths[:, None]
        return sums

    def embed_query(self, question: str) -> Vectors:
        """Embed a question as the texts are: float32 (dimension,)."""
        vector: Vectors = self.embed_texts([question])[0]
        return vector


@dataclass(frozen=True, slots=True)
class _Part:
    """Distinct runs of one text, at most a block's worth."""

    text: int
    runs: Collection[str]


def _blocks(texts: Sequence[str]) -> Iterator[list[_Part]]:
    """Group texts, cut where they are very long, into blocks of at most `_BLOCK_RUNS` runs."""
    block: list[_Part] = []
    size = 0
    for number, text in enumerate(texts):
        runs = dict.fromkeys(words.runs(text))  # not a set: sums must not depend on hashes
        for part in _parts(runs):
            if size + len(part) > _BLOCK_RUNS:
                yield block
                block, size = [], 0
            block.append(_Part(number, part))
            size += len(part)
    if block:
        yield block


def _parts(runs: Collection[str]) -> Iterable[Collection[str]]:
    if len(runs) <= _BLOCK_RUNS:
        return (runs,)
    listed = list(runs)
    return [listed[i : i + _BLOCK_RUNS] for i in range(0, len(listed), _BLOCK_RUNS)]


@dataclass(frozen=True, slots=True)
class _Table:
    """The artefact: row i of the vocabulary is `rows[i] * scales[i]`."""

    vocabulary: list[str]
    rows: NDArray[np.int8]
    scales: NDArray[np.float32]


class _RunIndex(dict[str, int]):
    """Runs to rows of the memo; row 0 is the zero row of everything unknown."""

    def __init__(self, pieces: WordPiece) -> None:
        super().__init__()
        self.pieces = pieces
        self.waiting: list[tuple[int, ...]] = []
        self.count = 1

    def __missing__(self, run: str) -> int:
        rows = self.pieces.rows_of_run(run)
        row = 0
        if rows:
            row = self.count
            self.count += 1
            self.waiting.append(rows)
        self[run] = row
        return row

    def forget(self) -> None:
        self.clear()
        self.count = 1


class _RunVectors:
    """Sums pieces to runs once, and runs to texts; holds at most `_MEMO_RUNS` vectors."""

    def __init__(self, table: _Table, dimension: int) -> None:
        import numpy as np

        self._table = table
        self._index = _RunIndex(WordPiece(table.vocabulary))
        # Untouched pages of an empty array cost nothing, so it need not grow.
        self._vectors = np.empty((_MEMO_RUNS, dimension), np.float32)
        self._vectors[0] = 0

    def add_to(self, sums: Vectors, block: list[_Part]) -> None:
        """Add the runs' vectors of each part to the row of its text."""
        import numpy as np

        if len(self._index) + sum(len(part.runs) for part in block) >= _MEMO_RUNS:
            self._index.forget()
        look_up = self._index.__getitem__
        places = [np.fromiter(map(look_up, p.runs), np.intp, len(p.runs)) for p in block]
        self._fill_waiting()
        for part, rows in zip(block, places, strict=True):
            sums[part.text] += self._vectors.take(rows, 0).sum(0)

    def _fill_waiting(self) -> None:
        waiting = self._index.waiting
        first = self._index.count - len(waiting)
        for start in range(0, len(waiting), _FILL_RUNS):
            self._fill(waiting[start : start + _FILL_RUNS], first + start)
        waiting.clear()

    def _fill(self, runs: list[tuple[int, ...]], first: int) -> None:
        """Write the vectors of new runs from row `first` on: all first pieces, all second, ..."""
        import numpy as np

        order = sorted(range(len(runs)), key=lambda i: -len(runs[i]))
        longest_first = [runs[i] for i in order]
        sums = np.zeros((len(runs), self._vectors.shape[1]), np.float32)
        for nth in range(len(longest_first[0])):
            while len(longest_first[-1]) <= nth:
                longest_first.pop()
            pieces = [pieces[nth] for pieces in longest_first]
            rows = self._table.rows.take(pieces, 0) * self._table.scales.take(pieces)[:, None]
            sums[: len(pieces)] += rows
        self._vectors[np.add(order, first)] = sums
