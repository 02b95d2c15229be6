"""Long lists are sent in batches, a few at a time."""

from __future__ import annotations

import asyncio

from genint.online.protocol import in_batches


async def test_all_are_sent_once_and_few_at_a_time():
    sent, under_way, most = [], 0, 0

    async def send(batch):
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        under_way -= 1
        sent.extend(batch)
        return True

    await in_batches(range(95), lambda: 10, send)
    assert sorted(sent) == list(range(95))
    assert most == 2


async def test_a_batch_that_is_too_large_is_sent_again_in_smaller_ones():
    sent, limit = [], 64

    async def send(batch):
        nonlocal limit
        await asyncio.sleep(0)
        if len(batch) > 5:
            limit = len(batch) // 2
            return False
        sent.append(len(batch))
        return True

    await in_batches(range(100), lambda: limit, send)
    assert sum(sent) == 100
    assert max(sent) <= 5


async def test_of_nothing_nothing_is_sent():
    async def send(_batch):
        raise AssertionError

    await in_batches([], lambda: 10, send)
