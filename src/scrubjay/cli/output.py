"""How does a line reach the reader? Colour, links and JSON, each only where it is welcome."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

import click

if TYPE_CHECKING:
    from pathlib import Path

STOPPED_CODE = 130
"""128 + SIGINT, as shells report a program that was stopped."""

STYLES: dict[str, dict[str, bool | str]] = {
    "path": {"fg": "magenta"},
    "line": {"fg": "green"},
    "match": {"fg": "red", "bold": True},
    "faint": {"dim": True},
    "strong": {"bold": True},
    "good": {"fg": "green"},
    "warn": {"fg": "yellow"},
    "bad": {"fg": "red", "bold": True},
}
"""What text means, and how that looks on a terminal."""


@dataclass(slots=True)
class Output:
    """Where and how this run prints; options and the environment fill it in before a command runs.

    `colour` is None while nobody asked: then a terminal gets colour and a pipe does not.
    """

    is_json: bool = False
    is_debug: bool = False
    colour: bool | None = None
    terminal: str = ""

    def open(self) -> None:
        """Make sure that no character can crash a stream whose encoding lacks it."""
        for stream in (sys.stdout, sys.stderr):
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:
                reconfigure(errors="replace")

    def line(self, text: str = "") -> None:
        """Print a line of the answer."""
        click.echo(text, color=True)

    def aside(self, text: str) -> None:
        """Print a line about the answer to stderr, where it does not disturb a pipe."""
        click.echo(text, err=True, color=True)

    def json(self, value: object) -> None:
        """Print a value as JSON."""
        from scrubjay.cli.plain import dump_json

        click.echo(dump_json(value, sys.stdout.encoding or "ascii"), color=True)

    def fail(self, kind: str, message: str, hint: str, code: int) -> int:
        """Tell of an error; returns the exit code."""
        if self.is_json:
            self.json({"error": message, "hint": hint, "kind": kind, "exit_code": code})
        self.aside(self.painted("error:", "bad", sys.stderr) + f" {message}")
        if hint:
            self.aside(self.painted("hint:", "strong", sys.stderr) + f" {hint}")
        return code

    def painted(self, text: str, style: str, stream: TextIO | None = None) -> str:
        """Style a text, if the stream it goes to (stdout unless given) takes colour."""
        if not self.has_colour(stream or sys.stdout):
            return text
        return click.style(text, **STYLES[style])  # type: ignore[arg-type]  # names and flags of click.style

    def has_colour(self, stream: TextIO) -> bool:
        """Say whether a stream gets colour."""
        return self.is_terminal(stream) if self.colour is None else self.colour

    def is_terminal(self, stream: TextIO) -> bool:
        """Say whether a stream is a terminal that understands more than text."""
        return stream.isatty() and self.terminal != "dumb"

    def can_ask(self) -> bool:
        """Say whether a question would reach a person."""
        return not self.is_json and sys.stdin.isatty() and sys.stderr.isatty()

    def linked(self, text: str, path: Path) -> str:
        """Make a text a link to a file (OSC 8), on a terminal and where the file is there."""
        if not self.is_terminal(sys.stdout) or self.colour is False or not path.exists():
            return text
        from urllib.parse import quote

        host = os.uname().nodename if hasattr(os, "uname") else ""
        place = quote(os.fsencode(path.as_posix()))
        target = f"file://{host}{'' if place.startswith('/') else '/'}{place}"
        return f"\x1b]8;;{target}\x1b\\{text}\x1b]8;;\x1b\\"

    def facts(self, rows: Iterable[tuple[str, str]], indent: str = "  ") -> None:
        """Print names and values side by side; rows without a value are left out."""
        kept = [row for row in rows if row[1]]
        width = max((len(name) for name, _ in kept), default=0)
        for name, value in kept:
            self.line(f"{indent}{self.painted(name.ljust(width), 'faint')}  {value}")

    def table(self, rows: Sequence[Sequence[str]], indent: str = "") -> None:
        """Print rows in columns as wide as needed; the last column may be long."""
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
            self.line((indent + "  ".join(cells)).rstrip())
