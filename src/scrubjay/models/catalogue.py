"""Which models are there, and which one do the settings ask for? Loads nothing until asked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scrubjay.errors import ModelError
from scrubjay.models import builtin

if TYPE_CHECKING:
    from scrubjay.ports import Embedder
    from scrubjay.settings import EmbedSettings
    from scrubjay.types import Space

NO_MODEL = "none"
"""The value of `embed.model` that indexes words only."""


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model that needs no download: `limits` says in one line what it cannot do."""

    name: str
    kind: str
    dimension: int
    size_bytes: int
    licence: str
    limits: str


def load_embedder(settings: EmbedSettings) -> Embedder | None:
    """Open the embedder the settings name; None where they ask for words only.

    Raises ModelError for a name nobody knows, or files that are missing or damaged.
    """
    if settings.model == NO_MODEL:
        return None
    _require_known(settings.model)
    return builtin.load_static(settings, settings.model)


def space_of(settings: EmbedSettings) -> Space | None:
    """Tell the space of the embedder the settings name without loading it; None for words only.

    Raises ModelError like `load_embedder`.
    """
    if settings.model == NO_MODEL:
        return None
    _require_known(settings.model)
    return builtin.static_space(settings, settings.model)


def _require_known(name: str) -> None:
    known = [folder.name for folder in _folders()]
    if name not in known:
        names = ", ".join([*known, NO_MODEL])
        raise ModelError(f"no model is called {name!r}", hint=f"known models: {names}")


def installed_models() -> tuple[InstalledModel, ...]:
    """Describe the models that come with the package, by name."""
    return tuple(_describe(folder) for folder in _folders())


def check_model(name: str) -> tuple[str, ...]:
    """Compare a shipped model's files with their hashes; returns what is wrong, one line each."""
    folder = builtin.data_folder(name)
    try:
        expected = json.loads((folder / "MODEL.json").read_text("utf-8"))["files"]
    except (OSError, ValueError, KeyError) as error:
        return (f"{name}: MODEL.json: {error}",)
    return tuple(
        f"{name}: {file} is missing or damaged"
        for file, digest in expected.items()
        if not (folder / file).is_file()
        or hashlib.sha256((folder / file).read_bytes()).hexdigest() != digest
    )


def _folders() -> Iterator[Path]:
    yield from sorted(file.parent for file in builtin.data_folder("").glob("*/MODEL.json"))


def _describe(folder: Path) -> InstalledModel:
    facts = json.loads((folder / "MODEL.json").read_text("utf-8"))
    return InstalledModel(
        name=folder.name,
        kind=facts["kind"],
        dimension=facts["dimension"],
        size_bytes=sum(file.stat().st_size for file in folder.iterdir() if file.is_file()),
        licence=facts["licence"],
        limits=facts["limits"],
    )
