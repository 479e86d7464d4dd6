"""Where prose is cut: headings, blank lines, fences."""

from __future__ import annotations

import pytest
from chunk_checks import chunked, texts

from scrubjay.sections import ChunkSettings

NO_OVERLAP = ChunkSettings(overlap_chars=0)
WORDS = "Some words that make up a paragraph of ordinary length. " * 6 + "\n"
LONG = WORDS[:-1] + WORDS
"""Enough for a section that is never merged with another."""


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("markdown", f"# One\n\n{LONG}\n## Two ##\n\n{LONG}\n# Three\n\n{LONG}"),
        ("markdown", f"One\n===\n\n{LONG}\nTwo\n---\n\n{LONG}\n# Three\n\n{LONG}"),
        ("markdown", f"# One\r\n\r\n{LONG}\r\nTwo\r\n---\r\n\r\n{LONG}\r\n# Three\r\n{LONG}"),
        ("rst", f"===\nOne\n===\n\n{LONG}\nTwo\n---\n\n{LONG}\n=====\nThree\n=====\n\n{LONG}"),
        ("text", f"One\n===\n\n{LONG}\nTwo\n---\n\n{LONG}\nThree\n=====\n\n{LONG}"),
        ("asciidoc", f"= One\n\n{LONG}\n== Two\n\n{LONG}\n= Three\n\n{LONG}"),
        ("org", f"* One\n{LONG}\n** Two\n{LONG}\n* Three\n{LONG}"),
        (
            "latex",
            f"\\section{{One}}\n{LONG}\\subsection{{Two}}\n{LONG}\\section{{Three}}\n{LONG}",
        ),
        ("html", f"<h1>One</h1>\n{LONG}<h2 id=a>Two</h2>\n{LONG}<h1>Three</h1>\n{LONG}"),
    ],
)
def test_headings_make_nested_sections(language, text):
    chunks = chunked(text, language, NO_OVERLAP).chunks
    assert [chunk.scope for chunk in chunks] == [("One",), ("One", "Two"), ("Three",)]
    assert {chunk.kind for chunk in chunks} == {"section"}


def test_hash_inside_fence_is_no_heading():
    text = f"# One\n\n{LONG}\n```sh\n# not a heading\n\nrun\n```\n\n# Two\n\n{LONG}"
    scopes = [chunk.scope for chunk in chunked(text, "markdown", NO_OVERLAP).chunks]
    assert scopes == [("One",), ("Two",)]


def test_unclosed_fence_hides_the_rest():
    text = f"# One\n\n{LONG}\n~~~\n# not a heading\n{LONG}\n{LONG}"
    result = chunked(text, "markdown", NO_OVERLAP)
    assert {chunk.scope for chunk in result.chunks} == {("One",)}


def test_front_matter_is_no_section():
    text = f"---\ntitle: x\n# comment\n---\n# One\n\n{LONG}"
    result = chunked(text, "markdown", ChunkSettings(overlap_chars=0, min_chars=0))
    assert [chunk.scope for chunk in result.chunks] == [(), ("One",)]


def test_heading_stays_with_its_text():
    text = "".join(f"## Part {i}\n\n{WORDS}\n{WORDS}\n" for i in range(6))
    assert all(t.startswith("## Part") for t in texts(text, chunked(text, "markdown", NO_OVERLAP)))


def test_heading_without_body_is_kept():
    text = "# Only a heading"
    assert texts(text, chunked(text, "markdown")) == [text]


def test_small_sections_are_merged():
    text = "# All\n\n" + "".join(f"## {i}\n\nshort\n\n" for i in range(10))
    assert len(chunked(text, "markdown", NO_OVERLAP).chunks) == 1


def test_paragraphs_are_kept_whole():
    text = "\n".join([WORDS] * 9)
    result = chunked(text, "text", NO_OVERLAP)
    assert len(result.chunks) == 5
    assert all(t.endswith("length.") for t in texts(text, result))
    assert {chunk.kind for chunk in result.chunks} == {"text"}


def test_lines_are_cut_at_the_smallest_indent():
    block = "begin\n" + "    a line of some unknown language\n" * 15
    text = block * 5
    assert all(t.startswith("begin") for t in texts(text, chunked(text, "cobol", NO_OVERLAP)))
