"""Text to syntax tree; the owner of `tree_sitter`, `semble_grammars` and single-language wheels.

Grammars are machine code in a wheel. `semble_grammars` unpacks each into a folder at first use; an
installed `tree_sitter_<language>` wheel is preferred. Parsers live as long as their process.
"""

from __future__ import annotations

import atexit
import importlib
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrubjay.chunk.grammar import Grammar, compiled
from scrubjay.sections import ChunkSettings

if TYPE_CHECKING:
    from tree_sitter import Language, Parser, Point, Tree
    from tree_sitter import Node as Node

_CACHE_VARIABLE = "SEMBLE_GRAMMARS_CACHE_DIR"
_READ_BYTES = 65_536
_CALLS_PER_LOOK = 32
"""The parser asks every hundred steps or so; the clock of a thread costs as much as those."""

_MAX_ERROR_SHARE = 0.5
"""With more of a file in error nodes, its tree is no guide."""

_parsers = threading.local()


class SyntaxUnavailable(Exception):
    """A document has no usable syntax tree; the message says why, as a person reads it."""


class Syntax:
    """A tree whose offsets count bytes; `shift` turns them into UTF-16 units.

    `is_doubtful` says that so much did not parse that only definitions found in it justify its use.
    """

    __slots__ = ("_tree", "is_doubtful", "root", "shift")

    def __init__(self, tree: Tree, shift: int) -> None:
        self._tree = tree
        self.root: Node = tree.root_node
        self.shift = shift
        self.is_doubtful = _is_doubtful(self.root)


def use_grammar_cache(folder: Path) -> None:
    """Have grammars unpacked into `folder`; call before the first parse of a process."""
    os.environ[_CACHE_VARIABLE] = str(folder)


def loadable(grammar: Grammar) -> str | None:
    """Say why a grammar does not load here, or None when it does."""
    try:
        _language(grammar)
    except SyntaxUnavailable as problem:
        return str(problem)
    return None


def parse(text: str, grammar: Grammar, settings: ChunkSettings) -> Syntax:
    """Parse a text within the caps of the settings.

    Non-ASCII text is parsed as UTF-16, so that offsets need no table. Raises SyntaxUnavailable for
    a text beyond the caps or the deadline, and without a grammar that loads.
    """
    _check_size(text, settings)
    if grammar.crashing and compiled(grammar.crashing).search(text):
        raise SyntaxUnavailable("nested too deeply for its parser")
    parser = _parser(grammar)
    if text.isascii():
        source = text.encode("ascii")
        return Syntax(_parse_source(parser, source, "utf8", settings.parse_deadline_s), 0)
    source = text.encode("utf-16-le", "surrogatepass")
    return Syntax(_parse_source(parser, source, "utf16le", settings.parse_deadline_s), 1)


def _check_size(text: str, settings: ChunkSettings) -> None:
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    if size > settings.max_parse_bytes:
        raise SyntaxUnavailable(f"larger than {settings.max_parse_bytes} bytes")
    if len(text) > settings.max_line_chars * (text.count("\n") + 1):
        raise SyntaxUnavailable(
            f"lines longer than {settings.max_line_chars} characters on average"
        )


def _parse_source(parser: Parser, source: bytes, encoding: Any, deadline_s: float) -> Tree:
    """Parse through a read callback: only then does the parser ask whether to go on.

    The deadline counts processor time, so that a busy machine cuts files no differently.
    """
    view = memoryview(source)
    end = time.thread_time() + deadline_s

    def read(offset: int, _point: Point) -> bytes:
        return bytes(view[offset : offset + _READ_BYTES])

    calls = count()

    def is_late(_offset: int, _has_error: bool) -> bool:
        return next(calls) % _CALLS_PER_LOOK == 0 and time.thread_time() >= end

    try:
        tree: Tree | None = parser.parse(read, encoding=encoding, progress_callback=is_late)
    except ValueError:
        tree = None
    if tree is None:
        parser.reset()
        raise SyntaxUnavailable(f"parsing took longer than {deadline_s:g} s")
    return tree


def _is_doubtful(root: Node) -> bool:
    if not root.has_error:
        return False
    wrong = sum(node.end_byte - node.start_byte for node in root.children if node.is_error)
    return root.is_error or wrong > _MAX_ERROR_SHARE * (root.end_byte - root.start_byte)


def _parser(grammar: Grammar) -> Parser:
    pool: dict[str, Parser] = _parsers.__dict__
    parser = pool.get(grammar.name)
    if parser is None:
        from tree_sitter import Parser

        parser = pool[grammar.name] = Parser(_language(grammar))
    return parser


@cache
def _language(grammar: Grammar) -> Language:
    return _from_wheel(grammar) or _from_bundle(grammar.name)


def _from_wheel(grammar: Grammar) -> Language | None:
    """Load an installed single-language wheel; one that does not fit is as good as absent."""
    from tree_sitter import Language

    module, _, entry = grammar.wheel.partition(":")
    try:
        pointer: Callable[[], object] = getattr(
            importlib.import_module(module), entry or "language"
        )
        return Language(pointer())
    except (ImportError, AttributeError, ValueError, TypeError, OSError):
        return None


def _from_bundle(name: str) -> Language:
    import semble_grammars

    try:
        return _load(name)
    except semble_grammars.GrammarLoadError:
        return _load_from_temporary(name)
    except (semble_grammars.LanguageNotFoundError, semble_grammars.UnsupportedPlatformError) as no:
        raise SyntaxUnavailable(f"no grammar for {name} here: {no}") from no


def _load(name: str) -> Language:
    import semble_grammars

    language: Language = semble_grammars.get_language(name)
    return language


def _load_from_temporary(name: str) -> Language:
    """Unpack into a folder of this process: the usual one is not writable, or holds a bad file."""
    import semble_grammars

    usual = os.environ.get(_CACHE_VARIABLE)
    try:
        os.environ[_CACHE_VARIABLE] = _temporary_folder()
        return _load(name)
    except (semble_grammars.GrammarLoadError, OSError) as error:
        raise SyntaxUnavailable(f"the grammar for {name} does not load: {error}") from error
    finally:
        if usual is None:
            os.environ.pop(_CACHE_VARIABLE, None)
        else:
            os.environ[_CACHE_VARIABLE] = usual


@cache
def _temporary_folder() -> str:
    folder = tempfile.mkdtemp(prefix="scrubjay-grammars-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
