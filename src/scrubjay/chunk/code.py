"""Syntax tree to outline: where code may be cut, what it defines, what it imports.

The walk goes only into nodes that are too big for a chunk or may hold definitions, with an explicit
stack, because trees of real files are deeper than Python's recursion limit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scrubjay.chunk.grammar import HOLDING_KINDS, MEMBER_KINDS, SCOPE_KINDS, Grammar, compiled
from scrubjay.chunk.offsets import Positions
from scrubjay.chunk.outline import Outline, Unit
from scrubjay.chunk.symbols import Found, Source, find_definition, is_import

if TYPE_CHECKING:
    from scrubjay.chunk.syntax import Node, Syntax

MAX_DEPTH = 200
"""Deeper code is cut at lines: no one nests statements like that, only expressions get there."""

_MAX_INDENT = 200


@dataclass(slots=True)
class _Place:
    """A node to be opened, its depth, the unit around it, and whether it is too big for a chunk."""

    node: Node
    depth: int
    unit: int
    is_big: bool


@dataclass(slots=True)
class _Lead:
    """Comments and attributes that wait for what they describe; -1 means none."""

    start: int = -1
    end: int = -1


def outline_code(syntax: Syntax, positions: Positions, grammar: Grammar, max_chars: int) -> Outline:
    """Find borders, definitions and import runs of a parsed text."""
    walk = _Walk(syntax, positions, grammar, max_chars)
    stack = [_Place(syntax.root, 0, -1, is_big=True)]
    while stack:
        stack.extend(walk.open(stack.pop()))
    return walk.finish()


class _Walk:
    """One pass over a tree; collects the outline."""

    def __init__(
        self, syntax: Syntax, positions: Positions, grammar: Grammar, max_chars: int
    ) -> None:
        self._text = positions.text
        self._source = Source(positions, syntax.shift)
        self._grammar = grammar
        self._max_chars = max_chars
        self._outline = Outline(default_kind="code")
        self._imports: list[tuple[int, int]] = []

    def open(self, place: _Place) -> list[_Place]:
        """Note borders, units and imports among a node's children; return those to open in turn."""
        source, notable = self._source, self._grammar.notable
        lead = _Lead()
        inner: list[_Place] = []
        previous_end = -1
        for child in place.node.named_children:
            start, end = source.start(child), source.end(child)
            if lead.start < 0 and child.type not in notable and end - start <= self._max_chars:
                if place.is_big and self._follows_line_break(previous_end, start):
                    self._add_break(place, start)
                previous_end = end
                continue
            if self._leads(child, start) and self._follows_line_break(previous_end, start):
                if lead.start < 0 or not self._is_close(lead.end, start):
                    lead.start = start
                    self._add_break(place, start)
                lead.end = previous_end = end
                if end - start > self._max_chars and place.is_big:
                    inner.append(_Place(child, place.depth + 1, place.unit, is_big=True))
                continue
            led = lead.start if lead.start >= 0 and self._is_close(lead.end, start) else start
            lead.start = -1
            previous_end = end
            opened = self._meet(place, child, led, end)
            if opened is not None:
                inner.append(opened)
        inner.reverse()
        return inner

    def finish(self) -> Outline:
        """Put what was found in order, joining imports that only white space separates."""
        outline = self._outline
        for start, end in sorted(self._imports):
            if outline.imports and not self._text[outline.imports[-1][1] : start].strip(" \t\r\n;"):
                outline.imports[-1] = (outline.imports[-1][0], end)
            else:
                outline.imports.append((start, end))
        return outline

    def _meet(self, place: _Place, child: Node, start: int, end: int) -> _Place | None:
        """Note one child, its leading comments included; return it when it is to be opened."""
        grammar = self._grammar
        is_big = place.is_big and end - start > self._max_chars
        if child.type in grammar.trails and self._outline.units:
            unit = self._extend_last(end)
            return _Place(child, place.depth + 1, unit, is_big) if is_big else None
        self._add_break(place, start)
        if is_import(child, grammar, self._text, (start, end)):
            self._imports.append((self._line_start(start), self._trimmed(start, end)))
            return None
        found = find_definition(child, grammar, self._source)
        if found is not None and (found.kind != "constant" or self._holds(place.unit)):
            unit = self._add_unit(place, found, start, end)
            opens = is_big or found.kind in HOLDING_KINDS
            node = found.node
        else:
            unit, node = place.unit, child
            opens = is_big or (child.type in grammar.opens and self._holds(unit))
        return (
            _Place(node, place.depth + 1, unit, is_big)
            if opens and place.depth < MAX_DEPTH
            else None
        )

    def _holds(self, unit: int) -> bool:
        return unit < 0 or self._outline.units[unit].kind in HOLDING_KINDS

    def _add_unit(self, place: _Place, found: Found, start: int, end: int) -> int:
        units = self._outline.units
        kind = found.kind
        parent = units[place.unit].kind if place.unit >= 0 else ""
        if kind == "function" and (parent in MEMBER_KINDS or len(found.names) > 1):
            kind = "method"
        elif kind == "method" and not parent and len(found.names) == 1:
            kind = "function"
        first, last = self._line_start(start), self._trimmed(start, end)
        if self._grammar.joins_clauses and units:
            before = units[-1]
            if (
                before.names == found.names
                and before.kind == kind
                and not self._text[before.end : first].strip()
            ):
                units[-1] = Unit(before.start, last, before.names, kind, before.parent)
                if first in self._outline.breaks:
                    self._outline.breaks[first] += 1
                return len(units) - 1
        units.append(Unit(first, last, found.names, kind, place.unit, kind not in SCOPE_KINDS))
        return len(units) - 1

    def _add_break(self, place: _Place, start: int) -> None:
        if not place.is_big:
            return
        line = self._line_start(start)
        if line < start or start == 0 or self._text[start - 1] == "\n":
            self._outline.add_break(line, place.depth)

    def _line_start(self, start: int) -> int:
        """Give the start of the line if only its indent comes before `start`, else `start`."""
        text = self._text
        line = text.rfind("\n", max(0, start - _MAX_INDENT), start) + 1
        if line == 0 and start > _MAX_INDENT:
            return start
        return line if line == start or text[line:start].isspace() else start

    def _trimmed(self, start: int, end: int) -> int:
        return start + len(self._text[start:end].rstrip())

    def _follows_line_break(self, end: int, start: int) -> bool:
        return end < 0 or self._text.find("\n", max(end - 1, 0), start) >= 0

    def _is_close(self, end: int, start: int) -> bool:
        """Say whether no blank line lies between; a node may include the line break at its end."""
        return self._text.count("\n", max(end - 1, 0), start) <= 1

    def _leads(self, node: Node, start: int) -> bool:
        """Say whether a node belongs to what follows: a comment, an attribute."""
        type_ = node.type
        if type_ in self._grammar.leads:
            return True
        head = self._grammar.lead_heads.get(type_)
        return head is not None and compiled(head).match(self._text, start) is not None

    def _extend_last(self, end: int) -> int:
        """Let the last unit reach to `end`: its body is a sibling in the tree."""
        units = self._outline.units
        units[-1] = replace(units[-1], end=end)
        return len(units) - 1
