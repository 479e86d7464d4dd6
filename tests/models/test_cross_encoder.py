import json
import math
import sys

import pytest
from onnx import TensorProto
from tests.models.tiny_models import write_cross_encoder

from scrubjay.errors import ModelError, TooSlow
from scrubjay.models.catalogue import load_reranker
from scrubjay.sections import RerankSettings

TEXTS = ["a.md\na car", "b.md\na good boat", "c.md\na bad boat", "d.md\ngood good boat"]


def judge(folder, question="boat", deadline=math.inf):
    reranker = load_reranker(RerankSettings(model=str(folder)))
    assert reranker is not None
    return [values[0] for values in reranker.judge(question, TEXTS, deadline)]


@pytest.mark.parametrize("inputs", [(), ("input_ids",), ("input_ids", "attention_mask")])
def test_cross_encoder_file_ranks_as_its_weights_say(tmp_path, inputs):
    scores = judge(write_cross_encoder(tmp_path / "own", inputs=inputs))
    assert scores == pytest.approx([1 / (1 + math.exp(-x)) for x in (0, 4, -4, 8)], abs=1e-5)


def test_cross_encoder_reads_the_question_too(tmp_path):
    folder = write_cross_encoder(tmp_path / "own")
    assert judge(folder, "good boat")[0] > judge(folder, "boat")[0]


def test_cross_encoder_of_two_logits_takes_the_last(tmp_path):
    scores = judge(write_cross_encoder(tmp_path / "own", logits=2))
    assert scores == pytest.approx([1 / (1 + math.exp(-x)) for x in (0, 4, -4, 8)], abs=1e-5)


def test_cross_encoder_of_three_logits_is_refused(tmp_path):
    with pytest.raises(ModelError, match="3 values"):
        judge(write_cross_encoder(tmp_path / "own", logits=3))


def test_cross_encoder_says_its_name_and_features(tmp_path):
    reranker = load_reranker(RerankSettings(model=str(write_cross_encoder(tmp_path / "own"))))
    assert (reranker.profile, reranker.features) == ("own", ("relevance",))
    assert reranker.reads("用户登录")


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_missing_or_damaged_file_is_named(tmp_path, name):
    folder = write_cross_encoder(tmp_path / "own")
    (folder / name).write_bytes(b"not one")
    with pytest.raises(ModelError, match=name):
        judge(folder)
    (folder / name).unlink()
    with pytest.raises(ModelError, match=f"{name} is missing"):
        judge(folder)


def test_graph_with_other_inputs_is_refused(tmp_path):
    folder = write_cross_encoder(tmp_path / "own", inputs=("input_ids", "pixels"))
    with pytest.raises(ModelError, match="asks for pixels"):
        judge(folder)


def test_length_of_a_pair_is_limited(tmp_path):
    folder = write_cross_encoder(tmp_path / "own")
    (folder / "MODEL.json").write_text(json.dumps({"max_tokens": 6}))
    assert judge(folder)[1] == pytest.approx(0.5)  # `good` is cut off


def test_damaged_config_is_named(tmp_path):
    folder = write_cross_encoder(tmp_path / "own")
    (folder / "config.json").write_text("{")
    with pytest.raises(ModelError, match="config.json"):
        judge(folder)


def test_deadline_that_has_passed_stops_the_reading(tmp_path):
    with pytest.raises(TooSlow):
        judge(write_cross_encoder(tmp_path / "own"), deadline=0.0)


def test_answer_that_is_no_number_is_refused(tmp_path):
    folder = write_cross_encoder(tmp_path / "own", bad=math.nan)
    with pytest.raises(ModelError, match="no number"):
        judge(folder)


def test_graph_may_take_narrow_numbers(tmp_path):
    scores = judge(write_cross_encoder(tmp_path / "own", whole=TensorProto.INT32))
    assert scores == pytest.approx([1 / (1 + math.exp(-x)) for x in (0, 4, -4, 8)], abs=1e-5)


def test_lone_surrogate_is_read_as_an_unknown_letter(tmp_path):
    reranker = load_reranker(RerankSettings(model=str(write_cross_encoder(tmp_path / "own"))))
    ((relevance,),) = reranker.judge("boat \ud800", ["good \udcff"], math.inf)
    assert relevance == pytest.approx(1 / (1 + math.exp(-4)), abs=1e-5)


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_package_that_cannot_be_loaded_is_named(tmp_path, monkeypatch, package):
    folder = write_cross_encoder(tmp_path / "own")
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ModelError, match=f"{package} cannot be loaded"):
        judge(folder)
