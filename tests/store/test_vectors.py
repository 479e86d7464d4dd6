"""The vectors alone: Lance datasets that survive being stale, tidied, torn and damaged."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from scrubjay.errors import StoreDamaged
from scrubjay.store.vectors import SMALL_FRAGMENTS, STRAY_FILES, VectorStore
from scrubjay.store.windows import GenerationRows, VectorRows, number_rows

RNG = np.random.default_rng(5)


def unit(count: int, dimension: int = 8) -> np.ndarray:
    vectors = RNG.normal(size=(count, dimension)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def generation(number: int, windows: list[int], first_chunk: int) -> VectorRows:
    return number_rows([GenerationRows(number, first_chunk, windows, unit(sum(windows)))])


@pytest.fixture
def store(scratch):
    return VectorStore(scratch / "vectors")


def test_number_rows_counts_windows_chunk_by_chunk():
    rows = number_rows(
        [
            GenerationRows(7, 10, [2, 0, 1], unit(3)),
            GenerationRows(8, 13, [], unit(0)),
            GenerationRows(9, 13, [1], unit(1)),
        ]
    )
    assert rows.chunks.tolist() == [10, 10, 12, 13]
    assert rows.windows.tolist() == [0, 1, 0, 0]
    assert rows.generations.tolist() == [7, 7, 7, 9]
    assert rows.vectors.shape == (4, 8)


def test_fetch_returns_windows_in_order(store):
    rows = generation(1, [3, 1], 10)
    shuffled = [2, 0, 3, 1]
    store.add(
        "s",
        VectorRows(
            rows.chunks[shuffled],
            rows.generations[shuffled],
            rows.windows[shuffled],
            rows.vectors[shuffled],
        ),
    )
    found = store.fetch("s", [10, 11, 12])
    assert sorted(found) == [10, 11]
    assert np.allclose(found[10], rows.vectors[:3], atol=1e-3)
    assert store.fetch("s", []) == store.fetch("none", [1]) == {}


@pytest.mark.parametrize("resident", [False, True])
def test_nearest_ranks_by_cosine(store, resident):
    rows = generation(1, [1] * 20, 10)
    store.add("s", rows)
    store.add("s", generation(2, [1] * 20, 30))
    assert store.keep_resident("s", most=40 if resident else 39) is resident
    question = rows.vectors[4]
    best = store.nearest("s", question, 3)
    assert best.chunks[0] == 14
    assert best.similarities[0] == pytest.approx(1, abs=1e-2)
    assert list(best.similarities) == sorted(best.similarities, reverse=True)
    assert (store.nearest("s", question, 99, generations=[2]).chunks >= 30).all()
    assert len(store.nearest("s", question, 99).chunks) == 40
    for nothing in (
        store.nearest("s", question, 0),
        store.nearest("s", question, 3, generations=[]),
        store.nearest("s", question, 3, generations=[9]),
        store.nearest("none", question, 3),
    ):
        assert (len(nothing.chunks), len(nothing.similarities)) == (0, 0)


def test_resident_space_notices_writes(store):
    store.add("s", generation(1, [1], 10))
    store.keep_resident("s", most=100)
    later = generation(2, [1], 11)
    store.add("s", later)
    assert store.nearest("s", later.vectors[0], 1).chunks.tolist() == [11]


def test_stale_handle_writes_nothing_twice(store):
    other = VectorStore(store.folder)
    store.add("s", generation(1, [1], 10))
    other.add("s", generation(2, [1], 11))
    store.add("s", generation(3, [1], 12))
    other.delete("s", [1])
    store.delete("s", [2])
    assert [store.rows("s")[0].tolist(), other.rows("s")[0].tolist()] == [[12], [12]]


def test_reader_survives_tidying(store):
    for number in range(4):
        store.add("s", generation(number, [1], 10 + number))
    reader = VectorStore(store.folder)
    assert len(reader.rows("s")[0]) == 4
    store.delete("s", [0])
    assert store.tidy("s", always=True)
    assert len(list((store.folder / "s.lance" / "data").iterdir())) == 1
    assert sorted(reader.fetch("s", [10, 11, 12])) == [11, 12]


def test_reader_pinned_to_removed_files_asks_again(store):
    store.add("s", generation(1, [1], 10))
    reader, asked = VectorStore(store.folder), []

    def question(dataset):
        asked.append(dataset.version)
        if len(asked) == 1:  # between opening a version and reading it
            store.add("s", generation(2, [1], 11))
            store.tidy("s", always=True)
        return dataset.to_table(columns=["chunk"])["chunk"].to_pylist()

    assert reader._ask("s", question, absent=[]) == [10, 11]
    assert len(asked) == 2


def test_tidy_leaves_what_is_not_worth_it(store):
    for number in range(SMALL_FRAGMENTS):
        store.add("s", generation(number, [1], 10 + number))
    assert not store.tidy("s")
    store.add("s", generation(99, [1], 99))
    assert store.tidy("s")
    assert len(store.rows("s")[0]) == SMALL_FRAGMENTS + 1
    assert not store.tidy("s")


def test_tidy_takes_deleted_rows_out(store):
    both = [GenerationRows(1, 10, [1] * 30, unit(30)), GenerationRows(2, 40, [1] * 70, unit(70))]
    store.add("s", number_rows(both))
    store.delete("s", [1])
    assert store.tidy("s")
    assert store.rows("s")[1].tolist() == [2] * 70


def test_tidy_removes_files_of_killed_writes(store):
    store.add("s", generation(1, [1], 10))
    data = store.folder / "s.lance" / "data"
    for number in range(STRAY_FILES + 1):
        (data / f"{number:050}.lance").write_bytes(b"half a file")
    assert store.tidy("s")
    assert len(list(data.iterdir())) == 1
    assert store.rows("s")[0].tolist() == [10]


def test_drop_removes_a_space_with_everything(store):
    store.add("s", generation(1, [1], 10))
    store.add("t", generation(1, [1], 10))
    store.drop("s")
    store.drop("s")
    assert store.spaces() == ["t"]
    assert [path.name for path in store.folder.iterdir()] == ["t.lance"]
    store.add("s", generation(2, [1], 11))
    assert store.rows("s")[0].tolist() == [11]


def test_leftovers_of_a_drop_are_removed_later(store):
    store.add("s", generation(1, [1], 10))
    (store.folder / "t-1234.dropped" / "data").mkdir(parents=True)
    store.tidy("s")
    assert [path.name for path in store.folder.iterdir()] == ["s.lance"]


def test_torn_version_is_discarded(store):
    store.add("s", generation(1, [1], 10))
    store.add("s", generation(2, [1], 11))
    newest = min((store.folder / "s.lance" / "_versions").glob("*.manifest"))
    newest.write_bytes(newest.read_bytes()[:100])
    after = VectorStore(store.folder)
    with pytest.raises(StoreDamaged, match=r"s\.lance"):
        after.rows("s")
    after.discard_torn("s")
    assert after.rows("s")[0].tolist() == [10]
    after.add("s", generation(3, [1], 12))
    assert after.rows("s")[0].tolist() == [10, 12]


def test_dataset_torn_at_its_creation_starts_afresh(store):
    store.add("s", generation(1, [1], 10))
    for manifest in (store.folder / "s.lance" / "_versions").glob("*.manifest"):
        manifest.unlink()
    after = VectorStore(store.folder)
    assert after.rows("s")[0].tolist() == []
    after.add("s", generation(3, [1], 12))
    assert after.rows("s")[0].tolist() == [12]


def newest_file(folder: Path) -> Path:
    return max(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns)


@pytest.mark.parametrize("damage", ["truncated", "garbled", "missing"])
def test_damaged_data_is_named_and_rescued(store, damage):
    store.add("s", generation(1, [1] * 50, 10))
    store.add("s", generation(2, [1] * 50, 60))
    file = newest_file(store.folder / "s.lance" / "data")
    if damage == "missing":
        file.unlink()
    elif damage == "truncated":
        file.write_bytes(file.read_bytes()[:50])
    else:
        file.write_bytes(bytes(reversed(file.read_bytes())))
    after = VectorStore(store.folder)
    with pytest.raises(StoreDamaged, match=r"s\.lance"):
        after.fetch("s", range(10, 110))
    assert after.rescue("s")
    assert set(after.rows("s")[1].tolist()) <= {1}
    assert not after.rescue("s")


def test_dataset_beyond_rescue_is_dropped(store):
    store.add("s", generation(1, [1], 10))
    for file in (store.folder / "s.lance" / "data").iterdir():
        file.unlink()
    after = VectorStore(store.folder)
    assert after.rescue("s")
    assert after.rows("s")[0].tolist() == []


def test_folder_may_have_any_name(scratch):
    store = VectorStore(scratch / "a b#?%20;é€ 'x'" / "vectors")
    store.add("s", generation(1, [1], 10))
    assert VectorStore(store.folder).rows("s")[0].tolist() == [10]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_dataset_is_a_lancedb_table(store):
    lancedb = pytest.importorskip("lancedb")
    rows = generation(1, [1] * 20, 10)
    store.add("s", rows)
    table = lancedb.connect(store.folder).open_table("s")
    found = table.search(rows.vectors[3].astype(np.float16)).metric("cosine").limit(1).to_list()
    assert [row["chunk"] for row in found] == [13]


SPEECHLESS = """
import sys
from pathlib import Path
import numpy as np
from scrubjay.store.vectors import VectorStore
from scrubjay.store.windows import GenerationRows, number_rows
store = VectorStore(Path(sys.argv[1]))
for number in range(3):
    store.add("s", number_rows([GenerationRows(number, number, [1], np.ones((1, 8), np.float32))]))
store.delete("s", [1])
store.nearest("s", np.ones(8, np.float32), 2, generations=[2])
store.nearest("s", np.ones(8, np.float32), 2)
store.fetch("s", [1, 2])
store.keep_resident("s", most=10)
store.tidy("s", always=True)
store.drop("s")
"""


@pytest.mark.slow
def test_lance_says_nothing(scratch):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SPEECHLESS, str(scratch / "vectors")],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("hint", ["", '{"version":1}', '{"version":99}', '{"vers', None])
def test_version_hint_is_not_believed(store, hint):
    store.add("s", generation(1, [1], 10))
    store.add("s", generation(2, [1], 11))
    for file in (store.folder / "s.lance" / "_versions").glob("*.json"):
        file.unlink()
        if hint is not None:
            file.write_text(hint)
    after = VectorStore(store.folder)
    after.add("s", generation(3, [1], 12))
    assert after.rows("s")[0].tolist() == store.rows("s")[0].tolist() == [10, 11, 12]
