"""Light commands load light modules: each heavy import costs more than such a command may take."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

HEAVY = {
    "asyncio",
    "chardet",
    "httpx",
    "lance",
    "lancedb",
    "multiprocessing",
    "numpy",
    "onnxruntime",
    "pyarrow",
    "semble_grammars",
    "tokenizers",
    "tree_sitter",
}
PROBE = """
import sys
from scrubjay.cli import main
try:
    main(sys.argv[1:])
finally:
    sys.__stderr__.write("\\n" + " ".join(sorted(m for m in sys.modules if "." not in m)))
"""


def run(arguments: list[str], home: str, cwd: str) -> set[str]:
    """Run one command in a process of its own and list the top-level modules it loaded."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments],
        cwd=cwd,
        env={**os.environ, "SCRUBJAY_HOME": home},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.splitlines()[-1].split())


@pytest.fixture(scope="module")
def places(tmp_path_factory) -> dict[str, str]:
    """Index a folder of one file."""
    folder = tmp_path_factory.mktemp("tree")
    (folder / "uploads.py").write_text('def validate_upload(file):\n    """Check an upload."""\n')
    found = {"home": str(tmp_path_factory.mktemp("home")), "cwd": str(folder)}
    run(["index", "."], **found)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "also_absent"),
    [
        (["--help"], {"apsw", "rich", "msgspec", "sqlite3"}),
        (["--version"], {"apsw", "rich", "msgspec", "sqlite3"}),
        (["status"], set()),
        (["status", "--json"], {"rich"}),
        (["why", "uploads.py", "--json"], {"rich"}),
        (["failures", "--json"], {"rich"}),
        (["search", "--words-only", "--json", "upload"], {"rich"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_command_imports_nothing_heavy(places, arguments, also_absent):
    assert run(arguments, **places) & (HEAVY | also_absent) == set()


@pytest.mark.slow
def test_search_by_meaning_imports_no_parser(places):
    loaded = run(["search", "--json", "check what a user sends"], **places)
    assert loaded & {"tree_sitter", "semble_grammars", "lancedb", "asyncio"} == set()
    assert "numpy" in loaded
