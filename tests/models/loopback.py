"""A server on this machine that answers as a test tells it to, and remembers what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True)
class Asked:
    """One request; names of headers are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer; `cut` sends only so many bytes of the body and hangs up."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int | None = None


def reply_json(value: object, status: int = 200, **headers: str) -> Reply:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Reply(status, json.dumps(value).encode(), named)


@dataclass(slots=True)
class Loopback:
    """A running server: its address, what it was asked, and how it answers."""

    url: str
    answer: Callable[[Asked], Reply]
    asked: list[Asked] = field(default_factory=list)


@contextmanager
def serving(answer: Callable[[Asked], Reply]) -> Iterator[Loopback]:
    server = _Server(("127.0.0.1", 0), _Handler)
    server.told = Loopback(f"http://127.0.0.1:{server.server_port}", answer)
    thread = threading.Thread(target=server.serve_forever, args=(0.005,), daemon=True)
    thread.start()
    try:
        yield server.told
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    told: Loopback

    def handle_error(self, request: object, client_address: object) -> None:
        """Keep quiet about clients that hang up."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        self._reply()

    def do_POST(self) -> None:
        self._reply()

    def _reply(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.command, self.path, headers, body)
        self.server.told.asked.append(asked)
        reply = self.server.told.answer(asked)
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        self.wfile.write(reply.body if reply.cut is None else reply.body[: reply.cut])
        if reply.cut is not None:
            self.wfile.flush()
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


def ranged(content: bytes, asked: Asked) -> Reply:
    """Answer as a server that knows ranges (RFC 9110, 14)."""
    wanted = asked.headers.get("range", "")
    if not wanted:
        return Reply(200, content)
    start = int(wanted.removeprefix("bytes=").removesuffix("-"))
    if start >= len(content):
        return Reply(416, b"", {"Content-Range": f"bytes */{len(content)}"})
    place = f"bytes {start}-{len(content) - 1}/{len(content)}"
    return Reply(206, content[start:], {"Content-Range": place})
