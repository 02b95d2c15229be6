"""Progress is written forward only, seldom, and never in the way."""

from __future__ import annotations

import asyncio

from genint.worker.attempt import BEGUN, CALLED, SEARCHED, ProgressWriter, searched


def test_the_stages_follow_each_other_up_to_less_than_one():
    steps = [BEGUN, CALLED, *(searched(done, 7) for done in range(1, 8))]
    assert steps == sorted(steps)
    assert searched(0, 7) == CALLED
    assert steps[-1] == SEARCHED < 1


async def test_it_is_written_at_once_then_at_most_twice_a_second(desk):
    job_id = await desk.submit(b">one\nACGT\n")
    claimed = await desk.jobs.claim("me")
    writer = ProgressWriter(desk.jobs, claimed.held)
    await writer.report(0.1)
    assert (await desk.job(job_id)).progress == 0.1
    await writer.report(0.2)
    assert (await desk.job(job_id)).progress == 0.1
    async with asyncio.timeout(5):
        while (await desk.job(job_id)).progress == 0.1:
            await writer.report(0.3)
    await writer.report(0.05)
    assert (await desk.job(job_id)).progress == 0.3


async def test_it_never_touches_a_job_that_somebody_else_holds(desk):
    job_id = await desk.submit(b">one\nACGT\n")
    lost = await desk.jobs.claim("me")
    await desk.jobs.requeue_running()
    await desk.jobs.claim("somebody")
    await ProgressWriter(desk.jobs, lost.held).report(0.5)
    assert (await desk.job(job_id)).progress == 0
