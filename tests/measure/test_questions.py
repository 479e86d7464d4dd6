import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from histories import Made, make_repository
from tests.stored import Shelf

from scrubjay.errors import UsageError
from scrubjay.measure.history import Checkout, open_checkout
from scrubjay.measure.questions import (
    Holdings,
    Place,
    Question,
    QuestionSet,
    from_history,
    read_set,
    set_lines,
    too_few,
)
from scrubjay.store.files import roots

pytestmark = pytest.mark.slow


def holdings_of(shelf: Shelf, root: Path) -> Holdings:
    (known,) = roots(shelf.stores.catalog)
    return Holdings(
        shelf.stores.catalog, [replace(known, path=os.fsencode(os.path.realpath(root)))]
    )


def ask(shelf: Shelf, folder: Path, commits: list[Made], **how: object) -> QuestionSet:
    checkout = open_checkout(make_repository(folder, commits))
    return from_history(checkout, holdings_of(shelf, folder), how.pop("count", 10), **how)


def test_subject_asks_for_the_sources_it_changed(shelf, tmp_path):
    shelf.put(**{"a.py": "one\n", "b.py": "two\n"})
    made = [Made("feat: Retry after a timeout (#3)", {"a.py": "1\n", "CHANGES.md": "x\n"})]
    (question,) = ask(shelf, tmp_path, made).questions
    assert question.query == "Retry after a timeout"
    assert [place.path for place in question.relevant] == ["a.py"]
    assert question.language == "python"
    assert not question.names_file


def test_renamed_file_is_asked_for_by_its_new_name(shelf, tmp_path):
    shelf.put(**{"b.py": "two\n"})
    text = "".join(f"line {n}\n" for n in range(20))
    made = [
        Made("Retry after a long timeout", {"a.py": text}),
        Made("Move it there and back", renames={"a.py": "b.py"}),
    ]
    found = ask(shelf, tmp_path, made).questions
    assert {place.path for question in found for place in question.relevant} == {"b.py"}


def test_dropped_commits_are_counted_by_reason(shelf, tmp_path):
    shelf.put(**{"a.py": "one\n"})
    many = {f"m{n}.py": "1\n" for n in range(5)}
    made = [
        Made("Retry after a long timeout", {"a.py": "1\n"}),
        Made("retry after a long timeout", {"a.py": "2\n"}),
        Made("Change a great many files", many),
        Made("Change a file since deleted", {"gone.py": "1\n"}),
        Made("Write all of it down", {"README.md": "1\n"}),
        Made("Bump the version to 2", {"a.py": "3\n"}),
        Made("Fix", {"a.py": "4\n"}),
    ]
    found = ask(shelf, tmp_path, made)
    assert len(found.questions) == 1
    assert found.looked_at == 7
    assert found.dropped == {
        "subject used before": 1,
        "more than 4 source files changed": 1,
        "changed files no longer indexed": 1,
        "no source file changed": 1,
        "releases, formatting, typos": 1,
        "subject under 4 words": 1,
    }


def test_reverted_commit_and_its_revert_are_dropped(shelf, tmp_path):
    shelf.put(**{"a.py": "one\n"})
    made = [Made("Retry after a long timeout", {"a.py": "1\n"})]
    first = ask(shelf, tmp_path / "first", made).questions[0].source
    undo = Made(f"Undo a thing that failed\n\nThis reverts commit {first}.", {"a.py": "0\n"})
    found = ask(shelf, tmp_path / "second", [*made, undo])
    assert found.questions == ()
    assert found.dropped == {"reverts or reverted": 2}


def test_newest_commits_are_taken_first(shelf, tmp_path):
    shelf.put(**{"a.py": "one\n"})
    made = [Made(f"Retry for the {n}. time", {"a.py": f"{n}\n"}) for n in range(6)]
    found = ask(shelf, tmp_path, made, count=2)
    assert [q.query[-7:] for q in found.questions] == ["5. time", "4. time"]
    assert found.looked_at == 2


def test_repository_outside_the_index_says_so(shelf, tmp_path):
    checkout = Checkout(tmp_path / "elsewhere", is_shallow=False, is_partial=False)
    with pytest.raises(UsageError, match="is not in this index") as caught:
        from_history(checkout, holdings_of(shelf, tmp_path / "here"), 10)
    assert "scrubjay index" in caught.value.hint


def test_root_inside_the_repository_is_asked_for_its_own_files(shelf, tmp_path):
    shelf.put(**{"a.py": "one\n"})
    made = [Made("Retry after a long timeout", {"lib/a.py": "1\n", "b.py": "2\n"})]
    checkout = open_checkout(make_repository(tmp_path, made))
    found = from_history(checkout, holdings_of(shelf, tmp_path / "lib"), 10)
    assert [place.path for place in found.questions[0].relevant] == ["a.py"]


def test_saved_set_reads_back(shelf, tmp_path):
    shelf.put(**{"a.py": "one\n"})
    holdings = holdings_of(shelf, tmp_path)
    place = holdings.place_of(os.fsencode(os.path.realpath(tmp_path)) + b"/a.py")
    assert place is not None
    asked = Question("Größe von „a“ prüfen", (place,), "abc123")
    file = tmp_path / "set.jsonl"
    file.write_text("".join(set_lines([asked])), "utf-8")
    found = read_set(file, holdings, 10)
    assert found.questions == (asked,)


def test_set_takes_absolute_paths_and_drops_unknown_ones(shelf, tmp_path):
    shelf.put(**{"a.py": "one\n"})
    real = os.path.realpath(tmp_path)
    lines = [{"query": "x", "relevant": [f"{real}/a.py"]}, {"query": "y", "relevant": ["no.py"]}]
    file = tmp_path / "set.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)) + "\n\n")
    found = read_set(file, holdings_of(shelf, tmp_path), 10)
    assert [q.query for q in found.questions] == ["x"]
    assert found.dropped == {"files not in the index": 1}


@pytest.mark.parametrize(
    "line",
    ["{", "[]", "3", '{"query": "x"}', '{"query": "x", "relevant": "a.py"}',
     '{"query": " ", "relevant": ["a.py"]}', '{"query": "x", "relevant": [7]}'],
)  # fmt: skip
def test_line_that_is_no_question_is_named(shelf, tmp_path, line):
    file = tmp_path / "set.jsonl"
    file.write_text('{"query": "x", "relevant": ["a.py"]}\n' + line)
    with pytest.raises(UsageError, match="line 2"):
        read_set(file, holdings_of(shelf, tmp_path), 10)


def test_missing_set_is_named(shelf, tmp_path):
    with pytest.raises(UsageError, match=r"none\.jsonl cannot be read"):
        read_set(tmp_path / "none.jsonl", holdings_of(shelf, tmp_path), 10)


def test_too_few_questions_say_why():
    error = too_few(QuestionSet((), 40, {"merges": 30, "by bots": 10}, is_shallow=True), 20)
    assert "only 0 of 40" in error.message
    assert "merges 30, by bots 10" in error.message
    assert "--unshallow" in error.hint


def test_question_tells_whether_it_names_its_file():
    place = Place("/r", "src/retry.py", "python")
    assert Question("Let Retry wait longer", (place,), "c").names_file
    assert not Question("Wait longer each time", (place,), "c").names_file
