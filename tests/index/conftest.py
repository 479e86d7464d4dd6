"""A workspace over a temporary tree, with everything real but the place of its data."""

from collections.abc import Callable
from pathlib import Path

import pytest

from scrubjay.app import Workspace
from scrubjay.types import RunSummary


class Bench:
    """A tree, its index, and short ways to change the one and ask the other."""

    def __init__(self, base: Path) -> None:
        self.tree = base / "tree"
        self.tree.mkdir()
        self.folder = base / "index"
        self.overrides: dict[str, object] = {"index.workers": 1}

    def write(self, path: str, text: str | bytes) -> Path:
        file = self.tree / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def workspace(self) -> Workspace:
        return Workspace(self.folder, self.overrides)

    def index(self, *, is_cancelled: Callable[[], bool] = lambda: False, **options) -> RunSummary:
        workspace = self.workspace()
        summary = workspace.index([self.tree], is_cancelled=is_cancelled, **options)
        assert workspace.verify() == []
        return summary

    def found(self, question: str, *, words_only: bool = True) -> list[str]:
        return [hit.path for hit in self.workspace().search(question, words_only=words_only).hits]


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setenv("SCRUBJAY_HOME", str(tmp_path / "home"))
    return Bench(tmp_path)
