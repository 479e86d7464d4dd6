from pathlib import Path

import pytest

from scrubjay.errors import SettingsError
from scrubjay.settings import (
    ENV_PREFIX,
    Settings,
    data_home,
    describe_settings,
    load_settings,
    user_settings_file,
)


def test_defaults_need_no_file():
    settings = load_settings(environ={})
    assert settings == Settings()
    assert settings.chunk.max_chars == 1_000


def test_index_file_beats_user_file_and_environment_beats_both(tmp_path: Path):
    user, index = tmp_path / "user.toml", tmp_path / "index.toml"
    user.write_text("[chunk]\nmax_chars = 700\nmin_chars = 70\n[search]\nresults = 3\n")
    index.write_text("[chunk]\nmax_chars = 800\n")
    settings = load_settings(user, index, {"SCRUBJAY_SEARCH_RESULTS": "5"})
    assert (settings.chunk.max_chars, settings.chunk.min_chars, settings.search.results) == (
        800,
        70,
        5,
    )
    assert settings.sources["chunk.max_chars"] == str(index)
    assert settings.sources["search.results"] == "SCRUBJAY_SEARCH_RESULTS"


def test_override_beats_everything():
    settings = load_settings(
        environ={"SCRUBJAY_SEARCH_RESULTS": "5"}, overrides={"search.results": 9}
    )
    assert settings.search.results == 9


def test_zero_overlap_is_legal():
    assert load_settings(environ={}, overrides={"chunk.overlap_chars": 0}).chunk.overlap_chars == 0


def test_lists_come_from_toml_and_from_text(tmp_path: Path):
    file = tmp_path / "s.toml"
    file.write_text('[scan]\nignore = ["*.md", "a/**"]\n')
    assert load_settings(file, environ={}).scan.ignore == ("*.md", "a/**")
    assert load_settings(environ={"SCRUBJAY_SCAN_IGNORE": "*.md, a/**"}).scan.ignore == (
        "*.md",
        "a/**",
    )


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("chunk.max_chars", "many", "chunk.max_chars must be int"),
        ("chunk.max_chars", 5, "at least 100"),
        ("chunk.max_chars", 1.5, "must be int"),
        ("search.coherence", "perhaps", "must be bool"),
        ("embed.model", 3, "must be str"),
        ("scan.ignore", [1], "a list of texts"),
        ("scan.nonsense", 1, "unknown setting"),
    ],
)
def test_bad_value_names_source_setting_and_kind(name: str, value: object, says: str):
    with pytest.raises(SettingsError, match=says):
        load_settings(environ={}, overrides={name: value})


def test_bad_variable_is_named():
    with pytest.raises(SettingsError, match="SCRUBJAY_SEARCH_RESULTS: search.results must be int"):
        load_settings(environ={"SCRUBJAY_SEARCH_RESULTS": "many"})


def test_broken_file_is_named(tmp_path: Path):
    file = tmp_path / "settings.toml"
    file.write_text("[chunk\n")
    with pytest.raises(SettingsError, match="settings.toml"):
        load_settings(file, environ={})


def test_top_level_value_is_refused(tmp_path: Path):
    file = tmp_path / "settings.toml"
    file.write_text("max_chars = 3\n")
    with pytest.raises(SettingsError, match="section"):
        load_settings(file, environ={})


def test_every_setting_is_described():
    infos = list(describe_settings())
    assert len({info.name for info in infos}) == len(infos)
    for info in infos:
        assert info.help.endswith(".")
        assert isinstance(info.default, (bool, int, float, str, tuple))


@pytest.mark.parametrize("info", list(describe_settings()), ids=lambda info: info.name)
def test_every_default_is_accepted_from_the_environment(info):
    text = ",".join(info.default) if isinstance(info.default, tuple) else str(info.default)
    variable = ENV_PREFIX + info.name.replace(".", "_").upper()
    assert load_settings(environ={variable: text}) == load_settings(environ={})


def test_home_variable_moves_data_and_settings(tmp_path: Path):
    environ = {"SCRUBJAY_HOME": str(tmp_path)}
    assert data_home(environ) == tmp_path
    assert user_settings_file(environ).parent == tmp_path
    assert data_home({}) != tmp_path
