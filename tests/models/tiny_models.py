"""ONNX files of a few numbers whose answers can be told by hand, with tokenizers of a few words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

WORDS = ("[UNK]", "[CLS]", "[SEP]", "boat", "harbour", "sea", "car", "good", "bad")


def write_tokenizer(folder: Path) -> None:
    tokenizer = Tokenizer(WordLevel({word: i for i, word in enumerate(WORDS)}, "[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
    )
    tokenizer.save(str(folder / "tokenizer.json"))


def write_cross_encoder(
    folder: Path,
    *,
    logits: int = 1,
    inputs: Sequence[str] = (),
    bad: float = -4,
    whole: int = TensorProto.INT64,
) -> Path:
    """Write a cross-encoder whose logit is +4 for each `good` in the pair, `bad` for each `bad`."""
    folder.mkdir(parents=True, exist_ok=True)
    table = np.zeros((len(WORDS), logits), np.float32)
    table[WORDS.index("good"), -1], table[WORDS.index("bad"), -1] = 4, bad
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["values"]),
        helper.make_node("ReduceSum", ["values", "axis"], ["logits"], keepdims=0),
    ]
    names = inputs or ("input_ids", "attention_mask", "token_type_ids")
    ends = (names, "logits", ["n", logits])
    _save(folder, nodes, {"table": table, "axis": np.array([1])}, ends, whole)
    write_tokenizer(folder)
    return folder


def write_encoder(folder: Path, vectors: dict[str, Sequence[float]], **facts: object) -> Path:
    """Write an encoder that gives each word a vector of its own, whatever stands around it."""
    folder.mkdir(parents=True, exist_ok=True)
    width = len(next(iter(vectors.values())))
    table = np.zeros((len(WORDS), width), np.float32)
    for word, vector in vectors.items():
        table[WORDS.index(word)] = vector
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])]
    names = ("input_ids", "attention_mask")
    _save(folder, nodes, {"table": table}, (names, "last_hidden_state", ["n", "length", width]))
    write_tokenizer(folder)
    said = {"artefact": "ab" * 32, "dimension": width, "max_tokens": 16, "pooling": "mean"}
    (folder / "MODEL.json").write_text(json.dumps({**said, **facts}), "utf-8")
    return folder


def _save(folder, nodes, constants, ends, whole=TensorProto.INT64) -> None:
    names, output, shape = ends
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(n, whole, ["n", "length"]) for n in names],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(values, name) for name, values in constants.items()],
    )
    opset = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=8), folder / "model.onnx")
