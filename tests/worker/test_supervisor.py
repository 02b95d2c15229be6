"""What a supervisor promises when jobs are cancelled, processes die and databases go away."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest

from genint.model import DarkGene, GeneCounts, JobStatus, Outcome
from genint.pipeline.resources import Folders
from genint.storage import StorageAddress, open_storage
from genint.storage.files import upload_name
from genint.worker.attempt import Finished, JobRunner
from genint.worker.supervisor import Supervisor
from tests.worker.job_desk import Desk, files_of, stopped_busiest_worker, until, workers

RESULT = Outcome(GeneCounts(2, 1, 1, 1), (DarkGene("a", "a", "a:1-2(+)"),), "1.0")


class Doing:
    """Does every job until told to end it, without any computing."""

    def __init__(self, storage) -> None:
        self.begun: list[str] = []
        self.stopped: list[str] = []
        self.accepted: dict[str, bool] = {}
        self.end = asyncio.Event()
        self._storage = storage

    async def compute(self, job, share, note_waiting):
        self.begun.append(job.id)
        try:
            await self.end.wait()
        except asyncio.CancelledError:
            self.stopped.append(job.id)
            raise
        return Finished(RESULT, Path())

    async def store(self, job, ending):
        self.accepted[job.id] = await self._storage.jobs.finish(job.lease, ending.outcome)


@pytest.fixture
def folders(nothing_found):
    """Jobs are cancelled and killed while they compute."""
    return nothing_found


def true(condition):
    """A plain condition for ``until``."""

    async def holds() -> bool:
        return condition()

    return holds


async def test_a_cancelled_bacterium_stops_computing_and_others_go_on(
    desk, supervising, bacterium, examples
):
    doomed = await desk.submit(bacterium)
    async with supervising(workers=2):
        await desk.computing(doomed)
        [busy] = workers()
        kept = await desk.submit(examples / "phiX174.gbk")
        await desk.reach(kept, JobStatus.RUNNING)
        cancelled_at = time.monotonic()
        assert await desk.jobs.cancel(doomed) is not None
        await until(true(lambda: busy not in workers()), within_s=3)
        took_s = time.monotonic() - cancelled_at
        done = await desk.completed(kept)
    job = await desk.job(doomed)
    assert (job.status, job.report_attempt) == (JobStatus.CANCELLED, None)
    assert (done.attempt, done.strikes) == (1, 0)
    assert desk.published(doomed) == []
    assert desk.leftovers() == []
    assert took_s < 3  # half a second is usual


async def test_cancelling_during_the_search_stops_every_process_of_the_job(
    desk, supervising, shared_data
):
    doomed = await desk.submit(shared_data / "genomes" / "M_mycoides_GM12_NZ_CP001668.gbff.gz")
    async with supervising(workers=2):

        async def searches() -> bool:
            return (await desk.job(doomed)).progress > 0.1

        await until(searches)
        busy = set(workers())
        assert len(busy) == 2
        assert await desk.jobs.cancel(doomed) is not None
        await until(true(lambda: not busy & set(workers())), within_s=3)
    assert desk.published(doomed) == []


async def test_a_killed_process_costs_its_job_one_strike_and_no_other_job_anything(
    desk, supervising, region
):
    struck = await desk.submit(region)
    other = await desk.submit(region)
    async with supervising(workers=2):
        await desk.computing(struck, other)
        os.kill(workers()[0], signal.SIGKILL)
        jobs = [await desk.completed(struck), await desk.completed(other)]
    assert sorted((job.attempt, job.strikes) for job in jobs) == [(1, 0), (2, 1)]
    for job in jobs:
        assert job.restarts == 0
        assert desk.published(job.id) == files_of(job.attempt)


async def test_the_third_death_fails_a_job_and_healthy_ones_beside_it_never_notice(
    desk, supervising, bacterium, examples, searched
):
    # The doomed one finds genes until it dies; the others may know their proteins.
    async with supervising(workers=2, folders=Folders(searched)):
        poison = await desk.submit(bacterium, by="ann")
        healthy = []
        for attempt in (1, 2, 3):
            await desk.reach(poison, JobStatus.RUNNING, attempt=attempt)
            await desk.computing(poison)
            busy = await asyncio.to_thread(stopped_busiest_worker)
            job_id = await desk.submit(examples / "phiX174.gbk", by="bob")
            await desk.reach(job_id, JobStatus.RUNNING)
            os.kill(busy, signal.SIGKILL)
            healthy.append(await desk.completed(job_id))
        failed = await desk.reach(poison, JobStatus.FAILED, within_s=10)
    assert (failed.attempt, failed.strikes) == (3, 3)
    assert "ended 3 times" in (failed.error_message or "")
    assert [(job.attempt, job.strikes) for job in healthy] == [(1, 0)] * 3


async def test_stopping_gives_running_jobs_back_and_a_new_start_does_them(
    desk, supervising, bacterium, examples
):
    four = [await desk.submit(bacterium) for _ in range(4)]
    async with supervising(workers=4) as supervisor:
        await desk.computing(*four)
        began = time.monotonic()
        await supervisor.stop(grace_s=0.5)
        assert time.monotonic() - began < 5
        assert not supervisor.is_alive
        assert workers() == []
    jobs = [await desk.job(job_id) for job_id in four]
    assert [(job.status, job.attempt, job.strikes, job.restarts) for job in jobs] == [
        (JobStatus.PENDING, 1, 0, 1)
    ] * 4
    assert desk.leftovers() == []
    for job_id in four[1:]:
        await desk.jobs.cancel(job_id)
    upload = desk.storage.files.objects.path(upload_name(jobs[0].upload))
    upload.write_bytes((examples / "phiX174.gbk").read_bytes())
    async with supervising():
        done = await desk.completed(four[0])
    assert (done.attempt, done.report_attempt) == (2, 2)


async def test_jobs_that_end_within_the_grace_are_completed(desk, supervising, storage):
    doing = Doing(storage)
    job_id = await desk.submit(b">one\nACGT\n")
    async with supervising(runner=doing) as supervisor:
        await until(true(lambda: doing.begun == [job_id]))
        stopping = asyncio.create_task(supervisor.stop(grace_s=30))
        waiting = await desk.submit(b">two\nACGT\n")
        doing.end.set()
        await stopping
    assert (await desk.job(job_id)).status is JobStatus.COMPLETED
    assert (await desk.job(waiting)).status is JobStatus.PENDING


async def test_after_a_crash_running_jobs_are_done_again_at_once(desk, supervising, examples):
    job_id = await desk.submit(examples / "phiX174.gbk")
    crashed = await desk.jobs.claim("a supervisor that is gone")
    assert crashed is not None
    async with supervising():
        done = await desk.completed(job_id)
    assert (done.attempt, done.restarts, done.strikes) == (2, 1, 0)
    assert await desk.jobs.finish(crashed.lease, RESULT) is False


async def test_a_result_that_comes_too_late_is_refused_and_leaves_no_file(
    desk, supervising, storage, examples, cache
):
    class TooLate(JobRunner):
        async def store(self, job, ending):
            await desk.jobs.cancel(job.id)
            await super().store(job, ending)
            settled.set()

    settled = asyncio.Event()
    job_id = await desk.submit(examples / "phiX174.gbk")
    late = TooLate(
        storage,
        folders=Folders(cache, cache_limit_bytes=0),
        max_text_bytes=1_000_000,
        time_limit_s=60,
    )
    async with supervising(runner=late), asyncio.timeout(30):
        await settled.wait()
    job = await desk.job(job_id)
    assert (job.status, job.report_attempt) == (JobStatus.CANCELLED, None)
    assert desk.published(job_id) == []
    assert desk.leftovers() == []


async def test_a_commit_whose_answer_was_lost_keeps_its_files(
    desk, supervising, storage, examples, cache
):
    class Repeating(JobRunner):
        """Settles twice, as after a connection that broke between commit and answer."""

        async def store(self, job, ending):
            await storage.jobs.finish(job.lease, ending.outcome)
            await super().store(job, ending)
            settled.set()

    settled = asyncio.Event()
    job_id = await desk.submit(examples / "phiX174.gbk")
    runner = Repeating(
        storage,
        folders=Folders(cache, cache_limit_bytes=0),
        max_text_bytes=1_000_000,
        time_limit_s=60,
    )
    async with supervising(runner=runner), asyncio.timeout(30):
        await settled.wait()
    assert (await desk.job(job_id)).status is JobStatus.COMPLETED
    assert desk.published(job_id) == files_of(1)


async def test_a_job_whose_claim_is_gone_is_stopped_within_seconds(desk, supervising, storage):
    doing = Doing(storage)
    job_id = await desk.submit(b">one\nACGT\n")
    async with supervising(runner=doing, workers=1):
        await until(true(lambda: doing.begun == [job_id]))
        # As a sweep of somebody else does it, who takes the job for lost.
        await desk.jobs.requeue_running()
        await until(true(lambda: doing.stopped == [job_id]), within_s=3)
        doing.end.set()
        done = await desk.completed(job_id)
    assert (done.attempt, done.restarts) == (2, 1)


async def test_a_job_held_without_being_done_is_given_back(desk, supervising, storage):
    doing = Doing(storage)
    first = await desk.submit(b">one\nACGT\n")
    async with supervising(runner=doing, workers=1) as supervisor:
        await until(true(lambda: doing.begun == [first]))
        second = await desk.submit(b">two\nACGT\n")
        # As a claim whose answer was lost on its way.
        assert await desk.jobs.claim(supervisor.id) is not None
        await desk.reach(second, JobStatus.PENDING, within_s=15)
        doing.end.set()
        done = [await desk.completed(first), await desk.completed(second)]
    assert [(job.attempt, job.restarts) for job in done] == [(1, 0), (2, 1)]


async def test_several_jobs_run_at_once_and_no_more_than_workers(desk, supervising, storage):
    doing = Doing(storage)
    ids = [await desk.submit(b">one\nACGT\n") for _ in range(5)]
    async with supervising(runner=doing, workers=3):
        await until(true(lambda: len(doing.begun) == 3))
        running = [job for job in [await desk.job(one) for one in ids] if job.owner]
        assert len(running) == 3
        doing.end.set()
        for job_id in ids:
            await desk.completed(job_id)
    assert doing.begun == ids


async def test_a_job_starts_as_soon_as_it_is_handed_in(desk, supervising, storage):
    doing = Doing(storage)
    doing.end.set()
    took_s = []
    async with supervising(runner=doing):
        await desk.completed(await desk.submit(b">one\nACGT\n"))
        for _ in range(20):
            began = time.monotonic()
            await desk.completed(await desk.submit(b">one\nACGT\n"))
            took_s.append(time.monotonic() - began)
    assert sorted(took_s)[10] < 0.45  # a poll would take half a second


async def test_an_error_in_the_supervising_costs_one_attempt_and_nothing_else(
    desk, supervising, storage
):
    class Failing(Doing):
        async def store(self, job, ending):
            if len(self.begun) == 1:
                raise LookupError("a bug")
            await super().store(job, ending)

    doing = Failing(storage)
    doing.end.set()
    job_id = await desk.submit(b">one\nACGT\n")
    async with supervising(runner=doing) as supervisor:
        done = await desk.completed(job_id, within_s=20)
        assert supervisor.is_alive
    assert (done.attempt, done.restarts) == (2, 1)


async def test_it_is_alive_only_while_it_runs(supervising):
    async with supervising() as supervisor:
        await until(true(lambda: supervisor.is_alive))
        await supervisor.stop()
        assert not supervisor.is_alive
    assert not supervisor.is_alive


async def test_cancelling_it_stops_it(desk, storage, cache):
    doing = Doing(storage)
    job_id = await desk.submit(b">one\nACGT\n")
    supervisor = Supervisor(
        storage=storage,
        workers=1,
        folders=Folders(cache, cache_limit_bytes=0),
        max_text_bytes=1000,
        time_limit_s=10,
        runner=doing,
    )
    task = asyncio.create_task(supervisor.run())
    await until(true(lambda: doing.begun == [job_id]))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not supervisor.is_alive
    assert (await desk.job(job_id)).status is JobStatus.PENDING


async def test_two_supervisors_on_one_database_share_jobs_without_doubles(
    postgresql_url, supervising, tmp_path, examples
):
    address = StorageAddress(tmp_path / "data", tmp_path / "unused", postgresql_url)
    async with open_storage(address) as here, open_storage(address) as there:
        desk, first, second = Desk(here), Doing(here), Doing(there)
        first.end.set()
        second.end.set()
        async with (
            supervising(here, runner=first, workers=2),
            supervising(there, runner=second, workers=2),
        ):
            ids = [await desk.submit(b">one\nACGT\n") for _ in range(60)]
            done = [await desk.completed(job_id) for job_id in ids]
        assert sorted(first.begun + second.begun) == sorted(ids)
        assert all(job.attempt == 1 for job in done)
        assert first.begun
        assert second.begun


async def test_of_two_who_did_the_same_job_only_the_later_claim_counts(
    postgresql_url, supervising, tmp_path
):
    class Sleeper(Doing):
        """Falls asleep before it stores what it has done, like a machine that is paused."""

        async def store(self, job, ending):
            await awake.wait()
            await super().store(job, ending)

    awake = asyncio.Event()
    address = StorageAddress(tmp_path / "data", tmp_path / "unused", postgresql_url)
    async with open_storage(address) as here, open_storage(address) as there:
        desk, sleeper, other = Desk(here), Sleeper(here), Doing(there)
        sleeper.end.set()
        other.end.set()
        job_id = await desk.submit(b">one\nACGT\n")
        async with supervising(here, runner=sleeper, workers=1):
            await until(true(lambda: sleeper.begun == [job_id]))
            async with supervising(there, runner=other):
                await there.jobs.requeue_running()  # as a sweep after the end of the lease
                done = await desk.completed(job_id)
            awake.set()
            await until(true(lambda: job_id in sleeper.accepted))
        assert (sleeper.accepted, other.accepted) == ({job_id: False}, {job_id: True})
        assert (done.attempt, await desk.job(job_id)) == (2, done)


async def test_a_real_job_on_postgresql_is_cancelled_by_another_process(
    postgresql_url, supervising, tmp_path, bacterium
):
    address = StorageAddress(tmp_path / "data", tmp_path / "unused", postgresql_url)
    async with open_storage(address) as here, open_storage(address) as there:
        desk = Desk(there)
        job_id = await desk.submit(bacterium)
        async with supervising(here):
            await desk.computing(job_id)
            [busy] = workers()
            assert await desk.jobs.cancel(job_id) is not None
            await until(true(lambda: busy not in workers()), within_s=3)
        assert (await desk.job(job_id)).status is JobStatus.CANCELLED


async def test_a_database_that_restarts_costs_no_running_job(
    postgresql_server, postgresql_url, supervising, tmp_path
):
    address = StorageAddress(tmp_path / "data", tmp_path / "unused", postgresql_url)
    async with open_storage(address) as storage:
        desk, doing = Desk(storage), Doing(storage)
        job_id = await desk.submit(b">one\nACGT\n")
        async with supervising(storage, runner=doing) as supervisor:
            await until(true(lambda: doing.begun == [job_id]))
            await asyncio.to_thread(postgresql_server.stop)
            try:
                assert supervisor.is_alive
            finally:
                assert await asyncio.to_thread(postgresql_server.start)
            doing.end.set()
            done = await _completed_again(desk, job_id)
            assert doing.stopped == []
        assert done.attempt <= 2


async def test_stopping_takes_no_longer_although_the_database_is_away(
    postgresql_server, postgresql_url, supervising, tmp_path, bacterium
):
    address = StorageAddress(tmp_path / "data", tmp_path / "unused", postgresql_url)
    async with open_storage(address) as storage:
        desk = Desk(storage)
        job_id = await desk.submit(bacterium)
        async with supervising(storage, beats=[storage.heartbeats]) as supervisor:
            await desk.computing(job_id)
            await asyncio.to_thread(postgresql_server.stop)
            try:
                began = time.monotonic()
                await supervisor.stop()
                assert time.monotonic() - began < 8
                assert workers() == []
            finally:
                assert await asyncio.to_thread(postgresql_server.start)


async def _completed_again(desk, job_id):
    async def completed() -> bool:
        try:
            return (await desk.job(job_id)).status is JobStatus.COMPLETED
        except Exception:  # noqa: BLE001 - the server may still be starting
            return False

    await until(completed, within_s=40)
    return await desk.job(job_id)


@pytest.fixture(autouse=True)
def _no_processes_left():
    yield
    assert workers() == []
