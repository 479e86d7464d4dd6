"""Comments before definitions in languages with braces: JavaScript, Java, Go, Rust, C, PHP, ..."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pairs import Pair, Source, length_in_words, question_of, window_of

LANGUAGES = {
    ".js": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".jsx": "javascript",
    ".ts": "typescript",
    ".tsx": "typescript",
    ".mts": "typescript",
    ".java": "java",
    ".go": "go",
    ".rs": "rust",
    ".c": "c",
    ".h": "c",
    ".cc": "c++",
    ".cpp": "c++",
    ".hpp": "c++",
    ".cs": "c#",
    ".php": "php",
}

_BLOCK = re.compile(
    r"(?:^|\n)[ \t]*/\*\*?(?P<block>(?:[^*]|\*(?!/)){10,2000})\*/[ \t]*\n"
    r"|(?P<lines>(?:(?:^|\n)[ \t]*//[/!]? ?[^\n]*){1,20})\n"
)
_GUTTER = re.compile(r"(?m)^[ \t]*(?:\*|//[/!]?)[ \t]?")
_LONGEST_DEFINITION = 3_000
_COMMENT_LINES = 12


def brace_pairs(source: Source, suffix: str) -> Iterator[Pair]:
    """Yield comment to the definition or statements below it."""
    language, text = LANGUAGES[suffix], source.text
    for match in _BLOCK.finditer(text):
        question = question_of(_GUTTER.sub("", match["block"] or match["lines"]))
        if question is None:
            continue
        code = _below(text, match.end())
        is_definition = _is_definition(code)
        if not is_definition and (match["block"] or length_in_words(question) < 5):
            continue
        if not is_definition:
            code = "\n".join(code.split("\n")[:_COMMENT_LINES])
        if code.count("\n") >= 2 and (window := window_of(source, code)):
            kind = "function" if is_definition else "comment"
            yield Pair(question, window, source.package, f"{language} {kind}")


_DEFINITION = re.compile(
    r"[ \t]*(?:@\w[^\n]*\n[ \t]*|#\[[^\n]*\n[ \t]*)*"
    r"(?:export |default |declare |public |private |protected |static |async |abstract |final |"
    r"pub(?:\([^)]*\))? |"
    r"unsafe |inline |extern |override |readonly |get |set |virtual |internal |sealed |const )*"
    r"(?:function\b|class\b|interface\b|enum\b|type\b|struct\b|trait\b|impl\b|fn\b|func\b|"
    r"namespace\b|module\b|macro_rules\b"
    r"|(?:const|let|var)\s+\w+\s*[=:]"
    r"|[\w.$\[\]'\"]+\s*=\s*(?:async\s*)?(?:function|\(|class)"
    r"|[\w.$]+\s*:\s*(?:async\s*)?function"
    r"|[#\w$*&<>,:\[\]? \t]*[\w$~]\s*(?:<[^>\n]*>)?\([^;{}]*\)[^;{}=]*\{)"
)
_STATEMENT = re.compile(r"[ \t]*(?:if|for|while|switch|return|else|try|catch|do)\b")


def _is_definition(code: str) -> bool:
    return bool(_DEFINITION.match(code)) and not _STATEMENT.match(code)


def _below(text: str, start: int) -> str:
    """Take what follows: to the closing brace of the first block, or to a blank line before it."""
    depth, opened = 0, False
    end = min(len(text), start + _LONGEST_DEFINITION)
    for match in _MARK.finditer(text, start, end):
        mark = match[0]
        if mark == "{":
            depth, opened = depth + 1, True
        elif mark == "}":
            depth -= 1
            if depth < 0:
                return text[start : match.start()]
            if depth == 0 and opened:
                return text[start : match.end()]
        elif not opened and mark[0] == "\n":
            return text[start : match.start()]
    return text[start:end]


_MARK = re.compile(r"[{}]|\n[ \t]*\n|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|//[^\n]*|/\*.*?\*/")
