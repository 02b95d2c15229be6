"""Signs of life of workers, in the database."""

from __future__ import annotations

from genint.storage.database import Database, Session
from genint.storage.times import MICROSECONDS, us_from_s

FORGOTTEN_AFTER_US = 86_400 * MICROSECONDS
"""Silence after which the row of a worker that was killed is removed."""


class DatabaseHeartbeats:
    """Signs of life of workers, one row each, by the clock of the database.

    Every method raises DatabaseAway where the database does not answer.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def beat(self, worker_id: str) -> None:
        """Note that a worker is alive now."""

        async def work(session: Session) -> None:
            await session.execute("beat", id=worker_id)
            await session.execute("forget_silent_workers", silent_us=FORGOTTEN_AFTER_US)

        await self._database.transact(work)

    async def stop(self, worker_id: str) -> None:
        """Forget a worker that shuts down."""
        await self._database.execute("forget_worker", id=worker_id)

    async def any_within(self, seconds: float) -> bool:
        """Whether any worker showed a sign of life in the last seconds."""
        within_us = us_from_s(seconds)
        return await self._database.fetch_one("find_beat", within_us=within_us) is not None
