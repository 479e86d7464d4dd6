"""Debian's packages as corpora: binary ones that hold source (Go, Rust, PHP), source packages.

`debian/copyright` in its machine-readable form (DEP-5) says under which licence each file is; only
files under a permissive one are read, and packages without such a file are refused.
"""

from __future__ import annotations

import io
import re
import tarfile
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from licences import permissive_id


@dataclass(frozen=True)
class Paragraph:
    """Files of one licence, as DEP-5 lists them."""

    patterns: tuple[str, ...]
    licence: str | None


def parse_copyright(text: str) -> list[Paragraph]:
    """Read the `Files:` paragraphs; empty where the file is not machine-readable."""
    found = []
    for block in re.split(r"\n\s*\n", text):
        fields = dict(re.findall(r"(?m)^(Files|License):((?:[^\n]*)(?:\n[ \t][^\n]*)*)", block))
        if "Files" in fields and "License" in fields:
            name = fields["License"].strip().split("\n")[0]
            found.append(Paragraph(tuple(fields["Files"].split()), _licence_id(name)))
    return found


_ALSO = {
    "apache-2": "Apache-2.0",
    "apache-2.0 with llvm exception": "Apache-2.0 WITH LLVM-exception",
    "bsl-1.0": "BSL-1.0",
    "boost": "BSL-1.0",
    "boost-1.0": "BSL-1.0",
    "bsl-1": "BSL-1.0",
    "bsd-c3": "BSD-3-Clause",
    "bsd-3-clause~google": "BSD-3-Clause",
    "bsd-3-google": "BSD-3-Clause",
    "expat with embedded exception": "MIT",
    "go": "BSD-3-Clause",
    "hylafax": "libtiff",
    "mit-1": "MIT",
    "bsd-3-clauses": "BSD-3-Clause",
    "bsd-3": "BSD-3-Clause",
    "bsd-2": "BSD-2-Clause",
    "bsd3": "BSD-3-Clause",
    "bsd-3-clause-google": "BSD-3-Clause",
    "bsd-style": "BSD-3-Clause",
    "curl": "curl",
    "postgresql": "PostgreSQL",
    "libpng": "Libpng",
    "public-domain": "public domain",
    "zlib/libpng": "Zlib",
    "mit/x": "MIT",
    "mit/x11": "MIT",
    "x11": "X11",
    "ruby": "Ruby",
}
"""Short names Debian uses besides those that packages state themselves."""


def _licence_id(name: str) -> str | None:
    name = " ".join(name.split())
    known = _ALSO.get(name.lower()) or permissive_id(name)
    if known:
        return known
    sides = re.split(r"\s+or\s+|\s*\|\s*", name)
    return next((spdx for side in sides if len(sides) > 1 and (spdx := _licence_id(side))), None)


def licence_of(paragraphs: list[Paragraph], path: str) -> str | None:
    """Say under which permissive licence a file is; the last paragraph that matches decides."""
    for paragraph in reversed(paragraphs):
        if any(_matches(path, pattern) for pattern in paragraph.patterns):
            return paragraph.licence
    return None


def _matches(path: str, pattern: str) -> bool:
    """Installed files lie deeper or less deep than in the source: a pattern may match a tail."""
    return fnmatchcase(path, pattern) or fnmatchcase(path, f"*/{pattern}")


def deb_members(archive: Path) -> tarfile.TarFile:
    """Open the data part of a .deb, which is an `ar` archive with a tarball inside."""
    data = archive.read_bytes()
    at = 8
    while at < len(data):
        name, size = data[at : at + 16].decode().strip(), int(data[at + 48 : at + 58])
        if name.startswith("data.tar"):
            return tarfile.open(fileobj=io.BytesIO(data[at + 60 : at + 60 + size]))
        at += 60 + size + size % 2
    raise ValueError(f"{archive.name}: no data part")


def binary_copyright(tarball: tarfile.TarFile) -> list[Paragraph]:
    """Find `usr/share/doc/*/copyright` in an opened .deb."""
    for member in tarball:
        if member.isfile() and re.fullmatch(r"\./usr/share/doc/[^/]+/copyright", member.name):
            return parse_copyright(_read(tarball, member))
    return []


def source_copyright(archive: Path) -> list[Paragraph]:
    """Find `debian/copyright` in the debian tarball next to an .orig tarball."""
    stem = archive.name.partition(".orig.")[0]
    for debian in archive.parent.glob(f"{stem}-*.debian.tar.*"):
        with tarfile.open(debian) as tarball:
            member = tarball.getmember("debian/copyright")
            return parse_copyright(_read(tarball, member))
    return []


def _read(tarball: tarfile.TarFile, member: tarfile.TarInfo) -> str:
    file = tarball.extractfile(member)
    return file.read().decode("utf-8", "replace") if file else ""


_PREFIXES = re.compile(
    r"^(usr/share/gocode/src/[^/]+/[^/]+/|usr/share/cargo/registry/|usr/share/php/|usr/share/"
    r"rubygems-integration/all/gems/|usr/lib/ruby/vendor_ruby/|usr/share/go-[\d.]+/|usr/src/|"
    r"usr/share/gocode/src/)"
)


def installed_path(path: str) -> str:
    """Cut what only Debian put before a project's own paths."""
    return _PREFIXES.sub("", path.removeprefix("./"))
