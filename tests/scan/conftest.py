"""A home without git configuration, so that a developer's own global excludes change no test."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest


@pytest.fixture(autouse=True, scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        patch.setenv("USERPROFILE", str(folder))
        patch.setenv("XDG_CONFIG_HOME", str(folder / ".config"))
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        yield folder


@pytest.fixture
def grow(tmp_path: Path) -> Callable[[Mapping[str, str | bytes]], Path]:
    """Write files below a fresh root; a name ending in a slash is an empty folder."""
    root = tmp_path / "root"

    def write(files: Mapping[str, str | bytes]) -> Path:
        root.mkdir(exist_ok=True)
        for name, content in files.items():
            path = root / name
            if name.endswith("/"):
                path.mkdir(parents=True, exist_ok=True)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return root

    return write
