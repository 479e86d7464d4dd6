"""The command line: `main` is the `scrubjay` command. Only here is anything printed."""

from __future__ import annotations

import click

from scrubjay import __version__
from scrubjay.cli.group import CommandGroup
from scrubjay.cli.options import look_options

EPILOG = """\b
Examples:
  scrubjay index                       index the current folder, or bring it up to date
  scrubjay search where are uploads validated
  scrubjay why src/upload.py           why is this file found, or not

Completion: eval "$(_SCRUBJAY_COMPLETE=bash_source scrubjay)", or zsh_source, fish_source.
"""


@click.group(
    cls=CommandGroup,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="scrubjay %(version)s")
@look_options(hidden=False)
def main() -> None:
    """Search your code and files by meaning: offline, and always current."""


__all__ = ["main"]
