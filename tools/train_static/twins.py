"""Packages that exist twice, in Chinese and in English: joined by what they describe."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from pairs import Pair
from translations import members, pair_of, unquoted

TWINS = {
    "tencentcloud-sdk-python": "tencentcloud-sdk-python-intl-en",
    "@codingame/monaco-vscode-language-pack-zh-hans": "@codingame/monaco-vscode-api",
    "monaco-editor": "monaco-editor",
}
"""The Chinese package, and the one that says the same in English."""


def twin_pairs(chinese: Path, english: Path, package: str) -> Iterator[Pair]:
    """Yield Chinese text to English text of the same name or number in the other archive."""
    if chinese.suffix == ".whl":
        translations, originals = _described(chinese), _described(english)
    else:
        translations, originals = _listed_messages(chinese), _called_messages(english)
    for name, text in translations.items():
        if name in originals and (pair := pair_of(text, originals[name], package)):
            yield pair


_CLASS = re.compile(r'(?m)^class (\w+)\b.*\n(?:[ \t]+r?"""(.+))?')
_PARAMETER = re.compile(r"(?m)^[ \t]+:param (\w+): (.+)$")
_METHOD = re.compile(r'(?m)^    def (\w+)\(.*\n[ \t]+r?"""(.+)$')


def _described(archive: Path) -> dict[str, str]:
    """Read what generated classes say of themselves, their fields and methods."""
    found: dict[str, str] = {}
    for path, data in members(archive, _is_described):
        text = data.decode("utf-8", "replace")
        starts = list(_CLASS.finditer(text))
        ends = [*(m.start() for m in starts[1:]), len(text)]
        for match, end in zip(starts, ends, strict=False):
            name = f"{path} {match[1]}"
            if match[2]:
                found[name] = _first_part(match[2])
            for pattern in (_PARAMETER, _METHOD):
                for part in pattern.finditer(text, match.end(), end):
                    found[f"{name}.{part[1]}"] = _first_part(part[2])
    return found


def _is_described(path: str) -> bool:
    return path.endswith(("/models.py", "_client.py"))


def _first_part(text: str) -> str:
    """Cut where lists of values start; the beginnings of both languages say the same."""
    return re.split(r"<li>|<br|[。；\n]|\. |; ", text)[0]


def _listed_messages(archive: Path) -> dict[str, str]:
    """Read the list of translations, whose places are the messages' numbers."""
    found: dict[str, str] = {}
    for _, data in members(archive, _is_list):
        found |= {str(i): text for i, text in enumerate(_list_in(data.decode("utf-8")))}
    return found


def _is_list(path: str) -> bool:
    return path.endswith(("esm/vs/nls/lang/zh-cn.js", "main.i18n.json.js"))


def _called_messages(archive: Path) -> dict[str, str]:
    """Read the messages where code calls for them by number."""
    found: dict[str, str] = {}
    for path, data in members(archive, lambda path: path.endswith(".js")):
        if "/min/" not in path and "/dev/" not in path:
            for match in _CALL.finditer(data.decode("utf-8", "replace")):
                found[match[1]] = unquoted(match[2])
    return found


_CALL = re.compile(r"""localize2?\((\d+),\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')""")


def _list_in(text: str) -> list[str]:
    start, stop = text.find("[") + 1, text.rfind("]")
    body = re.sub(r"(?m)^\s*undefined,", '"",', text[start:stop])
    try:
        return [str(item) for item in json.loads(f"[{body}]", strict=False)]
    except ValueError:
        return []
