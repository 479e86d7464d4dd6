import json

import numpy as np
import pytest
from tests.models.tiny_models import write_encoder

from scrubjay.errors import ModelError
from scrubjay.models.builtin import data_folder
from scrubjay.models.transformer import load_transformer, transformer_space
from scrubjay.sections import EmbedSettings

VECTORS = {"boat": (3, 0), "sea": (0, 4), "[CLS]": (1, 0), "[SEP]": (0, 0), "good": (0, 9)}
SETTINGS = EmbedSettings()


def test_vectors_are_means_of_length_one(tmp_path):
    embedder = load_transformer(SETTINGS, write_encoder(tmp_path / "tiny", VECTORS))
    rows = embedder.embed_texts(["boat sea", "boat"])
    assert rows[0] == pytest.approx(np.array([4, 4]) / np.sqrt(32))
    assert rows[1] == pytest.approx([1, 0])
    assert rows.dtype == np.float32
    assert embedder.embed_texts([]).shape == (0, 2)


def test_first_piece_can_stand_for_the_text(tmp_path):
    folder = write_encoder(tmp_path / "tiny", VECTORS, pooling="cls")
    assert load_transformer(SETTINGS, folder).embed_query("sea") == pytest.approx([1, 0])


def test_prefixes_are_put_in_front(tmp_path):
    folder = write_encoder(tmp_path / "tiny", VECTORS, query_prefix="good ", text_prefix="sea ")
    embedder = load_transformer(SETTINGS, folder)
    assert embedder.embed_query("boat") == pytest.approx(np.array([4, 9]) / np.sqrt(97))
    assert embedder.embed_texts(["boat"])[0] == pytest.approx(np.array([4, 4]) / np.sqrt(32))


def test_text_without_words_has_no_vector(tmp_path):
    folder = write_encoder(tmp_path / "tiny", VECTORS, reads="words")
    embedder = load_transformer(SETTINGS, folder)
    assert not embedder.embed_texts([" ?! "]).any()
    assert embedder.embed_query("Boat()") == pytest.approx(embedder.embed_query("boat"))


def test_space_is_told_without_the_model(tmp_path):
    folder = write_encoder(tmp_path / "tiny", VECTORS, query_prefix="q: ")
    space = load_transformer(SETTINGS, folder).space
    (folder / "model.onnx").unlink()
    assert transformer_space(SETTINGS, folder) == space
    assert (space.model, space.dimension, space.query_prefix) == ("tiny", 2, "q: ")


@pytest.mark.parametrize("facts", [{"pooling": "max"}, {"dimension": "many"}])
def test_odd_facts_are_refused(tmp_path, facts):
    with pytest.raises(ModelError, match="MODEL.json"):
        load_transformer(SETTINGS, write_encoder(tmp_path / "tiny", VECTORS, **facts))


def test_dimension_that_is_not_the_model_s_is_refused(tmp_path):
    embedder = load_transformer(SETTINGS, write_encoder(tmp_path / "tiny", VECTORS, dimension=3))
    with pytest.raises(ModelError, match="not of 3 numbers"):
        embedder.embed_query("boat")


def test_shipped_model_embeds():
    folder = data_folder("minilm-384")
    embedder = load_transformer(SETTINGS, folder)
    rows = embedder.embed_texts(["open a file", "read the contents of a file", "mix two colours"])
    assert rows.shape == (3, json.loads((folder / "MODEL.json").read_text())["dimension"])
    assert rows[0] @ rows[1] > rows[0] @ rows[2]
