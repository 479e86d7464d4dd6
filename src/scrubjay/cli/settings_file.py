"""How is a settings file changed? By the one line: all else, comments too, stays as it is."""

from __future__ import annotations

import json
import re
from pathlib import Path

from scrubjay.errors import SettingsError
from scrubjay.settings import SettingInfo, Settings, load_settings
from scrubjay.store.durable import write_small
from scrubjay.store.lock import make_folder

SECTION = re.compile(r"\s*\[\s*([A-Za-z0-9_-]+)\s*\]\s*(?:#.*)?$")
ANY_KEY = re.compile(r"""\s*([A-Za-z0-9_-]+|"[^"]*"|'[^']*')\s*=""")
ANY_TABLE = re.compile(r"\s*\[{1,2}[^\[\],\"']+\]{1,2}\s*(?:#.*)?$")


def changed(file: Path, info: SettingInfo, value: str | None) -> Settings:
    """Set a setting in a file, or take it out if `value` is None; returns what the file then says.

    Raises SettingsError for a value that the setting does not take, or a file whose layout is not
    understood well enough to change one line of it; the file is then as before.
    """
    before = load_settings(index_file=file, environ={})
    text = file.read_text("utf-8") if file.is_file() else ""
    line = None if value is None else f"{_key(info)} = {_toml(_converted(info, value))}"
    lines = _edited(text.splitlines(), info, line)
    make_folder(file.parent)
    draft = file.with_name(file.name + ".draft")
    try:
        write_small(draft, "\n".join(lines) + "\n" if lines else "")
        after = _checked(draft, before, info, value)
        draft.replace(file)
    except OSError as error:
        raise SettingsError(f"{file} cannot be written: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)
    return after


def _converted(info: SettingInfo, value: str) -> object:
    settings = load_settings(environ={}, overrides={info.name: value})
    section, _, field = info.name.partition(".")
    return getattr(getattr(settings, section), field)


def _key(info: SettingInfo) -> str:
    return info.name.partition(".")[2]


def _toml(value: object) -> str:
    """Write a value as TOML; a JSON text is a TOML text too, but for DEL, which must be escaped."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)


def _edited(lines: list[str], info: SettingInfo, line: str | None) -> list[str]:
    section, _, field = info.name.partition(".")
    start = next((i for i, text in enumerate(lines) if _opens(text, section)), None)
    if start is None:
        gap = [""] if lines else []
        return lines if line is None else [*lines, *gap, f"[{section}]", line]
    end = next((i for i in range(start + 1, len(lines)) if ANY_TABLE.match(lines[i])), len(lines))
    key = re.compile(rf"\s*(?:{field}|\"{field}\"|'{field}')\s*=")
    at = next((i for i in range(start + 1, end) if key.match(lines[i])), None)
    if at is not None:
        stop = at + _length(lines[at:end])
        return [*lines[:at], *([] if line is None else [line]), *lines[stop:]]
    while end > start + 1 and not lines[end - 1].strip():
        end -= 1
    return lines if line is None else [*lines[:end], line, *lines[end:]]


def _opens(text: str, section: str) -> bool:
    match = SECTION.match(text)
    return match is not None and match[1] == section


def _length(lines: list[str]) -> int:
    """Count the lines that the first key's value takes: a list may span several."""
    stop = next((i for i in range(1, len(lines)) if ANY_KEY.match(lines[i])), len(lines))
    while stop > 1 and (not lines[stop - 1].strip() or lines[stop - 1].lstrip().startswith("#")):
        stop -= 1
    return stop


def _checked(draft: Path, before: Settings, info: SettingInfo, value: str | None) -> Settings:
    """Read a draft back: it must say what was asked for, and all else that the file said before."""
    try:
        after = load_settings(index_file=draft, environ={})
    except SettingsError as error:
        raise SettingsError(f"the file cannot be changed by itself: {error.message}") from error
    kept = set(before.sources) - {info.name}
    expected = kept | ({info.name} if value is not None else set())
    same = all(_value(after, name) == _value(before, name) for name in kept)
    right = value is None or _value(after, info.name) == _converted(info, value)
    if set(after.sources) != expected or not same or not right:
        raise SettingsError(
            f"{info.name} cannot be changed in this file by itself", hint="edit the file"
        )
    return after


def _value(settings: Settings, name: str) -> object:
    section, _, field = name.partition(".")
    return getattr(getattr(settings, section), field)
