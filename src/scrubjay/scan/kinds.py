"""What is a file by its name: text of which language, or left out and why? Opens nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scrubjay.scan import kind_tables as tables
from scrubjay.types import Kind, RootKind, SkipReason


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a name says: `reason` is set when the file stays out.

    `shebang` marks a name that says nothing (`manage`): worth a look only if it is executable.
    """

    kind: Kind
    language: str | None = None
    reason: SkipReason | None = None
    shebang: bool = False


def _inverted(table: Mapping[str, str]) -> dict[bytes, Verdict]:
    return {
        word.encode(): Verdict(Kind.TEXT, language)
        for language, listed in table.items()
        for word in listed.split()
    }


def _left_out(reason: SkipReason) -> Verdict:
    return Verdict(Kind.IGNORED, reason=reason)


_UNLISTED = _left_out(SkipReason.NOT_LISTED)
_LOCKFILE = _left_out(SkipReason.LOCKFILE)
_GENERATED = _left_out(SkipReason.GENERATED)
_NAMELESS = Verdict(Kind.TEXT, shebang=True)
_DOTENV = Verdict(Kind.TEXT, "dotenv")

_NAMES = _inverted(tables.NAMES) | {name.encode(): _LOCKFILE for name in tables.LOCKFILES.split()}
_EXTENSIONS = _inverted(tables.EXTENSIONS)
_STEMS = {stem.encode(): Verdict(Kind.TEXT, language) for stem, language in tables.STEMS.items()}
_INTERPRETERS = {
    word: verdict.language for word, verdict in _inverted(tables.SHEBANG_LANGUAGES).items()
}
_WRAPPERS = frozenset(word.encode() for word in tables.WRAPPERS)
_OPAQUE = frozenset(word.encode() for word in tables.OPAQUE_EXTENSIONS.split())
_GENERATED_ENDINGS = tuple(ending.encode() for ending in tables.GENERATED_SUFFIXES)
_LOCK_ENDING = tables.LOCK_SUFFIX.encode()
_UNLISTED_ENDINGS = tuple(ending.encode() for ending in tables.UNLISTED_SUFFIXES)
_BARRED_ENDINGS = (*_GENERATED_ENDINGS, _LOCK_ENDING, *_UNLISTED_ENDINGS)
_SHADOWED = frozenset(word.rpartition(b".")[2] for word in (*_NAMES, *_BARRED_ENDINGS))
_PLAIN_EXTENSIONS = {
    extension: verdict for extension, verdict in _EXTENSIONS.items() if extension not in _SHADOWED
}
"""Extensions that decide alone: no whole name and no barred ending goes before them."""

_EXAMPLE_ENDINGS = tuple(ending.encode() for ending in tables.EXAMPLE_ENDINGS)


class Kinds:
    """The judge of names for one root: the built-in tables plus the user's extensions.

    `extra_extensions` holds `xyz` or `xyz=language`; they win over the tables' suffix rules.
    A root of kind ALL is judged as a text root.
    """

    __slots__ = ("_extra", "_plain")

    def __init__(
        self, extra_extensions: Iterable[str] = (), root_kind: RootKind = RootKind.TEXT
    ) -> None:
        self._extra: dict[bytes, Verdict] = {}
        for item in extra_extensions:
            extension, _, language = item.partition("=")
            key = extension.strip().lstrip("*").lstrip(".").lower().encode()
            known = _EXTENSIONS.get(key)
            spoken = language.strip().lower() or (known.language if known else None)
            self._extra[key] = Verdict(Kind.TEXT, spoken or "text")
        self._plain = {key: v for key, v in _PLAIN_EXTENSIONS.items() if key not in self._extra}

    def judge(self, name: bytes) -> Verdict:
        """Judge a file's base name, in any case."""
        dot = name.rfind(b".")
        if dot >= 0 and (plain := self._plain.get(name[dot + 1 :])) is not None:
            return plain
        name = name.lower()
        while (verdict := self._judge_bare(name)) is None:
            name = name[: name.rfind(b".")]
        return verdict

    def _judge_bare(self, name: bytes) -> Verdict | None:
        """Judge a lower-case name; None says that its last extension is a wrapper to take off."""
        known = _NAMES.get(name)
        if known is not None:
            return known
        dot = name.rfind(b".")
        if dot < 0:
            return _NAMELESS
        extension = name[dot + 1 :]
        if self._extra and extension in self._extra:
            return self._extra[extension]
        if name.endswith(_BARRED_ENDINGS):
            return _judge_barred(name)
        listed = _EXTENSIONS.get(extension)
        if listed is not None:
            return listed
        return _judge_odd(name, dot)


def _judge_barred(name: bytes) -> Verdict:
    if name.endswith(_LOCK_ENDING):
        return _LOCKFILE
    return _UNLISTED if name.endswith(_UNLISTED_ENDINGS) else _GENERATED


def _judge_odd(name: bytes, dot: int) -> Verdict | None:
    """Judge a name whose extension is not listed: `.env` files, wrappers, lengthened stems."""
    if name == b".env" or name.startswith(b".env."):
        is_example = name.endswith(_EXAMPLE_ENDINGS)
        return _DOTENV if is_example else _UNLISTED
    extension = name[dot + 1 :]
    if extension in _WRAPPERS:
        return None if dot > 0 and b"." in name[:dot] or name[:dot] in _NAMES else _UNLISTED
    stem = _STEMS.get(name[: name.find(b".")])
    return stem if stem is not None and extension not in _OPAQUE else _UNLISTED


_SHEBANG = re.compile(rb"#![ \t]*(\S+)[ \t]*(.*)")
_ENV_WORD = re.compile(rb"(?:-\S+[ \t]+|\w+=\S*[ \t]+)*(\S+)")


def language_of_shebang(first_line: bytes) -> str | None:
    """Name a script's language by its `#!` line: None without one, `text` if it is unknown."""
    line = first_line[:512].removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].rstrip()
    found = _SHEBANG.match(line)
    if found is None:
        return None
    interpreter, rest = found.groups()
    program = _base_name(interpreter)
    if program == b"env":
        argument = _ENV_WORD.match(rest)
        program = _base_name(argument.group(1)) if argument else b""
    return (
        _INTERPRETERS.get(program) or _INTERPRETERS.get(program.rstrip(b"0123456789.-")) or "text"
    )


def _base_name(program: bytes) -> bytes:
    name = re.split(rb"[/\\]", program)[-1].lower()
    return name.removesuffix(b".exe")
