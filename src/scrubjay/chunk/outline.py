"""What a reader of a document has found: units, places to cut, imports; all in code points."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Unit:
    """A named stretch of a document: a definition, a section, a key.

    `names` are its own, qualifiers first (`Foo::bar` has two); `parent` is the index of the unit
    around it, or -1. Only a unit that `is_definition` is listed among a document's definitions.
    """

    start: int
    end: int
    names: tuple[str, ...]
    kind: str
    parent: int
    is_definition: bool = True


@dataclass(slots=True)
class Outline:
    """Where a document may be cut.

    `breaks` maps places to depths: the smaller the depth, the better the border. `imports` are
    (start, end) of contiguous import statements, in order.
    """

    units: list[Unit] = field(default_factory=list)
    breaks: dict[int, int] = field(default_factory=dict)
    imports: list[tuple[int, int]] = field(default_factory=list)
    default_kind: str = "text"

    def add_break(self, place: int, depth: int) -> None:
        """Allow a cut at `place`; the best depth said of a place counts."""
        known = self.breaks.get(place)
        if known is None or depth < known:
            self.breaks[place] = depth

    def full_names(self, index: int) -> tuple[str, ...]:
        """List the names around and of a unit, outermost first."""
        names: tuple[str, ...] = ()
        while index >= 0:
            unit = self.units[index]
            names = unit.names + names
            index = unit.parent
        return names
