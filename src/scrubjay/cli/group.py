"""Which commands are there, and what becomes of their errors? Loads commands when they are used."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from scrubjay.cli.output import STOPPED_CODE, Output
from scrubjay.errors import ScrubjayError

SECTIONS: dict[str, dict[str, tuple[str, str]]] = {
    "Everyday": {
        "index": ("index", "Index a folder, or bring its index up to date."),
        "search": ("search", "Find the places that answer a question."),
        "context": ("search", "Print what a question needs, ready for a prompt."),
        "status": ("status", "Show what the index holds and how it stands."),
    },
    "Looking into it": {
        "why": ("files", "Explain why a file is in the index, or not."),
        "failures": ("files", "List the files that could not be indexed."),
        "skipped": ("files", "List the files that were looked at and left out."),
        "retry": ("files", "Give failed files another chance."),
        "roots": ("status", "List the folders of this index."),
        "eval": ("evaluate", "Measure how well questions are answered here."),
        "config": ("config", "Show and change settings."),
        "models": ("models", "List, fetch, test and choose models."),
    },
    "Upkeep": {
        "doctor": ("doctor", "Find what is wrong, and what to do about it."),
        "verify": ("upkeep", "Check that the index is sound."),
        "repair": ("upkeep", "Mend what can be mended without loss."),
        "compact": ("upkeep", "Give free space back."),
        "migrate": ("upkeep", "Bring the index to the newest layout, or start afresh."),
        "delete": ("upkeep", "Delete the index of a folder; the folder stays."),
    },
}
"""Commands by section: the module that holds each (as `<name>_command`), and its one-line help."""

BUG_CODE = 70
"""EX_SOFTWARE of sysexits.h: an error nobody foresaw."""
PIPE_CODE = 141
"""128 + SIGPIPE, as shells report a program whose reader went away."""


class CommandGroup(click.Group):
    """The commands of `SECTIONS`; the one place that turns errors into messages and exit codes."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order of their sections."""
        return [name for section in SECTIONS.values() for name in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command; None if there is none of this name."""
        for section in SECTIONS.values():
            if cmd_name in section:
                module = importlib.import_module(f"scrubjay.cli.{section[cmd_name][0]}")
                command = getattr(module, f"{cmd_name}_command")
                assert isinstance(command, click.Command)
                return command
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands' names and helps without loading any."""
        for title, section in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, help) for name, (_, help) in section.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments name; answer a misspelt one with its likely name."""
        name = args[0]
        if not name.startswith("-") and name not in self.list_commands(ctx):
            import difflib

            near = difflib.get_close_matches(name, self.list_commands(ctx), n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"to search: scrubjay search {name!r}"
            raise click.UsageError(f"no command is called {name!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a reader that went away ends it quietly."""
        try:
            code = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            return PIPE_CODE
        return code

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Run the command line and exit."""
        output = Output()
        output.open()
        words = list(sys.argv[1:] if args is None else args)
        try:
            code = super().main(
                words,
                "scrubjay",
                complete_var,
                standalone_mode=False,
                # A question may end in `?` and --path takes globs: neither names files here.
                windows_expand_args=False,
                **{"obj": output, **extra},
            )
        except Exception as error:
            output.is_json = output.is_json or "--json" in words
            code = report(output, error)
        sys.exit(code or 0)


def report(output: Output, error: Exception) -> int:
    """Tell the user about an error and return the exit code it stands for."""
    if isinstance(error, ScrubjayError):
        return output.fail(type(error).__name__, error.message, error.hint, error.exit_code)
    if isinstance(error, click.Abort):
        return output.fail("Cancelled", "stopped; what was finished is kept", "", STOPPED_CODE)
    if isinstance(error, click.ClickException):
        ctx = error.ctx if isinstance(error, click.UsageError) else None
        hint = f"`{ctx.command_path} --help` shows how it is used" if ctx is not None else ""
        return output.fail("UsageError", error.format_message(), hint, error.exit_code)
    if output.is_debug:
        import traceback

        traceback.print_exception(error)
    message = f"unexpected {type(error).__name__}: {error}"
    hint = "this is a mistake in scrubjay; the same command with --debug shows where"
    return output.fail(type(error).__name__, message, hint, BUG_CODE)
