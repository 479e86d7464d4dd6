"""Listing, fetching, testing and choosing models on the command line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.models.loopback import Asked, Loopback, Reply, ranged, reply_json, serving

from scrubjay.models import hub
from scrubjay.models.hub import HubFile
from scrubjay.store.catalog import exclusively

NAME = "ms-marco-minilm-l6"
CONTENTS = {"onnx/model_quantized.onnx": b"graph" * 1_000, "tokenizer.json": b"{}"}


@pytest.fixture(autouse=True)
def stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in an empty folder with an empty home."""
    monkeypatch.setenv("SCRUBJAY_HOME", str(tmp_path / "home"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "home"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    """Play a hub whose reranker is a few bytes, and pin those."""
    model = hub.hub_model(NAME)
    assert model is not None
    files = tuple(
        HubFile(
            file.name,
            file.path,
            len(CONTENTS[file.path]),
            hashlib.sha256(CONTENTS[file.path]).hexdigest(),
        )
        for file in model.files
    )
    monkeypatch.setattr(hub, "HUB_MODELS", (replace(model, files=files),))

    def answer(asked: Asked) -> Reply:
        path = asked.path.partition(f"/resolve/{model.revision}/")[2]
        return ranged(CONTENTS[path], asked) if path in CONTENTS else Reply(404)

    with serving(answer) as server:
        yield server


def test_list_shows_what_is_here_and_what_can_be_had(ask):
    said = ask("models")
    assert "* static-256  embedder, 256 dimensions" in said.out
    assert "in use as embedder" in said.out
    assert f"  {NAME}  reranker, 23.9 MB, Apache-2.0" in said.out
    listed = ask("models", "--json").json()
    assert listed["in_use"] == "static-256"
    assert listed["reranker_in_use"] == "minilm-384"
    assert {"name", "uses", "licence", "limits", "size_bytes"} <= listed["models"][0].keys()
    assert NAME in [model["name"] for model in listed["can_be_pulled"]]
    assert len(listed["can_be_pulled"][0]["revision"]) == 40


def test_list_says_when_a_chosen_model_is_not_here(ask):
    said = ask("models", SCRUBJAY_EMBED_MODEL="none", SCRUBJAY_RERANK_MODEL="gone")
    assert "* none  in use as embedder" in said.out
    assert "* gone  not here, though the settings name it as reranker" in said.out


def test_pulled_model_is_listed_used_and_removed(ask, small, stand):
    said = ask("models", "pull", NAME, "--hub", small.url)
    assert said.code == 0
    assert "its files have the expected SHA-256" in said.out
    assert (stand / "models" / NAME / "model.onnx").is_file()
    assert f"  {NAME}  reranker" in ask("models").out
    assert ask("models", "remove", NAME).out == f"{NAME} is removed.\n"
    assert ask("models", "remove", NAME).out == f"{NAME} is not here.\n"


def test_whole_model_is_not_fetched_again(ask, small, stand):
    ask("models", "pull", NAME, "--hub", small.url)
    small.asked.clear()
    assert ask("models", "pull", NAME, "--hub", small.url, "--json").json()["fetched"] is False
    assert small.asked == []
    (stand / "models" / NAME / "model.onnx").write_bytes(b"damaged")
    assert ask("models", "pull", NAME, "--hub", small.url, "--json").json()["fetched"] is True


@pytest.mark.slow  # the doctor loads every package
def test_damaged_pull_is_what_the_doctor_finds(ask, small, stand):
    ask("models", "pull", NAME, "--hub", small.url)
    (stand / "models" / NAME / "model.onnx").write_bytes(b"damaged")
    checks = ask("doctor", "--json").json()["checks"]
    found = next(check for check in checks if check["name"] == f"Model {NAME}")
    assert found["health"] == "bad"
    assert found["advice"] == f"`scrubjay models pull {NAME}` fetches it anew"


def test_refused_pull_says_what_the_hub_says(ask, small):
    small.answer = lambda asked: Reply(401, b'{"error": "gated"}')
    said = ask("models", "pull", NAME, "--hub", small.url)
    assert said.code == 7
    assert "answers 401: gated" in said.err


def test_two_pulls_do_not_meet(ask, small, stand):
    (stand / "models").mkdir(parents=True)
    with exclusively(stand / "models" / "pull.lock", wait_s=0):
        said = ask("models", "pull", NAME, "--hub", small.url)
    assert said.code == 5
    assert "another process is fetching a model" in said.err


@pytest.mark.parametrize(
    ("words", "code", "expected"),
    [
        (("pull",), 2, "the name of a model is missing"),
        (("pull", "nope"), 2, NAME),
        (("pull", "static-256"), 2, "comes with scrubjay"),
        (("pull", NAME, "--hub", "ftp://x"), 7, "is no address"),
        (("remove", "static-256"), 2, "part of scrubjay"),
        (("remove", "../x"), 2, "no model is called"),
        (("use", "nope"), 2, "no model is called 'nope'"),
        (("use", NAME), 2, f"`scrubjay models pull {NAME}`"),
        (("use", "none"), 2, "--as embedder or --as reranker"),
        (("use", "static-256", "--as", "reranker"), 7, "static-256 is no reranker"),
        (("use", "http"), 7, "rerank.url is not set"),
        (("frobnicate",), 2, "frobnicate"),
    ],
)
def test_impossible_wishes_are_explained(ask, words, code, expected):
    said = ask("models", *words)
    assert said.code == code
    assert expected in said.err


def test_use_writes_the_setting(ask, stand):
    said = ask("models", "use", "none", "--as", "embedder", "--user")
    assert said.code == 0
    assert "embed.model = none" in said.out
    assert "next `scrubjay index`" in said.out
    assert 'model = "none"' in (stand / "settings.toml").read_text()
    assert ask("models", "use", "none", "--as", "reranker", "--json").json()["name"] == (
        "rerank.model"
    )


def test_use_of_a_far_endpoint_says_what_leaves(ask):
    url = "https://api.example.com/v1/rerank"
    said = ask("models", "use", "http", SCRUBJAY_RERANK_URL=url)
    assert f"are sent to {url}." in said.out


def test_removing_a_model_in_use_is_refused(ask, small):
    ask("models", "pull", NAME, "--hub", small.url)
    said = ask("models", "remove", NAME, SCRUBJAY_RERANK_MODEL=NAME)
    assert said.code == 2
    assert f"{NAME} is in use as reranker" in said.err


def test_test_shows_speed_and_sense(ask):
    said = ask("models", "test", "static-256")
    assert said.code == 0
    assert "texts a second" in said.out
    assert "4 of 4 questions" in said.out
    attempts = ask("models", "test", "static-256", "--json").json()["attempts"]
    assert attempts[0]["probe"]["dimension"] == 256


def test_test_gives_the_servers_own_words(ask):
    with serving(lambda asked: reply_json({"message": "model not found"}, 404)) as server:
        words = ("models", "test", "http", "--json")
        said = ask(*words, SCRUBJAY_RERANK_URL=server.url)
    assert said.code == 1
    attempt = json.loads(said.out)["attempts"][0]
    assert attempt["probe"] is None
    assert "answers 404: model not found" in attempt["problems"][0]


def test_test_of_nothing_says_so(ask):
    said = ask("models", "test", SCRUBJAY_EMBED_MODEL="none", SCRUBJAY_RERANK_MODEL="none")
    assert (said.code, said.out) == (0, "No model is in use.\n")


@pytest.mark.slow
def test_model_of_two_uses_is_tested_as_both(ask):
    attempts = ask("models", "test", "minilm-384", "--json").json()["attempts"]
    assert {attempt["choice"]["role"] for attempt in attempts} == {"embedder", "reranker"}
    assert [attempt["problems"] for attempt in attempts] == [[], []]
    said = ask("models", "use", "minilm-384")
    assert said.code == 2
    assert "--as embedder or --as reranker" in said.err
