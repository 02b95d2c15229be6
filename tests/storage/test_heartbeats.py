"""Signs of life of workers in both databases."""

from __future__ import annotations


async def test_a_worker_that_beats_is_seen(storage):
    assert not await storage.heartbeats.any_within(30)
    await storage.heartbeats.beat("worker")
    assert await storage.heartbeats.any_within(30)


async def test_a_worker_that_stopped_is_not_seen(storage):
    await storage.heartbeats.beat("worker")
    await storage.heartbeats.stop("worker")
    await storage.heartbeats.stop("nobody")
    assert not await storage.heartbeats.any_within(30)


async def test_a_worker_that_fell_silent_is_not_seen_until_it_beats_again(storage, run_sql):
    await storage.heartbeats.beat("worker")
    await run_sql("UPDATE workers SET beat_at = beat_at - 31000000")
    assert not await storage.heartbeats.any_within(30)
    assert await storage.heartbeats.any_within(60)
    await storage.heartbeats.beat("worker")
    assert await storage.heartbeats.any_within(30)


async def test_workers_that_were_killed_long_ago_are_forgotten(storage, run_sql):
    await storage.heartbeats.beat("killed")
    await run_sql("UPDATE workers SET beat_at = 1")
    await storage.heartbeats.beat("alive")
    assert [tuple(row) for row in await run_sql("SELECT id FROM workers")] == [("alive",)]
