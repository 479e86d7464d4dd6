"""How is a server asked, and what does its answer mean? The one place that knows httpx.

An answer is judged by its status, never by the text in it: what may pass later is tried again a
bounded number of times, with the wait the server asks for; what will not pass is an error that
carries the server's own words. Texts and keys go to the address they were meant for and nowhere
else: a redirect is followed for a download only. Waits and the clock are given, so nothing here
sleeps in a test.
"""

from __future__ import annotations

import json
import math
import random
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urljoin

import scrubjay
from scrubjay.errors import ModelError, Transient
from scrubjay.models.web import (
    Fate,
    asked_wait,
    check_url,
    fate_of,
    hint_for,
    is_remote,
    shown_url,
    words_of,
)

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")

MOST_REDIRECTS = 5
MOST_ANSWER_BYTES = 64_000_000
"""A longer answer to a question is refused: no list of scores or vectors we ask for is so long."""
MOST_WORDS_BYTES = 65_536
WORTH_BYTES = 65_536
"""A download that got this far before it broke starts counting its attempts anew."""
JITTER = 0.25
"""A wait is longer by up to this share, so that many clients do not come back together."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a connection and a silence may last, and the waits before each further attempt."""

    connect_s: float = 10.0
    silence_s: float = 60.0
    waits_s: tuple[float, ...] = (0.5, 1.0, 2.0, 4.0, 8.0)
    longest_wait_s: float = 60.0


@dataclass(frozen=True, slots=True)
class Clock:
    """The time, in seconds of a clock that never goes back, and how to let it pass."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


class Part:
    """A file on its way: it grows from its end, or starts anew; nothing of it is checked here."""

    def __init__(self, path: Path, size_bytes: int) -> None:
        """Go on with what `path` holds of the `size_bytes` it shall hold."""
        self._path = path
        self.size_bytes = size_bytes
        self.held_bytes = path.stat().st_size if path.exists() else 0

    def restart(self) -> None:
        """Forget what is there."""
        self._path.unlink(missing_ok=True)
        self.held_bytes = 0

    @contextmanager
    def growing(self) -> Iterator[Callable[[bytes], None]]:
        """Open the file for appending; raises ModelError when it would become too long."""
        with self._path.open("ab") as file:

            def append(block: bytes) -> None:
                if self.held_bytes + len(block) > self.size_bytes:
                    raise ModelError(f"{self._path.name} is longer than the expected file")
                file.write(block)
                self.held_bytes += len(block)

            yield append


class _Later(Exception):
    """An attempt failed in a way that may pass."""

    def __init__(self, message: str, *, wait_s: float | None = None, got_on: bool = False) -> None:
        super().__init__(message)
        self.wait_s = wait_s
        self.got_on = got_on


@dataclass(frozen=True, slots=True)
class _Kind:
    """What decides how a connection is set up."""

    is_far: bool
    is_secure: bool


class HttpClient:
    """Asks servers; connections are kept for the next time. Safe to share between threads."""

    def __init__(self, patience: Patience | None = None, clock: Clock | None = None) -> None:
        """Open nothing yet."""
        self._patience = patience or Patience()
        self._clock = clock or Clock()
        self._clients: dict[_Kind, httpx.Client] = {}
        self._lock = threading.Lock()
        # Whoever forgets to close it leaves no connection open behind it.
        weakref.finalize(self, _close_all, self._clients)

    def post_json(
        self,
        url: str,
        body: Mapping[str, object],
        *,
        key: str = "",
        deadline: float = math.inf,
    ) -> object:
        """Send a JSON text and read the JSON answer; `key` goes along as a bearer token.

        No attempt begins that would wait past `deadline`. Raises ModelError for a refusal, a
        redirect or an answer that is no JSON, Transient for what may pass.
        """
        check_url(url)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        headers["Content-Type"] = "application/json"

        def ask() -> object:
            with self._answer("POST", url, headers, content) as answer:
                if fate_of(answer.status_code) is Fate.MOVED:
                    raise ModelError(
                        f"{shown_url(url)} has moved to {shown_url(_target(url, answer))}",
                        hint="texts are not sent on by themselves: put the new address in",
                    )
                self._require_done(answer, key)
                raw = _read(answer, MOST_ANSWER_BYTES)
            try:
                return json.loads(raw)
            except ValueError as error:
                raise ModelError(f"{shown_url(url)} answered with something that is no JSON") from (
                    error
                )

        return self._insist(ask, deadline)

    def download(self, url: str, part: Part, tell: Callable[[int], None]) -> None:
        """Fetch what `part` lacks; `tell` gets the bytes it holds after each block.

        A server that ignores ranges is read from the start. Raises ModelError for a refusal or a
        file that is too long, Transient for what may pass: what came is kept in `part`.
        """
        self._insist(lambda: self._append(url, part, tell), math.inf)

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            _close_all(self._clients)

    def _append(self, url: str, part: Part, tell: Callable[[int], None]) -> None:
        begun = part.held_bytes
        headers = {"Accept-Encoding": "identity"}
        if begun:
            headers["Range"] = f"bytes={begun}-"
        try:
            with self._followed(url, headers) as answer:
                self._require_range(answer, part)
                with part.growing() as append:
                    for block in answer.iter_raw():
                        append(block)
                        tell(part.held_bytes)
            if part.held_bytes < part.size_bytes:
                raise _Later(f"{shown_url(url)}: the answer ended early")
        except _Later as later:
            later.got_on = part.held_bytes - begun >= WORTH_BYTES
            raise

    def _require_range(self, answer: httpx.Response, part: Part) -> None:
        """Make sure that the answer goes on where the part ends."""
        wanted = f"bytes {part.held_bytes}-"
        if answer.status_code == 416:
            part.restart()
            raise _Later(f"{shown_url(str(answer.url))} has no such range", wait_s=0)
        self._require_done(answer, "")
        if answer.status_code == 206 and not answer.headers.get("content-range", "").startswith(
            wanted
        ):
            part.restart()
            raise _Later(f"{shown_url(str(answer.url))} sent another range", wait_s=0)
        if answer.status_code != 206 and part.held_bytes:
            part.restart()

    @contextmanager
    def _followed(self, url: str, headers: Mapping[str, str]) -> Iterator[httpx.Response]:
        """Get an address, from wherever redirects lead, but never from https to http."""
        for _ in range(MOST_REDIRECTS + 1):
            check_url(url)
            with self._answer("GET", url, headers, None) as answer:
                if fate_of(answer.status_code) is not Fate.MOVED:
                    yield answer
                    return
                target = _target(url, answer)
            if url.startswith("https:") and not target.startswith("https:"):
                raise ModelError(
                    f"{shown_url(url)} leads to {shown_url(target)}, which is no https"
                )
            url = target
        raise ModelError(f"{shown_url(url)}: more than {MOST_REDIRECTS} redirects")

    @contextmanager
    def _answer(
        self, method: str, url: str, headers: Mapping[str, str], content: bytes | None
    ) -> Iterator[httpx.Response]:
        """Send once; failures of the network become `_Later`."""
        import httpx

        try:
            client = self._client_for(url)
            with client.stream(method, url, headers=dict(headers), content=content) as answer:
                yield answer
        except httpx.TimeoutException as error:
            raise _Later(f"{shown_url(url)} does not answer in time") from error
        except httpx.TransportError as error:
            reason = str(error) or type(error).__name__
            raise _Later(f"{shown_url(url)} cannot be reached: {reason}") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ModelError(f"{shown_url(url)}: {error}") from error

    def _client_for(self, url: str) -> httpx.Client:
        """Reuse a client; proxies of the environment are for other machines than this one."""
        import httpx

        kind = _Kind(is_remote(url), url.startswith("https:"))
        with self._lock:
            if kind not in self._clients:
                patience = self._patience
                self._clients[kind] = httpx.Client(
                    timeout=httpx.Timeout(patience.silence_s, connect=patience.connect_s),
                    trust_env=kind.is_far,
                    # Reading the certificates takes longer than asking a server next door in plain.
                    verify=kind.is_far or kind.is_secure,
                    headers={"User-Agent": f"scrubjay/{scrubjay.__version__}"},
                )
            return self._clients[kind]

    def _require_done(self, answer: httpx.Response, key: str) -> None:
        """Raise what a status stands for, with the server's words, unless all is well."""
        fate = fate_of(answer.status_code)
        if fate is Fate.DONE:
            return
        words = words_of(_read(answer, MOST_WORDS_BYTES, cut=True))
        if key:
            words = words.replace(key, "(the key)")
        said = f"{shown_url(str(answer.url))} answers {answer.status_code}"
        said = f"{said}: {words}" if words else f"{said} {answer.reason_phrase}".rstrip()
        if fate is Fate.LATER:
            raise _Later(said, wait_s=asked_wait(answer.headers))
        raise ModelError(said, hint=hint_for(answer.status_code))

    def _insist(self, ask: Callable[[], T], deadline: float) -> T:
        """Try until it works, patience ends, or waiting would miss the deadline."""
        attempt = 0
        while True:
            try:
                return ask()
            except _Later as later:
                attempt = 0 if later.got_on else attempt
                wait_s = self._wait(attempt, later, deadline)
                if wait_s is None:
                    asked = f"{later.wait_s:.0f} s from now" if later.wait_s else "later"
                    raise Transient(str(later), hint=f"try again {asked}") from later
            self._clock.sleep(wait_s)
            attempt += 1

    def _wait(self, attempt: int, later: _Later, deadline: float) -> float | None:
        if attempt >= len(self._patience.waits_s):
            return None
        wait_s = later.wait_s
        if wait_s is None:
            wait_s = self._patience.waits_s[attempt] * (1 + JITTER * random.random())
        if wait_s > self._patience.longest_wait_s or self._clock.now() + wait_s > deadline:
            return None
        return wait_s


def _close_all(clients: dict[_Kind, httpx.Client]) -> None:
    while clients:
        clients.popitem()[1].close()


def _target(url: str, answer: httpx.Response) -> str:
    """Tell where a redirect leads; raises ModelError where it leads nowhere."""
    try:
        target = urljoin(url, str(answer.headers.get("location", "")))
    except ValueError:
        target = ""
    check_url(target)
    return target


def _read(answer: httpx.Response, most: int, *, cut: bool = False) -> bytes:
    raw = bytearray()
    for block in answer.iter_bytes():
        raw += block
        if len(raw) > most:
            if not cut:
                raise ModelError(f"{shown_url(str(answer.url))} answers with too much")
            break
    return bytes(raw[:most])
