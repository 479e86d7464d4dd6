"""Colour, links and errors, where they are welcome."""

from __future__ import annotations

import io
import sys
from dataclasses import replace

import pytest

from scrubjay.cli.output import Output


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_pipe_gets_no_colour_and_no_links(tmp_path):
    output = Output()
    assert output.painted("x", "bad") == "x"
    assert output.linked("x", tmp_path) == "x"


@pytest.mark.parametrize(
    ("output", "is_coloured"),
    [
        (Output(), True),
        (Output(colour=False), False),
        (Output(terminal="dumb"), False),
        (Output(terminal="xterm"), True),
    ],
)
def test_terminal_gets_colour_unless_asked_not_to(output, is_coloured):
    assert output.has_colour(Terminal()) is is_coloured
    assert replace(output, colour=True).has_colour(io.StringIO())


def test_link_names_the_file_on_a_terminal(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stdout", Terminal())
    file = tmp_path / "a b.py"
    assert Output().linked("x", file) == "x"
    file.write_text("")
    linked = Output().linked("x", file)
    assert linked.startswith("\x1b]8;;file://")
    assert "/a%20b.py\x1b\\x\x1b]8;;\x1b\\" in linked


def test_error_in_json_is_an_object_on_stdout(capsys):
    output = Output(is_json=True)
    assert output.fail("IndexBusy", "busy", "wait", 5) == 5
    said = capsys.readouterr()
    assert '"exit_code": 5' in said.out
    assert said.err == "error: busy\nhint: wait\n"
