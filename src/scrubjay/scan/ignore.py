"""Does a rule exclude this entry, and which one? Decides; of the disk it reads only ignore files.

Weakest first: built-in rules, git's (global excludes, info/exclude, .gitignore from the top down),
.scrubjayignore from the top down, the user's globs. The strongest rule that matches decides, as the
last line does within a file. Nothing below an excluded folder can come back: no one looks there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from scrubjay.scan.builtin_rules import BUILTIN_RULES, BUILTIN_SOURCE
from scrubjay.scan.glob import Glob, Origin, parse_globs
from scrubjay.sections import ScanSettings

GIT_FILE = b".gitignore"
OWN_FILE = b".scrubjayignore"
USER_SOURCE = "settings scan.ignore"

_RANKS_PER_FOLDER = 1 << 32
_RANKS_PER_LAYER = 1 << 56
_GLOB_BYTES = b"*?[]\\"


class Layer(IntEnum):
    """Who speaks, and whose word counts more."""

    BUILTIN = 0
    GIT = 1
    OWN = 2
    USER = 3


@dataclass(frozen=True, slots=True)
class RulesText:
    """The contents of one ignore file; `base` is b"" or ends in a slash.

    `order` ranks it in its layer: what is read later and deeper is stronger.
    In git's layer, order 0 is kept for the global excludes, which hold across repositories.
    """

    data: bytes
    source: str
    layer: Layer
    base: bytes = b""
    order: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Globs by what a match must look like, so that few are tried; every row is strongest first.

    `keyed` holds name globs under the whole name they spell, else under the `.ext` or the byte
    their matches end in, else under the byte they begin with; `paths` holds literal paths.
    """

    keyed: dict[bytes, tuple[Glob, ...]]
    others: tuple[Glob, ...]
    paths: dict[bytes, tuple[Glob, ...]]
    path_globs: tuple[Glob, ...]

    def extended(self, globs: Iterable[Glob]) -> Table:
        """Make a table that holds these globs too."""
        keyed, paths = dict(self.keyed), dict(self.paths)
        others, path_globs = list(self.others), list(self.path_globs)
        for glob in globs:
            if glob.is_path and glob.literal is not None:
                _add(paths, glob.prefix + glob.text.rpartition(b"/")[2], glob)
            elif glob.is_path:
                path_globs.append(glob)
            elif (key := _key_of(glob)) is not None:
                _add(keyed, key, glob)
            else:
                others.append(glob)
        others.sort(key=_weakness)
        return Table(keyed, tuple(others), paths, tuple(path_globs))

    def globs(self) -> list[Glob]:
        """List every glob, in no order."""
        rows = (*self.keyed.values(), *self.paths.values(), self.others, self.path_globs)
        return [glob for row in rows for glob in row]

    def strongest(self, name: bytes) -> Glob | None:
        """Find the strongest name glob that matches."""
        find = self.keyed.get
        best = _try(None, self.others, name) if self.others else None
        if (row := find(name)) is not None:
            best = _try(best, row, name)
        if (row := find(name[-1:])) is not None:
            best = _try(best, row, name)
        if (row := find(name[:1])) is not None:
            best = _try(best, row, name)
        dot = name.rfind(b".")
        if dot >= 0 and (row := find(name[dot:])) is not None:
            best = _try(best, row, name)
        return best


_EMPTY = Table({}, (), {}, ())


def _weakness(glob: Glob) -> int:
    return -glob.rank


def _add(rows: dict[bytes, tuple[Glob, ...]], key: bytes, glob: Glob) -> None:
    present = rows.get(key)
    rows[key] = (glob,) if present is None else tuple(sorted((glob, *present), key=_weakness))


def _key_of(glob: Glob) -> bytes | None:
    """Give the key under which a name finds a glob that may match it; None if there is none."""
    if glob.literal is not None:
        return glob.literal
    text = glob.text
    stars = max(text.rfind(b"*"), text.rfind(b"?"), text.rfind(b"]"), text.rfind(b"\\") + 1)
    tail = text[stars + 1 :]
    if tail:
        dot = tail.rfind(b".")
        return tail[dot:] if dot >= 0 else tail[-1:]
    return text[:1] if text[0] not in _GLOB_BYTES else None


def _try(best: Glob | None, globs: tuple[Glob, ...], name: bytes) -> Glob | None:
    """Look for a stronger match among globs."""
    for glob in globs:
        if best is not None and best.rank > glob.rank:
            return best
        if glob.matches(name):
            return glob
    return best


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """The rules that hold in one folder, for its files and for its subfolders.

    Folders are given from where the rules count: with the root's place in its repository in front,
    and b"" or ending in a slash.
    """

    files: Table = _EMPTY
    folders: Table = _EMPTY
    builtin: tuple[Glob, ...] = ()
    local_to_files: tuple[Glob, ...] = ()
    local_to_folders: tuple[Glob, ...] = ()
    folds_case: bool = False

    def extended(self, texts: Sequence[RulesText]) -> Scope:
        """Add ignore files."""
        globs: list[Glob] = []
        for text in texts:
            rank = text.layer * _RANKS_PER_LAYER + text.order * _RANKS_PER_FOLDER
            origin = Origin(text.source, text.base, rank, self.folds_case)
            globs.extend(parse_globs(text.data, origin))
        return self._with(globs) if globs else self

    def _with(self, globs: list[Glob]) -> Scope:
        builtin = tuple(glob for glob in globs if layer_of(glob) is Layer.BUILTIN)
        return replace(
            self,
            files=self.files.extended([glob for glob in globs if not glob.folders_only]),
            folders=self.folders.extended(globs),
            builtin=self.builtin + builtin,
        )

    def in_folder(self, folder: bytes) -> Scope:
        """Narrow the path globs to those that can match an entry of this folder."""
        if not self.folders.path_globs:
            return self
        if self.folds_case:
            folder = folder.lower()
        local = tuple(glob for glob in self.folders.path_globs if glob.reaches(folder))
        if local == self.local_to_folders:
            return self
        to_files = tuple(glob for glob in local if not glob.folders_only)
        return replace(self, local_to_files=to_files, local_to_folders=local)

    def without_repository(self) -> Scope:
        """Drop what this repository says, as git does in another; global excludes stay."""
        first = Layer.GIT * _RANKS_PER_LAYER + _RANKS_PER_FOLDER
        last = Layer.OWN * _RANKS_PER_LAYER
        kept = [glob for glob in self.folders.globs() if not first <= glob.rank < last]
        return Scope(folds_case=self.folds_case)._with(kept)

    def decide(self, folder: bytes, name: bytes, *, is_folder: bool) -> Glob | None:
        """Find the strongest glob that matches an entry; it excludes unless it is negated."""
        if self.folds_case:
            folder, name = folder.lower(), name.lower()
        table = self.folders if is_folder else self.files
        best = table.strongest(name)
        local = self.local_to_folders if is_folder else self.local_to_files
        if table.paths and (row := table.paths.get(folder + name)) is not None:
            best = row[0] if best is None or row[0].rank > best.rank else best
        for glob in local:
            if best is None or glob.rank > best.rank:
                text = (folder + name)[len(glob.prefix) :]
                best = glob if glob.matches(text) else best
        if best is not None and best.is_negated and not best.names_something:
            return self._without_sweeping(best, name, is_folder)
        return best

    def _without_sweeping(self, best: Glob, name: bytes, is_folder: bool) -> Glob:
        """Ask the built-in rules again: who takes back everything (`!*/`) means no dependencies."""
        if layer_of(best) is not Layer.GIT:
            return best
        for glob in self.builtin:
            if (is_folder or not glob.folders_only) and glob.matches(name):
                return glob
        return best


def layer_of(glob: Glob) -> Layer:
    """Say whose rule a glob is."""
    return Layer(glob.rank // _RANKS_PER_LAYER)


def make_base_scope(settings: ScanSettings, *, folds_case: bool = False) -> Scope:
    """Make the scope of the rules that hold in every root: built-in ones and the user's globs."""
    texts = [
        RulesText(
            "\n".join(settings.ignore).encode("utf-8", "surrogateescape"), USER_SOURCE, Layer.USER
        )
    ]
    if settings.builtin_rules:
        texts.append(RulesText(BUILTIN_RULES, BUILTIN_SOURCE, Layer.BUILTIN))
    return Scope(folds_case=folds_case).extended(texts)
