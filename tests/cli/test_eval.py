from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

THINGS = ("upload", "picture", "invoice", "session", "password", "calendar", "printer", "parcel")
VERBS = ("validate", "delete", "archive")


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True, capture_output=True)


def fill(folder: Path) -> None:
    git(folder, "init", "--quiet", "--initial-branch=main")
    for thing in THINGS:
        for verb in VERBS:
            with open(folder / f"{thing}s.py", "a") as file:
                file.write(f"def {verb}_{thing}(it):\n    return it.{verb}()\n\n\n")
            git(folder, "add", ".")
            git(folder, "commit", "--quiet", "-m", f"Let a user {verb} every {thing} (#7)")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("tree")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        patch.setenv("SCRUBJAY_HOME", str(tmp_path_factory.mktemp("home")))
        patch.chdir(folder)
        fill(folder)
        yield folder


@pytest.fixture
def indexed(repository, ask):
    assert ask("index").code == 0
    return repository


def test_unindexed_folder_says_so(tmp_path, ask, monkeypatch):
    monkeypatch.setenv("SCRUBJAY_HOME", str(tmp_path / "home"))
    said = ask("eval", str(tmp_path))
    assert said.code == 2
    assert "not indexed yet" in said.err


def test_eval_measures_a_repository(indexed, ask):
    said = ask("eval", "--fast")
    assert said.code == 0, said.err
    assert "24 questions, from 24 looked at" in said.out
    assert "nDCG@10" in said.out
    assert "expected" in said.out
    assert "The files are those of now" in said.err


def test_eval_answers_programs(indexed, ask):
    answer = ask("eval", "--fast", "--json").json()
    assert answer["questions"] == 24
    assert answer["groups"][0]["name"] == "all"
    assert answer["groups"][0]["scores"]["ndcg_10"] > 0.9
    assert answer["commands"] == []
    assert answer["worst"][0]["expected"][0]["path"].endswith(".py")


def test_saved_questions_can_be_asked_again(indexed, ask, tmp_path):
    file = tmp_path / "mine.jsonl"
    first = ask("eval", "--fast", "--json", "--save", str(file)).json()
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert len(lines) == 24
    assert lines[0]["query"] == "Let a user archive every parcel"
    assert lines[0]["relevant"] == ["parcels.py"]
    again = ask("eval", "--fast", "--json", "--set", str(file)).json()
    assert again["groups"][0]["scores"] == first["groups"][0]["scores"]


def test_path_chooses_repository_and_index(indexed, ask, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    said = ask("eval", str(indexed), "--fast", "--json")
    assert said.code == 0
    assert said.json()["questions"] == 24


def test_too_few_commits_say_why(indexed, ask):
    said = ask("eval", "--fast", "--since", "2040-01-01")
    assert said.code == 2
    assert "only 0 of 0" in said.err
    assert "--set FILE" in said.err


def test_bad_date_is_refused(indexed, ask):
    said = ask("eval", "--since", "yesterday")
    assert said.code == 2
    assert "yesterday" in said.err


def test_folder_without_history_says_so(tmp_path, ask, monkeypatch):
    monkeypatch.setenv("SCRUBJAY_HOME", str(tmp_path / "home"))
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "a.py").write_text("def validate(): return 1\n")
    assert ask("index", str(folder)).code == 0
    said = ask("eval", str(folder))
    assert said.code == 2
    assert "no git repository" in said.err
