"""Which layer may import which, as a table and as a check of source files.

The check reads the source, so it sees imports inside functions and under
``TYPE_CHECKING``, relative imports, and ``import_module("...")`` with a literal name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

CORE = frozenset({"model", "formats", "genes", "rna", "knowledge", "sources", "online", "native"})
OFFLINE = CORE | {"interpret", "overview", "report", "cache", "databases", "version"}
SHELL = frozenset(
    {"auth", "cli", "compute", "pipeline", "selftest", "service", "storage", "worker"}
)
EVERYTHING = OFFLINE | SHELL | {"__init__", "files", "settings"}

ALLOWED: dict[str, frozenset[str]] = {
    "errors": frozenset(),
    "version": frozenset(),
    "settings": frozenset(),
    "http_errors": frozenset(),
    "files": frozenset(),
    "model": frozenset(),
    "native": frozenset(),
    "formats": frozenset({"model"}),
    "genes": frozenset({"model", "knowledge", "native"}),
    "rna": frozenset({"model", "knowledge", "native"}),
    "knowledge": frozenset({"model", "native"}),
    "sources": frozenset({"model", "knowledge", "native"}),
    "online": frozenset({"model", "knowledge", "cache", "http_errors"}),
    "interpret": frozenset({"model", "knowledge"}),
    "overview": frozenset({"model", "knowledge"}),
    "report": frozenset({"model", "knowledge", "formats"}),
    "cache": frozenset({"files", "model"}),
    "databases": frozenset({"compute", "files", "model", "knowledge", "version", "http_errors"}),
    "selftest": OFFLINE | {"compute", "pipeline"},
    "compute": frozenset({"model"}),
    "storage": frozenset({"files", "model"}),
    "auth": frozenset({"files", "model"}),
    "pipeline": OFFLINE | {"compute", "settings"},
    "worker": frozenset(
        {"pipeline", "storage", "report", "compute", "online", "model", "settings", "version"}
    ),
    "service": EVERYTHING - {"cli"},
    "cli": EVERYTHING,
    "__main__": frozenset({"cli"}),
    "__init__": OFFLINE | {"pipeline"},
}
"""What a layer may import of genint besides itself and ``errors``."""

PURE = frozenset({"model", "interpret", "overview"})
"""Layers without clock, file, network, environment or chance."""

PURE_IMPORTS = frozenset(
    """__future__ abc bisect collections dataclasses datetime enum functools hashlib heapq
    itertools lazy_loader math operator re statistics string textwrap types typing unicodedata
    """.split()
)
"""All that a pure layer may import from outside. (Of datetime: the values, see below.)"""

CLOCKS = frozenset({"now", "utcnow", "today"})
"""Methods by which datetime looks at the clock."""

PURE_BUILTINS_REFUSED = frozenset({"open", "print", "input", "exec", "eval", "breakpoint"})

SQL_DRIVERS = frozenset({"sqlite3", "aiosqlite", "asyncpg"})
SQL_LAYERS = frozenset({"storage", "cache"})


class Violation(NamedTuple):
    """Something in a source file that a rule refuses."""

    file: str
    line: int
    what: str


def violations(package: Path) -> tuple[Violation, ...]:
    """All violations in the Python files of a package folder named ``genint``."""
    return tuple(
        Violation(str(file.relative_to(package)), line, what)
        for file in sorted(package.rglob("*.py"))
        for line, what in _violations_in(file, package)
    )


def _violations_in(file: Path, package: Path) -> Iterator[tuple[int, str]]:
    place = file.relative_to(package)
    layer = place.parts[0].removesuffix(".py")
    if layer not in ALLOWED:
        yield 1, f"{layer} is not a layer of the table"
        return
    here = (package.name, *place.parent.parts)
    tree = ast.parse(file.read_bytes())
    for line, name in _imports(tree, here):
        yield from ((line, what) for what in _refusals(layer, name, package))
    for node in ast.walk(tree):
        if layer != "settings" and _reads_environment(node):
            yield node.lineno, f"{layer} reads the environment; only settings does"
        if layer in PURE and _calls(node, PURE_BUILTINS_REFUSED):
            yield node.lineno, f"pure layer {layer} calls {node.func.id}()"
        if layer in PURE and isinstance(node, ast.Attribute) and node.attr in CLOCKS:
            yield node.lineno, f"pure layer {layer} looks at the clock"


def _refusals(layer: str, name: str, package: Path) -> Iterator[str]:
    """What is wrong with a layer importing this absolute name."""
    top, *rest = name.split(".")
    if top != package.name:
        if layer in PURE and top not in PURE_IMPORTS:
            yield f"pure layer {layer} imports {name}"
        if top in SQL_DRIVERS and layer not in SQL_LAYERS:
            yield f"{layer} imports {name}; only storage and cache see SQL"
        return
    imported = rest[0] if rest and rest[0] in ALLOWED else "__init__"
    if imported not in ALLOWED[layer] | {layer, "errors"}:
        yield f"{layer} imports {name}"


def _imports(tree: ast.AST, here: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Line and absolute name of every import; ``from a import b`` gives ``a.b``."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                base = here[: len(here) - level + 1] if level else ()
                stem = ".".join((*base, *([module] if module else [])))
                yield from ((node.lineno, f"{stem}.{alias.name}") for alias in names)
            case ast.Call(
                func=ast.Attribute(attr="import_module")
                | ast.Name(id="import_module" | "__import__"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield node.lineno, name


def _reads_environment(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="os"), attr="environ" | "environb" | "getenv"):
            return True
        case ast.ImportFrom(module="os", names=names):
            return any(alias.name in {"environ", "environb", "getenv"} for alias in names)
    return False


def _calls(node: ast.AST, names: frozenset[str]) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
