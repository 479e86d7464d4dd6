"""Rerank endpoints of each dialect, played by a server on this machine."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator

import pytest
from tests.models.loopback import Asked, Loopback, Reply, reply_json, serving

from scrubjay.errors import ModelError, TooSlow, Transient
from scrubjay.models.http import Clock, HttpClient, Patience
from scrubjay.models.rerank_http import HttpReranker, open_endpoint
from scrubjay.sections import RerankSettings
from scrubjay.settings import secret

TEXTS = ("a.py\nspam", "b.py\neggs and ham", "c.py\neggs")
KEY = "sk-very-secret"


def relevance(text: str) -> float:
    return len(text) / 100


def play_cohere(asked: Asked) -> Reply:
    documents = asked.json()["documents"]
    scored = sorted(((relevance(d), i) for i, d in enumerate(documents)), reverse=True)
    results = [{"index": i, "relevance_score": score} for score, i in scored]
    return reply_json({"id": "1", "results": results, "meta": {}})


def play_tei(asked: Asked) -> Reply:
    texts = asked.json()["texts"]
    if len(texts) > 32:
        return reply_json({"error": "batch size > 32", "error_type": "validation"}, 413)
    scored = sorted(((relevance(d), i) for i, d in enumerate(texts)), reverse=True)
    return reply_json([{"index": i, "score": score} for score, i in scored])


@pytest.fixture
def server() -> Iterator[Loopback]:
    with serving(play_cohere) as running:
        yield running


def reranker(url: str, **settings: str) -> HttpReranker:
    clock = Clock(time.monotonic, lambda seconds: None)
    client = HttpClient(Patience(waits_s=(0.1, 0.1), silence_s=5.0), clock)
    return open_endpoint(RerankSettings(model="http", url=url, **settings), client)


def soon() -> float:
    return time.monotonic() + 30


def test_cohere_is_asked_and_read(server):
    judge = reranker(f"{server.url}/v2/rerank", url_model="rerank-v3.5")
    scores = judge.judge("eggs?", TEXTS, soon())
    assert scores == [(relevance(text),) for text in TEXTS]
    assert server.asked[0].path == "/v2/rerank"
    assert server.asked[0].json() == {
        "model": "rerank-v3.5",
        "query": "eggs?",
        "documents": list(TEXTS),
        "top_n": 3,
    }
    assert (judge.profile, judge.features, judge.reads("鸡蛋?")) == ("http", ("relevance",), True)


def test_jina_wants_no_documents_back(server):
    judge = reranker(f"{server.url}/v1/rerank", shape="jina", url_model="jina-reranker-v3")
    assert judge.judge("eggs?", TEXTS, soon())[1] == (relevance(TEXTS[1]),)
    assert server.asked[0].json()["return_documents"] is False


def test_tei_is_asked_in_its_batches(server):
    server.answer = play_tei
    texts = tuple(f"{'x' * n}.py" for n in range(70))
    scores = reranker(f"{server.url}/rerank", shape="tei").judge("x?", texts, soon())
    assert scores == [(relevance(text),) for text in texts]
    bodies = [asked.json() for asked in server.asked]
    assert [len(body["texts"]) for body in bodies] == [32, 32, 6]
    assert bodies[0].keys() == {"query", "texts", "raw_scores", "truncate"}
    assert bodies[0]["raw_scores"] is False


def test_no_texts_ask_nothing(server):
    assert reranker(server.url).judge("eggs?", (), soon()) == []
    assert server.asked == []


def results(*pairs: tuple[object, object]) -> object:
    return {"results": [{"index": i, "relevance_score": score} for i, score in pairs]}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"data": []}, "without a list"),
        ([], "without a list"),
        (results((0, 0.1), (1, 0.2)), "for 2 of 3 texts"),
        (results((0, 0.1), (1, 0.2), (3, 0.3)), "the index 3 for 3 texts"),
        (results((0, 0.1), (1, 0.2), (-1, 0.3)), "the index -1"),
        (results((0, 0.1), (1, 0.2), (True, 0.3)), "the index True"),
        (results((0, 0.1), (1, 0.2), (1, 0.3)), "twice for text 1"),
        (results((0, 0.1), (1, 0.2), (2, None)), "without a relevance_score for text 2"),
        (results((0, 0.1), (1, 0.2), (2, "0.5")), "without a relevance_score for text 2"),
        (results((0, 0.1), (1, 0.2), (2, math.nan)), "no number"),
        (results((0, 0.1), (1, 0.2), (2, math.inf)), "no number"),
        ({"results": ["a", "b", "c"]}, "the index None"),
    ],
)
def test_wrong_answers_are_refused(server, answer, expected):
    server.answer = lambda asked: reply_json(answer)
    with pytest.raises(ModelError, match=expected):
        reranker(server.url).judge("eggs?", TEXTS, soon())


def test_refusal_carries_the_servers_words(server):
    server.answer = lambda asked: reply_json({"message": "invalid model"}, 400)
    with pytest.raises(ModelError, match="answers 400: invalid model"):
        reranker(server.url).judge("eggs?", TEXTS, soon())


def test_failed_answer_is_asked_for_again(server):
    server.answer = lambda asked: Reply(503, b"loading")
    judge = reranker(server.url)
    with pytest.raises(Transient, match="loading"):
        judge.judge("eggs?", TEXTS, soon())
    server.answer = play_cohere
    assert len(judge.judge("eggs?", TEXTS, soon())) == 3


def test_late_answer_is_kept_for_the_next_time(server):
    gate = threading.Event()

    def wait(asked: Asked) -> Reply:
        gate.wait(10)
        return play_cohere(asked)

    server.answer = wait
    judge = reranker(server.url)
    with pytest.raises(TooSlow):
        judge.judge("eggs?", TEXTS, time.monotonic() + 0.02)
    gate.set()
    assert len(judge.judge("eggs?", TEXTS, soon())) == 3
    assert len(server.asked) == 1


def test_same_question_is_sent_once(server):
    judge = reranker(server.url)
    first = judge.judge("eggs?", TEXTS, soon())
    assert judge.judge("eggs?", TEXTS, soon()) == first
    judge.judge("eggs?", TEXTS[:2], soon())
    judge.judge("ham?", TEXTS[:2], soon())
    assert len(server.asked) == 3


def test_no_time_left_asks_nothing(server):
    with pytest.raises(TooSlow):
        reranker(server.url).judge("eggs?", TEXTS, time.monotonic() - 1)
    assert server.asked == []


def test_key_comes_from_the_named_variable(server, monkeypatch):
    monkeypatch.setenv("MY_RERANK_KEY", f" {KEY}\n")
    judge = reranker(server.url, key_variable="MY_RERANK_KEY")
    judge.judge("eggs?", TEXTS, soon())
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(judge) + repr(judge._endpoint)


def test_key_stands_in_no_error(server, monkeypatch):
    monkeypatch.setenv("MY_RERANK_KEY", KEY)
    server.answer = lambda asked: Reply(401, asked.headers["authorization"].encode())
    with pytest.raises(ModelError, match=r"Bearer \(the key\)") as caught:
        reranker(server.url, key_variable="MY_RERANK_KEY").judge("eggs?", TEXTS, soon())
    assert KEY not in str(caught.value)


def test_no_key_is_sent_unless_asked_for(server):
    reranker(server.url).judge("eggs?", TEXTS, soon())
    assert "authorization" not in server.asked[0].headers


@pytest.mark.parametrize("held", [None, "", "  ", "sk-\u20ac", "a\nb"])
def test_missing_or_impossible_key_is_said(monkeypatch, held):
    monkeypatch.delenv("MY_RERANK_KEY", raising=False)
    if held is not None:
        monkeypatch.setenv("MY_RERANK_KEY", held)
    with pytest.raises(ModelError, match="MY_RERANK_KEY") as caught:
        reranker("http://localhost:1", key_variable="MY_RERANK_KEY")
    assert "sk-" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "shape", "expected"),
    [
        ("", "cohere", "rerank.url is not set"),
        ("localhost:1/rerank", "cohere", "is no address"),
        ("http://localhost:1", "ollama", "rerank.shape 'ollama' is unknown"),
    ],
)
def test_impossible_settings_are_said(url, shape, expected):
    with pytest.raises(ModelError, match=expected):
        reranker(url, shape=shape)


def test_remote_endpoints_are_known_as_such():
    assert reranker("https://api.cohere.com/v2/rerank").is_remote
    assert reranker("https://api.cohere.com/v2/rerank?x=1").address == (
        "https://api.cohere.com/v2/rerank"
    )
    assert not reranker("http://127.0.0.1:8080/rerank").is_remote


def test_secret_of_an_unset_variable_is_none(monkeypatch):
    monkeypatch.delenv("MY_RERANK_KEY", raising=False)
    assert secret("MY_RERANK_KEY") is None
