"""The catalog's connection: transactions, errors, odd paths, the full-text helpers."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress

import apsw
import pytest

from scrubjay.errors import DiskFull, IndexBusy, StoreDamaged, StoreError
from scrubjay.store.catalog import Catalog, is_disk_full
from scrubjay.store.migrations import migrate


@pytest.fixture
def catalog(scratch):
    catalog = Catalog(scratch / "catalog.sqlite", create=True)
    migrate(catalog)
    yield catalog
    catalog.close()


def test_missing_catalog_is_an_error(scratch):
    with pytest.raises(StoreError, match="missing"):
        Catalog(scratch / "catalog.sqlite")
    assert not (scratch / "catalog.sqlite").exists()


def test_catalog_in_a_missing_folder_is_an_error(scratch):
    with pytest.raises(StoreError, match="cannot be opened"):
        Catalog(scratch / "none" / "catalog.sqlite", create=True)


@pytest.mark.parametrize("name", ["a b", "é€", "a#b?c=d%20e", "file:x", "'quoted'"])
def test_folder_may_have_any_name(scratch, name):
    folder = scratch / name
    folder.mkdir()
    catalog = Catalog(folder / "catalog.sqlite", create=True)
    migrate(catalog)
    catalog.close()
    assert (folder / "catalog.sqlite").stat().st_size > 0


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are Unicode there")
def test_path_that_is_no_text_is_an_error(scratch):
    folder = scratch / os.fsdecode(b"\xff")
    folder.mkdir()
    with pytest.raises(StoreError, match="UTF-8"):
        Catalog(folder / "catalog.sqlite", create=True)


@pytest.mark.parametrize(
    "content", [b"no database at all" * 400, b"SQLite format 3\0" + b"\xee" * 9000]
)
def test_corrupt_file_is_damaged(scratch, content):
    (scratch / "catalog.sqlite").write_bytes(content)
    with pytest.raises(StoreDamaged, match="damaged"):
        Catalog(scratch / "catalog.sqlite").rows("SELECT * FROM files").__next__()


def test_damaged_page_is_a_problem_not_a_crash(catalog):
    with catalog.writing():
        catalog.run_many(
            "INSERT INTO meta VALUES (?, ?)", ((f"k{i}", "v" * 500) for i in range(500))
        )
    catalog.vacuum()
    page = catalog.one("SELECT max(pageno) FROM dbstat WHERE name = 'meta' AND pagetype = 'leaf'")
    size = catalog.one("PRAGMA page_size")
    file = catalog.file
    catalog.close()
    content = bytearray(file.read_bytes())
    content[(page - 1) * size : page * size] = b"\xa5" * size
    file.write_bytes(content)
    again = Catalog(file)
    assert again.problems() != []
    again.close()


def test_locked_catalog_is_busy(catalog):
    other = apsw.Connection(str(catalog.file))
    other.execute("BEGIN IMMEDIATE")
    catalog._connection.set_busy_timeout(0)
    with pytest.raises(IndexBusy), catalog.writing():
        pass
    other.execute("ROLLBACK")
    with catalog.writing():
        catalog.note("key", 1)
    other.close()


def test_read_only_catalog_is_an_error(catalog):
    catalog.script("PRAGMA query_only = 1")
    with pytest.raises(StoreError, match="cannot be opened for writing"):
        catalog.note("key", 1)


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="needs permissions that bind the user"
)
def test_read_only_folder_is_an_error(scratch):
    scratch.chmod(0o500)
    try:
        with pytest.raises(StoreError, match="permissions|cannot be opened"):
            Catalog(scratch / "catalog.sqlite", create=True)
    finally:
        scratch.chmod(0o700)


def test_full_catalog_is_a_full_disk(catalog):
    pages = catalog.one("PRAGMA page_count")
    catalog.run(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(DiskFull, match="full"), catalog.writing():
        catalog.note("key", "x" * 100_000)
    assert catalog.noted("key") is None


def test_writing_takes_all_or_nothing(catalog):
    with suppress(KeyError), catalog.writing():
        catalog.note("key", 1)
        raise KeyError
    assert catalog.noted("key") is None
    with catalog.writing():
        catalog.note("key", 2)
    assert catalog.noted("key") == 2


def test_reading_holds_one_snapshot(catalog):
    reader = Catalog(catalog.file)
    another = Catalog(catalog.file)
    with reader.reading(), reader.reading():
        assert reader.noted("key") is None
        catalog.note("key", 1)
        assert reader.noted("key") is None
        assert another.noted("key") == 1
    assert reader.noted("key") == 1
    reader.close()
    another.close()


def test_reading_inside_writing_sees_what_is_written(catalog):
    with catalog.writing():
        catalog.note("key", 1)
        with catalog.reading():
            assert catalog.noted("key") == 1
    assert catalog.noted("key") == 1


def test_log_stays_bounded(catalog):
    for i in range(60):
        with catalog.writing():
            catalog.note(f"key{i % 3}", "x" * 1_000_000)
    log = catalog.file.with_name("catalog.sqlite-wal")
    assert log.stat().st_size < 16 * 1024 * 1024


def test_vacuum_gives_room_back(catalog):
    with catalog.writing():
        for i in range(3000):
            catalog.run(
                "INSERT INTO words(rowid, body) VALUES (?, ?)", (i + 1, f"word{i} " + "x" * 300)
            )
            catalog.note(f"k{i}", "v" * 2000)
    full = catalog.one("PRAGMA page_count")
    with catalog.writing():
        catalog.run("DELETE FROM words")
        catalog.run("DELETE FROM meta WHERE key LIKE 'k%'")
    assert catalog.frequency("word7") == 0
    catalog.vacuum()
    assert catalog.one("PRAGMA page_count") < full / 10
    assert catalog.problems() == []
    assert catalog.frequency("word7") == 0


def test_ids_are_consecutive_and_never_repeated(catalog):
    with catalog.writing():
        assert [catalog.take_ids("next_x", n) for n in (3, 0, 2)] == [1, 4, 4]
    with suppress(KeyError), catalog.writing():
        catalog.take_ids("next_x", 10)
        raise KeyError
    with catalog.writing():
        assert catalog.take_ids("next_x", 1) == 6


def test_stems_are_those_of_the_full_text(catalog):
    with catalog.writing():
        catalog.run("INSERT INTO words(rowid, body) VALUES (1, 'Running cafés 用户 parse_url')")
    for stem in catalog.stems(["running", "café", "用户", "parse"]):
        assert catalog.frequency(stem) == 1
    assert catalog.stems([]) == []
    assert catalog.frequency("absent") == 0


def test_disk_is_full_when_less_is_free_than_needed(scratch):
    assert not is_disk_full(scratch / "none" / "yet")
    assert is_disk_full(scratch, needed_bytes=2**60)


LIMITED = """
import resource, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from tests.stored import opened
from scrubjay.errors import StoreError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with opened(Path(sys.argv[1])) as shelf:
    shelf.put(a="one\\n")
    shelf.ask("b")
    publication = shelf.publication("b", "".join(f"line {i}\\n" for i in range(2000)))
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), hard))
    try:
        shelf.committer.publish([publication], shelf.space)
    except StoreError as error:
        print(type(error).__name__)
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    print(shelf.holds()["b"][0], shelf.problems())
    shelf.committer.publish([publication], shelf.space)
    shelf.committer.sweep(budget_s=5)
    print(shelf.holds()["b"][0], shelf.problems(swept=True))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs resource limits")
@pytest.mark.parametrize("limit_bytes", [40_000, 300_000])
def test_write_that_fails_leaves_the_old_content(scratch, limit_bytes):
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(scratch / "index"), root, str(limit_bytes)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["StoreError", "dirty []", "clean []"]
