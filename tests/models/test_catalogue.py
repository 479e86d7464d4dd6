"""Which models are there, and are their files what they say?"""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from scrubjay.errors import ModelError
from scrubjay.models import builtin
from scrubjay.models.catalogue import (
    check_model,
    installed_models,
    load_embedder,
    load_reranker,
    model_folder,
    model_names,
    pulled_home,
    space_of,
)
from scrubjay.models.rerank_http import HttpReranker
from scrubjay.sections import EmbedSettings, RerankSettings

LIMIT_BYTES = 16_000_000


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCRUBJAY_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def put(name: str, **facts: object) -> Path:
    """Write down a pulled model whose files are whole."""
    folder = pulled_home() / name
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(b"graph")
    said = {
        "kind": "reranker",
        "dimension": 0,
        "licence": "MIT",
        "limits": "English",
        "files": {"model.onnx": hashlib.sha256(b"graph").hexdigest()},
        **facts,
    }
    (folder / "MODEL.json").write_text(json.dumps(said))
    return folder


def test_default_model_is_installed():
    found = {model.name: model for model in installed_models()}[EmbedSettings().model]
    assert (found.kind, found.dimension, found.licence) == ("embedder", 256, "Apache-2.0")
    assert 0 < found.size_bytes <= LIMIT_BYTES


def test_none_means_words_only():
    assert load_embedder(EmbedSettings(model="none")) is None


def test_named_model_is_opened():
    embedder = load_embedder(EmbedSettings())
    assert embedder is not None
    assert embedder.space.model == "static-256"


def test_unknown_model_names_the_known_ones():
    with pytest.raises(ModelError) as caught:
        load_embedder(EmbedSettings(model="static-512"))
    assert "static-512" in caught.value.message
    assert "static-256" in caught.value.hint
    assert "none" in caught.value.hint


def test_shipped_files_match_their_hashes():
    for model in installed_models():
        assert check_model(model.name) == ()


def test_shipped_model_states_its_sources():
    folder = builtin.data_folder("static-256")
    facts = json.loads((folder / "MODEL.json").read_text("utf-8"))
    artefact, _, _ = load_embedder(EmbedSettings()).space.artefact.partition("-")
    assert facts["artefact"].startswith(artefact)
    assert (folder / "LICENSE").is_file()
    assert (folder / "NOTICE").is_file()
    assert facts["packages"]
    assert all(package["licence"] for package in facts["packages"])


def test_damaged_file_is_reported(tmp_path, monkeypatch):
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "MODEL.json").write_text('{"files": {"rows.npy": "00"}}')
    (tmp_path / "m" / "rows.npy").write_bytes(b"x")
    monkeypatch.setattr(builtin, "data_folder", lambda name: tmp_path / name)
    assert check_model("m") == ("m: rows.npy is missing or damaged",)
    assert len(check_model("absent")) == 1


def test_pulled_models_are_listed_after_shipped_ones():
    put("a-reranker")
    found = installed_models()
    assert (found[0].is_shipped, found[-1].is_shipped) == (True, False)
    pulled = found[-1]
    assert (pulled.name, pulled.uses, pulled.dimension) == ("a-reranker", ("reranker",), 0)
    assert pulled.size_bytes > 5
    assert check_model("a-reranker") == ()


def test_shipped_model_wins_over_a_pulled_one():
    put("static-256")
    assert model_folder("static-256") == builtin.data_folder("static-256")
    assert model_names().count("static-256") == 1


def test_unfinished_pull_is_no_model():
    put(".a-reranker.part")
    assert model_folder(".a-reranker.part") is None


@pytest.mark.parametrize("facts", ["", "[]", '{"kind": "reranker"}'])
def test_damaged_facts_hide_a_model_and_are_told(facts):
    (put("broken") / "MODEL.json").write_text(facts)
    assert "broken" not in [model.name for model in installed_models()]
    assert "broken" in model_names()
    assert len(check_model("broken")) == 1


def test_pulled_file_that_changed_is_reported():
    (put("a-reranker") / "model.onnx").write_bytes(b"other")
    assert check_model("a-reranker") == ("a-reranker: model.onnx is missing or damaged",)


def test_model_is_used_as_what_it_is():
    put("a-reranker")
    with pytest.raises(ModelError, match="a-reranker is no embedder") as caught:
        space_of(EmbedSettings(model="a-reranker"))
    assert "a-reranker" not in caught.value.hint
    with pytest.raises(ModelError, match="static-256 is no reranker") as caught:
        load_reranker(RerankSettings(model="static-256"))
    assert "a-reranker" in caught.value.hint


def test_model_of_the_hub_says_how_to_get_it():
    for load in (
        lambda name: load_embedder(EmbedSettings(model=name)),
        lambda name: load_reranker(RerankSettings(model=name)),
    ):
        with pytest.raises(ModelError) as caught:
            load("ms-marco-minilm-l6")
        assert caught.value.hint == "`scrubjay models pull ms-marco-minilm-l6` fetches it"


def test_no_reranker_is_none():
    assert load_reranker(RerankSettings(model="none")) is None


def test_unknown_reranker_names_the_known_ones():
    with pytest.raises(ModelError, match="no model is called 'x'") as caught:
        load_reranker(RerankSettings(model="x"))
    assert "http" in caught.value.hint
    assert "none" in caught.value.hint


def test_endpoint_is_opened_without_being_asked():
    reranker = load_reranker(RerankSettings(model="http", url="https://rerank.invalid/rerank"))
    assert isinstance(reranker, HttpReranker)
    assert reranker.is_remote


def test_missing_folder_of_a_cross_encoder_is_named(tmp_path):
    with pytest.raises(ModelError, match="there is no folder"):
        load_reranker(RerankSettings(model=str(tmp_path / "absent")))


def test_folder_of_the_current_directory_is_no_model(tmp_path, monkeypatch):
    (tmp_path / "x").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelError, match="no model is called 'x'"):
        load_reranker(RerankSettings(model="x"))


@pytest.mark.slow
def test_shipped_transformer_is_embedder_and_reranker():
    settings = EmbedSettings(model="minilm-384")
    embedder = load_embedder(settings)
    assert embedder is not None
    assert embedder.space == space_of(settings)
    reranker = load_reranker(RerankSettings(model="minilm-384"))
    assert reranker is not None
    assert reranker.features == ("cosine", "maxsim")


@pytest.mark.slow
def test_pulled_and_own_reranker_is_a_cross_encoder():
    folder = put("a-reranker", max_tokens=16)
    for name in ("model.onnx", "tokenizer.json"):
        shutil.copyfile(builtin.data_folder("minilm-384") / name, folder / name)
    for model in ("a-reranker", str(folder)):
        reranker = load_reranker(RerankSettings(model=model))
        assert reranker is not None
        assert reranker.features == ("relevance",)
