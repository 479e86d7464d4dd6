"""The catalog: one SQLite file that says what is true; it knows no vector and no model.

Owner of apsw, which brings its own SQLite, so contentless FTS5 with delete and STRICT tables exist
on every platform. Every write runs in `BEGIN IMMEDIATE`; readers see one snapshot per `reading()`.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrubjay.errors import DiskFull, IndexBusy, ScrubjayError, StoreDamaged, StoreError

if TYPE_CHECKING:
    from types import TracebackType

    import apsw

FILE_NAME = "catalog.sqlite"
BUSY_TIMEOUT_MS = 10_000
CACHE_KIB = 32_768
WAL_LIMIT_BYTES = 64 * 1024 * 1024
"""A larger write-ahead log is cut back at the next checkpoint, so it does not stay for ever."""

LEAST_WAIT_S = 0.25
"""Taking the lock waits at least this long: `is_held` looks at it for some microseconds."""

FREE_BYTES_WHEN_FULL = 1_000_000
"""With less than this free, an input-output error is a full disk."""

Value = None | int | float | str | bytes
Row = tuple[Any, ...]


class Catalog:
    """A connection to the catalog; use it from one thread at a time."""

    def __init__(self, file: Path, *, create: bool = False) -> None:
        """Open the catalog; raises StoreError if `file` is not there and `create` is not set."""
        self.file = file
        self._errors = _Errors(file)
        self._connection = _connect(file, create=create)
        self._vocabulary = False

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Hold one snapshot for every read inside; inside a transaction that one is it."""
        if self._connection.in_transaction:
            yield
            return
        self.script("BEGIN")
        try:
            yield
        finally:
            if self._connection.in_transaction:
                self.script("COMMIT")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Run one write transaction: all of it, or after any error none of it."""
        with self._errors:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def rows(self, sql: str, values: Sequence[Value] = ()) -> Iterator[Row]:
        """Run a query and yield its rows."""
        with self._errors:
            yield from self._connection.execute(sql, values)

    def row(self, sql: str, values: Sequence[Value] = ()) -> Row | None:
        """Run a query and return its first row, if there is one."""
        with self._errors:
            return next(iter(self._connection.execute(sql, values)), None)

    def one(self, sql: str, values: Sequence[Value] = ()) -> Any:
        """Run a query and return the first value of its first row, None without one."""
        row = self.row(sql, values)
        return None if row is None else row[0]

    def run(self, sql: str, values: Sequence[Value] = ()) -> int:
        """Run a statement and return how many rows it changed."""
        with self._errors:
            self._connection.execute(sql, values)
            return self._connection.changes()

    def run_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        """Run a statement once per row of values."""
        with self._errors:
            self._connection.executemany(sql, rows)

    def script(self, sql: str) -> None:
        """Run several statements."""
        with self._errors:
            self._connection.execute(sql)

    def note(self, key: str, value: Value) -> None:
        """Remember one fact about the index as a whole."""
        self.run(
            "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            (key, value),
        )

    def noted(self, key: str) -> Any:
        """Recall a fact, None if it was never noted."""
        return self.one("SELECT value FROM meta WHERE key = ?", (key,))

    def take_ids(self, counter: str, count: int) -> int:
        """Reserve `count` consecutive ids that were never used, in a write transaction.

        Returns the first of them.
        """
        first = int(self.noted(counter) or 1)
        self.note(counter, first + count)
        return first

    def stems(self, words: Iterable[str]) -> list[str]:
        """Reduce words to the terms under which the full-text index files them."""
        tokenizer = self._connection.fts5_tokenizer(
            "porter", ["unicode61", "remove_diacritics", "2"]
        )
        return [
            str(term)
            for word in words
            for term in tokenizer(
                word.encode("utf-8"),
                _FTS5_QUERY,
                None,
                include_offsets=False,
                include_colocated=False,
            )
        ]

    def frequency(self, term: str) -> int:
        """Count the chunks that hold a stemmed term."""
        if not self._vocabulary:
            self.run(
                "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary"
                " USING fts5vocab('main', 'words', 'row')"
            )
            self._vocabulary = True
        return int(self.one("SELECT doc FROM temp.vocabulary WHERE term = ?", (term,)) or 0)

    def problems(self) -> list[str]:
        """Ask SQLite whether the file and its full text are sound; an empty list says yes."""
        try:
            return [row[0] for row in self.rows("PRAGMA quick_check(20)") if row[0] != "ok"]
        except StoreDamaged as error:
            return [error.message]

    def vacuum(self) -> None:
        """Give free pages back to the disk; needs as much free room as the catalog takes."""
        self.script("INSERT INTO words(words) VALUES ('optimize')")
        self.script("PRAGMA temp_store = FILE")  # VACUUM's copy of the file must not be in memory
        self._vocabulary = False
        try:
            self.script("VACUUM")
        finally:
            self.script("PRAGMA temp_store = MEMORY")
        self.script("PRAGMA wal_checkpoint(TRUNCATE)")


_FTS5_QUERY = 1
"""FTS5_TOKENIZE_QUERY of fts5.h."""


def new_index_id() -> str:
    """Make an identity for a fresh index, shared by both of its stores."""
    return secrets.token_hex(16)


def _connect(file: Path, *, create: bool) -> apsw.Connection:
    import apsw

    if not create and not file.exists():
        raise StoreError(f"{file} is missing", hint="index the folder again")
    flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if create else 0)
    with _Errors(file):
        connection = apsw.Connection(_spelled(file), flags=flags)
        try:
            connection.set_busy_timeout(BUSY_TIMEOUT_MS)
            connection.execute(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;"
                f"PRAGMA cache_size = -{CACHE_KIB}; PRAGMA journal_size_limit = {WAL_LIMIT_BYTES};"
            )
        except BaseException:
            connection.close()
            raise
        return connection


def _spelled(file: Path) -> str:
    spelled = str(file)
    try:
        spelled.encode("utf-8")
    except UnicodeEncodeError as error:
        raise StoreError(
            f"{spelled!r} is no UTF-8 path, which an index needs",
            hint="set SCRUBJAY_HOME to another folder",
        ) from error
    return spelled


@contextmanager
def exclusively(file: Path, *, wait_s: float) -> Iterator[None]:
    """Hold SQLite's exclusive lock on `file`, which no other process or connection can then have.

    It ends with the process, however that ends. Raises IndexBusy after `wait_s` seconds.
    """
    import apsw

    with _Errors(file):
        connection = apsw.Connection(_spelled(file))
        try:
            connection.set_busy_timeout(int(max(wait_s, LEAST_WAIT_S) * 1000))
            connection.execute("BEGIN EXCLUSIVE")
        except BaseException:
            connection.close()
            raise
    try:
        yield
    finally:
        connection.close()


def is_held(file: Path) -> bool:
    """Say whether somebody holds `file` exclusively just now."""
    import apsw

    if not file.exists():
        return False
    with _Errors(file):
        connection = apsw.Connection(_spelled(file), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        except apsw.BusyError:
            return True
        finally:
            connection.close()
        return False


class _Errors:
    """Turns apsw's exceptions about one file into ours; entered around every statement."""

    __slots__ = ("_file",)

    def __init__(self, file: Path) -> None:
        self._file = file

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None or isinstance(error, ScrubjayError):
            return
        ours = _translated(self._file, error)
        if ours is not None:
            raise ours from error


def _translated(file: Path, error: BaseException) -> ScrubjayError | None:
    import apsw

    match error:
        case apsw.FullError():
            return _disk_full(file)
        case apsw.IOError():
            if is_disk_full(file):
                return _disk_full(file)
            return StoreError(f"{file}: {error}", hint="check the disk, then `scrubjay verify`")
        case apsw.CorruptError() | apsw.NotADBError() | apsw.FormatError():
            return StoreDamaged(
                f"{file} is damaged: {error}",
                hint="`scrubjay migrate --reset` starts it afresh from your files",
            )
        case apsw.BusyError() | apsw.LockedError() | apsw.ProtocolError():
            return IndexBusy(f"{file} is in use by another program", hint="try again in a moment")
        case apsw.CantOpenError() | apsw.ReadOnlyError() | apsw.PermissionsError():
            return StoreError(
                f"{file} cannot be opened for writing: {error}", hint="check its permissions"
            )
    return None


def _disk_full(file: Path) -> DiskFull:
    return DiskFull(
        f"{file}: the disk is full", hint="free some room and run again; nothing was lost"
    )


def is_disk_full(path: Path, *, needed_bytes: int = 0) -> bool:
    """Say whether the file system of `path` has no room left for `needed_bytes` and a little."""
    nearest = next((p for p in (path, *path.parents) if p.exists()), None)
    try:
        free = shutil.disk_usage(nearest or Path.cwd()).free
    except OSError:
        return False
    return free < needed_bytes + FREE_BYTES_WHEN_FULL


Reached = Callable[[str], None]
"""Called with the name of each point of a protocol as it is passed; crash tests stop there."""


def pass_by(point: str) -> None:
    """Pass every point without stopping."""
