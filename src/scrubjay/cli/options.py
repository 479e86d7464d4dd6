"""Which options do commands share, and which index do they mean?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from scrubjay.cli.output import Output
from scrubjay.errors import UsageError

if TYPE_CHECKING:
    from scrubjay.app import Workspace

Function = TypeVar("Function", bound=Callable[..., Any])
NO_INDEX_HINT = "`scrubjay index` makes one; --in or --workspace chooses another"


class EnvironmentFlag(click.Option):
    """A flag that its variable sets by having any text, as NO_COLOR and FORCE_COLOR do."""

    def value_from_envvar(self, ctx: click.Context) -> Any:
        """Read the flag's variable."""
        return True if self.resolve_envvar_value(ctx) else None


@dataclass(frozen=True, slots=True)
class Where:
    """Which index a command is about: the named workspace, or the one `folder` belongs to."""

    folder: Path
    workspace: str | None

    def find(self) -> Path | None:
        """Locate the index; None if there is none."""
        from scrubjay.places import find_folder

        return find_folder(self.folder, self.workspace)

    def require(self) -> Path:
        """Locate the index; raises UsageError if there is none."""
        found = self.find()
        if found is not None:
            return found
        if self.workspace is not None:
            raise UsageError(
                f"no workspace is called {self.workspace!r}",
                hint=f"`scrubjay index FOLDER --workspace {self.workspace}` makes it",
            )
        raise UsageError(f"{self.folder.absolute()} is not indexed yet", hint=NO_INDEX_HINT)

    def open(self, overrides: Mapping[str, object] | None = None) -> Workspace:
        """Open the index; raises UsageError if there is none."""
        from scrubjay.app import Workspace

        return Workspace(self.require(), overrides)


def look_options(*, hidden: bool) -> Callable[[Function], Function]:
    """Add the options about how output looks; hidden ones may stand after a command's name too."""

    def decorate(function: Function) -> Function:
        def flag(name: str, help: str, callback: Callable[..., None], variable: str) -> None:
            nonlocal function
            function = click.option(
                name,
                cls=EnvironmentFlag,
                is_flag=True,
                expose_value=False,
                envvar=None if hidden else variable,
                hidden=hidden,
                help=help,
                callback=callback,
            )(function)

        # Decorators apply bottom-up: what stands last here is read first.
        flag("--debug", "Show where an unexpected error came from.", _set_debug, "SCRUBJAY_DEBUG")
        flag("--color", "Colour pipes too, as FORCE_COLOR does.", _set_colour, "FORCE_COLOR")
        flag("--no-color", "No colour, no links, as NO_COLOR does.", _set_colour, "NO_COLOR")
        if not hidden:
            function = click.option(
                "--terminal",
                envvar="TERM",
                default="",
                hidden=True,
                expose_value=False,
                callback=_set_terminal,
            )(function)
        return function

    return decorate


def _set_debug(ctx: click.Context, _: click.Parameter, is_given: bool | None) -> None:
    if is_given:
        ctx.ensure_object(Output).is_debug = True


def _set_colour(ctx: click.Context, param: click.Parameter, is_given: bool | None) -> None:
    """Obey options; the environment counts only where no option has spoken."""
    output = ctx.ensure_object(Output)
    source = ctx.get_parameter_source(str(param.name))
    is_option = source is click.core.ParameterSource.COMMANDLINE
    if is_given and (is_option or output.colour is None):
        output.colour = param.name == "color"


def _set_terminal(ctx: click.Context, _: click.Parameter, name: str) -> None:
    ctx.ensure_object(Output).terminal = name


def json_option(function: Callable[..., int | None]) -> Callable[..., int | None]:
    """Add --json and the options about looks, and pass the Output as first argument."""

    def set_json(ctx: click.Context, _: click.Parameter, is_given: bool) -> None:
        ctx.ensure_object(Output).is_json = is_given

    @click.option("--json", is_flag=True, expose_value=False, callback=set_json, help="Print JSON.")
    @look_options(hidden=True)
    @wraps(function)
    def with_output(*args: Any, **values: Any) -> int | None:
        return function(click.get_current_context().ensure_object(Output), *args, **values)

    return with_output


def index_options(function: Callable[..., int | None]) -> Callable[..., int | None]:
    """Add the options that choose an index, and --json; pass Output and Where as first ones."""

    @click.option(
        "--in",
        "folder",
        metavar="PATH",
        default=".",
        type=click.Path(path_type=Path),
        help="Use the index that PATH belongs to, not the current folder's.",
    )
    @click.option("-w", "--workspace", metavar="NAME", help="Use a named workspace.")
    @wraps(function)
    def with_where(
        output: Output, /, folder: Path, workspace: str | None, **values: Any
    ) -> int | None:
        return function(output, Where(folder, workspace), **values)

    return json_option(with_where)
