"""The vectors: one Lance dataset per space; it knows generations and chunk ids, no text, no file.

Owner of lance and pyarrow. A dataset at `<folder>/<space>.lance` is a LanceDB table. Rows are
float16 and are never changed: a generation's rows are added once and deleted once.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from scrubjay.errors import DiskFull, StoreDamaged, StoreError
from scrubjay.store.catalog import is_disk_full
from scrubjay.store.durable import Flushed, write_small
from scrubjay.store.windows import Neighbours, Resident, VectorRows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")

INDEX_ID_NAME = "index_id"
DROPPED = ".dropped"
IDS_PER_FILTER = 5_000
"""Lance parses a filter of this many ids in some tens of milliseconds."""

ROWS_PER_FRAGMENT = 200_000
SMALL_FRAGMENTS = 24
"""More fragments than this, or a fifth of the rows deleted, are worth a compaction."""

DELETED_SHARE = 0.2
OLD_VERSIONS = 200
"""Every write leaves a version of some kilobytes; beyond this many the old ones go."""

STRAY_FILES = 8
"""So many data files that the newest version does not name (killed writes) are worth a clean-up."""

_MANIFEST = re.compile(r"\d{20}\.manifest")
"""Lance's names of versions: 2**64 - 1 - version, so the newest sorts first."""

_MANIFEST_END = b"LANC"


class VectorStore:
    """The vectors of one index."""

    def __init__(self, folder: Path) -> None:
        """Look at `folder`; nothing is opened or created before it is needed."""
        self.folder = folder
        self._open: dict[str, Any] = {}
        self._resident: dict[str, Resident] = {}
        self._flushed = Flushed()

    def index_id(self) -> str | None:
        """Read which index these vectors belong to, None before the first was named."""
        try:
            return (self.folder / INDEX_ID_NAME).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return None

    def belong_to(self, index_id: str) -> None:
        """Name the index these vectors belong to."""
        with _mapped(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            write_small(self.folder / INDEX_ID_NAME, index_id)

    def spaces(self) -> list[str]:
        """List the spaces that have a dataset."""
        return sorted(path.stem for path in self.folder.glob("*.lance"))

    def add(self, space: str, rows: VectorRows) -> None:
        """Append rows and flush them to the disk; they are there for good when this returns.

        The data is on the disk before a version names it, so a power cut leaves no broken version.
        """
        from lance import LanceDataset
        from lance.fragment import write_fragments

        path, table = self._path(space), _table(rows)
        with _mapped(path, needed_bytes=2 * table.nbytes):
            dataset = self._newest(space)
            if dataset is None:
                dataset = self._create(space, table)
            if len(table):
                transaction = write_fragments(table, dataset, return_transaction=True)
                self._flushed.flush(path)
                self._open[space] = LanceDataset.commit(dataset, transaction)
            self._flushed.flush(path)

    def _create(self, space: str, table: Any) -> Any:
        import lance

        self.folder.mkdir(parents=True, exist_ok=True)
        return lance.write_dataset(table.slice(0, 0), str(self._path(space)), mode="create")

    def delete(self, space: str, generations: Collection[int]) -> None:
        """Delete every row of these generations; a space without a dataset has none."""
        with _mapped(self._path(space)):
            dataset = self._newest(space)
            if dataset is None:
                return
            for part in _slices(sorted(generations), IDS_PER_FILTER):
                dataset.delete(_among("generation", part))
            self._flushed.flush(self._path(space))

    def drop(self, space: str) -> None:
        """Remove a space with everything in it: at once for every reader, its files as they can."""
        self._open.pop(space, None)
        self._resident.pop(space, None)
        path = self._path(space)
        with suppress(OSError):  # absent, or in use on Windows: the next tidying comes back to it
            path.replace(path.with_name(f"{space}-{os.urandom(4).hex()}{DROPPED}"))
        self._remove_dropped()

    def _remove_dropped(self) -> None:
        """Remove dropped datasets; one that another program still reads stays for the next time."""
        for path in self.folder.glob(f"*{DROPPED}"):
            shutil.rmtree(path, ignore_errors=True)

    def fetch(self, space: str, chunks: Collection[int]) -> dict[int, NDArray[np.float32]]:
        """Read the vectors of chunks: id to rows (windows, d) in order; absent ids are left out."""
        import numpy as np

        wanted = sorted(chunks)

        def read(dataset: Any) -> dict[int, NDArray[np.float32]]:
            found: dict[int, NDArray[np.float32]] = {}
            for part in _slices(wanted, IDS_PER_FILTER):
                table = dataset.to_table(
                    columns=["chunk", "window", "vector"], filter=_among("chunk", part)
                )
                vectors = _matrix(table).astype(np.float32)
                ids = table["chunk"].to_numpy()
                order = np.lexsort((table["window"].to_numpy(), ids))
                unique, starts = np.unique(ids[order], return_index=True)
                pieces = np.split(vectors[order], starts[1:]) if len(unique) else []
                found.update(zip(unique.tolist(), pieces, strict=True))
            return found

        return self._ask(space, read, absent={}) if wanted else {}

    def nearest(
        self,
        space: str,
        question: NDArray[np.float32],
        count: int,
        *,
        generations: Collection[int] | None = None,
    ) -> Neighbours:
        """Find the windows most similar to a question (d,), optionally within some generations."""
        import numpy as np

        nothing = Neighbours(np.empty(0, np.int64), np.empty(0, np.float32))
        if count < 1 or (generations is not None and not generations):
            return nothing
        resident = self._resident.get(space)

        def look(dataset: Any) -> Neighbours:
            if resident is not None and resident.version == dataset.version:
                return resident.nearest(question, count, generations)
            return _nearest(dataset, question, count, generations)

        return self._ask(space, look, absent=nothing)

    def keep_resident(self, space: str, *, most: int) -> bool:
        """Load a space into memory for fast questions, unless it has more than `most` rows."""

        def load(dataset: Any) -> bool:
            if dataset.count_rows() > most:
                self._resident.pop(space, None)
                return False
            held = self._resident.get(space)
            if held is None or held.version != dataset.version:
                self._resident[space] = _loaded(dataset)
            return True

        return self._ask(space, load, absent=False)

    def rows(self, space: str) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
        """List every row as parallel arrays: chunk id, generation, window number."""
        import numpy as np

        def read(dataset: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
            table = dataset.to_table(columns=["chunk", "generation", "window"])
            return (
                table["chunk"].to_numpy(),
                table["generation"].to_numpy(),
                table["window"].to_numpy(),
            )

        none = (np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int32))
        return self._ask(space, read, absent=none)

    def tidy(self, space: str, *, always: bool = False) -> bool:
        """Merge small fragments, forget old versions and stray files, if that is worth it.

        The caller is the only writer. A reader that holds an old version and finds its files gone
        opens the newest and asks again.
        """
        self._remove_dropped()
        path = self._path(space)
        with _mapped(path):
            dataset = self._newest(space)
            if dataset is None:
                return False
            scattered = always or _is_scattered(dataset)
            if not scattered and not _is_cluttered(dataset, path):
                return False
            if scattered:
                dataset.optimize.compact_files(target_rows_per_fragment=ROWS_PER_FRAGMENT)
                self._flushed.flush(path)  # before the files it replaces go
            dataset.cleanup_old_versions(retain_versions=1, delete_unverified=True)
            self._flushed.flush(path)
            return True

    def discard_torn(self, space: str) -> None:
        """Remove a newest version that a power cut left half-written; the caller is the writer.

        No generation in it was ever published: that waits until its version is on the disk.
        """
        newest = next(iter(self._manifests(space)), None)
        if newest is not None and not newest.read_bytes().endswith(_MANIFEST_END):
            newest.unlink()

    def rescue(self, space: str) -> bool:
        """Fall back to the newest version that can be read in full, else drop the space.

        Returns whether something was wrong. The caller is the only writer.
        """
        import lance

        self._open.pop(space, None)
        for lost, manifest in enumerate(self._manifests(space)):
            version = 2**64 - 1 - int(manifest.stem)
            try:
                for _ in lance.dataset(str(self._path(space)), version=version).to_batches():
                    pass
            except (OSError, RuntimeError, ValueError):
                continue
            for newer in self._manifests(space)[:lost]:
                newer.unlink()
            return lost > 0
        self.drop(space)
        return True

    def _manifests(self, space: str) -> list[Path]:
        """List a dataset's versions, newest first."""
        folder = self._path(space) / "_versions"
        if not folder.is_dir():
            return []
        return sorted(path for path in folder.iterdir() if _MANIFEST.fullmatch(path.name))

    def _path(self, space: str) -> Path:
        return self.folder / f"{space}.lance"

    def _ask(self, space: str, question: Callable[[Any], T], *, absent: T) -> T:
        """Put a question to the newest version, and once more if its files vanish meanwhile."""
        with _mapped(self._path(space)):
            try:
                return self._put(space, question, absent)
            except (OSError, RuntimeError, ValueError):
                self._open.pop(space, None)
                return self._put(space, question, absent)

    def _put(self, space: str, question: Callable[[Any], T], absent: T) -> T:
        dataset = self._newest(space)
        return absent if dataset is None else question(dataset)

    def _newest(self, space: str) -> Any:
        """Open the newest version, None without a dataset; a stale handle writes rows twice."""
        dataset = self._open.get(space)
        if dataset is not None and dataset.latest_version == dataset.version:
            return dataset
        self._open.pop(space, None)
        if not self._manifests(space):
            return None
        import lance

        dataset = self._open[space] = lance.dataset(str(self._path(space)))
        return dataset


def _loaded(dataset: Any) -> Resident:
    import numpy as np

    table = dataset.to_table(columns=["chunk", "generation", "vector"])
    return Resident(
        dataset.version,
        table["chunk"].to_numpy(),
        table["generation"].to_numpy(),
        _matrix(table).astype(np.float32),
    )


def _nearest(
    dataset: Any, question: NDArray[np.float32], count: int, generations: Collection[int] | None
) -> Neighbours:
    import numpy as np

    options: dict[str, Any] = {}
    if generations is not None:
        options = {"filter": _among("generation", sorted(generations)), "prefilter": True}
    table = dataset.to_table(
        columns=["chunk", "_distance"],  # without `_distance` Lance warns on standard error
        nearest={"column": "vector", "q": question.astype(np.float16), "k": count, "metric": "dot"},
        **options,
    )
    # Lance's dot distance is 1 - dot for unit vectors
    return Neighbours(table["chunk"].to_numpy(), 1.0 - table["_distance"].to_numpy())


def _among(column: str, ids: Sequence[int]) -> str:
    return f"{column} IN ({','.join(map(str, ids))})"


def _table(rows: VectorRows) -> Any:
    import numpy as np
    import pyarrow as pa

    dimension = rows.vectors.shape[1]
    schema = pa.schema(
        [
            pa.field("chunk", pa.int64(), nullable=False),
            pa.field("generation", pa.int64(), nullable=False),
            pa.field("window", pa.int32(), nullable=False),
            pa.field("vector", pa.list_(pa.float16(), dimension), nullable=False),
        ]
    )
    flat = pa.array(rows.vectors.astype(np.float16).reshape(-1))
    return pa.table(
        [
            pa.array(rows.chunks),
            pa.array(rows.generations),
            pa.array(rows.windows),
            pa.FixedSizeListArray.from_arrays(flat, dimension),
        ],
        schema=schema,
    )


def _matrix(table: Any) -> NDArray[np.float16]:
    """View a table's vectors as one matrix (n, d)."""
    import numpy as np

    column = table["vector"].combine_chunks()
    dimension = column.type.list_size
    values = column.flatten().to_numpy(zero_copy_only=False)
    return np.asarray(values, np.float16).reshape(-1, dimension)


def _is_scattered(dataset: Any) -> bool:
    fragments = dataset.get_fragments()
    if len(fragments) > SMALL_FRAGMENTS:
        return True
    physical = sum(fragment.physical_rows for fragment in fragments)
    return bool(dataset.count_rows() < physical * (1 - DELETED_SHARE))


def _is_cluttered(dataset: Any, path: Path) -> bool:
    named = sum(len(fragment.data_files()) for fragment in dataset.get_fragments())
    data = path / "data"
    there = len(os.listdir(data)) if data.is_dir() else 0
    return there - named > STRAY_FILES or len(os.listdir(path / "_versions")) > OLD_VERSIONS


def _slices(items: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


@contextmanager
def _mapped(path: Path, *, needed_bytes: int = 0) -> Iterator[None]:
    """Turn Lance's exceptions into ours; it has no classes of its own, so the disk is asked."""
    try:
        yield
    except (OSError, RuntimeError, ValueError) as error:
        if is_disk_full(path, needed_bytes=needed_bytes):
            raise DiskFull(
                f"{path}: the disk is full", hint="free some room and run again; nothing was lost"
            ) from error
        if isinstance(error, ValueError):
            raise StoreDamaged(
                f"{path} is damaged: {error}", hint="`scrubjay repair` mends what it can"
            ) from error
        raise StoreError(f"{path}: {error}", hint="`scrubjay verify` checks the index") from error
