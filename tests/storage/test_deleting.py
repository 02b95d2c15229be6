"""Deleting jobs and what users may store, on both databases."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from genint.errors import TooLarge
from genint.model import JobStatus

PLENTY = 100_000


async def submit(storage, new, **limits):
    return (await storage.jobs.submit(new, max_pending=PLENTY, **limits)).job


async def test_a_deleted_job_is_gone_with_its_dark_genes_whatever_its_status(
    storage, reach, run_sql
):
    for status in JobStatus:
        job = await reach(status)
        assert await storage.jobs.delete(job.id), status
        assert await storage.jobs.get(job.id) is None
        assert not await storage.jobs.delete(job.id)
    assert await run_sql("SELECT * FROM dark_genes") == []


async def test_the_worker_of_a_deleted_job_learns_of_it_and_its_result_is_refused(
    storage, reach, outcome
):
    job = await reach(JobStatus.RUNNING)
    async with storage.jobs.notices() as notices, asyncio.timeout(10):
        await storage.jobs.delete(job.id)
        async for notice in notices:
            if (notice.kind, notice.job_id) == ("ended", job.id):
                break
    assert await storage.jobs.held_by("worker") == frozenset()
    assert not await storage.jobs.finish(job.lease, outcome)
    assert await storage.jobs.get(job.id) is None


async def test_uploads_and_the_last_result_count_as_stored_until_their_job_is_deleted(
    storage, new_job, outcome
):
    job = await submit(storage, new_job(upload_bytes=600))
    for result_bytes in (900, 300):
        claimed = await storage.jobs.claim("worker")
        sized = replace(outcome, result_bytes=result_bytes)
        assert await storage.jobs.finish(claimed.lease, sized)
        await storage.jobs.rerun(job.id)
    await submit(storage, new_job(upload_bytes=100), max_stored_bytes=1000)
    with pytest.raises(TooLarge, match=r"0\.0 MB of the 0\.001 MB"):
        await submit(storage, new_job(upload_bytes=1), max_stored_bytes=1000)
    await storage.jobs.delete(job.id)
    await submit(storage, new_job(upload_bytes=900), max_stored_bytes=1000)


async def test_what_one_user_stores_does_not_count_for_another(storage, new_job, another_user):
    await submit(storage, new_job(upload_bytes=1000), max_stored_bytes=1000)
    other = new_job(upload_bytes=1000, user_id=await another_user())
    await submit(storage, other, max_stored_bytes=1000)


async def test_of_many_uploads_at_once_only_those_that_fit_get_in(storage, new_job):
    answers = await asyncio.gather(
        *(submit(storage, new_job(upload_bytes=100), max_stored_bytes=550) for _ in range(10)),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, TooLarge) for answer in answers) == 5


async def test_a_repeated_request_passes_whatever_is_stored_and_waits(storage, new_job, user_id):
    limits = {"max_pending": 1, "max_stored_bytes": 1000}
    await storage.jobs.submit(new_job(idempotency_key="once", upload_bytes=1000), **limits)
    asked = limits | {"upload_bytes": 1000}
    await storage.jobs.check_room(user_id, idempotency_key="once", **asked)
    for key in (None, "other"):
        with pytest.raises(TooLarge):
            await storage.jobs.check_room(
                user_id, idempotency_key=key, **(asked | {"max_pending": PLENTY})
            )


async def test_uploads_of_cancelled_jobs_go_and_such_a_job_is_not_run_again(storage, reach):
    made = {status: await reach(status) for status in reversed(JobStatus)}
    cancelled = made[JobStatus.CANCELLED]
    assert await storage.jobs.drop_cancelled_uploads(1) == ()
    assert await storage.jobs.drop_cancelled_uploads(0) == (cancelled.upload,)
    assert await storage.jobs.drop_cancelled_uploads(0) == ()
    assert await storage.jobs.rerun(cancelled.id) is None
    assert await storage.jobs.rerun(made[JobStatus.FAILED].id) is not None


async def test_a_cancelled_job_with_an_earlier_result_keeps_its_upload(storage, reach):
    job = await reach(JobStatus.COMPLETED)
    await storage.jobs.rerun(job.id)
    await storage.jobs.cancel(job.id)
    assert await storage.jobs.drop_cancelled_uploads(0) == ()
