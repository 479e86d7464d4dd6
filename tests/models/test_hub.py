"""Pulling models from a server on this machine that plays the hub."""

from __future__ import annotations

import errno
import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from tests.models.loopback import Asked, Loopback, Reply, ranged, serving

from scrubjay.errors import ModelError, Transient
from scrubjay.models import hub as hub_module
from scrubjay.models.http import Clock, HttpClient, Part, Patience
from scrubjay.models.hub import HUB_MODELS, Hub, HubFile, HubModel, Progress, Reading, pull, remove

GRAPH = b"graph" * 50_000
TOKENS = b'{"tokens": []}'
REVISION = "c0ffee" * 6 + "c0ff"
FOLDER = f"/owner/tiny/resolve/{REVISION}"


def file_of(name: str, path: str, content: bytes) -> HubFile:
    return HubFile(name, path, len(content), hashlib.sha256(content).hexdigest())


TINY = HubModel(
    name="tiny",
    kind="embedder",
    repository="owner/tiny",
    revision=REVISION,
    licence="MIT",
    limits="knows nothing",
    files=(
        file_of("model.onnx", "onnx/model_quantized.onnx", GRAPH),
        file_of("tokenizer.json", "tokenizer.json", TOKENS),
    ),
    dimension=8,
    reading=Reading(16, "mean"),
)


class PlayedHub:
    """Redirects to a store of blobs, as the hub does with large files."""

    def __init__(self, blobs: str) -> None:
        self.blobs = blobs
        self.contents = {"onnx/model_quantized.onnx": GRAPH, "tokenizer.json": TOKENS}

    def __call__(self, asked: Asked) -> Reply:
        path = asked.path.removeprefix(f"{FOLDER}/")
        if path not in self.contents:
            return Reply(404, b'{"error": "Entry not found"}')
        if path.endswith(".onnx"):
            return Reply(302, b"", {"Location": f"{self.blobs}/{path}"})
        return ranged(self.contents[path], asked)


@pytest.fixture
def blobs() -> Iterator[Loopback]:
    with serving(lambda asked: ranged(GRAPH, asked)) as server:
        yield server


@pytest.fixture
def played(blobs: Loopback) -> Iterator[Loopback]:
    with serving(PlayedHub(blobs.url)) as server:
        yield server


@pytest.fixture
def hub(played: Loopback) -> Iterator[Hub]:
    clock = Clock(lambda: 0.0, lambda seconds: None)
    client = HttpClient(Patience(waits_s=(1.0,)), clock)
    yield Hub(played.url, client)
    client.close()


def ignore(progress: Progress) -> None:
    """Show nothing."""


def test_pull_installs_a_whole_model(hub, tmp_path):
    told: list[Progress] = []
    folder = pull(TINY, tmp_path, hub, told.append)
    assert folder == tmp_path / "tiny"
    assert (folder / "model.onnx").read_bytes() == GRAPH
    assert (folder / "tokenizer.json").read_bytes() == TOKENS
    assert [path.name for path in tmp_path.iterdir()] == ["tiny"]
    assert {p.total_bytes for p in told} == {len(GRAPH) + len(TOKENS)}
    done = [p.done_bytes for p in told]
    assert done == sorted(done)
    assert done[-1] == TINY.size_bytes


def test_pull_writes_down_what_the_model_is(hub, tmp_path):
    facts = json.loads((pull(TINY, tmp_path, hub, ignore) / "MODEL.json").read_text())
    assert (facts["name"], facts["kind"], facts["dimension"]) == ("tiny", "embedder", 8)
    assert (facts["pooling"], facts["max_tokens"]) == ("mean", 16)
    assert facts["files"] == {file.name: file.sha256 for file in TINY.files}
    assert facts["source"]["revision"] == REVISION
    assert re.fullmatch("[0-9a-f]{64}", facts["artefact"])


def test_artefact_changes_with_files_and_facts(hub, tmp_path):
    def artefact(model: HubModel) -> str:
        facts: dict[str, Any] = json.loads(hub_module._facts(model, hub))
        return str(facts["artefact"])

    other = replace(TINY, files=(TINY.files[0], replace(TINY.files[1], sha256="0" * 64)))
    names = {artefact(m) for m in (TINY, other, replace(TINY, reading=Reading(16, "cls")))}
    assert len(names) == 3
    assert artefact(replace(TINY, licence="other")) == artefact(TINY)


def test_pull_goes_on_where_the_last_one_stopped(hub, blobs, tmp_path):
    def break_off(asked: Asked) -> Reply:
        return Reply(503) if asked.headers.get("range") else Reply(200, GRAPH, cut=100_000)

    blobs.answer = break_off
    with pytest.raises(Transient):
        pull(TINY, tmp_path, hub, ignore)
    assert not (tmp_path / "tiny").exists()
    blobs.asked.clear()
    blobs.answer = lambda asked: ranged(GRAPH, asked)
    told: list[Progress] = []
    pull(TINY, tmp_path, hub, told.append)
    assert blobs.asked[0].headers["range"] == "bytes=100000-"
    assert told[0].done_bytes == 100_000


def test_interrupted_pull_keeps_what_came(hub, blobs, tmp_path):
    def stop(progress: Progress) -> None:
        if progress.done_bytes >= 65_536:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pull(TINY, tmp_path, hub, stop)
    assert not (tmp_path / "tiny").exists()
    blobs.asked.clear()
    pull(TINY, tmp_path, hub, ignore)
    assert blobs.asked[0].headers["range"].startswith("bytes=")


def test_finished_files_are_not_fetched_again(hub, played, blobs, tmp_path):
    working = played.answer
    played.answer = lambda asked: Reply(404) if "tokenizer" in asked.path else working(asked)
    with pytest.raises(ModelError):
        pull(TINY, tmp_path, hub, ignore)
    blobs.asked.clear()
    played.answer = working
    pull(TINY, tmp_path, hub, ignore)
    assert blobs.asked == []


def test_wrong_file_is_deleted_and_named(hub, blobs, tmp_path):
    forged = b"forge" * 50_000
    blobs.answer = lambda asked: ranged(forged, asked)
    with pytest.raises(ModelError, match=r"tiny: model\.onnx .* is not the file") as caught:
        pull(TINY, tmp_path, hub, ignore)
    assert "deleted" in caught.value.hint
    assert list((tmp_path / ".tiny.part").iterdir()) == []
    blobs.answer = lambda asked: ranged(GRAPH, asked)
    assert pull(TINY, tmp_path, hub, ignore).is_dir()


def test_resumed_file_is_hashed_from_its_start(hub, tmp_path):
    staging = tmp_path / ".tiny.part"
    staging.mkdir()
    (staging / "model.onnx.part").write_bytes(b"other" * 1_000)
    with pytest.raises(ModelError, match="is not the file"):
        pull(TINY, tmp_path, hub, ignore)


def test_missing_file_says_what_the_hub_says(hub, played, tmp_path):
    played.answer = lambda asked: Reply(404, b'{"error": "Entry not found"}')
    with pytest.raises(ModelError, match="404: Entry not found"):
        pull(TINY, tmp_path, hub, ignore)


def test_full_disk_is_said_before_anything_is_fetched(hub, played, tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=1_000_000))
    with pytest.raises(ModelError, match="no room on the disk"):
        pull(TINY, tmp_path, hub, ignore)
    assert played.asked == []


def test_disk_that_fills_up_keeps_what_came(hub, tmp_path, monkeypatch):
    def fail(self: Part) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Part, "growing", fail)
    with pytest.raises(ModelError, match="the disk is full") as caught:
        pull(TINY, tmp_path, hub, ignore)
    assert "goes on" in caught.value.hint


def test_pull_replaces_a_damaged_model(hub, tmp_path):
    folder = pull(TINY, tmp_path, hub, ignore)
    (folder / "model.onnx").write_bytes(b"damaged")
    pull(TINY, tmp_path, hub, ignore)
    assert (folder / "model.onnx").read_bytes() == GRAPH
    assert [path.name for path in tmp_path.iterdir()] == ["tiny"]


def test_remove_deletes_the_model_and_leftovers(hub, tmp_path):
    pull(TINY, tmp_path, hub, ignore)
    (tmp_path / ".tiny.part").mkdir()
    assert remove("tiny", tmp_path) is True
    assert list(tmp_path.iterdir()) == []
    assert remove("tiny", tmp_path) is False


def test_hub_address_must_be_one(tmp_path):
    with pytest.raises(ModelError, match="is no address"):
        pull(TINY, tmp_path, Hub("huggingface.co"), ignore)


@pytest.mark.parametrize("model", HUB_MODELS, ids=lambda model: model.name)
def test_every_model_of_the_table_is_pinned(model):
    assert re.fullmatch("[0-9a-f]{40}", model.revision)
    assert re.fullmatch(r"[a-z0-9][a-z0-9.-]+", model.name)
    assert model.kind in ("embedder", "reranker")
    assert {file.name for file in model.files} == {"model.onnx", "tokenizer.json"}
    for file in model.files:
        assert re.fullmatch("[0-9a-f]{64}", file.sha256)
        assert file.size_bytes > 100_000
    assert Hub().url_of(model, model.files[0]).startswith("https://huggingface.co/")
    if model.kind == "embedder":
        assert model.reading.pooling in ("mean", "cls")


def test_names_and_hashes_of_the_table_are_distinct():
    names = [model.name for model in HUB_MODELS]
    graphs = [model.files[0].sha256 for model in HUB_MODELS]
    assert len(set(names)) == len(names)
    assert len(set(graphs)) == len(graphs)
