"""What both databases can do for the stores: statements by name, transactions, notices."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, TypeVar

from genint.storage.notices import Notice, Subscription
from genint.storage.statements import Engine, Value

_Result = TypeVar("_Result")


class Row(Protocol):
    """A row of a result; its values by the names of the columns."""

    def __getitem__(self, column: str, /) -> Any: ...


class Session(Protocol):
    """A transaction under way."""

    async def fetch_all(self, statement: str, **values: Value) -> Sequence[Row]:
        """Run a statement; its rows."""

    async def fetch_one(self, statement: str, **values: Value) -> Row | None:
        """Run a statement; its first row."""

    async def execute(self, statement: str, **values: Value) -> None:
        """Run a statement for its effect."""

    async def announce(self, notice: Notice) -> None:
        """Tell whoever listens, as soon as the transaction is committed."""


class Database(Protocol):
    """A database with the tables of genint.

    Every method raises DatabaseAway where the database does not answer or cannot store
    (connection lost, too slow, disk full, locked), within 5 seconds. A statement or
    transaction goes on to its end although its caller is cancelled.
    """

    @property
    def engine(self) -> Engine:
        """Which one it is."""

    async def fetch_all(self, statement: str, **values: Value) -> Sequence[Row]:
        """Run a statement that only reads; its rows."""

    async def fetch_one(self, statement: str, **values: Value) -> Row | None:
        """Run a statement that only reads; its first row."""

    async def execute(self, statement: str, **values: Value) -> Sequence[Row]:
        """Run a statement that writes, as a transaction; the rows it returns."""

    async def transact(self, work: Callable[[Session], Awaitable[_Result]]) -> _Result:
        """Do some work in one transaction: all of it when this returns, nothing if it raises."""

    def notices(self) -> AbstractAsyncContextManager[Subscription]:
        """What is announced from now on, by this process or another."""
