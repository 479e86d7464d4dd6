"""Which packages may be learnt from, and what pairs they hold. Nothing of a package is ever run."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path, PurePosixPath

from archives import Package, describe, sources
from brace_pairs import LANGUAGES, brace_pairs
from pairs import Pair, Source
from prose_pairs import prose_pairs
from python_pairs import python_pairs
from ruby_pairs import ruby_pairs
from translations import DEBIAN as TRANSLATED
from translations import translated_pairs
from twins import TWINS, twin_pairs

MAX_PAIRS = {"pypi": 4_000, "npm": 6_000, "debian": 8_000}
"""Of one package; Python has the most packages by far, so the others give more each."""

MAX_TRANSLATIONS = 12_000
MAX_TWIN_PAIRS = 60_000

_HAN = re.compile(r"[\u4e00-\u9fff]{2}")

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
        "spyder",
        "nonebot2",
        "czsc",
        "vnpy",
    }
)
"""What figures are measured on, with flask; never learnt from either."""


WORKERS = 2
"""Processes that read archives; the result does not depend on them."""


@dataclass
class Harvest:
    """Pairs, how many each package gave, and the packages refused with the reason."""

    pairs: list[Pair] = field(default_factory=list)
    used: dict[Package, int] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Reading:
    """One package to read, and the archive that says the same in English, if any."""

    package: Package
    twin: Path | None


def harvest(archives: Iterable[Path], *, held_out: bool = False) -> Harvest:
    """Read pairs from archives; with `held_out` from those only that training refuses."""
    result = Harvest()
    readings = []
    packages = [describe(archive) for archive in archives]
    by_name = {package.name.lower(): package.archive for package in packages}
    for package in packages:
        why = refusal(package, held_out=held_out)
        if why:
            result.refused[package.name] = why
        else:
            twin = by_name.get(TWINS.get(package.name.lower(), ""))
            readings.append(_Reading(package, twin))
    seen: Counter[str] = Counter()
    questions: Counter[str] = Counter()
    with ProcessPoolExecutor(WORKERS) as pool:
        for reading, found in zip(readings, pool.map(_package_pairs, readings), strict=True):
            kept = [p for p in found if _is_new(p, seen, questions)]
            result.pairs += kept
            package = reading.package
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


def _package_pairs(reading: _Reading) -> list[Pair]:
    package, most = reading.package, MAX_PAIRS[reading.package.registry]
    found: list[Pair] = []
    for source in _shuffled(sources(package)):
        found += map(_with_language, _file_pairs(source))
        if len(found) >= most:
            break
    del found[most:]
    if package.registry != "debian" or package.name in TRANSLATED:
        found += _sample(translated_pairs(package.archive, package.name), MAX_TRANSLATIONS)
    if reading.twin:
        found += _sample(twin_pairs(package.archive, reading.twin, package.name), MAX_TWIN_PAIRS)
    return found


def _with_language(pair: Pair) -> Pair:
    is_chinese = bool(_HAN.search(pair.question))
    return replace(pair, kind=f"chinese {pair.kind}") if is_chinese else pair


def _sample(pairs: Iterable[Pair], size: int) -> list[Pair]:
    """Take a fair sample of distinct pairs, the same each time."""
    distinct = {(pair.question, pair.document): pair for pair in pairs}

    def draw(pair: Pair) -> bytes:
        return hashlib.blake2b(pair.question.encode("utf-8", "replace"), digest_size=8).digest()

    return sorted(distinct.values(), key=draw)[:size]


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
    body = pair.document.partition("\n")[2] or f"{pair.question}\n{pair.document}"
    key = hashlib.blake2b(" ".join(body.split()).encode("utf-8", "replace")).hexdigest()
    seen[key] += 1
    questions[pair.question] += 1
    return seen[key] == 1 and questions[pair.question] <= 3


def write_harvest(file: Path, found: Harvest) -> None:
    """Write pairs and packages as JSON lines; the file appears when it is whole."""
    part = file.with_suffix(".part")
    with part.open("w", encoding="utf-8", errors="replace") as out:
        packages = [[{**asdict(p), "archive": str(p.archive)}, n] for p, n in found.used.items()]
        out.write(json.dumps(packages) + "\n")
        for pair in found.pairs:
            out.write(json.dumps([pair.question, pair.document, pair.package, pair.kind]) + "\n")
    part.replace(file)


def read_harvest(file: Path) -> Harvest:
    """Read what `write_harvest` wrote; refusals are not kept."""
    with file.open(encoding="utf-8") as lines:
        packages = json.loads(next(lines))
        used = {Package(**{**p, "archive": Path(p["archive"])}): n for p, n in packages}
        return Harvest([Pair(*json.loads(line)) for line in lines], used, {})
