"""What does a repository's history say? Reads it through the git command, newest commit first.

Nothing is written, no hook or pager runs, nothing is fetched from the network.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from errno import ENOENT
from pathlib import Path
from typing import IO

from scrubjay.errors import ScrubjayError, UsageError

MOST_COMMITS = 20_000
"""Commits looked at; a history that gives no questions by then gives none."""
MAX_BODY_CHARS = 20_000
READ_BYTES = 1 << 16

_SAFE = ("--no-pager", "-c", "protocol.allow=never", "-c", "log.showSignature=false")
_FORMAT = "--format=%x1e%H%x1f%P%x1f%an <%ae>%x1f%s%x1f%b"
_HEAD = re.compile(rb"\x1e([0-9a-f]{40,64})\x1f")
_STATUS = re.compile(rb"\n?([ACDMRTUXB])\d*")
_UNDOES = re.compile(r"[Tt]his reverts commit ([0-9a-f]{7,64})")


@dataclass(frozen=True, slots=True)
class Checkout:
    """A repository's working tree; a shallow one has lost its older history."""

    top: Path
    is_shallow: bool
    is_partial: bool


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit: who, what about, the files it changed by the names they have now.

    `paths` are relative to the top, as git spells them; files it deleted are not among them.
    `reverts` are the ids, or their beginnings, that its message says it takes back.
    """

    id: str
    parents: int
    author: str
    subject: str
    paths: tuple[bytes, ...]
    reverts: tuple[str, ...] = ()


def open_checkout(folder: Path) -> Checkout:
    """Find the repository that holds a folder.

    Raises UsageError where there is none, none with files or none with commits, ScrubjayError
    where git cannot be run or refuses.
    """
    folder = folder.absolute()
    if _ask(folder, "rev-parse", "--is-bare-repository") == "true":
        raise UsageError(
            f"{folder} is a bare repository: it has no files to look for",
            hint="give the folder of a clone of it",
        )
    if _ask(folder, "rev-parse", "--is-inside-work-tree") != "true":
        raise UsageError(f"{folder} is git's own folder", hint="give the folder with the files")
    top = _ask(folder, "rev-parse", "--show-toplevel")
    if _run(folder, "rev-parse", "--verify", "--quiet", "HEAD").returncode:
        raise UsageError(f"{top} has no commits yet", hint="--set FILE takes questions of your own")
    filters = _run(folder, "config", "--get-regexp", r"^remote\..*\.promisor$|^extensions\.partial")
    return Checkout(
        top=Path(top),
        is_shallow=_ask(folder, "rev-parse", "--is-shallow-repository") == "true",
        is_partial=bool(filters.stdout.strip()),
    )


def read_commits(
    checkout: Checkout, *, since: str | None = None, revision: str = "HEAD", follow: bool = True
) -> Generator[Commit, None, None]:
    """Read commits, newest first, at most MOST_COMMITS; `since` is a date, YYYY-MM-DD.

    With `follow` a path is the one the file has now, where git recognises the renames since; what
    a partial clone would have to fetch for that stays unread.
    """
    is_followed = follow and not checkout.is_partial
    command = ["log", "-z", "--encoding=UTF-8", _FORMAT, f"--max-count={MOST_COMMITS}"]
    command += ["--name-status", "--find-renames" if is_followed else "--no-renames"]
    command += [f"--since={since} 00:00:00"] if since else []
    names: dict[bytes, bytes] = {}
    with _reading(checkout, *command, revision, "--") as stream:
        head, changes = b"", list[bytes]()
        for token in _tokens(stream):
            if _HEAD.match(token):
                if head:
                    yield _commit(head, changes, names)
                head, changes = token, []
            else:
                changes.append(token)
        if head:
            yield _commit(head, changes, names)


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder and return what it prints; raises ScrubjayError if it fails."""
    done = _run(folder, *arguments)
    if done.returncode:
        raise _refused(folder, done.stderr)
    return done.stdout.decode("utf-8", "replace")


def _commit(head: bytes, changes: list[bytes], names: dict[bytes, bytes]) -> Commit:
    fields = head[1:].decode("utf-8", "replace").split("\x1f", 4)
    id, parents, author, subject, body = (*fields, *[""] * 5)[:5]
    return Commit(
        id=id,
        parents=len(parents.split()),
        author=author,
        subject=" ".join(subject.split()),
        paths=tuple(dict.fromkeys(_changed(changes, names))),
        reverts=tuple(_UNDOES.findall(body[:MAX_BODY_CHARS])),
    )


def _changed(changes: list[bytes], names: dict[bytes, bytes]) -> Iterator[bytes]:
    """Name the files that were changed as they are called now, and learn of renames."""
    tokens = iter(changes)
    for token in tokens:
        status = _STATUS.fullmatch(token)
        if status is None:
            continue
        old = next(tokens, b"")
        if status[1] in b"RC":
            new = next(tokens, b"")
            now = names.get(new, new)
            # Before that, a file of the new name was another one.
            names.pop(new, None)
            if status[1] == b"R":
                names[old] = now
            yield now
        elif status[1] == b"A":
            yield names.pop(old, old)
        elif status[1] == b"M":
            yield names.get(old, old)


def _tokens(stream: IO[bytes]) -> Iterator[bytes]:
    rest = b""
    while piece := stream.read(READ_BYTES):
        *whole, rest = (rest + piece).split(b"\0")
        yield from (token for token in whole if token)
    if rest:
        yield rest


@contextmanager
def _reading(checkout: Checkout, *arguments: str) -> Iterator[IO[bytes]]:
    """Run git and read what it prints while it runs; it is stopped when that is enough."""
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(
                _command(checkout.top, *arguments),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
            )
        except OSError as error:
            raise _missing(error) from error
        assert process.stdout is not None
        try:
            yield process.stdout
            if process.wait():
                errors.seek(0)
                hint = "the clone is partial: `git fetch --refetch --filter=blob:none` may help"
                raise _refused(checkout.top, errors.read(), hint if checkout.is_partial else "")
        finally:
            process.stdout.close()
            if process.poll() is None:
                process.kill()
            process.wait()


def _ask(folder: Path, *arguments: str) -> str:
    done = _run(folder, *arguments)
    if not done.returncode:
        return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")
    if not any((place / ".git").exists() for place in (folder, *folder.parents)):
        raise UsageError(
            f"{folder} lies in no git repository",
            hint="questions are made from a history; --set FILE takes questions of your own",
        )
    raise _refused(folder, done.stderr)


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            _command(folder, *arguments), stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
    except OSError as error:
        raise _missing(error) from error


def _command(folder: Path, *arguments: str) -> list[str]:
    return [_program(), "-C", str(folder), *_SAFE, *arguments]


def _program() -> str:
    if os.name != "nt":
        return "git"
    # Windows would look in the current folder first, where anybody's git.exe may lie.
    places = (os.path.join(folder, "git.exe") for folder in os.get_exec_path() if folder)
    found = next((place for place in places if os.path.isfile(place)), None)
    if found is None:
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT))
    return found


def _missing(error: OSError) -> ScrubjayError:
    return ScrubjayError(
        f"git cannot be run: {error.strerror}",
        hint="install git, or give questions of your own with --set FILE",
    )


def _refused(folder: Path, said: bytes, hint: str = "") -> ScrubjayError:
    lines = said.decode("utf-8", "replace").strip().splitlines()
    reason = lines[0] if lines else "no reason given"
    return ScrubjayError(f"git cannot read {folder}: {reason}", hint=hint)
