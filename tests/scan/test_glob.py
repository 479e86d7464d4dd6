from __future__ import annotations

import time

import pytest

from scrubjay.scan.glob import Origin, parse_globs


def matches(line: bytes, text: bytes) -> bool:
    (glob,) = parse_globs(line, Origin("test"))
    return bool(glob.matches(text.removeprefix(glob.prefix)))


@pytest.mark.parametrize(
    ("line", "pattern"),
    [
        (b"a ", "a"),
        (b"a\\ ", "a\\ "),
        (b"a\\  ", "a\\ "),
        (b"a\t ", "a\\t"),
        (b"a\r\n", "a"),
        (b"\xef\xbb\xbfa", "a"),
        (b"a\0b", "a"),
        (b"\xff", "\\xff"),
    ],
)
def test_line_is_read_as_git_reads_it(line: bytes, pattern: str) -> None:
    (glob,) = parse_globs(line, Origin("test"))
    assert glob.rule.pattern == pattern
    assert (glob.rule.source, glob.rule.line) == ("test", 1)


def test_comments_and_blank_lines_keep_their_numbers() -> None:
    globs = list(parse_globs(b"# c\n\n   \n\r\na\n!b/\n", Origin("test")))
    assert [(glob.rule.line, glob.text) for glob in globs] == [(5, b"a"), (6, b"b")]
    assert globs[1].is_negated
    assert globs[1].folders_only


def test_question_mark_and_class_match_one_byte() -> None:
    accented = "é".encode()
    assert not matches(b"?", accented)
    assert matches(b"??", accented)
    assert not matches(b"[^b]", accented)
    assert matches(b"[^b]", b"\xff")


@pytest.mark.parametrize("line", [b"*a" * 30 + b"b", b"**/a" * 30 + b"/b", b"/*a*" * 20 + b"b"])
@pytest.mark.parametrize("text", [b"a" * 250, b"a/" * 120 + b"a"])
def test_hostile_pattern_takes_no_exponential_time(line: bytes, text: bytes) -> None:
    start = time.process_time()
    assert not matches(line, text)
    assert time.process_time() - start < 2


def test_base_and_prefix_bound_path_globs() -> None:
    origin = Origin("sub/.gitignore", base=b"sub/")
    (deep, here, anywhere) = parse_globs(b"a/b*\n/c*\n**/d/e\n", origin)
    assert [glob.prefix for glob in (deep, here, anywhere)] == [b"sub/a/", b"sub/", b"sub/"]
    assert [glob.spans_folders for glob in (deep, here, anywhere)] == [False, False, True]


def test_case_is_folded_where_the_repository_says_so() -> None:
    (glob, wild) = parse_globs(b"README\nDocs*\n", Origin("test", folds_case=True))
    assert glob.text == b"readme"
    assert wild.matches(b"docs1")
