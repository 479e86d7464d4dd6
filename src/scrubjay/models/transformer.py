"""Vectors from an ONNX sentence encoder: one per text, pooled from its word pieces.

What a folder holds is told by its MODEL.json: dimension, pooling, token limit, prefixes, and
whether texts are read as they are or as their words.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrubjay.errors import ModelError
from scrubjay.models.onnx import Transformer, map_before, thread_count
from scrubjay.sections import EmbedSettings
from scrubjay.types import Space
from scrubjay.words import words

if TYPE_CHECKING:
    from scrubjay.ports import Vectors

PROVIDER = "onnx"
POOLINGS = ("mean", "cls")
NEVER = math.inf


@dataclass(frozen=True, slots=True)
class _Facts:
    artefact: str
    dimension: int
    max_tokens: int
    pooling: str
    query_prefix: str
    text_prefix: str
    reads_words: bool


def load_transformer(settings: EmbedSettings, folder: Path) -> TransformerEmbedder:
    """Open a sentence encoder; raises ModelError naming what is missing or damaged."""
    facts = _facts_of(folder)
    model = Transformer(folder, facts.max_tokens)
    return TransformerEmbedder(_space(settings, folder.name, facts), model, facts)


def transformer_space(settings: EmbedSettings, folder: Path) -> Space:
    """Tell the space of a sentence encoder without opening it; raises ModelError."""
    return _space(settings, folder.name, _facts_of(folder))


def _facts_of(folder: Path) -> _Facts:
    try:
        said: dict[str, Any] = json.loads((folder / "MODEL.json").read_text("utf-8"))
        facts = _Facts(
            artefact=str(said["artefact"]),
            dimension=int(said["dimension"]),
            max_tokens=int(said["max_tokens"]),
            pooling=str(said["pooling"]),
            query_prefix=str(said.get("query_prefix", "")),
            text_prefix=str(said.get("text_prefix", "")),
            reads_words=said.get("reads") == "words",
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{folder.name}: MODEL.json: {error}", hint="fetch it anew") from error
    if facts.pooling not in POOLINGS:
        raise ModelError(f"{folder.name}: MODEL.json: pooling is {facts.pooling!r}")
    return facts


def _space(settings: EmbedSettings, name: str, facts: _Facts) -> Space:
    return Space(
        provider=PROVIDER,
        model=name,
        artefact=facts.artefact[:12] + ("-words" if facts.reads_words else ""),
        dimension=facts.dimension,
        window_chars=settings.window_chars,
        window_overlap=settings.window_overlap_chars,
        query_prefix=facts.query_prefix,
        document_prefix=facts.text_prefix,
    )


class TransformerEmbedder:
    """Implements `ports.Embedder`; safe to share between threads."""

    def __init__(self, space: Space, model: Transformer, facts: _Facts) -> None:
        """Embed with a model already open."""
        self._space = space
        self._model = model
        self._facts = facts

    @property
    def space(self) -> Space:
        """Everything that shapes this embedder's vectors."""
        return self._space

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Embed texts: float32 (n, dimension), L2-normalised; the zero row for none."""
        import numpy as np

        prefixed = [self._facts.text_prefix + text for text in texts]
        rows = list(map_before(self._embed, prefixed, thread_count(0), NEVER))
        return np.stack(rows) if rows else np.empty((0, self._space.dimension), np.float32)

    def embed_query(self, question: str) -> Vectors:
        """Embed a question: float32 (dimension,), L2-normalised."""
        return self._embed(self._facts.query_prefix + question)

    def _embed(self, text: str) -> Vectors:
        import numpy as np

        if self._facts.reads_words:
            text = " ".join(words(text))
        if not text.strip():
            return np.zeros(self._space.dimension, np.float32)
        hidden = self._model.run(self._model.cut(text))
        if hidden.ndim != 2 or hidden.shape[1] != self._space.dimension:
            raise ModelError(
                f"{self._space.model} gives vectors of shape {hidden.shape},"
                f" not of {self._space.dimension} numbers per word piece"
            )
        vector = hidden.mean(0) if self._facts.pooling == "mean" else hidden[0]
        length = float(np.linalg.norm(vector))
        normalised: Vectors = (vector / (length or 1.0)).astype(np.float32)
        return normalised
