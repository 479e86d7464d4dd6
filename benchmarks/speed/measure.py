"""What does a command cost? CPU time with all its processes, wall time and memory; POSIX only."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

SAMPLE_S = 0.05
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
RSS_UNIT_BYTES = 1 if sys.platform == "darwin" else 1024
"""Of `ru_maxrss`: getrusage(2) counts kilobytes on Linux, bytes on macOS."""


@dataclass(frozen=True, slots=True)
class Cost:
    """One run of a command, waited-for processes included; `sum_mb` adds up where /proc exists."""

    cpu_s: float
    wall_s: float
    peak_mb: float
    sum_mb: float


@dataclass(frozen=True, slots=True)
class Finished:
    """A command that ended well: its cost and its standard output."""

    cost: Cost
    output: str


def run(command: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> Finished:
    """Run a command to its end; raises RuntimeError with its messages when it fails."""
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    started = os.times().elapsed
    streams = [_Reader(process.stdout), _Reader(process.stderr)]
    ended = threading.Event()
    sampler = _Sampler(process.pid, ended)
    _, status, usage = os.wait4(process.pid, 0)
    wall_s = os.times().elapsed - started
    ended.set()
    process.returncode = os.waitstatus_to_exitcode(status)
    output, messages = (stream.text() for stream in streams)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)}: exit {process.returncode}\n{messages}")
    peak_bytes = usage.ru_maxrss * RSS_UNIT_BYTES
    cost = Cost(
        cpu_s=usage.ru_utime + usage.ru_stime,
        wall_s=wall_s,
        peak_mb=peak_bytes / 1e6,
        sum_mb=max(sampler.most(), peak_bytes) / 1e6,
    )
    return Finished(cost, output)


def median(costs: Sequence[Cost]) -> Cost:
    """Take the median of each figure by itself."""
    return Cost(
        *(
            statistics.median(getattr(cost, name) for cost in costs)
            for name in ("cpu_s", "wall_s", "peak_mb", "sum_mb")
        )
    )


class _Reader(threading.Thread):
    def __init__(self, stream: IO[str]) -> None:
        super().__init__(daemon=True)
        self._stream = stream
        self._text = ""
        self.start()

    def run(self) -> None:
        with self._stream:
            self._text = self._stream.read()

    def text(self) -> str:
        self.join()
        return self._text


class _Sampler(threading.Thread):
    """Adds up the resident memory of a process and its descendants, again and again."""

    def __init__(self, pid: int, ended: threading.Event) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self._ended = ended
        self._most = 0
        self.start()

    def run(self) -> None:
        while Path("/proc/self/statm").exists() and not self._ended.wait(SAMPLE_S):
            self._most = max(self._most, sum(map(_resident_bytes, _family(self._pid))))

    def most(self) -> int:
        self.join()
        return self._most


def _family(pid: int) -> list[int]:
    members = [pid]
    for member in members:
        for children in Path(f"/proc/{member}/task").glob("*/children"):
            try:
                members += map(int, children.read_text().split())
            except OSError:
                continue
    return members


def _resident_bytes(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_BYTES
    except (OSError, IndexError):
        return 0
