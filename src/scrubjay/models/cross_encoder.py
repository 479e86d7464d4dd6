"""A user's own reranker: an ONNX cross-encoder, which reads question and text in one go.

Its folder holds `model.onnx` and `tokenizer.json`; `MODEL.json` or `config.json` may tell how long
a pair may be. One logit is squashed by the logistic function; of two, softmax takes the last.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scrubjay.errors import ModelError
from scrubjay.models.onnx import Resting, Transformer, map_before, thread_count
from scrubjay.sections import RerankSettings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_TOKENS = 512
_LIMITS = (("MODEL.json", "max_tokens"), ("config.json", "max_position_embeddings"))
_MOST_EXPONENT = 60.0


def load_cross_encoder(settings: RerankSettings, folder: Path) -> CrossEncoder:
    """Open a cross-encoder; raises ModelError naming the file that is missing or damaged."""
    reranker = CrossEncoder(settings, folder)
    reranker.check()
    return reranker


class CrossEncoder:
    """Implements `ports.Reranker` with the feature `relevance`, from 0 to 1."""

    features = ("relevance",)

    def __init__(self, settings: RerankSettings, folder: Path) -> None:
        """Prepare to open the model in `folder` when it is asked."""
        self.profile = folder.name
        self._file = folder
        self._threads = thread_count(settings.threads)
        limit = _max_tokens(folder)
        self._model = Resting(lambda: Transformer(folder, limit), settings.idle_s)

    def check(self) -> None:
        """Open the model once, so that a broken one is told of before a question is asked."""
        with self._model.use():
            pass

    def reads(self, question: str) -> bool:
        """Say yes: which languages a user's model knows is the user's to know."""
        return True

    def judge(
        self, question: str, texts: Sequence[str], deadline: float
    ) -> list[tuple[float, ...]]:
        """Judge texts: (relevance,) of each, in order; raises TooSlow and ModelError."""
        with self._model.use() as model:

            def judged(text: str) -> tuple[float, ...]:
                return (self._relevance(model.run(model.cut(question, text))),)

            return list(map_before(judged, texts, self._threads, deadline))

    def _relevance(self, logits: NDArray[np.float32]) -> float:
        values = [float(value) for value in logits.ravel()]
        if len(values) not in (1, 2):
            raise ModelError(
                f"{self._file} gives {len(values)} values for a pair",
                hint="a cross-encoder gives one or two",
            )
        exponent = values[-1] - (values[0] if len(values) == 2 else 0.0)
        if math.isnan(exponent):  # comparisons below would make the best score of it
            raise ModelError(f"{self._file} gives no number for a pair", hint="fetch it anew")
        return 1 / (1 + math.exp(-max(-_MOST_EXPONENT, min(_MOST_EXPONENT, exponent))))


def _max_tokens(folder: Path) -> int:
    for name, key in _LIMITS:
        try:
            limit = json.loads((folder / name).read_text("utf-8")).get(key)
        except FileNotFoundError:
            continue
        except (OSError, ValueError, AttributeError) as error:
            raise ModelError(f"{folder / name}: {error}", hint="mend or remove it") from error
        if isinstance(limit, int) and limit > 0:
            return min(limit, MAX_TOKENS)
    return MAX_TOKENS
