"""How are times, sizes and places written for a person?"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path

UNITS = ("bytes", "kB", "MB", "GB", "TB")
SPANS = (
    (86_400 * 2, 86_400, "days"),
    (7_200, 3_600, "hours"),
    (120, 60, "minutes"),
    (0, 1, "seconds"),
)


def near(path: Path, here: Path | None = None) -> str:
    """Spell an absolute path relative to the current folder, where that is shorter."""
    base = Path(os.path.realpath(here or Path.cwd()))
    try:
        relative = os.path.relpath(path, base)
    except ValueError:  # another drive
        return str(path)
    return relative if len(relative) < len(str(path)) else str(path)


def many(count: int, noun: str) -> str:
    """Write a count with its noun: `1 file`, `2,871 files`."""
    if count == 1:
        return f"1 {noun}"
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{count:,} {plural}"


def counted(counts: Mapping[str, int], most: int = 8) -> str:
    """Write counts by name, greatest first."""
    ordered = sorted(((n, name) for name, n in counts.items() if n), reverse=True)
    shown = [f"{name} {n:,}" for n, name in ordered[:most]]
    if len(ordered) > most:
        shown.append(f"{len(ordered) - most} more kinds {sum(n for n, _ in ordered[most:]):,}")
    return " · ".join(shown)


def sized(size_bytes: int) -> str:
    """Write a size in the unit that fits: `62.1 MB`."""
    size, unit = float(size_bytes), 0
    while size >= 1000 and unit < len(UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:.1f} {UNITS[unit]}" if unit else many(size_bytes, "byte")


def ago(when: float, now: float | None = None) -> str:
    """Write a time in Unix seconds by its distance from now, with the date where it is far."""
    passed = max(0.0, (time.time() if now is None else now) - when)
    if passed < 2:
        return "just now"
    _, seconds, noun = next(span for span in SPANS if passed >= span[0])
    text = f"{passed / seconds:.0f} {noun} ago"
    return (
        text if passed < 86_400 else f"{text} ({time.strftime('%Y-%m-%d', time.localtime(when))})"
    )


def lasted(seconds: float) -> str:
    """Write a duration: `0.4 s`, `3 min 20 s`."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds // 60)} min {int(seconds % 60)} s"
