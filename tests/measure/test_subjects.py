import pytest

from scrubjay.measure.subjects import Drop, fault_of, is_about_aside, is_source, plain

ADA = "Ada <ada@example.org>"


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("fix(api)!: Handle an empty body (#12)", "Handle an empty body"),
        ("net/http: limit the size of headers", "limit the size of headers"),
        ("feat: 为解析器增加缓存", "为解析器增加缓存"),
        (":bug: Close the socket twice", "Close the socket twice"),
        ("🐛 Close the socket twice #7", "Close the socket twice"),
        ("[CORE-17] Retry after a timeout", "Retry after a timeout"),
        ("CORE-17: retry after a timeout", "retry after a timeout"),
        ("Fixes #88: retry after a timeout", "retry after a timeout"),
        ("#88 retry after a timeout", "retry after a timeout"),
        ("  Retry   after a timeout ", "Retry   after a timeout"),
        ("std::vector grows twice as fast", "std::vector grows twice as fast"),
    ],
)
def test_subject_loses_labels_and_numbers(written, asked):
    assert plain(written) == asked


@pytest.mark.parametrize(
    ("author", "subject", "fault"),
    [
        (ADA, "Retry requests after a timeout", None),
        (ADA, "为解析器增加缓存以减少重复读取", None),
        ("dependabot[bot] <support@github.com>", "Retry requests after a timeout", Drop.BOT),
        ("renovate-bot <r@example.org>", "Retry requests after a timeout", Drop.BOT),
        ("Abbott <abbott@example.org>", "Retry requests after a timeout", None),
        (ADA, 'Revert "Retry requests after a timeout"', Drop.REVERT),
        (ADA, "revert: retry requests after a timeout", Drop.REVERT),
        (ADA, "Merge pull request #4 from ada/retry", Drop.MERGE),
        (ADA, "Merge two sorted lists without a copy", Drop.CHORE),
        (ADA, "Bump requests from 2.1 to 2.2", Drop.CHORE),
        (ADA, "Release 2.1 of the whole thing", Drop.CHORE),
        (ADA, "v2.1.0 with many new things", Drop.CHORE),
        (ADA, "Fix typo in the retry loop", Drop.CHORE),
        (ADA, "Run black over the whole tree", Drop.CHORE),
        (ADA, "fixup! Retry requests after a timeout", Drop.CHORE),
        (ADA, "Fix it", Drop.SHORT),
        (ADA, "word " * 41, Drop.LONG),
        (ADA, "Retry \ufffd\ufffd after a timeout", Drop.GARBLED),
    ],
)
def test_unfit_commit_is_told_by_author_and_subject(author, subject, fault):
    assert fault_of(author, subject) is fault


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/app.py", True),
        ("lib/core.test.ts", False),
        ("tests/app.py", False),
        ("test_app.py", False),
        ("docs/conf.py", False),
        ("README.md", False),
        ("latest/app.py", True),
        ("package.json", False),
        ("src/Main.RS", True),
    ],
)
def test_source_is_told_from_what_accompanies_it(path, expected):
    assert is_source(path) is expected


def test_change_to_tests_is_told_by_subject_and_files():
    assert is_about_aside("Skip a flaky test on macOS", ["src/a.py", "tests/test_a.py"])
    assert not is_about_aside("Collect a test by its marker", ["src/a.py"])
    assert not is_about_aside("Collect by the marker", ["src/a.py", "tests/test_a.py"])
