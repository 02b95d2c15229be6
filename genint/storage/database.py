"""What both databases can do for the stores: statements by name, transactions, notices."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import Any, Literal, NamedTuple, Protocol, Self, TypeVar

from genint.errors import DatabaseAway
from genint.storage.statements import Value

MOST_WAITING = 1_000
"""Notices kept for a listener that does not take them; older ones are dropped."""


NoticeKind = Literal["queued", "ended"]


class Notice(NamedTuple):
    """Something happened to a job that others may want to know at once.

    ``queued``: it waits for a worker. ``ended``: it was cancelled or given up, not by
    the worker that holds it.
    """

    kind: NoticeKind
    job_id: str

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """From the text that ``str`` gives; None if it is something else."""
        match text.split(" "):
            case ["queued" | "ended" as kind, job_id]:
                return cls(kind, job_id)
        return None

    def __str__(self) -> str:
        return f"{self.kind} {self.job_id}"


class Subscription:
    """Notices since its begin, one after another, without end."""

    def __init__(self) -> None:
        self._waiting: asyncio.Queue[Notice] = asyncio.Queue(MOST_WAITING)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Notice:
        return await self._waiting.get()

    def put(self, notice: Notice) -> None:
        """Add a notice; never waits."""
        if self._waiting.full():
            self._waiting.get_nowait()
        self._waiting.put_nowait(notice)


class NoticeBoard:
    """Passes notices on to all listeners of this process."""

    def __init__(self) -> None:
        self._listeners: set[Subscription] = set()

    @contextmanager
    def listen(self) -> Iterator[Subscription]:
        """What is published from now on."""
        listener = Subscription()
        self._listeners.add(listener)
        try:
            yield listener
        finally:
            self._listeners.discard(listener)

    def publish(self, notice: Notice) -> None:
        """Pass a notice on."""
        for listener in self._listeners:
            listener.put(notice)


WAIT_LIMIT_S = 4.8
"""How long a caller waits for a database; an answer to a request has to come within 5 s."""

_Result = TypeVar("_Result")


class ShieldedTasks:
    """Runs each piece of work as a task of its own.

    A caller that is cancelled, or that has waited long enough, leaves; the work goes on
    to its commit or rollback. That matters most for a transaction: left half-way, it
    would hold locks, and the next to use the connection would commit or lose its rows.
    """

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    async def run(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        """Result of the work.

        Raises:
            DatabaseAway: it is not done after ``WAIT_LIMIT_S``; whether it took effect
                is not known.
        """
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        try:
            async with asyncio.timeout(WAIT_LIMIT_S) as limit:
                return await asyncio.shield(task)
        except TimeoutError as problem:
            if not limit.expired():
                raise
            raise DatabaseAway("The database does not answer in time.") from problem

    async def close(self) -> None:
        """Wait for the work under way, but not for ever; then cancel it."""
        if not self._tasks:
            return
        _, late = await asyncio.wait(self._tasks, timeout=WAIT_LIMIT_S)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # seen, even if its caller has left


class Row(Protocol):
    """A row of a result; its values by the names of the columns."""

    def __getitem__(self, column: str, /) -> Any: ...


class Session(ABC):
    """A transaction under way."""

    @abstractmethod
    async def fetch_all(self, statement: str, **values: Value) -> Sequence[Row]:
        """Run a statement; its rows."""

    async def fetch_one(self, statement: str, **values: Value) -> Row | None:
        """Run a statement; its first row."""
        rows = await self.fetch_all(statement, **values)
        return rows[0] if rows else None

    async def execute(self, statement: str, **values: Value) -> None:
        """Run a statement for its effect."""
        await self.fetch_all(statement, **values)

    @abstractmethod
    async def run_script(self, script: str) -> None:
        """Run the statements of a migration."""

    @abstractmethod
    async def announce(self, notice: Notice) -> None:
        """Notify all listeners, as soon as the transaction is committed."""


Work = Callable[[Session], Awaitable[_Result]]
"""What is done in a transaction."""


class ConnectionUse(NamedTuple):
    """Connections of this process to the database.

    Attributes:
        used: In which a statement or transaction is under way.
        idle: That are open and wait.
        most: That may be open.
    """

    used: int
    idle: int
    most: int


CallKind = Literal["read", "write", "transaction"]
CallObserver = Callable[[CallKind, float, bool], None]
"""Gets the kind of a call, the seconds that its caller waited, and whether it was answered."""


class Database(ABC):
    """A database with the tables of genint.

    Every method raises DatabaseAway where the database does not answer or cannot store
    (connection lost, too slow, disk full, locked), within 5 seconds. A statement or
    transaction goes on to its end although its caller is cancelled.

    Attributes:
        observer: Learns of every call, where there is one.
    """

    def __init__(self) -> None:
        self._tasks = ShieldedTasks()
        self.observer: CallObserver | None = None

    async def fetch_all(self, statement: str, **values: Value) -> Sequence[Row]:
        """Run a statement that only reads; its rows."""
        return await self._observed("read", self._read(statement, values))

    async def fetch_one(self, statement: str, **values: Value) -> Row | None:
        """Run a statement that only reads; its first row."""
        rows = await self.fetch_all(statement, **values)
        return rows[0] if rows else None

    async def execute(self, statement: str, **values: Value) -> Sequence[Row]:
        """Run a statement that writes, as a transaction; the rows it returns."""
        return await self._observed("write", self._write(statement, values))

    async def transact(self, work: Work[_Result]) -> _Result:
        """Do some work in one transaction: all of it when this returns, nothing if it raises."""
        return await self._observed("transaction", self._transaction(work))

    @property
    @abstractmethod
    def connections(self) -> ConnectionUse:
        """What this process has open now."""

    async def _observed(self, kind: CallKind, work: Coroutine[Any, Any, _Result]) -> _Result:
        began = time.perf_counter()
        answered = True
        try:
            return await self._tasks.run(work)
        except DatabaseAway:
            answered = False
            raise
        finally:
            if self.observer is not None:
                self.observer(kind, time.perf_counter() - began, answered)

    @abstractmethod
    def notices(self) -> AbstractAsyncContextManager[Subscription]:
        """What is announced from now on, by this process or another."""

    @abstractmethod
    async def _read(self, statement: str, values: dict[str, Value]) -> Sequence[Row]: ...

    @abstractmethod
    async def _write(self, statement: str, values: dict[str, Value]) -> Sequence[Row]: ...

    @abstractmethod
    async def _transaction(self, work: Work[_Result]) -> _Result: ...
