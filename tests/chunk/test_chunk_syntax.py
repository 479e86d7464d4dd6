"""Grammars: where they come from, when they are loaded, what happens when they are not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scrubjay.chunk.languages import ALIASES, GRAMMARS, grammar_for
from scrubjay.chunk.syntax import loadable

READ_ONLY = """
import os, sys
from pathlib import Path
import scrubjay.chunk.document, scrubjay.chunk.syntax
assert not {"tree_sitter", "semble_grammars"} & set(sys.modules), "not lazy"
from scrubjay.sections import ChunkSettings
from scrubjay.types import Document
scrubjay.chunk.syntax.use_grammar_cache(Path(sys.argv[1]))
document = Document("def f(): pass\\n", "python", "utf-8")
result = scrubjay.chunk.document.chunk_document(document, ChunkSettings())
print([d.name for d in result.definitions], result.fallback)
"""


def run_alone(cache: Path, temporary: Path) -> str:
    environment = {**os.environ, "TMPDIR": str(temporary), "TEMP": str(temporary)}
    command = [sys.executable, "-W", "error", "-c", READ_ONLY, str(cache)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    return done.stdout.strip()


@pytest.mark.slow
def test_grammars_are_unpacked_where_told(tmp_path):
    cache = tmp_path / "grammars"
    assert run_alone(cache, tmp_path) == "['f'] None"
    assert len([path for path in cache.rglob("*") if path.is_file()]) == 1


@pytest.mark.slow
def test_cache_that_cannot_be_written_is_replaced(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert run_alone(blocked / "grammars", tmp_path) == "['f'] None"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.slow
def test_damaged_grammar_is_replaced(tmp_path):
    cache = tmp_path / "grammars"
    run_alone(cache, tmp_path)
    (library,) = [path for path in cache.rglob("*") if path.is_file()]
    library.write_bytes(b"not machine code")
    assert run_alone(cache, tmp_path) == "['f'] None"


@pytest.mark.slow
def test_no_place_for_grammars_falls_back_to_prose(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert run_alone(blocked / "a", blocked / "b").startswith("[")


@pytest.mark.slow
@pytest.mark.parametrize("name", GRAMMARS)
def test_grammar_loads(name):
    assert loadable(GRAMMARS[name]) is None


@pytest.mark.parametrize("alias", [alias for alias, name in ALIASES.items() if name])
def test_alias_has_a_grammar(alias):
    assert grammar_for(alias.upper()) is not None


def test_language_without_grammar_is_none():
    assert grammar_for(None) is None
    assert grammar_for("sass") is None
    assert grammar_for("markdown") is None
