"""Jobs on both databases: transitions, strikes, results, retention, notices."""

from __future__ import annotations

import asyncio
import itertools
from enum import StrEnum

import pytest

from genint.errors import TooManyRequests
from genint.model import MAX_RESTARTS, MAX_STRIKES, JobLease, JobStatus


class Trigger(StrEnum):
    """What can happen to a job."""

    CLAIM = "claim"
    """A worker takes it."""
    CANCEL = "cancel"
    """Its owner withdraws it."""
    RERUN = "rerun"
    """Its owner wants it done again."""
    SUCCEED = "succeed"
    """The worker that holds it finishes with a result."""
    FAIL = "fail"
    """The worker that holds it says that the input cannot be interpreted."""
    STRIKE = "strike"
    """Its own worker process died, not for the last time."""
    STRIKE_OUT = "strike out"
    """Its own worker process died for the third time."""
    RELEASE = "release"
    """Its supervisor shuts down, or is gone: the lease ended."""
    RELEASE_OUT = "release out"
    """Its supervisor was gone more often than a job may be started again."""


TRANSITIONS: dict[tuple[JobStatus, Trigger], JobStatus] = {
    (JobStatus.PENDING, Trigger.CLAIM): JobStatus.RUNNING,
    (JobStatus.PENDING, Trigger.CANCEL): JobStatus.CANCELLED,
    (JobStatus.RUNNING, Trigger.CANCEL): JobStatus.CANCELLED,
    (JobStatus.RUNNING, Trigger.SUCCEED): JobStatus.COMPLETED,
    (JobStatus.RUNNING, Trigger.FAIL): JobStatus.FAILED,
    (JobStatus.RUNNING, Trigger.STRIKE): JobStatus.PENDING,
    (JobStatus.RUNNING, Trigger.STRIKE_OUT): JobStatus.FAILED,
    (JobStatus.RUNNING, Trigger.RELEASE): JobStatus.PENDING,
    (JobStatus.RUNNING, Trigger.RELEASE_OUT): JobStatus.FAILED,
    (JobStatus.COMPLETED, Trigger.RERUN): JobStatus.PENDING,
    (JobStatus.FAILED, Trigger.RERUN): JobStatus.PENDING,
    (JobStatus.CANCELLED, Trigger.RERUN): JobStatus.PENDING,
}
"""Every transition there is; what is not here leaves a job as it is."""


def after(status: JobStatus, trigger: Trigger) -> JobStatus | None:
    """Status after a trigger; None where the trigger does not apply."""
    return TRANSITIONS.get((status, trigger))


PLENTY = 100_000
EVERY_PAIR = list(itertools.product(JobStatus, Trigger))
SPENT = "UPDATE jobs SET strikes = 2, restarts = 20"
"""The next strike or restart is one too many."""


async def pull(storage, run_sql, trigger: Trigger, job_id: str, lease: JobLease, outcome) -> None:
    """Let something happen to a job, whatever its status."""
    jobs = storage.jobs
    match trigger:
        case Trigger.CLAIM:
            await jobs.claim("another worker")
        case Trigger.CANCEL:
            await jobs.cancel(job_id)
        case Trigger.RERUN:
            await jobs.rerun(job_id)
        case Trigger.SUCCEED:
            await jobs.finish(lease, outcome)
        case Trigger.FAIL:
            await jobs.fail(lease, "it is no genome")
        case Trigger.STRIKE:
            await jobs.strike(lease, "it died")
        case Trigger.STRIKE_OUT:
            await run_sql(SPENT)
            await jobs.strike(lease, "it died")
        case Trigger.RELEASE:
            await jobs.release(lease)
        case Trigger.RELEASE_OUT:
            await run_sql(SPENT)
            await jobs.release(lease)


async def test_every_trigger_does_in_every_status_what_the_table_says(
    storage, run_sql, reach, outcome
):
    seen = {}
    for status, trigger in EVERY_PAIR:
        job = await reach(status)
        lease = JobLease(job.id, job.attempt, job.owner or "worker")
        await pull(storage, run_sql, trigger, job.id, lease, outcome)
        seen[status, trigger] = (await storage.jobs.get(job.id)).status
        await storage.jobs.cancel(job.id)  # so that the next claim finds the next job
    assert seen == {
        (status, trigger): after(status, trigger) or status for status, trigger in EVERY_PAIR
    }


async def test_a_trigger_that_does_not_apply_changes_nothing(storage, run_sql, reach, outcome):
    for status, trigger in EVERY_PAIR:
        if after(status, trigger) is None:
            job = await reach(status)
            await run_sql(SPENT)
            before = await storage.jobs.get(job.id)
            lease = JobLease(job.id, job.attempt, job.owner or "worker")
            await pull(storage, run_sql, trigger, job.id, lease, outcome)
            assert await storage.jobs.get(job.id) == before, (status, trigger)
            await storage.jobs.cancel(job.id)


async def test_the_third_strike_fails_the_job(storage, new_job):
    await storage.jobs.submit(new_job(), max_pending=1)
    seen = []
    for number in range(1, MAX_STRIKES + 1):
        job = await storage.jobs.claim("worker")
        seen.append(await storage.jobs.strike(job.lease, f"it died {number} times"))
    assert seen == [JobStatus.PENDING, JobStatus.PENDING, JobStatus.FAILED]
    job = await storage.jobs.get(job.id)
    assert (job.error_message, job.attempt, job.strikes) == ("it died 3 times", 3, 3)


async def test_a_job_is_started_again_twenty_times_after_shutdowns(storage, new_job):
    await storage.jobs.submit(new_job(), max_pending=1)
    seen = []
    while (job := await storage.jobs.claim("worker")) is not None:
        seen.append(await storage.jobs.release(job.lease))
    assert seen == [JobStatus.PENDING] * MAX_RESTARTS + [JobStatus.FAILED]
    (page,) = (await storage.jobs.list(new_job().user_id, status=None, limit=1, cursor=None)).jobs
    assert "given up" in page.error_message
    assert page.strikes == 0


async def test_a_rerun_begins_anew_and_keeps_the_old_report(storage, reach):
    job = await reach(JobStatus.COMPLETED)
    rerun = await storage.jobs.rerun(job.id)
    assert (rerun.report_attempt, rerun.report_version, rerun.counts, rerun.attempt) == (
        *(job.report_attempt, job.report_version, job.counts, job.attempt),
    )
    assert (rerun.progress, rerun.strikes, rerun.restarts) == (0, 0, 0)
    assert rerun.error_message is rerun.started_at is rerun.finished_at is None
    cancelled = await storage.jobs.cancel(job.id)
    assert cancelled.report_attempt == job.report_attempt


async def test_a_rerun_forgives_strikes_and_restarts(storage, run_sql, reach):
    job = await reach(JobStatus.FAILED)
    await run_sql("UPDATE jobs SET strikes = 3, restarts = 20")
    rerun = await storage.jobs.rerun(job.id)
    assert (rerun.strikes, rerun.restarts, rerun.error_message) == (0, 0, None)


async def test_progress_is_one_exactly_when_a_job_is_completed(storage, reach, outcome):
    lease = (await reach(JobStatus.RUNNING)).lease
    for given, shown in ((0.25, 0.25), (-1, 0), (1, 0.999), (7, 0.999)):
        assert await storage.jobs.set_progress(lease, given)
        assert (await storage.jobs.get(lease.job_id)).progress == pytest.approx(shown)
    await storage.jobs.finish(lease, outcome)
    assert (await storage.jobs.get(lease.job_id)).progress == 1


async def test_a_finished_job_shows_its_counts_and_times(storage, run_sql, reach, outcome):
    lease = (await reach(JobStatus.RUNNING)).lease
    await run_sql("UPDATE jobs SET started_at = started_at - 2600000")
    await storage.jobs.finish(lease, outcome)
    job = await storage.jobs.get(lease.job_id)
    assert (job.counts, job.report_attempt, job.report_version) == (outcome.counts, 1, "1.0")
    assert job.processing_time_seconds == 3
    assert job.created_at <= job.queued_at <= job.finished_at
    assert job.owner is None


async def test_a_failed_job_says_why(storage, reach):
    job = await reach(JobStatus.FAILED)
    assert job.error_message == "it is no genome"


async def test_only_the_report_that_is_served_gets_another_version(storage, reach):
    job = await reach(JobStatus.COMPLETED)
    assert not await storage.jobs.set_report_version(job.id, job.attempt + 1, "2.0")
    assert await storage.jobs.set_report_version(job.id, job.attempt, "1.1")
    assert (await storage.jobs.get(job.id)).report_version == "1.1"


async def test_jobs_that_ended_long_ago_are_deleted_with_their_genes(
    storage, run_sql, reach, user_id
):
    old = await reach(JobStatus.COMPLETED)
    await run_sql("UPDATE jobs SET finished_at = finished_at - 86400000001 * 3")
    kept = {(await reach(status)).id for status in (JobStatus.FAILED, JobStatus.PENDING)}
    assert await storage.jobs.delete_ended_before(4) == ()
    assert [job.id for job in await storage.jobs.delete_ended_before(3)] == [old.id]
    page = await storage.jobs.list(user_id)
    assert {job.id for job in page.jobs} == kept
    assert await run_sql("SELECT job_id FROM dark_genes") == []


async def test_known_ids_are_those_of_jobs(storage, reach):
    job = await reach(JobStatus.PENDING)
    asked = [job.id, "nobody's", *(f"x{number}" for number in range(1_000))]
    assert await storage.jobs.known_ids(asked) == {job.id}
    assert await storage.jobs.known_ids([]) == frozenset()


async def test_an_unknown_job_is_none_to_everything(storage, outcome):
    lease = JobLease("no such job", 1, "worker")
    assert await storage.jobs.get(lease.job_id) is None
    assert await storage.jobs.cancel(lease.job_id) is None
    assert await storage.jobs.rerun(lease.job_id) is None
    assert not await storage.jobs.finish(lease, outcome)


async def test_who_listens_hears_what_is_queued_cancelled_and_given_up(storage, run_sql, new_job):
    jobs = storage.jobs
    heard = []
    async with asyncio.timeout(10), jobs.notices() as notices:
        job, _ = await jobs.submit(new_job(), max_pending=1)
        await jobs.release((await jobs.claim("worker")).lease)
        await jobs.strike((await jobs.claim("worker")).lease, "it died")
        await jobs.claim("worker")
        await run_sql("UPDATE jobs SET lease_until = 1")
        await jobs.sweep()
        await jobs.cancel(job.id)
        await jobs.rerun(job.id)
        await run_sql("UPDATE jobs SET strikes = 2")
        await jobs.strike((await jobs.claim("worker")).lease, "it died")
        heard.extend([await anext(notices) for _ in range(7)])
    kinds = ["queued", "queued", "queued", "queued", "ended", "queued", "ended"]
    assert heard == [(kind, job.id) for kind in kinds]


async def test_a_refused_submission_is_not_announced(storage, new_job):
    async with asyncio.timeout(10), storage.jobs.notices() as notices:
        with pytest.raises(TooManyRequests):
            await storage.jobs.submit(new_job(), max_pending=0)
        job, _ = await storage.jobs.submit(new_job(), max_pending=1)
        assert await anext(notices) == ("queued", job.id)


async def test_a_queue_is_counted_with_the_age_of_its_oldest_job(storage, reach, run_sql):
    assert await storage.jobs.queue_state() == (0, 0, None)
    await reach(JobStatus.RUNNING)
    oldest = await reach(JobStatus.PENDING)
    await reach(JobStatus.PENDING)
    earlier = "UPDATE jobs SET queued_at = queued_at - 60000000"
    await run_sql(f"{earlier} WHERE id = '{oldest.id}'")
    state = await storage.jobs.queue_state()
    assert (state.waiting, state.running) == (2, 1)
    assert 60 <= state.oldest_waiting_s < 90
