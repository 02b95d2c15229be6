"""Progress is written forward only, seldom, and never in the way."""

from __future__ import annotations

import asyncio

from genint.pipeline.run import Progress
from genint.worker.attempt import SEARCHED, ProgressWriter, progress_of


def searched(done, total):
    return Progress("searching", done, total)


def test_the_stages_follow_each_other_up_to_less_than_one():
    stages = [Progress("reading", 0, 1), *(searched(done, 7) for done in range(8))]
    steps = [progress_of(stage) for stage in stages]
    assert steps == sorted(steps)
    assert steps[0] > 0
    assert steps[-1] == SEARCHED < 1


def test_stages_beside_others_are_no_progress():
    assert progress_of(Progress("querying UniProt and InterPro", 1, 1)) == 0


async def test_it_is_written_at_once_then_at_most_twice_a_second(desk):
    job_id = await desk.submit(b">one\nACGT\n")
    claimed = await desk.jobs.claim("me")
    first, second, third = (progress_of(searched(done, 9)) for done in (1, 2, 3))

    async def progress():
        return (await desk.job(job_id)).progress

    async with ProgressWriter(desk.jobs, claimed.lease) as report:
        report(searched(1, 9))
        async with asyncio.timeout(5):
            while await progress() != first:
                await asyncio.sleep(0)
        report(searched(2, 9))
        assert await progress() == first
        async with asyncio.timeout(5):
            while await progress() == first:
                report(searched(3, 9))
        assert await progress() == third > second
        seen = [third]
        async with asyncio.timeout(5):
            while seen[-1] != SEARCHED:
                report(searched(1, 9))
                report(searched(9, 9))
                seen.append(await progress())
        assert seen == sorted(seen)


async def test_it_never_touches_a_job_that_another_worker_holds(desk):
    job_id = await desk.submit(b">one\nACGT\n")
    lost = await desk.jobs.claim("me")
    await desk.jobs.requeue_running()
    await desk.jobs.claim("another")
    async with ProgressWriter(desk.jobs, lost.lease) as report:
        report(searched(1, 2))
    assert (await desk.job(job_id)).progress == 0
