"""Which text do these bytes hold? Decodes, or says why there is none.

In this order: byte order mark, strict UTF-8, UTF-16 without a mark, then NUL means binary, then the
encoding that chardet recognises, the user's legacy encoding, cp1252, Latin-1.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass

from scrubjay.types import SkipReason

SNIFFED_BYTES = 8_000
"""A NUL this early means binary, as it does to git; a later one is replaced by a space."""

MAX_CONTROL_SHARE = 0.005
"""Text with more control characters than this is binary behind a text head."""

CLEAR_CONFIDENCE = 0.5
"""From here on chardet's answer goes before the user's legacy encoding."""

FAINT_CONFIDENCE = 0.1
"""Below this a guess among the Latin code pages says no more than that cp1252 is likeliest."""

_DETECTED_BYTES = 262_144
_WIDE_SAMPLE_CHARS = 4_096
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\v\f\r\b\x1b"))
_VISIBLE = re.compile(
    "[^\\s\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2800\u3164\ufe00-\ufe0f\ufeff\ufffc\x00]"
)
_WIDE_BREAKS = frozenset(" \n\r\t\u3000\u3001\u3002\uff0c")
_SUPERSETS = {"gb2312": "gb18030", "gbk": "gb18030", "euc-kr": "cp949", "shift_jis": "cp932"}
_LATIN_COUSINS = re.compile(
    r"(windows-125[0478]|iso-?8859-(1|2|3|4|9|10|13|14|15|16)|mac.*|cp(437|85.|86.))\Z"
)


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text without byte order mark, its line ends as they are.

    `is_guess` says that nothing in the file vouches for the encoding.
    """

    text: str
    encoding: str
    is_guess: bool = False


def decode(data: bytes, legacy_encoding: str = "") -> Decoded | SkipReason:
    """Decode a file's bytes; EMPTY, BLANK or BINARY where they hold no text."""
    if not data:
        return SkipReason.EMPTY
    decoded = _decode(data, legacy_encoding)
    if decoded is None:
        return SkipReason.BINARY
    return decoded if has_visible(decoded.text) else SkipReason.BLANK


def has_visible(text: str) -> bool:
    """Say whether a text holds more than white space and invisible characters."""
    return _VISIBLE.search(text) is not None


def _decode(data: bytes, legacy_encoding: str) -> Decoded | None:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode_marked(data[len(mark) :], encoding)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        if b"\0" in data[:SNIFFED_BYTES]:
            return _decode_wide(data)
        return _decode_legacy(data, legacy_encoding)
    if "\0" in text:
        return _decode_wide(data) if b"\0" in data[:SNIFFED_BYTES] else _without_nuls(text, "utf-8")
    if "\x1b$" in text:
        return _decode_strictly(data, "iso2022_jp_2") or Decoded(text, "utf-8")
    return Decoded(text, "utf-8")


def _decode_marked(body: bytes, encoding: str) -> Decoded | None:
    """Decode after a byte order mark, which is believed even if the text is damaged or cut off."""
    try:
        text, is_guess = body.decode(encoding), False
    except UnicodeDecodeError:
        text, is_guess = body.decode(encoding, "replace"), True
        if text.count("\ufffd") > 1 + MAX_CONTROL_SHARE * len(text):
            return None
    return _without_nuls(text, encoding, is_guess=is_guess)


def _decode_strictly(data: bytes, encoding: str, *, is_guess: bool = False) -> Decoded | None:
    try:
        return Decoded(data.decode(encoding), encoding, is_guess)
    except (UnicodeError, LookupError, ValueError):
        return None


def _decode_wide(data: bytes) -> Decoded | None:
    """Decode UTF-16 that has no mark, if every character of a sample is one that texts hold."""
    if len(data) % 2:
        return None
    even, odd = data[0:SNIFFED_BYTES:2].count(0), data[1:SNIFFED_BYTES:2].count(0)
    order = ("utf-16-le", "utf-16-be") if odd >= even else ("utf-16-be", "utf-16-le")
    for encoding in order:
        decoded = _decode_strictly(data, encoding, is_guess=True)
        if decoded is not None and _reads_as_text(decoded.text):
            return decoded
    return None


def _reads_as_text(text: str) -> bool:
    if "\0" in text:
        return False
    sample = text[:_WIDE_SAMPLE_CHARS]
    if any(
        unicodedata.category(c) in ("Cn", "Co", "Cs", "Cc") and c not in "\t\n\v\f\r"
        for c in sample
    ):
        return False
    return len(sample) < 64 or not _WIDE_BREAKS.isdisjoint(sample)


def _without_nuls(text: str, encoding: str, *, is_guess: bool = False) -> Decoded | None:
    """Put a space for each stray NUL, so that offsets stay; None if there is more noise."""
    if "\0" not in text:
        return Decoded(text, encoding, is_guess)
    if _control_share(text.encode("utf-8", "replace")) > MAX_CONTROL_SHARE:
        return None
    return Decoded(text.replace("\0", " "), encoding, is_guess)


def _control_share(data: bytes) -> float:
    return 1 - len(data.translate(None, _CONTROLS)) / len(data)


def _decode_legacy(data: bytes, legacy_encoding: str) -> Decoded | None:
    if _control_share(data) > MAX_CONTROL_SHARE:
        return None
    for encoding in _candidates(data, legacy_encoding):
        decoded = _decode_strictly(data, encoding, is_guess=True)
        if decoded is not None:
            return _without_nuls(decoded.text, encoding, is_guess=True)
    return None


def _candidates(data: bytes, legacy_encoding: str) -> list[str]:
    """List the encodings to try on what is not Unicode, likeliest first."""
    import chardet

    found = chardet.detect(data[:_DETECTED_BYTES])
    name = str(found["encoding"] or "").lower()
    confidence = float(found["confidence"] or 0)
    detected = _SUPERSETS.get(name, name)
    if detected and confidence < FAINT_CONFIDENCE and _LATIN_COUSINS.match(detected):
        detected = ""
    fallbacks = ["cp1252", "latin-1"]
    if confidence >= CLEAR_CONFIDENCE:
        tried = [detected, legacy_encoding, *fallbacks]
    else:
        tried = [legacy_encoding, detected, *fallbacks]
    return [encoding for encoding in tried if encoding]
