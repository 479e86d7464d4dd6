"""What does a question ask for? Pure: words, names it spells, its class; no store, no model."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from scrubjay.search.paths import PathClass, wanted_classes
from scrubjay.search.query_class import QueryClass, classify
from scrubjay.search.trace import Frame, Trace, read_trace
from scrubjay.types import Filters
from scrubjay.words import MAX_WORD_CHARS, has_cjk, is_compound, runs, split_run, words

MAX_QUESTION_CHARS = 20_000
MAX_RUNS = 300
"""Runs of a question that are looked at: a longer one is a pasted document."""

MAX_DENSE_CHARS = 500
"""A mean over a long text points nowhere: vectors get a title, words the full text."""

MAX_SEQUENCE = 4
"""Words in a row that may be one identifier: `parse http response` for parse_http_response."""

MAX_NAMES = 256


@dataclass(frozen=True, slots=True)
class Spelling:
    """A name the question spells: `folded` to look it up by, `exact` as it is written.

    `exact` is None for a name put together from words in a row.
    """

    folded: str
    exact: str | None


@dataclass(frozen=True, slots=True)
class Plan:
    """A question, read. `words` are distinct and in order; `content` those that are no stop words.

    `joined` are compounds and neighbours written as one word; `dense` is what is embedded, `read`
    what a reranker reads; `frames` are the places an error text names.
    """

    question: str
    filters: Filters
    kind: QueryClass
    words: tuple[str, ...]
    content: tuple[str, ...]
    joined: tuple[str, ...]
    spellings: tuple[Spelling, ...]
    wants: frozenset[PathClass]
    dense: str
    read: str
    frames: tuple[Frame, ...] = ()


_STOP_WORDS = """
a about all also an and any are as at be been being but by can could did do does doing for from get
gets had has have having how i if in into is it its itself me my no not of on or our shall should
show so some such tell than that the their them then there these they this those to use used uses
using was we were what when where which while who whom whose why will with would you your please
find code codebase happen happens work works
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""English words that shape a question and say nothing of its subject."""

NO_TRACE = Trace("", ())

Gloss = Callable[[str], str]

_MARKED = re.compile(r"`([^`\n]{1,200})`|\b(\w+)\(|\b(\w+(?:(?:\.|::|->|#)\w+)+)")


def make_plan(question: str, filters: Filters, gloss: Gloss | None = None) -> Plan:
    """Read a question; any text will do, and one without words gets the class BLANK.

    `gloss` spells a question of Han, kana or Hangul in English words: they are looked for besides.
    """
    question = question[:MAX_QUESTION_CHARS].encode("utf-8", "replace").decode("utf-8").strip()
    spelled = runs(question)[:MAX_RUNS]
    parts = tuple(dict.fromkeys(word for run in spelled for word in split_run(run)))
    kind = classify(question, spelled)
    trace = read_trace(question) if kind is QueryClass.ERROR else NO_TRACE
    dense = trace.title or _title(question)
    read = gloss(dense) if gloss is not None and kind is QueryClass.CJK else dense
    if read != dense:
        parts = tuple(dict.fromkeys((*parts, *words(read))))
    content = tuple(word for word in parts if word not in STOP_WORDS) or parts
    return Plan(
        question=question,
        filters=filters,
        kind=kind,
        words=parts,
        content=parts if kind in (QueryClass.SYMBOL, QueryClass.PATH) else content,
        joined=_joined(spelled),
        spellings=_spellings(question, spelled, kind),
        wants=wanted_classes(parts),
        dense=dense,
        read=read,
        frames=trace.frames,
    )


def _joined(spelled: list[str]) -> tuple[str, ...]:
    """Spell compounds whole and neighbours joined, as the full text stores identifiers."""
    wholes = [run.replace("_", "").lower() for run in spelled if is_compound(run)]
    plain = [run.lower() for run in spelled]
    pairs = [
        left + right
        for left, right in zip(plain, plain[1:], strict=False)
        if left not in STOP_WORDS and right not in STOP_WORDS and not has_cjk(left + right)
    ]
    return tuple(w for w in dict.fromkeys(wholes + pairs) if 2 < len(w) <= MAX_WORD_CHARS)


def _spellings(question: str, spelled: list[str], kind: QueryClass) -> tuple[Spelling, ...]:
    names = {run: None for run in spelled if _looks_like_name(run)}
    for match in _MARKED.finditer(question[:MAX_DENSE_CHARS]):
        marked = next(group for group in match.groups() if group)
        names.update(dict.fromkeys(runs(marked)))
    if kind is QueryClass.SYMBOL or len(spelled) == 1:
        names.update(dict.fromkeys(spelled))
    found = {name.lower(): Spelling(name.lower(), name) for name in names}
    for sequence in _sequences(words(question[:MAX_DENSE_CHARS])):
        for folded in ("_".join(sequence), "".join(sequence)):
            found.setdefault(folded, Spelling(folded, None))
    return tuple(found.values())[:MAX_NAMES]


def _looks_like_name(run: str) -> bool:
    """Tell identifiers from words: those of several parts."""
    return len(run) > 2 and is_compound(run)


def _sequences(plain: list[str]) -> list[list[str]]:
    """List runs of 2 to MAX_SEQUENCE words that neither begin nor end with a stop word."""
    return [
        plain[start : start + size]
        for size in range(2, MAX_SEQUENCE + 1)
        for start in range(len(plain) - size + 1)
        if plain[start] not in STOP_WORDS and plain[start + size - 1] not in STOP_WORDS
    ]


def _title(question: str) -> str:
    """Take a long question's beginning: its first line if that says something."""
    if len(question) <= MAX_DENSE_CHARS:
        return question
    first = question.split("\n", 1)[0]
    return (
        first[:MAX_DENSE_CHARS]
        if len(words(first[:MAX_DENSE_CHARS])) > 2
        else question[:MAX_DENSE_CHARS]
    )
