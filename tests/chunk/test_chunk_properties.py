"""Whatever a text holds, chunks are exact, cover it and stay in bounds."""

from __future__ import annotations

import pytest
from chunk_checks import chunked
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay.sections import ChunkSettings

LANGUAGES = [
    *("python", "javascript", "typescript", "rust", "c", "haskell", "elixir", "dart"),
    *("yaml", "json", "markdown", "rst", "html", "vue", "text"),
]

PIECES = st.sampled_from(
    [
        "def f(x):\n    return x\n",
        "class 类:\n    def 方法(self):\n        return '😀'\n",
        "    # e\u0301 комментарий\n",
        "@deco\n",
        "import os\n",
        "function f() { return `😀${x}` }\n",
        "const a = () => {\n",
        "}\n",
        "/* 注释 */\n",
        "# Title\n",
        "Title\r\n=====\r\n",
        "```\n",
        "- key: 值\n",
        '{"a": [1, 2,\n',
        "fn main() {}\r\n",
        "data X = Y\n",
        "\n\n\n",
        "  \t \r\n",
        "\u00a0\u2003\n",
        "漢字かな交じり文。" * 40,
        "😀" * 150,
        "a\u0301" * 120,
        "x" * 700,
        "word " * 90,
        "\r",
        "\x0c",
        "\u2028",
        "\x00",
        "((((((((((",
        "'''",
        '"',
    ]
)
TEXTS = st.one_of(
    st.lists(PIECES, max_size=40).map("".join),
    st.lists(st.one_of(PIECES, st.text(max_size=20)), max_size=30).map("".join),
)
SIZES = st.builds(
    ChunkSettings,
    max_chars=st.sampled_from([100, 137, 400, 1000]),
    min_chars=st.sampled_from([0, 20, 100]),
    overlap_chars=st.sampled_from([0, 30, 100]),
)


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=TEXTS, sizes=SIZES)
def test_chunks_keep_invariants(language, text, sizes):
    chunked(text, language, sizes)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=st.text(max_size=3000), sizes=SIZES)
def test_chunks_of_any_text_keep_invariants(text, sizes):
    chunked(text, None, sizes)


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=TEXTS)
def test_chunking_is_repeatable(text):
    assert chunked(text, "python") == chunked(text, "python")
