"""How does a transformer read a text? Runs ONNX graphs, owns onnxruntime and tokenizers.

A graph reads one text at a time, on as many threads as are wanted: on CPUs that costs less than
batches, because nothing is padded.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from scrubjay.errors import ModelError, TooSlow

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")
R = TypeVar("R")

MOST_THREADS = 4
GRAPH_NAME, TOKENIZER_NAME = "model.onnx", "tokenizer.json"
IDS, MASK, TYPES = "input_ids", "attention_mask", "token_type_ids"
_ERRORS_ONLY = 3


@dataclass(frozen=True, slots=True)
class Pieces:
    """A text, or a pair, as a model reads it: ids of word pieces, and which text each is of."""

    ids: Sequence[int]
    types: Sequence[int]


class Transformer:
    """A graph with its tokenizer, from a folder that holds `model.onnx` and `tokenizer.json`."""

    def __init__(self, folder: Path, max_tokens: int) -> None:
        """Open both; raises ModelError naming the file that is missing or damaged."""
        self._tokenizer = _open_tokenizer(folder / TOKENIZER_NAME, max_tokens)
        self._session = _open_session(folder / GRAPH_NAME)
        self._file = folder / GRAPH_NAME
        inputs = self._session.get_inputs()
        self._names = tuple(item.name for item in inputs)
        self._whole = "int32" if any("int32" in item.type for item in inputs) else "int64"
        unknown = set(self._names) - {IDS, MASK, TYPES}
        if IDS not in self._names or unknown:
            raise ModelError(
                f"{self._file} asks for {', '.join(sorted(unknown)) or 'no ' + IDS}",
                hint="a text model takes input_ids, attention_mask and perhaps token_type_ids",
            )

    def cut(self, text: str, other: str | None = None) -> Pieces:
        """Cut a text, or a pair, into word pieces with the model's own marks, within its limit."""
        texts = [_sound(part) for part in (text, other) if part is not None]
        encoded = self._tokenizer.encode(*texts)
        return Pieces(encoded.ids, encoded.type_ids)

    def run(self, pieces: Pieces) -> NDArray[np.float32]:
        """Run the graph on one text; returns its first output, without the batch dimension."""
        import numpy as np

        ids = np.array([pieces.ids], self._whole)
        feeds = {IDS: ids, MASK: np.ones_like(ids), TYPES: np.array([pieces.types], self._whole)}
        try:
            outputs = self._session.run(None, {name: feeds[name] for name in self._names})
        except (
            Exception
        ) as error:  # onnxruntime raises classes of its own, which it does not export
            raise ModelError(f"{self._file} cannot be run: {error}") from error
        return np.asarray(outputs[0][0], np.float32)


def _sound(text: str) -> str:
    """Replace lone surrogates, which the tokenizer refuses with a TypeError."""
    return text.encode("utf-8", "replace").decode("utf-8")


@contextmanager
def _importing(package: str) -> Iterator[None]:
    """Say what to do where a package is there and cannot be loaded, as without its C runtime."""
    try:
        yield
    except ImportError as error:
        hint = f"reinstall {package}; on Windows it needs the Visual C++ runtime"
        raise ModelError(f"{package} cannot be loaded: {error}", hint=hint) from error


def _open_tokenizer(file: Path, max_tokens: int) -> Any:
    with _importing("tokenizers"):
        from tokenizers import Tokenizer

    _require_file(file)
    try:
        tokenizer = Tokenizer.from_file(str(file))
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_tokens)
    except Exception as error:  # the package raises plain Exception
        raise ModelError(f"{file} is no tokenizer: {error}", hint=_hint(file)) from error
    return tokenizer


def _open_session(file: Path) -> Any:
    with _importing("onnxruntime"):
        import onnxruntime

    _require_file(file)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = _ERRORS_ONLY
    options.enable_cpu_mem_arena = False  # texts of every length would each leave their mark
    try:
        return onnxruntime.InferenceSession(str(file), options, ["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own classes are not public
        raise ModelError(f"{file} is no model: {error}", hint=_hint(file)) from error


def _require_file(file: Path) -> None:
    if not file.is_file():
        raise ModelError(f"{file} is missing", hint=_hint(file))


def _hint(file: Path) -> str:
    return (
        f"a model's folder holds {GRAPH_NAME} and {TOKENIZER_NAME}; fetch {file.parent.name} anew"
    )


def thread_count(wanted: int) -> int:
    """Tell how many threads to use; 0 means all cores, at most four."""
    return wanted or max(1, min(MOST_THREADS, os.cpu_count() or 1))


def map_before(
    function: Callable[[T], R], items: Sequence[T], threads: int, deadline: float
) -> Iterator[R]:
    """Apply a function on several threads, in order; raises TooSlow once `deadline` has passed.

    `deadline` is of `time.monotonic`. What runs at that moment is waited for, the rest not begun.
    """

    def in_time(item: T) -> R:
        if time.monotonic() >= deadline:
            raise TooSlow("the deadline has passed")
        return function(item)

    if threads == 1 or len(items) < 2:
        yield from map(in_time, items)
        return
    with ThreadPoolExecutor(threads, "scrubjay-model") as pool:
        yield from pool.map(in_time, items)


class Resting(Generic[T]):
    """Something costly, opened when it is used and let go when nobody used it for a while."""

    def __init__(self, make: Callable[[], T], idle_s: float) -> None:
        """Keep what `make` opens until `idle_s` after its last use."""
        self._make = make
        self._idle_s = idle_s
        self._lock = threading.Lock()
        self._held: T | None = None
        self._users = 0
        self._last_use = 0.0
        self._timer: threading.Timer | None = None

    @property
    def is_open(self) -> bool:
        """Say whether it is held right now."""
        return self._held is not None

    @contextmanager
    def use(self) -> Iterator[T]:
        """Open it unless it is open, and keep it open inside the block."""
        with self._lock:
            if self._held is None:
                self._held = self._make()
            held = self._held
            self._users += 1
        try:
            yield held
        finally:
            with self._lock:
                self._users -= 1
                self._last_use = time.monotonic()
                self._wait()

    def _wait(self) -> None:
        if self._timer is None and self._held is not None:
            left = max(0.0, self._last_use + self._idle_s - time.monotonic())
            self._timer = threading.Timer(left, self._let_go)
            self._timer.daemon = True
            self._timer.start()

    def _let_go(self) -> None:
        with self._lock:
            self._timer = None
            if not self._users and time.monotonic() >= self._last_use + self._idle_s:
                self._held = None
            elif not self._users:
                self._wait()
