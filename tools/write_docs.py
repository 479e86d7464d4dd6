"""Write docs/settings.md and docs/cli.md from the code; with `--check` only compare them."""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Iterator
from dataclasses import fields
from itertools import groupby
from pathlib import Path
from typing import get_args

import click

from scrubjay import errors, events, settings
from scrubjay.cli import main as command_line
from scrubjay.cli.group import BUG_CODE, PIPE_CODE
from scrubjay.cli.search import NOTHING_FOUND_CODE
from scrubjay.cli.summary import FAILED_CODE

DOCS = Path(__file__).parents[1] / "docs"
NOTE = "<!-- Written by `make docs`; edit the code it describes instead. -->"
TYPE_NAMES = {bool: "true or false", int: "whole number", float: "number", str: "text"}

EXIT_CODES = {
    0: "Everything asked for was done.",
    NOTHING_FOUND_CODE: "`search` and `context` found nothing; `doctor` found something wrong.",
    FAILED_CODE: "Indexing is done, but some files failed; `scrubjay failures` lists them.",
    BUG_CODE: "An error nobody foresaw; please report what `--debug` shows.",
    PIPE_CODE: "Whoever read the output went away.",
}
"""What commands return without an error of ours."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    is_check = parser.parse_args().check
    stale = []
    for name, text in make_pages().items():
        page = DOCS / name
        if page.is_file() and page.read_text("utf-8") == text:
            continue
        stale.append(f"docs/{name}")
        if not is_check:
            page.write_text(text, "utf-8", newline="\n")
    if stale:
        print(" and ".join(stale), "out of date: run `make docs`" if is_check else "written")
    return 1 if stale and is_check else 0


def make_pages() -> dict[str, str]:
    """Render every generated page, keyed by its name below docs/."""
    return {"settings.md": _join(_settings_page()), "cli.md": _join(_command_page())}


def _join(lines: Iterator[str]) -> str:
    return "\n".join(lines) + "\n"


def _settings_page() -> Iterator[str]:
    yield from ("# Settings, exit codes and events", "", NOTE, "")
    yield (
        f"A setting comes from, weakest first: its default, the user's `{settings.FILE_NAME}`, the"
        " index's own one, the environment, an option of the command. `scrubjay config` shows what"
        " holds and where it comes from. In a file a setting stands in its section:"
    )
    yield from ("", "```toml", "[search]", "results = 20", "```", "")
    yield (
        f"In the environment `search.results` is `{_variable('search.results')}`; lists are"
        " separated by commas. A change marked *asks for work* is applied to files already indexed"
        " by the next `scrubjay index`; what stays the same is not embedded again."
    )
    yield (
        f"`{settings.HOME_VARIABLE}` names the folder that holds indexes and the user's"
        f" `{settings.FILE_NAME}`."
    )
    for section, infos in groupby(
        settings.describe_settings(), lambda info: info.name.split(".")[0]
    ):
        kind = type(getattr(settings.Settings(), section))
        yield from ("", f"## {section}", "", str(kind.__doc__), "")
        yield from _table("Setting", "Default", "Takes", "Meaning")
        for info in infos:
            meaning = info.help + (" *Asks for work.*" if info.dirties else "")
            yield _row(f"`{info.name}`", _default(info), _takes(info), meaning)
    yield from _exit_codes()
    yield from _events()


def _variable(name: str) -> str:
    return settings.ENV_PREFIX + name.replace(".", "_").upper()


def _default(info: settings.SettingInfo) -> str:
    if isinstance(info.default, bool):
        return "true" if info.default else "false"
    if isinstance(info.default, (int, float)):
        return f"{info.default:,} {info.unit}".strip()
    return f"`{info.default}`" if info.default not in ("", ()) else "empty"


def _takes(info: settings.SettingInfo) -> str:
    least = f", at least {info.least:g}" if info.least is not None else ""
    return TYPE_NAMES.get(info.type, "list of texts") + least


def _exit_codes() -> Iterator[str]:
    yield from ("", "## Exit codes", "")
    yield from _table("Code", "Error", "Meaning")
    for code, meaning in EXIT_CODES.items():
        yield _row(str(code), "", meaning)
    for error in sorted(_error_classes(errors.ScrubjayError), key=lambda e: e.exit_code):
        yield _row(str(error.exit_code), f"`{error.__name__}`", _first_line(error))


def _error_classes(error: type[errors.ScrubjayError]) -> Iterator[type[errors.ScrubjayError]]:
    yield error
    for child in error.__subclasses__():
        yield from _error_classes(child)


def _events() -> Iterator[str]:
    yield from ("", "## Events", "")
    yield "What indexing tells its listeners while it runs; times are in seconds."
    yield ""
    yield from _table("Event", "Fields", "Meaning")
    for event in get_args(events.Event):
        names = ", ".join(f"`{f.name}`" for f in fields(event))
        yield _row(f"`{event.__name__}`", names, _first_line(event))


def _first_line(thing: object) -> str:
    return str(thing.__doc__).strip().splitlines()[0]


def _command_page() -> Iterator[str]:
    yield from ("# Commands", "", NOTE, "")
    context = click.Context(command_line, info_name="scrubjay")
    yield _plain(command_line.help)
    yield from _options(command_line, context)
    for name in command_line.list_commands(context):
        command = command_line.get_command(context, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context)
        pieces = " ".join(command.collect_usage_pieces(inner))
        yield from ("", f"## scrubjay {name}", "", "```", f"scrubjay {name} {pieces}", "```", "")
        yield _plain(command.help)
        yield from _options(command, inner)
        yield from _examples(command)


def _plain(help: str | None) -> str:
    return inspect.cleandoc(help or "").replace("\b\n", "").split("\f")[0].strip()


def _examples(command: click.Command) -> Iterator[str]:
    """Show the epilog as it stands: its blocks are laid out by hand."""
    if command.epilog:
        yield from ("", "```text", _plain(command.epilog).replace("\b", ""), "```")


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    options = [p for p in command.get_params(context) if isinstance(p, click.Option)]
    records = [option.get_help_record(context) for option in options]
    rows = [record for record in records if record and "--help" not in record[0]]
    if rows:
        yield ""
        yield from _table("Option", "Meaning")
        for option, meaning in rows:
            yield _row(f"`{option}`", " ".join(meaning.split()))


def _table(*titles: str) -> Iterator[str]:
    yield _row(*titles)
    yield _row(*("---" for _ in titles))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    sys.exit(main())
