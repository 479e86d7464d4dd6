"""Which rules hold at the top of a root, before any file of its own is read?

Gathers the built-in rules, the user's globs and, where the root lies in a repository, what git
would apply there: global excludes, info/exclude and the .gitignore files of the folders above.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from scrubjay.scan.ignore import (
    GIT_FILE,
    OWN_FILE,
    Layer,
    RulesText,
    Scope,
    layer_of,
    make_base_scope,
)
from scrubjay.scan.probe import read_plain
from scrubjay.scan.repository import (
    MAX_RULES_BYTES,
    Repository,
    default_ignores_case,
    find_global_excludes,
    find_repository,
    read_submodules,
)
from scrubjay.sections import ScanSettings
from scrubjay.types import shown

_GLOBAL, _INFO, _FOLDERS = range(3)
"""Order within git's layer: global excludes, info/exclude, then folders from the top down."""


@dataclass(frozen=True, slots=True)
class RootRules:
    """What holds at a root, before its own ignore files.

    `anchor` is the root's place in its repository, b"" or ending in a slash; `submodules` are
    relative to the root.
    """

    scope: Scope
    anchor: bytes = b""
    submodules: frozenset[bytes] = frozenset()


def gather_rules(root: bytes, settings: ScanSettings, config_home: Path | None = None) -> RootRules:
    """Gather the rules of a root (absolute path); `config_home` is `~/.config` unless given."""
    config_home = config_home or Path.home() / ".config"
    if not settings.gitignore:
        return RootRules(make_base_scope(settings, folds_case=default_ignores_case()))
    real_root = os.path.realpath(root)
    repository = find_repository(real_root, config_home)
    if repository is None:
        scope = make_base_scope(settings, folds_case=default_ignores_case())
        texts = _outer_texts(find_global_excludes(config_home), None)
        return RootRules(scope.extended(texts), submodules=read_submodules(real_root))
    scope = make_base_scope(settings, folds_case=repository.ignores_case)
    inner = scope.extended(_outer_texts(repository.excludes_file, repository.git_dir))
    place = _place_of(real_root, repository)
    outer = _descend(inner, repository, place)
    submodules = _below(place, read_submodules(repository.top)) | read_submodules(real_root)
    if outer is None:
        own_texts = _outer_texts(repository.excludes_file, None)
        return RootRules(scope.extended(own_texts), submodules=submodules)
    return RootRules(outer, place + b"/" if place else b"", submodules)


def folder_texts(
    absolute: bytes, base: bytes, shown_as: bytes, *, gitignore: bool
) -> list[RulesText]:
    """Read the ignore files of a folder; `base` is b"" or the anchored folder with a slash."""
    order = _FOLDERS + base.count(b"/")
    wanted = [(GIT_FILE, Layer.GIT)] if gitignore else []
    texts = []
    for name, layer in (*wanted, (OWN_FILE, Layer.OWN)):
        data = read_plain(absolute + b"/" + name, MAX_RULES_BYTES)
        if data:
            texts.append(RulesText(data, shown(shown_as + name), layer, base, order))
    return texts


def info_texts(git_dir: bytes, base: bytes) -> list[RulesText]:
    """Read a repository's info/exclude."""
    path = os.path.join(git_dir, b"info", b"exclude")
    data = read_plain(path, MAX_RULES_BYTES, follow=True)
    return [RulesText(data, shown(path), Layer.GIT, base, _INFO)] if data else []


def _outer_texts(excludes_file: bytes | None, git_dir: bytes | None) -> list[RulesText]:
    texts = []
    if excludes_file is not None:
        data = read_plain(excludes_file, MAX_RULES_BYTES, follow=True)
        if data:
            texts.append(RulesText(data, shown(excludes_file), Layer.GIT, b"", _GLOBAL))
    return texts if git_dir is None else [*texts, *info_texts(git_dir, b"")]


def _place_of(real_root: bytes, repository: Repository) -> bytes:
    if real_root == repository.top:
        return b""
    return os.path.relpath(real_root, repository.top).replace(os.sep.encode(), b"/")


def _descend(scope: Scope, repository: Repository, place: bytes) -> Scope | None:
    """Add the .gitignore files between a repository's top and a root.

    None when they exclude the root itself: whoever indexes it wants it, and git, which would never
    look there, has nothing to say about what is inside.
    """
    base, absolute = b"", repository.top
    for name in place.split(b"/") if place else ():
        texts = folder_texts(absolute, base, absolute + b"/", gitignore=True)
        git_texts = [text for text in texts if text.layer is Layer.GIT]
        scope = scope.extended(git_texts)
        decision = scope.in_folder(base).decide(base, name, is_folder=True)
        if decision and not decision.is_negated and layer_of(decision) is Layer.GIT:
            return None
        base, absolute = base + name + b"/", absolute + b"/" + name
    return scope


def _below(place: bytes, paths: frozenset[bytes]) -> frozenset[bytes]:
    prefix = place + b"/" if place else b""
    return frozenset(
        path[len(prefix) :] for path in paths if path.startswith(prefix) and path != prefix
    )
