"""SQLite, the embedded database.

One connection writes, one transaction after another; readers have connections of their
own that cannot write, and never wait for the writer (write-ahead log).
"""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

import aiosqlite

from genint.errors import DatabaseAway, UnavailableError, UsageError
from genint.storage.database import (
    ConnectionUse,
    Database,
    Notice,
    NoticeBoard,
    Row,
    Session,
    Subscription,
    Work,
)
from genint.storage.files import exclusive
from genint.storage.migrations import Migration, apply_missing, require_all
from genint.storage.statements import Statements, Value, load_statements

OLDEST_SQLITE = (3, 37, 0)
"""First release with STRICT tables; RETURNING came with 3.35."""

READERS = 3
BUSY_TIMEOUT_MS = 5_000
FOR_ALL = (f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}", "PRAGMA trusted_schema = OFF")
FOR_WRITER = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # what was acknowledged survives a power cut
    "PRAGMA foreign_keys = ON",
)
FOR_READERS = ("PRAGMA query_only = ON",)
OUR_FAULT = frozenset({"SQLITE_ERROR", "SQLITE_MISUSE", "SQLITE_RANGE", "SQLITE_SCHEMA"})
"""Errors of statements; every other error is one of disk, lock or memory."""

_Result = TypeVar("_Result")


class SqliteSession(Session):
    """A transaction under way."""

    def __init__(self, connection: aiosqlite.Connection, statements: Statements) -> None:
        self._connection = connection
        self._statements = statements
        self.announced: list[Notice] = []

    async def fetch_all(self, statement: str, **values: Value) -> Sequence[Row]:
        """Run a statement; its rows."""
        return await _fetch(self._connection, self._statements, statement, values)

    async def run_script(self, script: str) -> None:
        """Run the statements of a migration within the transaction."""
        for statement in split_script(script):
            await self._connection.execute_fetchall(statement)

    async def announce(self, notice: Notice) -> None:
        """Notify all listeners, as soon as the transaction is committed."""
        self.announced.append(notice)


class SqliteDatabase(Database):
    """The database in one file."""

    def __init__(
        self, writer: aiosqlite.Connection, readers: Sequence[aiosqlite.Connection]
    ) -> None:
        super().__init__()
        self._writer = writer
        self._writing = asyncio.Lock()
        self._readers: asyncio.LifoQueue[aiosqlite.Connection] = asyncio.LifoQueue()
        for reader in readers:
            self._readers.put_nowait(reader)
        self._statements = load_statements("sqlite")
        self._board = NoticeBoard()

    async def require(self, migrations: Sequence[Migration]) -> None:
        """UsageError where the database lacks a migration, or has one that is not known."""
        await self._transaction(lambda session: require_all(session, migrations))

    async def migrate(self, migrations: Sequence[Migration]) -> tuple[str, ...]:
        """Apply the migrations that are missing, without limit of time; their names."""
        return await apply_missing(self._transaction, migrations)

    @asynccontextmanager
    async def notices(self) -> AsyncIterator[Subscription]:
        """What this process announces from now on; there is no other."""
        with self._board.listen() as listener:
            yield listener

    @property
    def connections(self) -> ConnectionUse:
        """What this process has open: always all."""
        idle = self._readers.qsize() + (not self._writing.locked())
        return ConnectionUse(READERS + 1 - idle, idle, READERS + 1)

    async def close(self) -> None:
        """Wait for the work under way."""
        await self._tasks.close()

    async def _read(self, statement: str, values: dict[str, Value]) -> Sequence[Row]:
        reader = await self._readers.get()
        try:
            with _translated():
                return await _fetch(reader, self._statements, statement, values)
        finally:
            self._readers.put_nowait(reader)

    async def _write(self, statement: str, values: dict[str, Value]) -> Sequence[Row]:
        return await self._transaction(lambda session: session.fetch_all(statement, **values))

    async def _transaction(self, work: Work[_Result]) -> _Result:
        session = SqliteSession(self._writer, self._statements)
        async with self._writing:
            with _translated():
                try:
                    await self._writer.execute_fetchall("BEGIN IMMEDIATE")
                    result = await work(session)
                    await self._writer.execute_fetchall("COMMIT")
                except BaseException:
                    if self._writer.in_transaction:
                        await self._writer.rollback()
                    raise
        for notice in session.announced:
            self._board.publish(notice)
        return result


@asynccontextmanager
async def open_sqlite(file: Path, *, is_locked: bool = False) -> AsyncIterator[SqliteDatabase]:
    """Open a database file, made where it is absent, for this process alone.

    Args:
        file: Of the database.
        is_locked: The caller has seen to it that no other process is in the way.

    Raises:
        UsageError: another process has it open, or it cannot be used.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise UnavailableError(
            f"this Python has SQLite {sqlite3.sqlite_version}; genint needs "
            f"{'.'.join(map(str, OLDEST_SQLITE))} or newer, or PostgreSQL (DATABASE_URL)"
        )
    async with AsyncExitStack() as stack:
        with _usable(file):
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not is_locked:
                stack.enter_context(exclusive(lock_of(file), of=file))
            os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))  # for its owner's eyes alone
            writer = await _connect(stack, file, "rw", (*FOR_ALL, *FOR_WRITER))
            readers = [
                await _connect(stack, file, "ro", (*FOR_ALL, *FOR_READERS)) for _ in range(READERS)
            ]
        database = SqliteDatabase(writer, readers)
        stack.push_async_callback(database.close)
        yield database


def lock_of(file: Path) -> Path:
    """What a process locks to have a database file for itself."""
    return file.with_name(f"{file.name}.lock")


def split_script(script: str) -> Iterator[str]:
    """The statements of a script, each with the comments before it."""
    statement = ""
    for part in re.split("(?<=;)", script):
        statement += part
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement


async def _connect(
    stack: AsyncExitStack, file: Path, mode: str, pragmas: Sequence[str]
) -> aiosqlite.Connection:
    address = f"file:{quote(str(file))}?mode={mode}"
    connection = await stack.enter_async_context(
        aiosqlite.connect(address, uri=True, isolation_level=None)
    )
    connection.row_factory = sqlite3.Row
    await connection.create_function("now_us", 0, lambda: time.time_ns() // 1_000)
    for pragma in pragmas:
        await connection.execute_fetchall(pragma)
    return connection


async def _fetch(
    connection: aiosqlite.Connection, statements: Statements, name: str, values: dict[str, Value]
) -> Sequence[Row]:
    text, bound = statements.bind(name, values)
    return list(await connection.execute_fetchall(text, bound))


@contextmanager
def _translated() -> Iterator[None]:
    """Errors of disk, lock and memory as DatabaseAway; those of statements as they are."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except sqlite3.DatabaseError as problem:
        kind = getattr(problem, "sqlite_errorname", "SQLITE_ERROR")
        if "_".join(kind.split("_")[:2]) in OUR_FAULT:  # some have a third part
            raise
        raise DatabaseAway(f"The database cannot be used now: {problem}.") from problem


@contextmanager
def _usable(file: Path) -> Iterator[None]:
    """Errors of opening as UsageError."""
    try:
        yield
    except OSError as problem:
        raise UsageError(f"cannot use {file}: {problem.strerror}") from problem
    except sqlite3.DatabaseError as problem:
        raise UsageError(f"cannot use {file} as an SQLite database: {problem}") from problem
