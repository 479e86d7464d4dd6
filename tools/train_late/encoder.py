"""A MiniLM in plain torch: texts to one vector per word piece, and their mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from teacher import _encode
from tokenizers import Tokenizer

from scrubjay.words import runs, split_run


@dataclass(frozen=True)
class Encoded:
    """Normalised vectors of pieces (n, length, 384), their mask without [CLS] and [SEP], means."""

    words: torch.Tensor
    mask: torch.Tensor
    pooled: torch.Tensor


class Encoder:
    """Weights by name, and the tokenizer."""

    def __init__(self, weights: dict[str, torch.Tensor], tokenizer: Path) -> None:
        self.weights = {name: values.clone().requires_grad_() for name, values in weights.items()}
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def parameters(self) -> Iterator[torch.Tensor]:
        """List what is learnt; the table of words stays: few of its rows would move."""
        for name, values in self.weights.items():
            if name.startswith("encoder.") or name.startswith("embeddings.LayerNorm"):
                yield values

    def encode(self, texts: Sequence[str], pieces: int) -> Encoded:
        """Read texts as the second stage does: their words, cut to `pieces`."""
        rows = [e.ids for e in self._tokenizer.encode_batch([read_words(text) for text in texts])]
        rows = [row if len(row) <= pieces else [*row[: pieces - 1], row[-1]] for row in rows]
        longest = max(map(len, rows))
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        mask = torch.tensor([[1.0] * len(row) + [0.0] * (longest - len(row)) for row in rows])
        hidden = _encode(self.weights, ids, mask)
        pooled = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        inner = mask.clone()
        inner[:, 0] = 0
        for row, held in zip(inner, rows, strict=True):
            row[len(held) - 1] = 0
        inner[inner.sum(1) == 0, 0] = 1
        return Encoded(F.normalize(hidden, dim=-1), inner, F.normalize(pooled, dim=-1))


def read_words(text: str) -> str:
    """Spell a text as its words, identifiers split, punctuation left out."""
    return " ".join(word for run in runs(text) for word in split_run(run))
