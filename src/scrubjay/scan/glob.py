"""What does one line of a gitignore file match? Git's answer, on bytes, quirks included.

Follows git's dir.c (reading of lines, literal prefixes) and wildmatch.c (globs): `?` and `[^b]`
match one byte, a run of two or more stars between slashes spans folders, a malformed class matches
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

from scrubjay.types import Rule, shown

Matcher = Callable[[bytes], object]
"""Truthy for a name, or for a path relative to the glob's base, that matches."""

_SPECIAL = re.compile(rb"[*?\[\\]")
_NEVER: Matcher = lambda text: False  # noqa: E731


@dataclass(frozen=True, slots=True)
class Origin:
    """Where lines come from: the name shown to people, the folder they rule, how strong they are.

    `base` is b"" or ends in a slash. Of two globs that match, the one of higher rank decides.
    """

    source: str
    base: bytes = b""
    rank: int = 0
    folds_case: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Glob:
    """One compiled line.

    `text` is the pattern without `!`, the trailing and the leading slash, and `literal` the same if
    it holds no wildcard. `prefix` is the folder outside of which a path glob cannot match;
    `matches` takes the base name, or for path globs what follows `prefix`.
    """

    rule: Rule
    rank: int
    text: bytes
    is_negated: bool
    folders_only: bool
    is_path: bool
    literal: bytes | None
    prefix: bytes
    spans_folders: bool
    matches: Matcher = field(repr=False)

    @property
    def names_something(self) -> bool:
        """Say whether any letter or digit is spelled: `!*/` names nothing."""
        return any(c not in b"*?/" for c in self.text)

    def reaches(self, folder: bytes) -> bool:
        """Say whether a path glob can match an entry of a folder (b"" or ending in a slash)."""
        return folder.startswith(self.prefix) if self.spans_folders else folder == self.prefix


def parse_globs(data: bytes, origin: Origin) -> Iterator[Glob]:
    """Compile the lines of an ignore file, in order; blank lines and comments are passed over."""
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not line or line.startswith(b"#"):
            continue
        pattern = _without_trailing_spaces(line.removesuffix(b"\r").split(b"\0", 1)[0])
        if pattern:
            rule = Rule(origin.source, number, shown(pattern))
            yield _compile(pattern, rule, origin, origin.rank + number)


def _without_trailing_spaces(line: bytes) -> bytes:
    end = i = 0
    while i < len(line):
        if line[i : i + 1] == b"\\":
            i += 2
            end = min(i, len(line))
            continue
        i += 1
        if line[i - 1 : i] != b" ":
            end = i
    return line[:end]


def _compile(pattern: bytes, rule: Rule, origin: Origin, rank: int) -> Glob:
    is_negated = pattern.startswith(b"!")
    text = pattern[is_negated:]
    folders_only = text.endswith(b"/")
    text = text[: len(text) - folders_only]
    is_path = b"/" in text
    text = text.removeprefix(b"/") if is_path else text
    if origin.folds_case:
        text = text.lower()
    found = _SPECIAL.search(text)
    head = found.start() if found else len(text)
    cut = text.rfind(b"/", 0, head) + 1 if is_path else 0
    base = origin.base.lower() if origin.folds_case else origin.base
    return Glob(
        rule=rule,
        rank=rank,
        text=text,
        is_negated=is_negated,
        folders_only=folders_only,
        is_path=is_path,
        literal=text if found is None else None,
        prefix=base + text[:cut] if is_path else base,
        spans_folders=b"/" in text[cut:] or b"**" in text[cut:],
        matches=make_matcher(text[cut:], head - cut, is_path, origin.folds_case),
    )


@cache
def make_matcher(glob: bytes, head: int, is_path: bool, folds_case: bool) -> Matcher:
    """Compile a glob whose first `head` bytes are literal; cached, as patterns repeat."""
    if not glob:
        return _NEVER
    if head == len(glob):
        return glob.__eq__
    if not is_path and glob[:1] == b"*" and not _SPECIAL.search(glob, 1):
        suffix = glob[1:]
        return lambda name: name.endswith(suffix)
    translated = _translate(glob, head, is_path)
    if translated is None:
        return _NEVER
    return re.compile(translated, re.DOTALL | (re.IGNORECASE if folds_case else 0)).match


def _translate(glob: bytes, head: int, is_path: bool) -> bytes | None:
    r"""Write a glob as a regular expression ending in `\Z`; None where it can match nothing.

    Every star opens an atomic group that reaches to the next one (stars over folders: to the next
    of their kind), matched lazily: the leftmost match is always good enough, so a hostile pattern
    finds no exponential backtracking to exploit.
    """
    out: list[bytes] = [re.escape(glob[:head])]
    inner_open = outer_open = 0
    for token in _tokenize(glob, head, is_path):
        if not token:
            return None
        if token in _STARS_OVER_FOLDERS:
            out.append(b")" * (inner_open + outer_open))
            inner_open, outer_open = 0, 1
        elif token in _STARS:
            out.append(b")" * inner_open)
            inner_open = 1
        out.append(token)
    return b"".join((*out, rb"\Z", b")" * (inner_open + outer_open)))


_MALFORMED = b""
"""What a class without end gives, and a backslash without a character."""

_STAR_IN_NAME, _STAR_IN_PATH = b"(?>.*?", b"(?>[^/]*?"
_FOLDERS, _OPTIONAL_FOLDERS = b"(?>(?:.*?)", b"(?>(?:.*?/)??"
_STARS = (_STAR_IN_NAME, _STAR_IN_PATH)
_STARS_OVER_FOLDERS = (_FOLDERS, _OPTIONAL_FOLDERS)


def _tokenize(glob: bytes, head: int, is_path: bool) -> Iterator[bytes]:
    """Translate piece by piece what follows the literal head; ends early at what is malformed."""
    i = head
    while i < len(glob):
        char = glob[i : i + 1]
        if char == b"*":
            end = len(glob) - len(glob[i:].lstrip(b"*"))
            if not (is_path and end - i > 1 and _is_segment(glob, head, i, end)):
                yield _STAR_IN_PATH if is_path else _STAR_IN_NAME
            elif glob[end : end + 1] == b"/":
                yield _OPTIONAL_FOLDERS
                end += 1
            else:
                yield _FOLDERS
            i = end
        elif char == b"?":
            yield b"[^/]" if is_path else b"."
            i += 1
        elif char == b"[":
            members, i = _read_class(glob, i)
            yield (
                _MALFORMED
                if members is None
                else _write_class(members - {0x2F} if is_path else members)
            )
        else:
            i += char == b"\\"
            yield re.escape(glob[i : i + 1])
            i += 1


def _is_segment(glob: bytes, head: int, start: int, end: int) -> bool:
    """Say whether a run of stars counts as a whole segment; git cuts the literal head off first."""
    is_begun = start == head or glob[start - 1 : start] == b"/"
    return is_begun and (end == len(glob) or glob[end:].startswith((b"/", b"\\/")))


def _read_class(glob: bytes, i: int) -> tuple[set[int] | None, int]:
    """Read a bracket expression as wildmatch.c does: its bytes (None: malformed), and its end."""
    i += 1
    is_negated = glob[i : i + 1] in (b"!", b"^")
    i += is_negated
    members: set[int] = set()
    previous = 0
    is_first = True
    while is_first or glob[i : i + 1] != b"]":
        is_first = False
        if glob[i : i + 2] == b"[:" and (end := _end_of_named_class(glob, i)):
            named = _POSIX.get(glob[i + 2 : end - 1])
            if named is None:
                return None, i
            members |= named
            previous, i = 0, end + 1
            continue
        is_range = glob[i : i + 1] == b"-" and previous and glob[i + 1 : i + 2] not in (b"", b"]")
        i += bool(is_range)
        i += glob[i : i + 1] == b"\\"
        if i >= len(glob):
            return None, i
        members.update(range(previous, glob[i] + 1) if is_range else (glob[i],))
        previous = 0 if is_range else glob[i]
        i += 1
    return (set(range(1, 256)) - members if is_negated else members), i + 1


def _end_of_named_class(glob: bytes, i: int) -> int:
    """Find the bracket that ends `[:name:]`; 0 where this is no such thing."""
    end = glob.find(b"]", i + 2)
    return end if end > i + 2 and glob[end - 1] == 0x3A else 0


def _write_class(members: set[int]) -> bytes:
    if not members:
        return b"(?!)"
    return b"[" + b"".join(b"\\x%02x" % member for member in sorted(members)) + b"]"


def _bytes_where(test: Callable[[str], bool]) -> frozenset[int]:
    return frozenset(code for code in range(1, 128) if test(chr(code)))


_POSIX = {
    b"alnum": _bytes_where(str.isalnum),
    b"alpha": _bytes_where(str.isalpha),
    b"blank": frozenset(b" \t"),
    b"cntrl": frozenset({*range(1, 32), 127}),
    b"digit": _bytes_where(str.isdigit),
    b"graph": frozenset(range(33, 127)),
    b"lower": _bytes_where(str.islower),
    b"print": frozenset(range(32, 127)),
    b"punct": frozenset(c for c in range(33, 127) if not chr(c).isalnum()),
    b"space": frozenset(b" \t\n\v\f\r"),
    b"upper": _bytes_where(str.isupper),
    b"xdigit": frozenset(b"0123456789abcdefABCDEF"),
}
