"""Work that ends in order whoever stops waiting for it."""

from __future__ import annotations

import asyncio

import pytest

from genint.errors import DatabaseAway
from genint.storage import ShieldedTasks, database


async def test_work_answers_its_caller():
    work = ShieldedTasks()
    assert await work.run(asyncio.sleep(0, "done")) == "done"


async def test_work_goes_on_when_its_caller_is_cancelled():
    work = ShieldedTasks()
    go_on, done = asyncio.Event(), asyncio.Event()

    async def step() -> None:
        await go_on.wait()
        done.set()

    caller = asyncio.create_task(work.run(step()))
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    go_on.set()
    await work.close()
    assert done.is_set()


async def test_a_caller_does_not_wait_for_ever(monkeypatch):
    monkeypatch.setattr(database, "WAIT_LIMIT_S", 0.05)
    work = ShieldedTasks()
    go_on = asyncio.Event()
    with pytest.raises(DatabaseAway, match="in time"):
        await work.run(go_on.wait())
    go_on.set()
    await work.close()


async def test_a_timeout_within_the_work_is_not_taken_for_the_own():
    async def step() -> None:
        raise TimeoutError("of the work")

    with pytest.raises(TimeoutError, match="of the work"):
        await ShieldedTasks().run(step())


async def test_closing_ends_work_that_never_would(monkeypatch):
    monkeypatch.setattr(database, "WAIT_LIMIT_S", 0.05)
    work = ShieldedTasks()
    ended = asyncio.Event()

    async def step() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    with pytest.raises(DatabaseAway):
        await work.run(step())
    await work.close()
    assert ended.is_set()


async def test_closing_without_work_is_done_at_once():
    await ShieldedTasks().close()
