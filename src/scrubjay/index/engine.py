"""Where are files prepared? In processes of our own; a crash costs one file one attempt.

A worker answers in the order it was asked, so when it dies, or is killed for being late, the oldest
unanswered task is the culprit; the others go to its successor.
"""

from __future__ import annotations

import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

from scrubjay.errors import ScrubjayError
from scrubjay.index.frames import READY, read_frame, write_frame
from scrubjay.index.tasks import Prepared, PrepareSettings, Task, failed

if TYPE_CHECKING:
    import msgspec

AHEAD = 8
"""Tasks a worker holds: enough to never wait for the parent, few enough to lose little."""

RESULTS_AHEAD = 96
"""Prepared files that may wait for the committer; with 512 KiB each at most, this bounds memory."""

WATCH_INTERVAL_S = 0.25

_BOOT = "import sys; sys.path[:] = sys.argv[1:]; from scrubjay.index.child import main; main()"
"""Isolated (-I): the folder we stand in may be the one indexed, and its modules must not run."""


class LocalEngine:
    """Implements `ports.Engine` with `workers` processes, started when there is work for them."""

    def __init__(self, settings: PrepareSettings, *, workers: int, deadline_s: float) -> None:
        """Use at most `workers` processes; a file may take `deadline_s` seconds."""
        self._settings = settings
        self._most = workers
        self._deadline_s = deadline_s
        self._workers: list[_Worker] = []

    def map(self, tasks: Iterable[Task]) -> Iterator[Prepared]:
        """Prepare every task; closing the iterator abandons what has not started."""
        run = _Run(iter(tasks), queue.Queue(RESULTS_AHEAD))
        self._workers = [_Worker(self._settings, run, self._deadline_s) for _ in range(self._most)]
        for worker in self._workers:
            worker.start()
        watch = threading.Thread(target=self._watch, args=(run,), daemon=True)
        watch.start()
        try:
            running = len(self._workers)
            while running:
                result = run.results.get()
                if isinstance(result, Prepared):
                    yield result
                elif result is None:
                    running -= 1
                else:
                    raise result
        finally:
            run.stop()
            self.close()
            watch.join()

    def close(self) -> None:
        """Stop the workers."""
        for worker in self._workers:
            worker.stop()
        self._workers = []

    def _watch(self, run: _Run) -> None:
        while not run.stopped.wait(WATCH_INTERVAL_S):
            for worker in self._workers:
                worker.kill_if_late()


@dataclass(slots=True)
class _Run:
    """One `map`: where tasks come from and results go; None among them: a worker has finished."""

    tasks: Iterator[Task]
    results: queue.Queue[Prepared | BaseException | None]
    lock: threading.Lock = field(default_factory=threading.Lock)
    stopped: threading.Event = field(default_factory=threading.Event)

    def next_task(self) -> Task | None:
        with self.lock:
            return None if self.stopped.is_set() else next(self.tasks, None)

    def put(self, result: Prepared | BaseException | None) -> None:
        while not self.stopped.is_set():
            try:
                self.results.put(result, timeout=0.2)
                return
            except queue.Full:
                continue

    def stop(self) -> None:
        self.stopped.set()


class _Worker:
    """A thread that keeps one process supplied, and replaces it when it dies."""

    def __init__(self, settings: PrepareSettings, run: _Run, deadline_s: float) -> None:
        self._settings = settings
        self._run = run
        self._deadline_s = deadline_s
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._asked: deque[Task] = deque()
        self._again: deque[Task] = deque()
        self._since = 0.0
        self._was_late = False
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        process = self._process
        if process is not None:
            process.kill()
        self._thread.join()

    def kill_if_late(self) -> None:
        process = self._process
        if (
            process is not None
            and self._asked
            and time.monotonic() - self._since > self._deadline_s
        ):
            self._was_late = True
            process.kill()

    def _serve(self) -> None:
        import msgspec

        decoder = msgspec.msgpack.Decoder(Prepared)
        encoder = msgspec.msgpack.Encoder()
        try:
            while self._supply(encoder):
                self._collect(decoder)
        except Exception as error:
            self._run.put(error)
        finally:
            self._end_process()
            self._run.put(None)

    def _supply(self, encoder: msgspec.msgpack.Encoder) -> bool:
        """Ask for as many tasks as the process should hold; says whether any are unanswered."""
        while len(self._asked) < AHEAD and not self._run.stopped.is_set():
            task = self._again.popleft() if self._again else self._run.next_task()
            if task is None:
                break
            process = self._process or self._start_process(encoder)
            if not self._asked:
                self._since = time.monotonic()
            self._asked.append(task)
            try:
                assert process.stdin is not None
                write_frame(process.stdin, encoder.encode(task))
            except OSError:
                break  # it died: reading will tell
        return bool(self._asked)

    def _collect(self, decoder: msgspec.msgpack.Decoder[Prepared]) -> None:
        """Wait for the oldest answer, or for the death of the process."""
        assert self._process is not None
        assert self._process.stdout is not None
        frame = read_frame(self._process.stdout)
        if frame is None:
            self._blame_oldest()
            return
        self._asked.popleft()
        self._since = time.monotonic()
        self._run.put(decoder.decode(frame))

    def _blame_oldest(self) -> None:
        culprit = self._asked.popleft()
        self._again.extend(self._asked)
        self._asked.clear()
        why = self._last_words()
        self._end_process()
        if not self._run.stopped.is_set():
            self._run.put(failed(culprit, why))

    def _last_words(self) -> str:
        assert self._process is not None
        if self._was_late:
            return f"took longer than {self._deadline_s:g} s and was stopped"
        status = self._process.wait()
        said = ""
        if self._errors is not None:
            self._errors.seek(0)
            lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
            said = f": {lines[-1][:300]}" if lines else ""
        return f"the parser process died (status {status}){said}"

    def _start_process(self, encoder: msgspec.msgpack.Encoder) -> subprocess.Popen[bytes]:
        self._was_late = False
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # lives as long as the process
        paths = [path for path in sys.path if path]
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", _BOOT, *paths],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        write_frame(self._process.stdin, encoder.encode(self._settings))
        if read_frame(self._process.stdout) != READY:
            raise ScrubjayError(
                f"parser processes cannot start: {self._last_words()}",
                hint="`scrubjay doctor` checks the installation",
            )
        return self._process

    def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()
            try:
                process.wait(timeout=2)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self._errors is not None:
            self._errors.close()
            self._errors = None
