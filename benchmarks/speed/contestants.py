"""The programs that are compared: the same steps, each in its own words and its own environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from corpus import CACHE

from measure import Finished, run
from scrubjay.models.builtin import data_folder

SEMBLE = "0.7.0"
MAKE_MODEL = Path(__file__).with_name("make_peer_model.py")


@dataclass(frozen=True, slots=True)
class Contestant:
    """A program's commands: `index` brings its index up to date, with or without a question."""

    name: str
    index: tuple[str, ...]
    queries: Mapping[str, tuple[str, ...]]
    home_variable: str
    environment: Mapping[str, str]

    def update(self, tree: Path, home: Path) -> Finished:
        """Bring the index of a tree up to date."""
        return run(self.index, tree, self._surroundings(home))

    def query(self, name: str, tree: Path, home: Path) -> Finished:
        """Run one of the commands that change nothing."""
        return run(self.queries[name], tree, self._surroundings(home))

    def _surroundings(self, home: Path) -> dict[str, str]:
        return {**self.environment, self.home_variable: str(home)}


def make_scrubjay(question: str) -> Contestant:
    """Take scrubjay from the environment that runs this benchmark."""
    program = str(Path(sys.executable).with_name("scrubjay"))
    return Contestant(
        name="scrubjay",
        index=(program, "index", "--json", "."),
        queries={
            "search": (program, "search", question),
            "search, words only": (program, "search", "--words-only", question),
            "status": (program, "status"),
            "--help": (program, "--help"),
        },
        home_variable="SCRUBJAY_HOME",
        environment={},
    )


def make_semble(question: str, content: str) -> Contestant:
    """Install semble below the cache and give it a model of our table's size: for speed only."""
    folder = CACHE / f"semble-{SEMBLE}"
    binaries = folder / ("Scripts" if os.name == "nt" else "bin")
    if not (binaries / "semble").exists():
        venv.create(folder, with_pip=True)
        python = str(binaries / "python")
        subprocess.run([python, "-m", "pip", "install", "-q", f"semble=={SEMBLE}"], check=True)
    model = CACHE / "semble-model"
    if not model.is_dir():
        vocabulary = str(data_folder("static-256") / "vocab.txt")
        subprocess.run(
            [str(binaries / "python"), str(MAKE_MODEL), vocabulary, str(model)], check=True
        )
    program = str(binaries / "semble")
    search = (program, "search", question, ".", "--content", content)
    return Contestant(
        name=f"semble {SEMBLE}",
        index=search,
        queries={"search": search, "--help": (program, "--help")},
        home_variable="SEMBLE_CACHE_LOCATION",
        environment={"SEMBLE_MODEL_NAME": str(model), "HF_HUB_OFFLINE": "1"},
    )


def count_embedded(finished: Finished) -> int | None:
    """Read how many texts an index run of scrubjay embedded; None where the output does not say."""
    try:
        runs = json.loads(finished.output)["runs"]
        return sum(run["embedded"] for run in runs)
    except (ValueError, KeyError, TypeError):
        return None
