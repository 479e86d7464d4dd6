"""Which folders hold dependencies, caches and build output, whatever a repository says? Data only.

A name alone decides only where no one gives it to sources; `build`, `target`, `vendor` and the like
need a witness beside or inside them. A `!` rule of the repository brings back what it names.
"""

from __future__ import annotations

from dataclasses import dataclass

BUILTIN_SOURCE = "built-in"

BUILTIN_RULES = b"""\
node_modules/
bower_components/
jspm_packages/
site-packages/
dist-packages/
__pypackages__/
.pnpm-store/
.yarn/
.pnp.*
elm-stuff/
.venv/
.direnv/
.devenv/
.pixi/
__pycache__/
.mypy_cache/
.pytest_cache/
.ruff_cache/
.hypothesis/
.tox/
.nox/
.eggs/
*.egg-info/
*.dist-info/
.ipynb_checkpoints/
htmlcov/
.nyc_output/
lcov-report/
.cache/
.parcel-cache/
.sass-cache/
.turbo/
.next/
.nuxt/
.svelte-kit/
.angular/
.astro/
.docusaurus/
.expo/
.vercel/
.netlify/
.wrangler/
.serverless/
.aws-sam/
cdk.out/
.terraform/
.terragrunt-cache/
.gradle/
.m2/
.ivy2/
.bloop/
.metals/
.bsp/
.stack-work/
dist-newstyle/
.cabal-sandbox/
.dart_tool/
.pub-cache/
.bundle/
.cargo-cache/
nimcache/
.zig-cache/
zig-cache/
zig-out/
CMakeFiles/
cmake-build-*/
.deps/
.libs/
.ccls-cache/
.clangd/
DerivedData/
xcuserdata/
.idea/
.vs/
.history/
.hg/
.svn/
.bzr/
.jj/
.pijul/
_darcs/
CVS/
.DS_Store
Thumbs.db
desktop.ini
*~
*.swp
.#*
"""


@dataclass(frozen=True, slots=True)
class Witness:
    """A folder of this name is output if one of `beside` is next to it or one of `inside` in it."""

    folder: bytes
    beside: tuple[bytes, ...] = ()
    inside: tuple[bytes, ...] = ()


WITNESSES = {
    witness.folder: witness
    for witness in (
        Witness(b"target", beside=(b"Cargo.toml", b"pom.xml", b"build.sbt", b"project.clj")),
        Witness(
            b"build",
            beside=(b"build.gradle", b"build.gradle.kts", b"pubspec.yaml"),
            inside=(b"lib/__init__.py", b"CMakeCache.txt", b".ninja_log", b"bdist.linux-x86_64"),
        ),
        Witness(b"out", inside=(b"CMakeCache.txt", b".ninja_log")),
        Witness(b"dist", beside=(b"package.json",)),
        Witness(b"obj", inside=(b"project.assets.json",)),
        Witness(b"_build", beside=(b"mix.exs", b"dune-project", b"rebar.config")),
        Witness(b"deps", beside=(b"mix.exs",)),
        Witness(b".build", beside=(b"Package.swift",)),
        Witness(b"Pods", beside=(b"Podfile",)),
        Witness(b"vendor", inside=(b"composer/installed.json", b"bundle")),
        Witness(b"coverage", inside=(b"lcov.info", b"lcov-report", b"coverage-final.json")),
    )
}
"""Folders that are output only in the company of what makes them."""

CACHE_TAG = b"CACHEDIR.TAG"
"""A folder holding this file is a cache (https://bford.info/cachedir/)."""

ENVIRONMENT_TAG = b"pyvenv.cfg"
"""A folder holding this file is a Python virtual environment."""
