"""Texts that break parsers: too deep, too long, too much, nothing at all."""

from __future__ import annotations

import pytest
from chunk_checks import chunked, texts

from scrubjay.sections import ChunkSettings

ANYTHING = ChunkSettings(max_parse_bytes=10**7, max_line_chars=10**7, parse_deadline_s=60.0)


@pytest.mark.parametrize("text", ["", " \n\t\r\n", "\u00a0\n" * 50, "\n" * 4000])
@pytest.mark.parametrize("language", ["python", "markdown", None])
def test_blank_text_has_no_chunks(text, language):
    assert chunked(text, language).chunks == ()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        *(("cpp", "int x = " + "(" * n + "1" + ")" * n + ";\n") for n in (400, 1200, 5000)),
        ("python", "x = " + "(\n" * 5000 + "1" + ")\n" * 5000),
        ("javascript", "x" + ".then(f)" * 4000 + ";\n"),
        ("javascript", "x" + "\n  .then(f)" * 4000 + ";\n"),
        ("c", "void f() {" + "{\n" * 3000 + "}\n" * 3001),
    ],
    ids=lambda value: value[:12],
)
def test_deep_nesting_is_chunked(language, text):
    result = chunked(text, language, ANYTHING)
    assert len(result.chunks) >= len(text) // 1100
    assert result.fallback is None


def test_hopelessly_nested_text_falls_back():
    result = chunked("[" * 20_000, "javascript", ANYTHING)
    assert result.fallback == "mostly syntax errors"
    assert len(result.chunks) == 20


@pytest.mark.parametrize("character", ["x", "漢", "😀", "e\u0301", "a "])
def test_one_enormous_line_is_cut_by_characters(character):
    text = character * 5000
    result = chunked(text, "python")
    assert result.fallback == "lines longer than 500 characters on average"
    assert max(map(len, texts(text, result))) <= 1100
    assert not any(t.startswith("\u0301") for t in texts(text, result))


def test_one_long_line_among_short_ones_is_cut():
    text = "x = 1\n" * 50 + "data = '" + "q" * 9000 + "'\n" + "y = 2\n" * 50
    result = chunked(text, "python")
    assert result.fallback is None
    assert max(map(len, texts(text, result))) <= 1100


def test_blank_lines_do_not_make_chunks():
    text = "first\n" + "\n" * 4000 + "second\n"
    assert texts(text, chunked(text, "text", ChunkSettings(overlap_chars=0))) == ["first", "second"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"max_parse_bytes": 1000}, "larger than 1000 bytes"),
        ({"max_line_chars": 5}, "lines longer than 5 characters on average"),
        ({"parse_deadline_s": 0.0}, "parsing took longer than 0 s"),
    ],
)
def test_caps_fall_back_to_prose(changes, reason):
    text = "def f():\n    return 'some value'\n\n" * 2000
    settings = ChunkSettings(**changes)
    result = chunked(text, "python", settings)
    assert (result.fallback, result.definitions) == (reason, ())
    assert {chunk.kind for chunk in result.chunks} == {"text"}


def test_size_cap_counts_bytes():
    text = "x = '漢'\n" * 100
    assert chunked(text, "python", ChunkSettings(max_parse_bytes=950)).fallback is not None
    assert chunked(text, "python", ChunkSettings(max_parse_bytes=1100)).fallback is None


def test_parser_works_again_after_a_deadline():
    late = ChunkSettings(parse_deadline_s=0.0)
    chunked("def f():\n    return 'some value'\n\n" * 2000, "python", late)
    assert [d.name for d in chunked("def g():\n    pass\n", "python").definitions] == ["g"]


def test_yaml_that_overflows_its_parser_is_not_parsed():
    text = "".join(" " * i + "a:\n" for i in range(700))
    assert chunked(text, "yaml").fallback == "nested too deeply for its parser"


def test_garbage_falls_back():
    text = "\x00)]}\n\x01;;((\n" * 200
    assert chunked(text, "haskell").fallback == "mostly syntax errors"


def test_unknown_language_is_no_fallback():
    result = chunked("IDENTIFICATION DIVISION.\n", "cobol")
    assert (len(result.chunks), result.fallback) == (1, None)


def test_errors_keep_definitions_around_them():
    text = "def good():\n    pass\n\nclass ((:\n\ndef fine():\n    pass\n"
    assert {"good", "fine"} <= {d.name for d in chunked(text, "python").definitions}


def test_special_tokens_are_plain_text():
    text = "x = '<|endoftext|>'\n# [CLS] <s> </s>\n"
    assert texts(text, chunked(text, "python")) == [text.rstrip()]


def test_wide_minimum_and_overlap_are_clamped():
    text = "word " * 2000
    chunked(text, "text", ChunkSettings(max_chars=100, min_chars=5000, overlap_chars=50))
