import os
from pathlib import Path

import pytest

from scrubjay.app import Workspace
from scrubjay.errors import MigrationAborted, StoreDamaged, StoreError
from scrubjay.places import folder_for
from scrubjay.store.catalog import FILE_NAME, Catalog
from scrubjay.store.migrations import ABORTED

pytestmark = pytest.mark.slow


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCRUBJAY_HOME", str(tmp_path / "home"))
    root = tmp_path / "tree"
    root.mkdir()
    (root / "a.py").write_text('def numbat():\n    """Count termites."""\n    return 1\n')
    (root / "b.md").write_text("# Quoll\n\nA spotted marsupial.\n")
    return root


@pytest.fixture
def workspace(tree: Path) -> Workspace:
    workspace = Workspace(folder_for(tree))
    workspace.index([tree])
    return workspace


def test_unindexed_folder_says_so(tree: Path):
    with pytest.raises(StoreError) as caught:
        Workspace(folder_for(tree)).search("x")
    assert "index" in caught.value.hint


def test_search_uses_both_legs_and_says_so(workspace: Workspace):
    report = workspace.search("numbat termites")
    assert report.hits[0].path == "a.py"
    assert {leg.value for leg in report.legs} == {"words", "vectors"}


def test_hit_that_changed_on_disk_is_marked(workspace: Workspace, tree: Path):
    (tree / "a.py").write_text("def other():\n    return 2\n")
    (hit,) = workspace.search("numbat", words_only=True).hits
    assert hit.stale == "changed on disk since it was indexed"
    assert "numbat" in hit.text
    (tree / "a.py").unlink()
    (hit,) = workspace.search("numbat", words_only=True).hits
    assert hit.stale == "no longer on disk"


def test_status_counts_add_up(workspace: Workspace):
    status = workspace.status()
    assert status.files.states == {"dirty": 0, "clean": 2, "skipped": 0, "failed": 0}
    assert status.files.searchable == status.files.with_vectors == 2
    assert status.outdated == status.doomed == 0
    assert status.owner is None
    assert status.size_bytes > 0
    (root,) = status.roots
    assert root.online
    assert root.walked["walked"] == 2


def test_changed_setting_shows_as_outdated(workspace: Workspace):
    changed = Workspace(workspace.folder, {"chunk.max_chars": 500})
    assert changed.status().outdated == 2


def test_context_packs_the_hits(workspace: Workspace):
    report, blocks = workspace.context("numbat")
    assert report.hits
    assert blocks[0].path == "a.py"
    assert "Count termites" in blocks[0].text


def test_compact_keeps_answers(workspace: Workspace):
    workspace.compact()
    assert workspace.verify() == []
    assert workspace.search("quoll").hits[0].path == "b.md"


def test_reset_keeps_roots_and_next_run_fills(workspace: Workspace):
    workspace.migrate(reset=True)
    assert workspace.status().files.searchable == 0
    assert workspace.index().indexed == 2


def test_aborted_migration_refuses_to_write_until_reset(workspace: Workspace):
    catalog = Catalog(workspace.folder / FILE_NAME)
    with catalog.writing():
        catalog.note(ABORTED, "step 2: the power failed")
    catalog.close()
    with pytest.raises(MigrationAborted, match="the power failed") as caught:
        workspace.index()
    assert "migrate --reset" in caught.value.hint
    workspace.migrate(reset=True)
    assert workspace.index().indexed == 2


def test_damaged_catalog_is_named_and_reset_heals(workspace: Workspace, tree: Path):
    file = workspace.folder / FILE_NAME
    size = file.stat().st_size
    with open(file, "r+b") as opened:
        opened.write(b"\xff" * min(size, 8192))
    with pytest.raises(StoreDamaged, match="catalog.sqlite"):
        workspace.search("numbat")
    workspace.migrate(reset=True)
    assert workspace.index([tree]).indexed == 2


def test_vectors_of_another_index_are_refused(workspace: Workspace):
    (workspace.folder / "vectors" / "index_id").write_text("somebody else's")
    with pytest.raises(StoreDamaged, match="vectors"):
        workspace.search("numbat")


def test_deleted_index_folder_is_filled_again(workspace: Workspace, tree: Path):
    import shutil

    shutil.rmtree(workspace.folder)
    assert workspace.index([tree]).indexed == 2


def test_own_data_inside_the_root_is_never_indexed(tree: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SCRUBJAY_HOME", str(tree / "data"))
    inside = Workspace(folder_for(tree))
    assert inside.index([tree]).indexed == 2
    assert inside.index([tree]).unchanged == 2
    assert os.path.isdir(tree / "data")
