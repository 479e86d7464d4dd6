"""CoSQA's development questions: what people typed into a search engine, to one of 6,267 functions.

Source: the folder data/search of github.com/Jun-jie-Huang/CoCLR (MIT). Only the 500 questions of
the development split are read; train and test are left alone.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

POOL = "code_idx_map.txt"
QUESTIONS = "cosqa-retrieval-dev-500.json"
FILES_PER_FOLDER = 500


def questions_from(source: Path, target: Path, count: int) -> list[dict[str, Any]]:
    """Write every function to a file of its own, and take the first `count` questions.

    `source` is a checkout or its folder data/search; raises SystemExit without the two files. A
    path says nothing of its function: all are of one role, and share their words.
    """
    folder = source if (source / POOL).is_file() else source / "data" / "search"
    if not (folder / POOL).is_file() or not (folder / QUESTIONS).is_file():
        raise SystemExit(f"{source}: holds no data/search with {POOL} and {QUESTIONS}")
    pool: dict[str, int] = json.loads((folder / POOL).read_text("utf-8"))
    for code, number in pool.items():
        file = target / _path(number)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{code}\n", "utf-8", newline="\n")
    asked = json.loads((folder / QUESTIONS).read_text("utf-8"))[:count]
    return [
        {
            "query": one["doc"],
            "relevant": [_path(one["retrieval_idx"])],
            "repo": target.name,
            "language": "python",
        }
        for one in asked
    ]


def _path(number: int) -> str:
    return f"f{number // FILES_PER_FOLDER:02}/f{number:04}.py"
