"""What finished jobs left on disk, kept in memory while it is asked for."""

from __future__ import annotations

import asyncio
import gzip
import logging
import os
import shutil
import zlib
from collections import Counter, OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Mapping
from contextlib import ExitStack, aclosing, asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

from aiohttp import web

from genint.errors import BusyError, Conflict, FormatError, InputError, NotFound, WorkLostError
from genint.model.job import Job
from genint.storage import Storage
from genint.version import __version__
from genint.worker.rendering import Renderer

PIECE_BYTES: Final = 256 << 10
"""What a client that does not read costs at most; less than that is sent at once."""
_STALLED_S: Final = 30.0
"""How long a client may take nothing at all."""
_LOOK_S: Final = 0.5
"""How often to look whether a client that waits is still there."""
_Result = TypeVar("_Result")


async def send(
    request: web.Request,
    content: bytes | BinaryIO,
    *,
    before: bytes = b"",
    after: bytes = b"",
    headers: Mapping[str, str],
) -> web.StreamResponse:
    """Answer with bytes, or with an open file, which is closed.

    Neither is copied as a whole: a client that does not read keeps one piece of it in
    memory, and is hung up on when it took nothing for half a minute.

    Args:
        request: What is answered.
        content: The body.
        before: Comes before it.
        after: Comes behind it.
        headers: Of the answer, with the content type.
    """
    if isinstance(content, bytes) and len(content) <= PIECE_BYTES:
        whole = web.Response(body=b"".join((before, content, after)), headers=headers)
        async with _patience(request):
            await whole.prepare(request)
            await whole.write_eof()
        return whole
    size = await _size(content)
    response = web.StreamResponse(status=HTTPStatus.OK, headers=headers)
    response.content_length = len(before) + size + len(after)
    try:
        await response.prepare(request)
        if request.method != "HEAD":
            async with aclosing(_pieces(content, before, after)) as pieces:
                async for piece in pieces:
                    async with _patience(request):
                        await response.write(piece)
        await response.write_eof()
    finally:
        if not isinstance(content, bytes):
            content.close()
    return response


def has_current(request: web.Request, etag: str) -> bool:
    """Whether the client says that it has what the tag names (RFC 9110, section 13.1.2)."""
    return etag in request.headers.get("If-None-Match", "")


async def while_connected(request: web.Request, work: Coroutine[Any, Any, _Result]) -> _Result:
    """What some work gives; it is cancelled when nobody waits for the answer any more.

    Raises:
        ConnectionResetError: the client has left.
    """
    task = asyncio.create_task(work)
    try:
        while not task.done():
            if request.transport is None:
                raise ConnectionResetError("the client has left")
            await asyncio.wait((task,), timeout=_LOOK_S)
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait((task,))


@asynccontextmanager
async def _patience(request: web.Request) -> AsyncGenerator[None, None]:
    """Hang up where writing takes too long."""
    try:
        async with asyncio.timeout(_STALLED_S):
            yield
    except TimeoutError:
        if request.transport is not None:
            request.transport.abort()
        raise ConnectionResetError("the client reads nothing") from None


async def _pieces(
    content: bytes | BinaryIO, before: bytes, after: bytes
) -> AsyncGenerator[bytes, None]:
    """The body in pieces; the first one has what comes before it, the last what comes behind."""
    start = before
    if isinstance(content, bytes):
        view = memoryview(content)
        for at in range(0, len(content), PIECE_BYTES):
            yield start + view[at : at + PIECE_BYTES]
            start = b""
    else:
        while piece := await asyncio.to_thread(content.read, PIECE_BYTES):
            yield start + piece
            start = b""
    if start or after:
        yield start + after


async def _size(content: bytes | BinaryIO) -> int:
    if isinstance(content, bytes):
        return len(content)
    return await asyncio.to_thread(_file_size, content)


def _file_size(file: BinaryIO) -> int:
    size = file.seek(0, 2)
    file.seek(0)
    return size


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


class _Turns:
    """One at a time of each kind, the others wait."""

    def __init__(self) -> None:
        self._locks: dict[str, asyncio.Lock] = {}
        self._waiting: Counter[str] = Counter()

    @asynccontextmanager
    async def of(self, kind: str) -> AsyncIterator[None]:
        lock = self._locks.setdefault(kind, asyncio.Lock())
        self._waiting[kind] += 1
        try:
            async with lock:
                yield
        finally:
            self._waiting[kind] -= 1
            if not self._waiting[kind]:
                del self._waiting[kind], self._locks[kind]


class Results:
    """Genes and reports of jobs.

    A report that an older version of the program made is made again from the stored
    result when somebody asks for it, and so is one whose file is gone. Other formats are
    made whenever they are asked for, one at a time for each user.

    Args:
        storage: Where they lie.
        renderer: Makes reports of stored results in a worker process.
    """

    def __init__(self, storage: Storage, renderer: Renderer) -> None:
        self._files = storage.files
        self._renderer = renderer
        self._kept = _Kept()
        self._turns = _Turns()

    async def genes(self, job_id: str, attempt: int) -> bytes | BinaryIO:
        """The genes of a result as a JSON array; NotFound where the file is gone.

        A large one comes as an open file, for the caller to close.
        """
        return await self._read(
            f"{job_id}.{attempt}.genes", self._files.genes_path(job_id, attempt)
        )

    async def report(self, job: Job) -> tuple[bytes | BinaryIO, str]:
        """The report of a job and a tag that changes with it; large ones as ``genes``.

        Raises:
            NotFound: there is no result, or its file is gone.
            Conflict: there is no report, and the result cannot be read.
            BusyError: there is no report, and it cannot be made now.
        """
        attempt = job.report_attempt
        if attempt is None:
            raise NotFound("There is no report yet")
        path = self._files.report_path(job.id, attempt)
        tag = f"{attempt}-{__version__}"
        key = f"{job.id}.{tag}.html"
        kept = self._kept.get(key)
        if kept is not None:
            return kept, tag
        async with self._turns.of(job.id):
            if job.report_version == __version__ and await asyncio.to_thread(path.is_file):
                return await self._read(key, path), tag
            if await self._has_rendered(job):
                return await self._read(key, path), tag
            # The old report is better than none; it is not kept as if it were new.
            return await asyncio.to_thread(_open, path), f"{attempt}-{job.report_version}"

    async def file(self, job: Job, name: str) -> tuple[bytes | BinaryIO, str]:
        """The result of a job in a format, and a tag as for ``report``; large ones as ``genes``.

        Args:
            job: Whose result.
            name: One of :data:`genint.report.formats.FORMATS`.

        Raises:
            Conflict: there is no result, or none that this format can be made of.
            NotFound: the file of the result is gone.
            BusyError: it cannot be made now.
        """
        attempt = job.report_attempt
        if attempt is None:
            ended = job.status.is_terminal
            raise Conflict("The job has no result" if ended else "The job has no result yet")
        if name == "html":
            return await self.report(job)
        tag = f"{attempt}-{__version__}"
        key = f"{job.id}.{tag}.{name}"
        async with self._turns.of(job.user_id):
            content: bytes | BinaryIO | None = self._kept.get(key)
            if content is None:
                async with _told_in_words(job):
                    content = await self._made(job, attempt, name)
                if isinstance(content, bytes):
                    self._kept.put(key, content)
        return content, tag

    async def _made(self, job: Job, attempt: int, name: str) -> bytes | BinaryIO:
        if name == "json":
            return await asyncio.to_thread(self._unpacked, job.id, attempt)
        async with self._renderer.rendered(job, name) as (made, _):
            return await asyncio.to_thread(_open, made)

    def _unpacked(self, job_id: str, attempt: int) -> bytes | BinaryIO:
        """The JSON result; a large one as a file without a name."""
        with gzip.open(self._files.result_path(job_id, attempt)) as packed:
            start = packed.read(_LARGEST_KEPT_BYTES + 1)
            if not start:
                raise EOFError("the file is empty")
            if len(start) <= _LARGEST_KEPT_BYTES:
                return start
            with ExitStack() as stack:
                text = stack.enter_context(self._files.nameless_file())
                text.write(start)
                shutil.copyfileobj(packed, text)
                text.seek(0)
                stack.pop_all()  # the caller closes it
                return text

    async def _has_rendered(self, job: Job) -> bool:
        """Whether the report was made again; False where it could not be, but an old one is there.

        Raises:
            As :func:`_in_words` where there is no old report.
        """
        try:
            async with _told_in_words(job):
                await self._renderer.render_again(job)
        except Exception:
            path = self._files.report_path(job.id, job.report_attempt or 0)
            if not await asyncio.to_thread(path.is_file):
                raise
            return False
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


@asynccontextmanager
async def _told_in_words(job: Job) -> AsyncIterator[None]:
    """A failure to make a file of a job goes to the log, and to its reader in words."""
    try:
        yield
    except Exception as problem:
        _log_not_rendered(job, problem)
        told = _in_words(problem)
        if told is problem:
            raise
        raise told from problem


def _in_words(problem: Exception) -> Exception:
    """NotFound, Conflict or BusyError; the problem itself where it is none of these."""
    match problem:
        case NotFound() | BusyError():
            return problem
        case FileNotFoundError():
            return NotFound("The result of this job no longer exists")
        case FormatError() | gzip.BadGzipFile() | EOFError() | zlib.error():
            return Conflict("The stored result cannot be read; run the job again")
        case InputError():  # says what is missing: the upload, something in an old result
            return Conflict(str(problem))
        case OSError() | TimeoutError() | MemoryError() | WorkLostError():
            return BusyError("a file of a result could not be made")
    return problem


def _log_not_rendered(job: Job, problem: Exception) -> None:
    _LOG.warning(
        "a report was not made",
        extra={"event": "not_rendered", "job_id": job.id, "reason": repr(problem)},
    )


def _open(path: Path) -> bytes | BinaryIO:
    """The content of a file, or the file itself where it is too large to be kept."""
    file = path.open("rb")
    if os.fstat(file.fileno()).st_size > _LARGEST_KEPT_BYTES:
        return file
    with file:
        return file.read()
