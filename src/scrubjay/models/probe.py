"""Does a model do its work here, and how fast? Embeds or judges a few texts and looks at the rest.

The texts are fixed and small, so the figures compare models on one machine; they are no measure of
how good a model is. A server that refuses is an error with its own words, like everywhere.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrubjay.errors import ModelError

if TYPE_CHECKING:
    from scrubjay.ports import Embedder, Reranker

PAIRS = (
    (
        "How is the password of a user checked?",
        "auth/login.py\ndef verify_password(user, password):\n"
        "    return hmac.compare_digest(user.digest, hash_password(password, user.salt))",
    ),
    (
        "Where are pictures made smaller?",
        "media/thumbnails.py\ndef resize_image(image, width, height):\n"
        "    scale = min(width / image.width, height / image.height)\n"
        "    return image.resize((int(image.width * scale), int(image.height * scale)))",
    ),
    (
        "retry a request after a timeout",
        "net/retry.js\nasync function fetchWithRetry(url, attempts) {\n"
        "  try { return await fetch(url); }\n"
        "  catch (timeout) { return fetchWithRetry(url, attempts - 1); }\n}",
    ),
    (
        "What does a refund cost the customer?",
        "docs/billing.md\n# Refunds\n\nA customer gets the whole price back within 30 days. "
        "After that a fee of 5 % is kept.",
    ),
)
"""Questions, each with the one passage that answers it."""
EMBEDDED_TEXTS = 64
JUDGED_TEXTS = 30
DEADLINE_S = 120.0
LENGTH_TOLERANCE = 1e-3


@dataclass(frozen=True, slots=True)
class Probe:
    """What a probe found; `problems` is empty when all is well.

    `first_s` is how long it took from nothing to the first text's vector or score. `right_first`
    of `asked` questions had their own passage first. `again_s` is how long the same texts took a
    second time, where that may be shorter. `memory_bytes` is the most that this process has held
    so far; None where the system does not say.
    """

    name: str
    role: str
    first_s: float
    texts: int
    work_s: float
    again_s: float | None
    right_first: int
    asked: int
    memory_bytes: int | None
    dimension: int = 0
    problems: tuple[str, ...] = ()


def probe_embedder(name: str, load: Callable[[], Embedder]) -> Probe:
    """Load an embedder and try it; raises ModelError and Transient as it does."""
    passages = [passage for _, passage in PAIRS]
    began = time.perf_counter()
    embedder = load()
    embedder.embed_texts(passages[:1])
    first_s = time.perf_counter() - began
    vectors = embedder.embed_texts(passages)
    dimension = embedder.space.dimension
    problems = []
    if vectors.shape != (len(passages), dimension):
        raise ModelError(f"{name}: vectors of shape {vectors.shape}, not {dimension} numbers each")
    rows = vectors.tolist()
    if not all(math.isfinite(number) for row in rows for number in row):
        problems.append("a vector holds what is no number")
    lengths = [math.sqrt(sum(number * number for number in row)) for row in rows]
    if any(abs(length - 1) > LENGTH_TOLERANCE for length in lengths):
        problems.append("a vector is not of length one")
    asked = [embedder.embed_query(question) for question, _ in PAIRS]
    right = sum(_first((vectors @ question).tolist()) == i for i, question in enumerate(asked))
    work_s = _timed(lambda: embedder.embed_texts(_varied(EMBEDDED_TEXTS)))
    return Probe(
        name=name,
        role="embedder",
        first_s=first_s,
        texts=EMBEDDED_TEXTS,
        work_s=work_s,
        again_s=None,
        right_first=right,
        asked=len(PAIRS),
        memory_bytes=_memory(),
        dimension=dimension,
        problems=(*problems, *_misjudged(right)),
    )


def probe_reranker(name: str, load: Callable[[], Reranker]) -> Probe:
    """Load a reranker and try it; raises ModelError, Transient and TooSlow as it does."""
    passages = [passage for _, passage in PAIRS]
    began = time.perf_counter()
    reranker = load()
    # Some open their files only now.
    reranker.judge(PAIRS[0][0], passages[:1], time.monotonic() + DEADLINE_S)
    first_s = time.perf_counter() - began
    problems = []
    right = 0
    for i, (question, _) in enumerate(PAIRS):
        judged = reranker.judge(question, passages, time.monotonic() + DEADLINE_S)
        _require_features(name, judged, len(passages), reranker)
        if not all(math.isfinite(value) for values in judged for value in values):
            problems.append(f"{question!r} has a score that is no number")
        right += _first([sum(values) for values in judged]) == i
    texts = _varied(JUDGED_TEXTS)
    question = PAIRS[0][0]

    def judge() -> object:
        return reranker.judge(question, texts, time.monotonic() + DEADLINE_S)

    work_s, again_s = _timed(judge), _timed(judge)
    return Probe(
        name=name,
        role="reranker",
        first_s=first_s,
        texts=JUDGED_TEXTS,
        work_s=work_s,
        again_s=again_s,
        right_first=right,
        asked=len(PAIRS),
        memory_bytes=_memory(),
        problems=(*problems, *_misjudged(right)),
    )


def _require_features(
    name: str, judged: Sequence[tuple[float, ...]], count: int, reranker: Reranker
) -> None:
    if len(judged) != count or any(len(values) != len(reranker.features) for values in judged):
        raise ModelError(f"{name}: not {len(reranker.features)} scores for each of {count} texts")


def _misjudged(right: int) -> list[str]:
    """Complain when most questions find another question's passage."""
    if right > len(PAIRS) / 2:
        return []
    return [f"only {right} of {len(PAIRS)} questions find the passage that answers them"]


def _first(scores: Sequence[float]) -> int:
    return max(range(len(scores)), key=lambda i: scores[i])


def _varied(count: int) -> list[str]:
    """Make distinct texts of a chunk's usual length, so that nothing is answered from memory."""
    passages = [passage for _, passage in PAIRS]
    return [
        f"{passages[i % len(passages)]}\nnumber {i}\n{passages[(i + 1) % len(passages)]}"
        for i in range(count)
    ]


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _memory() -> int | None:
    """Tell the peak of this process's resident memory, where the system counts it."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
