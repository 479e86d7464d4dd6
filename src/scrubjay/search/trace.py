"""Which places does an error message or stack trace name? Pure: text in, frames out.

Reads the frames of CPython, V8 and SpiderMonkey, the JVM, .NET, Go, Rust, Ruby, PHP, and the
`path:line:column: error` of compilers and linters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_FRAMES = 40
MAX_TITLE_CHARS = 300

ERROR = re.compile(
    r"Traceback \(most recent|\b\w*(?:Error|Exception|Warning|Fault)\b\s*[:(]"
    r"|\berror\s*[:\[]|\bpanic:|\bpanicked at\b|\bFAILED\b|\bfatal:|\bFatal error\b"
    r"|\bUnhandled exception\b|\bsegmentation fault\b"
)
"""What tells that a text is an error message."""

_HEADING = "Traceback (most recent"
_FRAME = re.compile(
    r'File "(?P<python>[^"\n]+)", line (?P<python_line>\d+)(?:, in (?P<python_name>[\w.<>]+))?'
    r"|\bat (?P<jvm_name>[\w.$<>]+)"
    r"\((?P<jvm>[\w$-]+\.(?:java|kt|scala|groovy|clj)):(?P<jvm_line>\d+)\)"
    r"|\bat (?P<net_name>[\w.`<>\[\],+]+)\([^)\n]*\) in (?P<net>[^\n]+?):line (?P<net_line>\d+)"
    r"|\bat (?:(?:async |new )?(?P<js_name>[\w.$<>\[\] ]+?) )?\(?(?:file://|https?://[^/\s]+/)?"
    r"(?P<js>[^\s():]*[^\s():/]\.\w+):(?P<js_line>\d+):\d+\)?"
    r"|(?P<ruby>[^\s:'\"]+\.rb):(?P<ruby_line>\d+):in [`'](?P<ruby_name>[^'\n]+)'"
    r"|(?P<php>[^\s:'\"()]+\.php)"
    r"(?:\((?P<php_line>\d+)\)| on line (?P<php_line2>\d+)|:(?P<php_line3>\d+))"
    r"|(?P<path>(?:[A-Za-z]:)?[\w./\\@+~-]*[\w-]\.[A-Za-z]\w{0,5}):(?P<line>\d+)(?::\d+)?"
)
_INNERMOST_LAST = ("python",)
"""Languages whose traces end where the error was raised."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One place a trace names: a path as it is written there, `/`-separated, and a 1-based line.

    `name` is the function, without what it is a member of; None where the trace tells none.
    """

    path: str
    line: int
    name: str | None


@dataclass(frozen=True, slots=True)
class Trace:
    """What an error text says: its message in a line, and its frames, innermost first."""

    title: str
    frames: tuple[Frame, ...]


def is_error(text: str) -> bool:
    """Say whether a text reads like an error message or stack trace."""
    return bool(ERROR.search(text))


def read_trace(text: str) -> Trace:
    """Read an error text; one without frames gives none, and its most telling line as title."""
    frames, innermost_last = [], False
    for match in _FRAME.finditer(text):
        frame = _frame(match)
        if frame not in frames:
            frames.append(frame)
        innermost_last = innermost_last or match.group(_INNERMOST_LAST[0]) is not None
    if innermost_last:
        frames.reverse()
    return Trace(_title(text, innermost_last=innermost_last), tuple(frames[:MAX_FRAMES]))


def _frame(match: re.Match[str]) -> Frame:
    held = {name: value for name, value in match.groupdict().items() if value is not None}
    path = next(
        held[kind] for kind in ("python", "jvm", "net", "js", "ruby", "php", "path") if kind in held
    )
    line = next(value for name, value in held.items() if "line" in name)
    name = next((value for key, value in held.items() if key.endswith("_name")), None)
    bare = re.split(r"[.$#:]|::", name.strip())[-1] if name else ""
    return Frame(path.replace("\\", "/"), int(line), bare if bare.isidentifier() else None)


def _title(text: str, *, innermost_last: bool) -> str:
    """Take the line that says what went wrong: the last such line of a Python traceback."""
    telling = list(_telling_lines(text))
    if not telling:
        return ""
    return (telling[-1] if innermost_last else telling[0])[:MAX_TITLE_CHARS]


def _telling_lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        line = line.strip()
        if ERROR.search(line) and _HEADING not in line:
            yield line
