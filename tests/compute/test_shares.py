"""Promises to owners who share worker processes."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from genint.compute import ProcessBackend, open_backend
from genint.errors import WorkCancelled, WorkerDied
from tests.compute import compute_works as works

from .conftest import is_running


async def begun(*places):
    """Process ids of works, once they have all begun."""
    for place in places:
        await asyncio.to_thread(works.until, place.exists)
    return [int(place.read_text()) for place in places]


async def test_a_share_may_use_every_idle_process(processes, tmp_path):
    share = processes.share()
    left, right = tmp_path / "left", tmp_path / "right"
    first, second = await asyncio.gather(
        share.run(works.meet, left, right), share.run(works.meet, right, left)
    )
    assert first != second


async def test_a_share_waits_for_one_call_of_another_not_for_all(processes, tmp_path):
    greedy, modest = processes.share(), processes.share()
    places = [tmp_path / f"{at}" for at in range(6)]
    ends = [tmp_path / f"{at}.end" for at in range(6)]
    long = [
        asyncio.create_task(greedy.run(works.announce_and_await, place, end))
        for place, end in zip(places, ends, strict=True)
    ]
    await begun(*places[:2])
    answer = asyncio.create_task(modest.run(works.echo, "mine"))
    await asyncio.sleep(0)
    works.announce(ends[0], "done")
    async with asyncio.timeout(20):
        assert await answer == "mine"
    assert [task.done() for task in long] == [True, *[False] * 5]
    for end in ends[1:]:
        works.announce(end, "done")
    await asyncio.gather(*long)


async def test_cancelling_one_share_leaves_the_processes_of_others_alone(processes, tmp_path):
    doomed, other = processes.share(), processes.share()
    place, theirs, end = tmp_path / "doomed", tmp_path / "theirs", tmp_path / "end"
    task = asyncio.create_task(doomed.run(works.hash_for_ever, place))
    kept = asyncio.create_task(other.run(works.announce_and_await, theirs, end))
    mine, their = await begun(place, theirs)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.to_thread(works.until, lambda: not is_running(mine), within_s=3)
    works.announce(end, "unharmed")
    assert await kept == "unharmed"
    assert is_running(their)


async def test_a_killed_process_costs_only_the_share_that_used_it(processes, tmp_path):
    doomed, other = processes.share(), processes.share()
    place, theirs, end = tmp_path / "doomed", tmp_path / "theirs", tmp_path / "end"
    task = asyncio.create_task(doomed.run(works.idle_for_ever, place))
    kept = asyncio.create_task(other.run(works.announce_and_await, theirs, end))
    mine, _ = await begun(place, theirs)
    os.kill(mine, signal.SIGKILL)
    with pytest.raises(WorkerDied):
        await task
    works.announce(end, "unharmed")
    assert await kept == "unharmed"
    assert await doomed.run(works.echo, "again") == "again"


async def test_a_closed_share_ends_its_calls_and_no_others(tmp_path):
    async with asyncio.timeout(30), open_backend(workers=2) as backend:
        assert isinstance(backend, ProcessBackend)
        doomed, other = backend.share(), backend.share()
        place, theirs, end = tmp_path / "doomed", tmp_path / "theirs", tmp_path / "end"
        kept = asyncio.create_task(other.run(works.announce_and_await, theirs, end))
        await begun(theirs)
        tasks = [asyncio.create_task(doomed.run(works.idle_for_ever, place)) for _ in range(2)]
        [mine] = await begun(place)
        await doomed.close()
        for task in tasks:
            with pytest.raises(WorkCancelled):
                await task
        with pytest.raises(WorkCancelled):
            await doomed.run(works.echo, 1)
        assert not is_running(mine)
        works.announce(end, "unharmed")
        assert await kept == "unharmed"
        assert await asyncio.gather(*(backend.run(works.echo, at) for at in range(4))) == [
            *range(4)
        ]


async def test_processes_step_back_as_far_as_they_should():
    backend = ProcessBackend(1, nice=10)
    try:
        there = await backend.run(os.nice, 0)
    finally:
        await backend.close()
    assert there == min(os.nice(0) + 10, 19)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has such a score")
async def test_memory_that_runs_out_costs_a_worker_before_its_parent(processes):
    score = Path("/proc/self/oom_score_adj")
    there = await processes.run(Path.read_text, score)
    assert int(there) == min(1000, int(score.read_text()) + 500)
