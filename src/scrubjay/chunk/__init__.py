"""Cut documents into searchable slices: by syntax, or at headings and blank lines."""

CHUNKER_VERSION = 1
"""Part of the recipe: raised whenever the same document would be cut differently."""
