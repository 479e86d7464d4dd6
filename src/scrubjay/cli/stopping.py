"""How does Ctrl-C end a run? The first finishes what is in flight, the second ends it at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def stopping(tell: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """Give a function that says whether to stop; the signal's handler calls `tell`.

    Off the main thread, where Python takes no handlers, the answer is always no.
    """
    wished = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield wished.is_set
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}

    def stop(number: int, frame: FrameType | None) -> None:
        _restore(before)
        wished.set()
        tell()

    for number in SIGNALS:
        signal.signal(number, stop)
    try:
        yield wished.is_set
    finally:
        _restore(before)


def _restore(before: dict[signal.Signals, signal._HANDLER]) -> None:
    for number, handler in before.items():
        signal.signal(number, handler if handler is not None else signal.SIG_DFL)
