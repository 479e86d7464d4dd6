"""Which settings hold here? The only module that reads environment variables and TOML.

Precedence, weakest first: default, user file, index file, environment
(`SCRUBJAY_<SECTION>_<FIELD>`), explicit override.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast, get_type_hints

from scrubjay.errors import SettingsError
from scrubjay.sections import (
    ChunkSettings,
    EmbedSettings,
    IndexSettings,
    RerankSettings,
    ScanSettings,
    SearchSettings,
)

ENV_PREFIX = "SCRUBJAY_"
HOME_VARIABLE = "SCRUBJAY_HOME"
FILE_NAME = "settings.toml"
OVERRIDE = "override"
"""The source of a value that the caller gave."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All sections, resolved."""

    scan: ScanSettings = field(default_factory=ScanSettings)
    chunk: ChunkSettings = field(default_factory=ChunkSettings)
    embed: EmbedSettings = field(default_factory=EmbedSettings)
    index: IndexSettings = field(default_factory=IndexSettings)
    search: SearchSettings = field(default_factory=SearchSettings)
    rerank: RerankSettings = field(default_factory=RerankSettings)
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


def secret(variable: str) -> str | None:
    """Read a key from the environment variable that a setting names; None if it holds none."""
    return os.environ.get(variable, "").strip() or None


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
