from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from scan_trees import look_at, make_repository

from scrubjay.scan.walk import Tree, explain, list_folder, walk
from scrubjay.types import Listing, Rule, SkipReason

Grow = Callable[[Mapping[str, str | bytes]], Path]


def entries_of(tree: Tree, below: bytes = b"") -> list[bytes]:
    return [entry.path for listing in walk(tree, below) for entry in listing.entries]


def skips_of(tree: Tree) -> dict[bytes, SkipReason]:
    return {skip.path: skip.reason for listing in walk(tree) for skip in listing.skips}


def test_walk_lists_folders_before_subfolders_in_order(grow: Grow) -> None:
    root = grow({"b/z.py": "", "b/a/x.py": "", "a.py": "", "c.md": "", "b.py": ""})
    listings = list(walk(look_at(root)))
    assert [listing.folder for listing in listings] == [b"", b"b", b"b/a"]
    assert entries_of(look_at(root)) == [b"a.py", b"b.py", b"c.md", b"b/z.py", b"b/a/x.py"]


def test_entry_carries_kind_language_and_stat(grow: Grow) -> None:
    root = grow({"a.py": "x = 1\n"})
    (entry,) = next(walk(look_at(root))).entries
    status = os.stat(root / "a.py")
    assert (entry.language, entry.shebang) == ("python", False)
    assert (entry.stat.size_bytes, entry.stat.mtime_ns) == (6, status.st_mtime_ns)
    assert entry.stat.observed_ns > 0


def test_every_entry_of_the_tree_is_accounted_for(grow: Grow) -> None:
    root = grow({"a.py": "", "b.bin": b"\0", "yarn.lock": "", "x.min.js": "", "i/j.py": ""})
    grow({".gitignore": "i/\n"})
    tree = look_at(root)
    accounted = {*entries_of(tree), *skips_of(tree)}
    assert accounted == {b"a.py", b"b.bin", b"yarn.lock", b"x.min.js", b"i", b".gitignore"}


def test_skip_names_the_line_that_decided(grow: Grow) -> None:
    root = grow({"sub/.gitignore": "# c\n*.log\n", "sub/a.log": "", "b.log": ""})
    tree = look_at(root)
    finding = explain(tree, b"sub/a.log")
    assert finding.skip is not None
    assert finding.skip.rule == Rule("sub/.gitignore", 2, "*.log")
    assert explain(tree, b"b.log").entry is not None


def test_ignored_folder_is_never_read(grow: Grow, monkeypatch: pytest.MonkeyPatch) -> None:
    root = grow({".gitignore": "big/\n", "big/deep/x.py": "", "src/a.py": ""})
    read: list[bytes] = []
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: (read.append(path), scandir(path))[1])
    assert entries_of(look_at(root)) == [b".gitignore", b"src/a.py"]
    assert len(read) == 2


def test_git_folder_is_never_entered(grow: Grow) -> None:
    root = grow({"a.py": "", ".git/hooks/b.py": "", ".git/HEAD": ""})
    tree = look_at(root, gitignore=False, builtin_rules=False)
    assert entries_of(tree) == [b"a.py"]
    assert skips_of(tree) == {b".git": SkipReason.IGNORED}


def test_user_globs_beat_every_file_and_may_take_back(grow: Grow) -> None:
    root = grow(
        {".gitignore": "!a.md\nc.py\n", "a.md": "", "b.md": "", "c.py": "", "vendor/x.py": ""}
    )
    tree = look_at(root, ignore=("**/*.md", "vendor/**", "!c.py"))
    assert entries_of(tree) == [b".gitignore", b"c.py"]
    finding = explain(tree, b"a.md")
    assert finding.skip is not None
    assert finding.skip.rule == Rule("settings scan.ignore", 1, "**/*.md")


def test_own_ignore_file_is_stronger_than_gitignore(grow: Grow) -> None:
    root = grow({"d/.gitignore": "a.py\n", ".scrubjayignore": "!a.py\nb.py\n", "d/a.py": ""})
    grow({"d/b.py": "", "d/c.py": "", "e/.scrubjayignore": "x*", "e/x.py": "", "e/y.py": ""})
    assert set(entries_of(look_at(root))) == {
        *(b"d/.gitignore", b"d/a.py", b"d/c.py"),
        *(b".scrubjayignore", b"e/.scrubjayignore", b"e/y.py"),
    }


def test_gitignore_can_be_switched_off(grow: Grow) -> None:
    root = grow({".gitignore": "a.py\n", "a.py": ""})
    assert entries_of(look_at(root, gitignore=False)) == [b".gitignore", b"a.py"]


@pytest.mark.parametrize(
    "path",
    [
        "node_modules/p/i.js",
        "web/node_modules/p/i.js",
        "__pycache__/a.py",
        ".venv/lib/a.py",
        "a.py~",
    ],
)
def test_builtin_rules_leave_out_dependencies_and_caches(grow: Grow, path: str) -> None:
    root = grow({path: "", "keep.py": ""})
    assert entries_of(look_at(root)) == [b"keep.py"]
    assert os.fsencode(path) in entries_of(look_at(root, builtin_rules=False)) or path == "a.py~"


@pytest.mark.parametrize(
    "name", ["build", "env", "vendor", "packages", "dist", "target", "out", "deps"]
)
def test_source_folder_with_an_output_name_stays(grow: Grow, name: str) -> None:
    root = grow({f"{name}/a.py": "", f"src/{name}/b.py": ""})
    assert len(entries_of(look_at(root))) == 2


@pytest.mark.parametrize(
    ("witness", "output"),
    [
        ("Cargo.toml", "target/x.rs"),
        ("target/CACHEDIR.TAG", "target/x.rs"),
        ("env/pyvenv.cfg", "env/lib/a.py"),
        ("build.gradle", "build/gen/A.java"),
        ("package.json", "dist/bundle.js"),
        ("vendor/composer/installed.json", "vendor/a/b.php"),
        ("build/CMakeCache.txt", "build/x.cmake"),
    ],
)
def test_output_folder_with_a_witness_is_left_out(grow: Grow, witness: str, output: str) -> None:
    root = grow({witness: "", output: ""})
    tree = look_at(root)
    assert os.fsencode(output) not in entries_of(tree)
    finding = explain(tree, os.fsencode(output))
    assert finding.skip is not None
    assert finding.skip.rule is not None
    assert finding.skip.rule.source == "built-in"


def test_gitignore_takes_back_what_it_names_from_builtin_rules(grow: Grow) -> None:
    root = grow({".gitignore": "!node_modules/\n!dist/\n", "node_modules/a.js": ""})
    grow({"package.json": "", "dist/b.js": ""})
    assert {b"node_modules/a.js", b"dist/b.js"} <= set(entries_of(look_at(root)))


def test_sweeping_take_back_leaves_dependencies_out(grow: Grow) -> None:
    root = grow(
        {".gitignore": "*\n!*/\n!*.py\n", "node_modules/a.py": "", "src/b.py": "", "c.js": ""}
    )
    assert entries_of(look_at(root)) == [b"src/b.py"]


def test_links_are_skipped_and_loops_end(grow: Grow) -> None:
    root = grow({"real/one.py": ""})
    for link, target in [
        ("self", "."),
        ("up", ".."),
        ("dead.py", "nowhere"),
        ("l.py", "real/one.py"),
    ]:
        os.symlink(target, root / "real" / link)
    tree = look_at(root)
    assert entries_of(tree) == [b"real/one.py"]
    assert set(skips_of(tree).values()) == {SkipReason.SYMLINK}
    assert len(skips_of(tree)) == 4


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_special_files_are_skipped_unopened(grow: Grow, monkeypatch: pytest.MonkeyPatch) -> None:
    root = grow({"package.py/inner.py": ""})
    os.mkfifo(root / "pipe.py")
    os.mkfifo(root / ".gitignore")
    monkeypatch.chdir(root)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("s.py")
        tree = look_at(root)
        assert entries_of(tree) == [b"package.py/inner.py"]
        assert skips_of(tree) == dict.fromkeys(
            [b"pipe.py", b"s.py", b".gitignore"], SkipReason.SPECIAL
        )


@pytest.mark.skipif(os.name == "nt", reason="names are Unicode there")
def test_paths_are_bytes_as_the_disk_spells_them(grow: Grow) -> None:
    root = os.fsencode(grow({}))
    odd = [
        b"\xff.py",
        "e\u0301.py".encode(),
        "\u00e9.py".encode(),
        b"a\nb.py",
        b"-rf.py",
        b"50%.py",
    ]
    made = []
    for name in odd:
        try:
            with open(root + b"/" + name, "wb"):
                made.append(name)
        except OSError:
            continue
    assert entries_of(look_at(Path(os.fsdecode(root)))) == sorted(made)


def test_submodules_and_nested_repositories_stay_out(grow: Grow) -> None:
    root = grow({"lib/a.py": "", "mylib/b.py": "", "sub/.git": "gitdir: ../.git/modules/sub\n"})
    grow({".gitmodules": '[submodule "lib"]\n\tpath = lib\n\turl = x\n', "sub/c.py": ""})
    grow({"nested/d.py": "", "work/.git": "gitdir: /r/.git/worktrees/w\n", "work/e.py": ""})
    make_repository(root)
    make_repository(root / "nested")
    tree = look_at(root)
    assert entries_of(tree) == [b".gitmodules", b"mylib/b.py"]
    assert skips_of(tree) == {
        b".git": SkipReason.IGNORED,
        b"lib": SkipReason.SUBMODULE,
        b"sub": SkipReason.SUBMODULE,
        b"nested": SkipReason.NESTED_REPOSITORY,
        b"work": SkipReason.NESTED_REPOSITORY,
    }


def test_nested_repositories_bring_their_own_rules(grow: Grow) -> None:
    root = grow({".gitignore": "*.log\n", "in/a.log": "", "in/b.py": "", "in/.gitignore": "b.py\n"})
    grow({"in/c.md": ""})
    make_repository(root)
    make_repository(root / "in")
    (root / "in/.git/info/exclude").write_text("c.md\n")
    tree = look_at(root, nested_repositories=True)
    assert entries_of(tree) == [b".gitignore", b"in/.gitignore", b"in/a.log"]


def test_own_data_inside_the_root_stays_out(grow: Grow) -> None:
    root = grow({"a.py": "", "data/index/b.py": "", "other/index/c.py": ""})
    tree = look_at(root, own=(root / "data" / "index", root / "missing" / "index"))
    assert entries_of(tree) == [b"a.py", b"other/index/c.py"]
    assert skips_of(tree) == {b"data/index": SkipReason.OWN_DATA}


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_unreadable_folder_is_a_problem_not_an_absence(grow: Grow) -> None:
    root = grow({"shut/a.py": "", "b.py": ""})
    (root / "shut").chmod(0)
    try:
        listings = {listing.folder: listing for listing in walk(look_at(root))}
        assert listings[b"shut"].problem
        assert [entry.path for entry in listings[b""].entries] == [b"b.py"]
    finally:
        (root / "shut").chmod(0o755)


def test_missing_root_is_a_problem(tmp_path: Path) -> None:
    (listing,) = walk(look_at(tmp_path / "gone"))
    assert listing.folder == b""
    assert listing.problem


def test_folder_that_vanishes_during_the_walk_is_empty(grow: Grow) -> None:
    root = grow({"a.py": "", "later/b.py": ""})
    listings = walk(look_at(root))
    next(listings)
    (root / "later/b.py").unlink()
    (root / "later").rmdir()
    assert next(listings) == Listing(b"later", (), ())


@pytest.mark.skipif(os.name == "nt", reason="descends by descriptor")
def test_path_beyond_the_limit_is_reported_and_the_walk_goes_on(grow: Grow) -> None:
    root = grow({"z.py": ""})
    place = os.open(root, os.O_RDONLY)
    for _ in range(40):
        os.mkdir("d" * 120, dir_fd=place)
        inner = os.open("d" * 120, os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inner
    os.close(place)
    tree = look_at(root)
    assert b"z.py" in entries_of(tree)
    assert set(skips_of(tree).values()) == {SkipReason.PATH_TOO_LONG}


@pytest.mark.skipif(os.name == "nt", reason="no execute bit")
def test_only_executable_files_without_extension_are_worth_a_look(grow: Grow) -> None:
    root = grow({"manage": "#!/bin/sh\n", "notes": "text"})
    (root / "manage").chmod(0o755)
    (entry,) = next(walk(look_at(root))).entries
    assert (entry.path, entry.shebang) == (b"manage", True)
    assert skips_of(look_at(root)) == {b"notes": SkipReason.NOT_LISTED}


def test_walk_below_gives_the_same_as_the_whole_walk(grow: Grow) -> None:
    root = grow({".gitignore": "/a/b/x.py\n", "a/b/x.py": "", "a/b/y.py": "", "a/b/c/z.py": ""})
    grow({"a/.gitignore": "c\n!c\n", "other/w.py": ""})
    tree = look_at(root)
    whole = [item for item in walk(tree) if item.folder.startswith(b"a/b")]
    assert [(li.folder, [e.path for e in li.entries]) for li in walk(tree, b"a/b")] == [
        (li.folder, [e.path for e in li.entries]) for li in whole
    ]
    listing = list_folder(tree, b"a/b")
    assert listing is not None
    assert [entry.path for entry in listing.entries] == [b"a/b/y.py"]


@pytest.mark.parametrize("path", [b"gone", b"ign", b"ign/x", b"a.py", b"a.py/b"])
def test_walk_below_what_is_not_entered_is_empty(grow: Grow, path: bytes) -> None:
    root = grow({".gitignore": "ign\n", "ign/x/y.py": "", "a.py": ""})
    assert list(walk(look_at(root), path)) == []
    assert list_folder(look_at(root), path) is None


def test_explain_agrees_with_the_walk_on_every_path(grow: Grow) -> None:
    root = grow(
        {".gitignore": "*.tmp\n/gen/\n!keep.tmp\n", "a.py": "", "b.tmp": "", "keep.tmp": ""}
    )
    grow({"gen/c.py": "", "d/e.bin": "", "d/f/g.md": "", "yarn.lock": ""})
    tree = look_at(root)
    for listing in walk(tree):
        for entry in listing.entries:
            finding = explain(tree, entry.path)
            assert finding.entry is not None
            assert finding.entry.path == entry.path
        for skip in listing.skips:
            assert explain(tree, skip.path).skip == skip
    below = explain(tree, b"gen/c.py").skip
    assert below is not None
    assert (below.path, below.is_folder) == (b"gen", True)
    assert explain(tree, b"d").is_folder
    missing = explain(tree, b"d/none.py")
    assert (missing.entry, missing.skip, missing.is_folder) == (None, None, False)


def test_explain_names_the_problem_of_a_folder(grow: Grow, monkeypatch: pytest.MonkeyPatch) -> None:
    root = grow({"shut/a.py": ""})
    tree, honest = look_at(root), os.scandir

    def scandir(path: bytes) -> object:
        if os.fsencode(path).endswith(b"shut/"):
            raise PermissionError(13, "Permission denied")
        return honest(path)

    monkeypatch.setattr(os, "scandir", scandir)
    finding = explain(tree, b"shut")
    assert finding.is_folder
    assert finding.problem is not None
    assert explain(tree, b"").problem is None
