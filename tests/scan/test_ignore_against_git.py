"""Git is the oracle: on random trees with random ignore files both must see the same files."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scan_trees import git_untracked, look_at, make_repository

from scrubjay.scan.walk import walk
from scrubjay.types import SkipReason

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

NAME_ATOMS = [b"a", b"b", b"ab", b"foo", b".x", b"d.py", b".o", b"1", b"-", b"!", b"#", b" "]
ODD_ATOMS = [b"\\", b"[", b"]", b"*", b"?", b"\xc3\xa9", b"\xff", b"^", b"\t", b"\r", b"{", b"$"]
GLOB_ATOMS = [
    *(b"*", b"**", b"***", b"?", b"/", b"/**/", b"**/", b"/**", b"*.", b".*", b"[a-c]", b"[!a]"),
    *(b"[^b]", b"[[:alpha:]]", b"[[:digit:]b]", b"[[:bogus:]]", b"[a", b"[]a]", b"[!]a]", b"[a-"),
    *(b"[a-[a-c]", b"[\\]a]", b"[a\\-c]", b"[[:alpha:]-z]", b"[b-\\c]", b"[--0]", b"[a/b]"),
    *(b"\\*", b"\\?", b"\\a", b"\\ ", b"[[a]", b"[[:alpha]", b"[c-a]"),
]

names = (
    st.lists(
        st.sampled_from(NAME_ATOMS) | st.sampled_from(NAME_ATOMS + ODD_ATOMS),
        min_size=1,
        max_size=3,
    )
    .map(b"".join)
    .filter(lambda name: name not in (b".", b"..", b".git"))
)


@st.composite
def ignore_files(draw: st.DrawFn, paths: list[bytes]) -> bytes:
    """Lines made of pieces of real paths, of wildcards put into them, and of plain nonsense."""
    lines = []
    for _ in range(draw(st.integers(1, 4))):
        path = draw(st.sampled_from(paths))
        tail = path.split(b"/")[-1]
        line = draw(
            st.sampled_from([path, tail, b"*" + tail[-1:], tail[:1] + b"*", b"**/" + tail, b"*"])
            | st.lists(st.sampled_from([*GLOB_ATOMS, *NAME_ATOMS, tail]), max_size=4).map(b"".join)
        )
        start = draw(st.sampled_from([b"", b"", b"", b"!", b"/", b"!/"]))
        end = draw(st.sampled_from([b"", b"", b"", b"/", b" ", b"\\ ", b"\r"]))
        lines.append(start + line + end)
    mark = draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf"]))
    return mark + b"\n".join(lines) + draw(st.sampled_from([b"", b"\n"]))


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[bytes], dict[bytes, bytes]]:
    """Paths of files, and ignore files by their path."""
    pool = draw(st.lists(names, min_size=2, max_size=5))
    paths = draw(
        st.lists(
            st.lists(st.sampled_from(pool) | names, min_size=1, max_size=4).map(b"/".join),
            min_size=3,
            max_size=12,
        )
    )
    folders = [b"", *(path.rpartition(b"/")[0] + b"/" for path in paths if b"/" in path)]
    places = draw(st.lists(st.sampled_from(folders), max_size=3))
    rules = {place + b".gitignore": draw(ignore_files(paths)) for place in [b"", *places]}
    if draw(st.booleans()):
        rules[b".git/info/exclude"] = draw(ignore_files(paths))
    return paths, rules


def write_all(root: bytes, files: Mapping[bytes, bytes]) -> None:
    for path, data in files.items():
        target = os.path.join(root, path)
        try:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                file.write(data)
        except OSError:  # a file is in the way of a folder, or the disk refuses the name
            continue


def ours(root: Path | bytes) -> set[bytes]:
    """List every file that no rule excludes, whatever its kind."""
    seen = set()
    for listing in walk(look_at(Path(os.fsdecode(root)), builtin_rules=False)):
        seen.update(entry.path for entry in listing.entries)
        seen.update(
            skip.path
            for skip in listing.skips
            if skip.reason is not SkipReason.IGNORED and not skip.is_folder
        )
    return seen


@pytest.mark.slow
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(trees())
def test_walk_sees_what_git_sees(tree: tuple[list[bytes], dict[bytes, bytes]]) -> None:
    paths, rules = tree
    root = os.fsencode(tempfile.mkdtemp())
    try:
        make_repository(root)
        write_all(root, {**dict.fromkeys(paths, b""), **rules})
        assert ours(root) == git_untracked(root)
    finally:
        shutil.rmtree(root)


@pytest.mark.parametrize(
    "rules",
    [
        b"a**/b\n",  # git cuts the literal head off: the stars then stand alone
        b"a/**\n!a/x/\n",
        b"**/b\n!/a/b\n",
        b"*\n!*/\n!b\n",
        b"foo/*/baz\n",
        b"/x/**/a\n",
        b"x\n!x/a\n",
        b"\xef\xbb\xbfa\r\n# b\r\n\\#\n",
        b"foo.[no]\nb   \n",
        b"***/b",
        b"foo/**/baz\n",
        b"**\n!a\n",
        b"[a-\n[[:lower:]]\n",
        b"x/\n\n!",
    ],
)
def test_rules_mean_what_they_mean_to_git(
    grow: Callable[[Mapping[str, str]], Path], rules: bytes
) -> None:
    root = grow(dict.fromkeys(["ab/b", "foo/bar/baz", "foo.o", "x/a", "x/y/a", "a/b", "a/x/b"], ""))
    grow(dict.fromkeys(["ax/b", "ax/y/b", "b", "c"], ""))
    make_repository(root)
    (root / ".gitignore").write_bytes(rules)
    assert ours(root) == git_untracked(root)


def test_global_excludes_are_weaker_than_exclude_and_gitignore(
    grow: Callable[[Mapping[str, str]], Path], home: Path
) -> None:
    root = grow({"a.log": "", "b.log": "", "c.log": "", ".gitignore": "!c.log\n"})
    make_repository(root)
    (root / ".git/info/exclude").write_text("!b.log\n")
    excludes = home / "my ignore"
    excludes.write_text("*.log\n")
    config = home / ".gitconfig"
    config.write_text('[user]\n name = "x"\n[core] ; mine\n excludesFile = "~/my ignore" # here\n')
    try:
        assert ours(root) == git_untracked(root) == {b".gitignore", b"b.log", b"c.log"}
    finally:
        config.unlink()


def test_rules_above_a_root_inside_a_repository_hold(
    grow: Callable[[Mapping[str, str]], Path],
) -> None:
    top = grow({"sub/root/gen/x.py": "", "sub/root/keep.py": "", "sub/root/deep/top.py": ""})
    make_repository(top)
    (top / ".gitignore").write_text("/sub/root/gen/\n*.tmp\nsub/*/deep/t*\n")
    root = top / "sub" / "root"
    assert ours(root) == git_untracked(root) == {b"keep.py"}


def test_root_that_its_repository_ignores_is_walked(
    grow: Callable[[Mapping[str, str]], Path],
) -> None:
    top = grow({"scratch/a.py": "", "scratch/.gitignore": "b.py\n", "scratch/b.py": ""})
    make_repository(top)
    (top / ".gitignore").write_text("*\n")
    assert ours(top / "scratch") == {b".gitignore", b"a.py"}
