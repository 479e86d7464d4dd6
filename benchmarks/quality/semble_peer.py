"""semble as a contestant: its chunks and its ranking, in an environment of its own.

It is made to read with our static table, as it comes without a model of its own; install it as
benchmarks/speed does (`compare.py`), below the cache.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from asking import RESULTS, Answer, Answers
from questions import CACHE, Place, Question

from scrubjay.models.builtin import STATIC_256, data_folder

VERSION = "0.7.0"
HOME = CACHE / f"semble-{VERSION}"
SIDE = Path(__file__).with_name("semble_side.py")
PROSE = (".md", ".mdx", ".rst", ".man", ".txt")


@dataclass(frozen=True, slots=True)
class Semble:
    """The contestant; raises SystemExit where it is not installed."""

    name: str = "semble"

    def ask(self, trees: Path, questions: Sequence[Question]) -> Answers:
        """Have each tree indexed and asked by semble's own Python."""
        python = HOME / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        if not python.exists():
            raise SystemExit(f"{HOME}: semble {VERSION} is not installed here")
        answers: list[Answer] = []
        peaks: list[float | None] = []
        for repo, asked in groupby(questions, key=lambda question: question.repo):
            told = _tell(python, _request(trees / repo, list(asked)))
            answers += (
                Answer(tuple(Place(*place) for place in places), seconds)
                for places, seconds in told["answers"]
            )
            peaks.append(told["peak_mb"])
        known = [peak for peak in peaks if peak is not None]
        return Answers(tuple(answers), max(known, default=None))


def _request(tree: Path, asked: Sequence[Question]) -> dict[str, object]:
    """Say what is to be indexed: code alone, its own default, unless documents are asked for."""
    is_prose = any(path.endswith(PROSE) for question in asked for path in question.relevant)
    return {
        "tree": str(tree),
        "table": str(data_folder(STATIC_256)),
        "content": "all" if is_prose else "code",
        "results": RESULTS,
        "queries": [question.query for question in asked],
    }


def _tell(python: Path, request: dict[str, object]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as empty:  # so that no index of an earlier table is found
        ended = subprocess.run(
            [str(python), str(SIDE)],
            input=json.dumps(request),
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env={**os.environ, "HF_HUB_OFFLINE": "1", "SEMBLE_CACHE_LOCATION": empty},
            check=True,
        )
    told: dict[str, Any] = json.loads(ended.stdout)
    return told
