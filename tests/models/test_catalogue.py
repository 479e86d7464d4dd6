"""Which models are there, and are their files what they say?"""

from __future__ import annotations

import json

import pytest

from scrubjay.errors import ModelError
from scrubjay.models import builtin
from scrubjay.models.catalogue import check_model, installed_models, load_embedder
from scrubjay.settings import EmbedSettings

LIMIT_BYTES = 16_000_000


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
