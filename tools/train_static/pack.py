"""From float rows to the artefact that is shipped: int8 rows, one scale each, hashes, licence."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np

NAME = "static-256"
FILES = ("rows.npy", "scales.npy", "vocab.txt", "glossary.tsv")


@dataclass(frozen=True)
class Made:
    """What was trained: the vocabulary, its rows, and Chinese words with their English ones."""

    vocabulary: list[str]
    rows: np.ndarray
    glossary: str


def quantise(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Round each row to int8 with its own scale: rows ≈ int8 * scale[:, None]."""
    scales = (np.abs(rows).max(1) / 127).astype(np.float32)
    scales[scales == 0] = 1
    return np.clip(np.rint(rows / scales[:, None]), -127, 127).astype(np.int8), scales


def write_artefact(folder: Path, made: Made, facts: dict[str, object]) -> None:
    """Write rows, scales, words and MODEL.json; `artefact` hashes the files' hashes."""
    folder.mkdir(parents=True, exist_ok=True)
    small, scales = quantise(made.rows)
    np.save(folder / "rows.npy", small, allow_pickle=False)
    np.save(folder / "scales.npy", scales, allow_pickle=False)
    (folder / "vocab.txt").write_bytes(("\n".join(made.vocabulary) + "\n").encode("utf-8"))
    (folder / "glossary.tsv").write_bytes(made.glossary.encode("utf-8"))
    hashes = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in FILES}
    lines = "".join(f"{digest}  {name}\n" for name, digest in hashes.items())
    described = {
        "name": NAME,
        "kind": "embedder",
        "dimension": made.rows.shape[1],
        "entries": made.rows.shape[0],
        "licence": "Apache-2.0",
        "limits": "English, Chinese and code; word order is not seen",
        "artefact": hashlib.sha256(lines.encode()).hexdigest(),
        "files": hashes,
        **facts,
    }
    (folder / "MODEL.json").write_text(_one_line_each(described), "utf-8")


def _one_line_each(described: dict[str, object]) -> str:
    """Spell JSON with each small object on one line, such as a package or a figure."""
    text = json.dumps(described, indent=2, ensure_ascii=False) + "\n"
    flat = re.compile(r"\{[^{}\[\]]{,200}\}")
    return flat.sub(lambda match: " ".join(match[0].split()), text)


def copy_licence(teacher_folder: Path, folder: Path) -> None:
    """Put the teacher's licence next to the rows derived from it, with a notice saying so."""
    shutil.copyfile(teacher_folder / "LICENSE", folder / "LICENSE")
    upstream = (teacher_folder / "NOTICE").read_text("utf-8").strip()
    (folder / "NOTICE").write_text(f"{OWN_NOTICE}\n{upstream}\n", "utf-8")


OWN_NOTICE = """static-256: a table of word vectors for scrubjay.
Copyright the scrubjay authors. Licensed under the Apache License, Version 2.0.

The rows were initialised from sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), changed to a
static table, and trained further on comment and code pairs from the permissively licensed packages
that MODEL.json lists with version and licence. No text of those packages is contained.

The notice of the model it derives from:
"""
