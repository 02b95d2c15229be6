"""Duties go on whatever happens to them."""

from __future__ import annotations

import asyncio
import logging

import pytest

from genint.errors import DatabaseAway
from genint.worker.supervisor import repeat


class Rounds:
    """A duty whose rounds end as they are told; sets ``done`` after the last."""

    def __init__(self, *endings: Exception | None) -> None:
        self._endings = list(endings)
        self.done = asyncio.Event()

    async def __call__(self) -> None:
        if not self._endings:
            self.done.set()
            return
        ending = self._endings.pop(0)
        if ending is not None:
            raise ending


async def run_to_the_end(rounds, **options):
    task = asyncio.create_task(repeat(rounds, name="duty", every_s=0.001, **options))
    async with asyncio.timeout(10):
        await rounds.done.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def events(caplog) -> list[str]:
    return [record.event for record in caplog.records]


async def test_an_error_ends_one_round_and_is_logged_with_its_place(caplog):
    await run_to_the_end(Rounds(ValueError("wrong"), None, KeyError("worse")))
    assert events(caplog) == ["duty_failed", "duty_failed"]
    assert all(record.exc_info for record in caplog.records)


async def test_a_database_that_stays_away_is_logged_once_and_once_when_it_is_back(caplog):
    caplog.set_level(logging.INFO, "genint.worker")
    await run_to_the_end(Rounds(*[DatabaseAway("away")] * 5, None, TimeoutError()))
    assert events(caplog) == ["duty_waits", "duty_goes_on", "duty_waits", "duty_goes_on"]


async def test_a_wake_ends_the_pause_even_when_it_comes_during_a_round():
    wake, rounds = asyncio.Event(), 0
    third = asyncio.Event()

    async def duty() -> None:
        nonlocal rounds
        rounds += 1
        if rounds == 1:
            wake.set()
        if rounds == 3:
            third.set()

    task = asyncio.create_task(repeat(duty, name="duty", every_s=3600, wake=wake))
    while rounds < 2:
        await asyncio.sleep(0)
    wake.set()
    async with asyncio.timeout(5):
        await third.wait()
    task.cancel()
    await asyncio.wait([task])
