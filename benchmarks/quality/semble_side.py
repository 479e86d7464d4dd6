"""Index one tree with semble and answer questions; run by semble's own Python, JSON in and out."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from model2vec import StaticModel
from semble import SembleIndex
from semble.types import ContentType
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

BORDERS = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
"""Where our table's own reader cuts identifiers."""


def main() -> None:
    request = json.load(sys.stdin)
    code, *others = ContentType.CODE, ContentType.DOCS, ContentType.CONFIG
    content = (code, *others) if request["content"] == "all" else (code,)
    with tempfile.TemporaryDirectory() as folder:
        read_table(Path(request["table"])).save_pretrained(folder)
        index = SembleIndex.from_path(request["tree"], content=content, model_path=folder)
    answers = []
    for query in request["queries"]:
        start = time.perf_counter()
        hits = index.search(query, top_k=request["results"])
        seconds = time.perf_counter() - start
        best = {}
        for hit in hits:
            chunk = hit.chunk
            best.setdefault(chunk.file_path, (chunk.file_path, chunk.start_line, chunk.end_line))
        answers.append((list(best.values()), seconds))
    json.dump({"answers": answers, "peak_mb": peak_mb()}, sys.stdout)


def read_table(folder: Path) -> StaticModel:
    """Open our static table as a model of semble's kind."""
    vocabulary = (folder / "vocab.txt").read_text("utf-8").split("\n")[:-1] + ["[UNK]"]
    rows = np.load(folder / "rows.npy").astype(np.float32)
    rows *= np.load(folder / "scales.npy")[:, None]
    entries = {entry: number for number, entry in enumerate(vocabulary)}
    tokenizer = Tokenizer(models.WordPiece(entries, unk_token="[UNK]"))
    steps = [normalizers.Replace(Regex(BORDERS), " "), normalizers.BertNormalizer(lowercase=True)]
    tokenizer.normalizer = normalizers.Sequence(steps)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    unknown = np.zeros((1, rows.shape[1]), np.float32)
    return StaticModel(np.vstack([rows, unknown]), tokenizer, normalize=True)


def peak_mb() -> float | None:
    try:
        import resource
    except ImportError:
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


if __name__ == "__main__":
    main()
