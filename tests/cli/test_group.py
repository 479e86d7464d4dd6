"""The command line as a whole: names, help, errors, pipes and signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import click
import pytest

from scrubjay import errors
from scrubjay.cli import main
from scrubjay.cli.group import BUG_CODE, PIPE_CODE, SECTIONS, report
from scrubjay.cli.output import Output

NAMES = [name for section in SECTIONS.values() for name in section]


@pytest.mark.parametrize("name", NAMES)
def test_command_has_help_and_json(ask, name):
    said = ask(name, "--help")
    assert said.code == 0
    assert "--json" in said.out
    assert "  Example" in said.out or "Exit codes" in said.out


def test_commands_are_listed_without_being_loaded(ask):
    said = ask("--help")
    assert [name for name in NAMES if f"\n  {name} " not in said.out] == []


def test_misspelt_command_is_answered_with_its_name(ask):
    said = ask("serach", "x")
    assert said.code == 2
    assert "did you mean 'search'?" in said.err
    assert "scrubjay search 'xyzzy'" in ask("xyzzy").err


def test_usage_error_in_json_is_an_object(ask):
    said = ask("search", "--json", "--nope")
    assert said.code == 2
    assert said.json()["kind"] == "UsageError"


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (errors.IndexBusy("busy", hint="wait"), 5, "error: busy\nhint: wait\n"),
        (errors.StoreDamaged("torn"), 6, "error: torn\n"),
        (click.Abort(), 130, "error: stopped; what was finished is kept\n"),
        (click.BadParameter("no"), 2, "error: Invalid value: no\n"),
    ],
)
def test_error_becomes_message_and_code(capsys, error, code, message):
    assert report(Output(), error) == code
    assert capsys.readouterr() == ("", message)


def test_unforeseen_error_points_to_its_trace(capsys):
    assert report(Output(), ZeroDivisionError("x")) == BUG_CODE
    said = capsys.readouterr().err
    assert "unexpected ZeroDivisionError: x" in said
    assert "--debug" in said
    assert "Traceback" not in said
    report(Output(is_debug=True), ZeroDivisionError("x"))
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_version_is_printed(ask):
    from scrubjay import __version__

    assert ask("--version").out == f"scrubjay {__version__}\n"


def start(*words: str, **options: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "scrubjay", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,  # type: ignore[call-overload]
    )


@pytest.mark.slow
def test_reader_that_goes_away_ends_the_command_quietly(tree):
    if sys.platform == "win32":
        pytest.skip("pipes break otherwise there")
    with start("config", "--json", env={**os.environ, "PYTHONUNBUFFERED": "1"}) as process:
        process.stdout.close()
        assert process.wait(60) == PIPE_CODE
        assert process.stderr.read() == b""


@pytest.mark.slow
def test_output_survives_a_narrow_encoding(tree):
    (tree / "日本.md").write_text("# 日本 uploads\n", "utf-8")
    env = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    for words in (("index",), ("search", "日本"), ("search", "日本", "--json")):
        with start(*words, env=env) as process:
            out, err = process.communicate(timeout=60)
            assert process.returncode == 0, err
            out.decode("cp1252")


SLOWLY = {"SCRUBJAY_INDEX_BATCH_FILES": "1", "SCRUBJAY_INDEX_WORKERS": "1"}
"""Settings that give a signal time to arrive before the work is done."""


def start_index() -> subprocess.Popen[bytes]:
    return start("index", start_new_session=True, env={**os.environ, **SLOWLY})


def grow(folder, count: int) -> None:
    for i in range(count):
        text = "\n".join(f"def f{i}_{j}(x):\n    return x + {j}\n" for j in range(20))
        (folder / f"m{i}.py").write_text(text)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals differ there")
def test_ctrl_c_keeps_what_is_done(tree, ask):
    grow(tree, 300)
    with start_index() as process:
        wait_for_files(ask)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert b"Stopped: " in out
    assert b"finishing what is in flight" in err
    states = ask("status", "--json").json()["files"]["states"]
    assert states["clean"] > 0
    assert states["dirty"] > 0
    assert ask("verify").code == 0
    assert "wait to be indexed" in ask("search", "uploads").err
    rest = ask("index", "-q", "--json").json()["runs"][0]
    assert rest["indexed"] == states["dirty"]
    assert rest["pending"] == 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals differ there")
def test_second_ctrl_c_stops_at_once(tree, ask):
    grow(tree, 300)
    with start_index() as process:
        wait_for_files(ask)
        os.killpg(process.pid, signal.SIGINT)
        while b"finishing" not in process.stderr.readline():
            pass
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 130
    assert ask("verify").code == 0
    assert ask("index", "-q").code == 0


def wait_for_files(ask) -> None:
    """Wait until another process has published something."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        said = ask("status", "--json")
        if said.code == 0 and said.json()["files"]["states"]["clean"]:
            return
        time.sleep(0.05)
    pytest.fail("nothing was published in a minute")


def test_main_is_a_group_that_tools_can_read():
    context = click.Context(main)
    assert main.list_commands(context) == NAMES
    assert main.get_command(context, "nope") is None
