"""Probing the shipped embedder, an endpoint, and models that are wrong."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import numpy as np
import pytest
from tests.models.loopback import Asked, Reply, reply_json, serving

from scrubjay.errors import ModelError
from scrubjay.models.builtin import load_static
from scrubjay.models.probe import (
    EMBEDDED_TEXTS,
    JUDGED_TEXTS,
    PAIRS,
    probe_embedder,
    probe_reranker,
)
from scrubjay.models.rerank_http import open_endpoint
from scrubjay.sections import EmbedSettings, RerankSettings
from scrubjay.types import Space


def test_shipped_embedder_is_well():
    probe = probe_embedder("static-256", lambda: load_static(EmbedSettings()))
    assert probe.problems == ()
    assert (probe.right_first, probe.asked, probe.dimension) == (4, 4, 256)
    assert probe.texts == EMBEDDED_TEXTS
    assert probe.work_s > 0


class WrongEmbedder:
    """Implements `ports.Embedder`, and gives whatever rows it is told to."""

    def __init__(self, row: Sequence[float], dimension: int) -> None:
        self.row = row
        self.space = Space("test", "wrong", "1", dimension, 600, 80)

    def embed_texts(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([self.row for _ in texts], np.float32)

    def embed_query(self, question: str) -> np.ndarray:
        return np.array(self.row, np.float32)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ((3.0, 4.0), "not of length one"),
        ((0.0, 0.0), "not of length one"),
        ((math.nan, 1.0), "what is no number"),
        ((0.6, 0.8), "only 1 of 4 questions"),
    ],
)
def test_wrong_vectors_are_problems(row, expected):
    probe = probe_embedder("wrong", lambda: WrongEmbedder(row, 2))
    assert any(expected in problem for problem in probe.problems)


def test_wrong_dimension_is_an_error():
    with pytest.raises(ModelError, match="not 3 numbers each"):
        probe_embedder("wrong", lambda: WrongEmbedder((0.6, 0.8), 3))


class WrongReranker:
    """Implements `ports.Reranker`, and judges every text alike."""

    profile = "test"
    features = ("relevance",)

    def __init__(self, score: float, *, drops: int = 0) -> None:
        self.score = score
        self.drops = drops

    def reads(self, question: str) -> bool:
        return True

    def judge(
        self, question: str, texts: Sequence[str], deadline: float
    ) -> list[tuple[float, ...]]:
        assert deadline > time.monotonic()
        return [(self.score,)] * (len(texts) - self.drops)


def test_wrong_scores_are_problems():
    probe = probe_reranker("wrong", lambda: WrongReranker(math.nan))
    assert any("no number" in problem for problem in probe.problems)
    assert "only 1 of 4" in probe_reranker("wrong", lambda: WrongReranker(0.5)).problems[0]


def test_missing_scores_are_an_error():
    with pytest.raises(ModelError, match="not 1 scores for each of 4 texts"):
        probe_reranker("wrong", lambda: WrongReranker(0.5, drops=1))


def play(asked: Asked) -> Reply:
    body = asked.json()
    right = dict(PAIRS)[body["query"]]
    scores = [float(document == right) for document in body["documents"]]
    results = [{"index": i, "relevance_score": score} for i, score in enumerate(scores)]
    return reply_json({"results": results})


def test_endpoint_is_probed_like_any_reranker():
    with serving(play) as server:
        settings = RerankSettings(model="http", url=server.url)
        probe = probe_reranker("http", lambda: open_endpoint(settings))
        assert probe.problems == ()
        assert (probe.right_first, probe.texts) == (4, JUDGED_TEXTS)
        assert len(server.asked) == 6
