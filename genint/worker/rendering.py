"""Reports made from stored results: in other formats, or again after the program changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final
from uuid import uuid4

from genint.compute import Backend, ProcessBackend, run_with_retry
from genint.errors import NotFound
from genint.model.job import Job, JobLease
from genint.pipeline.resources import Folders
from genint.report.formats import FORMATS
from genint.storage import Storage
from genint.storage.files import result_name, upload_name
from genint.version import __version__
from genint.worker.attempt import to_the_end
from genint.worker.result_files import (
    REPORT,
    StoredResult,
    render_difference,
    render_example,
    render_stored,
)

_LIMIT_S: Final = 60.0
_EXAMPLE_LIMIT_S: Final = 300.0
"""With an empty cache folder, on a busy machine."""
_NICE: Final = 5
"""Before the jobs, after the requests."""


class Renderer:
    """Makes reports from stored results, one at a time, in a worker process.

    Args:
        storage: Where uploads, results and reports lie.
        backend: Where to render.
    """

    def __init__(self, storage: Storage, backend: Backend) -> None:
        self._storage = storage
        self._backend = backend

    async def render_again(self, job: Job) -> None:
        """Replace the report of a job by one that this version makes of the stored result.

        Readers of the old report can read it to its end meanwhile.

        Raises:
            BusyError: the database does not answer.
            And as for :meth:`rendered`.
        """
        async with self.rendered(job, "html") as (made, attempt):
            files = self._storage.files
            await files.replace_report(job.id, attempt, made)
        await self._storage.jobs.set_report_version(job.id, attempt, __version__)

    @asynccontextmanager
    async def rendered(self, job: Job, name: str) -> AsyncIterator[tuple[Path, int]]:
        """A file with the result of a job in a format, for the time of the block.

        Cancelling ends the rendering.

        Args:
            job: Whose result.
            name: One of :data:`genint.report.formats.FORMATS`.

        Yields:
            The file, and the attempt that the result is of.

        Raises:
            NotFound: the job has no result, or its file is gone.
            FormatError: the stored result cannot be read.
            InputError: the format needs the upload, which is gone, or what a result of an
                older version lacks.
            TimeoutError: it took longer than a minute.
            WorkLostError: the worker process died or was closed.
            StoreAway: the store of results does not answer.
        """
        attempt = job.report_attempt
        if attempt is None:
            raise NotFound("There is no report yet")
        async with self._scratch(job, attempt) as folder:
            stored = await self._stored(
                job, attempt, folder, with_upload=FORMATS[name].needs_original
            )
            made = folder / REPORT
            try:
                async with asyncio.timeout(_LIMIT_S):
                    await run_with_retry(self._backend, render_stored, stored, name, made)
            except FileNotFoundError:
                raise NotFound("The result of this job no longer exists") from None
            yield made, attempt

    @asynccontextmanager
    async def _scratch(self, job: Job, attempt: int) -> AsyncIterator[Path]:
        """A folder of our own, for the time of the block: others may render the same."""
        files = self._storage.files
        place = JobLease(f"{job.id}-{uuid4().hex}", attempt, "")
        try:
            yield await to_the_end(files.scratch, place)
        finally:
            await to_the_end(files.remove_scratch, place)

    async def difference(self, jobs: tuple[Job, Job], name: str) -> bytes:
        """What differs between the results of two jobs, in a format of ``genint diff``.

        Raises:
            As for :meth:`rendered`.
        """
        attempts = [job.report_attempt for job in jobs if job.report_attempt is not None]
        if len(attempts) < len(jobs):
            raise NotFound("There is no result yet")
        async with self._scratch(jobs[0], attempts[0]) as folder:
            one, other = [
                await self._stored(job, attempt, folder, with_upload=False)
                for job, attempt in zip(jobs, attempts, strict=True)
            ]
            async with asyncio.timeout(_LIMIT_S):
                return await run_with_retry(self._backend, render_difference, one, other, name)

    async def _stored(
        self, job: Job, attempt: int, folder: Path, *, with_upload: bool
    ) -> StoredResult:
        """Where the files of a result can be read, for as long as the folder is there."""
        local = self._storage.files.objects.local
        upload = await local(upload_name(job.upload), folder) if with_upload else None
        result = await local(result_name(job.id, attempt), folder)
        return StoredResult(result, upload, job.filename)

    async def example(self, genome: Path, folders: Folders) -> bytes:
        """The HTML report of a genome that ships, as this version makes it.

        Raises:
            TimeoutError: it took longer than five minutes.
            And as for :meth:`rendered`, and what interpreting raises.
        """
        async with asyncio.timeout(_EXAMPLE_LIMIT_S):
            return await run_with_retry(self._backend, render_example, genome, folders)


@asynccontextmanager
async def open_renderer(
    storage: Storage, *, process_memory_bytes: int | None = None
) -> AsyncIterator[Renderer]:
    """A renderer with a worker process of its own, which starts when it is needed.

    So a page never waits for the genes of a bacterium.

    Args:
        storage: Where uploads, results and reports lie.
        process_memory_bytes: Most address space of the process (Linux); None: no limit.
    """
    backend = ProcessBackend(1, nice=_NICE, memory_bytes=process_memory_bytes)
    try:
        yield Renderer(storage, backend)
    finally:
        await backend.close()
