"""Signs of life of workers in Redis, and a Redis that is away."""

from __future__ import annotations

import asyncio
import signal
import time

import pytest
from redis.asyncio import Redis

from genint.errors import BusyError
from genint.storage import KEY, RedisHeartbeats

ANSWER_LIMIT_S = 1.0


@pytest.fixture
async def heartbeats(redis_url):
    opened = RedisHeartbeats(redis_url)
    yield opened
    await opened.close()


async def test_a_worker_that_beats_is_seen_by_others(heartbeats, redis_url):
    other = RedisHeartbeats(redis_url)
    assert not await other.any_within(30)
    await heartbeats.beat("worker")
    assert await other.any_within(30)
    await other.close()


async def test_a_worker_that_stopped_is_not_seen(heartbeats):
    await heartbeats.beat("worker")
    await heartbeats.stop("worker")
    await heartbeats.stop("nobody")
    assert not await heartbeats.any_within(30)


async def test_a_worker_that_fell_silent_is_not_seen(heartbeats, redis_url):
    await heartbeats.beat("worker")
    async with Redis.from_url(redis_url) as redis:
        await redis.zincrby(KEY, -31, "worker")
    assert not await heartbeats.any_within(30)
    assert await heartbeats.any_within(60)


async def test_workers_that_were_killed_long_ago_are_forgotten(heartbeats, redis_url):
    async with Redis.from_url(redis_url, decode_responses=True) as redis:
        await redis.zadd(KEY, {"killed": 1})
        await heartbeats.beat("alive")
        assert await redis.zrange(KEY, 0, -1) == ["alive"]


async def test_a_redis_that_does_not_answer_is_told_within_a_second(heartbeats, redis_server):
    await heartbeats.beat("worker")
    redis_server.process.send_signal(signal.SIGSTOP)
    try:
        for ask in (heartbeats.any_within(30), heartbeats.beat("worker"), heartbeats.stop("w")):
            began = time.monotonic()
            with pytest.raises(BusyError):
                await ask
            assert time.monotonic() - began < ANSWER_LIMIT_S
    finally:
        redis_server.process.send_signal(signal.SIGCONT)
    assert await answer(heartbeats)


async def test_a_redis_that_is_gone_is_told_and_used_again_when_it_is_back(
    heartbeats, redis_server
):
    await heartbeats.beat("worker")
    redis_server.stop()
    try:
        began = time.monotonic()
        with pytest.raises(BusyError):
            await heartbeats.any_within(30)
        assert time.monotonic() - began < ANSWER_LIMIT_S
    finally:
        redis_server.start()
    await heartbeats.beat("worker")
    assert await heartbeats.any_within(30)


async def test_a_connection_that_was_cut_is_renewed_unseen(heartbeats, redis_url):
    await heartbeats.beat("worker")
    async with Redis.from_url(redis_url) as redis:
        await redis.client_kill_filter(_type="normal", skipme=True)
    assert await heartbeats.any_within(30)


async def test_closing_does_not_wait_for_a_redis_that_hangs(redis_url, redis_server):
    opened = RedisHeartbeats(redis_url)
    await opened.beat("worker")
    redis_server.process.send_signal(signal.SIGSTOP)
    try:
        async with asyncio.timeout(2):
            await opened.close()
    finally:
        redis_server.process.send_signal(signal.SIGCONT)


async def answer(heartbeats: RedisHeartbeats) -> bool:
    """Its answer, as soon as it gives one."""
    async with asyncio.timeout(10):
        while True:
            try:
                return await heartbeats.any_within(30)
            except BusyError:
                continue
