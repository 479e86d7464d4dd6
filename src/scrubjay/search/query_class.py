"""What kind of question is it? Pure: decided from its text alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from scrubjay.search.trace import is_error
from scrubjay.words import has_cjk, split_run


class QueryClass(Enum):
    """What kind of question it is."""

    BLANK = "blank"
    SYMBOL = "symbol"
    PATH = "path"
    ERROR = "error"
    CJK = "cjk"
    NATURAL = "natural"


_PATH = re.compile(
    r"(?:[\w.@+~-]*(?:[/\\][\w.@+~-]+)+[/\\]?|[\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w{0,5})(?::\d+)*"
)
_KNOWN_SUFFIX = re.compile(
    r"\.(?:py|pyi|js|jsx|mjs|ts|tsx|c|h|cc|cpp|hpp|rs|go|java|kt|rb|php|cs|swift|scala|sh|sql|md|rst"
    r"|txt|json|ya?ml|toml|ini|cfg|xml|html?|css|po|lua|ex|exs|hs|ml|pl|r|vue|svelte|proto|tf|cmake)"
    r"(?::\d+)*$",
    re.IGNORECASE,
)


def classify(question: str, spelled: Sequence[str]) -> QueryClass:
    """Tell the class of a stripped question; `spelled` are its runs."""
    if not any(split_run(run) for run in spelled):
        return QueryClass.BLANK
    if is_error(question) and (question.isascii() or "\n" in question):
        return QueryClass.ERROR
    if has_cjk(question):
        return QueryClass.CJK
    if _PATH.fullmatch(question) and (
        "/" in question or "\\" in question or _KNOWN_SUFFIX.search(question)
    ):
        return QueryClass.PATH
    if is_error(question):
        return QueryClass.ERROR
    return QueryClass.SYMBOL if len(question.split()) == 1 else QueryClass.NATURAL
