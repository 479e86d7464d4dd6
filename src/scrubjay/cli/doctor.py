"""`scrubjay doctor`: what is wrong with the installation or an index, and what to do about it."""

from __future__ import annotations

import importlib
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scrubjay.cli.options import Where, index_options
from scrubjay.cli.output import Output
from scrubjay.cli.wording import ago, many, sized
from scrubjay.errors import MigrationAborted, ScrubjayError

if TYPE_CHECKING:
    from scrubjay.app import Workspace
    from scrubjay.status import Status

LEAST_PYTHON = (3, 11)
LEAST_SQLITE = (3, 43)
"""The first with contentless-delete full-text tables."""
LEAST_FREE_BYTES = 500_000_000
"""Less makes an index of a large tree likely to fail half-way."""
PACKAGES = (
    *("apsw", "chardet", "click", "httpx", "lance", "msgspec", "numpy", "onnxruntime"),
    *("platformdirs", "pyarrow", "rich", "semble_grammars", "tokenizers", "tree_sitter"),
)
USUAL_GRAMMARS = ("javascript", "python", "rust")
"""Tried always; unpacking all of them for the first time takes a minute."""
SICK_CODE = 1


class Health(Enum):
    """How a check came out: WARN is worth knowing, BAD keeps something from working."""

    OK = "ok"
    WARN = "warn"
    BAD = "bad"


STYLE_OF = {Health.OK: "good", Health.WARN: "warn", Health.BAD: "bad"}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: what was found, and what to do if it is not well."""

    name: str
    health: Health
    found: str
    advice: str = ""


def _ok(name: str, found: str) -> Check:
    return Check(name, Health.OK, found)


def _bad(name: str, found: str, advice: str) -> Check:
    return Check(name, Health.BAD, found, advice)


def _warn(name: str, found: str, advice: str) -> Check:
    return Check(name, Health.WARN, found, advice)


@click.command("doctor", epilog="\b\nExit codes: 0 nothing is bad, 1 something is.")
@click.option("--deep", is_flag=True, help="Try every grammar; takes a minute the first time.")
@index_options
def doctor_command(output: Output, where: Where, deep: bool) -> int:
    """Find what is wrong with the installation or the index, and what to do about it."""
    checks = []
    looks: list[Callable[[], Iterator[Check]]] = [
        *(_python, _packages, _sqlite, partial(_grammars, deep=deep), _models, _home),
        partial(_index, where),
    ]
    for look in looks:
        try:
            found = list(look())
        except Exception as error:  # whatever breaks here is what a doctor is asked to find
            advice = getattr(error, "hint", "") or "report it, with this line"
            found = [_bad("A check broke", f"{type(error).__name__}: {error}", advice)]
        for check in found:
            checks.append(check)
            if not output.is_json:
                _show(output, check)
    is_sick = any(check.health is Health.BAD for check in checks)
    if output.is_json:
        output.json({"ok": not is_sick, "checks": checks})
    return SICK_CODE if is_sick else 0


def _show(output: Output, check: Check) -> None:
    health = output.painted(check.health.value.ljust(4), STYLE_OF[check.health])
    output.line(f"{health}  {check.name}: {check.found}")
    if check.advice:
        output.line(f"      {check.advice}")


def _python() -> Iterator[Check]:
    found = f"{platform.python_version()} on {platform.platform()}"
    if sys.version_info < LEAST_PYTHON:
        yield _bad("Python", found, f"install Python {'.'.join(map(str, LEAST_PYTHON))} or newer")
    else:
        yield _ok("Python", found)


def _packages() -> Iterator[Check]:
    broken = {}
    for name in PACKAGES:
        try:
            importlib.import_module(name)
        except Exception as error:  # a broken extension module may raise anything
            broken[name] = f"{type(error).__name__}: {error}"
    for name, why in broken.items():
        yield _bad(f"Package {name}", why, "install scrubjay anew: pip install --force-reinstall")
    if not broken:
        yield _ok("Packages", f"all {len(PACKAGES)} load")


def _sqlite() -> Iterator[Check]:
    from scrubjay.store.catalog import Catalog

    with tempfile.TemporaryDirectory() as folder:
        catalog = Catalog(Path(folder, "probe.db"), create=True)
        try:
            version = str(catalog.one("SELECT sqlite_version()"))
        finally:
            catalog.close()
    if tuple(map(int, version.split(".")[:2])) < LEAST_SQLITE:
        yield _bad("SQLite", version, "upgrade the package apsw")
    else:
        yield _ok("SQLite", version)


def _grammars(*, deep: bool) -> Iterator[Check]:
    from scrubjay.chunk.languages import GRAMMARS
    from scrubjay.chunk.syntax import loadable, use_grammar_cache
    from scrubjay.settings import data_home

    use_grammar_cache(data_home() / "grammars")
    tried = [grammar for name, grammar in GRAMMARS.items() if deep or name in USUAL_GRAMMARS]
    missing = {grammar.name: why for grammar in tried if (why := loadable(grammar))}
    if len(missing) == len(tried):
        yield _bad("Grammars", next(iter(missing.values())), "install semble-grammars anew")
    elif missing:
        found = f"{len(tried) - len(missing)} of {len(tried)} load, not {', '.join(missing)}"
        yield _warn("Grammars", found, "their files are cut as prose")
    else:
        rest = "" if deep else f"; --deep tries all {len(GRAMMARS)}"
        yield _ok("Grammars", f"{len(tried)} tried, all load{rest}")


def _models() -> Iterator[Check]:
    from scrubjay.models.catalogue import check_model, is_shipped, model_folder, model_names

    for model in model_names():
        wrong = check_model(model)
        name = f"Model {model}"
        folder = model_folder(model)
        if folder is None:  # removed since
            continue
        if wrong and is_shipped(folder):
            yield _bad(name, "; ".join(wrong), "install scrubjay anew")
        elif wrong:
            yield _bad(name, "; ".join(wrong), f"`scrubjay models pull {model}` fetches it anew")
        else:
            size = sum(file.stat().st_size for file in folder.iterdir())
            yield _ok(name, f"{sized(size)}, its files are whole")


def _home() -> Iterator[Check]:
    from scrubjay.settings import HOME_VARIABLE, data_home
    from scrubjay.store.lock import make_folder

    home = data_home()
    make_folder(home)
    try:
        tempfile.TemporaryFile(dir=home).close()
    except OSError as error:
        advice = f"make it writable, or set {HOME_VARIABLE} to another folder"
        yield _bad("Index home", f"{home}: {error.strerror}", advice)
        return
    yield _ok("Index home", f"{home} is writable")
    free = shutil.disk_usage(home).free
    if free < LEAST_FREE_BYTES:
        yield _warn("Disk", f"{sized(free)} free", f"free some room, or move {HOME_VARIABLE}")
    else:
        yield _ok("Disk", f"{sized(free)} free")


def _index(where: Where) -> Iterator[Check]:
    folder = where.find()
    if folder is None:
        yield _warn("Index", f"none for {where.folder.absolute()}", "`scrubjay index` makes one")
        return
    try:
        workspace = where.open()
        status = workspace.status()
    except MigrationAborted as error:
        yield _bad("Index layout", error.message, error.hint)
    except ScrubjayError as error:
        yield _bad("Index", error.message, error.hint or "`scrubjay repair` may mend it")
    else:
        yield _ok("Index", f"{folder}, {sized(status.size_bytes)}")
        yield from _of_status(status)
        yield from _of_files(workspace)


def _of_status(status: Status) -> Iterator[Check]:
    if status.owner is not None:
        who = f"process {status.owner.pid} ({status.owner.purpose})"
        yield _ok("Writer", f"{who} writes, begun {ago(status.owner.since)}")
    for root in status.roots:
        if not root.online:
            yield _warn("Root", f"{root.path} is not there", "connect its drive; its index is kept")
        elif root.problems:
            found = f"{many(len(root.problems), 'folder')} of {root.path} cannot be read"
            yield _warn("Root", f"{found}: {root.problems[0]}", "what was known of them is kept")
        else:
            yield _ok("Root", f"{root.path} is there")
        if root.last_complete_at is None:
            found = f"{root.path}: no run has come to its end"
            yield _warn("Last run", found, "`scrubjay index` goes on")
    if status.outdated:
        found = f"{many(status.outdated, 'file')} made with other settings"
        yield _warn("Settings", found, "`scrubjay index` redoes them")


def _of_files(workspace: Workspace) -> Iterator[Check]:
    failed = workspace.failures()
    if failed:
        advice = "`scrubjay failures` lists them, `scrubjay retry` tries again"
        yield _warn("Files", f"{many(len(failed), 'file')} failed", advice)
    else:
        yield _ok("Files", "none failed")
