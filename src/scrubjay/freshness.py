"""Is a hit still what the disk holds? One `stat` per hit, so that an answer says when it is old."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace

from scrubjay.store.catalog import Catalog
from scrubjay.store.files import Root
from scrubjay.store.queries import location_of
from scrubjay.types import Hit


def with_freshness(catalog: Catalog, roots: Mapping[int, Root], hit: Hit) -> Hit:
    """Mark a hit as stale if its file is gone, unreadable, or of another size or mtime."""
    if hit.stale is not None:
        return hit
    location = location_of(catalog, hit.chunk)
    if location is None:
        return replace(hit, stale="indexed anew while it was searched")
    try:
        now = os.lstat(os.path.join(roots[location.root].path, location.path))
    except FileNotFoundError:
        return replace(hit, stale="no longer on disk")
    except OSError as error:
        return replace(hit, stale=f"cannot be looked at now: {error.strerror}")
    stamp = location.stamp
    if (now.st_size, now.st_mtime_ns) != (stamp.size_bytes, stamp.mtime_ns):
        return replace(hit, stale="changed on disk since it was indexed")
    return hit
