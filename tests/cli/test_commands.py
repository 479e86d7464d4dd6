"""The commands on a small folder: what they print, and their exit codes."""

from __future__ import annotations

import json
import re

import pytest

pytestmark = pytest.mark.slow


def test_search_shows_place_score_and_preview(ask, places):
    said = ask("search", "where", "are", "uploads", "validated", "-n", "1")
    assert said.code == 0
    first, *rest = said.out.splitlines()
    assert re.match(r" 1\. uploads\.py:\d+-6  \d\.\d\d", first)
    assert "       4  def validate_upload(file):" in rest
    assert "\x1b" not in said.out


def test_search_in_json_has_stable_keys(ask, places):
    report = ask("search", "--json", "uploads").json()
    assert {"question", "hits", "notes", "coverage", "stages", "legs"} <= report.keys()
    hit = report["hits"][0]
    assert hit["path"] == "uploads.py"
    assert hit["span"]["last_line"] == 6
    assert len(hit["content_hash"]) == 64
    assert report["coverage"]["files"] == 4


def test_search_explains_scores_and_stages(ask, places):
    said = ask("search", "validate_upload", "--explain", "--words-only")
    assert re.search(r"words #1 \+\d\.\d\d", said.out)
    assert re.search(r"^words +\d+\.\d ms", said.out, re.MULTILINE)


def test_search_obeys_its_filters(ask, places):
    def paths(*filters: str) -> list[str]:
        said = ask("search", "--json", "pictures uploads validated", *filters)
        return [hit["path"] for hit in said.json()["hits"]]

    assert paths("--lang", "python") == ["uploads.py"]
    assert paths("--path", "*.md") == ["notes.md"]
    assert "notes.md" not in paths("--not-path", "*.md")


def test_search_that_finds_nothing_exits_as_grep_does(ask, places):
    said = ask("search", "zzyzx", "--words-only")
    assert (said.code, said.out) == (1, "")
    assert said.err.startswith("Nothing found.")


def test_colour_follows_options_before_environment(ask, places):
    assert "\x1b[" in ask("--color", "search", "uploads", NO_COLOR="1").out
    assert "\x1b[" in ask("search", "uploads", "--color").out
    assert "\x1b[" in ask("search", "uploads", FORCE_COLOR="1").out
    assert "\x1b[" not in ask("search", "uploads", FORCE_COLOR="1", NO_COLOR="1").out
    assert "\x1b[" not in ask("search", "uploads", "--no-color", FORCE_COLOR="1").out


def test_context_prints_labelled_blocks(ask, places):
    said = ask("context", "where are uploads validated")
    assert said.code == 0
    assert "uploads.py:" in said.out
    assert "```python" in said.out
    blocks = ask("context", "uploads", "--json").json()["blocks"]
    assert blocks[0]["path"] == "uploads.py"


def test_status_counts_files_by_fate(ask, places):
    said = ask("status")
    assert "indexed 3" in said.out
    assert "empty 1" in said.out
    assert "not a listed kind of text" in said.out
    assert "online, 4 files, complete" in said.out
    status = ask("status", "--json").json()
    assert status["files"]["states"] == {"dirty": 0, "clean": 3, "skipped": 1, "failed": 0}
    assert status["roots"][0]["online"] is True


def test_roots_lists_the_folder(ask, places):
    assert ask("roots", "--json").json()["roots"][0]["path"] == str(places)
    assert str(places) in ask("roots").out


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("uploads.py", "uploads.py is indexed in"),
        ("debug.log", ".gitignore:1: *.log"),
        ("empty.py", "empty"),
        ("absent.py", "absent.py is not there"),
        ("..", "lies in none of the roots"),
    ],
)
def test_why_says_what_decided(ask, places, path, expected):
    said = ask("why", path)
    assert said.code == 0
    assert expected in said.out


def test_why_in_json_names_the_rule(ask, places):
    rule = ask("why", "debug.log", "--json").json()["rule"]
    assert rule == {"source": ".gitignore", "line": 1, "pattern": "*.log"}


def test_skipped_and_failures_list_files(ask, places):
    assert ask("skipped").out == "empty.py: empty (0 bytes)\n"
    assert [f["path"] for f in ask("skipped", "--json").json()["skipped"]] == ["empty.py"]
    assert ask("failures").out == "No file failed.\n"
    assert ask("failures", "--json").json() == {"failures": []}
    assert ask("retry").out == "No file failed.\n"
    assert ask("retry", "--json").json() == {"retried": 0}


def test_verify_and_repair_find_a_sound_index(ask, places):
    assert ask("verify").out == "The index is sound.\n"
    assert ask("verify", "--json").json() == {"violations": []}
    assert ask("repair").out == "Nothing needed mending.\n"
    assert ask("repair", "--json").json()["left"] == []


def test_compact_and_migrate_are_harmless(ask, places):
    assert ask("compact").code == 0
    assert "gained_bytes" in ask("compact", "--json").json()
    assert ask("migrate").out == "The layout is the newest one.\n"


def test_models_marks_the_one_in_use(ask, places):
    assert re.search(r"^\* static-256", ask("models").out, re.MULTILINE)
    assert ask("models", "--json").json()["in_use"] == "static-256"


def test_doctor_is_content(ask, places):
    said = ask("doctor", "--json")
    checks = said.json()["checks"]
    assert {"Python", "SQLite", "Packages", "Grammars", "Index", "Root"} <= {
        check["name"] for check in checks
    }
    assert [check for check in checks if check["health"] == "bad"] == []
    assert said.code == 0


def test_index_is_found_from_a_folder_inside(ask, places, monkeypatch):
    inside = places / "deep"
    inside.mkdir(exist_ok=True)
    monkeypatch.chdir(inside)
    assert "../uploads.py:" in ask("search", "uploads").out.replace("\\", "/")


def test_other_index_is_chosen_by_path(ask, places, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert ask("search", "uploads").code == 2
    assert ask("search", "uploads", "--in", str(places)).code == 0


def test_answer_says_that_a_file_has_changed(ask, tree):
    ask("index")
    (tree / "uploads.py").write_text("def validate_upload(): ...\n")
    assert "changed on disk since it was indexed" in ask("search", "validate upload").out


def test_hits_outside_utf8_names_are_printable(ask, tree):
    from tests.cli.conftest import raw_name

    if raw_name(tree) is None:
        pytest.skip("this file system takes no such names")
    assert ask("index").code == 0
    assert "caf\\xe9.py:1-2" in ask("search", "brew coffee").out
    assert (
        json.loads(ask("search", "brew coffee", "--json").out)["hits"][0]["path"] == "caf\\xe9.py"
    )
    assert "is indexed in 1 chunks" in ask("why", "caf\udce9.py").out
