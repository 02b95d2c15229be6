"""What finished jobs left on disk, kept in memory while it is asked for."""

from __future__ import annotations

import asyncio
import logging
import os
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import BinaryIO

from genint.errors import BusyError, NotFound
from genint.model.job import Job
from genint.storage import Storage
from genint.version import __version__

_LOG = logging.getLogger("genint.service")
_KEPT_BYTES = 64 << 20
"""Memory for all results together."""
_LARGEST_KEPT_BYTES = 8 << 20
"""Larger ones (whole bacteria) are read from the disk each time, piece by piece."""


class _Kept:
    """Bytes by key, least recently used go first."""

    def __init__(self) -> None:
        self._entries: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0

    def get(self, key: str) -> bytes | None:
        content = self._entries.get(key)
        if content is not None:
            self._entries.move_to_end(key)
        return content

    def put(self, key: str, content: bytes) -> None:
        if key in self._entries:
            return
        self._entries[key] = content
        self._bytes += len(content)
        while self._bytes > _KEPT_BYTES:
            _, dropped = self._entries.popitem(last=False)
            self._bytes -= len(dropped)


class Results:
    """Genes and reports of jobs.

    A report that an older version of the program made is made again from the stored
    result when somebody asks for it, and so is one whose file is gone.

    Args:
        storage: Where they lie.
        render: Makes the report of a stored result in a worker process.
    """

    def __init__(self, storage: Storage, render: Callable[[Job], Awaitable[None]]) -> None:
        self._files = storage.files
        self._render_again = render
        self._kept = _Kept()
        self._rendering: dict[str, asyncio.Lock] = {}

    async def genes(self, job_id: str, attempt: int) -> bytes | BinaryIO:
        """The genes of a result as a JSON array; NotFound where the file is gone.

        A large one comes as an open file, for the caller to close.
        """
        return await self._read(
            f"{job_id}.{attempt}.genes", self._files.genes_path(job_id, attempt)
        )

    async def report(self, job: Job) -> tuple[bytes | BinaryIO, str]:
        """The report of a job and a tag that changes with it; large ones as ``genes``."""
        attempt = job.report_attempt
        if attempt is None:
            raise NotFound("There is no report yet")
        path = self._files.report_path(job.id, attempt)
        tag = f"{attempt}-{__version__}"
        key = f"{job.id}.{tag}.html"
        kept = self._kept.get(key)
        if kept is not None:
            return kept, tag
        lock = self._rendering.setdefault(job.id, asyncio.Lock())
        try:
            async with lock:
                if job.report_version == __version__ and await asyncio.to_thread(path.is_file):
                    return await self._read(key, path), tag
                if await self._has_rendered(job):
                    return await self._read(key, path), tag
                # The old report is better than none; it is not kept as if it were new.
                return await asyncio.to_thread(_open, path), f"{attempt}-{job.report_version}"
        finally:
            if not lock.locked():
                self._rendering.pop(job.id, None)

    async def _has_rendered(self, job: Job) -> bool:
        """Whether the report was made again; False where it could not be, but an old one is there.

        Raises:
            NotFound: there is no result to make it from, and no old report.
            BusyError: it could not be made now, and there is no old report.
        """
        try:
            await self._render_again(job)
        except Exception as problem:
            _LOG.warning(
                "a report was not made again",
                extra={"event": "not_rendered", "job_id": job.id, "reason": repr(problem)},
            )
            path = self._files.report_path(job.id, job.report_attempt or 0)
            if await asyncio.to_thread(path.is_file):
                return False
            if isinstance(problem, NotFound):
                raise
            raise BusyError("a report could not be made") from problem
        return True

    async def _read(self, key: str, path: Path) -> bytes | BinaryIO:
        content = self._kept.get(key)
        if content is not None:
            return content
        try:
            found = await asyncio.to_thread(_open, path)
        except FileNotFoundError:
            raise NotFound("The result of this job no longer exists") from None
        if isinstance(found, bytes):
            self._kept.put(key, found)
        return found


def _open(path: Path) -> bytes | BinaryIO:
    """The content of a file, or the file itself where it is too large to be kept."""
    file = path.open("rb")
    if os.fstat(file.fileno()).st_size > _LARGEST_KEPT_BYTES:
        return file
    with file:
        return file.read()
