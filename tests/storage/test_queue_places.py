"""The place in the queue is the one in which jobs are claimed."""

from __future__ import annotations

from genint.model import JobStatus


async def submitted(storage, new_job, user_id):
    job, _ = await storage.jobs.submit(new_job(user_id=user_id), max_pending=100)
    return job.id


async def test_jobs_are_claimed_in_the_order_of_their_places(storage, new_job, another_user):
    ann, bob, cyd = [await another_user() for _ in range(3)]
    running = await submitted(storage, new_job, bob)
    assert (await storage.jobs.claim("worker")).id == running
    waiting = [await submitted(storage, new_job, by) for by in (ann, bob, ann, cyd, ann, bob)]
    places = await storage.jobs.queue_places(waiting)
    assert sorted(places.values()) == [1, 2, 3, 4, 5, 6]
    claimed = [(await storage.jobs.claim("worker")).id for _ in waiting]
    assert [places[job_id] for job_id in claimed] == [1, 2, 3, 4, 5, 6]


async def test_only_waiting_jobs_have_a_place_and_a_place_moves_up(storage, reach, new_job):
    running = await reach(JobStatus.RUNNING)
    first = await reach(JobStatus.PENDING)
    second = await reach(JobStatus.PENDING)
    ids = (running.id, first.id, second.id, "no such job")
    assert await storage.jobs.queue_places(ids) == {first.id: 1, second.id: 2}
    await storage.jobs.cancel(first.id)
    assert await storage.jobs.queue_places((second.id,)) == {second.id: 1}


async def test_many_jobs_are_looked_at_together(storage, reach):
    jobs = [await reach(JobStatus.RUNNING), await reach(JobStatus.PENDING)]
    found = await storage.jobs.get_many([*(job.id for job in jobs), "no such job"])
    assert [found[job.id] for job in jobs] == [await storage.jobs.get(job.id) for job in jobs]
    assert len(found) == 2
