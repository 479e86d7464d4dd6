"""What does a value look like as JSON? Dataclasses by field, paths printable, hashes in hex."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path

from scrubjay.types import shown

Plain = dict[str, "Plain"] | list["Plain"] | str | int | float | bool | None


def make_plain(value: object, name: str = "") -> Plain:
    """Turn any value of ours into what JSON knows; `name` is the field it stands in.

    Bytes are hex in fields named after a hash, and printable paths elsewhere.
    """
    if isinstance(value, Enum):
        return make_plain(value.value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, bytes):
        return value.hex() if "hash" in name else shown(value)
    if isinstance(value, Path):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: make_plain(getattr(value, f.name), f.name) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): make_plain(item) for key, item in value.items()}
    if isinstance(value, AbstractSet):
        return [make_plain(item) for item in sorted(value)]
    if isinstance(value, (list, tuple)):
        return [make_plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no JSON form")


def dump_json(value: object, encoding: str) -> str:
    """Write a value as JSON; what the encoding lacks is escaped."""
    plain = make_plain(value)
    text = json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False)
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return json.dumps(plain, indent=2, allow_nan=False)
    return text
