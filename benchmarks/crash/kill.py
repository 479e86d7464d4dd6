"""Kills a writing process many times, at random instants and points; checks the index after each.

    python benchmarks/crash/kill.py [--kills 1000] [--seed 1] [--fresh-every 20] [--folder DIR]

The writer is the script of tests/store/crash_child.py. One index goes on from kill to kill, and a
new one is begun every `--fresh-every` kills. After each kill a child checks every invariant; after
every other kill it also sweeps and checks I5. At last the script runs through and must come to the
state of an index that was never killed. Prints one JSON object; exits with 1 on any fault.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

PROJECT = Path(__file__).parents[2]
sys.path[:0] = [str(PROJECT), str(PROJECT / "tests" / "store")]

from crash_child import Suicide, fork, run_script, waited  # noqa: E402
from tests.stored import assert_sound, opened  # noqa: E402

from scrubjay.store.commit import CRASH_POINTS  # noqa: E402
from scrubjay.store.maintain import open_for_writing  # noqa: E402

OCCURRENCES = 6
"""The script passes no point more often."""


def in_child(work: Callable[[], None]) -> bool:
    """Run something in a child, so that the parent starts no thread of Lance; tell if it did."""
    child = os.fork()
    if child:
        return waited(child) == 0
    try:
        work()
        os._exit(0)
    except BaseException as error:  # a child must not return into its parent's code
        os.write(2, f"{error!r}\n".encode())
        os._exit(1)


def kill_once(folder: Path, longest_s: float, chance: random.Random) -> str:
    """Run the script in a child and kill it; returns where."""
    if chance.random() < 0.3:
        point = chance.choice(CRASH_POINTS)
        code = waited(fork(folder, Suicide(point, chance.randint(1, OCCURRENCES))))
        return point if code == -signal.SIGKILL else "finished"
    child = fork(folder)
    time.sleep(chance.uniform(0, longest_s))
    os.kill(child, signal.SIGKILL)
    return "instant" if waited(child) == -signal.SIGKILL else "finished"


def check(folder: Path, *, sweep: bool) -> None:
    open_for_writing(folder).close()
    assert_sound(folder)
    if sweep:
        with opened(folder) as shelf:
            shelf.committer.sweep(budget_s=60)
        assert_sound(folder, swept=True)


def finish(folder: Path, whole: Path) -> None:
    run_script(folder)
    assert_sound(folder, swept=True)
    with opened(folder) as shelf, opened(whole) as expected:
        assert shelf.holds() == expected.holds()


def run(kills: int, chance: random.Random, fresh_every: int, scratch: Path) -> Counter[str]:
    outcome: Counter[str] = Counter()
    whole, folder = scratch / "whole", scratch / "index"
    began = time.monotonic()
    assert in_child(lambda: run_script(whole))
    longest_s = time.monotonic() - began
    for number in range(1, kills + 1):
        outcome[kill_once(folder, longest_s, chance)] += 1
        if not in_child(lambda n=number: check(folder, sweep=n % 2 == 0)):  # type: ignore[misc]  # mypy knows no defaults of lambdas
            outcome["broken"] += 1
            shutil.copytree(folder, scratch / f"broken-{number}")
        if number % fresh_every == 0 or number == kills:
            outcome["unfinished"] += not in_child(lambda: finish(folder, whole))
            shutil.rmtree(folder)
    return outcome


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fresh-every", type=int, default=20)
    parser.add_argument("--folder", type=Path, help="where to work (default: a temporary folder)")
    options = parser.parse_args()
    scratch = Path(tempfile.mkdtemp(dir=options.folder))
    began = time.monotonic()
    outcome = run(options.kills, random.Random(options.seed), options.fresh_every, scratch)
    seconds = round(time.monotonic() - began, 1)
    print(json.dumps({"kills": options.kills, "seconds": seconds, "where": dict(outcome)}))
    if outcome["broken"] or outcome["unfinished"]:
        print(f"kept: {scratch}", file=sys.stderr)
        return 1
    shutil.rmtree(scratch)
    return 0


if __name__ == "__main__":
    sys.exit(main())
