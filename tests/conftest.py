"""In continuous integration a test that is skipped because something is missing fails instead."""

from __future__ import annotations

import os
import re
from collections.abc import Generator

import pytest

MISSING = re.compile(r"\b(missing|not installed|could not import|git)\b")
"""Reasons that an installation could remove; a platform that cannot run a test is none of them."""


def complain_when_missing(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.skipped and os.environ.get("CI") and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2]
        if MISSING.search(reason):
            report.outcome = "failed"
            report.longrepr = f"{reason} (install it: with CI set no such test may be skipped)"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    complain_when_missing(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    complain_when_missing(report)
    return report
