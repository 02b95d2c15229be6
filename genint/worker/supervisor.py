"""The supervisor: claims jobs while it has room, watches over them, gives them back."""

from __future__ import annotations

import asyncio
import logging
import os
import platform
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol
from uuid import uuid4

from genint.compute import ProcessBackend, SharedBackend
from genint.errors import BusyError, WorkCancelled
from genint.model.job import Job, JobLease
from genint.pipeline.resources import Folders
from genint.pipeline.searches import prepare_profiles
from genint.storage import Heartbeats, JobStore, OutageStore, Storage
from genint.storage.jobs import LEASE_S
from genint.worker.attempt import Ending, Failed, Finished, JobRunner, Runner

if TYPE_CHECKING:
    from genint.online.client import PoliteClient
    from genint.worker.webhooks import WebhookSender


_AGAIN_S: Final = 1.0
"""Pause after a round that failed, where the usual one is not shorter."""
_CANCELLED_WITHIN_S: Final = 1.0
_LOG = logging.getLogger("genint.worker")


async def repeat(
    duty: Callable[[], Awaitable[object]],
    *,
    name: str,
    every_s: float,
    wake: asyncio.Event | None = None,
) -> None:
    """Do a duty again and again, until cancelled.

    An error ends one round. It is logged: one of the program each time, one of a
    database or server that does not answer when it begins and when it is over.

    Args:
        duty: One round.
        name: For the log.
        every_s: Pause between the end of a round and the next.
        wake: Ends the pause when set; cleared before the round, so that nothing that
            happens during a round is missed.
    """
    is_away = False
    while True:
        if wake is not None:
            wake.clear()
        failed = True
        try:
            await duty()
            failed = False
        except (BusyError, TimeoutError) as problem:
            if not is_away:
                _log("duty_waits", logging.WARNING, duty=name, error=type(problem).__name__)
            is_away = True
        except Exception as problem:  # noqa: BLE001 - one failed round must not end a duty
            _log("duty_failed", logging.ERROR, problem=problem, duty=name)
        if is_away and not failed:
            _log("duty_goes_on", duty=name)
            is_away = False
        await _pause(min(every_s, _AGAIN_S) if failed else every_s, None if failed else wake)


async def end_tasks(tasks: Sequence[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait for them, for a moment."""
    for task in tasks:
        task.cancel()
    await wait_a_while(tasks)


async def wait_a_while(
    tasks: Sequence[asyncio.Task[Any]], limit_s: float = _CANCELLED_WITHIN_S
) -> None:
    """Wait until tasks have ended, but no longer than the limit; never raises their errors."""
    if tasks:
        await asyncio.wait(tasks, timeout=limit_s)


async def _pause(seconds: float, wake: asyncio.Event | None) -> None:
    if wake is None:
        await asyncio.sleep(seconds)
        return
    try:
        async with asyncio.timeout(seconds):
            await wake.wait()
    except TimeoutError:
        pass


def _log(
    event: str, level: int = logging.INFO, *, problem: BaseException | None = None, **about: object
) -> None:
    _LOG.log(level, event.replace("_", " "), extra={"event": event, **about}, exc_info=problem)


BEAT_EVERY_S: Final = 3.0
_BEAT_LIMIT_S: Final = 2.0


async def send_beats(store: Heartbeats, worker_id: str) -> None:
    """Beat every three seconds until cancelled; a store that hangs delays no other."""
    await repeat(
        partial(_beat, store, worker_id),
        name=f"heartbeat to {type(store).__name__}",
        every_s=BEAT_EVERY_S,
    )


async def _beat(store: Heartbeats, worker_id: str) -> None:
    async with asyncio.timeout(_BEAT_LIMIT_S):
        await store.beat(worker_id)


async def end_beats(stores: Sequence[Heartbeats], worker_id: str, *, within_s: float) -> None:
    """Remove a worker from all stores that answer in time; never raises."""
    with suppress(TimeoutError):
        async with asyncio.timeout(within_s):
            await asyncio.gather(*(_end(store, worker_id) for store in stores))


async def _end(store: Heartbeats, worker_id: str) -> None:
    with suppress(BusyError):
        await store.stop(worker_id)


_OUTAGES_EVERY_S: Final = 2.0


async def share_outages(client: PoliteClient, store: OutageStore) -> None:
    """Tell other workers which online services are down, and learn it from them."""
    client.learn(await store.exchange(client.outages()))


SWEEP_EVERY_S: Final = 15.0
TIDY_EVERY_S: Final = 3600.0
CANCELLED_KEPT_DAYS: Final = 1
"""How long a cancelled job can be run again; then its upload is removed."""


async def sweep_leases(jobs: JobStore) -> tuple[str, ...]:
    """Put jobs back whose worker is gone; several sweepers do no harm. Their ids."""
    swept = await jobs.sweep()
    if swept:
        _log("leases_swept", job_ids=swept)
    return swept


async def take_over(jobs: JobStore) -> tuple[str, ...]:
    """Put all running jobs back at once, where no other worker can exist. Their ids."""
    requeued = await jobs.requeue_running()
    if requeued:
        _log("jobs_requeued", job_ids=requeued)
    return requeued


async def tidy(storage: Storage, retention_days: int | None) -> None:
    """Delete jobs past their time, uploads of cancelled ones, and what was left behind.

    That is data of guests whose day is over and of accounts whose deletion was interrupted, and
    files that no job names.

    Args:
        storage: Jobs and files.
        retention_days: Age of ended jobs to be deleted; None keeps all.
    """
    if retention_days is not None:
        deleted = await storage.jobs.delete_ended_before(retention_days)
        for job in deleted:
            await storage.files.remove_job(job.id)
        if deleted:
            _log("old_jobs_deleted", jobs=len(deleted))
    dropped = await storage.jobs.drop_cancelled_uploads(CANCELLED_KEPT_DAYS)
    for upload in dropped:
        await storage.files.remove_upload(upload)
    if dropped:
        _log("cancelled_uploads_removed", jobs=len(dropped))
    guests = await storage.delete_expired_guests()
    if guests:
        _log("guests_deleted", guests=guests)
    accounts = await storage.finish_deletions()
    if accounts:
        _log("deletions_of_accounts_finished", accounts=accounts)
    removed = await storage.sweep_files()
    if removed:
        _log("files_without_job_removed", jobs=removed)


_NICE: Final = 10
"""Worker processes have a lower priority than the process that answers requests."""
_LOOK_EVERY_S: Final = 1.0
_EXTEND_EVERY_S: Final = 10.0
_STRAY_S: Final = 3.0
"""How long we may hold a job without doing it: the answer to a claim may be on its way."""
_CLOSED_S: Final = 1.5
_RELEASED_S: Final = 1.5
_BEATS_ENDED_S: Final = 0.7
_HOST_CHARACTERS: Final = 40
MOST_WAITING: Final = 32
"""Jobs that wait for online services without counting as one of those that run at once. Each
keeps its scratch files and its questions, some MB for a bacterium, until its answers are there."""


@dataclass(slots=True)
class _Running:
    """A job that is being done here.

    Attributes:
        lease_until: Loop time until which the claim surely holds.
        is_storing: Its outcome is being stored: there is no computing to be stopped,
            and a refused write shows that another supervisor has the job.
        is_waiting: Nothing computes for it, as it waits for online services.
    """

    job: Job
    lease_until: float
    is_storing: bool = False
    is_waiting: bool = False
    task: asyncio.Task[None] | None = field(default=None, repr=False)

    def stop(self) -> None:
        if self.task is not None:
            self.task.cancel()


class JobObserver(Protocol):
    """Learns what a supervisor does, for figures of its work."""

    def job_started(self, waited_s: float) -> None:
        """A job was taken that waited so long in the queue."""

    def job_ended(self, outcome: JobEnd, seconds: float) -> None:
        """An attempt came to its end after so long."""


JobEnd = Literal["completed", "failed", "process_died", "stopped", "not_stored", "error"]
"""How an attempt ended: ``stopped`` when it was cancelled, its lease was lost or the service
shut down; ``not_stored`` where the database was away; ``error`` for a fault of genint."""


def _end_of(ending: Ending) -> JobEnd:
    match ending:
        case Finished():
            return "completed"
        case Failed():
            return "failed"
    return "process_died"


class Supervisor:
    """Does the jobs of a storage, some at once, in worker processes.

    Args:
        storage: Jobs and files.
        workers: Jobs at once; and processes, 1 to 4, where no ``backend`` is given.
        folders: Where caches and databases lie.
        max_text_bytes: Largest size of the text of an upload.
        max_bases: Most bases of a genome; None: no limit.
        process_memory_bytes: Most address space of a worker process (Linux); None: no limit.
        time_limit_s: How long one attempt may take.
        beats: Where to leave signs of life.
        retention_days: Age of ended jobs to be deleted; None keeps all.
        runner: How a job is done, if not by interpreting a genome.
        client: Queries online services for all jobs.
        webhooks: Announces the end of jobs, of all workers; None: nobody does here.
        observer: Learns of jobs that start and end.
        backend: What computes, closed with the supervisor; None: worker processes.

    Raises:
        UsageError: ``workers`` is out of range.

    Attributes:
        id: Under which it holds jobs and beats; new for every supervisor.
        client: As given.
    """

    def __init__(  # noqa: PLR0913 - plain settings, all by keyword
        self,
        *,
        storage: Storage,
        workers: int,
        folders: Folders,
        max_text_bytes: int,
        max_bases: int | None = None,
        process_memory_bytes: int | None = None,
        time_limit_s: float,
        beats: Sequence[Heartbeats] = (),
        retention_days: int | None = None,
        runner: Runner | None = None,
        client: PoliteClient | None = None,
        webhooks: WebhookSender | None = None,
        observer: JobObserver | None = None,
        backend: SharedBackend | None = None,
    ) -> None:
        self.client = client
        self._webhooks = webhooks
        self._observer = observer
        self._looked_at: float | None = None
        self.id = f"{platform.node()[:_HOST_CHARACTERS]}-{os.getpid()}-{uuid4().hex[:12]}"
        self._storage = storage
        self._jobs = storage.jobs
        self._workers = workers
        self._beats = tuple(beats)
        self._retention_days = retention_days
        self._runner = runner or JobRunner(
            storage,
            folders=folders,
            max_text_bytes=max_text_bytes,
            max_bases=max_bases,
            time_limit_s=time_limit_s,
            client=client,
        )
        self._folders = folders
        self._backend = backend or ProcessBackend(
            workers, nice=_NICE, memory_bytes=process_memory_bytes
        )
        self._running: dict[JobLease, _Running] = {}
        self._strays: dict[JobLease, float] = {}
        self._has_room = asyncio.Event()
        self._look = asyncio.Event()
        self._took_over = storage.is_shared
        self._finding: list[asyncio.Task[None]] = []
        self._keeping: list[asyncio.Task[None]] = []
        self._stopping: asyncio.Task[None] | None = None
        self._stopped = asyncio.Event()

    @property
    def is_alive(self) -> bool:
        """Whether it runs, with all its duties, and does not stop."""
        duties = (*self._finding, *self._keeping)
        return bool(duties) and self._stopping is None and not any(one.done() for one in duties)

    @property
    def running_jobs(self) -> int:
        """How many jobs it does now, those that wait for online services among them."""
        return len(self._running)

    @property
    def _has_free_worker(self) -> bool:
        """Whether one more job may be claimed.

        A job that waits for services gives its worker to another. Once it has its answers it
        computes beside that one: they take turns in the worker processes, which are no more.
        """
        waiting = sum(running.is_waiting for running in self._running.values())
        return len(self._running) - min(waiting, MOST_WAITING) < self._workers

    @property
    def unlooked_s(self) -> float | None:
        """Seconds since it last ended a look for jobs, successful or not; None before the first.

        It looks every second, also while it has no room, and while the database is away.
        """
        if self._looked_at is None:
            return None
        return asyncio.get_running_loop().time() - self._looked_at

    async def run(self) -> None:
        """Do jobs until :meth:`stop`, or until cancelled, which stops it as well."""
        if self._stopping is None:
            for store in self._beats:
                self._keep(send_beats(store, self.id))
            self._keep(repeat(self._end_lost, name="guard", every_s=_LOOK_EVERY_S))
            self._keep(repeat(self._extend, name="extend", every_s=_EXTEND_EVERY_S))
            if self.client is not None and self._storage.is_shared:
                sharing = partial(share_outages, self.client, self._storage.outages)
                self._keep(repeat(sharing, name="outages", every_s=_OUTAGES_EVERY_S))
            self._keep(repeat(self._watch, name="watch", every_s=_LOOK_EVERY_S, wake=self._look))
            self._find(repeat(self._listen, name="listen", every_s=_LOOK_EVERY_S))
            self._find(
                repeat(self._claim, name="claim", every_s=_LOOK_EVERY_S, wake=self._has_room)
            )
            if self._webhooks is not None:
                sending = self._webhooks.send_due
                self._find(repeat(sending, name="webhooks", every_s=_LOOK_EVERY_S))
            self._find(repeat(self._sweep, name="sweep", every_s=SWEEP_EVERY_S))
            tidying = partial(tidy, self._storage, self._retention_days)
            self._find(repeat(tidying, name="tidy", every_s=TIDY_EVERY_S))
            self._log("supervisor_started", workers=self._workers)
        try:
            await self._stopped.wait()
        finally:
            await self.stop()

    async def prepare(self) -> None:
        """Make profiles ready in a worker process, so that the first job is not slow.

        A job that comes meanwhile waits no longer than it would have taken to do this itself.
        What goes wrong is logged: a job would meet it again, and say so to its owner.
        """
        try:
            await self._backend.share().run(prepare_profiles, self._folders)
        except Exception as problem:  # noqa: BLE001 - nothing depends on it
            _log("profiles_not_prepared", logging.WARNING, error=type(problem).__name__)
        else:
            self._log("profiles_prepared")

    async def stop(self, grace_s: float = 3.0) -> None:
        """Stop within ``grace_s`` and three seconds; jobs not done by then go back.

        Args:
            grace_s: How long jobs may still take to end by themselves.

        Nothing is raised; what cannot be given back because the database is away is
        swept up by others when the lease ends, or at the next start.
        """
        if self._stopping is None:
            self._stopping = asyncio.create_task(self._stop(grace_s))
        await asyncio.shield(self._stopping)

    def _keep(self, duty: Coroutine[object, object, None]) -> None:
        """Start a duty that goes on while jobs come to their end."""
        self._keeping.append(asyncio.create_task(duty))

    def _find(self, duty: Coroutine[object, object, None]) -> None:
        """Start a duty that ends as soon as no more jobs are wanted."""
        self._finding.append(asyncio.create_task(duty))

    async def _claim(self) -> None:
        """Claim jobs while there is room."""
        try:
            if not self._took_over:
                await take_over(self._jobs)
                self._took_over = True
            await self._claim_while_room()
        finally:
            self._looked_at = asyncio.get_running_loop().time()

    async def _claim_while_room(self) -> None:
        clock = asyncio.get_running_loop().time
        while self._has_free_worker:
            sent_at = clock()
            job = await self._claimed()
            if job is None:
                return
            running = _Running(job, sent_at + LEASE_S)
            self._running[job.lease] = running
            running.task = asyncio.create_task(self._do(running))
            running.task.add_done_callback(partial(self._forget, job.lease))

    async def _claimed(self) -> Job | None:
        """Claim a job; when cancelled meanwhile, wait to see whether we hold one now."""
        claim = asyncio.create_task(self._jobs.claim(self.id))
        try:
            return await asyncio.shield(claim)
        except asyncio.CancelledError:
            await wait_a_while([claim])
            if claim.done():
                claim.exception()  # retrieved, or asyncio would complain
            raise

    def _forget(self, lease: JobLease, task: asyncio.Task[None]) -> None:
        del self._running[lease]
        self._has_room.set()

    async def _do(self, running: _Running) -> None:
        """One attempt at a job; whatever happens is logged and ends here."""
        job = running.job
        self._log("job_started", job.lease)
        if self._observer is not None and job.started_at is not None:
            self._observer.job_started((job.started_at - job.queued_at).total_seconds())
        began = time.perf_counter()
        end: JobEnd = "error"
        try:
            note_waiting = partial(self._note_waiting, running)
            ending = await self._runner.compute(job, self._backend.share(), note_waiting)
            running.is_storing = True
            await self._runner.store(job, ending)
            end = _end_of(ending)
        except (asyncio.CancelledError, WorkCancelled):
            end = "stopped"
            self._log("job_stopped", job.lease)
        except BusyError:
            end = "not_stored"
            self._log("outcome_not_stored", job.lease, logging.WARNING)
        except Exception as problem:  # noqa: BLE001 - costs this attempt; the watch releases the job
            self._log("attempt_failed", job.lease, logging.ERROR, problem)
        if self._observer is not None:
            self._observer.job_ended(end, time.perf_counter() - began)

    def _note_waiting(self, running: _Running, is_waiting: bool) -> None:
        if is_waiting and not running.is_waiting:
            self._has_room.set()
        running.is_waiting = is_waiting

    async def _watch(self) -> None:
        """Stop jobs that are no longer ours; give back what we hold without doing it."""
        before = dict(self._running)
        leases = await self._jobs.held_by(self.id)
        for one, running in before.items():
            if one not in leases and not running.is_storing:
                running.stop()
        now = asyncio.get_running_loop().time()
        unattended = leases - before.keys() - self._running.keys()
        self._strays = {one: self._strays.get(one, now) for one in unattended}
        for one, since in self._strays.items():
            if now - since > _STRAY_S:
                self._log("stray_released", one)
                await self._jobs.release(one)

    async def _extend(self) -> None:
        """Renew the leases of what we hold."""
        if not self._running:
            return
        sent_at = asyncio.get_running_loop().time()
        for lease in await self._jobs.extend(self.id):
            if lease in self._running:
                self._running[lease].lease_until = sent_at + LEASE_S

    async def _end_lost(self) -> None:
        """Stop jobs whose lease ended because the database was away for too long."""
        now = asyncio.get_running_loop().time()
        for running in tuple(self._running.values()):
            if now > running.lease_until and not running.is_storing:
                self._log("lease_lost", running.job.lease)
                running.stop()

    async def _listen(self) -> None:
        """Learn of queued and cancelled jobs at once instead of at the next look."""
        async with self._jobs.notices() as notices:
            self._has_room.set()  # for notices that came while nothing listened
            self._look.set()
            async for notice in notices:
                if notice.kind == "queued":
                    self._has_room.set()
                elif any(lease.job_id == notice.job_id for lease in self._running):
                    self._look.set()

    async def _sweep(self) -> None:
        if await sweep_leases(self._jobs):
            self._has_room.set()

    async def _stop(self, grace_s: float) -> None:
        try:
            for duty in self._finding:
                duty.cancel()
            await wait_a_while((*self._finding, *self._tasks()), grace_s)
            await end_tasks((*self._tasks(), *self._keeping))
            await asyncio.gather(
                self._close_backend(),
                self._release_all(),
                end_beats(self._beats, self.id, within_s=_BEATS_ENDED_S),
            )
            self._log("supervisor_stopped")
        finally:
            self._stopped.set()

    def _tasks(self) -> list[asyncio.Task[None]]:
        return [running.task for running in self._running.values() if running.task is not None]

    async def _close_backend(self) -> None:
        try:
            async with asyncio.timeout(_CLOSED_S):
                await self._backend.close()
        except TimeoutError:
            self._log("processes_hang", level=logging.WARNING)

    async def _release_all(self) -> None:
        """Give back all that we hold, even what we never heard of."""
        try:
            async with asyncio.timeout(_RELEASED_S):
                for lease in await self._jobs.held_by(self.id):
                    await self._jobs.release(lease)
                    self._log("job_released", lease)
        except (BusyError, TimeoutError):
            self._log("jobs_not_released", level=logging.WARNING)

    def _log(
        self,
        event: str,
        lease: JobLease | None = None,
        level: int = logging.INFO,
        problem: BaseException | None = None,
        **more: object,
    ) -> None:
        job = {} if lease is None else {"job_id": lease.job_id, "attempt": lease.attempt}
        _log(event, level, problem=problem, worker_id=self.id, **job, **more)
