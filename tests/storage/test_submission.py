"""Handing in jobs on both databases: once per key, no more than the quota."""

from __future__ import annotations

import asyncio
from datetime import date

import pytest

from genint.errors import NotFound, TooManyRequests
from genint.model import JobStatus

PLENTY = 100_000


async def test_a_new_job_waits_with_what_was_handed_in(storage, new_job, user_id):
    given = {"locus_tag_prefix": "ABC", "run_date": date(2026, 11, 25)}
    new = new_job(phage_mode=True, mode="local", idempotency_key="k", fingerprint="f", **given)
    job, is_new = await storage.jobs.submit(new, max_pending=1)
    assert is_new
    assert job == await storage.jobs.get(new.id)
    assert (job.id, job.user_id, job.filename, job.upload) == (
        *(new.id, user_id, new.filename, new.upload),
    )
    assert (job.phage_mode, job.mode, job.idempotency_key, job.fingerprint) == (
        *(True, "local", "k", "f"),
    )
    assert (job.locus_tag_prefix, job.run_date) == ("ABC", date(2026, 11, 25))
    assert (job.status, job.attempt, job.owner, job.progress) == (JobStatus.PENDING, 0, None, 0)
    assert job.created_at.tzinfo is not None
    assert job.queued_at == job.created_at
    assert job.started_at is job.finished_at is job.report_attempt is job.error_message is None


async def test_a_job_of_nobody_is_refused(storage, new_job):
    with pytest.raises(NotFound):
        await storage.jobs.submit(new_job(user_id="nobody"), max_pending=1)


async def test_text_that_no_database_stores_is_stored_legibly(storage, new_job):
    job, _ = await storage.jobs.submit(new_job(filename="a\0b\ud800c\U0001f9ecd"), max_pending=1)
    assert job.filename == "a\ufffdb\ufffdc\U0001f9ecd"


async def test_of_many_submissions_at_once_exactly_the_quota_gets_in(storage, new_job):
    answers = await asyncio.gather(
        *(storage.jobs.submit(new_job(), max_pending=20) for _ in range(60)),
        return_exceptions=True,
    )
    refused = [answer for answer in answers if isinstance(answer, TooManyRequests)]
    assert (len(answers) - len(refused), len(refused)) == (20, 40)


async def test_running_jobs_do_not_count_against_the_quota(storage, new_job, reach):
    await reach(JobStatus.RUNNING)
    assert (await storage.jobs.submit(new_job(), max_pending=1)).is_new


async def test_the_quota_of_one_user_is_not_that_of_another(storage, new_job, another_user):
    await storage.jobs.submit(new_job(), max_pending=1)
    other = new_job(user_id=await another_user())
    assert (await storage.jobs.submit(other, max_pending=1)).is_new


async def test_the_same_request_many_times_at_once_is_one_job(storage, new_job, user_id):
    answers = await asyncio.gather(
        *(
            storage.jobs.submit(new_job(idempotency_key="once"), max_pending=PLENTY)
            for _ in range(20)
        )
    )
    assert len({answer.job.id for answer in answers}) == 1
    assert [answer.is_new for answer in answers].count(True) == 1
    page = await storage.jobs.list(user_id)
    assert len(page.jobs) == 1


async def test_a_repeated_request_is_answered_although_the_quota_is_used_up(storage, new_job):
    first = await storage.jobs.submit(new_job(idempotency_key="once"), max_pending=1)
    again = await storage.jobs.submit(new_job(idempotency_key="once"), max_pending=1)
    assert again == (first.job, False)


async def test_two_users_may_use_the_same_idempotency_key(storage, new_job, another_user):
    await storage.jobs.submit(new_job(idempotency_key="once"), max_pending=1)
    other = new_job(idempotency_key="once", user_id=await another_user())
    assert (await storage.jobs.submit(other, max_pending=1)).is_new
