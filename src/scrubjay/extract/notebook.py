"""What did a person write in this notebook? Cell sources in order; never outputs or attachments.

The text is in the percent format that editors and Jupytext share: `# %%` starts a cell, prose and
magics are comments, so that the whole parses in the kernel's language. A change of outputs alone
gives the same text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

INLINE_DATA = re.compile(r"(data:[\w.+/-]+;base64,|\")[A-Za-z0-9+/=\\]{200,}")
"""Images written into a source, or the base64 of a notebook that is no JSON."""

_DEFAULT_COMMENT = "#"
_COMMENTED_WITH = {
    "//": "javascript typescript java kotlin scala groovy c cpp csharp go rust swift dart fsharp",
    "--": "haskell sql lua elm ada",
    ";;": "clojure racket scheme",
    "%": "erlang matlab latex",
}
_COMMENTS = {
    language: comment for comment, listed in _COMMENTED_WITH.items() for language in listed.split()
}
_KERNEL_LANGUAGES = {
    "python2": "python",
    "python3": "python",
    "ipython": "python",
    "ir": "r",
    "c++": "cpp",
    "c++17": "cpp",
    "c#": "csharp",
    "f#": "fsharp",
    "node": "javascript",
    "bash": "bash",
    "sh": "bash",
    "wolfram language": "mathematica",
}


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook's own text and the language its code is in, None where nothing says."""

    text: str
    language: str | None


def read_notebook(source: str) -> Notebook | None:
    """Turn notebook JSON (formats 3 and 4) into text; None if it is no notebook."""
    try:
        tree = json.loads(source)
    except (ValueError, RecursionError):
        return None
    if not isinstance(tree, dict):
        return None
    cells = _list_cells(tree)
    if cells is None:
        return None
    language = _language(tree)
    comment = _COMMENTS.get(language or "", _DEFAULT_COMMENT)
    text = "".join(_write_cell(kind, body, comment) for kind, body in cells if body.strip())
    return Notebook(_clean(text), language)


def drop_inline_data(text: str) -> str:
    """Cut the payload of base64 data out of a text."""
    return INLINE_DATA.sub(lambda found: found.group(1) + "\u2026", text)


def _list_cells(tree: dict[str, object]) -> list[tuple[str, str]] | None:
    """List kind and source of the cells; None where there is no list of cells."""
    sheets = tree.get("worksheets")
    holders = [tree, *sheets] if isinstance(sheets, list) else [tree]
    lists = [holder.get("cells") for holder in holders if isinstance(holder, dict)]
    found = [cells for cells in lists if isinstance(cells, list)]
    if not found:
        return None
    return [cell for cells in found for cell in _read_cells(cells)]


def _read_cells(cells: list[object]) -> Iterator[tuple[str, str]]:
    for cell in cells:
        if isinstance(cell, dict):
            body = cell.get("source", cell.get("input", ""))
            if isinstance(body, list):
                body = "".join(line for line in body if isinstance(line, str))
            if isinstance(body, str):
                yield str(cell.get("cell_type", "")), body


def _language(tree: dict[str, object]) -> str | None:
    metadata = tree.get("metadata")
    if not isinstance(metadata, dict):
        return None
    for holder, key in (
        ("kernelspec", "language"),
        ("language_info", "name"),
        ("kernelspec", "name"),
    ):
        described = metadata.get(holder)
        name = described.get(key) if isinstance(described, dict) else None
        if isinstance(name, str) and name:
            return _KERNEL_LANGUAGES.get(name.lower(), name.lower())
    return None


def _write_cell(kind: str, body: str, comment: str) -> str:
    lines = drop_inline_data(body).replace("\r\n", "\n").rstrip("\n").split("\n")
    if kind == "code":
        if lines[0].startswith("%%"):
            return _join(f"{comment} %%", [_commented(line, comment) for line in lines])
        kept = [_commented(line, comment) if line[:1] in ("%", "!") else line for line in lines]
        return _join(f"{comment} %%", kept)
    label = "[raw]" if kind == "raw" else "[markdown]"
    return _join(f"{comment} %% {label}", [_commented(line, comment) for line in lines])


def _commented(line: str, comment: str) -> str:
    return f"{comment} {line}".rstrip()


def _join(marker: str, lines: list[str]) -> str:
    return "\n".join((marker, *lines, "", ""))


def _clean(text: str) -> str:
    """Take out what JSON can spell and no file should hold: NUL and lone surrogates."""
    return text.replace("\0", " ").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
