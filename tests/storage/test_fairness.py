"""Whose turn it is, on both databases: nobody waits for all the jobs of somebody else."""

from __future__ import annotations

import pytest

from genint.model.job import JobLease
from genint.storage import Storage

PLENTY = 100_000


@pytest.fixture
def submit(storage, new_job):
    """Hands in jobs of a user; their ids."""

    async def hand_in(user_id: str, number: int = 1) -> list[str]:
        made = [new_job(user_id=user_id) for _ in range(number)]
        for job in made:
            await storage.jobs.submit(job, max_pending=PLENTY)
        return [job.id for job in made]

    return hand_in


async def finish(storage: Storage, lease: JobLease, outcome) -> None:
    assert await storage.jobs.finish(lease, outcome)


async def fail(storage: Storage, lease: JobLease, outcome) -> None:
    assert await storage.jobs.fail(lease, "it is no genome")


async def cancel(storage: Storage, lease: JobLease, outcome) -> None:
    assert await storage.jobs.cancel(lease.job_id)


async def rerun(storage: Storage, lease: JobLease, outcome) -> None:
    assert await storage.jobs.finish(lease, outcome)
    assert (await storage.jobs.rerun(lease.job_id)).started_at is None


async def release(storage: Storage, lease: JobLease, outcome) -> None:
    assert await storage.jobs.release(lease)


async def strike(storage: Storage, lease: JobLease, outcome) -> None:
    assert await storage.jobs.strike(lease, "it died")


async def requeue(storage: Storage, lease: JobLease, outcome) -> None:
    assert await storage.jobs.requeue_running() == (lease.job_id,)


async def delete(storage: Storage, lease: JobLease, outcome) -> None:
    assert await storage.jobs.finish(lease, outcome)
    assert lease.job_id in {job.id for job in await storage.jobs.delete_ended_before(0)}


async def serve(storage: Storage, outcome, number: int) -> list[str]:
    """Run so many jobs one after the other; whose they were."""
    served = []
    for _ in range(number):
        job = await storage.jobs.claim("worker")
        served.append(job.user_id)
        await finish(storage, job.lease, outcome)
    return served


async def test_single_jobs_come_second_and_third_behind_fifteen_of_one_user(
    storage, submit, user_id, another_user, outcome
):
    second, third = await another_user(), await another_user()
    await submit(user_id, 15)
    await submit(second)
    await submit(third)
    assert await serve(storage, outcome, 17) == [user_id, second, third] + [user_id] * 14


async def test_users_with_many_jobs_each_take_turns(
    storage, submit, user_id, another_user, outcome
):
    users = [user_id, await another_user(), await another_user()]
    for each in users:
        await submit(each, 5)
    assert await serve(storage, outcome, 15) == users * 5


async def test_with_two_at_a_time_users_take_turns_too(
    storage, submit, user_id, another_user, outcome
):
    users = [user_id, await another_user(), await another_user()]
    for each in users:
        await submit(each, 4)
    running = [await storage.jobs.claim("worker")]
    served = [running[0].user_id]
    for _ in range(11):
        running.append(await storage.jobs.claim("worker"))
        served.append(running[-1].user_id)
        await finish(storage, running.pop(0).lease, outcome)
    assert served == users * 4


@pytest.mark.parametrize("end", [finish, fail, cancel, rerun, release, strike, requeue, delete])
async def test_however_a_job_ends_its_start_was_a_turn(
    storage, submit, user_id, another_user, outcome, end
):
    other = await another_user()
    await submit(other, 2)
    assert await serve(storage, outcome, 1) == [other]
    await submit(user_id, 2)
    job = await storage.jobs.claim("worker")
    assert job.user_id == user_id
    await end(storage, job.lease, outcome)
    assert await serve(storage, outcome, 2) == [other, user_id]


async def test_who_runs_old_jobs_again_waits_like_everybody(
    storage, submit, user_id, another_user, outcome
):
    old = await submit(user_id, 5)
    await serve(storage, outcome, 5)
    other = await another_user()
    for job_id in old:
        await storage.jobs.rerun(job_id)
    await submit(other, 2)
    assert await serve(storage, outcome, 4) == [other, user_id, other, user_id]


async def test_who_never_had_a_turn_comes_first_though_queued_last(
    storage, submit, user_id, another_user, outcome
):
    users = [user_id, await another_user()]
    for each in users:
        await submit(each, 3)
    await serve(storage, outcome, 3)
    newcomer = await another_user()
    await submit(newcomer, 2)
    assert await serve(storage, outcome, 5) == [newcomer, users[1], users[0], newcomer, users[1]]


async def test_of_jobs_queued_in_the_same_microsecond_the_lowest_id_comes_first(
    storage, run_sql, submit, user_id, another_user
):
    queued = [*await submit(user_id), *await submit(await another_user())]
    await run_sql("UPDATE jobs SET queued_at = 1")
    claimed = [(await storage.jobs.claim("worker")).id for _ in queued]
    assert claimed == sorted(queued)
