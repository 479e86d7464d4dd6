"""What becomes of answers, refusals and broken connections."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from tests.models.loopback import Asked, Loopback, Reply, ranged, reply_json, serving

from scrubjay.errors import ModelError, Transient
from scrubjay.models.http import Clock, HttpClient, Part, Patience

KEY = "sk-very-secret"


class Waits(list[float]):
    """A clock that stands still but for the waits, which it notes."""

    def clock(self) -> Clock:
        return Clock(lambda: sum(self), self.append)


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture
def client(waits: Waits) -> Iterator[HttpClient]:
    made = HttpClient(Patience(waits_s=(1.0, 2.0), silence_s=5.0), waits.clock())
    yield made
    made.close()


def in_turn(*replies: Reply) -> Callable[[Asked], Reply]:
    left = list(replies)
    return lambda asked: left.pop(0) if len(left) > 1 else left[0]


@pytest.fixture
def server() -> Iterator[Loopback]:
    with serving(lambda asked: Reply()) as running:
        yield running


def test_post_sends_json_and_the_key(client, server):
    server.answer = lambda asked: reply_json({"sum": 3})
    assert client.post_json(f"{server.url}/add", {"of": [1, 2], "é": "\ud800"}, key=KEY) == {
        "sum": 3
    }
    asked = server.asked[0]
    assert (asked.method, asked.path) == ("POST", "/add")
    assert asked.json() == {"of": [1, 2], "é": "?"}
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.headers["content-type"] == "application/json"


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 408])
def test_what_may_pass_is_tried_again(client, server, waits, status):
    server.answer = in_turn(reply_json({}, status), reply_json({}, status), reply_json("fine"))
    assert client.post_json(server.url, {}) == "fine"
    assert len(server.asked) == 3
    assert 1 <= waits[0] <= 1.25
    assert 2 <= waits[1] <= 2.5


def test_patience_ends_with_the_servers_words(client, server, waits):
    server.answer = lambda asked: reply_json({"error": {"message": "model is loading"}}, 503)
    with pytest.raises(Transient, match="503: model is loading"):
        client.post_json(server.url, {})
    assert len(server.asked) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422, 424])
def test_refusal_stands_at_once(client, server, waits, status):
    server.answer = lambda asked: reply_json({"detail": [{"msg": "no such model"}]}, status)
    with pytest.raises(ModelError, match=f"answers {status}: no such model"):
        client.post_json(server.url, {})
    assert (len(server.asked), waits) == (1, [])


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Retry-After": "7"}, 7.0),
        (
            {
                "Date": "Tue, 01 Dec 2026 10:00:00 GMT",
                "Retry-After": "Tue, 01 Dec 2026 10:00:05 GMT",
            },
            5.0,
        ),
    ],
)
def test_wait_is_what_the_server_asks_for(client, server, waits, headers, expected):
    server.answer = in_turn(Reply(429, b"", headers), reply_json(1))
    assert client.post_json(server.url, {}) == 1
    if "Date" not in headers:  # http.server dates its answers itself, before ours
        assert waits == [expected]
    else:
        assert len(waits) == 1


def test_too_long_a_wait_is_not_waited(client, server, waits):
    server.answer = lambda asked: Reply(429, b"slow down", {"Retry-After": "3600"})
    with pytest.raises(Transient, match="slow down") as caught:
        client.post_json(server.url, {})
    assert "3600 s from now" in caught.value.hint
    assert waits == []


def test_no_wait_goes_past_the_deadline(client, server, waits):
    server.answer = lambda asked: Reply(503, b"busy")
    with pytest.raises(Transient, match="busy"):
        client.post_json(server.url, {}, deadline=0.5)
    assert len(server.asked) == 1


def test_texts_and_key_do_not_follow_a_redirect(client, server):
    with serving(lambda asked: reply_json(1)) as other:
        server.answer = lambda asked: Reply(307, b"", {"Location": f"{other.url}/x?t=1"})
        with pytest.raises(ModelError, match=f"has moved to {other.url}/x$"):
            client.post_json(server.url, {"text": "private"}, key=KEY)
        assert other.asked == []


def test_key_stands_in_no_message(client, server):
    server.answer = lambda asked: Reply(401, f"bad key {KEY}".encode())
    with pytest.raises(ModelError) as caught:
        client.post_json(f"{server.url}/?key=hidden", {}, key=KEY)
    said = f"{caught.value.message} {caught.value.hint} {client!r}"
    assert KEY not in said
    assert "hidden" not in said
    assert "bad key (the key)" in said


def test_answer_without_json_is_refused(client, server):
    server.answer = lambda asked: Reply(200, b"<html>")
    with pytest.raises(ModelError, match="no JSON"):
        client.post_json(server.url, {})


def test_dead_server_is_a_matter_of_time(client, waits):
    with serving(lambda asked: Reply()) as gone:
        pass
    with pytest.raises(Transient, match="cannot be reached"):
        client.post_json(gone.url, {})
    assert len(waits) == 2


@pytest.mark.parametrize("url", ["ftp://host/x", "host/x", "http://", "http://[::1", "file:///x"])
def test_only_web_addresses_are_asked(client, url):
    with pytest.raises(ModelError, match="is no address"):
        client.post_json(url, {})


@pytest.fixture
def part(tmp_path) -> Part:
    return Part(tmp_path / "file.part", len(CONTENT))


CONTENT = bytes(range(256)) * 1_000


def test_download_goes_on_where_the_connection_broke(client, server, part, tmp_path):
    told: list[int] = []
    replies = [200_000, None]

    def answer(asked: Asked) -> Reply:
        full = ranged(CONTENT, asked)
        return Reply(full.status, full.body, full.headers, replies.pop(0))

    server.answer = answer
    client.download(f"{server.url}/f", part, told.append)
    assert (tmp_path / "file.part").read_bytes() == CONTENT
    assert server.asked[1].headers["range"] == "bytes=200000-"
    assert told == sorted(told)
    assert told[-1] == len(CONTENT)


def test_download_that_gets_on_does_not_lose_patience(client, server, part, tmp_path):
    def answer(asked: Asked) -> Reply:
        full = ranged(CONTENT, asked)
        return Reply(full.status, full.body, full.headers, min(70_000, len(full.body)))

    server.answer = answer
    client.download(f"{server.url}/f", part, lambda held: None)
    assert (tmp_path / "file.part").read_bytes() == CONTENT
    assert len(server.asked) == 4


def test_download_without_ranges_starts_anew(client, server, tmp_path):
    (tmp_path / "file.part").write_bytes(b"other")
    server.answer = lambda asked: Reply(200, CONTENT)
    client.download(f"{server.url}/f", Part(tmp_path / "file.part", len(CONTENT)), print)
    assert (tmp_path / "file.part").read_bytes() == CONTENT


def test_wrong_range_is_not_appended(client, server, tmp_path):
    (tmp_path / "file.part").write_bytes(CONTENT[:10])
    wrong = Reply(206, CONTENT[20:], {"Content-Range": f"bytes 20-{len(CONTENT) - 1}/*"})
    server.answer = in_turn(wrong, Reply(200, CONTENT))
    client.download(f"{server.url}/f", Part(tmp_path / "file.part", len(CONTENT)), print)
    assert (tmp_path / "file.part").read_bytes() == CONTENT


def test_refused_range_is_asked_for_anew(client, server, tmp_path):
    (tmp_path / "file.part").write_bytes(CONTENT[:10])
    server.answer = in_turn(Reply(416), Reply(200, CONTENT))
    client.download(f"{server.url}/f", Part(tmp_path / "file.part", len(CONTENT)), print)
    assert (tmp_path / "file.part").read_bytes() == CONTENT
    assert "range" not in server.asked[1].headers


def test_download_follows_redirects_to_other_hosts(client, server, part, tmp_path):
    with serving(lambda asked: ranged(CONTENT, asked)) as store:
        hop = Reply(302, b"", {"Location": f"{store.url}/blob?signature=1"})
        server.answer = in_turn(Reply(307, b"", {"Location": "/moved"}), hop)
        client.download(f"{server.url}/f", part, lambda held: None)
        assert [asked.path for asked in server.asked] == ["/f", "/moved"]
        assert store.asked[0].path == "/blob?signature=1"
    assert (tmp_path / "file.part").read_bytes() == CONTENT


@pytest.mark.parametrize("target", ["ftp://host/x", "", "file:///etc/hosts"])
def test_download_follows_no_redirect_elsewhere(client, server, part, target):
    server.answer = lambda asked: Reply(302, b"", {"Location": target} if target else {})
    with pytest.raises(ModelError):
        client.download(f"{server.url}/f", part, lambda held: None)


def test_endless_redirects_end(client, server, part):
    server.answer = lambda asked: Reply(302, b"", {"Location": "/again"})
    with pytest.raises(ModelError, match="more than 5 redirects"):
        client.download(f"{server.url}/f", part, lambda held: None)


def test_too_long_a_file_is_refused(client, server, tmp_path):
    server.answer = lambda asked: Reply(200, CONTENT)
    with pytest.raises(ModelError, match="longer than the expected file"):
        client.download(f"{server.url}/f", Part(tmp_path / "file.part", 100), lambda held: None)


def test_clock_is_the_monotonic_one_by_default():
    assert Clock().now is time.monotonic
