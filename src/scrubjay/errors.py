"""Everything that can go wrong, as a tree.

Each error says what failed, on what, and what the user can do. `exit_code` is what the command
line returns for it.
"""

from __future__ import annotations


class ScrubjayError(Exception):
    """Any error scrubjay raises on purpose."""

    exit_code = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(ScrubjayError):
    """The request makes no sense: an unknown setting, a missing folder, a foreign path."""

    exit_code = 2


class SettingsError(UsageError):
    """A settings file or variable holds something that is no valid value."""


class RootError(UsageError):
    """A folder cannot be a root: missing, a file, or overlapping another root."""


class RootOffline(ScrubjayError):
    """A root is missing, empty where it was full, or on another device; its index is kept."""

    exit_code = 4


class MassRemoval(ScrubjayError):
    """A scan would remove more than half of a large root; asked first."""

    exit_code = 4


class IndexBusy(ScrubjayError):
    """Another process holds the index for writing."""

    exit_code = 5


class StoreError(ScrubjayError):
    """The index on disk cannot be read or written."""

    exit_code = 6


class StoreDamaged(StoreError):
    """A store is corrupt or the two stores do not belong together."""


class MigrationAborted(StoreError):
    """A migration did not finish; nothing is written until it is reset."""


class DiskFull(StoreError):
    """There is no room left for the index."""


class ModelError(ScrubjayError):
    """A model cannot be loaded or gave an impossible answer."""

    exit_code = 7


class Transient(ScrubjayError):
    """A provider cannot answer now and may later; no attempt is used up."""

    exit_code = 7


class TooSlow(ScrubjayError):
    """A reranker did not finish before its deadline; the order stands as it was."""


class ExtractionFailed(ScrubjayError):
    """One file could not be turned into chunks; the message goes on its row."""


class Cancelled(ScrubjayError):
    """The user asked to stop; what was finished is kept."""

    exit_code = 130
