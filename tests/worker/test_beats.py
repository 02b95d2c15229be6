"""Signs of life reach every store that answers, whatever the others do."""

from __future__ import annotations

import asyncio
import signal
import time

from genint.storage import RedisHeartbeats
from tests.worker.job_desk import until


async def test_a_supervisor_is_seen_while_it_runs_and_not_after(storage, supervising):
    async with supervising(beats=[storage.heartbeats]) as supervisor:
        await until(lambda: storage.heartbeats.any_within(1))
        await supervisor.stop()
        assert not await storage.heartbeats.any_within(60)


async def test_a_redis_that_hangs_delays_neither_the_database_nor_the_end(
    storage, supervising, redis_server, redis_url
):
    redis = RedisHeartbeats(redis_url)
    assert redis_server.process is not None
    async with supervising(beats=[redis, storage.heartbeats]) as supervisor:
        await until(lambda: redis.any_within(60))
        redis_server.process.send_signal(signal.SIGSTOP)
        try:
            await storage.heartbeats.stop(supervisor.id)
            await until(lambda: storage.heartbeats.any_within(1), within_s=8)
            assert supervisor.is_alive
            began = time.monotonic()
            await supervisor.stop()
            assert time.monotonic() - began < 5
        finally:
            redis_server.process.send_signal(signal.SIGCONT)
    await redis.close()


async def test_beats_go_on_when_redis_is_back(storage, supervising, redis_server, redis_url):
    redis = RedisHeartbeats(redis_url)
    async with supervising(beats=[redis]):
        await until(lambda: redis.any_within(60))
        await asyncio.to_thread(redis_server.stop)
        await asyncio.to_thread(redis_server.start)
        await until(lambda: redis.any_within(60), within_s=10)
    await redis.close()
