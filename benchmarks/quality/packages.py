"""Packages of PyPI, npm and Debian as material: listed with their versions, read, never run."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from questions import CACHE

ARCHIVES = CACHE / "packages"
MOST_BYTES = 400_000
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
SOURCES = f"deb-src [signed-by={KEYRING}] http://deb.debian.org/debian bookworm main\n"

_INSTALLED = re.compile(
    r"^(?:usr/share/gocode/src/[^/]+/[^/]+/|usr/share/cargo/registry/|usr/share/php/"
    r"|usr/share/rubygems-integration/all/gems/|usr/lib/ruby/vendor_ruby/"
    r"|usr/lib/[^/]+/rubygems-integration/[^/]+/gems/)"
)
"""What only Debian put before a project's own paths."""


@dataclass(frozen=True, slots=True)
class Package:
    """One line of a list: what it is material for, where it comes from, which paths count."""

    purpose: str
    registry: str
    name: str
    version: str
    pattern: str = ""

    def folder(self) -> Path:
        """Tell where its archive is kept."""
        return ARCHIVES / self.registry / f"{self.name.replace('/', '+')}-{self.version}"


def read_list(file: Path) -> list[Package]:
    """Read a list of packages: five columns, the last one optional."""
    lines = [line.split() for line in file.read_text("utf-8").splitlines()]
    return [Package(*line) for line in lines if line and not line[0].startswith("#")]


def files_of(package: Package) -> Iterator[tuple[str, bytes]]:
    """Fetch a package where it is not at hand, and read its files: path and content.

    Raises SystemExit with the client's own words when the registry does not give this version.
    """
    chosen = re.compile(package.pattern)
    for path, data in _members(_archive(package)):
        if len(data) <= MOST_BYTES and chosen.search(path):
            yield path, data


def _archive(package: Package) -> Path:
    folder = package.folder()
    suffixes = (".whl", ".tgz", ".deb", ".orig.tar.gz", ".orig.tar.xz", ".orig.tar.bz2")
    if not folder.is_dir():
        command = _command(package)
        folder.mkdir(parents=True)
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if ended.returncode:
            shutil.rmtree(folder)
            raise SystemExit(f"{package.name} {package.version}: {ended.stderr or ended.stdout}")
    return next(file for file in sorted(folder.iterdir()) if file.name.endswith(suffixes))


def _command(package: Package) -> list[str]:
    """Say how the registry's own client fetches an archive without running anything of it."""
    match package.registry:
        case "pypi":
            pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps"]
            return [*pip, "--only-binary", ":all:", f"{package.name}=={package.version}"]
        case "npm":
            return ["npm", "pack", "--silent", f"{package.name}@{package.version}"]
        case "debian":
            return ["apt-get", "download", "-q", f"{package.name}={package.version}"]
        case "debian-source":
            source = [*_apt_with_sources(), "source", "-q", "--download-only", "--tar-only"]
            return [*source, f"{package.name}={package.version}"]
    raise SystemExit(f"{package.name}: unknown registry {package.registry}")


def _apt_with_sources() -> list[str]:
    """Keep lists of source packages of our own, so that the machine's stay as they are."""
    folder = ARCHIVES / "apt"
    command = [
        "apt-get",
        f"-oDir::Etc::sourcelist={folder / 'sources.list'}",
        f"-oDir::Etc::sourceparts={folder / 'parts'}",
        f"-oDir::State::lists={folder / 'lists'}",
    ]
    if not folder.is_dir():
        (folder / "lists" / "partial").mkdir(parents=True)
        (folder / "parts").mkdir()
        (folder / "sources.list").write_text(SOURCES, "utf-8")
        subprocess.run([*command, "-q", "update"], check=True, stdout=subprocess.DEVNULL)
    return command


def _members(archive: Path) -> Iterator[tuple[str, bytes]]:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            for info in wheel.infolist():
                if not info.is_dir():
                    yield info.filename, wheel.read(info)
        return
    is_installed = archive.suffix == ".deb"
    with _open_deb(archive) if is_installed else tarfile.open(archive) as tarball:
        for member in tarball:
            data = tarball.extractfile(member) if member.isfile() else None
            if data is not None:
                path = member.name.removeprefix("./")
                path = _INSTALLED.sub("", path) if is_installed else path.partition("/")[2]
                yield path, data.read()


def _open_deb(archive: Path) -> tarfile.TarFile:
    """Open the data part of a .deb, which is an `ar` archive with tarballs inside."""
    data = archive.read_bytes()
    at = 8
    while at < len(data):
        name, size = data[at : at + 16].decode().strip(), int(data[at + 48 : at + 58])
        if name.startswith("data.tar"):
            return tarfile.open(fileobj=io.BytesIO(data[at + 60 : at + 60 + size]))
        at += 60 + size + size % 2
    raise SystemExit(f"{archive.name}: no data part")
