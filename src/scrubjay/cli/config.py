"""`scrubjay config`: which settings hold, where each comes from, and changing them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

import click

from scrubjay.cli.options import Where, index_options
from scrubjay.cli.output import Output
from scrubjay.errors import UsageError
from scrubjay.settings import (
    FILE_NAME,
    SettingInfo,
    Settings,
    describe_settings,
    load_settings,
    user_settings_file,
)

EPILOG = """\b
Examples:
  scrubjay config                                  all settings and where they come from
  scrubjay config get search.results
  scrubjay config set scan.ignore 'docs/, *.csv'   for this index
  scrubjay config set --user search.results 20     for all indexes
  scrubjay config unset scan.ignore
  scrubjay config path
"""
ACTIONS = ("list", "get", "set", "unset", "path")
DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Shown:
    """A setting as it holds, and what it means."""

    name: str
    value: object
    source: str
    default: object
    unit: str
    help: str


@click.command("config", epilog=EPILOG)
@click.argument("action", type=click.Choice(ACTIONS), default="list")
@click.argument("name", default="")
@click.argument("value", default=None, required=False)
@click.option("--user", is_flag=True, help="Change the user's settings, for all indexes.")
@index_options
def config_command(
    output: Output, where: Where, action: str, name: str, value: str | None, user: bool
) -> int:
    """Show and change settings, of this index or of the user.

    A setting of the index beats the user's, the environment (SCRUBJAY_SECTION_NAME) beats both.
    """
    index_file = _index_file(where)
    if action in ("set", "unset"):
        file = user_settings_file() if user else index_file
        return _change(output, file, _known(name), value if action == "set" else None)
    if action == "path":
        return _show_paths(output, index_file)
    settings = load_settings(user_settings_file(), index_file)
    rows = [_held(settings, info) for info in describe_settings()]
    if action == "get":
        wanted = _known(name).name
        rows = [row for row in rows if row.name == wanted]
    _show(output, rows, alone=action == "get")
    return 0


def _index_file(where: Where) -> Path:
    """Locate the settings of an index, or of the one that the folder will have."""
    from scrubjay.places import folder_for

    folder = where.find() or folder_for(where.folder, where.workspace)
    return folder / FILE_NAME


def _known(name: str) -> SettingInfo:
    known = {info.name: info for info in describe_settings()}
    if name in known:
        return known[name]
    import difflib

    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]}?" if near else "`scrubjay config` lists all settings"
    what = f"no setting is called {name!r}" if name else "the name of a setting is missing"
    raise UsageError(what, hint=hint)


def _held(settings: Settings, info: SettingInfo) -> Shown:
    section, _, field = info.name.partition(".")
    value = getattr(getattr(settings, section), field)
    source = settings.sources.get(info.name, DEFAULT)
    return Shown(info.name, value, source, info.default, info.unit, info.help)


def _show(output: Output, rows: list[Shown], *, alone: bool) -> None:
    if output.is_json:
        output.json(rows[0] if alone else {"settings": [asdict(row) for row in rows]})
    elif alone:
        output.line(_spelled(rows[0].value))
    else:
        spelled = [(f"{_spelled(row.value) or '(empty)'} {row.unit}".strip(), row) for row in rows]
        widths = max(len(row.name) for row in rows), max(len(text) for text, _ in spelled)
        for text, row in spelled:
            is_set = row.source != DEFAULT
            value = output.painted(text.ljust(widths[1]), "strong" if is_set else "faint")
            source = output.painted(f"  from {row.source}", "good") if is_set else f"  {row.help}"
            output.line(f"{row.name.ljust(widths[0])}  {value}{source}")


def _spelled(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _show_paths(output: Output, index_file: Path) -> int:
    files = {"user": user_settings_file(), "index": index_file}
    if output.is_json:
        output.json({**files, "exists": {name: file.is_file() for name, file in files.items()}})
    else:
        for name, file in files.items():
            output.line(f"{name:5}  {file}" + ("" if file.is_file() else "  (not there)"))
    return 0


def _change(output: Output, file: Path, info: SettingInfo, value: str | None) -> int:
    from scrubjay.cli.settings_file import changed

    if value is None and click.get_current_context().params["action"] == "set":
        raise UsageError(f"a value for {info.name} is missing", hint=info.help)
    settings = changed(file, info, value)
    held = _held(settings, info)
    if output.is_json:
        output.json({"name": info.name, "value": held.value, "file": file})
        return 0
    output.line(f"{info.name} = {_spelled(held.value) or '(empty)'}, in {file}")
    if info.dirties:
        output.line("The next `scrubjay index` applies it to files already indexed.")
    return 0
