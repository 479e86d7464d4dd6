"""`scrubjay models`: which models are here or can be had, which are in use, and do they work?"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scrubjay.cli.options import Where, index_options
from scrubjay.cli.output import Output
from scrubjay.cli.plain import make_plain
from scrubjay.cli.probing import ROLES, Choice, choices_of, in_use, show_probes, the_choice
from scrubjay.cli.wording import sized
from scrubjay.errors import IndexBusy, UsageError

if TYPE_CHECKING:
    from scrubjay.models.catalogue import InstalledModel
    from scrubjay.models.hub import HubModel, Progress
    from scrubjay.settings import Settings

EPILOG = """\b
Examples:
  scrubjay models                                 what is here, and what can be had
  scrubjay models pull ms-marco-minilm-l6
  scrubjay models test ms-marco-minilm-l6         does it work, and how fast here?
  scrubjay models use ms-marco-minilm-l6          for this index; --user for all
  scrubjay models remove ms-marco-minilm-l6
"""
ACTIONS = ("list", "pull", "test", "use", "remove")
LINE_INTERVAL_S = 5.0


@click.command("models", epilog=EPILOG)
@click.argument("action", type=click.Choice(ACTIONS), default="list")
@click.argument("name", default="")
@click.option(
    "--as", "role", type=click.Choice(tuple(ROLES)), help="Test or use it as this, if it is both."
)
@click.option("--user", is_flag=True, help="With use: change the user's settings, for all indexes.")
@click.option("--hub", metavar="URL", help="With pull: fetch from a mirror of huggingface.co.")
@index_options
def models_command(
    output: Output,
    where: Where,
    action: str,
    name: str,
    role: str | None,
    user: bool,
    hub: str | None,
) -> int:
    """List, fetch, test and choose models: embedders make vectors, rerankers read the first hits.

    Only pull fetches anything; it sends nothing but the names of files.
    """
    if action == "list":
        return _list(output, _settings(where))
    if action == "test":
        choices = choices_of(name, role) if name else in_use(_settings(where))
        return show_probes(output, _settings(where), choices)
    if not name:
        raise UsageError("the name of a model is missing", hint="`scrubjay models` lists them")
    if action == "pull":
        return _pull(output, name, hub)
    if action == "remove":
        return _remove(output, _settings(where), name)
    choice = the_choice(name, role)
    return _use(output, _settings(where), _settings_file(where, user=user), choice)


def _settings(where: Where) -> Settings:
    from scrubjay.settings import FILE_NAME, load_settings, user_settings_file

    folder = where.find()
    return load_settings(user_settings_file(), folder and folder / FILE_NAME)


def _settings_file(where: Where, *, user: bool) -> Path:
    from scrubjay.places import folder_for
    from scrubjay.settings import FILE_NAME, user_settings_file

    if user:
        return user_settings_file()
    return (where.find() or folder_for(where.folder, where.workspace)) / FILE_NAME


def _list(output: Output, settings: Settings) -> int:
    from scrubjay.models.catalogue import installed_models
    from scrubjay.models.hub import HUB_MODELS

    installed = installed_models()
    here = {model.name for model in installed}
    others = [model for model in HUB_MODELS if model.name not in here]
    if output.is_json:
        output.json(
            {
                "in_use": settings.embed.model,
                "reranker_in_use": settings.rerank.model,
                "models": make_plain(installed),
                "can_be_pulled": [_pullable(model) for model in others],
            }
        )
        return 0
    for model in installed:
        _show(output, model, settings)
    for choice in _choices(settings):
        name, roles = output.painted(choice.name, "strong"), _roles(settings, choice.name)
        output.line(f"{output.painted('*', 'good')} {name}  {_standing(output, choice)} as {roles}")
    if others:
        output.line()
        output.line("`scrubjay models pull NAME` fetches from huggingface.co:")
    for other in others:
        facts = ", ".join(_facts(other.kind, other.dimension, other.size_bytes, other.licence))
        output.line(f"  {output.painted(other.name, 'strong')}  {facts}")
        output.line(f"    {other.limits}")
    return 0


def _show(output: Output, model: InstalledModel, settings: Settings) -> None:
    roles = _roles(settings, model.name)
    mark = output.painted("*", "good") if roles else " "
    kind = " and ".join(model.uses)
    facts = _facts(kind, model.dimension, model.size_bytes, model.licence)
    if roles:
        facts.append(output.painted(f"in use as {roles}", "good"))
    output.line(f"{mark} {output.painted(model.name, 'strong')}  {', '.join(facts)}")
    output.line(f"    {model.limits}")


def _facts(kind: str, dimension: int, size_bytes: int, licence: str) -> list[str]:
    vectors = [f"{dimension} dimensions"] if dimension else []
    return [kind, *vectors, sized(size_bytes), licence]


def _pullable(model: HubModel) -> dict[str, object]:
    return {
        "name": model.name,
        "kind": model.kind,
        "dimension": model.dimension,
        "size_bytes": model.size_bytes,
        "licence": model.licence,
        "limits": model.limits,
        "repository": model.repository,
        "revision": model.revision,
    }


def _roles(settings: Settings, name: str) -> str:
    chosen = {"embedder": settings.embed.model, "reranker": settings.rerank.model}
    return " and ".join(role for role, model in chosen.items() if model == name)


def _choices(settings: Settings) -> Iterator[Choice]:
    """Name what is in use that is no installed model: none, an endpoint, a folder of one's own."""
    from scrubjay.models.catalogue import model_folder

    named = (Choice(settings.embed.model, "embedder"), Choice(settings.rerank.model, "reranker"))
    for choice in {choice.name: choice for choice in named}.values():
        if model_folder(choice.name) is None:
            yield choice


def _standing(output: Output, choice: Choice) -> str:
    """Say whether a name that is no installed model is in use, or merely asked for."""
    from scrubjay.models.catalogue import ENDPOINT, NO_MODEL

    if choice.name in (ENDPOINT, NO_MODEL) or Path(choice.name).expanduser().is_dir():
        return "in use"
    return output.painted("not here, though the settings name it", "bad")


def _pull(output: Output, name: str, address: str | None) -> int:
    from scrubjay.models.catalogue import check_model, is_shipped, model_folder, pulled_home
    from scrubjay.models.hub import HUB, HUB_MODELS, Hub, hub_model, pull
    from scrubjay.store.catalog import exclusively
    from scrubjay.store.lock import make_folder

    there = model_folder(name)
    if there is not None and is_shipped(there):
        raise UsageError(f"{name} comes with scrubjay", hint="it needs no download")
    model = hub_model(name)
    if model is None:
        known = ", ".join(model.name for model in HUB_MODELS)
        raise UsageError(f"no model of the hub is called {name!r} here", hint=f"known: {known}")
    home = pulled_home()
    make_folder(home)
    try:
        with exclusively(home / "pull.lock", wait_s=0):
            is_new = there is None or bool(check_model(name))
            if is_new:
                hub = Hub(address or HUB)
                output.aside(f"{sized(model.size_bytes)} from {hub.address}/{model.repository}")
                with _progress(output, name) as tell:
                    there = pull(model, home, hub, tell)
    except IndexBusy as error:
        raise IndexBusy("another process is fetching a model", hint="wait for it") from error
    if output.is_json:
        output.json({"name": name, "folder": there, "fetched": is_new})
    elif not is_new:
        output.line(f"{name} is here already, and whole.")
    else:
        output.line(f"{name} is here: its files have the expected SHA-256.")
        output.line(f"`scrubjay models use {name}` makes it the {model.kind} of this index.")
    return 0


@contextmanager
def _progress(output: Output, name: str) -> Iterator[Callable[[Progress], None]]:
    """Draw a bar on a terminal, write a line now and then elsewhere, nothing with --json."""
    if output.is_json:
        yield lambda progress: None
    elif output.is_terminal(sys.stderr):
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            TextColumn,
            TimeRemainingColumn,
            TransferSpeedColumn,
        )
        from rich.progress import Progress as Bars

        console = Console(stderr=True, no_color=output.colour is False or None)
        columns = (DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
        names = TextColumn("{task.description}")
        with Bars(names, BarColumn(), *columns, console=console, transient=True) as bars:

            def draw(progress: Progress) -> None:
                if not bars.tasks:  # what an earlier pull left does not count as speed
                    total, done = progress.total_bytes, progress.done_bytes
                    bars.add_task(name, total=total, completed=done)
                bars.update(bars.task_ids[0], completed=progress.done_bytes)

            yield draw
    else:
        last = time.monotonic()

        def say(progress: Progress) -> None:
            nonlocal last
            if time.monotonic() - last >= LINE_INTERVAL_S:
                last = time.monotonic()
                output.aside(f"{sized(progress.done_bytes)} of {sized(progress.total_bytes)}")

        yield say


def _remove(output: Output, settings: Settings, name: str) -> int:
    from scrubjay.models.catalogue import is_shipped, model_folder, pulled_home
    from scrubjay.models.hub import hub_model, remove

    there = model_folder(name)
    if there is not None and is_shipped(there):
        raise UsageError(f"{name} is part of scrubjay", hint="only pulled models can be removed")
    if there is None and hub_model(name) is None:
        raise UsageError(f"no model is called {name!r}", hint="`scrubjay models` lists them")
    if roles := _roles(settings, name):
        hint = "`scrubjay models use OTHER` first"
        raise UsageError(f"{name} is in use as {roles}", hint=hint)
    was_there = remove(name, pulled_home())
    if output.is_json:
        output.json({"name": name, "removed": was_there})
    else:
        output.line(f"{name} is removed." if was_there else f"{name} is not here.")
    return 0


def _use(output: Output, settings: Settings, file: Path, choice: Choice) -> int:
    from scrubjay.cli.settings_file import changed
    from scrubjay.settings import describe_settings

    notice = _require(settings, choice)
    info = next(info for info in describe_settings() if info.name == ROLES[choice.role])
    changed(file, info, choice.name)
    if output.is_json:
        output.json({"name": info.name, "value": choice.name, "file": file})
        return 0
    output.line(f"{info.name} = {choice.name}, in {file}")
    if info.dirties:
        output.line("The next `scrubjay index` makes the vectors anew.")
    if notice:
        output.line(notice)
    return 0


def _require(settings: Settings, choice: Choice) -> str:
    """Raise ModelError for what cannot be used; returns what the user should know of its use."""
    from scrubjay.models.catalogue import load_reranker, space_of
    from scrubjay.models.rerank_http import HttpReranker

    if choice.role == "embedder":
        space_of(replace(settings.embed, model=choice.name))
        return ""
    reranker = load_reranker(replace(settings.rerank, model=choice.name))
    if isinstance(reranker, HttpReranker) and reranker.is_remote:
        return f"Questions, and the texts of the first hits, are sent to {reranker.address}."
    return ""
