"""A first table from the teacher: each entry on its own, PCA, weights by frequency."""

from __future__ import annotations

from collections import Counter

import numpy as np
from teacher import Teacher, embed_pieces

from scrubjay.models.wordpiece import WordPiece

DIMENSION = 256
SIF_A = 1e-3
"""Smooth inverse frequency: weight a / (a + p), Arora et al. 2017."""


def choose_vocabulary(teacher: Teacher, words: Counter[str], size: int) -> list[str]:
    """List the entries: the teacher's own, then the most frequent words it would cut.

    Only reachable entries are kept: no special tokens, no punctuation, nothing with an underscore.
    """
    own = [t for t in teacher.vocabulary if t.removeprefix("##").isalnum() and t[0] != "["]
    known = set(own)
    added = (w for w, _ in words.most_common() if w not in known and 2 < len(w) <= 24)
    wanted = (w for w in added if not w.isdigit() and not _is_hexadecimal(w))
    return own + [w for w, _ in zip(wanted, range(max(0, size - len(own))), strict=False)]


def _is_hexadecimal(word: str) -> bool:
    return any(c.isdigit() for c in word) and all(c in "0123456789abcdefx" for c in word)


def distil(teacher: Teacher, vocabulary: list[str], frequency: Counter[str]) -> np.ndarray:
    """Embed each entry with the teacher, keep 256 principal components, weight; float32 rows."""
    ids = {entry: i for i, entry in enumerate(teacher.vocabulary)}
    cutter = WordPiece(teacher.vocabulary)
    pieces = [(ids[e],) if e in ids else cutter.rows_of_word(e) for e in vocabulary]
    vectors = embed_pieces(teacher, pieces)
    vectors = vectors - vectors.mean(0)
    values, axes = np.linalg.eigh(np.cov(vectors.T))
    rows = vectors @ axes[:, np.argsort(values)[::-1][:DIMENSION]]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True) + 1e-9
    total = sum(frequency.values()) or 1
    share = np.array([frequency.get(e, 0) / total for e in vocabulary])
    return (rows * (SIF_A / (SIF_A + share))[:, None]).astype(np.float32)
