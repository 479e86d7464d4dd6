"""How often are cycles looked for? Seldom, while files become values by the million."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

THRESHOLD = (100_000, 50, 50)
"""Plain values hold hardly a cycle: at the usual 700 the collector takes a twentieth of a run."""


@contextmanager
def rare_collection() -> Iterator[None]:
    """Look for cycles rarely while this lasts, then as before."""
    before = gc.get_threshold()
    gc.set_threshold(*THRESHOLD)
    try:
        yield
    finally:
        gc.set_threshold(*before)
