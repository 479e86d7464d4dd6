"""The embedder inside the package keeps the contract of `ports.Embedder`."""

from __future__ import annotations

import subprocess
import sys
from threading import Thread

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.errors import ModelError
from scrubjay.models import builtin
from scrubjay.models.builtin import load_static
from scrubjay.sections import EmbedSettings


@pytest.fixture(scope="module")
def embedder():
    return load_static(EmbedSettings())


def cosine(embedder, left: str, right: str) -> float:
    return float(embedder.embed_query(left) @ embedder.embed_texts([right])[0])


def test_rows_are_normalised_float32(embedder):
    vectors = embedder.embed_texts(["def read(path): ...", "class Reader: pass", "x"])
    assert vectors.shape == (3, 256)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_no_texts_give_no_rows(embedder):
    assert embedder.embed_texts([]).shape == (0, 256)


def test_text_without_known_words_gives_the_zero_row(embedder):
    vectors = embedder.embed_texts(["", " \n\t", "+-*/ ... !!", "parse"])
    assert not vectors[:3].any()
    assert vectors[3].any()


def test_query_equals_a_text(embedder):
    question = "how are passwords hashed?"
    assert np.array_equal(embedder.embed_query(question), embedder.embed_texts([question])[0])


def test_special_tokens_are_plain_text(embedder):
    left, right = embedder.embed_texts(["[CLS] hello <|endoftext|>", "CLS hello endoftext"])
    assert np.allclose(left, right)


def test_vector_depends_on_nothing_but_the_text(embedder):
    texts = [f"value_{i} = load(config[{i}]) # naïve 用户登录" for i in range(300)]
    together = embedder.embed_texts(texts)
    fresh = load_static(EmbedSettings())
    alone = np.stack([fresh.embed_texts([text])[0] for text in reversed(texts)])[::-1]
    assert np.allclose(together, alone, atol=1e-6)


def test_repeated_run_counts_once(embedder):
    once, often = embedder.embed_texts(["open file", "open file file file"])
    assert np.allclose(once, often)


def test_text_larger_than_a_block_is_summed_in_parts(embedder):
    text = " ".join(f"name{i:x}q" for i in range(builtin._BLOCK_RUNS * 2 + 7))
    parts = load_static(EmbedSettings()).embed_texts([text])
    assert np.allclose(np.linalg.norm(parts, axis=1), 1, atol=1e-5)
    assert np.allclose(parts, embedder.embed_texts(["read a file", text, "write"])[1], atol=1e-5)


def test_full_memo_is_emptied_and_refilled(monkeypatch):
    monkeypatch.setattr(builtin, "_MEMO_RUNS", 64)
    monkeypatch.setattr(builtin, "_BLOCK_RUNS", 16)
    small = load_static(EmbedSettings())
    texts = [f"read block {i} of file{i} into buffer{i * 7}" for i in range(200)]
    vectors = small.embed_texts(texts)
    monkeypatch.undo()
    large = load_static(EmbedSettings())
    assert np.allclose(vectors, large.embed_texts(texts), atol=1e-6)


def test_threads_may_share_an_embedder(embedder):
    texts = [f"thread{i} waits for lock{i % 7}" for i in range(400)]
    expected = load_static(EmbedSettings()).embed_texts(texts)
    found: list[np.ndarray] = []
    threads = [Thread(target=lambda: found.append(embedder.embed_texts(texts))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(np.allclose(vectors, expected, atol=1e-6) for vectors in found)


@given(st.lists(st.text(max_size=200), max_size=5))
@settings(max_examples=60, deadline=None)
def test_any_text_embeds(embedder, texts):
    lengths = np.linalg.norm(embedder.embed_texts(texts), axis=1)
    assert lengths.shape == (len(texts),)
    assert np.all((np.abs(lengths - 1) < 1e-4) | (lengths == 0))


def test_space_names_artefact_and_window():
    space = load_static(EmbedSettings(window_chars=400, window_overlap_chars=40)).space
    assert (space.provider, space.model, space.dimension) == ("builtin", "static-256", 256)
    assert (space.window_chars, space.window_overlap) == (400, 40)


PAIRS = [
    (
        "remove a directory and everything in it",
        "def rmtree(path):\n    for e in scan(path):\n        os.unlink(e)\n    os.rmdir(path)",
        "def sqrt(x):\n    return x ** 0.5",
    ),
    (
        "check the password of a user who logs in",
        "def authenticate(self, username, secret):\n    return verify_hash(self.users, secret)",
        "def draw_circle(canvas, radius):\n    canvas.arc(0, 0, radius)",
    ),
    (
        "send an HTTP request and retry on failure",
        "async function fetchAgain(url, attempts) {\n  return await fetch(url, { attempts });\n}",
        "function sortColumns(table) {\n  return table.columns.sort();\n}",
    ),
    (
        "write rows to a CSV file",
        "func (w *Writer) WriteAll(records [][]string) error {\n\tw.writeRecord(records, ',')\n}",
        "func (s *Server) Shutdown(ctx context.Context) error {\n\treturn s.listener.Close()\n}",
    ),
    (
        "删除一个目录以及里面的所有内容",
        "def rmtree(path):\n    for e in scan(path):\n        os.unlink(e)\n    os.rmdir(path)",
        "def sqrt(x):\n    return x ** 0.5",
    ),
    (
        "用户登录时检查密码",
        "def authenticate(self, username, secret):\n    return verify_hash(self.users, secret)",
        "def draw_circle(canvas, radius):\n    canvas.arc(0, 0, radius)",
    ),
    (
        "how to configure logging",
        "Set the level and the handlers of the logger in `logging.ini`; messages go to stderr.",
        "Matrices are multiplied with the `@` operator; both must have fitting shapes.",
    ),
]


@pytest.mark.parametrize(("question", "right", "wrong"), PAIRS)
def test_question_is_nearer_to_its_answer(embedder, question, right, wrong):
    assert cosine(embedder, question, right) > cosine(embedder, question, wrong) + 0.1


def test_missing_model_is_a_model_error():
    with pytest.raises(ModelError, match="no-such-model"):
        load_static(EmbedSettings(), "no-such-model")


def test_importing_the_models_loads_nothing_heavy():
    code = (
        "import sys, scrubjay.models.builtin, scrubjay.models.catalogue;"
        "sys.exit(bool({'numpy', 'tokenizers'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
