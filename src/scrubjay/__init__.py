"""scrubjay: a local-first, incremental semantic index of a person's code and files."""

__version__ = "0.1.0"
