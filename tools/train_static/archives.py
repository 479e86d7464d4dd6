"""Archives of PyPI, npm and Debian, read in place: what they say of themselves, their sources."""

from __future__ import annotations

import json
import re
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import debian
from brace_pairs import LANGUAGES
from licences import npm_licence, python_licence
from pairs import Source

MAX_FILE_CHARS = 300_000
SUFFIXES = {".py", ".rb", ".md", ".rst", *LANGUAGES}
PATTERNS = ("*.whl", "*.tgz", "*.deb", "*.orig.tar.*[z2]")

_SKIPPED = re.compile(
    r"(?i)(^|/)(tests?|testing|testdata|_vendor|_vendored|vendor|vendored|third_party|node_modules|"
    r"__tests__|min|locale|examples?)(/|$)|\.min\.|\.d\.[cm]?ts$|\.bundle\.|(^|/)test_|_pb2\.py$|"
    r"\.umd\.|_test\.go$|\.pb\.go$|zz_generated"
)


@dataclass(frozen=True)
class Package:
    """An archive of a registry, with what its own metadata says."""

    registry: str
    name: str
    version: str
    licence: str | None
    archive: Path


def archives_in(folder: Path) -> list[Path]:
    """List the archives in a folder and below, in order of name."""
    return sorted(file for pattern in PATTERNS for file in folder.rglob(pattern))


def describe(archive: Path) -> Package:
    """Read name, version and licence from an archive's own metadata."""
    if archive.suffix == ".whl":
        return _describe_wheel(archive)
    if archive.suffix == ".tgz":
        return _describe_npm(archive)
    name, version = archive.name.split("_")[:2]
    if archive.suffix == ".deb":
        with debian.deb_members(archive) as tarball:
            paragraphs = debian.binary_copyright(tarball)
    else:
        version = version.partition(".orig.")[0]
        paragraphs = debian.source_copyright(archive)
    whole = [p.licence for p in paragraphs if "*" in p.patterns]
    return Package("debian", name, version, whole[0] if whole else None, archive)


def _describe_wheel(archive: Path) -> Package:
    with zipfile.ZipFile(archive) as wheel:
        member = next(n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))
        metadata = wheel.read(member).decode("utf-8", "replace")
    fields = dict(re.findall(r"(?m)^(Name|Version): (.+?)\s*$", metadata.partition("\n\n")[0]))
    licence = python_licence(metadata)
    return Package("pypi", fields["Name"], fields["Version"], licence, archive)


def _describe_npm(archive: Path) -> Package:
    with tarfile.open(archive) as tarball:
        member = next(m for m in tarball if re.fullmatch(r"[^/]+/package\.json", m.name))
        file = tarball.extractfile(member)
        manifest = json.load(file) if file else {}
    name, version = manifest["name"], manifest["version"]
    return Package("npm", name, version, npm_licence(manifest), archive)


def sources(package: Package) -> Iterator[Source]:
    """Read the files that can hold pairs; of Debian packages only those permissively licensed."""
    for path, data in _members(package.archive):
        text = data.decode("utf-8", "replace").replace("\r\n", "\n")
        if len(text) <= MAX_FILE_CHARS:
            yield Source(path, text, package.name)


def _members(archive: Path) -> Iterable[tuple[str, bytes]]:
    if archive.suffix == ".whl":
        return _wheel_members(archive)
    if archive.suffix == ".tgz":
        return _tar_members(archive)
    return _debian_members(archive)


def _is_wanted(path: str, size: int) -> bool:
    suffix = PurePosixPath(path).suffix.lower()
    return suffix in SUFFIXES and 200 < size < MAX_FILE_CHARS and not _SKIPPED.search(path)


def _wheel_members(archive: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(archive) as wheel:
        for info in wheel.infolist():
            if _is_wanted(info.filename, info.file_size):
                yield info.filename, wheel.read(info)
            elif info.filename.endswith(".dist-info/METADATA"):
                head, _, body = wheel.read(info).partition(b"\n\n")
                yield f"README{'.md' if b'markdown' in head else '.rst'}", body


def _tar_members(archive: Path) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(archive) as tarball:
        for member in tarball:
            path = member.name.removeprefix("./").partition("/")[2]
            if member.isfile() and _is_wanted(path, member.size):
                file = tarball.extractfile(member)
                if file:
                    yield path, file.read()


def _debian_members(archive: Path) -> Iterator[tuple[str, bytes]]:
    if archive.suffix != ".deb":
        paragraphs = debian.source_copyright(archive)
        for path, data in _tar_members(archive):
            if debian.licence_of(paragraphs, path):
                yield path, data
        return
    with debian.deb_members(archive) as tarball:
        paragraphs = debian.binary_copyright(tarball)
        for member in tarball.getmembers():
            path = debian.installed_path(member.name)
            if not member.isfile() or not _is_wanted(path, member.size):
                continue
            file = tarball.extractfile(member)
            if file and debian.licence_of(paragraphs, path):
                yield path, file.read()
