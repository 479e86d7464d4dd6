"""Bytes -> Document: the one text of a file. Touches no disk and no store."""
