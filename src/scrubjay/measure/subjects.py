"""Is a commit's subject fit to be a question, and how does it read as one? Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum

MOST_FILES = 4
"""A commit that changed more sources is about no place in particular."""
FEWEST_WORDS = 4
MOST_WORDS = 40

_SOURCE = re.compile(
    r"\.(?:py|pyx|js|jsx|mjs|cjs|ts|tsx|mts|vue|svelte|c|h|cc|cpp|hpp|cxx|hxx|cu|m|mm|rs|go|zig|nim"
    r"|java|kt|kts|scala|groovy|clj|cs|fs|vb|rb|php|swift|dart|lua|pl|pm|tcl|ex|exs|erl|hs|ml|mli|elm"
    r"|lisp|el|scm|jl|r|f90|sol|sh|bash|zsh|fish|ps1|sql|proto)$",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"(?:^|/)(?:tests?|__tests__|specs?|testing|testdata|fixtures|examples?|samples?|demos?|docs?"
    r"|docs_src|bench(?:es|marks?)?|vendor|third_party|node_modules|dist)/"
    r"|(?:^|/)(?:test_|conftest)[^/]*$|[._-](?:test|tests|spec|bench)\.\w+$",
    re.IGNORECASE,
)
"""Files that accompany a change: what is asked for is where the change was made."""

_BOT = re.compile(
    r"\[bot\]|\bbot\b|-bot$|dependabot|renovate|greenkeeper|pyup|pre-commit-ci|github-actions|weblate"
    r"|semantic-release|allcontributors",
    re.IGNORECASE,
)
_UNDOING = re.compile(r"^(?:\w+(?:\([^)]*\))?!?: )?(?:revert|undo|back(?:ed)? out|reapply)\b", re.I)
_JOINING = re.compile(r"^merged? (?:pull request|branch|remote|tag|commit|in\b|from\b|#\d)", re.I)
_CHORE = re.compile(
    r"^(?:merge|release|bump|upgrade|update dependenc|prepare|version)\b|^v?\d+\.\d+|^wip\b"
    r"|^(?:fixup|squash|amend)! |^(?:chore|style|build|ci)(?:\([^)]*\))?!?: (?:release|deps|format)"
    r"|\b(?:typos?|bump(?:s|ed)?|changelog|lint(?:er|ing|s)?|reformat(?:s|ted)?|formatting"
    r"|whitespace|copyright|clang-format|rustfmt|gofmt|prettier|isort)\b"
    r"|^(?:run|apply|use) (?:black|ruff)\b|\b(?:release|version) v?\d|\[?skip ci\]?",
    re.IGNORECASE,
)
_ABOUT_ASIDE = re.compile(
    r"\b(?:tests?|docs?|documentation|docstrings?|readme|ci|examples?)\b", re.I
)
_LABEL = re.compile(r"^(?:(?:\w+(?:\([^)]*\))?!?|[\w./,-]+): )|^:\w+: |^[^\w\s`'\"(\[]+ +")
_NUMBER = re.compile(r"\s*\(?(?:gh-|#)\d+\)?\.?\s*$|^\[?(?:gh-|#)\d+\]?:?\s*", re.IGNORECASE)
_TICKET = re.compile(
    r"^\[?[A-Z][A-Z0-9]+-\d+\]?(?::|\s-)?\s+|^(?:fix(?:e[sd])?|close[sd]?) #\d+:?\s+",
    re.IGNORECASE,
)


class Drop(Enum):
    """Why a commit is no question; the value is what a person reads."""

    MERGE = "merges"
    REVERT = "reverts or reverted"
    BOT = "by bots"
    CHORE = "releases, formatting, typos"
    ASIDE = "about tests or documentation"
    NO_SOURCE = "no source file changed"
    MANY_FILES = f"more than {MOST_FILES} source files changed"
    SHORT = f"subject under {FEWEST_WORDS} words"
    LONG = f"subject over {MOST_WORDS} words"
    GARBLED = "subject not readable"
    REPEATED = "subject used before"
    GONE = "changed files no longer indexed"


def is_source(path: str) -> bool:
    """Tell source files from those that accompany them, by path."""
    return bool(_SOURCE.search(path)) and not _ASIDE.search(path)


def is_about_aside(subject: str, paths: Iterable[str]) -> bool:
    """Tell whether a change was to tests or documentation first: its subject and a file say so."""
    return bool(_ABOUT_ASIDE.search(subject)) and not all(is_source(path) for path in paths)


def plain(subject: str) -> str:
    """Take labels (`fix(api):`, `net/http:`), emoji, ticket and pull-request numbers off.

    >>> plain("fix(api)!: Handle an empty body (#12)")
    'Handle an empty body'
    """
    bare = _TICKET.sub("", _NUMBER.sub("", subject.strip()))
    return _NUMBER.sub("", _LABEL.sub("", bare)).strip()


def fault_of(author: str, subject: str) -> Drop | None:
    """Tell why a subject as it was written is no question; None if it may be one."""
    if _BOT.search(author):
        return Drop.BOT
    if _JOINING.match(subject):
        return Drop.MERGE
    if _UNDOING.match(subject):
        return Drop.REVERT
    asked = plain(subject)
    if "\ufffd" in asked:
        return Drop.GARBLED
    if _CHORE.search(subject) or _CHORE.search(asked):
        return Drop.CHORE
    # A language without spaces has no words to count: three of its characters stand for one.
    count = max(len(asked.split()), sum(not c.isascii() and c.isalpha() for c in asked) // 3)
    if count < FEWEST_WORDS:
        return Drop.SHORT
    return Drop.LONG if count > MOST_WORDS else None
