"""What do an address, a status and a refusal say? Decides only; nothing here reads the network."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from enum import Enum
from urllib.parse import urlsplit

from scrubjay.errors import ModelError

MOST_WORDS_CHARS = 300

_HINTS = {
    401: "check the key",
    403: "check the key, and what it is allowed",
    404: "check the address and the model's name",
}


class Fate(Enum):
    """What a status means for the request: done, elsewhere, perhaps later, or never."""

    DONE = "done"
    MOVED = "moved"
    LATER = "later"
    NEVER = "never"


def fate_of(status: int) -> Fate:
    """Classify a status code (RFC 9110; 425 is RFC 8470, 429 RFC 6585)."""
    if 200 <= status < 300:
        return Fate.DONE
    if status in (301, 302, 303, 307, 308):
        return Fate.MOVED
    return Fate.LATER if status in (408, 425, 429) or status >= 500 else Fate.NEVER


def hint_for(status: int) -> str:
    """Tell what a user can do about a refusal; empty where its words must do."""
    return _HINTS.get(status, "")


def check_url(url: str) -> None:
    """Raise ModelError for what is no http or https address."""
    try:
        parts = urlsplit(url)
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_good = False
    if not is_good:
        raise ModelError(f"{url!r} is no address", hint="it begins with http:// or https://")


def is_remote(url: str) -> bool:
    """Say whether an address lies on another machine, as far as its name tells."""
    host = (urlsplit(url).hostname or "").rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return False
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return True


def shown_url(url: str) -> str:
    """Spell an address without what may be secret in it: user, password and query."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def words_of(raw: bytes) -> str:
    """Find what a server says of its refusal: a message in JSON, or the text, on one line."""
    text = raw.decode("utf-8", "replace")
    try:
        said = json.loads(text)
    except ValueError:
        said = text
    while isinstance(said, (dict, list)):
        if isinstance(said, list):
            said = said[0] if said else ""
        else:
            known = (said[name] for name in ("message", "error", "detail", "msg") if name in said)
            said = next(known, "")
    printable = "".join(c if c.isprintable() else " " for c in str(said))
    return " ".join(printable.split())[:MOST_WORDS_CHARS]


def asked_wait(headers: Mapping[str, str]) -> float | None:
    """Read Retry-After (RFC 9110, 10.2.3): seconds, or a date, counted from the server's own."""
    asked = headers.get("retry-after", "").strip()
    if asked.isascii() and asked.isdigit():
        return float(asked)
    try:
        until, now = parsedate_to_datetime(asked), parsedate_to_datetime(headers.get("date", ""))
        return max(0.0, (until - now).total_seconds())
    except (TypeError, ValueError):
        return None
