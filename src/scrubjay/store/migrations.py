"""Which layout does the catalog have, and how does it become the newest?

Each step is one transaction, with its record inside. A step that raises is recorded as aborted, and
from then on nothing is written until `scrubjay migrate` succeeds or `scrubjay migrate --reset`
starts afresh. A crash in the middle is no abort: SQLite rolls the step back and the next start
takes it again; so it is with a full disk.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from scrubjay.errors import DiskFull, IndexBusy, MigrationAborted, StoreError
from scrubjay.store.catalog import Catalog, new_index_id

ABORTED = "migration_aborted"
WAY_OUT = "`scrubjay migrate` tries again, `scrubjay migrate --reset` starts afresh from your files"


@dataclass(frozen=True, slots=True)
class Migration:
    """One step to `version`, the layout it leaves behind."""

    version: int
    name: str
    apply: Callable[[Catalog], None]


SCHEMA_1 = """
CREATE TABLE migrations(
    version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at REAL NOT NULL) STRICT;
CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;

-- device is the file system's id as text: it can exceed 63 bits; counts and problems are JSON of
-- the last walk
-- ids are never used again (AUTOINCREMENT): late work on a forgotten file must not reach a new one
CREATE TABLE roots(
    id INTEGER PRIMARY KEY AUTOINCREMENT, path BLOB NOT NULL UNIQUE, kind TEXT NOT NULL,
    device TEXT NOT NULL,
    added_at REAL NOT NULL, last_complete_at REAL, counts TEXT NOT NULL DEFAULT '{}',
    problems TEXT NOT NULL DEFAULT '[]') STRICT;

CREATE TABLE spaces(
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, dimension INTEGER NOT NULL,
    description TEXT NOT NULL) STRICT;

-- folder and name are the path as bytes; mark is the number of the newest request for work, 0 when
-- met; generation, space, content_hash and recipe describe what is published; the stamp what was
-- looked at
CREATE TABLE files(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    root INTEGER NOT NULL, folder BLOB NOT NULL, name BLOB NOT NULL,
    kind TEXT NOT NULL, language TEXT, shebang INTEGER NOT NULL DEFAULT 0,
    size_bytes INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL,
    inode TEXT NOT NULL, observed_ns INTEGER NOT NULL,
    state TEXT NOT NULL, reason TEXT, message TEXT,
    mark INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
    not_before REAL NOT NULL DEFAULT 0, priority INTEGER NOT NULL DEFAULT 0,
    generation INTEGER, space INTEGER, content_hash BLOB, recipe TEXT, encoding TEXT,
    chunks INTEGER NOT NULL DEFAULT 0, note TEXT, indexed_at REAL,
    UNIQUE(root, folder, name)) STRICT;
CREATE INDEX files_waiting ON files(priority, id) WHERE state = 'dirty';
CREATE INDEX files_generation ON files(generation) WHERE generation IS NOT NULL;
CREATE INDEX files_held ON files(state, space, generation, chunks);

-- the only copy of a file's extracted text, deflated
CREATE TABLE texts(file INTEGER PRIMARY KEY, generation INTEGER NOT NULL, chars INTEGER NOT NULL,
    body BLOB NOT NULL) STRICT;

CREATE TABLE chunks(
    id INTEGER PRIMARY KEY, file INTEGER NOT NULL, kind TEXT NOT NULL, scope TEXT NOT NULL,
    start INTEGER NOT NULL, stop INTEGER NOT NULL,
    start16 INTEGER NOT NULL, stop16 INTEGER NOT NULL,
    first_line INTEGER NOT NULL, last_line INTEGER NOT NULL,
    enclosing_start INTEGER, enclosing_stop INTEGER,
    windows INTEGER NOT NULL, text_hash BLOB NOT NULL) STRICT;
CREATE INDEX chunks_file ON chunks(file);
CREATE INDEX chunks_text ON chunks(text_hash);

CREATE TABLE definitions(
    file INTEGER NOT NULL, folded TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,
    container TEXT NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL,
    start16 INTEGER NOT NULL, stop16 INTEGER NOT NULL,
    first_line INTEGER NOT NULL, last_line INTEGER NOT NULL) STRICT;
CREATE INDEX definitions_file ON definitions(file);
CREATE INDEX definitions_name ON definitions(folded);

CREATE TABLE imports(
    file INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, start16 INTEGER NOT NULL,
    stop16 INTEGER NOT NULL, first_line INTEGER NOT NULL, last_line INTEGER NOT NULL) STRICT;
CREATE INDEX imports_file ON imports(file);

CREATE TABLE doomed(generation INTEGER PRIMARY KEY, space INTEGER NOT NULL) STRICT;

CREATE VIRTUAL TABLE words USING fts5(path, symbols, body, content='', contentless_delete=1,
    tokenize='porter unicode61 remove_diacritics 2');
-- merging at the default of 10 % deleted rewrites the full text ten times while a recipe changes
INSERT INTO words(words, rank) VALUES ('deletemerge', 40);
-- fewer, larger merges: a quarter less of the full text's work in a first index
INSERT INTO words(words, rank) VALUES ('automerge', 8);
INSERT INTO words(words, rank) VALUES ('hashsize', 8388608);
"""


def _create(catalog: Catalog) -> None:
    catalog.script(SCHEMA_1)
    catalog.note("index_id", new_index_id())


MIGRATIONS: tuple[Migration, ...] = (Migration(1, "first layout", _create),)


def layout(catalog: Catalog) -> int:
    """Tell the catalog's layout version, 0 for an empty file."""
    return int(catalog.one("PRAGMA user_version"))


def migrate(catalog: Catalog, steps: Sequence[Migration] = MIGRATIONS) -> int:
    """Bring the catalog to the newest layout; returns how many steps were taken.

    The caller holds the writer's lock. Raises StoreError for a layout from a newer scrubjay and
    MigrationAborted when a step fails.
    """
    require_known(catalog, steps)
    due = [step for step in steps if step.version > layout(catalog)]
    for step in due:
        _take(catalog, step)
    return len(due)


def require_known(catalog: Catalog, steps: Sequence[Migration] = MIGRATIONS) -> None:
    """Refuse an index that a newer scrubjay has written; raises StoreError."""
    current, newest = layout(catalog), steps[-1].version
    if current > newest:
        raise StoreError(
            f"the index has layout {current}, this scrubjay knows up to {newest}",
            hint="upgrade scrubjay, or `scrubjay migrate --reset` to index afresh",
        )


def _take(catalog: Catalog, step: Migration) -> None:
    try:
        with catalog.writing():
            step.apply(catalog)
            catalog.run(
                "INSERT INTO migrations VALUES (?, ?, ?)", (step.version, step.name, time.time())
            )
            catalog.script(f"PRAGMA user_version = {step.version}")
            catalog.run("DELETE FROM meta WHERE key = ?", (ABORTED,))
    except (DiskFull, IndexBusy):
        raise  # rolled back; the next start takes the step again
    except Exception as error:
        with suppress(StoreError):
            _note_abort(catalog, f"step {step.version} ({step.name}): {error}")
        raise MigrationAborted(
            f"the index could not be migrated to layout {step.version} ({step.name}): {error}",
            hint=WAY_OUT,
        ) from error


def _note_abort(catalog: Catalog, reason: str) -> None:
    if layout(catalog) > 0:
        with catalog.writing():
            catalog.note(ABORTED, reason)


def require_writable(catalog: Catalog) -> None:
    """Refuse to write into an index whose migration was aborted; raises MigrationAborted."""
    reason = catalog.noted(ABORTED) if layout(catalog) > 0 else None
    if reason:
        raise MigrationAborted(
            f"an earlier migration was aborted: {reason}",
            hint=WAY_OUT,
        )
