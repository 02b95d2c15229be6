"""One attempt at a job: compute it, then put the outcome into files and database."""

from __future__ import annotations

import asyncio
import errno
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeVar

from genint.compute import Backend
from genint.errors import (
    BusyError,
    DatabaseAway,
    InputError,
    UnavailableError,
    UsageError,
    WorkCancelled,
    WorkerDied,
)
from genint.model.interpretation import Parameters
from genint.model.job import MAX_STRIKES, Held, Job, Outcome
from genint.pipeline.online import chosen_services, configured_client, installed_go
from genint.pipeline.resources import Folders, Resources, held_open, load_resources
from genint.storage import FileStore, JobStore, Storage
from genint.storage.jobs import LEASE_S
from genint.worker.job_steps import (
    Input,
    begin,
    keep_answers,
    questions_for_services,
    search_part,
    write_result,
)

if TYPE_CHECKING:
    from genint.online.client import PoliteClient


async def query_for_job(
    scratch: Path, parameters: Parameters, equipment: Resources, client: PoliteClient
) -> None:
    """Ask the services about the proteins of a job that was begun; keep what they say.

    Services that are down are no error: the answers say so.

    Raises:
        UnavailableError: the installed Gene Ontology is gone.
        OSError: the disk is full or broken.
    """
    if not parameters.online_services:
        return
    from genint.online.query import budget_s, query_services  # noqa: PLC0415 - lazy

    questions = await asyncio.to_thread(questions_for_services, scratch)
    terms = await asyncio.to_thread(installed_go, equipment)
    found = await query_services(
        questions,
        parameters.online_services,
        client.run(budget_s(questions, parameters.online_timeout_s)),
        cache_folder=equipment.folders.kept,
        installed_go=terms,
    )
    await asyncio.to_thread(keep_answers, scratch, found)


BEGUN: Final = 0.02
"""The file is being read."""
CALLED: Final = 0.1
"""The genes are known."""
SEARCHED: Final = 0.9
"""All proteins were searched."""

_EVERY_S: Final = 0.5


def searched(parts: int, of: int) -> float:
    """Progress when so many parts of the proteins were searched."""
    return CALLED + (SEARCHED - CALLED) * parts / of


class ProgressWriter:
    """Writes the progress of one attempt, forward only and at most twice a second.

    What cannot be written is dropped: progress is worth no delay.
    """

    def __init__(self, jobs: JobStore, held: Held) -> None:
        self._jobs = jobs
        self._held = held
        self._last = 0.0
        self._next_at = 0.0
        self._is_writing = False

    async def report(self, progress: float) -> None:
        """Write, unless it was written a moment ago or is being written."""
        clock = asyncio.get_running_loop().time
        if self._is_writing or clock() < self._next_at or progress <= self._last:
            return
        self._is_writing = True
        try:
            await self._jobs.set_progress(self._held, progress)
            self._last = progress
        except BusyError:
            pass
        finally:
            self._is_writing = False
            self._next_at = clock() + _EVERY_S


STRUCK_OUT = (
    f"the worker process ended {MAX_STRIKES} times while it worked on this file; "
    "perhaps it needs more memory than the service has"
)
_INTERNAL = (
    "an internal error of genint stopped the interpretation; its operator finds it in the log"
)
_MEMORY = "the interpretation needs more memory than the service has"
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
    """What an error means for the job that it ended; never tells paths or values."""
    match problem:
        case WorkerDied():
            return Struck(STRUCK_OUT)
        case UsageError():  # we used our own parts wrongly: nothing that an owner could mend
            return Failed(_INTERNAL)
        case InputError() | UnavailableError():
            return Failed(str(problem))
        case MemoryError():
            return Failed(_MEMORY)
        case OSError(errno=number):
            return Failed(_DISK_FULL if number in _FULL else NOT_WRITTEN)
    return Failed(_INTERNAL)


def is_expected(problem: Exception) -> bool:
    """Whether the message alone says it all, without the place in the program."""
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


class Runner(Protocol):
    """How a supervisor does a job that it holds."""

    async def compute(self, job: Job, share: Backend) -> Ending:
        """Do the work in worker processes; may be cancelled at any time."""
        ...

    async def settle(self, job: Job, ending: Ending) -> None:
        """Store what came of it, unless somebody else holds the job by now."""
        ...


class JobRunner:
    """Interprets genomes.

    Args:
        storage: Jobs and files.
        folders: Where caches and databases lie.
        max_text_bytes: Largest size of the text of a file.
        time_limit_s: How long one attempt may take.
        client: Asks online services for all jobs; None: a job that asks has one of its own.
    """

    def __init__(
        self,
        storage: Storage,
        *,
        folders: Folders,
        max_text_bytes: int,
        time_limit_s: float,
        client: PoliteClient | None = None,
    ) -> None:
        self._jobs = storage.jobs
        self._files = storage.files
        self._folders = folders
        self._max_text_bytes = max_text_bytes
        self._time_limit_s = time_limit_s
        self._client = client

    async def compute(self, job: Job, share: Backend) -> Ending:
        """Interpret the upload of a job; the files of the result are not published yet.

        Cancelling stops the computing at once and leaves nothing behind.

        Raises:
            WorkCancelled: the worker processes were closed.
        """
        ending: Ending | None = None
        try:
            ending = await self._in_time(job, share)
        finally:
            if not isinstance(ending, Finished):
                await asyncio.to_thread(self._files.remove_scratch, job.held)
        return ending

    async def _in_time(self, job: Job, share: Backend) -> Ending:
        """The ending of an attempt, whatever it comes to."""
        limit = asyncio.timeout(self._time_limit_s)
        try:
            async with limit:
                made = await asyncio.to_thread(self._files.scratch, job.held)
                return Finished(await self._interpret(job, share, made), made)
        except WorkCancelled:
            raise
        except Exception as problem:  # noqa: BLE001 - whatever it is, it ends this job alone
            if limit.expired():
                return took_too_long(self._time_limit_s)
            _log_problem(job, problem)
            return outcome_of(problem)

    async def _interpret(self, job: Job, share: Backend, scratch: Path) -> Outcome:
        """The steps in worker processes, one after the other, the search in parallel."""
        source = Input(
            upload=self._files.upload_path(job.upload),
            filename=job.filename,
            parameters=Parameters(
                job.mode, job.phage_mode, online_services=chosen_services(job.mode, None)
            ),
            max_text_bytes=self._max_text_bytes,
        )
        progress = ProgressWriter(self._jobs, job.held)
        await progress.report(BEGUN)
        equipment = await asyncio.to_thread(load_resources, source.parameters, self._folders)
        with ExitStack() as stack:
            await asyncio.to_thread(stack.enter_context, held_open(equipment))
            parts = await share.run(begin, source, scratch, equipment)
            await progress.report(CALLED)
            await _together(
                _search(parts, scratch, share, progress),
                self._ask(scratch, source.parameters, equipment),
            )
            return await share.run(write_result, source, scratch, parts, equipment)

    async def _ask(self, scratch: Path, parameters: Parameters, equipment: Resources) -> None:
        """Ask online services what the job is to ask them."""
        if self._client is not None:
            await query_for_job(scratch, parameters, equipment, self._client)
        elif parameters.online_services:
            async with configured_client() as client:
                await query_for_job(scratch, parameters, equipment, client)

    async def settle(self, job: Job, ending: Ending) -> None:
        """Store the ending of an attempt; a late one is refused and leaves nothing behind.

        Raises:
            DatabaseAway: for longer than the lease; the job goes to somebody else.
        """
        held = job.held
        try:
            match ending:
                case Finished():
                    await self._publish(job, ending)
                case Failed():
                    await self._fail(job, ending)
                case _:
                    status = await _insist(partial(self._jobs.strike, held, ending.message))
                    _log(logging.WARNING, "job_struck", held, status=status)
        finally:
            await asyncio.to_thread(self._files.remove_scratch, held)

    async def _publish(self, job: Job, ending: Finished) -> None:
        """Files first, then the row that names them."""
        held = job.held
        try:
            await asyncio.to_thread(self._files.publish, held, ending.made)
        except OSError as problem:
            _log(logging.ERROR, "publishing_failed", held, problem=problem)
            await self._fail(job, Failed(NOT_WRITTEN))
            return
        if await _insist(partial(self._jobs.finish, held, ending.outcome)):
            _log(logging.INFO, "job_completed", held, total_genes=ending.outcome.counts.total_genes)
            await asyncio.to_thread(_remove_older, self._files, held, keep=None)
            return
        # Refused: late, or an earlier try was committed although its answer got lost.
        now = await self._jobs.get(held.job_id)
        if now is None or now.report_attempt != held.attempt:
            _log(logging.WARNING, "late_result_refused", held)
            await asyncio.to_thread(_remove_files, self._files, held.job_id, held.attempt)

    async def _fail(self, job: Job, ending: Failed) -> None:
        if await _insist(partial(self._jobs.fail, job.held, ending.message)):
            _log(logging.INFO, "job_failed", job.held)
            await asyncio.to_thread(_remove_older, self._files, job.held, keep=job.report_attempt)


async def _search(parts: int, scratch: Path, share: Backend, progress: ProgressWriter) -> None:
    """Search all parts of the proteins; the first error ends it."""
    done = 0

    async def search(part: int) -> None:
        nonlocal done
        await share.run(search_part, scratch, part)
        done += 1
        await progress.report(searched(done, parts))

    await _together(*(search(part) for part in range(parts)))


async def _together(*works: Coroutine[object, object, None]) -> None:
    """Do all at once; the first error ends the others and is raised."""
    try:
        async with asyncio.TaskGroup() as group:
            for work in works:
                group.create_task(work)
    except BaseExceptionGroup as problems:
        raise problems.exceptions[0] from None


async def _insist(write: Callable[[], Awaitable[_Answer]]) -> _Answer:
    """Try a write again while the database is away, for as long as a lease holds.

    Raises:
        DatabaseAway: it is away for longer.
    """
    clock = asyncio.get_running_loop().time
    give_up_at = clock() + LEASE_S
    while True:
        try:
            return await write()
        except DatabaseAway:
            if clock() > give_up_at:
                raise
            await asyncio.sleep(_AGAIN_S)


def _remove_older(files: FileStore, held: Held, *, keep: int | None) -> None:
    """Remove what older attempts published, but for the one that is still served.

    Never newer ones: a worker that slept after its commit must not harm them.
    """
    for attempt in range(1, held.attempt):
        if attempt != keep:
            _remove_files(files, held.job_id, attempt)


def _remove_files(files: FileStore, job_id: str, attempt: int) -> None:
    for path_of in (files.report_path, files.result_path, files.genes_path):
        path_of(job_id, attempt).unlink(missing_ok=True)


def _log_problem(job: Job, problem: Exception) -> None:
    """The place in the program only where it is not the file's fault."""
    trace = None if is_expected(problem) else problem
    level = logging.ERROR if trace else logging.INFO
    _log(level, "attempt_ended", job.held, problem=trace, error=type(problem).__name__)


def _log(
    level: int, event: str, held: Held, *, problem: Exception | None = None, **more: object
) -> None:
    about = {"event": event, "job_id": held.job_id, "attempt": held.attempt, **more}
    _LOG.log(level, event.replace("_", " "), extra=about, exc_info=problem)
