"""What is asked, and what should answer? Questions from a history or a file, for one index."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from scrubjay.errors import UsageError
from scrubjay.measure.history import MOST_COMMITS, Checkout, Commit, read_commits
from scrubjay.measure.subjects import MOST_FILES, Drop, fault_of, is_about_aside, is_source, plain
from scrubjay.store.catalog import Catalog
from scrubjay.store.files import Root, find_file
from scrubjay.types import shown


@dataclass(frozen=True, slots=True)
class Place:
    """A file of an index, as a hit names it; `language` None where none is known."""

    root: str
    path: str
    language: str | None = None

    @property
    def key(self) -> str:
        """Spell root and path as one text."""
        return f"{self.root}\0{self.path}"


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the files that answer it; `source` says where it is from, as a commit id."""

    query: str
    relevant: tuple[Place, ...]
    source: str

    @property
    def language(self) -> str:
        """Name the language of most of its files."""
        counts = Counter(place.language or "unknown" for place in self.relevant)
        return counts.most_common(1)[0][0]

    @property
    def names_file(self) -> bool:
        """Tell whether it contains the name of one of its files, without the suffix."""
        asked = self.query.lower()
        stems = [place.path.rpartition("/")[2].split(".")[0].lower() for place in self.relevant]
        return any(len(stem) > 2 and stem in asked for stem in stems)


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions, how many candidates for one were looked at, and why the others are none."""

    questions: tuple[Question, ...]
    looked_at: int
    dropped: Mapping[str, int] = field(default_factory=dict)
    is_shallow: bool = False


class Holdings:
    """The files of an index that can be found now, asked for by absolute path."""

    def __init__(self, catalog: Catalog, roots: Sequence[Root]) -> None:
        """Look in `roots`; every call runs inside the caller's `catalog.reading()`."""
        self._catalog = catalog
        self._roots = [
            (root.id, _indexed(root.path).rstrip(b"/"), shown(root.path)) for root in roots
        ]

    def place_of(self, path: bytes) -> Place | None:
        """Find a searchable file; None if the index has none at this path."""
        for id, top, name in self._roots:
            if path.startswith(top + b"/"):
                report = find_file(self._catalog, id, path[len(top) + 1 :])
                if report is not None and report.generation is not None and report.chunks:
                    return Place(name, shown(report.path), report.language)
        return None

    def holds_any_of(self, top: bytes) -> bool:
        """Say whether a folder lies in a root, or a root in it."""
        return any(_is_within(top, root) or _is_within(root, top) for _, root, _ in self._roots)

    def tops(self) -> list[bytes]:
        """List the absolute paths of the roots."""
        return [top for _, top, _ in self._roots]


def from_history(
    checkout: Checkout, holdings: Holdings, count: int, since: str | None = None
) -> QuestionSet:
    """Take the newest `count` commits that are fit to be questions.

    A subject asks for the one to four sources its commit changed, as far as the index holds them
    now. The tree is that of now, not the one before the commit: its words may be in the answer.
    """
    top = _indexed(os.fsencode(os.path.realpath(checkout.top)))
    if not holdings.holds_any_of(top):
        raise UsageError(
            f"{checkout.top} is not in this index", hint=f"`scrubjay index {checkout.top}` adds it"
        )
    found: list[Question] = []
    dropped: Counter[str] = Counter()
    reverted: set[str] = set()
    asked: set[str] = set()
    looked_at = 0
    with closing(read_commits(checkout, since=since)) as commits:
        for commit in commits:
            looked_at += 1
            reverted.update(commit.reverts)
            made = _question_from(commit, top, holdings, reverted)
            if isinstance(made, Question) and made.query.lower() in asked:
                made = Drop.REPEATED
            if isinstance(made, Drop):
                dropped[made.value] += 1
                continue
            asked.add(made.query.lower())
            found.append(made)
            if len(found) == count:
                break
    return QuestionSet(tuple(found), looked_at, dict(dropped.most_common()), checkout.is_shallow)


def _question_from(
    commit: Commit, top: bytes, holdings: Holdings, reverted: set[str]
) -> Question | Drop:
    if commit.parents > 1:
        return Drop.MERGE
    if commit.id.startswith(tuple(reverted)):
        return Drop.REVERT
    fault = fault_of(commit.author, commit.subject)
    if fault is not None:
        return fault
    names = {path: path.decode("utf-8", "replace") for path in commit.paths}
    sources = [path for path, name in names.items() if is_source(name)]
    if not sources:
        return Drop.NO_SOURCE
    if len(sources) > MOST_FILES:
        return Drop.MANY_FILES
    if is_about_aside(commit.subject, names.values()):
        return Drop.ASIDE
    places = [holdings.place_of(top + b"/" + path) for path in sources]
    relevant = tuple(place for place in places if place is not None)
    return Question(plain(commit.subject), relevant, commit.id[:12]) if relevant else Drop.GONE


def read_set(file: Path, holdings: Holdings, count: int) -> QuestionSet:
    """Read questions from JSON lines: `query`, and `relevant`, paths below a root or absolute.

    Raises UsageError for a line that is none, naming it. Questions whose files the index lacks
    are dropped.
    """
    try:
        lines = file.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {error}") from error
    found: list[Question] = []
    gone = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        query, paths, source = _parse(line, f"{file}, line {number}")
        places = [_find(path, holdings) for path in paths]
        relevant = tuple(dict.fromkeys(place for place in places if place is not None))
        if relevant and len(found) < count:
            found.append(Question(query, relevant, source or f"line {number}"))
        gone += not relevant
    dropped = {"files not in the index": gone} if gone else {}
    return QuestionSet(tuple(found), len(found) + gone, dropped)


def _parse(line: str, where: str) -> tuple[str, list[str], str]:
    try:
        record = json.loads(line)
        query, paths = record["query"], record["relevant"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UsageError(
            f"{where} is no question", hint='like {"query": "...", "relevant": ["src/a.py"]}'
        ) from error
    is_sound = isinstance(query, str) and query.strip() and isinstance(paths, list) and paths
    if not is_sound or not all(isinstance(path, str) and path for path in paths):
        raise UsageError(f"{where}: query must be a text and relevant a list of paths")
    return query, paths, str(record.get("commit") or "")


def _find(path: str, holdings: Holdings) -> Place | None:
    encoded = _indexed(os.fsencode(path))
    places = (holdings.place_of(top + b"/" + encoded) for top in holdings.tops())
    return holdings.place_of(encoded) or next(
        (place for place in places if place is not None), None
    )


def set_lines(questions: Iterable[Question]) -> Iterator[str]:
    """Write questions as JSON lines that `read_set` reads."""
    for question in questions:
        record = {
            "query": question.query,
            "relevant": [place.path for place in question.relevant],
            "repo": Path(question.relevant[0].root).name,
            "commit": question.source,
            "language": question.language,
            "names_file": question.names_file,
        }
        yield json.dumps(record, ensure_ascii=False) + "\n"


def too_few(found: QuestionSet, least: int) -> UsageError:
    """Explain that a set is too small to measure anything."""
    why = ", ".join(f"{name} {count:,}" for name, count in found.dropped.items())
    shallow = "; the clone is shallow, `git fetch --unshallow` brings the rest"
    limit = f" (of at most {MOST_COMMITS:,})" if found.looked_at >= MOST_COMMITS else ""
    return UsageError(
        f"only {len(found.questions)} of {found.looked_at:,}{limit} make a question, at least"
        f" {least} are needed" + (f": {why}" if why else ""),
        hint="--set FILE takes questions of your own" + (shallow if found.is_shallow else ""),
    )


def _indexed(path: bytes) -> bytes:
    """Spell a path as the index does, with `/` on every platform."""
    return path.replace(os.sep.encode(), b"/") if os.sep != "/" else path


def _is_within(path: bytes, folder: bytes) -> bool:
    return path == folder or path.startswith(folder.rstrip(b"/") + b"/")
