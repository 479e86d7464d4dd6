"""A folder with one file of each fate, and the command line to put questions to it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from scrubjay.cli import main


@dataclass(frozen=True, slots=True)
class Said:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


Ask = Callable[..., Said]


@pytest.fixture
def ask() -> Ask:
    def invoke(*words: str, **environment: str) -> Said:
        names = ("NO_COLOR", "FORCE_COLOR", "TERM")
        env = {**dict.fromkeys(names), **environment}
        done = CliRunner().invoke(main, words, env=env)
        return Said(done.exit_code, done.stdout, done.stderr)

    return invoke


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a folder that is not indexed yet, with a home for indexes of its own."""
    monkeypatch.setenv("SCRUBJAY_HOME", str(tmp_path / "home"))
    folder = tmp_path / "tree"
    folder.mkdir()
    fill(folder)
    monkeypatch.chdir(folder)
    return folder


def fill(folder: Path) -> None:
    (folder / "uploads.py").write_text(
        'import os\n\n\ndef validate_upload(file):\n    """Check what a user sends."""\n'
        "    return os.path.getsize(file) < 100\n"
    )
    (folder / "notes.md").write_text("# Storage\n\nPictures are kept in a bucket.\n")
    (folder / "empty.py").write_text("")
    (folder / "photo.png").write_bytes(b"\x89PNG\0\0")
    (folder / ".gitignore").write_text("*.log\n")
    (folder / ".git").mkdir()
    (folder / "debug.log").write_text("validate\n")


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Index such a folder once for a whole module of tests that change nothing; stands in it."""
    folder = tmp_path_factory.mktemp("tree")
    fill(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCRUBJAY_HOME", str(tmp_path_factory.mktemp("home")))
        patch.chdir(folder)
        done = CliRunner().invoke(main, ["index"])
        assert done.exit_code == 0, done.output
        yield folder


def raw_name(folder: Path) -> Path | None:
    """Make a file whose name is no UTF-8; None where the file system takes none."""
    name = os.fsencode(folder) + b"/caf\xe9.py"
    try:
        with open(name, "wb") as file:
            file.write(b"def brew_coffee():\n    return 1\n")
    except OSError:
        return None
    return Path(os.fsdecode(name))
