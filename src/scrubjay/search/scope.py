"""Which part of the index may answer? Filters become a set of files before anything is ranked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scrubjay.errors import UsageError
from scrubjay.scan.glob import Glob, Origin, parse_globs
from scrubjay.store.catalog import Catalog
from scrubjay.store.files import join_path, split_path
from scrubjay.store.queries import live_files
from scrubjay.types import Filters


@dataclass(frozen=True, slots=True)
class Scope:
    """The files a question is put to, and the generations they have in each space."""

    files: frozenset[int]
    generations: Mapping[str, frozenset[int]]


def resolve(catalog: Catalog, filters: Filters, root_names: Mapping[int, str]) -> Scope | None:
    """Find the files that pass the filters; None where nothing is filtered.

    Raises UsageError for a root that has no such name.
    """
    if filters == Filters():
        return None
    is_wanted = _path_filter(filters)
    files: set[int] = set()
    generations: dict[str, set[int]] = {}
    for file in live_files(
        catalog,
        languages=[language.lower() for language in filters.languages],
        roots=_roots(filters, root_names),
    ):
        if not is_wanted(*split_path(file.path)):
            continue
        files.add(file.id)
        if file.space is not None:
            generations.setdefault(file.space, set()).add(file.generation)
    return Scope(frozenset(files), {name: frozenset(held) for name, held in generations.items()})


def _roots(filters: Filters, root_names: Mapping[int, str]) -> list[int]:
    unknown = set(filters.roots) - set(root_names.values())
    if unknown:
        raise UsageError(
            f"no root is called {sorted(unknown)[0]!r}",
            hint=f"known roots: {', '.join(sorted(root_names.values()))}",
        )
    return [id for id, name in root_names.items() if name in filters.roots]


def _path_filter(filters: Filters) -> Callable[[bytes, bytes], bool]:
    wanted, excluded = _PathSet.of(filters.paths), _PathSet.of(filters.excluded)

    def passes(folder: bytes, name: bytes) -> bool:
        if filters.paths and not wanted.holds(folder, name):
            return False
        return not (filters.excluded and excluded.holds(folder, name))

    return passes


@dataclass(frozen=True, slots=True)
class _PathSet:
    """Paths told by gitignore-style globs: a folder that matches stands for all below it."""

    globs: tuple[Glob, ...]
    folders: dict[bytes, bool]

    @classmethod
    def of(cls, patterns: tuple[str, ...]) -> _PathSet:
        lines = [
            pattern.removeprefix("./").encode("utf-8", "surrogateescape") for pattern in patterns
        ]
        return cls(tuple(parse_globs(b"\n".join(lines), Origin("filter")))[::-1], {b"": False})

    def holds(self, folder: bytes, name: bytes) -> bool:
        decision = self._decide(join_path(folder, name), name, is_folder=False)
        return self._holds_folder(folder) if decision is None else decision

    def _holds_folder(self, folder: bytes) -> bool:
        known = self.folders.get(folder)
        if known is None:
            parent, _, name = folder.rpartition(b"/")
            decision = self._decide(folder, name, is_folder=True)
            known = self._holds_folder(parent) if decision is None else decision
            self.folders[folder] = known
        return known

    def _decide(self, path: bytes, name: bytes, *, is_folder: bool) -> bool | None:
        for glob in self.globs:  # the last line that matches decides, as in git
            if glob.folders_only and not is_folder:
                continue
            if glob.is_path:
                is_match = path.startswith(glob.prefix) and glob.matches(path[len(glob.prefix) :])
            else:
                is_match = glob.matches(name)
            if is_match:
                return not glob.is_negated
        return None
