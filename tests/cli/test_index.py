"""`scrubjay index` and what changes an index: runs, their summaries, and their exit codes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scrubjay.cli.index import _choose
from scrubjay.cli.options import Where
from scrubjay.places import folder_for
from scrubjay.store import maintain
from scrubjay.store.lock import writer_lock

pytestmark = pytest.mark.slow


def test_index_counts_and_is_up_to_date_afterwards(ask, tree):
    first = ask("index")
    assert first.code == 0
    assert first.out.startswith("Indexed 3 files in ")
    assert "empty 1" in first.out
    assert "files to do" in first.err
    second = ask("index")
    assert second.out.startswith("Up to date: ")
    assert "nothing to do" in second.err


def test_index_in_json_prints_summaries(ask, tree):
    (run,) = ask("index", "--json", "--quiet").json()["runs"]
    assert run["indexed"] == 3
    assert run["complete"] is True
    assert run["reasons"]["empty"] == 1


def test_index_follows_changes_and_removals(ask, tree):
    ask("index", "-q")
    (tree / "notes.md").unlink()
    (tree / "uploads.py").rename(tree / "moved.py")
    said = ask("index", "-q")
    assert "0 texts embedded" in said.out
    assert "2 removed" in said.out
    assert said.err == ""


def test_each_path_is_a_workspace_of_its_own(ask, tree, tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.md").write_text(f"# Words of {name}\n")
    said = ask("index", str(tmp_path / "a"), str(tmp_path / "b"), "-q")
    assert said.out.count("Indexed 1 file ") == 2
    hits = ask("search", "--json", "words", "--in", str(tmp_path / "a")).json()["hits"]
    assert [hit["root"] for hit in hits] == [str(tmp_path / "a")]


def test_named_workspace_holds_several_roots(ask, tree, tmp_path, monkeypatch):
    other = tmp_path / "other"
    other.mkdir()
    (other / "x.md").write_text("# Uploads elsewhere\n")
    assert ask("index", ".", str(other), "-w", "both", "-q").code == 0
    hits = ask("search", "--json", "uploads", "-w", "both").json()["hits"]
    assert {hit["path"] for hit in hits} >= {"x.md", "uploads.py"}
    monkeypatch.chdir(other)
    assert ask("index", "-q").out.startswith("Up to date: ")
    assert ask("index", ".", "-q").out.startswith("Up to date: ")
    assert len(ask("roots", "--json").json()["roots"]) == 2


def test_folder_that_is_not_there_makes_no_index(ask, tree, tmp_path):
    said = ask("index", "absent", "--json")
    assert said.code == 2
    assert said.json()["kind"] == "RootError"
    assert ask("index", "uploads.py").code == 2
    assert ask("index", "-w", "nobody").code == 2
    assert not (tmp_path / "home" / "indexes").exists()


def test_offline_root_keeps_its_index(ask, tree, tmp_path):
    ask("index", "-q")
    tree.rename(tmp_path / "away")
    said = ask("index", str(tree), "-q")
    assert said.code == 4
    assert "its index is kept" in said.err
    assert ask("search", "uploads", "--in", str(tree)).code == 0
    assert "offline" in ask("status", "--in", str(tree)).out


def test_mass_removal_asks_for_force(ask, tree):
    for i in range(120):
        (tree / f"f{i}.md").write_text(f"# Page {i}\n")
    ask("index", "-q")
    for i in range(120):
        (tree / f"f{i}.md").unlink()
    said = ask("index", "-q", "--json")
    assert said.code == 4
    assert said.json()["kind"] == "MassRemoval"
    assert "120 removed" in ask("index", "-q", "--force").out


def test_home_folder_is_not_taken_for_a_project(ask, tree, monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: Path(os.path.realpath(tree)))
    said = ask("index")
    assert said.code == 2
    assert "is no project" in said.err


def test_failed_file_is_named_and_retried(ask, tree):
    ask("index", "-q")
    assert break_file(tree, "uploads.py") == 1
    again = ask("index", "-q")
    assert again.code == 3
    assert "1 file failed; 1 will not, unless `scrubjay retry` says so" in again.err
    assert "uploads.py: the parser died" in again.err
    assert ask("failures").out.startswith("uploads.py: the parser died\n    tried 3 times;")
    assert ask("failures", "--json").json()["failures"][0]["state"] == "failed"
    assert "Error     the parser died" in ask("why", "uploads.py").out
    assert "1 file failed" in ask("doctor").out
    assert "failed 1" in ask("status").out
    assert ask("retry").out.startswith("1 file will be tried again")
    assert ask("index", "-q").code == 0


def break_file(tree: Path, name: str) -> int:
    """Leave a file as three failed attempts leave it; returns how many rows were changed."""
    stores = maintain.open_for_writing(folder_for(tree))
    try:
        with stores.catalog.writing():
            return stores.catalog.run(
                "UPDATE files SET state = 'failed', attempts = 3, message = 'the parser died'"
                " WHERE name = ?",
                (name.encode(),),
            )
    finally:
        stores.close()


def test_busy_index_is_told_from_a_broken_one(ask, tree):
    ask("index", "-q")
    with writer_lock(folder_for(tree), "test"):
        said = ask("index", "--json", "-q")
        assert "(test)" in ask("status").out
        waited = ask("index", "--wait", "0.2")
    assert waited.code == 5
    assert "waiting for it" in waited.err
    assert said.code == 5
    assert said.json()["kind"] == "IndexBusy"


def test_settings_change_what_is_indexed(ask, tree):
    ask("index", "-q")
    assert ask("config", "set", "scan.ignore", "*.md").code == 0
    assert ask("config", "get", "scan.ignore").out == "*.md\n"
    assert "1 removed" in ask("index", "-q").out
    shown = ask("config", "--json").json()["settings"]
    assert next(s for s in shown if s["name"] == "scan.ignore")["value"] == ["*.md"]
    assert ask("config", "unset", "scan.ignore").code == 0
    assert "Indexed 1 file" in ask("index", "-q").out


def test_user_settings_are_kept_apart(ask, tree, tmp_path):
    assert ask("config", "set", "--user", "search.results", "3").code == 0
    assert (tmp_path / "home" / "settings.toml").read_text("utf-8") == "[search]\nresults = 3\n"
    assert "from" in ask("config").out
    assert ask("config", "path", "--json").json()["exists"] == {"user": True, "index": False}


@pytest.mark.parametrize(
    "words",
    [
        ("config", "set", "search.results", "none"),
        ("config", "set", "search.results"),
        ("config", "set", "search.result", "3"),
        ("config", "get"),
    ],
)
def test_wrong_settings_are_usage_errors(ask, tree, words):
    assert ask(*words).code == 2


def test_damage_is_found_and_mended(ask, tree):
    ask("index", "-q")
    stores = maintain.open_for_writing(folder_for(tree))
    with stores.catalog.writing():
        stores.catalog.run("DELETE FROM words")
    stores.close()
    assert ask("verify").code == 6
    assert ask("verify", "--json").json()["violations"]
    assert ask("repair").code == 0
    assert ask("index", "-q").code == 0
    assert ask("verify").code == 0


def test_delete_and_reset_need_a_yes(ask, tree, tmp_path):
    ask("index", "-q")
    for words in (("delete",), ("migrate", "--reset")):
        said = ask(*words)
        assert said.code == 2
        assert "--yes" in said.err
    assert ask("migrate", "--reset", "--yes").code == 0
    assert ask("roots", "--json").json()["roots"][0]["path"] == str(tree)
    assert "Indexed 3 files" in ask("index", "-q").out
    ask("config", "set", "search.results", "3")
    assert ask("delete", "--yes").code == 0
    assert list((tmp_path / "home" / "indexes").iterdir()) == []
    assert ask("status").code == 2
    assert (tree / "uploads.py").exists()


def test_inner_folder_becomes_a_workspace_of_its_own(ask, tree):
    ask("index", "-q")
    inner = tree / "inner"
    inner.mkdir()
    ((workspace, paths),) = _choose(Where(Path(), None), (inner,))
    assert paths == (inner,)
    assert "inner-" in workspace.folder.name
