"""What is public is documented, and what the documents show works."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import click
import pytest

from scrubjay import errors, events
from scrubjay.cli import main as command_line

PROJECT = Path(__file__).parents[1]
DOCS = sorted(PROJECT.glob("docs/*.md"))
SMALL_TREE = {
    "http/client.py": 'def begin(self):\n    """Parse chunks, retry after a redirect."""\n',
    "json/decoder.py": 'def parseaddr(text):\n    """Report the position of an error."""\n',
    "build/out.py": "made = True\n",
    ".gitignore": "build/\n",
}
"""What the commands of README.md, run in order, find something in."""


@pytest.fixture(scope="module")
def write_docs() -> ModuleType:
    spec = importlib.util.spec_from_file_location("write_docs", PROJECT / "tools/write_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["settings.md", "cli.md"])
def test_page_is_what_the_code_says(write_docs, name):
    written = (PROJECT / "docs" / name).read_text("utf-8")
    assert written == write_docs.make_pages()[name], "run `make docs`"


def test_every_event_and_error_is_documented():
    page = (PROJECT / "docs/settings.md").read_text("utf-8")
    for module in (events, errors):
        for name, thing in vars(module).items():
            if isinstance(thing, type) and thing.__module__ == module.__name__:
                assert f"| `{name}` |" in page


def test_every_document_is_linked_from_readme():
    readme = (PROJECT / "README.md").read_text("utf-8")
    assert [p.name for p in DOCS if f"docs/{p.name}" not in readme] == []


def test_links_between_documents_lead_somewhere():
    for page in [PROJECT / "README.md", *DOCS]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def commands_in(text: str) -> Iterator[list[str]]:
    """Find the words after `scrubjay` in code, on lines of blocks and between backticks."""
    fences = re.findall(r"```\w*\n(.*?)```", text, re.DOTALL)
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    for line in [*"\n".join(fences).splitlines(), *spans]:
        match = re.match(r"(?:\$ )?scrubjay ([^#|>]*)", line.strip())
        if match:
            yield shlex.split(match[1].replace("'", "").replace('"', ""))


def options_of(command: click.Command) -> set[str]:
    spelt = [*command.params, command.get_help_option(click.Context(command))]
    return {name for p in spelt if p is not None for name in [*p.opts, *p.secondary_opts]}


@pytest.mark.parametrize("page", [PROJECT / "README.md", *DOCS], ids=lambda page: page.name)
def test_commands_shown_in_documents_exist(page):
    context = click.Context(command_line)
    for words in commands_in(page.read_text("utf-8")):
        command = command_line
        if words and re.fullmatch(r"[a-z]+", words[0]):
            found = command_line.get_command(context, words[0])
            assert found is not None, f"`scrubjay {' '.join(words)}`"
            command = found
        known = options_of(command) | options_of(command_line)
        for word in words:
            if re.fullmatch(r"--[a-z-]+|-[a-z]", word):
                assert word in known, f"`scrubjay {' '.join(words)}`"


@pytest.mark.slow
def test_readme_commands_run(tmp_path):
    folder = tmp_path / "tree"
    for name, text in SMALL_TREE.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    readme = (PROJECT / "README.md").read_text("utf-8")
    lines = re.findall(r"^(?:\$ )?(scrubjay .*)", readme, re.MULTILINE)
    assert len(lines) > 5
    program = str(Path(sys.executable).with_name("scrubjay"))
    for line in lines:
        done = subprocess.run(
            [program, *shlex.split(line, comments=True)[1:]],
            cwd=folder,
            env={**os.environ, "SCRUBJAY_HOME": str(tmp_path / "home")},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
