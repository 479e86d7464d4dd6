"""Which lines of a hit are shown, and what is marked in them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.cli.preview import Line, clipped, make_preview, pattern_of


def marked(question: str, text: str) -> list[str]:
    preview = make_preview(text, 1, pattern_of(question), 99)
    return [line.text[start:end] for line in preview for start, end in line.marks]


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("how is a token checked", "check_csrf_token(x)", ["check", "token"]),
        ("parse HTTPResponse", "ParseHttp response", ["Parse", "Http", "response"]),
        ("用户登录", "def 用户登录(): pass", ["用户", "登录"]),
        ("how is it", "how is it", []),
        ("a.b*c(", "a.b*c(", []),
    ],
)
def test_words_of_the_question_are_marked(question, text, expected):
    assert marked(question, text) == expected


def test_preview_keeps_true_line_numbers():
    text = "\n".join(f"line {i}" for i in range(10, 40)).replace("line 33", "the token")
    numbers = {line.number: line.text for line in make_preview(text, 10, pattern_of("token"))}
    assert numbers[33] == "the token"
    assert len(numbers) == 6


def test_preview_begins_at_the_outermost_line():
    text = "    return 1\n\n\ndef check():\n    token = 1\n" + "    pass\n" * 9
    assert make_preview(text, 1, pattern_of("token"))[0].text == "def check():"


def test_preview_takes_off_common_indentation_and_blank_ends():
    assert make_preview("\n\t\tif x:\n\t\t\ty\n\n", 4, None) == [Line(5, "if x:"), Line(6, "    y")]


def test_preview_shows_no_control_characters():
    assert make_preview("a\x1b[31mb\r\n", 1, None)[0].text == "a\N{REPLACEMENT CHARACTER}[31mb"


def test_long_line_is_clipped_around_its_mark():
    line = make_preview("x" * 300 + "token" + "z" * 300, 1, pattern_of("token"))[0]
    cut = clipped(line, 60)
    assert len(cut.text) <= 62
    assert cut.text[slice(*cut.marks[0])] == "token"


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=300), st.text(max_size=20), st.integers(30, 80))
def test_preview_is_always_a_part_of_the_text(text, question, width):
    preview = [clipped(line, width) for line in make_preview(text, 1, pattern_of(question))]
    lines = text.count("\n") + 1
    assert len(preview) <= 6
    for line in preview:
        assert 1 <= line.number <= lines
        assert line.text.isprintable()
        assert len(line.text) <= width + 1
        assert all(0 <= start <= end <= len(line.text) for start, end in line.marks)
