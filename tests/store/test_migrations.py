"""Layouts: taken step by step, rolled back whole, refused when unknown."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.stored import assert_sound, opened

from scrubjay.errors import DiskFull, IndexBusy, MigrationAborted, StoreError
from scrubjay.store.catalog import FILE_NAME, Catalog
from scrubjay.store.lock import writer_lock
from scrubjay.store.maintain import migrate_again, open_for_reading, open_for_writing, reset
from scrubjay.store.migrations import MIGRATIONS, Migration, layout, migrate

LAST = MIGRATIONS[-1].version


def step(number: int, statement: str = "CREATE TABLE extra(x) STRICT") -> Migration:
    return Migration(LAST + number, f"step {number}", lambda catalog: catalog.script(statement))


GOOD = step(1, "CREATE TABLE extra(x ANY) STRICT; INSERT INTO extra VALUES (1)")
BAD = step(2, "INSERT INTO extra VALUES (2); INSERT INTO nowhere VALUES (1)")
MENDED = step(2, "INSERT INTO extra VALUES (3)")


@pytest.fixture
def folder(scratch) -> Path:
    with opened(scratch / "index") as shelf:
        shelf.put(a="one\n")
    return scratch / "index"


def looked_at(folder: Path, sql: str) -> list:
    catalog = Catalog(folder / FILE_NAME)
    try:
        return [row[0] for row in catalog.rows(sql)]
    finally:
        catalog.close()


def test_new_index_has_the_newest_layout(folder):
    assert looked_at(folder, "PRAGMA user_version") == [LAST]
    assert looked_at(folder, "SELECT version FROM migrations") == [m.version for m in MIGRATIONS]


def test_versions_are_consecutive():
    assert [m.version for m in MIGRATIONS] == list(range(1, LAST + 1))


def test_migrating_keeps_what_is_there(folder):
    steps = (*MIGRATIONS, GOOD)
    open_for_writing(folder, steps).close()
    open_for_writing(folder, steps).close()
    assert looked_at(folder, "SELECT x FROM extra") == [1]
    assert looked_at(folder, "SELECT max(version) FROM migrations") == [LAST + 1]
    open_for_reading(folder, steps).close()


def test_failed_step_is_rolled_back_and_stops_writing(folder):
    with pytest.raises(MigrationAborted, match="step 2"):
        open_for_writing(folder, (*MIGRATIONS, GOOD, BAD))
    assert looked_at(folder, "SELECT x FROM extra") == [1]
    assert looked_at(folder, "PRAGMA user_version") == [LAST + 1]
    for steps in ((*MIGRATIONS, GOOD, BAD), (*MIGRATIONS, GOOD, MENDED)):
        with pytest.raises(MigrationAborted, match="nowhere"):
            open_for_writing(folder, steps)
        with pytest.raises(MigrationAborted, match="nowhere"):
            open_for_reading(folder, steps)


def test_aborted_migration_is_taken_again(folder):
    with pytest.raises(MigrationAborted):
        open_for_writing(folder, (*MIGRATIONS, GOOD, BAD))
    with pytest.raises(MigrationAborted):
        migrate_again(folder, (*MIGRATIONS, GOOD, BAD))
    steps = (*MIGRATIONS, GOOD, MENDED)
    assert migrate_again(folder, steps) == 1
    assert looked_at(folder, "SELECT x FROM extra") == [1, 3]
    open_for_writing(folder, steps).close()


def test_reset_is_a_way_out(folder):
    with pytest.raises(MigrationAborted):
        open_for_writing(folder, (*MIGRATIONS, GOOD, BAD))
    (folder / "settings.toml").write_text("")
    reset(folder)
    assert [path.name for path in folder.iterdir()] == ["settings.toml"]
    reset(folder)
    with opened(folder) as shelf:
        shelf.put(a="one\n")
    assert_sound(folder, swept=True)


@pytest.mark.parametrize("error", [DiskFull("full"), IndexBusy("busy"), KeyboardInterrupt()])
def test_interruption_is_no_abort(folder, error):
    def interrupted(catalog: Catalog) -> None:
        catalog.script("CREATE TABLE half(x) ")
        raise error

    steps = (*MIGRATIONS, Migration(LAST + 1, "interrupted", interrupted))
    with pytest.raises(type(error)):
        open_for_writing(folder, steps)
    open_for_writing(folder, (*MIGRATIONS, GOOD)).close()
    assert looked_at(folder, "SELECT name FROM sqlite_schema WHERE name = 'half'") == []


def test_failure_of_the_first_layout_leaves_an_empty_file(scratch):
    catalog = Catalog(scratch / FILE_NAME, create=True)
    broken = Migration(1, "broken", lambda c: c.script("CREATE TABLE a(x); SELECT * FROM nowhere"))
    with pytest.raises(MigrationAborted):
        migrate(catalog, [broken])
    assert layout(catalog) == 0
    catalog.close()
    with pytest.raises(StoreError, match="no finished index"):
        open_for_reading(scratch)
    open_for_writing(scratch).close()
    assert_sound(scratch)


def test_newer_layout_is_refused(folder):
    open_for_writing(folder, (*MIGRATIONS, GOOD)).close()
    for open_index in (open_for_writing, open_for_reading):
        with pytest.raises(StoreError, match="knows up to"):
            open_index(folder)


def test_older_layout_is_not_read(folder):
    with pytest.raises(StoreError, match="older layout"):
        open_for_reading(folder, (*MIGRATIONS, GOOD))


KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from scrubjay.store.maintain import open_for_writing
from scrubjay.store.migrations import MIGRATIONS, Migration

def apply(catalog):
    catalog.script("CREATE TABLE extra(x ANY) STRICT; INSERT INTO extra VALUES (7)")
    os.kill(os.getpid(), signal.SIGKILL)

step = Migration(MIGRATIONS[-1].version + 1, "killed", apply)
open_for_writing(Path(sys.argv[1]), (*MIGRATIONS, step))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_step_killed_in_the_middle_is_taken_again(folder):
    root = str(Path(__file__).parents[2])
    done = subprocess.run([sys.executable, "-c", KILLED, str(folder), root], timeout=60)
    assert done.returncode == -9
    assert_sound(folder)
    open_for_writing(folder, (*MIGRATIONS, GOOD)).close()
    assert looked_at(folder, "SELECT x FROM extra") == [1]


MIGRATING = """
import sys
from pathlib import Path
from scrubjay.store.lock import writer_lock
from scrubjay.store.maintain import open_for_writing
from scrubjay.store.migrations import MIGRATIONS, Migration
step = Migration(
    MIGRATIONS[-1].version + 1,
    "extra",
    lambda c: c.script("CREATE TABLE extra(x ANY) STRICT; INSERT INTO extra VALUES (1)"),
)
with writer_lock(Path(sys.argv[1]), "migrating", wait_s=60):
    open_for_writing(Path(sys.argv[1]), (*MIGRATIONS, step)).close()
"""


@pytest.mark.slow
def test_two_processes_migrate_once(folder):
    with writer_lock(folder, "test"):
        both = [subprocess.Popen([sys.executable, "-c", MIGRATING, str(folder)]) for _ in range(2)]
    assert [process.wait(timeout=120) for process in both] == [0, 0]
    assert looked_at(folder, "SELECT x FROM extra") == [1]
