"""What does git know about a folder: its repository, its excludes files, its submodules?

Reads git's plain files, bounded and without running git. Of configuration it honours
`core.excludesFile` and `core.ignoreCase`; includes are not followed.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from scrubjay.scan.probe import read_plain

MAX_GIT_FILE_BYTES = 1 << 20
MAX_RULES_BYTES = 100 * 1024 * 1024
"""Larger ignore files are passed over, as git does."""


class Border(Enum):
    """What kind of checkout a folder is the top of."""

    REPOSITORY = "repository"
    SUBMODULE = "submodule"


@dataclass(frozen=True, slots=True)
class Repository:
    """The repository a folder lies in; `git_dir` is the one that linked worktrees share."""

    top: bytes
    git_dir: bytes
    ignores_case: bool
    excludes_file: bytes | None


def find_border(folder: bytes) -> Border | None:
    """Say whether a folder is the top of a repository, a linked worktree or a submodule."""
    marker = folder + b"/.git"
    if not os.access(marker, os.F_OK):
        return None
    pointer = _read_pointer(marker)
    if pointer is not None:
        return Border.REPOSITORY if b"/worktrees/" in pointer else Border.SUBMODULE
    return Border.REPOSITORY if os.access(marker + b"/HEAD", os.F_OK) else None


def find_repository(folder: bytes, config_home: Path) -> Repository | None:
    """Find the repository that holds a folder (a real path); None outside of any."""
    top = folder
    while find_border(top) is None:
        above = os.path.dirname(top)
        if above == top:
            return None
        top = above
    git_dir = find_git_dir(top)
    config = _read_config(os.path.join(git_dir, b"config"))
    folds = config.get(b"core.ignorecase")
    excludes = config.get(b"core.excludesfile")
    return Repository(
        top=top,
        git_dir=git_dir,
        ignores_case=default_ignores_case() if folds is None else _is_true(folds),
        excludes_file=_expand(excludes, top) if excludes else find_global_excludes(config_home),
    )


def find_git_dir(top: bytes) -> bytes:
    """Find the git directory of a checkout, by way of its `.git` file and `commondir`."""
    marker = os.path.join(top, b".git")
    pointer = _read_pointer(marker)
    git_dir = marker if pointer is None else os.path.normpath(os.path.join(top, pointer))
    common = read_plain(os.path.join(git_dir, b"commondir"), MAX_GIT_FILE_BYTES, follow=True)
    if common is None:
        return git_dir
    return os.path.normpath(os.path.join(git_dir, common.strip()))


def find_global_excludes(config_home: Path) -> bytes | None:
    """Find the user's ignore file: `core.excludesFile`, else git/ignore in `config_home`."""
    home = config_home / "git"
    for config in (Path("~/.gitconfig").expanduser(), home / "config"):
        value = _read_config(os.fsencode(config)).get(b"core.excludesfile")
        if value:
            return _expand(value, os.fsencode(Path.home()))
    return os.fsencode(home / "ignore")


def default_ignores_case() -> bool:
    """Say what `git init` would set for `core.ignoreCase` on this platform."""
    return sys.platform in ("win32", "darwin")


def read_submodules(folder: bytes) -> frozenset[bytes]:
    """List the paths of submodules that a folder's `.gitmodules` names, relative to it."""
    data = read_plain(folder + b"/.gitmodules", MAX_GIT_FILE_BYTES)
    found = (
        value.strip(b"/")
        for key, value in _parse_config(data or b"")
        if key.startswith(b"submodule.") and key.endswith(b".path")
    )
    return frozenset(path for path in found if path and b".." not in path.split(b"/"))


def _read_pointer(marker: bytes) -> bytes | None:
    data = read_plain(marker, MAX_GIT_FILE_BYTES)
    if data is None or not data.startswith(b"gitdir:"):
        return None
    return data.removeprefix(b"gitdir:").strip()


def _is_true(value: bytes) -> bool:
    return value.lower() in (b"", b"true", b"yes", b"on", b"1")


def _expand(value: bytes, base: bytes) -> bytes:
    return os.path.join(base, os.path.expanduser(value))


def _read_config(path: bytes) -> dict[bytes, bytes]:
    data = read_plain(path, MAX_GIT_FILE_BYTES, follow=True)
    return dict(_parse_config(data)) if data else {}


_SECTION = re.compile(rb'\[\s*([\w.-]+)(?:\s+"((?:[^"\\\n]|\\.)*)")?\s*\]')
_VARIABLE = re.compile(rb"([A-Za-z][\w-]*)[ \t]*(=?)[ \t]*")
_VALUE_PIECE = re.compile(rb'"((?:[^"\\]|\\.)*)"|([^"#;\\]+)|\\(.)|([#;].*)')


def _parse_config(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """List the variables of a git configuration as `section.subsection.name`, in lower case."""
    section = b""
    joined = data.replace(b"\r\n", b"\n").replace(b"\\\n", b"")
    for raw in joined.split(b"\n"):
        line = raw.strip()
        header = _SECTION.match(line)
        if header:
            name, subsection = header.groups()
            section = name.lower() + (b"." + subsection if subsection is not None else b"")
            line = line[header.end() :].lstrip()
        variable = _VARIABLE.match(line)
        if variable:
            value = _parse_value(line[variable.end() :]) if variable.group(2) else b""
            yield section + b"." + variable.group(1).lower(), value


def _parse_value(text: bytes) -> bytes:
    pieces: list[bytes] = []
    for quoted, plain, escaped, _ in _VALUE_PIECE.findall(text):
        pieces.append(re.sub(rb"\\(.)", rb"\1", quoted) if quoted else plain or escaped)
    return b"".join(pieces).strip()
