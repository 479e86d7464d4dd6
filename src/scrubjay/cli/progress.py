"""What does a run look like? A live display on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from scrubjay.cli.wording import lasted, many
from scrubjay.events import (
    CrawlAdvanced,
    CrawlFinished,
    CrawlStarted,
    Event,
    FileFinished,
    FileStarted,
    Listener,
    Warned,
    WorkAdvanced,
    ignore,
)

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from scrubjay.cli.output import Output

LINE_INTERVAL_S = 5.0
"""Between two lines where nobody watches a terminal."""
REFRESHES_PER_S = 8
SLOW_S = 4.0
"""A file in flight for longer is named first: it may be what the run waits for."""
NAMES_SHOWN = 3
WORTH_SAYING_S = 5
"""Less time left is not worth saying."""


class Course:
    """How far a run has come, as its events tell; asked and told from several threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with nothing done."""
        self._clock = clock
        self._lock = threading.Lock()
        self._flight: dict[str, float] = {}
        self.root = ""
        self.walked = 0
        self.total = 0
        self.embedded = 0
        self.reused = 0
        self.work_began: float | None = None
        self.finished = 0
        self.failed = 0

    def tell(self, event: Event) -> None:
        """Take note of an event."""
        match event:
            case CrawlStarted():
                self.root, self.walked = event.root, 0
            case CrawlAdvanced():
                self.walked = event.walked
            case CrawlFinished():
                self.walked = event.walked
                self.total += event.dirty
            case FileStarted():
                with self._lock:
                    self._flight[event.path] = self._clock()
                    if self.work_began is None:
                        self.work_began = self._clock()
            case FileFinished():
                with self._lock:
                    self._flight.pop(event.path, None)
                self.finished += 1
                self.failed += event.problem is not None
            case WorkAdvanced():
                self.total, self.embedded, self.reused = event.total, event.embedded, event.reused

    def is_working(self) -> bool:
        """Say whether files are worked on, the crawl being over."""
        return self.work_began is not None

    def rate(self) -> float:
        """Tell how many files a second were finished so far."""
        if self.work_began is None:
            return 0.0
        passed = self._clock() - self.work_began
        return self.finished / passed if passed > 0 else 0.0

    def in_flight(self) -> list[str]:
        """Name files that are worked on: the slow ones first, then the newest."""
        with self._lock:
            flight = list(self._flight.items())
        now = self._clock()
        slow = [path for path, began in flight if now - began > SLOW_S]
        newest = [path for path, began in reversed(flight) if now - began <= SLOW_S]
        return (slow + newest)[:NAMES_SHOWN]

    def sentence(self) -> str:
        """Say in one line how far the run is."""
        if not self.is_working():
            return f"looking for changes in {self.root}: {self.walked:,} entries"
        reused = f", {self.reused:,} reused" if self.reused else ""
        failed = f", {self.failed:,} failed" if self.failed else ""
        rate = self.rate()
        wait = (self.total - self.finished) / rate if rate else 0
        left = f", {lasted(wait)} left" if wait >= WORTH_SAYING_S else ""
        return (
            f"{self.finished:,} of {self.total:,} files, {rate:,.0f} files/s{left},"
            f" {many(self.embedded, 'text')} embedded{reused}{failed}"
        )


class Watched(Protocol):
    """A display of a run: told of its events, and of the wish to stop."""

    def tell(self, event: Event) -> None:
        """Show an event."""

    def stopping(self) -> None:
        """Show that the run ends when what is in flight is done; called by a signal handler."""


STOPPING = "stopping: finishing what is in flight; Ctrl-C again stops at once"


class Silent:
    """A display that shows nothing."""

    tell: Listener = staticmethod(ignore)

    def stopping(self) -> None:
        """Show nothing."""


class Lines:
    """A line to stderr now and then."""

    def __init__(self, output: Output) -> None:
        """Print with `output`."""
        self._output = output
        self._course = Course()
        self._last = time.monotonic()

    def tell(self, event: Event) -> None:
        """Print a line, if it is time for one."""
        self._course.tell(event)
        if isinstance(event, Warned):
            self._output.aside(f"warning: {event.message}")
        elif isinstance(event, CrawlFinished):
            changes = f"{many(event.dirty, 'file')} to do" if event.dirty else "nothing to do"
            self._output.aside(f"{event.root}: {event.walked:,} entries, {changes}")
        elif isinstance(event, (CrawlAdvanced, WorkAdvanced)):
            now = time.monotonic()
            if now - self._last >= LINE_INTERVAL_S:
                self._last = now
                self._output.aside(self._course.sentence())

    def stopping(self) -> None:
        """Say so past Python's buffers, which the signal may have found in use."""
        os.write(2, f"\n{STOPPING}\n".encode())


class Drawn:
    """A live display on the terminal behind stderr."""

    def __init__(self, console: Console) -> None:
        """Draw on `console`."""
        self._console = console
        self._course = Course()
        self._is_stopping = False

    def tell(self, event: Event) -> None:
        """Take note of an event; the display is drawn anew by itself."""
        self._course.tell(event)
        if isinstance(event, Warned):
            self._console.print(f"warning: {event.message}", markup=False, highlight=False)

    def stopping(self) -> None:
        """Say so in the display."""
        self._is_stopping = True

    def draw(self) -> RenderableType:
        """Draw the display as it is now."""
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        course = self._course
        row = Table.grid(padding=(0, 1))
        if course.is_working() and course.total:
            row.add_row(
                ProgressBar(total=course.total, completed=course.finished, width=24),
                Text(course.sentence(), overflow="ellipsis", no_wrap=True),
            )
        else:
            row.add_row(Text(course.sentence(), overflow="ellipsis", no_wrap=True))
        parts: list[RenderableType] = [row]
        names = course.in_flight()
        if names:
            parts.append(Text("  " + ", ".join(names), "dim", overflow="ellipsis", no_wrap=True))
        if self._is_stopping:
            parts.append(Text(STOPPING, "yellow"))
        return Group(*parts)


@contextmanager
def watching(output: Output, *, quiet: bool) -> Iterator[Watched]:
    """Show a run: drawn on a terminal, in lines elsewhere, or not at all."""
    if quiet:
        yield Silent()
    elif output.is_terminal(sys.stderr):
        from rich.console import Console
        from rich.live import Live

        console = Console(stderr=True, no_color=output.colour is False or None)
        display = Drawn(console)
        with Live(
            console=console,
            get_renderable=display.draw,
            refresh_per_second=REFRESHES_PER_S,
            transient=True,
        ):
            yield display
    else:
        yield Lines(output)
