"""The SQL statements: found on disk, read by name, checked against their parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import aiosql
from aiosql.adapters.aiosqlite import AioSQLiteAdapter
from aiosql.adapters.asyncpg import AsyncPGAdapter

from genint.errors import UnavailableError

Engine = Literal["sqlite", "postgresql"]
Value = str | int | float | bool | None
"""What a parameter of a statement may be."""

PACKAGE = Path(__file__).resolve().parent.parent


class Statement(NamedTuple):
    """One statement as its engine's driver takes it.

    Attributes:
        name: By which it is run.
        text: SQL with the driver's kind of parameters.
        parameters: Names, in the order of ``$1, $2, ...`` with PostgreSQL.
    """

    name: str
    text: str
    parameters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Statements:
    """All statements of one engine."""

    engine: Engine
    by_name: Mapping[str, Statement]

    def bind(self, name: str, values: Mapping[str, Value]) -> tuple[str, dict[str, Value]]:
        """Text of a statement and its values, in the order of its parameters.

        Raises:
            KeyError: there is no such statement.
            TypeError: a value is missing or one too many.
        """
        statement = self.by_name[name]
        if values.keys() != set(statement.parameters):
            raise TypeError(f"{name} takes {statement.parameters}, not {tuple(values)}")
        return statement.text, {each: storable(values[each]) for each in statement.parameters}


@cache
def load_statements(engine: Engine, folder: Path | None = None) -> Statements:
    """Read the shared statements and those of one engine, once in a process.

    Raises:
        UnavailableError: the files are not there.
        ValueError: two statements have the same name.
    """
    folder = find_sql_folder() if folder is None else folder
    found: dict[str, Statement] = {}
    for part in ("queries", engine):
        for file in sorted((folder / part).glob("*.sql")):
            for statement in _read(file, engine):
                if statement.name in found:
                    raise ValueError(f"{file.name}: {statement.name} is there already")
                found[statement.name] = statement
    return Statements(engine, MappingProxyType(found))


def find_sql_folder(package: Path = PACKAGE) -> Path:
    """The folder of SQL files: inside an installed package, beside one in a checkout.

    Raises:
        UnavailableError: it is in neither place.
    """
    for folder in (package / "_sql", package.parent / "sql"):
        if (folder / "queries").is_dir():
            return folder
    raise UnavailableError(
        "the SQL files of genint are missing: install the package again, "
        "or run it from a complete checkout"
    )


def storable(value: Value) -> Value:
    """A value that both engines can store.

    PostgreSQL stores no NUL and neither engine half a surrogate pair; such characters
    become U+FFFD.
    """
    if not isinstance(value, str) or (value.isascii() and "\0" not in value):
        return value
    whole = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.replace("\0", "\ufffd")


def _read(file: Path, engine: Engine) -> list[Statement]:
    make: Any = AioSQLiteAdapter if engine == "sqlite" else AsyncPGAdapter
    adapter = make()
    order = getattr(adapter, "var_sorted", {})  # of $1, $2, ... by name of the statement
    queries = aiosql.from_path(file, lambda: adapter, mandatory_parameters=True)
    return [
        Statement(
            name,
            getattr(queries, name).sql,
            tuple(getattr(queries, name).parameters if engine == "sqlite" else order[name]),
        )
        for name in queries.available_queries
        if not name.endswith("_cursor")  # aiosql offers each query as a cursor too
    ]
