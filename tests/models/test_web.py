"""What addresses, statuses and refusals say."""

from __future__ import annotations

import pytest

from scrubjay.models.web import Fate, asked_wait, fate_of, is_remote, shown_url, words_of


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://localhost:8080/rerank", False),
        ("http://127.0.0.1/", False),
        ("http://127.8.9.1/", False),
        ("http://[::1]:80/", False),
        ("http://box.localhost/", False),
        ("http://192.168.1.5/", True),
        ("http://0.0.0.0.example.com/", True),
        ("https://localhost.example.com/", True),
        ("https://api.cohere.com/v2/rerank", True),
    ],
)
def test_remote_is_what_is_no_loopback(url, expected):
    assert is_remote(url) is expected


def test_address_is_shown_without_secrets():
    assert shown_url("https://me:pw@host:8443/v1?key=k#f") == "https://host:8443/v1"


@pytest.mark.parametrize(
    ("status", "fate"),
    [
        (200, Fate.DONE),
        (206, Fate.DONE),
        (307, Fate.MOVED),
        (304, Fate.NEVER),
        (404, Fate.NEVER),
        (429, Fate.LATER),
        (503, Fate.LATER),
    ],
)
def test_fate_follows_the_status(status, fate):
    assert fate_of(status) is fate


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b'{"message": "no such model"}', "no such model"),
        (b'{"error": {"message": "quota", "type": "x"}}', "quota"),
        (b'{"error": "overloaded", "error_type": "overloaded"}', "overloaded"),
        (b'{"detail": [{"loc": ["body"], "msg": "field required"}]}', "field required"),
        (b"<h1>Bad\r\n gateway</h1>\x1b[31m", "<h1>Bad gateway</h1> [31m"),
        (b'{"other": 1}', ""),
        (b"[]", ""),
        (b"\xff\xfe", "\ufffd\ufffd"),
    ],
)
def test_words_are_found_in_any_refusal(raw, expected):
    assert words_of(raw) == expected


def test_long_words_are_cut():
    assert len(words_of(b"x" * 10_000)) == 300


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, None),
        ({"retry-after": "12"}, 12.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-1"}, None),
        (
            {
                "date": "Tue, 01 Dec 2026 10:00:00 GMT",
                "retry-after": "Tue, 01 Dec 2026 10:00:05 GMT",
            },
            5.0,
        ),
        ({"retry-after": "Tue, 01 Dec 2026 10:00:05 GMT"}, None),
    ],
)
def test_asked_wait_is_seconds_or_a_date(headers, expected):
    assert asked_wait(headers) == expected
