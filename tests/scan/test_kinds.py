from __future__ import annotations

import pytest

from scrubjay.scan import kind_tables
from scrubjay.scan.kinds import Kinds, language_of_shebang
from scrubjay.types import Kind, SkipReason

LISTED_IN_ANY_CASE = (
    "js mjs cjs jsx ts mts cts tsx vue svelte astro html htm css scss sass less styl c h cc cpp "
    "cxx hh hpp hxx m mm rs go zig d nim swift cu cuh java kt kts scala groovy gradle cs fs fsx "
    "vb py pyi rb php pl pm lua r jl sh bash zsh fish ps1 psm1 bat cmd tcl awk ex exs erl hrl "
    "hs lhs ml mli clj cljs cljc edn elm dart sol v sv vhd vhdl wat json jsonc json5 jsonl yaml "
    "yml toml ini cfg conf properties xml xaml plist csv tsv graphql gql proto thrift avsc tf "
    "tfvars hcl nix cmake mk ninja bazel bzl sql prisma md mdx markdown rst adoc txt text org "
    "tex bib diff patch editorconfig gitattributes dockerignore npmrc nvmrc prettierrc eslintrc "
    "babelrc ipynb erb ejs hbs pug liquid f90 pas asm s lisp rkt el vim cshtml razor po pot log"
)
NAMES_IN_ANY_CASE = (
    "Makefile GNUmakefile Dockerfile Containerfile Vagrantfile Rakefile Gemfile Podfile "
    "Brewfile Procfile Justfile CMakeLists.txt BUILD WORKSPACE README LICENSE LICENCE CHANGELOG "
    "AUTHORS CONTRIBUTING CODEOWNERS Jenkinsfile .gitignore .gitattributes .editorconfig "
    ".dockerignore .npmrc .nvmrc .prettierrc .eslintrc .babelrc go.mod Pipfile .bashrc COPYING "
    "configure"
)


def reason_for(name: str) -> SkipReason | None:
    return Kinds().judge(name.encode()).reason


def language_for(name: str) -> str | None:
    verdict = Kinds().judge(name.encode())
    assert verdict.reason is None
    assert not verdict.shebang
    return verdict.language


def test_extensions_are_listed_in_any_case() -> None:
    for extension in LISTED_IN_ANY_CASE.split():
        assert language_for(f"x.{extension}") == language_for(f"X.{extension.upper()}")


def test_names_are_listed_in_any_case() -> None:
    for name in NAMES_IN_ANY_CASE.split():
        assert language_for(name) == language_for(name.lower()) == language_for(name.upper())


def test_tables_hold_no_word_twice() -> None:
    for table in (kind_tables.EXTENSIONS, kind_tables.NAMES, kind_tables.SHEBANG_LANGUAGES):
        words = [word for listed in table.values() for word in listed.split()]
        assert len(words) == len(set(words))
        assert words == [word.lower() for word in words]
        assert all(table.values())


def test_list_has_over_two_hundred_extensions() -> None:
    assert sum(len(listed.split()) for listed in kind_tables.EXTENSIONS.values()) > 400


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("a.py", "python"),
        ("a.ts", "typescript"),
        ("a.tsx", "tsx"),
        ("a.cs", "csharp"),
        ("Dockerfile", "dockerfile"),
        ("Dockerfile.dev", "dockerfile"),
        ("api.dockerfile", "dockerfile"),
        ("Makefile.am", "make"),
        ("CMakeLists.txt", "cmake"),
        ("nb.ipynb", "jupyter"),
        (".prettierrc", "json"),
        (".md", "markdown"),
        (".bashrc", "bash"),
        (".gitignore", "gitignore"),
        ("config.yaml.example", "yaml"),
        ("README.md.bak", "markdown"),
        ("README.bak", "text"),
        ("Dockerfile.template", "dockerfile"),
        ("a.ts.bak.orig", "typescript"),
        ("index.html.dist", "html"),
        ("config.h.in", "c"),
        (".env.example", "dotenv"),
        (".env.local.sample", "dotenv"),
    ],
)
def test_name_gives_language(name: str, language: str) -> None:
    assert language_for(name) == language


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (".env", SkipReason.NOT_LISTED),
        (".ENV", SkipReason.NOT_LISTED),
        (".env.local", SkipReason.NOT_LISTED),
        (".env.bak", SkipReason.NOT_LISTED),
        ("secrets.env", SkipReason.NOT_LISTED),
        ("a.woff2", SkipReason.NOT_LISTED),
        ("a.JPG", SkipReason.NOT_LISTED),
        ("a.svg", SkipReason.NOT_LISTED),
        ("a.svg.bak", SkipReason.NOT_LISTED),
        ("a.tar.gz", SkipReason.NOT_LISTED),
        ("a.sqlite", SkipReason.NOT_LISTED),
        ("Dockerfile.gz", SkipReason.NOT_LISTED),
        ("tool.bak", SkipReason.NOT_LISTED),
        (".bak", SkipReason.NOT_LISTED),
        ("a.", SkipReason.NOT_LISTED),
        ("a.min.js", SkipReason.GENERATED),
        ("a.MIN.css", SkipReason.GENERATED),
        ("a.js.map", SkipReason.GENERATED),
        ("a.snap", SkipReason.GENERATED),
        ("a.min.js.bak", SkipReason.GENERATED),
        ("package-lock.json", SkipReason.LOCKFILE),
        ("package-lock.json.bak", SkipReason.LOCKFILE),
        ("yarn.lock", SkipReason.LOCKFILE),
        ("Cargo.lock", SkipReason.LOCKFILE),
        ("go.sum", SkipReason.LOCKFILE),
        ("poetry.lock", SkipReason.LOCKFILE),
        ("pnpm-lock.yaml", SkipReason.LOCKFILE),
        ("new-tool.lock", SkipReason.LOCKFILE),
    ],
)
def test_name_gives_reason_to_leave_out(name: str, reason: SkipReason) -> None:
    assert reason_for(name) is reason
    assert Kinds().judge(name.encode()).kind is Kind.IGNORED


def test_extensionless_name_asks_for_a_shebang() -> None:
    verdict = Kinds().judge(b"manage")
    assert verdict.shebang
    assert verdict.reason is None


def test_extra_extensions_are_admitted() -> None:
    kinds = Kinds(("xyz", ".abc=Python", "*.svg=xml", "yml=ansible"))
    assert kinds.judge(b"a.XYZ").language == "text"
    assert kinds.judge(b"a.abc").language == "python"
    assert kinds.judge(b"a.svg").language == "xml"
    assert kinds.judge(b"a.yml").language == "ansible"
    assert kinds.judge(b"a.xyz.bak").language == "text"
    assert kinds.judge(b"a.zyx").reason is SkipReason.NOT_LISTED


@pytest.mark.parametrize(
    ("line", "language"),
    [
        (b"#!/usr/bin/python3.11 -u\n", "python"),
        (b"#!/usr/bin/env python\r\nx = 1", "python"),
        (b"#! /usr/bin/env -S -i A=b node --flag", "javascript"),
        (b"\xef\xbb\xbf#!/bin/sh", "bash"),
        (b"#!/opt/own/interpreter", "text"),
        (b"#!/usr/bin/env", "text"),
        (b"#!", None),
        (b"# not one", None),
        (b"\x7fELF\x02", None),
        (b"", None),
    ],
)
def test_shebang_gives_language(line: bytes, language: str | None) -> None:
    assert language_of_shebang(line) == language
