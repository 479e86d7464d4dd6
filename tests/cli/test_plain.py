"""The JSON form of our values."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrubjay.cli.plain import dump_json, make_plain
from scrubjay.store.files import Root
from scrubjay.types import Filters, RootKind, Rule, SkipReason


def test_dataclass_becomes_an_object_by_field():
    root = Root(1, b"caf\xe9", RootKind.TEXT, 7, float("nan"), {"walked": 2}, ((b"x", "no"),))
    assert make_plain(root) == {
        "id": 1,
        "path": "caf\\xe9",
        "kind": "text",
        "device": 7,
        "last_complete_at": None,
        "counts": {"walked": 2},
        "problems": [["x", "no"]],
    }


def test_hashes_are_hex_and_paths_printable():
    assert make_plain(b"\x01\xff", "content_hash") == "01ff"
    assert make_plain(b"a\nb", "path") == "a\\nb"
    assert make_plain(Path("a")) == "a"


def test_collections_keep_their_order_or_are_sorted():
    value = {"rules": (Rule("x", 1, "*"),), "set": {"b", "a"}, "why": SkipReason.EMPTY}
    expected = {
        "rules": [{"source": "x", "line": 1, "pattern": "*"}],
        "set": ["a", "b"],
        "why": "empty",
    }
    assert make_plain(value) == expected


def test_unknown_type_is_refused():
    with pytest.raises(TypeError, match="object"):
        make_plain(object())


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "ascii"])
def test_json_survives_every_encoding(encoding):
    value = Filters(paths=("日本\udce9é",))
    text = dump_json(value, encoding)
    text.encode(encoding)
    assert json.loads(text)["paths"] == ["日本\udce9é"]


def test_json_is_readable_where_the_encoding_allows():
    assert "日本" in dump_json("日本", "utf-8")
