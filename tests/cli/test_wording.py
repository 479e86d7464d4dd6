"""Counts, sizes, times and paths as a person reads them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scrubjay.cli.wording import ago, counted, lasted, many, near, sized


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (many(0, "file"), "0 files"),
        (many(1, "file"), "1 file"),
        (many(2871, "entry"), "2,871 entries"),
        (sized(1), "1 byte"),
        (sized(999), "999 bytes"),
        (sized(1500), "1.5 kB"),
        (sized(62_100_000), "62.1 MB"),
        (lasted(0.44), "0.4 s"),
        (lasted(200), "3 min 20 s"),
        (ago(100, now=101), "just now"),
        (ago(100, now=90), "just now"),
        (ago(0, now=90), "90 seconds ago"),
        (ago(0, now=600), "10 minutes ago"),
        (ago(0, now=3 * 3600), "3 hours ago"),
        (counted({"a": 1, "b": 2000, "c": 0}), "b 2,000 · a 1"),
        (counted({}), ""),
        (counted({"a": 4, "b": 3, "c": 2, "d": 1}, 2), "a 4 · b 3 · 2 more kinds 3"),
    ],
)
def test_wording_suits_a_person(written, expected):
    assert written == expected


def test_ago_dates_what_is_long_past():
    assert ago(0, now=86_400 * 400).startswith("400 days ago (19")


def test_near_takes_the_shorter_spelling(tmp_path):
    here = Path(os.path.realpath(tmp_path)) / "a" / "b"
    assert near(here / "c.py", here) == "c.py"
    assert near(here.parent / "c.py", here) == os.path.join("..", "c.py")
    assert near(Path(here.anchor) / "etc", here) == str(Path(here.anchor) / "etc")
