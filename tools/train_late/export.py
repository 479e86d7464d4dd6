"""Write a MiniLM as an int8 ONNX file: fused attention, quantised matrices, a table of int8 rows.

The graph is laid out by hand from the weights, so that the same weights give the same file.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

LAYERS, HEADS, WIDTH = 6, 12, 384
EPSILON = 1e-12
OPSET, MICROSOFT_OPSET, IR_VERSION = 17, 1, 8
MOST_POSITIONS = 512

Weights = Mapping[str, np.ndarray]


@dataclass(slots=True)
class _Graph:
    nodes: list[onnx.NodeProto]
    constants: list[onnx.TensorProto]

    def constant(self, name: str, values: np.ndarray) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def add(
        self, kind: str, inputs: list[str], output: str, domain: str = "", **facts: object
    ) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [output], output, domain=domain, **facts))
        return output


def export(weights: Weights, target: Path, *, quantised: bool = True) -> None:
    """Write a graph: input_ids, attention_mask (n, length) to last_hidden_state (n, length, d)."""
    graph = _Graph([], [])
    graph.add("Cast", ["attention_mask"], "mask", to=TensorProto.INT32)
    x = _embed(graph, weights)
    for layer in range(_layers(weights)):
        x = _layer(graph, weights, layer, x)
    graph.add("Identity", [x], "last_hidden_state")
    model = _model(graph)
    onnx.checker.check_model(model)
    if not quantised:
        onnx.save(model, target)
        return
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder, "whole.onnx")
        onnx.save(model, whole)
        quantize_dynamic(
            whole,
            target,
            op_types_to_quantize=["MatMul", "Attention"],
            per_channel=True,
            # Without VNNI, two products of 8 bits are added in 16 and overflow; 7 bits do not.
            reduce_range=True,
            weight_type=QuantType.QInt8,
            extra_options={"DefaultTensorType": TensorProto.FLOAT},
        )


def _layers(weights: Weights) -> int:
    return len({name.split(".")[2] for name in weights if name.startswith("encoder.layer.")})


def _embed(graph: _Graph, weights: Weights) -> str:
    """Look up words in a table of int8 rows; the one token type is added to the positions."""
    words = weights["embeddings.word_embeddings.weight"]
    scales = np.abs(words).max(1, keepdims=True) / 127
    graph.constant("words", np.round(words / np.maximum(scales, 1e-12)).astype(np.int8))
    graph.constant("scales", scales.astype(np.float32))
    positions = weights["embeddings.position_embeddings.weight"][:MOST_POSITIONS]
    graph.constant("positions", positions + weights["embeddings.token_type_embeddings.weight"][0])
    graph.add("Gather", ["words", "input_ids"], "rows")
    graph.add("Cast", ["rows"], "wide", to=TensorProto.FLOAT)
    graph.add("Gather", ["scales", "input_ids"], "row_scales")
    graph.add("Mul", ["wide", "row_scales"], "looked_up")
    graph.add("Shape", ["input_ids"], "length", start=1, end=2)
    graph.add("Slice", ["positions", graph.constant("zero", np.array([0])), "length"], "places")
    graph.add("Add", ["looked_up", "places"], "placed")
    norm = "embeddings.LayerNorm"
    gamma = graph.constant("gamma", weights[f"{norm}.weight"])
    beta = graph.constant("beta", weights[f"{norm}.bias"])
    return graph.add("LayerNormalization", ["placed", gamma, beta], "embedded", epsilon=EPSILON)


def _layer(graph: _Graph, weights: Weights, layer: int, x: str) -> str:
    at, own = f"encoder.layer.{layer}.", f"l{layer}_"

    def constant(name: str, values: np.ndarray) -> str:
        return graph.constant(own + name, values.astype(np.float32))

    parts = [f"{at}attention.self.{name}" for name in ("query", "key", "value")]
    packed = constant("qkv", np.concatenate([weights[f"{p}.weight"].T for p in parts], 1))
    bias = constant("qkv_bias", np.concatenate([weights[f"{p}.bias"] for p in parts]))
    inputs = [x, packed, bias, "mask"]
    mixed = graph.add("Attention", inputs, own + "mixed", "com.microsoft", num_heads=HEADS)
    x = _add_and_normalise(graph, weights, (at + "attention.output", own + "a", mixed, x))
    grown = constant("grow", weights[f"{at}intermediate.dense.weight"].T)
    wide = graph.add("MatMul", [x, grown], own + "wide")
    bias = constant("grow_bias", weights[f"{at}intermediate.dense.bias"])
    active = graph.add("BiasGelu", [wide, bias], own + "active", "com.microsoft")
    return _add_and_normalise(graph, weights, (at + "output", own + "o", active, x))


def _add_and_normalise(graph: _Graph, weights: Weights, what: tuple[str, str, str, str]) -> str:
    """Project, add the bias and what was before, normalise."""
    at, own, inner, before = what
    matrix = graph.constant(f"{own}_matrix", weights[f"{at}.dense.weight"].T)
    product = graph.add("MatMul", [inner, matrix], f"{own}_product")
    inputs = [
        product,
        before,
        graph.constant(f"{own}_gamma", weights[f"{at}.LayerNorm.weight"]),
        graph.constant(f"{own}_beta", weights[f"{at}.LayerNorm.bias"]),
        graph.constant(f"{own}_bias", weights[f"{at}.dense.bias"]),
    ]
    domain = "com.microsoft"
    return graph.add("SkipLayerNormalization", inputs, f"{own}_x", domain, epsilon=EPSILON)


def _model(graph: _Graph) -> onnx.ModelProto:
    shape = ["n", "length"]
    made = helper.make_graph(
        graph.nodes,
        "minilm",
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, shape)
            for name in ("input_ids", "attention_mask")
        ],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*shape, WIDTH])],
        graph.constants,
    )
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid("com.microsoft", MICROSOFT_OPSET)]
    return helper.make_model(made, opset_imports=opsets, ir_version=IR_VERSION)
