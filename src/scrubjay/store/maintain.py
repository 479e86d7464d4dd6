"""How does the index open, and how does it stay sound? Bootstrap, tidying, checking and mending.

Bootstrap is idempotent and runs before searching and before indexing.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scrubjay.errors import StoreDamaged, StoreError
from scrubjay.store import catalog as catalog_file
from scrubjay.store.catalog import Catalog
from scrubjay.store.commit import space_names
from scrubjay.store.content import delete_content
from scrubjay.store.files import mark_files
from scrubjay.store.invariants import Violation as Violation
from scrubjay.store.invariants import violations
from scrubjay.store.lock import LOCK_NAME, OWNER_NAME, make_folder
from scrubjay.store.migrations import (
    MIGRATIONS,
    Migration,
    layout,
    migrate,
    require_known,
    require_writable,
)
from scrubjay.store.vectors import VectorStore

VECTORS_NAME = "vectors"


@dataclass(frozen=True, slots=True)
class Stores:
    """The two stores of one open index."""

    catalog: Catalog
    vectors: VectorStore

    def close(self) -> None:
        """Close what is open."""
        self.catalog.close()


def open_for_reading(folder: Path, steps: Sequence[Migration] = MIGRATIONS) -> Stores:
    """Open an index that exists, changing nothing.

    Raises StoreError, StoreDamaged, or MigrationAborted. It needs the newest layout: the caller
    opens an older one for writing first, which migrates it.
    """
    catalog = Catalog(folder / catalog_file.FILE_NAME)
    try:
        if layout(catalog) == 0:
            raise StoreError(f"{folder} holds no finished index", hint="index the folder first")
        require_known(catalog, steps)
        if layout(catalog) < steps[-1].version:
            require_writable(catalog)
            raise StoreError(
                f"{folder} has an older layout", hint="`scrubjay migrate` brings it up to date"
            )
        vectors = VectorStore(folder / VECTORS_NAME)
        _require_one_index(catalog, vectors)
    except BaseException:
        catalog.close()
        raise
    return Stores(catalog, vectors)


def open_for_writing(folder: Path, steps: Sequence[Migration] = MIGRATIONS) -> Stores:
    """Open or create an index, bring its layout up to date; the caller holds the writer's lock."""
    return _open(folder, steps, mend=False)


def open_for_repair(folder: Path) -> Stores:
    """Open an index whose stores may not fit together; the caller holds the writer's lock.

    Vectors of another index are dropped: `repair` then asks for new ones.
    """
    return _open(folder, MIGRATIONS, mend=True)


def _open(folder: Path, steps: Sequence[Migration], *, mend: bool) -> Stores:
    make_folder(folder)
    catalog = Catalog(folder / catalog_file.FILE_NAME, create=True)
    try:
        require_writable(catalog)
        migrate(catalog, steps)
        vectors = VectorStore(folder / VECTORS_NAME)
        if mend or not _has_vectors(catalog):
            _adopt(catalog, vectors)
        for space in vectors.spaces():
            vectors.discard_torn(space)
        if not mend:
            _require_one_index(catalog, vectors)
    except BaseException:
        catalog.close()
        raise
    return Stores(catalog, vectors)


def _adopt(catalog: Catalog, vectors: VectorStore) -> None:
    """Make the vectors those of this catalog: whatever another index left there is of no use."""
    index_id = str(catalog.noted("index_id"))
    if vectors.index_id() != index_id:
        for space in vectors.spaces():
            vectors.drop(space)
        vectors.belong_to(index_id)


def _has_vectors(catalog: Catalog) -> bool:
    return catalog.row("SELECT 1 FROM files WHERE space IS NOT NULL LIMIT 1") is not None


def _require_one_index(catalog: Catalog, vectors: VectorStore) -> None:
    if not _has_vectors(catalog):
        return
    if catalog.noted("index_id") != vectors.index_id():
        raise StoreDamaged(
            f"{vectors.folder} does not belong to the catalog beside it",
            hint="restore both together, or `scrubjay repair` embeds the files again",
        )
    present = set(vectors.spaces())
    for space, name in space_names(catalog).items():
        if name in present:
            continue
        if catalog.row("SELECT 1 FROM files WHERE space = ? LIMIT 1", (space,)) is not None:
            raise StoreDamaged(
                f"{vectors.folder / name}.lance is missing",
                hint="`scrubjay repair` embeds its files again",
            )


def migrate_again(folder: Path, steps: Sequence[Migration] = MIGRATIONS) -> int:
    """Take an aborted migration again; returns how many steps were taken.

    The caller holds the writer's lock.
    """
    catalog = Catalog(folder / catalog_file.FILE_NAME, create=True)
    try:
        return migrate(catalog, steps)
    finally:
        catalog.close()


def reset(folder: Path) -> None:
    """Empty an index folder but for its settings; the next run fills it.

    The caller holds the writer's lock. A crash half-way leaves what the next run or reset removes.
    """
    try:
        for path in sorted(folder.glob(f"{catalog_file.FILE_NAME}*")):
            path.unlink(missing_ok=True)
        if (folder / VECTORS_NAME).exists():
            shutil.rmtree(folder / VECTORS_NAME)
    except OSError as error:
        raise StoreError(
            f"{error.filename} cannot be removed: {error.strerror}",
            hint="stop what still uses the index, then try again",
        ) from error


def is_index_file(name: str) -> bool:
    """Say whether a name in an index folder is one scrubjay itself writes there."""
    return name.startswith((catalog_file.FILE_NAME, VECTORS_NAME, LOCK_NAME, OWNER_NAME))


def tidy(stores: Stores, *, always: bool = False) -> int:
    """Drop spaces without a live or doomed generation, merge small fragments of the others.

    Returns how many spaces were touched. Without `always` only what is worth its cost is done; an
    unchanged index costs nothing. The caller holds the writer's lock.
    """
    catalog, vectors = stores.catalog, stores.vectors
    kept = {
        name
        for space, name in space_names(catalog).items()
        if catalog.row(
            "SELECT 1 FROM files WHERE space = ?1 UNION ALL SELECT 1 FROM doomed WHERE space = ?1"
            " LIMIT 1",
            (space,),
        )
    }
    touched = 0
    for space in vectors.spaces():
        if space in kept:
            touched += vectors.tidy(space, always=always)
        else:
            vectors.drop(space)
            touched += 1
    return touched


def check(stores: Stores, *, swept: bool = False) -> list[Violation]:
    """Check every invariant of docs/consistency.md; `swept` adds I5, which a sweep brings about.

    The caller holds the writer's lock, or what is written meanwhile looks broken.
    """
    return violations(stores.catalog, stores.vectors, swept=swept)


@dataclass(frozen=True, slots=True)
class Repair:
    """What a repair did: `marked` files wait for work anew, `left` is beyond repair."""

    marked: int
    rescued_spaces: int
    deleted_generations: int
    left: tuple[Violation, ...]


def repair(stores: Stores) -> Repair:
    """Mend what can be mended without loss; the next run embeds and publishes again what it marks.

    What is left, damage to SQLite itself, only `reset` heals. The caller holds the writer's lock.
    Idempotent: a crash half-way costs nothing but another repair.
    """
    catalog, vectors = stores.catalog, stores.vectors
    rescued = sum(vectors.rescue(space) for space in vectors.spaces())
    with catalog.writing():
        catalog.run(
            "DELETE FROM doomed WHERE generation IN"
            " (SELECT generation FROM files WHERE generation IS NOT NULL)"
        )
    found = check(stores)
    deleted = 0
    for violation in found:
        if violation.space is not None and violation.generations:
            vectors.delete(violation.space, violation.generations)
            deleted += len(violation.generations)
    torn = {file for v in found if v.invariant in ("I3", "I6", "I8") for file in v.files}
    bare = {file for v in found if v.space is not None for file in v.files} - torn
    marked = sorted({file for v in found for file in v.files})
    with catalog.writing():
        _remove_orphans(catalog)
        _doom(catalog, torn | bare)
        _empty(catalog, torn)
        _strip_vectors(catalog, bare)
        mark_files(catalog, marked)
    return Repair(len(marked), rescued, deleted, tuple(check(stores)))


def _remove_orphans(catalog: Catalog) -> None:
    catalog.run(
        "INSERT OR IGNORE INTO doomed SELECT generation, space FROM files"
        " WHERE root NOT IN (SELECT id FROM roots) AND space IS NOT NULL"
    )
    catalog.run("DELETE FROM files WHERE root NOT IN (SELECT id FROM roots)")
    for table in ("chunks", "definitions", "imports", "texts"):
        catalog.run(
            f"DELETE FROM {table} WHERE file NOT IN"
            " (SELECT id FROM files WHERE generation IS NOT NULL)"
        )
    catalog.run("DELETE FROM words WHERE rowid NOT IN (SELECT id FROM chunks)")


def _doom(catalog: Catalog, files: Iterable[int]) -> None:
    catalog.run_many(
        "INSERT OR IGNORE INTO doomed SELECT generation, space FROM files"
        " WHERE id = ? AND generation IS NOT NULL AND space IS NOT NULL",
        ((file,) for file in files),
    )


def _empty(catalog: Catalog, files: Iterable[int]) -> None:
    """Take broken content out; without a recipe the files cannot be found unchanged."""
    for file in files:
        delete_content(catalog, file)
        catalog.run(
            "UPDATE files SET generation = NULL, space = NULL, content_hash = NULL, recipe = NULL,"
            " chunks = 0 WHERE id = ?",
            (file,),
        )


def _strip_vectors(catalog: Catalog, files: Collection[int]) -> None:
    """Leave files searchable by words, under new generations: the old ones are doomed."""
    generation = catalog.take_ids("next_generation", len(files))
    for i, file in enumerate(sorted(files)):
        catalog.run(
            "UPDATE files SET generation = ?, space = NULL, recipe = NULL WHERE id = ?",
            (generation + i, file),
        )
        catalog.run("UPDATE texts SET generation = ? WHERE file = ?", (generation + i, file))
