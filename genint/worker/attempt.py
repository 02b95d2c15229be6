"""One attempt at a job: compute it, then put the outcome into files and database."""

from __future__ import annotations

import asyncio
import errno
import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeVar, TypeVarTuple

from genint.compute import Backend
from genint.errors import (
    DatabaseAway,
    InputError,
    StoreAway,
    UnavailableError,
    UsageError,
    WorkCancelled,
    WorkerDied,
)
from genint.model.interpretation import Parameters, chosen_services
from genint.model.job import MAX_STRIKES, Job, JobLease, Outcome
from genint.pipeline.resources import Folders, Resources, held_open, load_resources
from genint.pipeline.run import Progress, run_pipeline
from genint.pipeline.workspace import ScratchWorkspace
from genint.storage import FileStore, Storage
from genint.storage.files import proteins_name, upload_name
from genint.storage.jobs import LEASE_S
from genint.worker.progress import ProgressWriter
from genint.worker.result_files import load_with_proteins, read_upload, write_result

if TYPE_CHECKING:
    from genint.online.client import PoliteClient


STRUCK_OUT = (
    f"the worker process ended {MAX_STRIKES} times while it worked on this file; "
    "perhaps it needs more memory than the service has"
)
_INTERNAL = (
    "an internal error of genint stopped the interpretation; its operator finds it in the log"
)
_MEMORY = "the interpretation needs more memory than a job may take here"
_DISK_FULL = "the disk of the service is full; run the job again later"
NOT_WRITTEN = "the service could not write its files; run the job again later"
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_MINUTE_S = 60


class Finished(NamedTuple):
    """The files of the result lie in ``made``, ready to be published."""

    outcome: Outcome
    made: Path


class Failed(NamedTuple):
    """The job cannot be done; ``message`` is for its owner."""

    message: str


class Struck(NamedTuple):
    """The worker process of the job died; ``message`` is for its owner, at the last time."""

    message: str


Ending = Finished | Failed | Struck


def outcome_of(problem: Exception) -> Failed | Struck:
    """What an error means for the job that it ended; never shows paths or values."""
    match problem:
        case WorkerDied():
            return Struck(STRUCK_OUT)
        case UsageError():  # a fault of genint, which an owner cannot mend
            return Failed(_INTERNAL)
        case InputError() | UnavailableError():
            return Failed(str(problem))
        case MemoryError() | OSError(errno=errno.ENOMEM):
            return Failed(_MEMORY)
        case OSError(errno=number):
            return Failed(_DISK_FULL if number in _FULL else NOT_WRITTEN)
    return Failed(_INTERNAL)


def is_expected(problem: Exception) -> bool:
    """Whether the log needs the message only, without the place in the program."""
    return isinstance(problem, (WorkerDied, InputError, UnavailableError)) and not isinstance(
        problem, UsageError
    )


def took_too_long(limit_s: float) -> Failed:
    """The ending of a job that reached its time limit."""
    shown = f"{limit_s / _MINUTE_S:.0f} minutes" if limit_s >= _MINUTE_S else f"{limit_s:g} seconds"
    return Failed(f"the interpretation took longer than {shown}")


_AGAIN_S: Final = 0.5
_LOG = logging.getLogger("genint.worker")
_Answer = TypeVar("_Answer")
_Arguments = TypeVarTuple("_Arguments")


class Runner(Protocol):
    """How a supervisor does a job that it holds."""

    async def compute(
        self, job: Job, share: Backend, note_waiting: Callable[[bool], None]
    ) -> Ending:
        """Do the work in worker processes; may be cancelled at any time.

        Args:
            job: What is to be done.
            share: Worker processes.
            note_waiting: Called on the event loop with True where from now on nothing computes
                for the job, as it waits for online services, and with False where that is over.
        """
        ...

    async def store(self, job: Job, ending: Ending) -> None:
        """Store the outcome, unless another supervisor holds the job by now."""
        ...


class JobRunner:
    """Interprets genomes.

    Args:
        storage: Jobs and files.
        folders: Where caches and databases lie.
        max_text_bytes: Largest size of the text of a file.
        max_bases: Most bases of a genome; None: no limit.
        time_limit_s: How long one attempt may take.
        client: Queries online services for all jobs; None: each job that does has its own.
    """

    def __init__(  # noqa: PLR0913 - plain settings, all by keyword
        self,
        storage: Storage,
        *,
        folders: Folders,
        max_text_bytes: int,
        max_bases: int | None = None,
        time_limit_s: float,
        client: PoliteClient | None = None,
    ) -> None:
        self._jobs = storage.jobs
        self._files = storage.files
        self._folders = folders
        self._limits = max_text_bytes, max_bases
        self._time_limit_s = time_limit_s
        self._client = client

    async def compute(
        self, job: Job, share: Backend, note_waiting: Callable[[bool], None]
    ) -> Ending:
        """Interpret the upload of a job; the files of the result are not published yet.

        Cancelling stops the computing at once and leaves nothing behind.

        Raises:
            WorkCancelled: the worker processes were closed.
            StoreAway: for longer than a lease lasts; the job is done later.
        """
        ending: Ending | None = None
        try:
            ending = await self._in_time(job, share, note_waiting)
        finally:
            if not isinstance(ending, Finished):
                await to_the_end(self._files.remove_scratch, job.lease)
        return ending

    async def _in_time(
        self, job: Job, share: Backend, note_waiting: Callable[[bool], None]
    ) -> Ending:
        """The ending of an attempt, whatever it comes to."""
        limit = asyncio.timeout(self._time_limit_s)
        try:
            async with limit:
                made = await to_the_end(self._files.scratch, job.lease)
                return Finished(await self._interpret(job, share, made, note_waiting), made)
        except (WorkCancelled, StoreAway):
            raise
        except Exception as problem:  # noqa: BLE001 - whatever it is, it ends this job alone
            if limit.expired():
                return took_too_long(self._time_limit_s)
            _log_problem(job, problem)
            return outcome_of(problem)

    async def _interpret(
        self, job: Job, share: Backend, scratch: Path, note_waiting: Callable[[bool], None]
    ) -> Outcome:
        """Run the pipeline in worker processes; the files of the result are in the folder."""
        parameters = Parameters(
            job.mode,
            job.phage_mode,
            ignore_annotations=job.ignore_annotations,
            locus_tag_prefix=job.locus_tag_prefix,
            online_services=chosen_services(job.mode),
            date=job.run_date,
        )
        upload = await self._fetched(upload_name(job.upload), scratch)
        source = partial(read_upload, upload, job.filename, *self._limits)
        resources = await self._resources(job, parameters, share, scratch)
        async with AsyncExitStack() as stack:
            await asyncio.to_thread(stack.enter_context, held_open(resources))
            writer = await stack.enter_async_context(ProgressWriter(self._jobs, job))

            def report(step: Progress) -> None:
                writer(step)
                note_waiting(step.is_waiting)

            workspace = ScratchWorkspace(share, scratch)
            summary = await run_pipeline(
                source, parameters, resources, workspace, progress=report, client=self._client
            )
            return await share.run(write_result, summary, scratch)

    async def _fetched(self, name: str, scratch: Path) -> Path:
        """Where a stored file can be read, until the end of the attempt."""
        return await _retried_while_away(partial(self._files.objects.local, name, scratch))

    async def _resources(
        self, job: Job, parameters: Parameters, share: Backend, scratch: Path
    ) -> Resources:
        """What the job searches with; proteins that came with it are indexed in a process."""
        if job.proteins is None:
            return await asyncio.to_thread(load_resources, parameters, self._folders)
        proteins = await self._fetched(proteins_name(job.id), scratch)
        return await share.run(
            load_with_proteins, parameters, self._folders, proteins, job.proteins
        )

    async def store(self, job: Job, ending: Ending) -> None:
        """Store the ending of an attempt; a late one is refused and leaves nothing behind.

        Raises:
            DatabaseAway: for longer than the lease; the job goes to another supervisor.
            StoreAway: likewise.
        """
        lease = job.lease
        try:
            match ending:
                case Finished():
                    await self._publish(job, ending)
                case Failed():
                    await self._fail(job, ending)
                case _:
                    status = await _retried_while_away(
                        partial(self._jobs.strike, lease, ending.message)
                    )
                    _log(logging.WARNING, "job_struck", lease, status=status)
        finally:
            await to_the_end(self._files.remove_scratch, lease)

    async def _publish(self, job: Job, ending: Finished) -> None:
        """Files first, then the row that names them."""
        lease = job.lease
        try:
            await _retried_while_away(partial(self._files.publish, lease, ending.made))
        except OSError as problem:
            _log(logging.ERROR, "publishing_failed", lease, problem=problem)
            await self._fail(job, Failed(NOT_WRITTEN))
            return
        if await _retried_while_away(partial(self._jobs.finish, lease, ending.outcome)):
            _log(
                logging.INFO, "job_completed", lease, total_genes=ending.outcome.counts.total_genes
            )
            await _remove_older(self._files, lease, keep=None)
            return
        # Refused: late, or an earlier try was committed although its answer got lost.
        now = await self._jobs.get(lease.job_id)
        if now is None or now.report_attempt != lease.attempt:
            _log(logging.WARNING, "late_result_refused", lease)
            await self._files.remove_made(lease.job_id, lease.attempt)

    async def _fail(self, job: Job, ending: Failed) -> None:
        if await _retried_while_away(partial(self._jobs.fail, job.lease, ending.message)):
            _log(logging.INFO, "job_failed", job.lease)
            await _remove_older(self._files, job.lease, keep=job.report_attempt)


async def to_the_end(work: Callable[[*_Arguments], _Answer], *arguments: *_Arguments) -> _Answer:
    """Call a function in a thread and see it end, even when cancelled meanwhile.

    A thread cannot be cancelled once it runs, but its turn can be taken away before: what
    makes or removes a folder must happen, and be over, before anybody looks at it again.
    """
    task = asyncio.create_task(asyncio.to_thread(work, *arguments))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait((task,))
        raise


async def _retried_while_away(write: Callable[[], Awaitable[_Answer]]) -> _Answer:
    """Try something again while database or store are away, for as long as a lease holds.

    Raises:
        DatabaseAway, StoreAway: it is away for longer.
    """
    clock = asyncio.get_running_loop().time
    give_up_at = clock() + LEASE_S
    while True:
        try:
            return await write()
        except (DatabaseAway, StoreAway):
            if clock() > give_up_at:
                raise
            await asyncio.sleep(_AGAIN_S)


async def _remove_older(files: FileStore, lease: JobLease, *, keep: int | None) -> None:
    """Remove what older attempts published, but for the one that is still served.

    Never newer ones: a worker that slept after its commit must not harm them. What cannot be
    removed now is removed by the next attempt, or with the job.
    """
    older = [attempt for attempt in range(1, lease.attempt) if attempt != keep]
    with suppress(StoreAway):
        await files.remove_made(lease.job_id, *older)


def _log_problem(job: Job, problem: Exception) -> None:
    """The place in the program only where it is not the file's fault."""
    trace = None if is_expected(problem) else problem
    level = logging.ERROR if trace else logging.INFO
    _log(level, "attempt_ended", job.lease, problem=trace, error=type(problem).__name__)


def _log(
    level: int, event: str, lease: JobLease, *, problem: Exception | None = None, **more: object
) -> None:
    about = {"event": event, "job_id": lease.job_id, "attempt": lease.attempt, **more}
    _LOG.log(level, event.replace("_", " "), extra=about, exc_info=problem)
