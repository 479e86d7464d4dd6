from pathlib import Path

import pytest
from histories import Made, git, make_repository

from scrubjay.errors import ScrubjayError, UsageError
from scrubjay.measure.history import Commit, open_checkout, read_commits

pytestmark = pytest.mark.slow

TEXT = "".join(f"line {number} of a file\n" for number in range(30))


def read(folder: Path, **how: object) -> list[Commit]:
    return list(read_commits(open_checkout(folder), **how))


def test_commits_come_newest_first_with_their_files(tmp_path):
    made = [Made("Begin", {"a.py": "1\n"}), Made("Go on", {"a.py": "2\n", "b/c.py": "3\n"})]
    newest, oldest = read(make_repository(tmp_path, made))
    assert newest.subject == "Go on"
    assert newest.paths == (b"a.py", b"b/c.py")
    assert newest.author == "Ada <ada@example.org>"
    assert (newest.parents, oldest.parents) == (1, 0)
    assert len(newest.id) == 40


def test_rename_is_followed_to_the_name_of_now(tmp_path):
    made = [
        Made("Begin", {"old.py": TEXT}),
        Made("Change it", {"old.py": TEXT + "more\n"}),
        Made("Move it", renames={"old.py": "middle.py"}),
        Made("Move it again", renames={"middle.py": "new.py"}),
    ]
    folder = make_repository(tmp_path, made)
    assert [commit.paths for commit in read(folder)] == [(b"new.py",)] * 4
    assert read(folder, follow=False)[-1].paths == (b"old.py",)


def test_new_file_of_an_old_name_is_not_followed(tmp_path):
    made = [
        Made("Begin", {"a.py": TEXT}),
        Made("Move it", renames={"a.py": "b.py"}),
        Made("Another one", {"a.py": "else\n"}),
        Made("Change the other", {"a.py": "else again\n"}),
    ]
    paths = [commit.paths for commit in read(make_repository(tmp_path, made))]
    assert paths == [(b"a.py",), (b"a.py",), (b"b.py",), (b"b.py",)]


def test_deleted_file_is_not_named(tmp_path):
    made = [Made("Begin", {"a.py": "1\n", "b.py": TEXT}), Made("Less", deleted=["a.py"])]
    assert read(make_repository(tmp_path, made))[0].paths == ()


def test_odd_encodings_and_names_are_read(tmp_path):
    made = [
        Made("Grüße aus Köln".encode("latin-1"), {"a.py": "1\n"}, encoding="latin-1"),
        Made(b"broken \xff\xfe bytes", {'"sp ace\\303\\251.py"': "2\n"}),
        Made("Unit\x1fand record\x1e separators", {"c.py": "3\n"}),
    ]
    third, second, first = read(make_repository(tmp_path, made))
    assert first.subject == "Grüße aus Köln"
    assert "\ufffd" in second.subject
    assert second.paths == ("sp ace\u00e9.py".encode(),)
    assert third.paths == (b"c.py",)


def test_reverted_commits_are_named(tmp_path):
    folder = make_repository(tmp_path, [Made("Begin", {"a.py": "1\n"})])
    (first,) = read(folder)
    undone = Made(f'Revert "Begin"\n\nThis reverts commit {first.id}.', {"a.py": "0\n"})
    other = make_repository(tmp_path / "other", [Made("Begin", {"a.py": "1\n"}), undone])
    assert read(other)[0].reverts == (first.id,)


def test_merge_has_two_parents(tmp_path):
    made = [Made("One", {"a.py": "1\n"}), Made("Two", {"a.py": "2\n"}), Made("Both", merges=1)]
    assert read(make_repository(tmp_path, made))[0].parents == 2


def test_since_leaves_older_commits_out(tmp_path):
    folder = make_repository(tmp_path, [Made("Begin", {"a.py": "1\n"})])
    assert read(folder, since="2040-01-01") == []
    assert len(read(folder, since="2001-01-01")) == 1


def test_reading_may_stop_before_the_end(tmp_path):
    made = [Made(f"Step {n} " + "x" * 900, {"a.py": f"{n}\n"}) for n in range(400)]
    commits = read_commits(open_checkout(make_repository(tmp_path, made)))
    assert next(commits).subject.startswith("Step 399")
    commits.close()


def test_own_settings_of_the_repository_change_nothing(tmp_path):
    folder = make_repository(tmp_path, [Made("Begin", {"a.py": "1\n"})])
    for name, value in {
        "log.showSignature": "true",
        "diff.renames": "false",
        "core.quotePath": "true",
        "format.pretty": "oneline",
        "log.date": "relative",
    }.items():
        git(folder, "config", name, value)
    assert read(folder)[0].paths == (b"a.py",)


def test_shallow_clone_is_told(tmp_path):
    made = [Made(f"Step {n}", {"a.py": f"{n}\n"}) for n in range(3)]
    whole = make_repository(tmp_path / "whole", made)
    git(tmp_path, "clone", "--quiet", "--depth=1", whole.as_uri(), "part")
    assert open_checkout(tmp_path / "part").is_shallow
    assert not open_checkout(whole).is_shallow


def test_subfolder_finds_the_top(tmp_path):
    folder = make_repository(tmp_path / "tree", [Made("Begin", {"b/a.py": "1\n"})])
    assert open_checkout(folder / "b").top.resolve() == folder.resolve()


@pytest.mark.parametrize(
    ("prepared", "told"),
    [
        ([], "lies in no git repository"),
        (["init", "--quiet"], "no commits yet"),
        (["init", "--quiet", "--bare"], "bare repository"),
    ],
)
def test_folder_without_a_history_says_why(tmp_path, prepared, told):
    if prepared:
        git(tmp_path, *prepared)
    with pytest.raises(UsageError, match=told) as caught:
        open_checkout(tmp_path)
    assert caught.value.hint


def test_git_folder_itself_is_refused(tmp_path):
    folder = make_repository(tmp_path, [Made("Begin", {"a.py": "1\n"})])
    with pytest.raises(UsageError, match="git's own folder"):
        open_checkout(folder / ".git")


def test_missing_git_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ScrubjayError, match="git cannot be run") as caught:
        open_checkout(tmp_path)
    assert "--set" in caught.value.hint


def test_unknown_revision_is_gits_to_explain(tmp_path):
    folder = make_repository(tmp_path, [Made("Begin", {"a.py": "1\n"})])
    with pytest.raises(ScrubjayError, match="nowhere"):
        read(folder, revision="nowhere")
