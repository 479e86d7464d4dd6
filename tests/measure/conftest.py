from __future__ import annotations

from collections.abc import Iterator

import pytest
from histories import ISOLATED
from tests.stored import Shelf, opened


@pytest.fixture(autouse=True)
def _own_git_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ISOLATED.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    with opened(tmp_path_factory.mktemp("index")) as shelf:
        yield shelf
