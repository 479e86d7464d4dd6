"""Which numbers decide an order? Data: each with what it was chosen on; nothing here computes.

Unit of all that is added to a fused score: 1 is the first place in one leg of weight 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scrubjay.search.paths import PathClass
from scrubjay.search.query_class import QueryClass

COMMITS = "167 commit subjects of five repositories (Python, Go, C, TypeScript)"
HAND = "48 questions over Django and the standard library"
CALIBRATED = "slope and intercept: 360 questions of six sets, benchmarks/quality/calibrate.py"


@dataclass(frozen=True, slots=True)
class Trust:
    """How far a leg is trusted relative to words, by class of question, and why."""

    default: float
    by_class: Mapping[QueryClass, float]
    provenance: str

    def of(self, kind: QueryClass) -> float:
        """Tell the share for a class."""
        return self.by_class.get(kind, self.default)


VECTORS: Mapping[str, Trust] = {
    "static-256": Trust(
        0.5,
        {QueryClass.SYMBOL: 0.3, QueryClass.PATH: 0.2},
        f"{COMMITS}, {HAND}: more finds more, less puts the best file first more often",
    ),
}
OTHER_VECTORS = Trust(
    1.0,
    {QueryClass.SYMBOL: 0.5, QueryClass.PATH: 0.3},
    "a transformer is worth words' weight: not measured for each",
)

# Priors: plateaus over COMMITS and HAND; coherence with the second stage, over COMMITS.
COHERENCE = 0.5
DEFINITION = 0.5
STEM = 0.3
EXACT_PATH = 2.0
FRAME = 1.0
FRAME_DECAY = 0.8
"""A frame further from where the error was raised counts this much less, each."""

CLASS_FACTORS = {
    PathClass.TESTS: 0.4,
    PathClass.EXAMPLES: 0.4,
    PathClass.DOCS: 0.6,
    PathClass.NOTES: 0.3,
    PathClass.VENDORED: 0.5,
    PathClass.GENERATED: 0.5,
    PathClass.LOCALE: 0.3,
    PathClass.CONFIG: 0.7,
}


@dataclass(frozen=True, slots=True)
class Profile:
    """How a reranker's features join the fused score, and when a score means a probability.

    A candidate's score is its fused score + the sum of weight x feature, all times the factor of
    its file's role; `slope` and `intercept` of a logistic turn it into the probability that the
    candidate answers; hits below `threshold` are near misses. `typical` is what the features of a
    right hit add, for questions that are read with less weight.
    """

    features: Mapping[str, float]
    typical: float
    slope: float
    intercept: float
    threshold: float
    provenance: str


FUSED = "fused"
"""The profile of retrieval alone."""

PROFILES: Mapping[str, Profile] = {
    FUSED: Profile({}, 0.0, 3.513, -7.950, 0.0, CALIBRATED),
    "minilm-384": Profile(
        {"cosine": 1.5, "maxsim": 2.5},
        2.0,
        2.089,
        -9.658,
        0.01,
        f"features: {COMMITS}, 80 docstrings of Python, 120 questions of CoSQA; {CALIBRATED}",
    ),
}
OTHER_RERANKER = Profile(
    {"relevance": 4.0},
    3.0,
    1.5,
    -5.0,
    0.0,
    "a cross-encoder's own probability, trusted over retrieval's order: not measured for each",
)

READ_SHARES = {QueryClass.SYMBOL: 0.0, QueryClass.ERROR: 0.7, QueryClass.PATH: 0.0}
"""How much of a reranker's weights counts; names and paths are not read: they are no sentences."""


def trust_of(model: str) -> Trust:
    """Tell how far the vectors of a model are trusted."""
    return VECTORS.get(model, OTHER_VECTORS)


def profile_of(reranker: str) -> Profile:
    """Tell how a reranker's features are weighed."""
    return PROFILES.get(reranker, OTHER_RERANKER)
