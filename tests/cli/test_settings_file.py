"""Changing one line of a settings file."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.cli.settings_file import changed
from scrubjay.errors import SettingsError
from scrubjay.settings import describe_settings

INFOS = {info.name: info for info in describe_settings()}
FILE = """\
# mine
[search]
results = 5  # few
# about the blocks
context_blocks = 2

[scan]
ignore = [
    "a = 1",  # odd
    "[x]",
]
max_text_bytes = 100
"""


def check(tmp_path: Path, name: str, value: str | None, expected: str, before: str = FILE) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(before, "utf-8")
    changed(file, INFOS[name], value)
    assert file.read_text("utf-8") == expected
    assert [p.name for p in tmp_path.iterdir()] == ["settings.toml"]


@pytest.mark.parametrize(
    ("name", "value", "old", "new"),
    [
        ("search.results", "20", "results = 5  # few", "results = 20"),
        ("search.context_blocks", None, "context_blocks = 2\n", ""),
        ("search.one_per_file", "off", "cks = 2\n", "cks = 2\none_per_file = false\n"),
        ("scan.ignore", "b, *.c", '[\n    "a = 1",  # odd\n    "[x]",\n]', '["b", "*.c"]'),
        ("scan.ignore", None, 'ignore = [\n    "a = 1",  # odd\n    "[x]",\n]\n', ""),
        ("embed.model", "none", "= 100\n", '= 100\n\n[embed]\nmodel = "none"\n'),
        ("embed.model", None, "# mine", "# mine"),
    ],
)  # fmt: skip
def test_change_touches_one_line(tmp_path, name, value, old, new):
    check(tmp_path, name, value, FILE.replace(old, new))


def test_change_makes_a_file_that_is_not_there(tmp_path):
    file = tmp_path / "deep" / "settings.toml"
    assert changed(file, INFOS["search.results"], "3").search.results == 3
    assert file.read_text("utf-8") == "[search]\nresults = 3\n"


@pytest.mark.parametrize(
    ("name", "value", "before"),
    [
        ("search.results", "many", FILE),
        ("search.results", "0", FILE),
        ("search.results", "3", "search = { results = 2 }\n"),
        ("search.results", "3", "search.results = 2\n"),
        ("search.results", "3", "[nonsense\n"),
    ],
)
def test_refused_change_leaves_the_file(tmp_path, name, value, before):
    file = tmp_path / "settings.toml"
    file.write_text(before, "utf-8")
    with pytest.raises(SettingsError):
        changed(file, INFOS[name], value)
    assert file.read_text("utf-8") == before
    assert [p.name for p in tmp_path.iterdir()] == ["settings.toml"]


WORDS = st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=12)


@settings(max_examples=30, deadline=None)
@given(WORDS)
def test_any_text_is_written_so_that_it_is_read_back(tmp_path_factory, word):
    file = tmp_path_factory.mktemp("s") / "settings.toml"
    assert changed(file, INFOS["scan.legacy_encoding"], word).scan.legacy_encoding == word
