"""Heartbeats of workers, in Redis and in the database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Protocol

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from genint.errors import BusyError
from genint.storage.database import Database, Session
from genint.storage.listings import us_from_s

KEY = "genint:workers"
"""A sorted set: ids of workers by the time of their last heartbeat."""
SOCKET_LIMIT_S = 0.5
ANSWER_LIMIT_S = 0.9
"""Wait for a connection and all requests through it."""
FORGOTTEN_AFTER_S = 86_400
"""Silence after which a worker that was killed is removed."""


class Heartbeats(Protocol):
    """Where workers note that they are alive; raises BusyError where that does not answer."""

    async def beat(self, worker_id: str) -> None:
        """Note that a worker is alive now."""

    async def stop(self, worker_id: str) -> None:
        """Forget a worker that shuts down."""

    async def any_within(self, seconds: float) -> bool:
        """Whether any worker sent a heartbeat in the last seconds."""


class RedisHeartbeats:
    """Heartbeats of workers, one entry each, by the clock of the Redis server.

    Every method raises BusyError, within a second, where Redis does not answer; the
    next call tries again. Close it at the end.
    """

    def __init__(self, url: str) -> None:
        self._redis = Redis.from_url(
            url,
            socket_timeout=SOCKET_LIMIT_S,
            socket_connect_timeout=SOCKET_LIMIT_S,
            # A connection may have been lost since its last use; a second try uses a new one.
            retry=Retry(NoBackoff(), 1, supported_errors=(RedisConnectionError,)),
        )

    async def beat(self, worker_id: str) -> None:
        """Note that a worker is alive now."""
        async with self._answering():
            now_s = await self._now_s()
            await self._redis.zadd(KEY, {worker_id: now_s})
            await self._redis.zremrangebyscore(KEY, "-inf", now_s - FORGOTTEN_AFTER_S)

    async def stop(self, worker_id: str) -> None:
        """Forget a worker that shuts down."""
        async with self._answering():
            await self._redis.zrem(KEY, worker_id)

    async def any_within(self, seconds: float) -> bool:
        """Whether any worker sent a heartbeat in the last seconds."""
        async with self._answering():
            since_s = await self._now_s() - seconds
            found: int = await self._redis.zcount(KEY, since_s, "+inf")
            return found > 0

    async def close(self) -> None:
        """Close the connections, whether or not Redis answers."""
        with suppress(BusyError):
            async with self._answering():
                await self._redis.aclose()

    async def _now_s(self) -> float:
        seconds, microseconds = await self._redis.time()
        return seconds + microseconds / 1_000_000

    @asynccontextmanager
    async def _answering(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(ANSWER_LIMIT_S):
                yield
        except (RedisError, OSError, TimeoutError) as problem:
            raise BusyError("Redis does not answer.") from problem


class DatabaseHeartbeats:
    """Heartbeats of workers, one row each, by the clock of the database.

    Every method raises DatabaseAway where the database does not answer.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def beat(self, worker_id: str) -> None:
        """Note that a worker is alive now."""

        async def work(session: Session) -> None:
            await session.execute("beat", id=worker_id)
            await session.execute("forget_silent_workers", silent_us=us_from_s(FORGOTTEN_AFTER_S))

        await self._database.transact(work)

    async def stop(self, worker_id: str) -> None:
        """Forget a worker that shuts down."""
        await self._database.execute("forget_worker", id=worker_id)

    async def any_within(self, seconds: float) -> bool:
        """Whether any worker sent a heartbeat in the last seconds."""
        within_us = us_from_s(seconds)
        return await self._database.fetch_one("find_beat", within_us=within_us) is not None

    async def count_within(self, seconds: float) -> int:
        """How many workers sent a heartbeat in the last seconds."""
        row = await self._database.fetch_one("count_beats", within_us=us_from_s(seconds))
        return 0 if row is None else int(row["alive"])
