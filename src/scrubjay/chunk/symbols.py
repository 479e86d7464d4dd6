"""What does a syntax node define, and is it an import? Looks at one node; the walk is elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrubjay.chunk.grammar import Grammar, compiled
from scrubjay.chunk.offsets import Positions

if TYPE_CHECKING:
    from scrubjay.chunk.syntax import Node

MAX_NAME_CHARS = 200
"""Longer names are not names: the grammar has lost its way."""

_MAX_WRAPPERS = 8
_MAX_DECLARATORS = 16
_MAX_IMPORT_CHARS = 400
_HEAD_CHARS = 600
_NO_OWNERS = frozenset({"exports", "module", "prototype", "this", "self", "window", "global"})
_NO_NAME = re.compile(r"[\n(){};=]")
_RECEIVER = re.compile(r"(\w+)\s*(?:\[[^\]]*\])?\s*\)$")


class Source:
    """The text under a tree: where nodes lie in it, in code points."""

    __slots__ = ("_from_unit", "_is_plain", "_shift", "text")

    def __init__(self, positions: Positions, shift: int) -> None:
        self.text = positions.text
        self._from_unit = positions.from_unit
        self._is_plain = positions.is_plain
        self._shift = shift

    def start(self, node: Node) -> int:
        """Give the code point a node begins at."""
        unit = node.start_byte >> self._shift
        return unit if self._is_plain else self._from_unit(unit)

    def end(self, node: Node) -> int:
        """Give the code point after a node."""
        unit = node.end_byte >> self._shift
        return unit if self._is_plain else self._from_unit(unit)

    def slice(self, node: Node) -> str:
        """Give a node's text, as much of it as can be a name or a receiver."""
        start = self.start(node)
        return self.text[start : min(self.end(node), start + _HEAD_CHARS)]


@dataclass(frozen=True, slots=True)
class Found:
    """A definition: its names, qualifiers first, its kind, and the node that holds its members."""

    names: tuple[str, ...]
    kind: str
    node: Node


def find_definition(node: Node, grammar: Grammar, source: Source) -> Found | None:
    """Name what a node defines, looking through wrappers such as decorators and `export`."""
    for inner in _unwrapped(node, grammar):
        type_ = inner.type
        found = None
        if type_ in grammar.heads:
            found = _from_head(inner, grammar.heads[type_], grammar, source)
        if found is None and type_ in grammar.bound:
            found = _from_value(inner, grammar, source)
        if found is None and type_ in grammar.kinds:
            found = _from_node(inner, grammar.kinds[type_], grammar, source)
        if found is not None:
            return found
    return None


def is_import(node: Node, grammar: Grammar, text: str, span: tuple[int, int]) -> bool:
    """Say whether a node imports something."""
    type_ = node.type
    if type_ in grammar.imports:
        return True
    pattern = grammar.import_heads.get(type_)
    if pattern is None or span[1] - span[0] > _MAX_IMPORT_CHARS:
        return False
    return compiled(pattern).match(text, *span) is not None


def _unwrapped(node: Node, grammar: Grammar) -> Iterator[Node]:
    """Give a node, and while it wraps one thing, what it wraps; several are opened by the walk."""
    for _ in range(_MAX_WRAPPERS):
        type_ = node.type
        if type_ in grammar.telling:
            yield node
        if type_ not in grammar.wrappers:
            return
        inner = [
            child
            for child in node.named_children
            if child.type in grammar.telling or child.type in grammar.wrappers
        ]
        if len(inner) != 1:
            return
        node = inner[0]


def _from_head(node: Node, head: str, grammar: Grammar, source: Source) -> Found | None:
    start = source.start(node)
    match = compiled(head).match(source.text, start, min(source.end(node), start + _HEAD_CHARS))
    if match is None:
        return None
    groups = match.groupdict()
    word = (groups.get("word") or "").lower()
    kind = grammar.words.get(word) or grammar.words.get(node.type) or "function"
    names = _split(groups["name"], grammar)
    return Found(names, kind, node) if names else None


def _from_value(node: Node, grammar: Grammar, source: Source) -> Found | None:
    """Name a function or class after what it is bound to: a variable, a property, a key."""
    name_field, value_field = grammar.bound[node.type]
    value = node.child_by_field_name(value_field)
    named = node.child_by_field_name(name_field)
    if value is None or named is None:
        return None
    kind = grammar.values.get(value.type)
    if kind is None:
        return None
    names = _split(source.slice(named), grammar)
    return Found(names, kind, value) if names else None


def _from_node(node: Node, kind: str, grammar: Grammar, source: Source) -> Found | None:
    if kind in grammar.need_body and node.child_by_field_name("body") is None:
        return None
    fixed = grammar.fixed_names.get(node.type)
    if fixed is not None:
        return Found((fixed,), kind, node)
    named = _name_node(node, grammar)
    names = _split(source.slice(named), grammar) if named is not None else ()
    if not names:
        return None
    if grammar.receiver and (receiver := node.child_by_field_name(grammar.receiver)) is not None:
        owner = _RECEIVER.search(source.slice(receiver))
        names = (owner.group(1), *names) if owner else names
    return Found(names, kind, node)


def _name_node(node: Node, grammar: Grammar) -> Node | None:
    for field in grammar.name_fields:
        named = node.child_by_field_name(field)
        if named is not None:
            return _innermost(named, grammar)
    for child in node.named_children:
        if child.type in grammar.name_types:
            return child
    return None


def _innermost(node: Node, grammar: Grammar) -> Node:
    """Follow declarators (`*name(arguments)[3]`) down to the name."""
    for _ in range(_MAX_DECLARATORS):
        inner = node.child_by_field_name("declarator")
        if inner is None and node.type in grammar.declarators:
            inner = node.named_children[-1] if node.named_children else None
        if inner is None:
            return node
        node = inner
    return node


def _split(name: str, grammar: Grammar) -> tuple[str, ...]:
    """Cut a qualified name where the language qualifies definitions; () for what is no name."""
    name = " ".join(name.replace('" "', ".").strip("\"'`").split())
    if not name or len(name) > MAX_NAME_CHARS:
        return ()
    if _NO_NAME.search(name) and not name.startswith("operator") and not grammar.free_names:
        return ()
    if grammar.separator is None:
        return (name,)
    parts = [part for part in re.split(grammar.separator, name) if part]
    owners = [part for part in parts[:-1] if part not in _NO_OWNERS]
    return (*owners, *parts[-1:])
