"""Migrations: numbered scripts, each applied once, in order, in one transaction."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from genint.errors import UsageError
from genint.storage.database import Session, Work
from genint.storage.statements import Engine, find_sql_folder

FILE_NAME = re.compile(r"(?P<number>\d{4})_[a-z0-9_]+\.sql")


Transact = Callable[[Work[None]], Awaitable[None]]
"""Does some work in one transaction; no other process migrates meanwhile."""


class Migration(NamedTuple):
    """One script.

    Attributes:
        number: 1 for the first one, without gaps.
        name: Name of its file without ending.
    """

    number: int
    name: str
    script: str

    @property
    def sha256(self) -> str:
        """Digest of the script, by which a later change is seen."""
        return hashlib.sha256(self.script.encode()).hexdigest()

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read a file named ``0001_what_it_does.sql``; ValueError at another name."""
        matched = FILE_NAME.fullmatch(file.name)
        if matched is None:
            raise ValueError(f"not the name of a migration: {file.name}")
        return cls(int(matched["number"]), file.stem, file.read_text())


def load_migrations(engine: Engine, folder: Path | None = None) -> tuple[Migration, ...]:
    """All migrations of an engine in order.

    Raises:
        UnavailableError: the files are not there.
        ValueError: their numbers are not 1, 2, 3, ...
    """
    folder = find_sql_folder() if folder is None else folder
    files = sorted((folder / "migrations" / engine).glob("*.sql"))
    migrations = tuple(Migration.read(file) for file in files)
    if [each.number for each in migrations] != list(range(1, len(migrations) + 1)):
        raise ValueError(f"numbers of the migrations of {engine} are not 1, 2, 3, ...")
    return migrations


async def apply_missing(transact: Transact, migrations: Sequence[Migration]) -> tuple[str, ...]:
    """Apply what the database lacks.

    Returns:
        Names of the migrations applied now.

    Raises:
        UsageError: the database was made by a newer program, or a migration was changed
            since it was applied; nothing is applied then.
    """
    applied: list[str] = []

    async def prepare(session: Session) -> None:
        await session.execute("create_migrations_table")

    await transact(prepare)
    for migration in migrations:

        async def apply(session: Session, migration: Migration = migration) -> None:
            if not await _is_applied(session, migration, migrations):
                await session.run_script(migration.script)
                await session.execute(
                    "add_migration",
                    number=migration.number,
                    name=migration.name,
                    sha256=migration.sha256,
                )
                applied.append(migration.name)

        await transact(apply)
    return tuple(applied)


async def require_all(session: Session, migrations: Sequence[Migration]) -> None:
    """Look whether a database has the form that this program needs.

    Raises:
        UsageError: it has not.
    """
    await session.execute("create_migrations_table")
    for migration in migrations:
        if not await _is_applied(session, migration, migrations):
            raise UsageError(
                f"the service that uses the database is of an older version: it lacks "
                f"{migration.name}; restart it with this one"
            )


async def _is_applied(
    session: Session, migration: Migration, migrations: Sequence[Migration]
) -> bool:
    """Whether the database has a migration, after a look at all that it has."""
    rows = await session.fetch_all("list_migrations")
    numbers = [row["number"] for row in rows]
    if len(rows) > len(migrations):
        raise UsageError(
            f"the database was made by a newer genint: it has {rows[-1]['name']}, "
            f"this one ends with {migrations[-1].name}"
        )
    if numbers != list(range(1, len(rows) + 1)):
        raise UsageError(f"the database lacks migrations between those that it has: {numbers}")
    for row, known in zip(rows, migrations, strict=False):
        if row["sha256"] != known.sha256:
            raise UsageError(
                f"migration {known.name} was changed after it was applied to the database; "
                "put the original file back"
            )
    return migration.number <= len(rows)
