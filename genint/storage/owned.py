"""Work on a database that ends in order whoever stops waiting for it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from genint.errors import DatabaseAway

WAIT_LIMIT_S = 4.8
"""How long anybody waits for a database; an answer to a request has to come within 5 s."""

_Result = TypeVar("_Result")


class OwnedWork:
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
