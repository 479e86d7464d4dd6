"""Write a static model of random rows over a word-piece vocabulary; run by semble's own Python."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from model2vec import StaticModel
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

DIMENSION = 256

vocabulary_file, target = sys.argv[1:]
words = Path(vocabulary_file).read_text("utf-8").split("\n")[:-1] + ["[UNK]"]
tokenizer = Tokenizer(
    models.WordPiece({word: i for i, word in enumerate(words)}, unk_token="[UNK]")
)
tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
rows = np.random.default_rng(0).standard_normal((len(words), DIMENSION), dtype=np.float32)
StaticModel(rows, tokenizer, normalize=True).save_pretrained(target)
