"""Which models are there, and which one do the settings ask for? Loads nothing until asked.

A model is a folder with a MODEL.json: inside the package (shipped), or below `models` in the data
home (pulled from the hub). A shipped model wins over a pulled one of its name.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrubjay.errors import ModelError
from scrubjay.models import builtin
from scrubjay.settings import data_home

if TYPE_CHECKING:
    from scrubjay.ports import Embedder, Reranker
    from scrubjay.sections import EmbedSettings, RerankSettings
    from scrubjay.types import Space

NO_MODEL = "none"
"""The value of `embed.model` that indexes words only, and of `rerank.model` that reads nothing."""
ENDPOINT = "http"
"""The value of `rerank.model` that asks the server at `rerank.url`."""
EMBEDDER, RERANKER = "embedder", "reranker"
FACTS_NAME = "MODEL.json"
GRAPH_NAME = "model.onnx"


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model that needs no download: `limits` says in one line what it cannot do.

    `uses` says whether it can be `embed.model`, `rerank.model` or both; `dimension` is 0 for one
    that makes no vectors.
    """

    name: str
    kind: str
    uses: tuple[str, ...]
    dimension: int
    size_bytes: int
    licence: str
    limits: str
    is_shipped: bool


def load_embedder(settings: EmbedSettings) -> Embedder | None:
    """Open the embedder the settings name; None where they ask for words only.

    Raises ModelError for a name nobody knows, or files that are missing or damaged.
    """
    if settings.model == NO_MODEL:
        return None
    folder = _require(settings.model, EMBEDDER)
    if not (folder / GRAPH_NAME).is_file():
        return builtin.load_static(settings, settings.model)
    from scrubjay.models.transformer import load_transformer

    return load_transformer(settings, folder)


def space_of(settings: EmbedSettings) -> Space | None:
    """Tell the space of the embedder the settings name without loading it; None for words only.

    Raises ModelError like `load_embedder`.
    """
    if settings.model == NO_MODEL:
        return None
    folder = _require(settings.model, EMBEDDER)
    if not (folder / GRAPH_NAME).is_file():
        return builtin.static_space(settings, settings.model)
    from scrubjay.models.transformer import transformer_space

    return transformer_space(settings, folder)


def load_reranker(settings: RerankSettings) -> Reranker | None:
    """Open the reranker the settings name: a model, a folder with a cross-encoder, or an endpoint.

    None where they ask for none. Raises ModelError for a name nobody knows, files that are missing
    or damaged, or an endpoint that cannot be right; asks no server yet.
    """
    if settings.model == NO_MODEL:
        return None
    if settings.model == ENDPOINT:
        from scrubjay.models.rerank_http import open_endpoint

        return open_endpoint(settings)
    if folder := _own_folder(settings.model):
        from scrubjay.models.cross_encoder import load_cross_encoder

        return load_cross_encoder(settings, folder)
    folder = _require(settings.model, RERANKER)
    if EMBEDDER in _uses(_facts(folder)):
        from scrubjay.models.late_interaction import load_late_interaction

        return load_late_interaction(settings, folder)
    from scrubjay.models.cross_encoder import load_cross_encoder

    return load_cross_encoder(settings, folder)


def pulled_home() -> Path:
    """Locate the folder of pulled models; it may not exist."""
    return data_home() / "models"


def model_folder(name: str) -> Path | None:
    """Locate an installed model; None if there is none of this name."""
    return _folders().get(name)


def model_names() -> tuple[str, ...]:
    """Name the installed models, damaged ones too."""
    return tuple(_folders())


def installed_models() -> tuple[InstalledModel, ...]:
    """Describe the installed models, shipped ones first; `check_model` tells of damaged ones."""
    described = []
    for folder in _folders().values():
        try:
            described.append(_describe(folder))
        except ModelError:
            continue
    return tuple(described)


def check_model(name: str) -> tuple[str, ...]:
    """Compare a model's files with their hashes; returns what is wrong, one line each."""
    folder = model_folder(name) or builtin.data_folder(name)
    try:
        expected = dict(_facts(folder)["files"])
    except (ModelError, KeyError, TypeError, ValueError) as error:
        return (f"{name}: {FACTS_NAME}: {error}",)
    return tuple(
        f"{name}: {file} is missing or damaged"
        for file, digest in expected.items()
        if not (folder / file).is_file() or _sha256(folder / file) != digest
    )


def is_shipped(folder: Path) -> bool:
    """Say whether a model's folder is part of the package."""
    return folder.parent == builtin.data_folder("")


def _folders() -> dict[str, Path]:
    """Find the models by name, shipped ones first; hidden folders are pulls under way."""
    found: dict[str, Path] = {}
    for home in (builtin.data_folder(""), pulled_home()):
        for folder in sorted(file.parent for file in home.glob(f"*/{FACTS_NAME}")):
            if not folder.name.startswith("."):
                found.setdefault(folder.name, folder)
    return found


def _own_folder(model: str) -> Path | None:
    """Read a setting as the path of a folder, if it looks like one; it must be there."""
    path = Path(model).expanduser()
    if not path.is_absolute() and "/" not in model and os.sep not in model:
        return None
    if not path.is_dir():
        raise ModelError(f"there is no folder {path}", hint="rerank.model names it")
    return path


def _require(name: str, use: str) -> Path:
    folder = _folders().get(name)
    if folder is not None and use in _uses(_facts(folder)):
        return folder
    fitting = [model.name for model in installed_models() if use in model.uses]
    endpoint = [ENDPOINT] if use == RERANKER else []
    known = f"known models: {', '.join([*fitting, *endpoint, NO_MODEL])}"
    if folder is not None:
        raise ModelError(f"{name} is no {use}", hint=known)
    from scrubjay.models.hub import hub_model

    if hub_model(name) is not None:
        raise ModelError(
            f"{name} is not here yet", hint=f"`scrubjay models pull {name}` fetches it"
        )
    raise ModelError(f"no model is called {name!r}", hint=known)


def _facts(folder: Path) -> dict[str, Any]:
    """Read what a model's folder says of itself; raises ModelError where it says nothing."""
    try:
        facts = json.loads((folder / FACTS_NAME).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"{folder.name}: {error}", hint=_mend(folder)) from error
    if not isinstance(facts, dict):
        raise ModelError(f"{folder.name}: {FACTS_NAME} says nothing", hint=_mend(folder))
    return facts


def _mend(folder: Path) -> str:
    if is_shipped(folder):
        return "reinstall scrubjay"
    return f"`scrubjay models pull {folder.name}` fetches it anew"


def _uses(facts: dict[str, Any]) -> tuple[str, ...]:
    return tuple(facts.get("uses") or (facts.get("kind", ""),))


def _describe(folder: Path) -> InstalledModel:
    facts = _facts(folder)
    try:
        return InstalledModel(
            name=folder.name,
            kind=str(facts["kind"]),
            uses=_uses(facts),
            dimension=int(facts["dimension"]),
            size_bytes=sum(file.stat().st_size for file in _files_below(folder)),
            licence=str(facts["licence"]),
            limits=str(facts["limits"]),
            is_shipped=is_shipped(folder),
        )
    except (KeyError, TypeError, ValueError, OSError) as error:
        raise ModelError(f"{folder.name}: {FACTS_NAME}: {error}", hint=_mend(folder)) from error


def _files_below(folder: Path) -> Iterator[Path]:
    return (file for file in folder.iterdir() if file.is_file())


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
