from __future__ import annotations

import codecs
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.extract.text import Decoded, decode, has_visible
from scrubjay.types import SkipReason

CHINESE = "# 用户登录接口：校验密码并返回令牌\n# 如果密码错误则返回空值\ndef login(user): ...\n"
JAPANESE = "日本語のテキストです。これは文字コードのテストになります。\n"
RUSSIAN = "Привет, как дела? Это обычный русский текст для проверки.\n"


def text_of(data: bytes, legacy: str = "") -> str:
    decoded = decode(data, legacy)
    assert isinstance(decoded, Decoded)
    return decoded.text


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(exclude_characters="\0\x1b\ufeff", exclude_categories=["Cs"])))
def test_utf8_comes_back_exactly(text: str) -> None:
    decoded = decode(text.encode())
    if not text:
        assert decoded is SkipReason.EMPTY
    elif isinstance(decoded, Decoded):
        assert decoded == Decoded(text, "utf-8")
    else:
        assert decoded is SkipReason.BLANK
        assert not has_visible(text)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300), st.sampled_from(["", "gb18030", "no-such-codec", "cp1251"]))
def test_any_bytes_give_clean_text_or_a_reason(data: bytes, legacy: str) -> None:
    decoded = decode(data, legacy)
    if isinstance(decoded, Decoded):
        assert "\0" not in decoded.text
        decoded.text.encode()
        assert has_visible(decoded.text)


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_byte_order_mark_decides_and_is_no_part_of_the_text(mark: bytes, encoding: str) -> None:
    text = "function f {\r\n  'h\u00e9llo \U0001f600'\r\n}\r\n"
    assert decode(mark + text.encode(encoding)) == Decoded(text, encoding)


def test_line_ends_are_kept() -> None:
    assert text_of(b"a\r\nb\rc\n\x0c\n") == "a\r\nb\rc\n\x0c\n"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "text", ["hello world\nfoo\n", "def f():\n    # 中文注释，说明\n", JAPANESE * 9]
)
def test_utf16_without_a_mark_is_text(encoding: str, text: str) -> None:
    assert text_of(text.encode(encoding)) == text


def test_damaged_utf16_keeps_what_is_readable() -> None:
    decoded = decode(codecs.BOM_UTF16_LE + "cut off".encode("utf-16-le")[:-1])
    assert isinstance(decoded, Decoded)
    assert decoded.text.startswith("cut of")
    assert decoded.is_guess


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (CHINESE, "gbk"),
        (CHINESE.replace("用户", "𠮷野"), "gb18030"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc-jp"),
        (JAPANESE, "iso2022_jp"),
        (RUSSIAN, "koi8-r"),
        (RUSSIAN, "cp1251"),
        ("größe = 1  # Länge des Feldes in Metern\n", "cp1252"),
        ("naïve café \u201cquoted\u201d \u2013 résumé\n", "cp1252"),
    ],
)
def test_legacy_encodings_are_recognised(text: str, encoding: str) -> None:
    assert text_of(text.encode(encoding)) == text


def test_guessed_encoding_says_so() -> None:
    decoded = decode("größe".encode("latin-1"))
    assert isinstance(decoded, Decoded)
    assert decoded.is_guess


def test_legacy_setting_goes_before_an_unclear_guess() -> None:
    data = "ąęśćż".encode("cp1250")
    assert text_of(data, "cp1250") == "ąęśćż"
    assert text_of("größe".encode("latin-1"), "no-such-codec") == "größe"


@pytest.mark.parametrize(
    "data",
    [
        b"\0" * 5000,
        b"\x1f\x8b\x08\0\0\0\0\0\0\x03" + random.Random(1).randbytes(4000),
        b"\x7fELF\x02\x01\x01" + b"\0" * 9 + random.Random(2).randbytes(4000),
        b"text head\n" * 100 + random.Random(3).randbytes(20_000),
        b"text head\n" * 2000 + b"\0\1\2\3" * 500,
        random.Random(4).randbytes(30_000),
        bytes(range(256)) * 40,
    ],
)
def test_binary_is_no_text(data: bytes) -> None:
    assert decode(data) is SkipReason.BINARY


def test_late_stray_nul_becomes_a_space_and_moves_nothing() -> None:
    data = b"# filler line of text\n" * 1000 + b"\0# more\n"
    text = text_of(data)
    assert len(text) == len(data)
    assert text.endswith("\n # more\n")


@pytest.mark.parametrize(
    "text", ["\n\n   \n\t\n", "\u00a0\u2003\u200b\ufeff\n", "\u3000", "\ufeff"]
)
def test_invisible_text_is_blank(text: str) -> None:
    assert decode(text.encode()) is SkipReason.BLANK


def test_empty_file_is_empty_and_a_lone_mark_is_blank() -> None:
    assert decode(b"") is SkipReason.EMPTY
    assert decode(codecs.BOM_UTF8) is SkipReason.BLANK
