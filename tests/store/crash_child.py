"""Runs a scripted sequence of writes in children that are killed; a program, so that it may fork.

    crash_child.py points FOLDER            kill at every occurrence of every crash point
    crash_child.py instants FOLDER N SEED   kill at N random instants

Each child works in a folder of its own below FOLDER, named after where it was killed; the child
in `whole` is not killed. The parent opens no index, so nothing of Lance is running when it forks.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
import warnings
from pathlib import Path

import lance  # noqa: F401  # loaded once, before the children are made
import pyarrow  # noqa: F401

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.stored import Shelf, opened

from scrubjay.store.catalog import Reached, pass_by
from scrubjay.store.lock import writer_lock
from scrubjay.store.maintain import tidy


def run_script(folder: Path, reached: Reached = pass_by) -> None:
    """Write, replace, retract, sweep and tidy; running it again comes to the same end."""
    with writer_lock(folder, "test"), opened(folder, reached) as shelf:
        shelf.committer.sweep(budget_s=5)
        _first_half(shelf)
        _second_half(shelf)


def _first_half(shelf: Shelf) -> None:
    shelf.put(a="one\n3:two\n", b="three\n", c="four\nfive\n")
    shelf.ask("d", "e")
    shelf.committer.publish([shelf.publication("d", "six\n")], shelf.space, [shelf.skipped("e")])
    shelf.put(a="one\nseven\n")
    shelf.put(words_only=True, b="eight\n")
    shelf.retract("c", "d")
    shelf.committer.sweep(budget_s=5)


def _second_half(shelf: Shelf) -> None:
    shelf.put(b="eight\nnine\n", e="ten\n")
    shelf.ask("f")
    shelf.settle(shelf.failed("f"))
    shelf.put(c="2:eleven\n")
    shelf.put(c="2:twelve\n", d="thirteen\n")
    shelf.ask("d")
    shelf.settle(shelf.skipped("d"))
    shelf.committer.sweep(budget_s=5)
    tidy(shelf.stores, always=True)


class Suicide:
    """Kills its process at the `occurrence`-th passing of a point; counts what it passes."""

    def __init__(self, point: str = "", occurrence: int = 0, log: Path | None = None) -> None:
        self._victim = (point, occurrence)
        self._log = log
        self._passed: dict[str, int] = {}

    def __call__(self, point: str) -> None:
        self._passed[point] = self._passed.get(point, 0) + 1
        if (point, self._passed[point]) == self._victim:
            os.kill(os.getpid(), signal.SIGKILL)
        if self._log is not None:
            self._log.write_text("".join(f"{p} {n}\n" for p, n in self._passed.items()), "utf-8")


warnings.filterwarnings("ignore", "lance is not fork-safe")


def fork(folder: Path, reached: Reached = pass_by) -> int:
    child = os.fork()
    if child:
        return child
    try:
        run_script(folder, reached)
        os._exit(0)
    except BaseException as error:  # a child must not return into its parent's code
        os.write(2, f"{folder}: {error!r}\n".encode())
        os._exit(1)


def waited(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def at_points(folder: Path) -> None:
    log = folder / "passed"
    assert waited(fork(folder / "whole", Suicide(log=log))) == 0
    for line in log.read_text("utf-8").splitlines():
        point, count = line.split()
        for occurrence in range(1, int(count) + 1):
            victim = fork(folder / f"{point}-{occurrence}", Suicide(point, occurrence))
            assert waited(victim) == -signal.SIGKILL


def at_instants(folder: Path, count: int, seed: int) -> None:
    began = time.monotonic()
    assert waited(fork(folder / "whole")) == 0
    longest, chance = time.monotonic() - began, random.Random(seed)
    for number in range(count):
        child = fork(folder / f"instant-{number}")
        time.sleep(chance.uniform(0, longest))
        os.kill(child, signal.SIGKILL)
        assert waited(child) in (0, -signal.SIGKILL)


if __name__ == "__main__":
    mode, where, *numbers = sys.argv[1:]
    if mode == "points":
        at_points(Path(where))
    else:
        at_instants(Path(where), *map(int, numbers))
