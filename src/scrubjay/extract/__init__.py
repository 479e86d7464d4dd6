"""Bytes -> Document: the one text of a file. Touches no disk and no store."""

EXTRACTOR_VERSION = 1
"""Part of the recipe: raised whenever the same bytes would give another text."""
