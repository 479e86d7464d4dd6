"""Which grammar reads a language? By any of its usual names; loads nothing."""

from __future__ import annotations

from scrubjay.chunk.declarative import DECLARATIVE
from scrubjay.chunk.grammar import Grammar
from scrubjay.chunk.imperative import IMPERATIVE

GRAMMARS: dict[str, Grammar] = {grammar.name: grammar for grammar in (*IMPERATIVE, *DECLARATIVE)}
"""All grammars in use, by the bundle's name."""

ALIASES: dict[str, str] = {
    "py": "python",
    "pyi": "python",
    "bazel": "starlark",
    "js": "javascript",
    "jsx": "javascript",
    "javascriptreact": "javascript",
    "ts": "typescript",
    "typescriptreact": "tsx",
    "c++": "cpp",
    "cuda": "cpp",
    "c_sharp": "csharp",
    "c#": "csharp",
    "cs": "csharp",
    "objective-c": "objc",
    "objectivec": "objc",
    "objective-c++": "objc",
    "golang": "go",
    "rb": "ruby",
    "kt": "kotlin",
    "shell": "bash",
    "sh": "bash",
    "zsh": "bash",
    "shellscript": "bash",
    "terraform": "hcl",
    "less": "scss",
    "sass": "",
    "protobuf": "proto",
    "protocol buffers": "proto",
    "makefile": "make",
    "docker": "dockerfile",
    "viml": "vim",
    "vimscript": "vim",
    "ps1": "powershell",
    "gradle": "groovy",
    "yml": "yaml",
    "svg": "xml",
    "bat": "batch",
    "fortran90": "fortran",
    "elisp": "scheme",
    "emacs-lisp": "scheme",
    "commonlisp": "scheme",
    "lisp": "scheme",
    "cython": "python",
    "arduino": "cpp",
    "opencl": "c",
    "metal": "cpp",
    "hlsl": "cpp",
    "glsl": "c",
    "editorconfig": "ini",
    "justfile": "just",
}
"""Other names of languages; an empty one means that no grammar fits."""


def grammar_for(language: str | None) -> Grammar | None:
    """Look up the grammar of a language by any of its usual names."""
    if language is None:
        return None
    name = language.lower()
    return GRAMMARS.get(ALIASES.get(name, name))
