from pathlib import Path

import pytest

from scrubjay.app import Workspace
from scrubjay.places import find_folder, folder_for


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCRUBJAY_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_folders_of_one_name_never_share(tmp_path: Path):
    for name in ("x/api", "y/api", "x/接口", "y/接口", "x/接囗"):
        (tmp_path / name).mkdir(parents=True)
    folders = {folder_for(tmp_path / n) for n in ("x/api", "y/api", "x/接口", "y/接口", "x/接囗")}
    assert len(folders) == 5
    assert all(folder.name.isascii() for folder in folders)


def test_workspace_names_never_share(home: Path):
    names = ("a", "a b", "a-b", "接口", "接囗", "..", ".", "A/b", "x" * 300, "x" * 301)
    folders = [folder_for(home, workspace=name) for name in names]
    assert len(set(folders)) == len(names)
    assert all(folder.parent == home / "workspaces" for folder in folders)


def test_link_to_a_folder_is_that_folder(tmp_path: Path):
    (tmp_path / "real").mkdir()
    try:
        (tmp_path / "link").symlink_to(tmp_path / "real")
    except OSError:
        pytest.skip("links are not allowed here")
    assert folder_for(tmp_path / "link") == folder_for(tmp_path / "real")


def test_index_is_found_from_below_its_root(tmp_path: Path):
    root = tmp_path / "app"
    (root / "a/b").mkdir(parents=True)
    assert find_folder(root / "a/b") is None
    Workspace(folder_for(root)).index([root])
    assert find_folder(root / "a/b") == folder_for(root)
    assert find_folder(tmp_path) is None


def test_named_workspace_is_found_from_its_roots_and_by_name(tmp_path: Path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    folder = folder_for(tmp_path, workspace="both")
    Workspace(folder).index([tmp_path / "one", tmp_path / "two"])
    assert find_folder(tmp_path / "two") == folder
    assert find_folder(tmp_path, workspace="both") == folder
    assert find_folder(tmp_path, workspace="neither") is None
