"""Small file trees that break indexers, each with a statement of what must happen.

The trees come from a folder that is no part of this repository: its `make_cases.py` builds them and
writes `manifest.json`. `SCRUBJAY_CASES` names it; without it these tests are skipped.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from scrubjay.cli import main as command_line

PROJECT = Path(__file__).parents[1]
CASES = Path(os.environ.get("SCRUBJAY_CASES") or PROJECT.parent / "shared" / "cases")
MAKER = CASES / "make_cases.py"
SYNC_TIMEOUT_S = 120
MAX_CHUNK_CHARS = 1_600
"""The hard limit of a chunk, 1.5 x `chunk.max_chars`, and what it repeats of the one before."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not MAKER.is_file(), reason="the folder of hostile cases is absent"),
    pytest.mark.skipif(os.name == "nt", reason="the hostile cases are made for POSIX"),
]

Check = Callable[["Case"], None]
EXTRA: dict[tuple[str, str], Check] = {}
"""What only a driver that knows scrubjay can check, by case and state."""


def also(case_id: str, state: str = "initial") -> Callable[[Check], Check]:
    """Register a check that follows the general ones of a state."""

    def register(check: Check) -> Check:
        EXTRA[case_id, state] = check
        return check

    return register


@dataclass
class Case:
    """A built tree, the index of it, and what the last sync said."""

    id: str
    folder: Path
    entry: dict[str, Any]
    home: Path
    wrapper: tuple[str, ...] = ()
    summary: dict[str, Any] = field(default_factory=dict)

    @property
    def root(self) -> Path:
        return self.folder / self.entry["root"]

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, "SCRUBJAY_HOME": str(self.home)}

    def sync(self, timeout_s: float = SYNC_TIMEOUT_S, root: Path | None = None) -> dict[str, Any]:
        """Run one ordinary `scrubjay index`, in a process of its own that may be killed."""
        program = str(Path(sys.executable).with_name("scrubjay"))
        done = subprocess.run(
            [*self.wrapper, program, "index", "--json", "."],
            cwd=root or self.root,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=timeout_s,
        )
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode in (0, 3), done.stderr
        (self.summary,) = json.loads(done.stdout)["runs"]
        assert done.returncode == (3 if self.summary["failed"] else 0), self.summary
        assert self.summary["pending"] == 0, self.summary
        return self.summary

    def run(self, *arguments: str, codes: tuple[int, ...] = (0,)) -> str:
        """Run another command in this process; returns what it printed."""
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.root)
            result = CliRunner(env=self.environment).invoke(command_line, arguments)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code in codes, f"{arguments}: {result.output}"
        return result.output

    def ask(self, question: str, *options: str) -> list[dict[str, Any]]:
        """List the first ten hits; each must be what its file says at that place."""
        words = ["search", "--json", "-n", "10", *options, "--", question]
        report = json.loads(self.run(*words, codes=(0, 1)))
        for hit in report["hits"]:
            self.check_slice(hit)
        return report["hits"]

    def check_slice(self, hit: dict[str, Any]) -> None:
        assert hit["text"].strip()
        assert len(hit["text"]) <= MAX_CHUNK_CHARS
        try:
            text = (self.root / hit["path"]).read_bytes().decode("utf-8-sig")
        except (OSError, UnicodeDecodeError):
            return
        if not hit["path"].endswith(".ipynb"):
            span = hit["span"]
            assert hit["text"] == text[span["start"] : span["end"]]
            assert span["first_line"] == text.count("\n", 0, span["start"]) + 1

    def why(self, path: str) -> dict[str, Any]:
        return json.loads(self.run("why", "--json", "--", path))

    def is_indexed(self, path: str) -> bool:
        return self.state_of(path) == "clean" and self.why(path)["file"]["chunks"] > 0

    def state_of(self, path: str) -> str | None:
        """Tell how the index knows a path; None for one that it does not."""
        file = self.why(path)["file"]
        return file and file["state"]


def build(case_id: str, folder: Path) -> Case:
    make_cases("build", folder, "--only", case_id)
    (entry,) = json.loads((folder / "manifest.json").read_text("utf-8"))["cases"]
    return Case(case_id, folder, entry, home=folder / "home")


def make_cases(command: str, folder: Path, *arguments: str) -> None:
    words = [sys.executable, str(MAKER), command, str(folder), *arguments]
    subprocess.run(words, check=True, capture_output=True)


@cache
def case_ids() -> list[str]:
    """List the cases that need nothing but a tree and syncs."""
    if not MAKER.is_file() or os.name == "nt":
        return ["absent"]
    listed = subprocess.run(
        [sys.executable, str(MAKER), "list"], check=True, capture_output=True, text=True
    )
    rows = [line.split() for line in listed.stdout.splitlines()]
    return [row[0] for row in rows if len(row) > 3 and row[2] == "tree"]


@pytest.fixture
def workplace(tmp_path: Path) -> Iterator[Path]:
    """Lend a folder; some trees in it are unreadable, or deeper than a path may be."""
    folder = tmp_path / "cases"
    yield folder
    subprocess.run(["chmod", "-R", "u+rwx", folder], check=False, stderr=subprocess.DEVNULL)
    subprocess.run(["rm", "-rf", folder], check=True)


@pytest.mark.parametrize("case_id", case_ids())
def test_case_holds(case_id, workplace):
    case = build(case_id, workplace)
    if case_id == "SPEC-06":
        case.wrapper = obey_permissions()
    for state in case.entry["states"]:
        if state["after"] != "initial":
            make_cases("apply", workplace, case_id, state["after"])
        check_state(case, state)


def obey_permissions() -> tuple[str, ...]:
    """Find a prefix under which root, too, cannot read a file without permission."""
    if os.geteuid() != 0:
        return ()
    prefix = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
    if shutil.which("setpriv") is None or subprocess.run([*prefix, "true"], check=False).returncode:
        pytest.skip("root may read everything here")
    return prefix


def check_state(case: Case, state: dict[str, Any]) -> None:
    expect = state["expect"]
    summary = case.sync(expect.get("max_seconds", SYNC_TIMEOUT_S))
    assert summary["embedded"] <= expect.get("max_embed_texts", summary["embedded"])
    for path in expect.get("must_index", ()):
        assert case.is_indexed(path), case.why(path)
    for path in expect.get("must_skip", ()):
        assert not case.is_indexed(path), case.why(path)
    for wanted in [*expect.get("find", ()), control_of(case)]:
        check_found(case, wanted)
    for unwanted in expect.get("not_find", ()):
        check_not_found(case, unwanted)
    EXTRA.get((case.id, state["after"]), lambda _: None)(case)


def control_of(case: Case) -> dict[str, Any]:
    found = case.entry["states"][0]["expect"]["find"]
    return next(wanted for wanted in found if wanted["path"] == "control.py")


def check_found(case: Case, wanted: dict[str, Any], *options: str) -> None:
    hits = [hit for hit in case.ask(wanted["query"], *options) if hit["path"] == wanted["path"]]
    assert hits, wanted
    if wanted["query"].isalnum():
        assert wanted["query"] in hits[0]["text"]
    if "line" in wanted:
        assert any(
            hit["span"]["first_line"] <= wanted["line"] <= hit["span"]["last_line"] for hit in hits
        ), (wanted, hits)


def check_not_found(case: Case, unwanted: dict[str, Any]) -> None:
    for hit in case.ask(unwanted["query"]):
        if unwanted.get("path", hit["path"]) == hit["path"]:
            assert unwanted["query"] not in hit["text"], hit


def places_of(case: Case, word: str, *options: str) -> list[str]:
    """List the paths of the hits that contain a word."""
    return [hit["path"] for hit in case.ask(word, *options) if word in hit["text"]]


def word_of(case: Case, path: str) -> str:
    found = [w for state in case.entry["states"] for w in state["expect"].get("find", ())]
    return next(wanted["query"] for wanted in found if wanted["path"] == path)


def escaped(path: str) -> str:
    """Write a path as a glob that matches only it."""
    return "/" + "".join("\\" + c if c in "\\*?[]!#" else c for c in path)


@also("DISC-08")
def submodule_is_always_left_out(case: Case) -> None:
    first = case.why("sub/s.py")
    case.sync()
    assert "submodule" in json.dumps(first)
    assert case.why("sub/s.py") == first


@also("DISC-11")
def own_data_and_ignored_folders_stay_out(case: Case) -> None:
    assert case.summary["walked"] < 100
    case.home = case.root / "scrubjay-home"
    case.sync()
    again = case.sync()
    assert (again["indexed"], again["removed"], again["walked"] < 100) == (0, 0, True)
    assert not [hit for hit in case.ask("settings") if "scrubjay-home" in hit["path"]]


@also("SPEC-03")
def looping_links_give_one_hit(case: Case) -> None:
    hits = [hit for hit in case.ask(word_of(case, "real/one.py")) if hit["path"] != "control.py"]
    assert [(hit["path"], hit["more"]) for hit in hits] == [("real/one.py", [])]


@also("SPEC-06")
def unreadable_paths_are_reported(case: Case) -> None:
    assert case.why("locked.py")["verdict"].endswith("not readable")
    assert case.summary["reasons"] == {"not readable": 1}
    assert any(note.startswith("lockdir: ") for note in case.summary["notes"])


@also("ENC-09")
def late_zero_bytes_bring_no_garbage(case: Case) -> None:
    for path in ("late_nul.py", "bin_after.txt"):
        assert case.state_of(path) in ("clean", "skipped"), case.why(path)
    for hit in case.ask("filler line of plain text"):
        assert "\0" not in hit["text"]
        assert "\ufffd" not in hit["text"]
    if case.is_indexed("late_nul.py"):
        assert places_of(case, "rebogedarulox") == ["late_nul.py"]


@also("PARSE-01")
def symbol_after_wide_characters_is_exact(case: Case) -> None:
    hit = case.ask("negapabalebux")[0]
    assert "defines negapabalebux" in [reason["name"] for reason in hit["contributions"]]


@also("PARSE-05")
def giant_line_is_cut_or_skipped(case: Case) -> None:
    if case.is_indexed("bundle.js"):
        assert places_of(case, "taluzufofibox") == ["bundle.js"]
    else:
        assert case.why("bundle.js")["file"]["reason"]


@also("PARSE-07")
def empty_files_are_skipped_for_good(case: Case) -> None:
    for path in ("empty.py", "blank.py", "nbsp.md", "pkg/__init__.py"):
        assert case.state_of(path) in ("clean", "skipped")
    again = case.sync()
    assert (again["indexed"], again["embedded"], again["failed"]) == (0, 0, 0)


@also("PARSE-09")
def notebook_run_again_embeds_nothing(case: Case) -> None:
    path = case.root / "note.ipynb"
    notebook = json.loads(path.read_bytes())
    notebook["cells"][1].update(execution_count=7, outputs=[{"output_type": "stream", "text": "x"}])
    path.write_text(json.dumps(notebook))
    assert places_of(case, "novifakapegix") == []
    assert case.sync()["embedded"] == 0


@also("PARSE-11", "insert-3-lines")
def chunks_move_and_stay_single(case: Case) -> None:
    hits = case.ask("gukumumagumux")
    assert [hit["path"] for hit in hits].count("G.ts") == 1
    assert hits[0]["more"] == []


@also("PARSE-12")
def every_copy_is_reachable(case: Case) -> None:
    for i in range(5):
        path = f"copies/c{i}.py"
        text = (case.root / path).read_text()
        hits = case.ask(text.split("(")[0].removeprefix("def "), "--path", path)
        assert [hit["path"] for hit in hits] == [path]
    assert case.run("verify", "--json")


@also("CHG-04", "nothing")
def odd_times_settle(case: Case) -> None:
    again = case.sync()
    assert (again["indexed"], again["restamped"]) == (0, 0), "read again and again"


@also("CHG-09", "edit-one")
@also("CHG-05", "delete")
@also("CHG-11", "shrink")
@also("STORE-01", "delete-first-four")
def stores_agree(case: Case) -> None:
    case.run("verify", "--json")
    for wanted in case.entry["states"][-1]["expect"].get("find", ()):
        paths = places_of(case, wanted["query"], "--path", escaped(wanted["path"]))
        assert paths == [wanted["path"]]


@also("STORE-02")
def punctuation_is_text(case: Case) -> None:
    (line,) = case.entry["states"][0]["expect"]["text"]
    for question in json.loads(line.partition(": ")[2]):
        for options in ((), ("--words-only",)):
            case.ask(question, *options)


@also("STORE-04")
def cjk_words_are_found_without_vectors(case: Case) -> None:
    for wanted in case.entry["states"][0]["expect"]["find"]:
        check_found(case, wanted, "--words-only")


@also("STORE-09")
def nothing_indexed_is_a_plain_answer(case: Case) -> None:
    for count in ("0", "-5"):
        assert "is not in the range x>=1" in case.run("search", "-n", count, "any", codes=(2,))
    assert case.run("search", "-n", "1000000000", "anything")
    full = case.home
    case.home = case.folder / "unused"
    assert "scrubjay index" in case.run("search", "anything", codes=(2,))
    case.sync(root=case.root / "empty")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(case.entry, "root", f"{case.entry['root']}/empty")
        assert case.ask("anything") == []
    case.home = full


@also("PATH-01")
@also("PATH-03")
def odd_names_can_be_filtered(case: Case) -> None:
    for wanted in case.entry["states"][0]["expect"]["find"]:
        paths = places_of(case, wanted["query"], "--path", escaped(wanted["path"]))
        assert paths == [wanted["path"]]


@also("PATH-05")
def path_beyond_the_limit_is_reported(case: Case) -> None:
    assert places_of(case, "zememezunigex") or "path too long" in json.dumps(case.summary)
