"""Whole runs over small trees: what is embedded, kept, forgotten and said."""

import os
import sys
from pathlib import Path

import pytest
from tests.index.conftest import Bench

from scrubjay.errors import IndexBusy, MassRemoval, RootError, RootOffline, UsageError
from scrubjay.events import WorkAdvanced
from scrubjay.index import engine
from scrubjay.store.lock import writer_lock
from scrubjay.types import FileState

pytestmark = pytest.mark.slow

FUNCTION = 'def {name}(value):\n    """Return the {name} of value."""\n    return value\n'


def fill(bench: Bench, count: int) -> None:
    for i in range(count):
        bench.write(f"src/m{i}.py", FUNCTION.format(name=f"quantity{chr(97 + i % 26)}{i}"))


def test_run_indexes_and_second_run_is_up_to_date(bench: Bench):
    bench.write("a.py", FUNCTION.format(name="wobbegong"))
    bench.write("docs/readme.md", "# Quokka\n\nAll about the quokka.\n")
    first = bench.index()
    assert (first.indexed, first.failed, first.complete) == (2, 0, True)
    assert first.embedded > 0
    second = bench.index()
    assert (second.indexed, second.embedded, second.unchanged) == (0, 0, 2)
    assert bench.found("wobbegong") == ["a.py"]
    assert bench.found("quokka") == ["docs/readme.md"]


def test_touch_embeds_nothing_and_restamps(bench: Bench):
    fill(bench, 3)
    bench.index()
    for file in bench.tree.rglob("*.py"):
        os.utime(file, (1_600_000_000, 1_600_000_000))
    touched = bench.index()
    assert (touched.restamped, touched.indexed, touched.embedded) == (3, 0, 0)
    again = bench.index()  # a stamp made within a clock tick of the touch is looked at once more
    assert (again.unchanged + again.restamped, again.indexed, again.embedded) == (3, 0, 0)


def test_rename_and_copy_embed_nothing(bench: Bench):
    fill(bench, 2)
    bench.index()
    (bench.tree / "src").rename(bench.tree / "lib")
    moved = bench.index(force=True)
    assert (moved.removed, moved.indexed, moved.embedded) == (2, 2, 0)
    bench.write("copy.py", (bench.tree / "lib/m0.py").read_bytes())
    copied = bench.index()
    assert (copied.indexed, copied.embedded) == (1, 0)
    assert sorted(bench.found("quantitya0")) == ["copy.py", "lib/m0.py"]


def test_one_of_two_twins_can_go(bench: Bench):
    text = FUNCTION.format(name="numbat")
    bench.write("a.py", text)
    bench.write("b.py", text)
    bench.index()
    (bench.tree / "a.py").unlink()
    assert bench.index().embedded == 0
    assert bench.found("numbat") == ["b.py"]
    assert bench.found("numbat", words_only=False) == ["b.py"]


def test_edit_embeds_only_what_is_new(bench: Bench):
    functions = [FUNCTION.format(name=f"part{i}") + "    # filler\n" * 60 for i in range(6)]
    bench.write("a.py", "\n\n".join(functions))
    whole = bench.index().embedded
    functions[3] = functions[3].replace("value", "thing")
    bench.write("a.py", "\n\n".join(functions))
    edited = bench.index()
    assert 0 < edited.embedded < whole / 2
    assert edited.reused > 0


def test_insert_on_top_renews_lines(bench: Bench):
    bench.write("a.py", FUNCTION.format(name="bilby"))
    bench.index()
    bench.write("a.py", "\n\n\n" + FUNCTION.format(name="bilby"))
    bench.index()
    (hit,) = bench.workspace().search("bilby", words_only=True).hits
    assert hit.span.first_line <= 4 <= hit.span.last_line
    assert hit.stale is None


def test_deleted_file_and_folder_disappear(bench: Bench):
    fill(bench, 4)
    bench.write("keep.py", FUNCTION.format(name="keeper"))
    bench.index()
    for file in (bench.tree / "src").iterdir():
        file.unlink()
    (bench.tree / "src").rmdir()
    assert bench.index(force=True).removed == 4
    assert bench.found("quantitya0") == []
    assert bench.found("keeper") == ["keep.py"]


def test_shrunk_file_loses_its_words(bench: Bench):
    bench.write("a.md", "alpha\n\n" * 400 + "thylacine\n")
    bench.index()
    bench.write("a.md", "alpha\n")
    bench.index()
    assert bench.found("thylacine") == []


def test_file_that_becomes_binary_loses_its_chunks(bench: Bench):
    bench.write("a.py", FUNCTION.format(name="dunnart"))
    bench.index()
    bench.write("a.py", b"\x00" * 400)
    summary = bench.index()
    assert summary.reasons["binary"] == 1
    assert bench.found("dunnart") == []
    assert bench.index().indexed == 0


def test_changed_chunk_setting_recuts_without_embedding_the_same_text(bench: Bench):
    bench.write("a.py", FUNCTION.format(name="potoroo"))
    bench.index()
    bench.overrides["chunk.max_chars"] = 900
    again = bench.index()
    assert (again.indexed, again.embedded) == (1, 0)


def test_words_only_index_needs_no_model(bench: Bench):
    bench.overrides["embed.model"] = "none"
    bench.write("a.py", FUNCTION.format(name="bettong"))
    assert bench.index().embedded == 0
    report = bench.workspace().search("bettong")
    assert [hit.path for hit in report.hits] == ["a.py"]
    bench.overrides["embed.model"] = "static-256"
    assert bench.index().embedded > 0


def test_switching_the_model_back_embeds_nothing(bench: Bench):
    bench.write("a.py", FUNCTION.format(name="bandicoot"))
    bench.index()
    bench.overrides["embed.window_chars"] = 300
    assert bench.index().embedded > 0
    bench.overrides["embed.window_chars"] = 600
    assert bench.index().indexed == 1


def test_ignored_by_new_rule_disappears(bench: Bench):
    fill(bench, 2)
    bench.index()
    bench.write(".gitignore", "src/m0.py\n")
    assert bench.index().removed == 1
    assert bench.found("quantitya0") == []


def test_empty_root_is_offline_and_keeps_its_index(bench: Bench):
    fill(bench, 2)
    bench.index()
    hidden = bench.tree.with_name("elsewhere")
    bench.tree.rename(hidden)
    bench.tree.mkdir()
    with pytest.raises(RootOffline):
        bench.index()
    assert bench.found("quantitya0") == ["src/m0.py"]
    bench.tree.rmdir()
    with pytest.raises(RootOffline):
        bench.workspace().index()
    hidden.rename(bench.tree)
    assert bench.index().embedded == 0


def test_emptied_root_is_believed_with_force(bench: Bench):
    fill(bench, 2)
    bench.index()
    for i in range(2):
        (bench.tree / f"src/m{i}.py").unlink()
    (bench.tree / "src").rmdir()
    with pytest.raises(RootOffline):
        bench.index()
    assert bench.index(force=True).removed == 2
    bench.tree.rmdir()
    with pytest.raises(RootOffline):
        bench.workspace().index(force=True)


def test_mass_removal_asks_first(bench: Bench):
    bench.overrides["index.removal_guard_files"] = 5
    fill(bench, 6)
    bench.write("keep.py", "keep = 1\n")
    bench.index()
    for i in range(6):
        (bench.tree / f"src/m{i}.py").unlink()
    with pytest.raises(MassRemoval):
        bench.index()
    assert bench.found("quantitya0") == ["src/m0.py"]
    assert bench.index(force=True).removed == 6


def test_failed_file_costs_itself_only(bench: Bench, monkeypatch: pytest.MonkeyPatch):
    bench.write("bad.py", FUNCTION.format(name="badfile"))
    bench.write("good.py", FUNCTION.format(name="goodfile"))
    crash_in_workers(bench, monkeypatch)
    bench.overrides |= {"index.max_attempts": 2, "index.retry_delay_s": 0}
    summary = bench.index()
    assert (summary.indexed, summary.failed) == (1, 1)
    ((path, why),) = summary.failures
    assert path == "bad.py"
    assert "died" in why
    assert bench.index().failed == 1
    (report,) = bench.workspace().failures()
    assert (report.state, report.attempts) == (FileState.FAILED, 2)
    assert bench.index().failed == 0
    assert bench.workspace().retry() == 1
    assert bench.index().failed == 1


def crash_in_workers(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make worker processes, and only them, die on a file called bad.py."""
    hook = bench.folder.parent / "hook"
    hook.mkdir()
    (hook / "scrubjay_crash.py").write_text(
        "import os, scrubjay.index.child as child\n"
        "honest = child.prepare\n"
        "def prepare(task, settings):\n"
        "    if task.path == b'bad.py':\n"
        "        os._exit(9)\n"
        "    return honest(task, settings)\n"
        "child.prepare = prepare\n"
    )
    boot = engine._BOOT.replace("from", "import scrubjay_crash; from", 1)
    monkeypatch.setattr(engine, "_BOOT", boot)
    monkeypatch.syspath_prepend(str(hook))


def test_late_file_is_stopped(bench: Bench, monkeypatch: pytest.MonkeyPatch):
    bench.write("bad.py", FUNCTION.format(name="badfile"))
    bench.write("good.py", FUNCTION.format(name="goodfile"))
    crash_in_workers(bench, monkeypatch)
    hook = bench.folder.parent / "hook/scrubjay_crash.py"
    hook.write_text(hook.read_text().replace("os._exit(9)", "import time; time.sleep(600)"))
    bench.overrides["index.file_deadline_s"] = 1.0
    summary = bench.index()
    assert (summary.indexed, summary.failed) == (1, 1)
    assert "took longer than 1 s" in summary.failures[0][1]


def test_cancel_keeps_what_is_finished_and_goes_on_later(bench: Bench):
    fill(bench, 40)
    bench.overrides |= {"index.batch_files": 4}
    asked = iter(range(10_000))
    summary = bench.index(is_cancelled=lambda: next(asked) > 20)
    assert summary.cancelled
    assert not summary.complete
    assert 0 < summary.indexed < 40
    assert bench.workspace().status().roots[0].last_complete_at is None
    rest = bench.index()
    assert rest.indexed == 40 - summary.indexed
    assert bench.workspace().status().roots[0].last_complete_at is not None


def test_second_writer_is_refused_by_name(bench: Bench):
    bench.write("a.py", "a = 1\n")
    bench.index()
    with writer_lock(bench.folder, "some other work"), pytest.raises(IndexBusy, match="other work"):
        bench.workspace().index()
    assert bench.found("a") == ["a.py"]


def test_overlapping_roots_are_refused(bench: Bench):
    bench.write("sub/a.py", "a = 1\n")
    bench.index()
    with pytest.raises(RootError, match="overlaps"):
        bench.workspace().index([bench.tree / "sub"])


def test_missing_root_is_refused(bench: Bench):
    with pytest.raises(RootError, match="does not exist"):
        bench.workspace().index([bench.tree / "nowhere"])
    with pytest.raises(UsageError, match="nothing to index"):
        bench.workspace().index()


def test_two_roots_share_a_workspace(bench: Bench, tmp_path: Path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.py").write_text(FUNCTION.format(name="kowari"))
    bench.write("a.py", FUNCTION.format(name="mulgara"))
    summary = bench.workspace().index([bench.tree, other])
    assert len(summary.roots) == 2
    assert {hit.root for hit in bench.workspace().search("kowari mulgara").hits} == {
        str(bench.tree),
        str(other),
    }


def test_modules_of_the_indexed_folder_never_run(bench: Bench, monkeypatch: pytest.MonkeyPatch):
    for name in ("chardet", "msgspec", "tree_sitter", "json", "scrubjay"):
        bench.write(f"{name}.py", "open('ran', 'w').write('ran')\nraise SystemExit(3)\n")
    monkeypatch.chdir(bench.tree)
    assert bench.index().indexed == 5
    assert not (bench.tree / "ran").exists()


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names there are Unicode")
def test_names_that_are_no_unicode_are_indexed(bench: Bench):
    file = os.path.join(os.fsencode(bench.tree), b"caf\xe9.py")
    with open(file, "w") as opened:
        opened.write(FUNCTION.format(name="antechinus"))
    assert bench.index().indexed == 1
    assert bench.found("antechinus") == ["caf\\xe9.py"]


def test_unreadable_folder_keeps_what_was_known(bench: Bench):
    if os.name == "nt" or os.geteuid() == 0:
        pytest.skip("this user can read everything")
    fill(bench, 2)
    bench.index()
    (bench.tree / "src").chmod(0)
    try:
        summary = bench.index()
    finally:
        (bench.tree / "src").chmod(0o755)
    assert summary.removed == 0
    assert "src" in summary.notes[0]


def test_words_only_language_gets_no_vectors_and_is_found(bench: Bench):
    bench.write("locale/de.po", 'msgid "basket"\nmsgstr "Warenkorb"\n' * 20)
    bench.write("shop.py", FUNCTION.format(name="basket"))
    summary = bench.index()
    assert (summary.indexed, summary.embedded) == (2, 1)
    assert bench.found("Warenkorb", words_only=False)[0] == "locale/de.po"
    status = bench.workspace().status()
    assert status.files.with_vectors == status.files.searchable == 2
    bench.overrides["embed.words_only_languages"] = ()
    assert bench.index().embedded > 0


def test_indexing_one_root_leaves_the_others_waiting(bench: Bench, tmp_path: Path):
    other = tmp_path / "other"
    other.mkdir()
    fill(bench, 3)
    asked = iter(range(10))
    bench.workspace().index([other, bench.tree], is_cancelled=lambda: next(asked) > 3)
    (other / "b.py").write_text(FUNCTION.format(name="kowari"))
    totals: list[int] = []

    def tell(event: object) -> None:
        if isinstance(event, WorkAdvanced):
            totals.append(event.total)

    summary = bench.workspace().index([other], tell=tell)
    assert summary.indexed == 1
    assert set(totals) == {1}
