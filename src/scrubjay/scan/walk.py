"""Which files of a tree concern us? Walks folder by folder and judges entries by name and stat.

Opens no file but ignore files and git's markers, enters no ignored folder, follows no link. A
crawl, the watcher and `why` all ask here, so they cannot disagree.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path

from scrubjay.scan.builtin_rules import BUILTIN_SOURCE, CACHE_TAG, ENVIRONMENT_TAG, WITNESSES
from scrubjay.scan.ignore import GIT_FILE, OWN_FILE, Scope
from scrubjay.scan.kinds import Kinds
from scrubjay.scan.probe import stat_of
from scrubjay.scan.repository import Border, find_border, find_git_dir, read_submodules
from scrubjay.scan.rules import RootRules, folder_texts, gather_rules, info_texts
from scrubjay.sections import ScanSettings
from scrubjay.types import Entry, Listing, RootKind, Rule, Skip, SkipReason

GIT_DIR = b".git"
_GIT_RULE = Rule(BUILTIN_SOURCE, 0, ".git")
_MOUNT_RULE = Rule("settings scan.one_file_system", 0, "true")
_GONE = (errno.ENOENT, errno.ENOTDIR)
_ANY_EXECUTE = stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH
_JUNCTION_TAG = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", 0)


@dataclass(frozen=True, slots=True)
class Tree:
    """A root as it is walked: absolute path without a trailing slash, its rules, what stays out.

    `own` holds real paths of scrubjay's own folders; `device` is None where the root is missing.
    """

    root: bytes
    rules: RootRules
    settings: ScanSettings
    kinds: Kinds
    own: tuple[bytes, ...] = ()
    device: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What the walk says of one path; with nothing set, it is not there.

    `skip` may be of a folder above; `is_folder` is a folder that is entered; `problem` says why a
    folder on the way could not be read.
    """

    path: bytes
    entry: Entry | None = None
    skip: Skip | None = None
    is_folder: bool = False
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class _Place:
    """A folder to read, with the rules and submodules known above it."""

    path: bytes
    scope: Scope
    submodules: frozenset[bytes]


@dataclass(frozen=True, slots=True)
class _Reading:
    """A folder while its entries are judged; prefixes end in a slash, or are b"" at the root."""

    tree: Tree
    place: _Place
    absolute: bytes
    prefix: bytes
    anchored: bytes
    scope: Scope
    names: frozenset[bytes]
    observed_ns: int


def open_tree(
    root: str | bytes | os.PathLike[str],
    settings: ScanSettings,
    *,
    own: Sequence[str | bytes | os.PathLike[str]] = (),
    root_kind: RootKind = RootKind.TEXT,
    config_home: Path | None = None,
) -> Tree:
    """Gather what a walk needs; cheap, and done anew for each crawl so that changed rules count.

    `config_home` is where git keeps its user configuration (`~/.config` unless given).
    """
    absolute = os.path.abspath(os.fsencode(root))
    try:
        device = os.stat(absolute).st_dev
    except OSError:
        device = None
    return Tree(
        root=absolute.rstrip(b"/\\") if os.name == "nt" else absolute.rstrip(b"/"),
        rules=gather_rules(absolute, settings, config_home),
        settings=settings,
        kinds=Kinds(settings.extra_extensions, root_kind),
        own=tuple(os.path.realpath(os.fsencode(path)) for path in own),
        device=device,
    )


def walk(tree: Tree, below: bytes = b"") -> Iterator[Listing]:
    """List a tree, or one folder and what is below it: folders before their subfolders, by name.

    A folder that cannot be read gives a listing with a `problem`: what it holds is unknown.
    Yields nothing where `below` is no folder that the walk would enter; `explain` says why.
    """
    start = _find(tree, below)
    pending = [start] if isinstance(start, _Place) else []
    while pending:
        listing, places = _read(tree, pending.pop())
        yield listing
        places.reverse()
        pending.extend(places)


def list_folder(tree: Tree, folder: bytes) -> Listing | None:
    """List one folder without its subfolders; None where the walk would not enter it."""
    place = _find(tree, folder)
    return _read(tree, place)[0] if isinstance(place, _Place) else None


def explain(tree: Tree, path: bytes) -> Finding:
    """Judge one path as the walk does, folder by folder from the root."""
    found = _find(tree, path)
    if isinstance(found, Finding):
        return found
    return Finding(path, is_folder=True, problem=_read(tree, found)[0].problem)


def _find(tree: Tree, path: bytes) -> _Place | Finding:
    place = _Place(b"", tree.rules.scope, tree.rules.submodules)
    parts = path.split(b"/") if path else []
    for depth, name in enumerate(parts):
        listing, places = _read(tree, place, only=name)
        if listing.problem or listing.skips:
            skip = listing.skips[0] if listing.skips else None
            return Finding(path, skip=skip, problem=listing.problem)
        if listing.entries and depth == len(parts) - 1:
            return Finding(path, entry=listing.entries[0])
        if not places:
            return Finding(path)
        place = places[0]
    return place


def _read(tree: Tree, place: _Place, only: bytes | None = None) -> tuple[Listing, list[_Place]]:
    """Read one folder and judge its entries, or the one called `only`."""
    prefix = place.path + b"/" if place.path else b""
    absolute = tree.root + b"/" + prefix
    observed_ns = time.time_ns()
    try:
        with os.scandir(absolute) as scanned:
            found = sorted(scanned, key=attrgetter("name"))
    except OSError as error:
        is_gone = error.errno in _GONE and bool(place.path)
        return Listing(place.path, (), (), None if is_gone else error.strerror or str(error)), []
    names = frozenset([entry.name for entry in found])
    anchored = tree.rules.anchor + prefix
    scope = place.scope
    if GIT_FILE in names or OWN_FILE in names:
        use_git = tree.settings.gitignore
        scope = scope.extended(folder_texts(absolute, anchored, prefix, gitignore=use_git))
    scope = scope.in_folder(anchored)
    reading = _Reading(tree, place, absolute, prefix, anchored, scope, names, observed_ns)
    if only is not None:
        found = [entry for entry in found if entry.name == only]
    return _judge_entries(reading, found)


def _judge_entries(
    reading: _Reading, found: list[os.DirEntry[bytes]]
) -> tuple[Listing, list[_Place]]:
    """Judge entries in order; one that vanished meanwhile is just not there."""
    entries: list[Entry] = []
    skips: list[Skip] = []
    places: list[_Place] = []
    prefix, anchored, observed_ns = reading.prefix, reading.anchored, reading.observed_ns
    judge, decide = reading.tree.kinds.judge, reading.scope.decide
    for entry in found:
        name = entry.name
        path = prefix + name
        try:
            if not entry.is_file(follow_symlinks=False):
                other = _judge_other(reading, entry, path)
                places.append(other) if isinstance(other, _Place) else skips.append(other)
                continue
            glob = decide(anchored, name, is_folder=False)
            if glob is not None and not glob.is_negated:
                skips.append(Skip(path, SkipReason.IGNORED, glob.rule))
                continue
            verdict = judge(name)
            if verdict.reason is not None:
                skips.append(Skip(path, verdict.reason))
                continue
            status = entry.stat(follow_symlinks=False)
            if verdict.shebang and not _is_executable(status):
                skips.append(Skip(path, SkipReason.NOT_LISTED))
                continue
            seen = stat_of(status, observed_ns)
            entries.append(Entry(path, seen, verdict.kind, verdict.language, verdict.shebang))
        except OSError as error:
            if error.errno not in _GONE:
                skips.append(_skip_for(path, error))
    return Listing(reading.place.path, tuple(entries), tuple(skips)), places


def _is_executable(status: os.stat_result) -> bool:
    """Say whether a file without extension may be a script; Windows marks none."""
    return os.name != "nt" and bool(status.st_mode & _ANY_EXECUTE)


def _skip_for(path: bytes, error: OSError) -> Skip:
    too_long = error.errno == errno.ENAMETOOLONG
    return Skip(path, SkipReason.PATH_TOO_LONG if too_long else SkipReason.UNREADABLE)


def _judge_other(reading: _Reading, entry: os.DirEntry[bytes], path: bytes) -> Skip | _Place:
    """Judge what is no regular file."""
    is_folder = entry.is_dir(follow_symlinks=False)
    name, scope = entry.name, reading.scope
    if name == GIT_DIR or scope.folds_case and name.lower() == GIT_DIR:
        return Skip(path, SkipReason.IGNORED, _GIT_RULE, is_folder)
    glob = scope.decide(reading.anchored, name, is_folder=is_folder)
    if glob is not None and not glob.is_negated:
        return Skip(path, SkipReason.IGNORED, glob.rule, is_folder)
    if not is_folder:
        return Skip(path, SkipReason.SYMLINK if entry.is_symlink() else SkipReason.SPECIAL)
    try:
        return _judge_folder(reading, entry, path, is_named=glob is not None)
    except OSError as error:
        if error.errno in _GONE:
            raise
        return replace(_skip_for(path, error), is_folder=True)


def _judge_folder(
    reading: _Reading, entry: os.DirEntry[bytes], path: bytes, *, is_named: bool
) -> Skip | _Place:
    """Judge a folder that no rule excludes; `is_named` says that a rule asks for it."""
    tree = reading.tree
    absolute = reading.absolute + entry.name
    status = entry.stat(follow_symlinks=False)
    if _JUNCTION_TAG and getattr(status, "st_reparse_tag", 0) == _JUNCTION_TAG:
        return Skip(path, SkipReason.SYMLINK, is_folder=True)
    if tree.own and _is_own(tree, absolute):
        return Skip(path, SkipReason.OWN_DATA, is_folder=True)
    if tree.settings.one_file_system and status.st_dev not in (tree.device, 0):
        return Skip(path, SkipReason.IGNORED, _MOUNT_RULE, is_folder=True)
    border = find_border(absolute)
    is_submodule = border is Border.SUBMODULE or path in reading.place.submodules
    if (border is not None or is_submodule) and not tree.settings.nested_repositories:
        reason = SkipReason.SUBMODULE if is_submodule else SkipReason.NESTED_REPOSITORY
        return Skip(path, reason, is_folder=True)
    if tree.settings.builtin_rules and not is_named:
        rule = _find_witness(reading, entry.name, absolute)
        if rule is not None:
            return Skip(path, SkipReason.IGNORED, rule, is_folder=True)
    place = _Place(path, reading.scope, reading.place.submodules)
    return place if border is None else _cross_border(reading, place, absolute)


def _cross_border(reading: _Reading, place: _Place, absolute: bytes) -> _Place:
    """Enter a repository within the tree: git's rules begin anew there."""
    scope = reading.scope.without_repository()
    prefix = place.path + b"/"
    if reading.tree.settings.gitignore:
        base = reading.tree.rules.anchor + prefix
        scope = scope.extended(info_texts(find_git_dir(absolute), base))
    submodules = frozenset(prefix + path for path in read_submodules(absolute))
    return replace(place, scope=scope, submodules=submodules)


def _is_own(tree: Tree, absolute: bytes) -> bool:
    """Say whether a folder is one of scrubjay's own; names are compared first, being cheap."""
    name = os.path.basename(absolute).lower()
    for own in tree.own:
        if os.path.basename(own).lower() == name:
            try:
                if os.path.samefile(own, absolute):
                    return True
            except OSError:
                continue
    return False


def _find_witness(reading: _Reading, name: bytes, absolute: bytes) -> Rule | None:
    """Find what shows a folder to be dependencies, a cache or build output."""
    for tag in (CACHE_TAG, ENVIRONMENT_TAG):
        if os.access(absolute + b"/" + tag, os.F_OK):
            return Rule(BUILTIN_SOURCE, 0, f"folder with {tag.decode()}")
    witness = WITNESSES.get(name)
    if witness is None:
        return None
    folder = name.decode()
    for beside in witness.beside:
        if beside in reading.names:
            return Rule(BUILTIN_SOURCE, 0, f"{folder}/ beside {beside.decode()}")
    for inside in witness.inside:
        if os.access(absolute + b"/" + inside, os.F_OK):
            return Rule(BUILTIN_SOURCE, 0, f"{folder}/ with {inside.decode()}")
    return None
