"""Every setting, once: its default, unit, meaning, and whether a change makes files dirty.

The only module that reads environment variables and TOML. Command-line flags, docs/settings.md and
the settings form are made from these dataclasses. Precedence, weakest first: default, user file,
index file, environment (`SCRUBJAY_<SECTION>_<FIELD>`), explicit override.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, cast, get_type_hints

from scrubjay.errors import SettingsError

T = TypeVar("T")

ENV_PREFIX = "SCRUBJAY_"
HOME_VARIABLE = "SCRUBJAY_HOME"
FILE_NAME = "settings.toml"
OVERRIDE = "override"
"""The source of a value that the caller gave."""


def setting(
    default: T,
    help: str,
    *,
    unit: str = "",
    dirties: bool = False,
    least: int | float | None = None,
) -> T:
    """Declare a field; `dirties` says that a change asks for work on files already indexed."""
    metadata = {"help": help, "unit": unit, "dirties": dirties, "least": least}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class ScanSettings:
    """Which files are looked at."""

    max_text_bytes: int = setting(
        524_288, "Larger text files are skipped, and reported.", unit="bytes", dirties=True, least=1
    )
    extra_extensions: tuple[str, ...] = setting(
        (),
        "Extensions admitted besides the built-in list, e.g. `xyz` or `xyz=python`.",
        dirties=True,
    )
    ignore: tuple[str, ...] = setting(
        (),
        "Globs in gitignore syntax, applied last: nothing in a repository can undo them.",
        dirties=True,
    )
    builtin_rules: bool = setting(
        True, "Leave out dependencies, caches and build output by name.", dirties=True
    )
    gitignore: bool = setting(
        True, "Obey .gitignore files, info/exclude and git's global excludes.", dirties=True
    )
    nested_repositories: bool = setting(
        False, "Enter repositories and submodules inside a root.", dirties=True
    )
    legacy_encoding: str = setting(
        "",
        "Encoding to try when a file is neither Unicode nor clearly recognised, e.g. `gb18030`.",
        dirties=True,
    )
    one_file_system: bool = setting(
        True, "Do not cross into other file systems mounted below a root.", dirties=True
    )


@dataclass(frozen=True, slots=True)
class ChunkSettings:
    """How documents are cut."""

    max_chars: int = setting(
        1_000, "Longest chunk before overlap.", unit="characters", dirties=True, least=100
    )
    min_chars: int = setting(
        100, "Shorter pieces are merged with a neighbour.", unit="characters", dirties=True, least=0
    )
    overlap_chars: int = setting(
        100,
        "What a chunk repeats of the one before, in whole lines.",
        unit="characters",
        dirties=True,
        least=0,
    )
    max_parse_bytes: int = setting(
        524_288, "Larger files are cut as prose, not parsed.", unit="bytes", dirties=True, least=0
    )
    max_line_chars: int = setting(
        500,
        "Files with a longer average line are cut as prose.",
        unit="characters",
        dirties=True,
        least=1,
    )
    parse_deadline_s: float = setting(
        1.0,
        "A parse that takes more processor time falls back to prose.",
        unit="seconds",
        dirties=True,
        least=0,
    )


@dataclass(frozen=True, slots=True)
class EmbedSettings:
    """What makes vectors."""

    model: str = setting("static-256", "Embedding model; `none` indexes words only.", dirties=True)
    window_chars: int = setting(
        600,
        "Chunks are embedded in windows of this size.",
        unit="characters",
        dirties=True,
        least=50,
    )
    window_overlap_chars: int = setting(
        80, "What a window repeats of the one before.", unit="characters", dirties=True, least=0
    )
    words_only_languages: tuple[str, ...] = setting(
        ("gettext",), "Languages found by their words alone, without vectors.", dirties=True
    )


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """How work is done."""

    workers: int = setting(0, "Parser processes; 0 means one fewer than the cores.", least=0)
    file_deadline_s: float = setting(
        30.0, "A file that takes longer costs it an attempt.", unit="seconds", least=1
    )
    max_attempts: int = setting(3, "Attempts before a file counts as failed.", least=1)
    retry_delay_s: float = setting(
        30.0, "Wait before a second attempt; doubled for each further one.", unit="seconds", least=0
    )
    batch_files: int = setting(256, "Most files published together.", unit="files", least=1)
    batch_windows: int = setting(4_096, "Most vectors published together.", unit="vectors", least=1)
    batch_seconds: float = setting(
        1.0, "Longest a finished file waits to be published.", unit="seconds", least=0
    )
    sweep_budget_s: float = setting(
        2.0, "Longest one clean-up may take before it goes on next time.", unit="seconds", least=0
    )
    removal_guard_files: int = setting(
        100,
        "From this many files on, a scan that would remove more than half asks first.",
        unit="files",
        least=0,
    )


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How questions are answered."""

    results: int = setting(10, "Hits shown.", least=1)
    candidates: int = setting(100, "Candidates each leg brings.", least=1)
    rank_constant: int = setting(60, "k of reciprocal rank fusion.", least=1)
    words_weight: float = setting(1.0, "Weight of the words leg in fusion.", least=0)
    vectors_weight: float = setting(1.0, "Weight of the vectors leg in fusion.", least=0)
    common_term_share: float = setting(
        0.10, "Words in more than this share of chunks are dropped while others remain.", least=0
    )
    one_per_file: bool = setting(True, "One hit per file, with the places of its other matches.")
    coherence: bool = setting(True, "Let one file's chunks support each other.")
    definition_prior: bool = setting(True, "Prefer the definition of a name the question spells.")
    stem_prior: bool = setting(True, "Prefer files named after a word of the question.")
    path_class_prior: bool = setting(
        True, "Rank tests, examples, vendored and generated files lower unless asked for."
    )
    context_blocks: int = setting(6, "Most blocks in a context.", least=1)
    context_chars: int = setting(12_000, "Most text in a context.", unit="characters", least=100)
    block_chars: int = setting(
        3_000,
        "A hit grows to its enclosing definition up to this size.",
        unit="characters",
        least=100,
    )
    resident_vectors: int = setting(
        400_000, "Up to this many vectors are searched in memory.", unit="vectors", least=0
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """All sections, resolved."""

    scan: ScanSettings = field(default_factory=ScanSettings)
    chunk: ChunkSettings = field(default_factory=ChunkSettings)
    embed: EmbedSettings = field(default_factory=EmbedSettings)
    index: IndexSettings = field(default_factory=IndexSettings)
    search: SearchSettings = field(default_factory=SearchSettings)
    sources: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), compare=False)


@dataclass(frozen=True, slots=True)
class SettingInfo:
    """One setting as docs and forms see it; `name` is `section.field`."""

    name: str
    type: type
    default: object
    unit: str
    help: str
    dirties: bool
    least: float | None


def describe_settings() -> Iterator[SettingInfo]:
    """List every setting in order of declaration."""
    for section in fields(Settings):
        if section.name == "sources":
            continue
        kind = section.default_factory
        hints = get_type_hints(kind)
        for f in fields(cast(Any, kind)):
            yield SettingInfo(
                name=f"{section.name}.{f.name}",
                type=hints[f.name],
                default=f.default,
                unit=f.metadata["unit"],
                help=f.metadata["help"],
                dirties=f.metadata["dirties"],
                least=f.metadata["least"],
            )


def data_home(environ: Mapping[str, str] | None = None) -> Path:
    """Locate the folder of all indexes: `SCRUBJAY_HOME`, or the platform's user-data folder."""
    chosen = (os.environ if environ is None else environ).get(HOME_VARIABLE)
    if chosen:
        return Path(chosen).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_data_dir("scrubjay", appauthor=False))


def user_settings_file(environ: Mapping[str, str] | None = None) -> Path:
    """Locate the user's settings file: in `SCRUBJAY_HOME`, or the platform's settings folder."""
    if (os.environ if environ is None else environ).get(HOME_VARIABLE):
        return data_home(environ) / FILE_NAME
    import platformdirs

    return Path(platformdirs.user_config_dir("scrubjay", appauthor=False)) / FILE_NAME


def load_settings(
    user_file: Path | None = None,
    index_file: Path | None = None,
    environ: Mapping[str, str] | None = None,
    overrides: Mapping[str, object] | None = None,
) -> Settings:
    """Resolve settings from files, environment and overrides (keys `section.field`).

    Raises SettingsError naming the file or variable, the setting, and what it takes.
    """
    raw: dict[str, tuple[object, str]] = {}
    for file in (user_file, index_file):
        if file is not None and file.is_file():
            raw.update({name: (value, str(file)) for name, value in _read_file(file).items()})
    raw.update(_read_environment(os.environ if environ is None else environ))
    raw.update({name: (value, OVERRIDE) for name, value in (overrides or {}).items()})
    known = {info.name: info for info in describe_settings()}
    sections: dict[str, dict[str, object]] = {}
    for name, (value, source) in raw.items():
        if name not in known:
            raise SettingsError(
                f"{_prefix(source)}unknown setting {name!r}",
                hint="`scrubjay config` lists all settings",
            )
        section, _, key = name.partition(".")
        sections.setdefault(section, {})[key] = _convert(known[name], value, source)
    settings = Settings(
        sources=MappingProxyType({name: source for name, (_, source) in raw.items()})
    )
    for section, values in sections.items():
        settings = replace(
            settings, **{section: replace(getattr(settings, section), **cast(Any, values))}
        )
    return settings


def _read_file(file: Path) -> dict[str, object]:
    try:
        table = tomllib.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{file}: {error}", hint="mend or remove the file") from error
    flat: dict[str, object] = {}
    for section, values in table.items():
        if not isinstance(values, dict):
            raise SettingsError(f"{file}: {section!r} must be a [section]")
        flat.update({f"{section}.{key}": value for key, value in values.items()})
    return flat


def _read_environment(environ: Mapping[str, str]) -> dict[str, tuple[object, str]]:
    found: dict[str, tuple[object, str]] = {}
    for info in describe_settings():
        variable = ENV_PREFIX + info.name.replace(".", "_").upper()
        if variable in environ:
            found[info.name] = (environ[variable], variable)
    return found


def _convert(info: SettingInfo, value: object, source: str) -> object:
    try:
        converted = _parse(info.type, value)
    except (TypeError, ValueError) as error:
        name = "a list of texts" if info.type not in (int, float, str, bool) else info.type.__name__
        raise SettingsError(
            f"{_prefix(source)}{info.name} must be {name}, not {value!r}"
        ) from error
    if info.least is not None and isinstance(converted, (int, float)) and converted < info.least:
        raise SettingsError(
            f"{_prefix(source)}{info.name} must be at least {info.least:g}, not {converted}"
        )
    return converted


def _prefix(source: str) -> str:
    return "" if source == OVERRIDE else f"{source}: "


def _parse(kind: type, value: object) -> object:
    if kind is bool:
        if isinstance(value, bool):
            return value
        return (
            {
                "true": True,
                "1": True,
                "on": True,
                "yes": True,
                "false": False,
                "0": False,
                "off": False,
                "no": False,
            }[str(value).lower()]
            if str(value).lower() in {"true", "1", "on", "yes", "false", "0", "off", "no"}
            else _reject(value)
        )
    if kind is int:
        return _reject(value) if isinstance(value, (bool, float)) else int(cast(Any, value))
    if kind is float:
        return _reject(value) if isinstance(value, bool) else float(cast(Any, value))
    if kind is str:
        return value if isinstance(value, str) else _reject(value)
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    items = tuple(cast(Any, value))
    return items if all(isinstance(item, str) for item in items) else _reject(value)


def _reject(value: object) -> object:
    raise ValueError(value)
