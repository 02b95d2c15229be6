"""Promises of turns; a turn here lasts until the test ends it."""

from __future__ import annotations

import asyncio

import pytest

from genint.compute.processes import FairScheduler, JobQueue
from genint.errors import WorkCancelled


class Call:
    """A call that wants a turn, has it, and ends when told."""

    def __init__(self, turns: FairScheduler, party: JobQueue) -> None:
        self.has_turn = False
        self._end = asyncio.Event()
        self.task = asyncio.create_task(self._take(turns, party))

    async def _take(self, turns: FairScheduler, party: JobQueue) -> None:
        async with turns.turn(party):
            self.has_turn = True
            await self._end.wait()

    async def end(self) -> None:
        self._end.set()
        await self.task


async def settle() -> None:
    """Let every task run as far as it can."""
    for _ in range(5):
        await asyncio.sleep(0)


async def calls(turns: FairScheduler, party: JobQueue, number: int) -> list[Call]:
    made = [Call(turns, party) for _ in range(number)]
    await settle()
    return made


async def end_all(*made: Call) -> None:
    async with asyncio.timeout(5):
        await asyncio.gather(*(call.end() for call in made))


async def test_one_party_may_have_all_places_and_then_waits_in_order():
    turns = FairScheduler(3)
    made = await calls(turns, JobQueue(), 5)
    assert [call.has_turn for call in made] == [True, True, True, False, False]
    await made[1].end()
    await settle()
    assert [call.has_turn for call in made] == [True, True, True, True, False]
    await end_all(*made)


async def test_a_free_place_goes_to_the_party_with_the_fewest():
    turns = FairScheduler(3)
    greedy = await calls(turns, JobQueue(), 6)
    modest = await calls(turns, JobQueue(), 2)
    await greedy[0].end()
    await settle()
    assert (modest[0].has_turn, greedy[3].has_turn) == (True, False)
    await modest[0].end()
    await settle()
    assert (modest[1].has_turn, greedy[3].has_turn) == (True, False)
    await greedy[1].end()
    await settle()
    assert greedy[3].has_turn
    await end_all(*greedy, *modest)


async def test_of_equal_parties_the_one_that_waited_longest_is_next():
    turns = FairScheduler(1)
    [first] = await calls(turns, JobQueue(), 1)
    [second] = await calls(turns, JobQueue(), 1)
    [third] = await calls(turns, JobQueue(), 1)
    await first.end()
    await settle()
    assert (second.has_turn, third.has_turn) == (True, False)
    await end_all(second, third)


async def test_whoever_stops_waiting_takes_no_place():
    turns, party = FairScheduler(1), JobQueue()
    first, waiting, last = await calls(turns, party, 3)
    waiting.task.cancel()
    await settle()
    await first.end()
    await settle()
    assert last.has_turn
    assert not waiting.has_turn
    await last.end()
    assert party.busy == 0


@pytest.mark.parametrize("steps", range(4))
async def test_cancelling_in_the_moment_of_the_grant_loses_no_place(steps):
    turns = FairScheduler(1)
    holder, unlucky = JobQueue(), JobQueue()
    [first] = await calls(turns, holder, 1)
    [second] = await calls(turns, unlucky, 1)
    first._end.set()
    for _ in range(steps):
        await asyncio.sleep(0)
    second.task.cancel()
    await settle()
    assert (holder.busy, unlucky.busy) == (0, 0)
    [third] = await calls(turns, JobQueue(), 1)
    assert third.has_turn
    await third.end()


async def test_a_dropped_party_stops_waiting_and_others_go_on():
    turns, dropped = FairScheduler(1), JobQueue()
    [first] = await calls(turns, JobQueue(), 1)
    given_up = await calls(turns, dropped, 2)
    [other] = await calls(turns, JobQueue(), 1)
    turns.drop(dropped)
    for call in given_up:
        with pytest.raises(WorkCancelled):
            await call.task
    await first.end()
    await settle()
    assert other.has_turn
    await other.end()
