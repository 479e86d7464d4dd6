"""What the nodes of one language mean to the chunker; the tables of languages are made of these."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

MEMBER_KINDS = frozenset(
    {
        *("class", "interface", "struct", "enum", "trait", "impl", "object", "protocol"),
        *("extension", "record", "mixin", "union", "contract", "library", "service", "message"),
    }
)
"""Kinds whose functions are methods."""

HOLDING_KINDS = MEMBER_KINDS | {"module", "namespace", "package"}
"""Kinds that are looked into for definitions, however small they are."""

SCOPE_KINDS = frozenset({"impl", "key", "rule", "table", "block"})
"""Kinds that name a place but define nothing that is asked for by name."""


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """How to read one language's tree; all names are node types unless said otherwise.

    `name` is the bundled grammar, `wheel` the module (and `:function`) of a single-language one.
    `kinds` maps definitions to their kind; their name is a field among `name_fields`, a child of
    `name_types`, below `declarators`, or fixed. `heads` tells definitions by how their text begins
    (group `name`; `words` maps the group `word`, or the node type, to the kind); `import_heads`
    does so for imports; see `compiled`. `bound` maps bindings to their fields of name and value,
    `values` the value to a kind. `wrappers` hold one definition, `opens` may hold several. `leads`
    and what `lead_heads` match belong to what follows, `trails` to what is before. `receiver` is
    the field with the type a method belongs to. `need_body` are kinds that are definitions only
    with a body. `separator` cuts qualified names. `joins_clauses`: neighbours of one name are one
    definition. `crashing` matches texts that the parser must not see: its C code would overflow.
    """

    name: str
    wheel: str
    kinds: Mapping[str, str] = field(default_factory=dict)
    imports: frozenset[str] = frozenset()
    wrappers: frozenset[str] = frozenset()
    opens: frozenset[str] = frozenset()
    leads: frozenset[str] = frozenset()
    trails: frozenset[str] = frozenset()
    heads: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    import_heads: Mapping[str, str] = field(default_factory=dict)
    lead_heads: Mapping[str, str] = field(default_factory=dict)
    bound: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    name_fields: tuple[str, ...] = ("name",)
    name_types: frozenset[str] = frozenset()
    fixed_names: Mapping[str, str] = field(default_factory=dict)
    declarators: frozenset[str] = frozenset()
    receiver: str = ""
    need_body: frozenset[str] = frozenset()
    separator: str | None = None
    free_names: bool = False
    joins_clauses: bool = False
    crashing: str = ""
    telling: frozenset[str] = field(init=False)
    notable: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        """Collect the types that can be definitions, and all types that mean anything."""
        telling = frozenset({*self.kinds, *self.heads, *self.bound})
        notable = telling | self.imports | self.wrappers | self.opens | self.leads | self.trails
        object.__setattr__(self, "telling", telling)
        object.__setattr__(self, "notable", notable.union(self.import_heads, self.lead_heads))


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern of a Grammar when it is first needed: most languages are never met."""
    return re.compile(pattern)


COMMENTS = (
    "comment comments line_comment block_comment multiline_comment doc_comment haddock Comment "
    "documentation_comment single_line_comment js_comment html_comment bracket_comment groovy_doc "
)
"""What comments are called across grammars."""


Notation = str | bool | tuple[str, ...] | Mapping[str, str] | Mapping[str, tuple[str, str]]
"""What the fields of a Grammar are written as."""


def make_grammar(name: str, kinds: str = "", **rest: Notation) -> Grammar:
    """Build a Grammar from short notation.

    `kinds` and other mappings of types are `type=kind ...`; sets are space-separated; the key of a
    pattern may name several types.
    """
    made: dict[str, Any] = {
        "kinds": _pairs(kinds),
        **{key: _names(value) for key, value in _DEFAULTS.items()},
    }
    wheel = str(rest.pop("wheel", f"tree_sitter_{name}"))
    for key, value in rest.items():
        if key in _PATTERNS and isinstance(value, Mapping):
            made[key] = {
                type_: pattern for types, pattern in value.items() for type_ in types.split()
            }
        elif key in _DEFAULTS:
            made[key] = _names(_DEFAULTS[key] + str(value))
        elif key in _SETS:
            made[key] = _names(str(value))
        elif key in _MAPPINGS:
            made[key] = _pairs(str(value))
        else:
            made[key] = value
    return Grammar(name, wheel, **made)


_DEFAULTS = {"leads": COMMENTS, "opens": "ERROR "}
_PATTERNS = frozenset({"heads", "import_heads", "lead_heads"})
_SETS = frozenset(
    {"imports", "wrappers", "opens", "trails", "name_types", "declarators", "need_body"}
)
_MAPPINGS = frozenset({"words", "values", "fixed_names"})


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split("=") for pair in text.split())
