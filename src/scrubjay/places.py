"""Where does the index of a folder live? Keyed by its real path: same names never share."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from scrubjay.errors import StoreError
from scrubjay.settings import data_home
from scrubjay.store import files, maintain
from scrubjay.store.catalog import FILE_NAME as CATALOG_NAME
from scrubjay.store.files import Root

INDEXES_NAME = "indexes"
WORKSPACES_NAME = "workspaces"
_KEY_CHARS = 12
_SLUG_CHARS = 40


def find_folder(start: Path, workspace: str | None = None) -> Path | None:
    """Locate the index of `start`: the named workspace, or that of the nearest root above."""
    home = data_home()
    if workspace is not None:
        folder = home / WORKSPACES_NAME / _slug(workspace)
        return folder if (folder / CATALOG_NAME).exists() else None
    here = Path(os.path.realpath(start))
    for candidate in (here, *here.parents):
        folder = home / INDEXES_NAME / _key(candidate)
        if (folder / CATALOG_NAME).exists():
            return folder
    return _named_workspace_of(here, home)


def folder_for(root: Path, workspace: str | None = None) -> Path:
    """Tell where the index of a root lies, or will lie; two folders of one name never share."""
    home = data_home()
    if workspace is not None:
        return home / WORKSPACES_NAME / _slug(workspace)
    return home / INDEXES_NAME / _key(Path(os.path.realpath(root)))


def _key(root: Path) -> str:
    path = os.path.normcase(str(root))
    digest = hashlib.sha256(os.fsencode(path)).hexdigest()
    return f"{_slug(root.name or 'root')}-{digest[:_KEY_CHARS]}"


def _slug(name: str) -> str:
    """Make a folder name that every platform accepts; distinct names stay distinct."""
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "-" for c in name)
    plain = plain.strip(".")[:_SLUG_CHARS]
    if plain == name:
        return plain
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{plain.strip('-') or 'x'}-{digest[:8]}"


def _named_workspace_of(here: Path, home: Path) -> Path | None:
    for catalog in sorted((home / WORKSPACES_NAME).glob(f"*/{CATALOG_NAME}")):
        try:
            stores = maintain.open_for_reading(catalog.parent)
        except StoreError:
            continue
        try:
            if any(contains(root, here) for root in files.roots(stores.catalog)):
                return catalog.parent
        finally:
            stores.close()
    return None


def contains(root: Root, path: Path) -> bool:
    """Say whether a real path lies in a root."""
    return path.is_relative_to(os.fsdecode(root.path))
