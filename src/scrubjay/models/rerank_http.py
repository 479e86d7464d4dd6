"""What does a rerank endpoint say of the candidates? One request for all, checked before use.

Dialects, each as its public documentation has it:
`cohere`: POST {model, query, documents, top_n} -> {results: [{index, relevance_score}]}
(docs.cohere.com/v2/reference/rerank; v1, vLLM and LiteLLM speak the same);
`jina`: the same with return_documents (the OpenAPI text of api.jina.ai, /v1/rerank);
`tei`: POST {query, texts, raw_scores, truncate} -> [{index, score}] (docs/openapi.json of
huggingface/text-embeddings-inference 1.7, /rerank).

The question and the candidates' texts are sent to the address; nothing else is. The key is read
when the endpoint is opened, and stands in no message.
"""

from __future__ import annotations

import hashlib
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from scrubjay.errors import ModelError, TooSlow
from scrubjay.models.http import HttpClient, Patience
from scrubjay.models.web import check_url, is_remote, shown_url
from scrubjay.sections import RerankSettings
from scrubjay.settings import secret

PROFILE = "http"
FEATURES = ("relevance",)
TEI_TEXTS = 32
"""TEI refuses more texts a request unless told otherwise (`--max-client-batch-size`)."""
KEPT_ANSWERS = 32
"""Answers kept for a question that is asked again, or that came after its deadline."""
PATIENCE = Patience(connect_s=5.0, silence_s=30.0, waits_s=(0.25, 0.5, 1.0), longest_wait_s=10.0)
"""Somebody waits for the answer; the deadline mostly ends it sooner."""

Scores = list[tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class _Dialect:
    """How a server wants to be asked, and where its answer has the scores."""

    body: Callable[[Endpoint, str, Sequence[str]], dict[str, object]]
    results: str
    score: str
    most_texts: int | None = None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A rerank endpoint: its address, dialect, model's name there, and key."""

    url: str
    shape: str
    model: str
    key: str = field(repr=False)


def open_endpoint(settings: RerankSettings, client: HttpClient | None = None) -> HttpReranker:
    """Make the reranker of the settings' endpoint; sends nothing yet.

    Raises ModelError for an address, a dialect or a key variable that cannot be right.
    """
    if not settings.url:
        raise ModelError("rerank.url is not set", hint="`scrubjay config set rerank.url ADDRESS`")
    check_url(settings.url)
    if settings.shape not in _DIALECTS:
        known = ", ".join(_DIALECTS)
        raise ModelError(f"rerank.shape {settings.shape!r} is unknown", hint=f"known: {known}")
    key = ""
    if settings.key_variable:
        key = secret(settings.key_variable) or ""
        if not key:
            raise ModelError(
                f"the environment variable {settings.key_variable} holds no key",
                hint="rerank.key_variable names it; set it, or unset the setting",
            )
        if not (key.isascii() and key.isprintable()):
            raise ModelError(f"what {settings.key_variable} holds cannot be a key")
    endpoint = Endpoint(settings.url, settings.shape, settings.url_model, key)
    return HttpReranker(endpoint, client or HttpClient(PATIENCE))


class HttpReranker:
    """Implements `ports.Reranker` over an endpoint; safe to share between threads."""

    def __init__(self, endpoint: Endpoint, client: HttpClient) -> None:
        """Ask `endpoint` through `client`."""
        self._endpoint = endpoint
        self._client = client
        self._answers: OrderedDict[bytes, Future[Scores]] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def profile(self) -> str:
        """Name the weights for scores of endpoints."""
        return PROFILE

    @property
    def features(self) -> tuple[str, ...]:
        """Name the one score."""
        return FEATURES

    @property
    def address(self) -> str:
        """Tell where questions and texts are sent."""
        return shown_url(self._endpoint.url)

    @property
    def is_remote(self) -> bool:
        """Say whether questions and texts leave this machine."""
        return is_remote(self._endpoint.url)

    def reads(self, question: str) -> bool:
        """Say yes: what the model behind an endpoint knows is not known here."""
        return True

    def judge(
        self, question: str, texts: Sequence[str], deadline: float
    ) -> list[tuple[float, ...]]:
        """Ask for the relevance of each text; raises as `ports.Reranker` says.

        An answer that comes after the deadline is kept for the same question and texts.
        """
        if not texts:
            return []
        left_s = deadline - time.monotonic()
        if left_s <= 0:
            raise TooSlow("no time was left to ask the reranker")
        try:
            return self._answer(question, tuple(texts), deadline).result(left_s)
        except TimeoutError as error:
            raise TooSlow(f"{self.address} did not answer in time") from error

    def _answer(self, question: str, texts: tuple[str, ...], deadline: float) -> Future[Scores]:
        """Find the answer, come or under way, or ask for it on a thread of its own."""
        name = _digest((question, *texts))
        with self._lock:
            held = self._answers.get(name)
            if held is not None and not (held.done() and held.exception()):
                self._answers.move_to_end(name)
                return held
            future = self._answers[name] = Future()
            while len(self._answers) > KEPT_ANSWERS:
                self._answers.popitem(last=False)

        def work() -> None:
            try:
                future.set_result(self._ask(question, texts, deadline))
            except Exception as error:
                future.set_exception(error)

        threading.Thread(target=work, name="rerank", daemon=True).start()
        return future

    def _ask(self, question: str, texts: tuple[str, ...], deadline: float) -> Scores:
        dialect = _DIALECTS[self._endpoint.shape]
        most = dialect.most_texts or len(texts)
        scores: Scores = []
        for start in range(0, len(texts), most):
            batch = texts[start : start + most]
            body = dialect.body(self._endpoint, question, batch)
            answer = self._client.post_json(
                self._endpoint.url, body, key=self._endpoint.key, deadline=deadline
            )
            scores += _scores(answer, len(batch), dialect, self.address)
        return scores


def _cohere(endpoint: Endpoint, question: str, texts: Sequence[str]) -> dict[str, object]:
    body: dict[str, object] = {"query": question, "documents": list(texts), "top_n": len(texts)}
    return {"model": endpoint.model, **body} if endpoint.model else body


def _jina(endpoint: Endpoint, question: str, texts: Sequence[str]) -> dict[str, object]:
    return {**_cohere(endpoint, question, texts), "return_documents": False}


def _tei(endpoint: Endpoint, question: str, texts: Sequence[str]) -> dict[str, object]:
    return {"query": question, "texts": list(texts), "raw_scores": False, "truncate": True}


_DIALECTS = {
    "cohere": _Dialect(_cohere, "results", "relevance_score"),
    "jina": _Dialect(_jina, "results", "relevance_score"),
    "tei": _Dialect(_tei, "", "score", TEI_TEXTS),
}


def _scores(answer: object, count: int, dialect: _Dialect, address: str) -> Scores:
    """Read one finite score for each text; raises ModelError for anything else."""

    def wrong(what: str) -> ModelError:
        hint = "rerank.shape may be wrong for this server: `scrubjay models test http`"
        return ModelError(f"{address} answered {what}", hint=hint)

    if dialect.results:
        answer = answer.get(dialect.results) if isinstance(answer, Mapping) else None
    if not isinstance(answer, list):
        raise wrong("without a list of results")
    found: dict[int, float] = {}
    for item in answer:
        index = item.get("index") if isinstance(item, Mapping) else None
        score = item.get(dialect.score) if isinstance(item, Mapping) else None
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < count:
            raise wrong(f"with the index {index!r} for {count} texts")
        if not isinstance(score, (int, float)) or isinstance(score, bool):
            raise wrong(f"without a {dialect.score} for text {index}")
        if not math.isfinite(score):
            raise wrong(f"with a {dialect.score} that is no number")
        if index in found:
            raise wrong(f"twice for text {index}")
        found[index] = float(score)
    if len(found) != count:
        raise wrong(f"for {len(found)} of {count} texts")
    return [(found[index],) for index in range(count)]


def _digest(texts: Sequence[str]) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for text in texts:
        raw = text.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest.digest()
