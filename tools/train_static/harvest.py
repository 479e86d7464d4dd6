"""Which packages may be learnt from, and what pairs they hold. Nothing of a package is ever run."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from archives import Package, describe, sources
from brace_pairs import LANGUAGES, brace_pairs
from pairs import Pair, Source
from prose_pairs import prose_pairs
from python_pairs import python_pairs
from ruby_pairs import ruby_pairs

MAX_PAIRS_PER_PACKAGE = 4_000

BENCHMARKS = frozenset(
    {
        "fastapi",
        "gin",
        "zod",
        "libuv",
        "requests",
        "flask",
        "prometheus",
        "axios",
        "axum",
        "gson",
        "django",
        "sympy",
        "pytest",
        "sphinx",
        "matplotlib",
        "scikit-learn",
        "astropy",
        "xarray",
        "seaborn",
        "pylint",
        "pandas",
        "moto",
        "mypy",
        "dask",
        "monai",
        "pydantic",
        "conan",
        "dvc",
        "bokeh",
        "modin",
        "hydra-core",
        "pydicom",
        "sqlfluff",
        "marshmallow",
        "pvlib",
        "astroid",
    }
)
"""Corpora of code benchmarks: ours, SWE-bench and its kin. Never learnt from."""

HELD_OUT = frozenset(
    {
        "click",
        "werkzeug",
        "urllib3",
        "httpx",
        "jinja2",
        "aiohttp",
        "scrapy",
        "rich",
        "celery",
        "quart",
        "typer",
        "express",
        "koa",
        "mongoose",
        "luxon",
        "date-fns",
        "socket.io",
        "yargs",
        "ramda",
        "cobra",
        "logrus",
        "chi",
        "clap",
        "walkdir",
        "twig",
        "rack",
        "jsoup",
        "commons-io",
        "libevent",
        "hiredis",
        "cjson",
        "jansson",
        "leveldb",
    }
)
"""What figures are measured on, with flask; never learnt from either."""


@dataclass
class Harvest:
    """Pairs, how many each package gave, and the packages refused with the reason."""

    pairs: list[Pair] = field(default_factory=list)
    used: dict[Package, int] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


def harvest(archives: Iterable[Path], *, held_out: bool = False) -> Harvest:
    """Read pairs from archives; with `held_out` from those only that training refuses."""
    result = Harvest()
    seen: Counter[str] = Counter()
    questions: Counter[str] = Counter()
    for archive in archives:
        package = describe(archive)
        why = refusal(package, held_out=held_out)
        if why:
            result.refused[package.name] = why
            continue
        kept = [p for p in _package_pairs(package) if _is_new(p, seen, questions)]
        result.pairs += kept
        if kept:
            result.used[package] = len(kept)
        print(f"{package.registry} {package.name} {package.version}: {len(kept)}", flush=True)
    return result


def refusal(package: Package, *, held_out: bool = False) -> str | None:
    """Say why a package may not be read, if so.

    A distribution's name carries the project's inside (`librust-axum-dev`): each part counts.
    """
    name = package.name.lower().replace("_", "-")
    names = {
        name,
        name.partition("/")[2],
        *(re.split(r"-", name) if package.registry == "debian" else ()),
    }
    is_kept_out = bool(names & (BENCHMARKS | HELD_OUT))
    if is_kept_out != held_out:
        return "benchmark or held-out corpus" if is_kept_out else "not held out"
    return None if package.licence else "licence not known to be permissive"


def _package_pairs(package: Package) -> list[Pair]:
    found: list[Pair] = []
    for source in _shuffled(sources(package)):
        found += _file_pairs(source)
        if len(found) >= MAX_PAIRS_PER_PACKAGE:
            break
    return found[:MAX_PAIRS_PER_PACKAGE]


def _file_pairs(source: Source) -> Iterable[Pair]:
    suffix = PurePosixPath(source.path).suffix.lower()
    if suffix == ".py":
        return python_pairs(source)
    if suffix == ".rb":
        return ruby_pairs(source)
    if suffix in LANGUAGES:
        return brace_pairs(source, suffix)
    return prose_pairs(source, suffix)


def _shuffled(found: Iterable[Source]) -> list[Source]:
    """Order by a hash of the path, so that a cap takes a fair sample, the same each time."""
    return sorted(found, key=lambda s: hashlib.blake2b(s.path.encode("utf-8", "replace")).digest())


def _is_new(pair: Pair, seen: Counter[str], questions: Counter[str]) -> bool:
    """Drop copies: the same code built twice, and questions that many places answer."""
    body = pair.document.partition("\n")[2]
    key = hashlib.blake2b(" ".join(body.split()).encode("utf-8", "replace")).hexdigest()
    seen[key] += 1
    questions[pair.question] += 1
    return seen[key] == 1 and questions[pair.question] <= 3
