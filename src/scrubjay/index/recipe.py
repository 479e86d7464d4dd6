"""What shapes a file's chunks and vectors? One short hash of it all: the recipe.

A file is clean when the content hash and the recipe of what is published are the wanted ones, so
whatever is named here needs no rebuild mode: a change makes files dirty, and nothing else.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict

from scrubjay.chunk import CHUNKER_VERSION
from scrubjay.extract import EXTRACTOR_VERSION
from scrubjay.settings import Settings

WORDS_VERSION = 1
"""Rises when `scrubjay.words` spells a text differently for the full-text index."""

_HASH_CHARS = 16


def make_recipe(settings: Settings, space_name: str) -> str:
    """Name all that lies between a file's bytes and its rows."""
    parts = {
        "extractor": EXTRACTOR_VERSION,
        "chunker": CHUNKER_VERSION,
        "words": WORDS_VERSION,
        "space": space_name,
        "max_text_bytes": settings.scan.max_text_bytes,
        "words_only": sorted(settings.embed.words_only_languages),
        "legacy_encoding": settings.scan.legacy_encoding,
        "chunk": sorted(asdict(settings.chunk).items()),
    }
    return hashlib.sha256(repr(sorted(parts.items())).encode()).hexdigest()[:_HASH_CHARS]
