"""Claims, leases and fencing on both databases: who holds a job, and who no longer does."""

from __future__ import annotations

import asyncio
from collections import Counter

from genint.model import JobLease, JobStatus

PLENTY = 100_000


async def test_fifty_claimers_take_every_job_once(storage, new_job):
    wanted = [new_job() for _ in range(150)]
    for job in wanted:
        await storage.jobs.submit(job, max_pending=PLENTY)
    taken: Counter[str] = Counter()

    async def take_all(owner: str) -> None:
        while (job := await storage.jobs.claim(owner)) is not None:
            assert job.lease == JobLease(job.id, 1, owner)
            taken[job.id] += 1

    async with asyncio.TaskGroup() as group:
        for number in range(50):
            group.create_task(take_all(f"worker {number}"))
    assert taken == Counter(job.id for job in wanted)


async def test_nothing_is_claimed_where_nothing_waits(storage, reach):
    await reach(JobStatus.RUNNING)
    assert await storage.jobs.claim("another worker") is None


async def test_jobs_of_one_user_are_claimed_in_the_order_of_arrival(storage, new_job):
    wanted = [new_job() for _ in range(5)]
    for job in wanted:
        await storage.jobs.submit(job, max_pending=PLENTY)
    claimed = [(await storage.jobs.claim("worker")).id for _ in wanted]
    assert claimed == [job.id for job in wanted]


async def test_the_user_with_the_fewest_running_jobs_is_served_first(
    storage, new_job, another_user
):
    for _ in range(6):
        await storage.jobs.submit(new_job(), max_pending=PLENTY)
    modest = await another_user()
    await storage.jobs.submit(new_job(user_id=modest), max_pending=PLENTY)
    await storage.jobs.submit(new_job(user_id=modest), max_pending=PLENTY)
    claimed = [(await storage.jobs.claim("worker")).user_id == modest for _ in range(6)]
    assert claimed == [False, True, False, True, False, False]


async def test_a_job_that_was_put_back_keeps_its_place(storage, new_job):
    first, second = new_job(), new_job()
    for job in (first, second):
        await storage.jobs.submit(job, max_pending=PLENTY)
    for put_back in (storage.jobs.release, lambda lease: storage.jobs.strike(lease, "it died")):
        await put_back((await storage.jobs.claim("worker")).lease)
    assert (await storage.jobs.claim("worker")).id == first.id


async def test_a_rerun_queues_behind_those_who_wait(storage, new_job, reach):
    old = await reach(JobStatus.COMPLETED)
    waiting, _ = await storage.jobs.submit(new_job(), max_pending=PLENTY)
    rerun = await storage.jobs.rerun(old.id)
    assert rerun.created_at == old.created_at
    assert rerun.queued_at > waiting.queued_at
    assert (await storage.jobs.claim("worker")).id == waiting.id


async def test_a_lease_that_ended_puts_the_job_back(storage, run_sql, reach):
    job = await reach(JobStatus.RUNNING)
    assert await storage.jobs.sweep() == ()
    await run_sql("UPDATE jobs SET lease_until = 1")
    assert await storage.jobs.sweep() == (job.id,)
    assert await storage.jobs.sweep() == ()
    back = await storage.jobs.get(job.id)
    assert (back.status, back.owner, back.restarts, back.strikes, back.progress) == (
        *(JobStatus.PENDING, None, 1, 0, 0),
    )
    assert back.queued_at == job.queued_at


async def test_a_lease_lasts_thirty_seconds_and_is_renewed(storage, run_sql, reach):
    job = await reach(JobStatus.RUNNING)
    await run_sql("UPDATE jobs SET lease_until = 1")
    assert await storage.jobs.extend("worker") == {job.lease}
    ((until,),) = await run_sql("SELECT lease_until FROM jobs")
    ((began,),) = await run_sql("SELECT started_at FROM jobs")
    assert 30_000_000 <= until - began < 40_000_000
    assert await storage.jobs.sweep() == ()


async def test_who_held_a_job_is_refused_once_another_does(storage, run_sql, reach, outcome):
    old = (await reach(JobStatus.RUNNING)).lease
    await run_sql("UPDATE jobs SET lease_until = 1")
    await storage.jobs.sweep()
    new = (await storage.jobs.claim("another worker")).lease
    assert new.attempt == old.attempt + 1
    before = await storage.jobs.get(old.job_id)
    refused = [
        await storage.jobs.set_progress(old, 0.5),
        await storage.jobs.finish(old, outcome),
        await storage.jobs.fail(old, "late"),
        await storage.jobs.strike(old, "late"),
        await storage.jobs.release(old),
    ]
    assert refused == [False, False, False, None, None]
    assert await storage.jobs.extend(old.owner) == frozenset()
    assert await storage.jobs.get(old.job_id) == before
    assert await storage.jobs.finish(new, outcome)


async def test_the_same_worker_is_refused_for_an_older_attempt(storage, reach, outcome):
    old = (await reach(JobStatus.RUNNING)).lease
    await storage.jobs.release(old)
    new = (await storage.jobs.claim("worker")).lease
    assert not await storage.jobs.finish(old, outcome)
    assert await storage.jobs.held_by("worker") == {new}


async def test_a_job_that_was_cancelled_is_no_longer_held(storage, reach):
    kept, cancelled = await reach(JobStatus.RUNNING), await reach(JobStatus.RUNNING)
    await storage.jobs.cancel(cancelled.id)
    assert await storage.jobs.held_by("worker") == {kept.lease}
    assert await storage.jobs.extend("worker") == {kept.lease}
    assert await storage.jobs.extend("another worker") == frozenset()


async def test_all_running_jobs_are_put_back_at_once(storage, reach):
    running = {(await reach(JobStatus.RUNNING)).id for _ in range(3)}
    await reach(JobStatus.COMPLETED)
    assert set(await storage.jobs.requeue_running()) == running
    assert await storage.jobs.requeue_running() == ()


async def test_of_cancel_and_finish_at_once_one_wins_and_says_so(storage, new_job, outcome):
    for _ in range(20):
        await storage.jobs.submit(new_job(), max_pending=PLENTY)
        job = await storage.jobs.claim("worker")
        finished, cancelled = await asyncio.gather(
            storage.jobs.finish(job.lease, outcome), storage.jobs.cancel(job.id)
        )
        status = (await storage.jobs.get(job.id)).status
        assert finished is (cancelled is None)
        assert status is (JobStatus.COMPLETED if finished else JobStatus.CANCELLED)
        page = await storage.jobs.dark_genes(job.user_id)
        assert (job.id in {gene.job_id for gene in page.genes}) is finished


async def test_of_many_reruns_at_once_one_wins(storage, reach):
    job = await reach(JobStatus.COMPLETED)
    answers = await asyncio.gather(*(storage.jobs.rerun(job.id) for _ in range(20)))
    assert len([answer for answer in answers if answer is not None]) == 1
    assert (await storage.jobs.claim("worker")).attempt == job.attempt + 1


async def test_of_many_cancellations_at_once_one_wins(storage, reach):
    job = await reach(JobStatus.RUNNING)
    answers = await asyncio.gather(*(storage.jobs.cancel(job.id) for _ in range(20)))
    assert len([answer for answer in answers if answer is not None]) == 1
