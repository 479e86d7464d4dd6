"""Bring the listed packages to disk with each registry's own client; none is installed or built."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

LISTS = Path(__file__).parent / "packages"
BATCH = 12
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
SOURCES = f"deb-src [signed-by={KEYRING}] http://deb.debian.org/debian bookworm main\n"


def fetch_packages(folder: Path) -> None:
    """Download all lists below a folder; a registry without its client here is left out."""
    # Wheels only, so no build script of a package runs.
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:"]
    _fetch(folder / "pypi", "pypi.txt", pip)
    if shutil.which("npm"):
        _fetch(folder / "npm", "npm.txt", ["npm", "pack", "--silent"])
    if shutil.which("apt-get"):
        _fetch(folder / "debian", "debian.txt", ["apt-get", "download", "-q"])
        apt = _own_apt(folder / "apt")
        _fetch(folder / "debian-source", "debian-source.txt", [*apt, "source", "--download-only"])


def _fetch(folder: Path, list_name: str, command: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    done = folder / "done"
    if done.exists():
        return
    names = (LISTS / list_name).read_text("utf-8").split()
    for start in range(0, len(names), BATCH):
        batch = names[start : start + BATCH]
        if _runs([*command, *batch], folder):
            continue
        for name in batch:
            if not _runs([*command, name], folder):
                print(f"{list_name}: {name} could not be fetched", file=sys.stderr)
    done.touch()


def _runs(command: list[str], folder: Path) -> bool:
    return (
        subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=False).returncode == 0
    )


def _own_apt(folder: Path) -> list[str]:
    """Make lists of source packages of our own, so that the machine's stay as they are."""
    (folder / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    (folder / "parts").mkdir(exist_ok=True)
    (folder / "sources.list").write_text(SOURCES, "utf-8")
    command = [
        "apt-get",
        "-q",
        f"-oDir::Etc::sourcelist={folder / 'sources.list'}",
        f"-oDir::Etc::sourceparts={folder / 'parts'}",
        f"-oDir::State::lists={folder / 'lists'}",
    ]
    _runs([*command, "update"], folder)
    return command
