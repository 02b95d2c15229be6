"""One attempt at a job: compute it, then put the outcome into files and database."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from genint.api.online import chosen_services, configured_client
from genint.compute import Backend
from genint.errors import DatabaseAway, WorkCancelled
from genint.model.interpretation import Parameters
from genint.model.job import Held, Job, Outcome
from genint.steps import Equipment, Folders, equip, holding
from genint.storage import FileStore, Storage
from genint.storage.jobs import LEASE_S
from genint.worker import progress as stages
from genint.worker.asking import ask_for_job
from genint.worker.endings import (
    NOT_WRITTEN,
    Ending,
    Failed,
    Finished,
    ending_of,
    is_expected,
    took_too_long,
)
from genint.worker.job_steps import Input, begin, search_part, write_result
from genint.worker.progress import ProgressWriter

if TYPE_CHECKING:
    from genint.online.client import PoliteClient

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
            return ending_of(problem)

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
        await progress.report(stages.BEGUN)
        equipment = await asyncio.to_thread(equip, source.parameters, self._folders)
        with ExitStack() as stack:
            await asyncio.to_thread(stack.enter_context, holding(equipment))
            parts = await share.run(begin, source, scratch, equipment)
            await progress.report(stages.CALLED)
            await _together(
                _search(parts, scratch, share, progress),
                self._ask(scratch, source.parameters, equipment),
            )
            return await share.run(write_result, source, scratch, parts, equipment)

    async def _ask(self, scratch: Path, parameters: Parameters, equipment: Equipment) -> None:
        """Ask online services what the job is to ask them."""
        if self._client is not None:
            await ask_for_job(scratch, parameters, equipment, self._client)
        elif parameters.online_services:
            async with configured_client() as client:
                await ask_for_job(scratch, parameters, equipment, client)

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
        await progress.report(stages.searched(done, parts))

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
