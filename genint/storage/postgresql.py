"""PostgreSQL, the database that several processes and machines can share."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, TypeVar
from urllib.parse import urlsplit

import asyncpg

from genint.errors import DatabaseAway, UsageError
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
from genint.storage.migrations import Migration, apply_missing
from genint.storage.statements import Statements, Value, load_statements

CONNECT_LIMIT_S = 2.0
ALIVE_EVERY_S = 10.0
"""How often a silent connection is tested, since it may be dead."""
RETRY_AFTER_S = 1.0

_LISTENER_LOST = (
    OSError,
    TimeoutError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)


class Listener:
    """Listens on one channel from its first listener on, until it is closed.

    While the connection is lost notices are lost too: they save time, nothing else may
    depend on them.
    """

    def __init__(
        self,
        url: str,
        channel: str,
        statements: Statements,
        *,
        alive_every_s: float = ALIVE_EVERY_S,
    ) -> None:
        self._url = url
        self._keepalive, _ = statements.bind("sign_of_life", {})
        self._alive_every_s = alive_every_s
        self._channel = channel
        self._board = NoticeBoard()
        self._task: asyncio.Task[None] | None = None
        self._listens = asyncio.Event()

    @asynccontextmanager
    async def listen(self) -> AsyncIterator[Subscription]:
        """What is announced from now on."""
        with self._board.listen() as subscription:
            if self._task is None:
                self._task = asyncio.create_task(self._listen_on())
            with suppress(TimeoutError):  # without the server: nothing comes, for the time being
                async with asyncio.timeout(CONNECT_LIMIT_S):
                    await self._listens.wait()
            yield subscription

    async def close(self) -> None:
        """End the connection."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _listen_on(self) -> None:
        while True:
            with suppress(*_LISTENER_LOST):
                await self._listen_once()
            await asyncio.sleep(RETRY_AFTER_S)

    async def _listen_once(self) -> None:
        """Listen until the connection is lost."""
        lost = asyncio.Event()
        async with asyncio.timeout(CONNECT_LIMIT_S):
            connection = await asyncpg.connect(
                self._url, server_settings={"application_name": "genint notices"}
            )
        try:
            connection.add_termination_listener(lambda _: lost.set())
            async with asyncio.timeout(CONNECT_LIMIT_S):
                await connection.add_listener(self._channel, self._hear)
            self._listens.set()
            while not lost.is_set():
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._alive_every_s):
                        await lost.wait()
                        return
                async with asyncio.timeout(CONNECT_LIMIT_S):
                    await connection.execute(self._keepalive)
        finally:
            self._listens.clear()
            connection.terminate()

    def _hear(self, _connection: Any, _process: int, _channel: str, text: object) -> None:
        notice = Notice.parse(str(text))
        if notice is not None:
            self._board.publish(notice)


CHANNEL = "genint_jobs"
MIGRATIONS_LOCK = 0x67656E696E74
"""Key of the advisory lock under which migrations are applied: "genint" in ASCII."""
MOST_CONNECTIONS = 10
ACQUIRE_LIMIT_S = 2.0
"""Wait for a free connection, or for a new one to be opened."""
WORK_LIMIT_S = 4.0
"""Wait for a connection and all that is done with it."""
SERVER_SETTINGS = {
    "application_name": "genint",
    "statement_timeout": "3000",  # ms; before our own limit, so that the error gives the reason
    "idle_in_transaction_session_timeout": "10000",  # ms; ends what a frozen machine holds
}
START_LIMIT_S = 10.0
"""How long an absent server is waited for at start."""
START_PAUSE_S = 0.5

REFUSED = (
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.ClientConfigurationError,
    ValueError,
)
"""Errors of an address that waiting does not mend."""

OUR_FAULT = (
    asyncpg.IntegrityConstraintViolationError,
    asyncpg.SyntaxOrAccessError,
    asyncpg.DataError,
)
"""Errors of statements and values."""

CONNECTION_LOST = (
    OSError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # a connection that the server ended a moment ago
)
"""Every other error is one of connection, time or resources."""

_Result = TypeVar("_Result")


class PostgresSession(Session):
    """A transaction under way."""

    def __init__(self, connection: Any, statements: Statements) -> None:
        self._connection = connection
        self._statements = statements

    async def fetch_all(self, statement: str, **values: Value) -> Sequence[Row]:
        """Run a statement; its rows."""
        text, bound = self._statements.bind(statement, values)
        rows: Sequence[Row] = await self._connection.fetch(text, *bound.values())
        return rows

    async def run_script(self, script: str) -> None:
        """Run the statements of a migration within the transaction."""
        await self._connection.execute(script)

    async def announce(self, notice: Notice) -> None:
        """Notify all listeners, as soon as the transaction is committed."""
        await self.execute("announce", channel=CHANNEL, notice=str(notice))


class PostgresDatabase(Database):
    """A database on a server."""

    def __init__(self, pool: Any, statements: Statements, listener: Listener) -> None:
        super().__init__()
        self._pool = pool
        self._statements = statements
        self._listener = listener

    @asynccontextmanager
    async def notices(self) -> AsyncIterator[Subscription]:
        """What is announced from now on, by this process or another."""
        async with self._listener.listen() as subscription:
            yield subscription

    @property
    def connections(self) -> ConnectionUse:
        """What the pool has open; that of notices is none of it."""
        idle = self._pool.get_idle_size()
        return ConnectionUse(self._pool.get_size() - idle, idle, self._pool.get_max_size())

    async def close(self) -> None:
        """Wait for the work under way and close the connections."""
        await self._tasks.close()
        await self._listener.close()
        try:
            async with asyncio.timeout(ACQUIRE_LIMIT_S):
                await self._pool.close()
        except (TimeoutError, *CONNECTION_LOST):
            self._pool.terminate()

    async def _read(self, statement: str, values: dict[str, Value]) -> Sequence[Row]:
        async with self._connection() as connection:
            return await PostgresSession(connection, self._statements).fetch_all(
                statement, **values
            )

    async def _write(self, statement: str, values: dict[str, Value]) -> Sequence[Row]:
        return await self._read(statement, values)  # each statement is a transaction

    async def _transaction(self, work: Work[_Result]) -> _Result:
        async with self._connection() as connection:
            transaction = connection.transaction()
            await transaction.start()
            result = await work(PostgresSession(connection, self._statements))
            await transaction.commit()
            return result

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Any]:
        """A connection of the pool; one on which anything goes wrong is not used again."""
        with translated():
            async with asyncio.timeout(WORK_LIMIT_S):
                connection = await self._pool.acquire(timeout=ACQUIRE_LIMIT_S)
                try:
                    yield connection
                except BaseException:
                    connection.terminate()  # the server rolls back
                    raise
                finally:
                    await self._pool.release(connection, timeout=ACQUIRE_LIMIT_S)


async def migrate_postgresql(url: str, migrations: Sequence[Migration]) -> tuple[str, ...]:
    """Apply the migrations that are missing, without limit of time; their names.

    Of several processes that start at once, one does it and the others wait.

    Raises:
        UsageError: the server refuses the address, or the database does not fit.
        DatabaseAway: the server does not answer, or goes away.
    """
    statements = load_statements("postgresql")
    connection = await connect_with_retries(
        url, lambda: asyncpg.connect(url, timeout=ACQUIRE_LIMIT_S)
    )

    async def transact(work: Work[None]) -> None:
        async with connection.transaction():
            await work(PostgresSession(connection, statements))

    try:
        with translated():
            await PostgresSession(connection, statements).execute(
                "lock_migrations", number=MIGRATIONS_LOCK
            )
            return await apply_missing(transact, migrations)
    finally:
        connection.terminate()


@asynccontextmanager
async def open_postgresql(url: str) -> AsyncIterator[PostgresDatabase]:
    """The database at an address; connections are opened when they are needed."""
    pool = await _open_pool(url)
    statements = load_statements("postgresql")
    database = PostgresDatabase(pool, statements, Listener(url, CHANNEL, statements))
    try:
        yield database
    finally:
        await database.close()


async def connect_with_retries(url: str, connect: Callable[[], Awaitable[_Result]]) -> _Result:
    """Connect, again and again while the server may yet come up.

    Raises:
        UsageError: the server refuses the address.
        DatabaseAway: it did not answer for ``START_LIMIT_S``.
    """
    until = time.monotonic() + START_LIMIT_S
    while True:
        try:
            async with asyncio.timeout(START_LIMIT_S):
                return await connect()
        except REFUSED as problem:
            raise UsageError(f"cannot use the database {masked(url)}: {problem}") from None
        except (TimeoutError, *CONNECTION_LOST) as problem:
            if time.monotonic() + START_PAUSE_S >= until:
                reason = str(problem) or "no answer"
                raise DatabaseAway(
                    f"the database {masked(url)} does not answer: {reason}"
                ) from problem
        await asyncio.sleep(START_PAUSE_S)


def masked(url: str) -> str:
    """An address without its password and options, for messages."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "postgresql://..."
    user = f"{parts.username}@" if parts.username else ""
    return f"{parts.scheme}://{user}{parts.hostname or ''}{port}{parts.path}"


@contextmanager
def translated() -> Iterator[None]:
    """Errors of connection, time and resources as DatabaseAway; those of statements as they are."""
    try:
        yield
    except OUR_FAULT:
        raise
    except TimeoutError as problem:
        raise DatabaseAway("The database does not answer in time.") from problem
    except CONNECTION_LOST as problem:
        raise DatabaseAway("The database cannot be reached now.") from problem


async def _open_pool(url: str) -> Any:
    return await asyncpg.create_pool(
        url,
        min_size=0,  # opened as they are needed: an outage makes no noise in the background
        max_size=MOST_CONNECTIONS,
        timeout=ACQUIRE_LIMIT_S,
        server_settings=SERVER_SETTINGS,
        max_inactive_connection_lifetime=300,
        reset=_keep,
    )


async def _keep(connection: Any) -> None:
    """Nothing to reset: no statement here changes the state of a connection."""
