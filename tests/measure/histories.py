"""Small repositories with a history, written by `git fast-import`."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ISOLATED = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


@dataclass(frozen=True, slots=True)
class Made:
    """One commit: a message, files with their new text, renames from old to new."""

    message: str | bytes
    files: Mapping[str, str] = field(default_factory=dict)
    renames: Mapping[str, str] = field(default_factory=dict)
    deleted: Sequence[str] = ()
    author: str = "Ada <ada@example.org>"
    encoding: str = ""
    merges: int | None = None


def make_repository(folder: Path, commits: Sequence[Made]) -> Path:
    """Write commits, oldest first, and check the last one out; `merges` is an earlier number."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    stream = b"".join(_written(number, made) for number, made in enumerate(commits, 1))
    git(folder, "fast-import", "--quiet", given=stream)
    git(folder, "reset", "--quiet", "--hard")
    return folder


def git(folder: Path, *arguments: str, given: bytes = b"") -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], input=given, capture_output=True, check=True
    )
    return done.stdout.decode()


def _written(number: int, made: Made) -> bytes:
    message = made.message if isinstance(made.message, bytes) else made.message.encode()
    who = f"{made.author} {1_700_000_000 + number * 60} +0000"
    lines = [f"commit refs/heads/main\nmark :{number}\nauthor {who}\ncommitter {who}\n".encode()]
    lines += [f"encoding {made.encoding}\n".encode()] if made.encoding else []
    lines.append(b"data %d\n%b\n" % (len(message), message))
    lines += [f"from :{number - 1}\n".encode()] if number > 1 else []
    lines += [f"merge :{made.merges}\n".encode()] if made.merges is not None else []
    lines += [f"R {old} {new}\n".encode() for old, new in made.renames.items()]
    lines += [f"D {path}\n".encode() for path in made.deleted]
    for path, text in made.files.items():
        data = text.encode()
        lines.append(b"M 100644 inline %b\ndata %d\n%b\n" % (path.encode(), len(data), data))
    return b"".join([*lines, b"\n"])
