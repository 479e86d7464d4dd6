"""Reading a question against candidates word by word: late interaction over a small transformer.

A text becomes one vector per word piece. `maxsim` is the mean, over the question's pieces, of the
best cosine with any piece of the text (Khattab and Zaharia 2020, ColBERT); `cosine` compares the
means of all pieces. A text's vectors do not depend on the question, so they are kept.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scrubjay.errors import ModelError
from scrubjay.models.onnx import Resting, Transformer, map_before, thread_count
from scrubjay.sections import RerankSettings
from scrubjay.words import words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOREIGN_SHARE = 0.3
"""Questions with more of their letters in scripts beyond Latin are not judged."""

_LAST_LATIN = 0x24F
_MORE_LATIN = range(0x1E00, 0x1F00)
"""Letters with several marks, as Vietnamese has: the vocabulary knows them without."""

_INT8_MOST = 127
_BYTES_PER_MB = 1_000_000
_MARKS = slice(1, -1)
"""[CLS] and [SEP] stand for no word."""


def load_late_interaction(settings: RerankSettings, folder: Path) -> LateInteraction:
    """Make ready a model that embeds word pieces; its files are opened at the first question.

    Raises ModelError if the folder does not say what it holds.
    """
    try:
        limit = int(json.loads((folder / "MODEL.json").read_text("utf-8"))["max_tokens"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{folder.name}: MODEL.json: {error}", hint="fetch it anew") from error
    return LateInteraction(settings, folder, limit)


class LateInteraction:
    """Implements `ports.Reranker` with the features `cosine` and `maxsim`; safe between threads."""

    features = ("cosine", "maxsim")

    def __init__(self, settings: RerankSettings, folder: Path, max_tokens: int) -> None:
        """Prepare to read texts of at most `max_tokens` word pieces."""
        self.profile = folder.name
        self._threads = thread_count(settings.threads)
        self._model = Resting(lambda: Transformer(folder, max_tokens), settings.idle_s)
        self._known = _Known(settings.cache_mb * _BYTES_PER_MB)

    def reads(self, question: str) -> bool:
        """Say whether the question is written in Latin letters, mostly."""
        letters = [c for c in question if c.isalpha()]
        foreign = sum(ord(c) > _LAST_LATIN and ord(c) not in _MORE_LATIN for c in letters)
        return foreign <= FOREIGN_SHARE * len(letters)

    def judge(
        self, question: str, texts: Sequence[str], deadline: float
    ) -> list[tuple[float, ...]]:
        """Judge texts: (cosine, maxsim) of each, in order; raises TooSlow and ModelError."""
        keys = [_key(text) for text in texts]
        read = {key: self._known.get(key) for key in keys}
        missing = {k: text for k, text in zip(keys, texts, strict=True) if read[k] is None}
        with self._model.use() as model:
            asked = _read(model, question)
            made = map_before(
                lambda text: _read(model, text), list(missing.values()), self._threads, deadline
            )
            for key, done in zip(missing, made, strict=True):
                self._known.put(key, done)
                read[key] = done
        return [_compare(asked, held) for key in keys if (held := read[key]) is not None]


@dataclass(frozen=True, slots=True)
class _Read:
    """A text's word pieces as int8 rows (n, d) with a scale each, and the normalised mean (d,)."""

    rows: NDArray[np.int8]
    scales: NDArray[np.float32]
    mean: NDArray[np.float32]

    @property
    def size_bytes(self) -> int:
        return int(self.rows.nbytes + self.scales.nbytes + self.mean.nbytes)


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


def _read(model: Transformer, text: str) -> _Read:
    """Read a text as its words: identifiers split, punctuation left out."""
    import numpy as np

    hidden = model.run(model.cut(" ".join(words(text))))
    mean = hidden.mean(0)
    inner = hidden[_MARKS] if len(hidden) > 2 else hidden[:1]
    inner = inner / np.maximum(np.linalg.norm(inner, axis=1, keepdims=True), 1e-9)
    scales = np.maximum(np.abs(inner).max(1), 1e-9) / _INT8_MOST
    rows = np.round(inner / scales[:, None]).astype(np.int8)
    return _Read(rows, scales.astype(np.float32), mean / max(float(np.linalg.norm(mean)), 1e-9))


def _compare(question: _Read, text: _Read) -> tuple[float, float]:
    import numpy as np

    asked = question.rows * question.scales[:, None]
    nearest = (asked @ text.rows.astype(np.float32).T) * text.scales
    return float(question.mean @ text.mean), float(nearest.max(1).mean())


class _Known:
    """What was read before, the least used forgotten beyond a number of bytes."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._held: OrderedDict[bytes, _Read] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def get(self, key: bytes) -> _Read | None:
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
            return self._held.get(key)

    def put(self, key: bytes, text: _Read) -> None:
        with self._lock:
            if key in self._held:
                return
            self._held[key] = text
            self._size += text.size_bytes
            while self._size > self._most and self._held:
                self._size -= self._held.popitem(last=False)[1].size_bytes
