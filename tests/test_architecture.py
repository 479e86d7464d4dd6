"""The shape of the source: layers, owners of foreign packages, sizes, names and docstrings.

Every rule reads the source with `ast`; nothing is imported. Exceptions stand in tables at the top,
and an entry that is no longer needed fails, so the tables can only shrink.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from scrubjay.cli.doctor import PACKAGES

SOURCE = Path(__file__).parents[1] / "src" / "scrubjay"

LAYERS = {
    **dict.fromkeys(
        ("types", "ports", "errors", "settings", "sections", "events", "metrics", "words"), 0
    ),
    **dict.fromkeys(("scan", "extract", "chunk", "models", "store"), 1),
    **dict.fromkeys(("index", "search"), 2),
    **dict.fromkeys(("answer", "freshness", "measure", "places", "status", "why"), 3),
    "app": 4,
    **dict.fromkeys(("cli", "serve"), 5),
    "__main__": 6,
}

OWNERS = {
    "apsw": ("store/catalog.py",),
    "chardet": ("extract/text.py",),
    "click": ("cli/",),
    "httpx": ("models/http.py",),
    "lance": ("store/vectors.py",),
    "msgspec": ("index/",),
    "numpy": ("index/worker.py", "models/", "store/"),
    "onnxruntime": ("models/onnx.py",),
    "platformdirs": ("settings.py",),
    "pyarrow": ("store/vectors.py",),
    "rich": ("cli/",),
    "semble_grammars": ("chunk/syntax.py",),
    "tokenizers": ("models/onnx.py",),
    "tree_sitter": ("chunk/syntax.py",),
}
"""Who imports which foreign package; a folder ends in `/`."""

HEAVY = frozenset(OWNERS) - {"apsw", "click", "msgspec", "platformdirs"}
"""Imported inside functions only: each costs more than a command such as `status` may."""

ENVIRONMENT_READERS = {"settings.py", "chunk/syntax.py"}
"""Settings read the environment; the parser's owner sets a variable that only its package reads."""
PRINTERS = ("cli/", "serve/", "index/child.py")
"""Interfaces print; a worker process answers its parent on a pipe that is its standard output."""

MAX_MODULE_LINES = 400
MAX_FUNCTION_LINES = 40
LONG_MODULES: dict[str, int] = {}
"""Modules that are longer, with today's length."""
LONG_FUNCTIONS = {"store/invariants.py:_check_space": 43}
"""Functions (`module.py:name`) whose body is longer, with today's length."""
ANY_ALLOWED = {
    "cli/group.py:CommandGroup.invoke",
    "cli/group.py:CommandGroup.main",
    "cli/options.py:EnvironmentFlag.value_from_envvar",
    "cli/search.py:context_command",
    "cli/search.py:search_command",
    "store/catalog.py:Catalog.noted",
    "store/catalog.py:Catalog.one",
}
"""Public functions (`module.py:name`) whose signature may say `Any`."""

FORBIDDEN_WORDS = frozenset({"manager", "helper", "helpers", "util", "utils", "service", "base"})


@dataclass(frozen=True, slots=True)
class Import:
    """One imported name: `module` in full, `line`, and where the statement stands."""

    module: str
    line: int
    is_lazy: bool
    is_for_types: bool


def module_paths() -> list[str]:
    return sorted(p.relative_to(SOURCE).as_posix() for p in SOURCE.rglob("*.py"))


@cache
def tree_of(path: str) -> ast.Module:
    return ast.parse((SOURCE / path).read_text("utf-8"), path)


def imports_of(path: str) -> Iterator[Import]:
    yield from _imports(tree_of(path).body, is_lazy=False, is_for_types=False)


def _imports(nodes: list[ast.stmt], *, is_lazy: bool, is_for_types: bool) -> Iterator[Import]:
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, node.lineno, is_lazy, is_for_types)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"relative import at line {node.lineno}"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            whole = [node.module] if node.module != "scrubjay" else names
            for name in whole:
                yield Import(str(name), node.lineno, is_lazy, is_for_types)
        lazy = is_lazy or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        types = is_for_types or (
            isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        )
        for body in _bodies(node):
            yield from _imports(body, is_lazy=lazy, is_for_types=types)


def _bodies(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for field in ("body", "orelse", "finalbody"):
        if isinstance(inner := getattr(node, field, None), list):
            yield inner
    for handler in [*getattr(node, "handlers", ()), *getattr(node, "cases", ())]:
        yield handler.body


def functions_of(path: str) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Name every function, methods as `Class.method`, functions inside functions included."""
    todo: list[tuple[str, ast.AST]] = [("", tree_of(path))]
    while todo:
        prefix, node = todo.pop()
        for child in ast.iter_child_nodes(node):
            name = prefix
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                name = f"{prefix}.{child.name}".lstrip(".")
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield name, child
            todo.append((name, child))


def public_functions_of(path: str) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Name the functions and methods that other modules may call."""
    local = {
        inner for _, outer in functions_of(path) for inner in ast.walk(outer) if inner is not outer
    }
    for name, node in functions_of(path):
        if node not in local and not any(part.startswith("_") for part in name.split(".")):
            yield name, node


def place_of(module: str) -> str:
    """Name the layer entry of one of our modules: its first part below the package."""
    return module.split(".")[1] if "." in module else ""


def folder_of(path: str) -> str:
    return path.split("/")[0].removesuffix(".py")


def is_among(path: str, places: tuple[str, ...] | set[str]) -> bool:
    return any(
        path == place or (place.endswith("/") and path.startswith(place)) for place in places
    )


def check_table(found: dict[str, int], allowed: dict[str, int], what: str) -> None:
    """Compare a ratchet with the source: nothing new, nothing grown, nothing left over."""
    grown = {name: size for name, size in found.items() if size > allowed.get(name, 0)}
    assert not grown, f"{what} too long: {grown}"
    shrunk = {name: found.get(name, 0) for name in allowed if found.get(name, 0) < allowed[name]}
    assert not shrunk, f"{what} became shorter, write the new length down: {shrunk}"


@pytest.fixture(params=module_paths())
def path(request: pytest.FixtureRequest) -> str:
    return request.param


def test_module_has_a_layer(path):
    assert path == "__init__.py" or folder_of(path) in LAYERS


def test_imports_point_downwards(path):
    own = folder_of(path)
    for item in imports_of(path):
        if item.module.split(".")[0] != "scrubjay" or place_of(item.module) in ("", "__version__"):
            continue
        if path == "ports.py" and item.is_for_types:
            continue
        target = place_of(item.module)
        assert target in LAYERS, f"{path}:{item.line} imports unknown {item.module}"
        is_own = target == own or LAYERS[target] == LAYERS[own] == 0
        assert is_own or LAYERS[target] < LAYERS[own], f"{path}:{item.line} imports {item.module}"


def test_foreign_packages_are_imported_by_their_owner(path):
    known = {*sys.stdlib_module_names, "__future__", "scrubjay"}
    for item in imports_of(path):
        package = item.module.split(".")[0]
        if package in known or (package == "numpy" and item.is_for_types):
            continue
        assert package in OWNERS, f"{path}:{item.line} imports {package}, which has no owner"
        assert is_among(path, OWNERS[package]), f"{path}:{item.line} imports {package}"


def test_heavy_packages_are_imported_inside_functions(path):
    for item in imports_of(path):
        if item.module.split(".")[0] in HEAVY:
            assert item.is_lazy or item.is_for_types, f"{path}:{item.line} imports {item.module}"


def test_every_owner_imports_its_package():
    used = {(item.module.split(".")[0], p) for p in module_paths() for item in imports_of(p)}
    idle = [
        f"{place} does not import {package}"
        for package, places in OWNERS.items()
        for place in places
        if not any(name == package and is_among(p, (place,)) for name, p in used)
    ]
    assert not idle


def test_only_interfaces_print(path):
    if is_among(path, PRINTERS):
        return
    for node in ast.walk(tree_of(path)):
        is_print = isinstance(node, ast.Name) and node.id == "print"
        is_stream = isinstance(node, ast.Attribute) and ast.unparse(node) in (
            "sys.stdout",
            "sys.stderr",
        )
        if is_print or is_stream:
            pytest.fail(f"{path}:{node.lineno} prints")


def test_environment_is_read_by_settings_alone():
    reads = re.compile(r"\bos\.(environb?|getenvb?)\b|\bfrom os import .*\b(environ|getenv)")
    readers = {p for p in module_paths() if reads.search((SOURCE / p).read_text("utf-8"))}
    assert readers == ENVIRONMENT_READERS


def test_modules_stay_short():
    lengths = {p: len((SOURCE / p).read_text("utf-8").splitlines()) for p in module_paths()}
    long = {p: length for p, length in lengths.items() if length > MAX_MODULE_LINES}
    check_table(long, LONG_MODULES, "module")


def test_functions_stay_short():
    long = {}
    for p in module_paths():
        for name, node in functions_of(p):
            first = node.body[1] if ast.get_docstring(node) and len(node.body) > 1 else node.body[0]
            length = (node.end_lineno or 0) - first.lineno + 1
            if length > MAX_FUNCTION_LINES:
                long[f"{p}:{name}"] = length
    check_table(long, LONG_FUNCTIONS, "function")


def test_public_names_have_docstrings(path):
    tree = tree_of(path)
    assert ast.get_docstring(tree), f"{path} has no docstring"
    for node in tree.body:
        public = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        if public and not node.name.startswith("_"):
            assert ast.get_docstring(node), f"{path}:{node.lineno} {node.name} has no docstring"


def test_public_signatures_avoid_any():
    found = set()
    for p in module_paths():
        for name, node in public_functions_of(p):
            said = [a.annotation for a in ast.walk(node.args) if isinstance(a, ast.arg)]
            text = " ".join(ast.unparse(a) for a in [*said, node.returns] if a is not None)
            if re.search(r"\bAny\b", text):
                found.add(f"{p}:{name}")
    assert found == ANY_ALLOWED


def test_todo_names_an_issue(path):
    lines = (SOURCE / path).read_text("utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        assert not re.search(r"\b(TODO|FIXME|XXX)\b(?!.*#\d)", line), f"{path}:{number} {line}"


def test_names_come_from_the_domain(path):
    names = re.split(r"[/_.]", path)
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ClassDef):
            names += re.findall(r"[A-Z]+[a-z0-9]*", node.name)
    bad = FORBIDDEN_WORDS & {name.lower() for name in names}
    assert not bad, f"{path} names something {sorted(bad)}"


DISTRIBUTIONS = {
    "lance": "pylance",
    "semble_grammars": "semble-grammars",
    "tree_sitter": "tree-sitter",
}
"""Packages whose distribution has another name."""
BROUGHT_ALONG = {"pyarrow"}
"""Packages that come with another one we depend on."""


def test_dependencies_are_what_is_imported():
    project = tomllib.loads((SOURCE.parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    declared = {re.split(r"[<>=~!\[; ]", line)[0] for line in project["dependencies"]}
    imported = {DISTRIBUTIONS.get(package, package) for package in set(OWNERS) - BROUGHT_ALONG}
    assert declared == imported


def test_doctor_tries_every_package_that_is_imported():
    assert set(PACKAGES) == set(OWNERS)
