"""The vocabulary every other module speaks: plain values without behaviour.

Paths inside an index are `bytes`: relative to their root, `/`-separated, exactly as the file system
spells them, so that nothing a disk can hold is lost. `shown()` makes one safe to print.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class RootKind(Enum):
    """What a root admits: listed text only, or every file."""

    TEXT = "text"
    ALL = "all"


class Kind(Enum):
    """What a file is to the index."""

    TEXT = "text"
    VISUAL = "visual"
    CONTEXTUAL = "contextual"
    IGNORED = "ignored"


class FileState(Enum):
    """Where a known file stands: waiting for work, current, left out for a reason, or given up."""

    DIRTY = "dirty"
    CLEAN = "clean"
    SKIPPED = "skipped"
    FAILED = "failed"


class SkipReason(Enum):
    """Why an entry of the tree has no chunks; the value is what a person reads."""

    NOT_LISTED = "not a listed kind of text"
    IGNORED = "ignored by a rule"
    LOCKFILE = "lock file"
    GENERATED = "minified, source map or snapshot"
    SYMLINK = "symbolic link"
    SPECIAL = "not a regular file"
    SUBMODULE = "git submodule"
    NESTED_REPOSITORY = "nested repository"
    OWN_DATA = "scrubjay's own data"
    EMPTY = "empty"
    BLANK = "only white space"
    TOO_LARGE = "too large"
    BINARY = "binary"
    NO_SHEBANG = "no extension and no script header"
    UNREADABLE = "not readable"
    PATH_TOO_LONG = "path too long"


@dataclass(frozen=True, slots=True)
class Stat:
    """What `stat` says of a file, and when it was asked; times in ns, `inode` 0 where unknown."""

    size_bytes: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    observed_ns: int = 0


@dataclass(frozen=True, slots=True)
class Rule:
    """The line of the ignore file that decided: `source` is a path or a name such as `built-in`."""

    source: str
    line: int
    pattern: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A regular file that the walk accepts by name; its bytes are still unseen.

    `shebang` is set when only the first line of the file can tell whether it is text we want.
    """

    path: bytes
    stat: Stat
    kind: Kind
    language: str | None
    shebang: bool = False


@dataclass(frozen=True, slots=True)
class Skip:
    """An entry the walk leaves out, and why; a folder stands for everything below it."""

    path: bytes
    reason: SkipReason
    rule: Rule | None = None
    is_folder: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """One folder as it was read: b"" is the root; `problem` says why it could not be read."""

    folder: bytes
    entries: tuple[Entry, ...]
    skips: tuple[Skip, ...]
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """A slice of a document's text, in three coordinate systems.

    `start`/`end` count code points and slice a Python string; `start16`/`end16` count UTF-16 code
    units, as editors and JavaScript do; `first_line`/`last_line` are 1-based and inclusive, lines
    ending at LF.
    """

    start: int
    end: int
    start16: int
    end16: int
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """A searchable slice of a document; `scope` names what encloses it, outermost first.

    `enclosing` is the code-point span of the innermost definition around the chunk, or of the
    section in prose; None at top level.
    """

    span: Span
    kind: str
    scope: tuple[str, ...] = ()
    enclosing: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Definition:
    """A name the document defines; `span` includes its decorators and leading comments."""

    name: str
    kind: str
    span: Span
    container: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """What extraction makes of bytes: the one text that chunks and results are sliced from."""

    text: str
    language: str | None
    encoding: str
    is_guess: bool = False


@dataclass(frozen=True, slots=True)
class Chunked:
    """A document cut up: `fallback` says why syntax was not used, where it could have been."""

    chunks: tuple[Chunk, ...]
    definitions: tuple[Definition, ...] = ()
    imports: tuple[Span, ...] = ()
    fallback: str | None = None


@dataclass(frozen=True, slots=True)
class Space:
    """One embedder's identity: vectors of different spaces are never compared.

    Every field shapes a vector, so the id in `models` hashes them all.
    """

    provider: str
    model: str
    artefact: str
    dimension: int
    window_chars: int
    window_overlap: int
    query_prefix: str = ""
    document_prefix: str = ""
    normalised: bool = True


class Leg(Enum):
    """A way of finding candidates."""

    WORDS = "words"
    VECTORS = "vectors"


@dataclass(frozen=True, slots=True)
class Contribution:
    """One reason for a hit's score: a leg's rank, or a prior; `value` is what it added."""

    name: str
    value: float
    rank: int | None = None
    raw: float | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """One chunk in an answer, sliced from the stored text of the file it belongs to.

    `score` is the probability that it answers; `chance` the same with its file's role put aside,
    which a threshold looks at.
    """

    root: str
    path: str
    language: str | None
    span: Span
    text: str
    score: float
    scope: tuple[str, ...]
    kind: str
    content_hash: str
    chunk: int
    contributions: tuple[Contribution, ...] = ()
    more: tuple[Span, ...] = ()
    stale: str | None = None
    chance: float = 1.0


@dataclass(frozen=True, slots=True)
class Filters:
    """Narrowing a question to part of the index; empty means everything.

    `paths` and `excluded` are gitignore-style globs against the root-relative path.
    """

    paths: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the index an answer could see."""

    files: int
    searchable: int
    with_vectors: int
    dirty: int
    failed: int
    last_complete_at: float | None


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of a search: how long it took and how many candidates it left."""

    name: str
    seconds: float
    count: int


@dataclass(frozen=True, slots=True)
class SearchReport:
    """A whole answer: what was asked, what was found, what was missed and how it came about.

    `near_misses` are the best hits whose chance is below `threshold`. `reranker` names the model
    that read the first candidates; None says that the order is that of retrieval.
    """

    question: str
    hits: tuple[Hit, ...]
    near_misses: tuple[Hit, ...] = ()
    threshold: float = 0.0
    reranker: str | None = None
    stages: tuple[Stage, ...] = ()
    notes: tuple[str, ...] = ()
    legs: tuple[Leg, ...] = ()
    coverage: Coverage | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A labelled piece of source, ready for a prompt."""

    path: str
    first_line: int
    last_line: int
    language: str | None
    text: str
    why: str = "hit"


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What one index run did.

    `walked` counts every entry seen, a folder left out as one; `skipped` all that is left out now,
    by `reasons`; `failed` the files that could not be worked on this time (`failures` says why),
    `pending` those that still wait, `unsettled` those of them that changed while they were read;
    `embedded` counts texts sent to the embedder and `reused`
    vectors that did not need it.
    """

    roots: tuple[str, ...]
    walked: int = 0
    unchanged: int = 0
    restamped: int = 0
    removed: int = 0
    indexed: int = 0
    skipped: int = 0
    failed: int = 0
    pending: int = 0
    chunks: int = 0
    embedded: int = 0
    reused: int = 0
    unsettled: int = 0
    seconds: float = 0.0
    complete: bool = False
    cancelled: bool = False
    reasons: dict[str, int] = field(default_factory=dict)
    failures: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


def shown(path: bytes) -> str:
    """Make a path printable: UTF-8 where it is, `\\xNN` where it is not, no control characters."""
    text = path.decode("utf-8", "backslashreplace")
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text
    )
