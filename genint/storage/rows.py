"""All rows of a database as lines of JSON, and back, from either engine to either.

Whole tables are read and written, whatever their columns are, so the statements are made here, of
names that come from the migrations, and not read from files.
"""

from __future__ import annotations

import asyncio
import errno
import re
import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import asyncpg

from genint.errors import DatabaseAway, UsageError
from genint.storage.migrations import Migration, apply_missing, load_migrations
from genint.storage.postgresql import (
    MIGRATIONS_LOCK,
    PostgresSession,
    connect_with_retries,
    masked,
    translated,
)
from genint.storage.sqlite import open_sqlite
from genint.storage.statements import Engine, load_statements

NOT_KEPT: Final = frozenset(
    {
        "migrations",
        "workers",
        "login_attempts",
        "password_resets",
        "sessions",
        "online_outages",
        "webhook_deliveries",
    }
)
"""Tables whose rows mean nothing elsewhere or later: signs of life, attempts and outages of a few
minutes, announcements, links that would be good for a second use, and sessions that may have been
ended since."""
_CREATED: Final = re.compile(r"^CREATE TABLE (?:IF NOT EXISTS )?(\w+)", re.MULTILINE)
_ROWS_AT_ONCE: Final = 1_000
_CONNECT_S: Final = 5.0
_OF_THE_DISK: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO})
"""Errors that are not the server's."""


class Tables(NamedTuple):
    """The tables of a schema.

    Attributes:
        migrations: That make it, in order.
        names: Tables with rows to be kept; one that refers to another comes after it.
    """

    migrations: tuple[Migration, ...]
    names: tuple[str, ...]

    @property
    def last(self) -> str:
        """Name of the last migration."""
        return self.migrations[-1].name


def tables_of(engine: Engine, applied: Sequence[str]) -> Tables:
    """The schema that some migrations make.

    Args:
        engine: Whose.
        applied: Names of the migrations, in order.

    Raises:
        UsageError: they are not those of this program, or not its first ones.
    """
    known = load_migrations(engine)
    names = [migration.name for migration in known]
    if not applied or list(applied) != names[: len(applied)]:
        last = applied[-1] if applied else "no migration"
        raise UsageError(
            f"the schema {last} is none of this genint, which ends with {names[-1]}: "
            "use the version that made it, or a newer one"
        )
    done = known[: len(applied)]
    tables = [name for migration in done for name in _CREATED.findall(migration.script)]
    return Tables(done, tuple(name for name in tables if name not in NOT_KEPT))


def dump_sqlite(file: Path, folder: Path) -> Tables:
    """Write all rows of a moment into ``<table>.jsonl`` files; a service may write meanwhile.

    Raises:
        UsageError: there is no such database, or it is none of ours.
    """
    if not file.is_file():
        raise UsageError(f"there is no database {file}; set GENINT_DATA_DIR or DATABASE_URL")
    with _usable_sqlite(file), closing(_connected(file)) as connection:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("BEGIN")  # what is read from here on is of one moment
        rows = connection.execute("SELECT name FROM migrations ORDER BY number")
        tables = tables_of("sqlite", [name for (name,) in rows])
        for table in tables.names:
            pairs = ", ".join(f"'{name}', \"{name}\"" for name in _columns(connection, table))
            lines = connection.execute(f'SELECT json_object({pairs}) FROM "{table}"')  # noqa: S608
            _write_lines(folder / f"{table}.jsonl", (line for (line,) in lines))
    return tables


async def dump_postgresql(url: str, folder: Path) -> Tables:
    """The same of a database on a server.

    Raises:
        UsageError: the server refuses the address, or the database is none of ours.
        DatabaseAway: it does not answer.
    """
    async with (
        _connection(url) as connection,
        connection.transaction(isolation="repeatable_read", readonly=True),
    ):
        if await connection.fetchval("SELECT to_regclass('migrations')") is None:
            raise UsageError(f"the database {masked(url)} is none of genint")
        rows = await connection.fetch("SELECT name FROM migrations ORDER BY number")
        tables = tables_of("postgresql", [row["name"] for row in rows])
        for table in tables.names:
            query = f'SELECT row_to_json(t)::text FROM "{table}" AS t'  # noqa: S608
            with (folder / f"{table}.jsonl").open("w", encoding="utf-8") as stream:
                async for row in connection.cursor(query, prefetch=_ROWS_AT_ONCE):
                    stream.write(f"{row[0]}\n")
    return tables


async def load_sqlite(file: Path, applied: Sequence[str], folder: Path) -> None:
    """Make a database file of dumped rows, in the schema of this program.

    Args:
        file: Where there is nothing yet.
        applied: Migrations of the database that was dumped.
        folder: With its ``<table>.jsonl`` files.

    Raises:
        UsageError: the schema is none of this program's.
    """
    tables = tables_of("sqlite", applied)
    async with open_sqlite(file) as database:
        await database.migrate(tables.migrations)
    with _usable_sqlite(file), closing(_connected(file)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("PRAGMA defer_foreign_keys = ON")  # a row may refer to a later one
        for table in tables.names:
            names = _columns(connection, table)
            columns = ", ".join(f'"{name}"' for name in names)
            values = ", ".join(f"json_extract(?1, '$.{name}')" for name in names)
            insert = f'INSERT INTO "{table}" ({columns}) SELECT {values}'
            for lines in _batches(folder / f"{table}.jsonl"):
                connection.executemany(insert, ((line,) for line in lines))
        connection.execute("COMMIT")
    async with open_sqlite(file) as database:
        await database.migrate(load_migrations("sqlite"))
    with closing(_connected(file)) as connection:  # all of it into the one file
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


async def load_postgresql(url: str, applied: Sequence[str], folder: Path) -> None:
    """Put dumped rows in the place of all that genint has in a database, in one transaction.

    Args:
        url: Of the database.
        applied: Migrations of the database that was dumped.
        folder: With its ``<table>.jsonl`` files.

    Raises:
        UsageError: the schema is none of this program's, or others use the database.
        DatabaseAway: the server does not answer.
    """
    tables = tables_of("postgresql", applied)
    known = load_migrations("postgresql")
    async with _connection(url) as connection:
        session = PostgresSession(connection, load_statements("postgresql"))
        async with connection.transaction():
            await session.execute("lock_migrations", number=MIGRATIONS_LOCK)
            await _drop_all(connection, known)
            await apply_missing(lambda work: work(session), tables.migrations)
            await connection.execute("CREATE TEMPORARY TABLE dumped (line json) ON COMMIT DROP")
            for table in tables.names:
                for lines in _batches(folder / f"{table}.jsonl"):
                    records = [(line,) for line in lines]
                    await connection.copy_records_to_table("dumped", records=records)
                # All rows at once: one may refer to another of its table.
                await connection.execute(
                    f'INSERT INTO "{table}" SELECT r.* FROM dumped, '  # noqa: S608
                    f'json_populate_record(NULL::"{table}", line) AS r'
                )
                await connection.execute("TRUNCATE dumped")
            await apply_missing(lambda work: work(session), known)


async def others_use(url: str) -> bool:
    """Whether another process of genint is connected to a database."""
    async with _connection(url) as connection:
        found: int = await connection.fetchval(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND pid <> pg_backend_pid() AND application_name LIKE 'genint%'"
        )
    return found > 0


async def has_rows(file: Path | None, url: str | None) -> bool:
    """Whether a database, if it is there at all, has rows that a restore would replace."""
    if url is not None:
        async with _connection(url) as connection:
            for table in _all_tables("postgresql"):
                is_there = await connection.fetchval("SELECT to_regclass($1) IS NOT NULL", table)
                query = f'SELECT EXISTS (SELECT 1 FROM "{table}")'  # noqa: S608
                if is_there and await connection.fetchval(query):
                    return True
        return False
    return file is not None and await asyncio.to_thread(_has_rows_sqlite, file)


def _has_rows_sqlite(file: Path) -> bool:
    if not file.is_file():
        return False
    with _usable_sqlite(file), closing(_connected(file)) as connection:
        found = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        there = {name for (name,) in found} - NOT_KEPT
        return any(
            connection.execute(f'SELECT EXISTS (SELECT 1 FROM "{table}")').fetchone()[0]  # noqa: S608
            for table in sorted(there)
        )


def _all_tables(engine: Engine) -> tuple[str, ...]:
    return tables_of(engine, [migration.name for migration in load_migrations(engine)]).names


async def _drop_all(connection: Any, known: Sequence[Migration]) -> None:
    """Remove the tables that the migrations made, and nothing else that may be there."""
    made = [name for migration in known for name in _CREATED.findall(migration.script)]
    for table in ("migrations", *reversed(made)):
        await connection.execute(f'DROP TABLE IF EXISTS "{table}" CASCADE')
    await connection.execute("DROP FUNCTION IF EXISTS now_us()")


def _connected(file: Path) -> sqlite3.Connection:
    # Even a reader of a write-ahead log has to be able to write to the files beside it.
    address = f"file:{quote(str(file))}?mode=rw"
    return sqlite3.connect(address, uri=True, isolation_level=None, timeout=_CONNECT_S)


@contextmanager
def _usable_sqlite(file: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as problem:
        raise UsageError(f"cannot use {file} as a database of genint: {problem}") from problem


@asynccontextmanager
async def _connection(url: str) -> AsyncIterator[Any]:
    connection = await connect_with_retries(
        url,
        lambda: asyncpg.connect(
            url,
            timeout=_CONNECT_S,
            server_settings={"application_name": "genint backup", "lock_timeout": "10000"},
        ),
    )
    try:
        with translated():
            yield connection
    except DatabaseAway as problem:
        if getattr(problem.__cause__, "errno", None) in _OF_THE_DISK:
            raise problem.__cause__ from None  # type: ignore[misc]
        raise
    finally:
        connection.terminate()


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]


def _write_lines(file: Path, lines: Iterator[str]) -> None:
    with file.open("w", encoding="utf-8") as stream:
        stream.writelines(f"{line}\n" for line in lines)


def _batches(file: Path) -> Iterator[list[str]]:
    with file.open(encoding="utf-8") as stream:
        while lines := list(islice(stream, _ROWS_AT_ONCE)):
            yield lines
