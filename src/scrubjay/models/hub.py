"""Which models can be fetched from the public hub, and how does one get here, whole?

A model is pinned by commit, and each of its files by size and SHA-256, so what a mirror or a
proxy sends is either the right file or refused. A pull goes on where an earlier one stopped. Its
files gather in a hidden folder and become visible by one rename: a model is there, or it is not.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from scrubjay.errors import ModelError
from scrubjay.models.http import HttpClient, Part
from scrubjay.models.web import check_url

HUB = "https://huggingface.co"
FACTS_NAME = "MODEL.json"
_SPARE_BYTES = 50_000_000
"""Room that a pull leaves on the disk."""


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file of a model: its name here, its path in the repository, and what it must be."""

    name: str
    path: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Reading:
    """How a model reads: its longest input, and for an embedder what makes one vector of it."""

    max_tokens: int
    pooling: str = ""
    query_prefix: str = ""
    text_prefix: str = ""


@dataclass(frozen=True, slots=True)
class HubModel:
    """A model of the hub at one commit; `dimension` is 0 for one that makes no vectors."""

    name: str
    kind: str
    repository: str
    revision: str
    licence: str
    limits: str
    files: tuple[HubFile, ...]
    reading: Reading
    dimension: int = 0

    @property
    def size_bytes(self) -> int:
        """Add up the files."""
        return sum(file.size_bytes for file in self.files)


def _files(graph: tuple[int, str], tokenizer: tuple[int, str]) -> tuple[HubFile, ...]:
    return (
        HubFile("model.onnx", "onnx/model_quantized.onnx", *graph),
        HubFile("tokenizer.json", "tokenizer.json", *tokenizer),
    )


# No single place was believed for a size or a hash: each stands, for this repository, in the source
# of at least two public projects of different authors that pin it. They were not read off the hub
# itself; anyone online can compare them with its page of the file.
_BERT_UNCASED = (711_396, "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66")

HUB_MODELS = (
    HubModel(
        name="bge-small-en-v1.5",
        kind="embedder",
        repository="Xenova/bge-small-en-v1.5",
        revision="ea104dacec62c0de699686887e3f920caeb4f3e3",
        licence="MIT",
        limits="English; a text's first 512 tokens",
        files=_files(
            (34_014_426, "6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4"),
            _BERT_UNCASED,
        ),
        dimension=384,
        reading=Reading(
            512, "cls", "Represent this sentence for searching relevant passages: ", ""
        ),
    ),
    HubModel(
        name="multilingual-e5-small",
        kind="embedder",
        repository="Xenova/multilingual-e5-small",
        revision="761b726dd34fb83930e26aab4e9ac3899aa1fa78",
        licence="MIT",
        limits="about 100 languages; a text's first 512 tokens; slower than minilm-384",
        files=_files(
            (118_308_185, "f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193"),
            (17_082_730, "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39"),
        ),
        dimension=384,
        reading=Reading(512, "mean", "query: ", "passage: "),
    ),
    HubModel(
        name="ms-marco-minilm-l6",
        kind="reranker",
        repository="Xenova/ms-marco-MiniLM-L-6-v2",
        revision="a09144355adeed5f58c8ed011d209bf8ee5a1fec",
        licence="Apache-2.0",
        limits="English prose; question and text together up to 512 tokens",
        files=_files(
            (23_143_499, "e9d8ebf845c413e981c175bfe49a3bfa9b3dcce2a3ba54875ee5df5a58639fbe"),
            _BERT_UNCASED,
        ),
        reading=Reading(512),
    ),
    HubModel(
        name="mxbai-rerank-xsmall",
        kind="reranker",
        repository="mixedbread-ai/mxbai-rerank-xsmall-v1",
        revision="b5c6e9da73abc3711f593f705371cdbe9e0fe422",
        licence="Apache-2.0",
        limits="English; question and text together up to 512 tokens",
        files=_files(
            (87_245_802, "15ef19a6de90be7d52b627f2c784107bd806e64826450f41fb75fa4f0179ab30"),
            (8_649_139, "305674b4d785287feecfb5f73f24aa75e9b57c87c579cfe24fbd207987d4b4c4"),
        ),
        reading=Reading(512),
    ),
)
"""The models that `pull` knows, by name."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a pull has come: the file in hand, and bytes of the whole model."""

    file: str
    done_bytes: int
    total_bytes: int


@dataclass(frozen=True, slots=True)
class Hub:
    """Where models are fetched from."""

    address: str = HUB
    client: HttpClient | None = None

    def url_of(self, model: HubModel, file: HubFile) -> str:
        """Spell the address of a file at the model's commit."""
        return f"{self.address.rstrip('/')}/{model.repository}/resolve/{model.revision}/{file.path}"


def hub_model(name: str) -> HubModel | None:
    """Find a model of the table; None if it has none of this name."""
    return next((model for model in HUB_MODELS if model.name == name), None)


def pull(model: HubModel, home: Path, hub: Hub, tell: Callable[[Progress], None]) -> Path:
    """Fetch a model into `home`/name and return that folder; what is there already is replaced.

    The caller sees to it that nobody else pulls into `home`. Raises ModelError for a refusal, a
    wrong file or a full disk, Transient when the network fails: the next pull goes on.
    """
    check_url(hub.address)
    staging = home / f".{model.name}.part"
    client = hub.client or HttpClient()
    try:
        staging.mkdir(parents=True, exist_ok=True)
        _require_room(model, staging)
        begun = 0
        for file in model.files:
            _fetch(model, file, staging, _Fetch(hub, client, tell, begun))
            begun += file.size_bytes
        _write_flushed(staging / FACTS_NAME, _facts(model, hub))
        return _install(staging, home / model.name)
    except OSError as error:
        raise _disk_error(model, error) from error
    finally:
        if hub.client is None:
            client.close()


def remove(name: str, home: Path) -> bool:
    """Delete a pulled model and what an unfinished pull left; says whether there was any."""
    folder, staging, doomed = home / name, home / f".{name}.part", home / f".{name}.old"
    try:
        there = folder.exists() or staging.exists()
        shutil.rmtree(doomed, ignore_errors=True)
        if folder.exists():
            folder.replace(doomed)  # gone for everyone at once, however long deleting takes
            shutil.rmtree(doomed)
        if staging.exists():
            shutil.rmtree(staging)
    except OSError as error:
        raise ModelError(f"{name} cannot be removed: {error}", hint="is it in use?") from error
    return there


@dataclass(frozen=True, slots=True)
class _Fetch:
    """What all files of one pull have in common; `begun` counts the bytes of those before."""

    hub: Hub
    client: HttpClient
    tell: Callable[[Progress], None]
    begun: int


def _fetch(model: HubModel, file: HubFile, staging: Path, fetch: _Fetch) -> None:
    """Get one file into the staging folder under its own name, or raise."""
    target, growing = staging / file.name, staging / f"{file.name}.part"

    def tell(held: int) -> None:
        fetch.tell(Progress(file.name, fetch.begun + held, model.size_bytes))

    if target.exists() and _sha256(target) == file.sha256:
        tell(file.size_bytes)
        return
    part = Part(growing, file.size_bytes)
    if part.held_bytes > file.size_bytes:
        part.restart()
    tell(part.held_bytes)
    url = fetch.hub.url_of(model, file)
    try:
        if part.held_bytes < file.size_bytes:
            fetch.client.download(url, part, tell)
        if _sha256(growing) != file.sha256:
            raise ModelError(f"{file.name} from {url} is not the file that was expected")
    except ModelError as error:
        growing.unlink(missing_ok=True)
        hint = error.hint or f"it was deleted; {model.repository} or a proxy may have changed it"
        raise ModelError(f"{model.name}: {error.message}", hint=hint) from error
    _flush(growing)
    growing.replace(target)


def _require_room(model: HubModel, staging: Path) -> None:
    held = sum(file.stat().st_size for file in staging.iterdir())
    lacking = model.size_bytes - held + _SPARE_BYTES - shutil.disk_usage(staging).free
    if lacking > 0:
        raise ModelError(
            f"{model.name}: no room on the disk of {staging.parent}",
            hint=f"free {lacking / 1e6:.0f} MB, or move SCRUBJAY_HOME",
        )


def _facts(model: HubModel, hub: Hub) -> str:
    """Write down what the model is, what its files must be, and where they came from."""
    files = {file.name: file.sha256 for file in model.files}
    facts = {
        "name": model.name,
        "kind": model.kind,
        "dimension": model.dimension,
        "licence": model.licence,
        "limits": model.limits,
        **asdict(model.reading),
        "artefact": _artefact(model, files),
        "files": files,
        "source": {
            "hub": hub.address,
            "repository": model.repository,
            "revision": model.revision,
            "paths": {file.name: file.path for file in model.files},
        },
    }
    return json.dumps(facts, indent=2) + "\n"


def _artefact(model: HubModel, files: Mapping[str, str]) -> str:
    """Digest all that shapes the model's vectors or scores: files and facts."""
    shape = json.dumps([files, asdict(model.reading)], sort_keys=True)
    return hashlib.sha256(shape.encode()).hexdigest()


def _install(staging: Path, folder: Path) -> Path:
    """Give the gathered folder its name; a crash before leaves it hidden, after it is whole."""
    if folder.exists():
        doomed = folder.with_name(f".{folder.name}.old")
        shutil.rmtree(doomed, ignore_errors=True)
        folder.replace(doomed)
        staging.replace(folder)
        shutil.rmtree(doomed, ignore_errors=True)
    else:
        staging.replace(folder)
    return folder


def _disk_error(model: HubModel, error: OSError) -> ModelError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        hint = "free some room; the next pull goes on where this one stopped"
        return ModelError(f"{model.name}: the disk is full", hint=hint)
    where = f"{error.filename}: " if error.filename else ""
    return ModelError(f"{model.name}: {where}{error.strerror or error}")


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _write_flushed(file: Path, text: str) -> None:
    file.write_text(text, "utf-8")
    _flush(file)


def _flush(file: Path) -> None:
    """Push a file to the disk before its name says that it is whole."""
    with file.open("rb+") as stream:
        os.fsync(stream.fileno())
