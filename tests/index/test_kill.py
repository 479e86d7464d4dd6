"""`kill -9` in the middle of a run: the index answers, heals, and goes on to the same end."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.index.conftest import Bench

from scrubjay.store.lock import writer_lock
from scrubjay.store.maintain import check, open_for_reading, open_for_writing

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows"),
]

FILES = 60
RUN = """
import sys
from pathlib import Path
from scrubjay.app import Workspace
overrides = {"index.workers": 1, "index.batch_files": 3}
Workspace(Path(sys.argv[1]), overrides).index([Path(sys.argv[2])], force=True)
"""


def fill(bench: Bench, version: int) -> None:
    for i in range(FILES):
        lines = [f"def f{i}_{n}(x):\n    return x + {version * i + n}\n" for n in range(30)]
        bench.write(f"p{i % 7}/m{i}.py", f"# wombat{version}\n\n" + "\n\n".join(lines))


def killed_run(bench: Bench, *, after_commits: int) -> bool:
    """Start a run and kill it once it has committed so often; says whether it came to its end."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.Popen([sys.executable, "-c", RUN, str(bench.folder), str(bench.tree)], env=env)
    while run.poll() is None and commits(bench.folder) < after_commits:
        time.sleep(0.002)
    run.send_signal(signal.SIGKILL)
    return run.wait() == 0


def commits(folder: Path) -> int:
    """Count publications so far, from outside; 0 while there is nothing to read."""
    try:
        stores = open_for_reading(folder)
    except Exception:
        return 0
    try:
        return int(stores.catalog.one("SELECT count(*) FROM files WHERE generation IS NOT NULL"))
    finally:
        stores.close()


@pytest.mark.parametrize("after", [0, 4, 17, 40])
def test_killed_run_heals_and_converges(bench: Bench, after: int):
    fill(bench, 1)
    killed_run(bench, after_commits=after)
    if bench.folder.exists() and commits(bench.folder):
        with writer_lock(bench.folder, "test", wait_s=10):
            stores = open_for_reading(bench.folder)
            assert check(stores) == []
            stores.close()
        assert bench.found("wombat1")
    fill(bench, 2)
    killed_run(bench, after_commits=FILES)
    summary = bench.index(force=True)
    assert summary.failed == summary.pending == 0
    assert bench.workspace().status().files.searchable == FILES
    assert bench.found("wombat1") == []
    assert len(bench.found("wombat2")) == 10
    with writer_lock(bench.folder, "test", wait_s=10):
        stores = open_for_writing(bench.folder)
        assert check(stores, swept=True) == []
        stores.close()
    assert bench.index().unchanged == FILES
