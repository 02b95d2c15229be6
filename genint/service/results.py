"""Results of finished jobs: read from disk, cached in memory, sent to clients that read them.

A report is read as it was made, by anybody who knows its address. Only its owner can have one that
an older version of the program made, or that is gone, made again; formats other than JSON and HTML
are rendered for each request.
"""

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
from typing import Any, BinaryIO, Final, TypeVar, cast

from aiofiles.threadpool import wrap
from aiofiles.threadpool.binary import AsyncBufferedReader
from aiohttp import web

from genint.errors import BusyError, Conflict, FormatError, InputError, NotFound, WorkLostError
from genint.model.job import Job
from genint.service.compression import compress, gzip_headers, wants_gzip
from genint.storage import Storage
from genint.storage.files import genes_name, report_name, result_name
from genint.storage.objects import opened_in_thread
from genint.version import __version__
from genint.worker.rendering import Renderer

PIECE_BYTES: Final = 256 << 10
"""What a client that does not read costs at most; less than that is sent at once."""
_STALLED_S: Final = 30.0
"""How long a client may read nothing at all."""
_CHECK_EVERY_S: Final = 0.5
"""How often to check whether a client that waits is still connected."""
_CACHE_BYTES: Final = 64 << 20
"""Memory for all results together."""
_LARGEST_CACHED_BYTES: Final = 8 << 20
"""Larger ones (whole bacteria) are read from the disk each time, piece by piece."""
_RESULT_GONE: Final = "The result of this job no longer exists"
_REPORT_GONE: Final = (
    "The report of this job no longer exists; its owner can have it made again "
    "(/api/v1/jobs/{job_id}/result?format=html)"
)
_LOG = logging.getLogger("genint.service")

Content = bytes | AsyncBufferedReader
"""A small file as its bytes, a large one open for reading."""
_Result = TypeVar("_Result")


async def send(  # noqa: PLR0913 - parts of one answer, by keyword
    request: web.Request,
    content: Content,
    *,
    before: bytes = b"",
    after: bytes = b"",
    headers: Mapping[str, str],
    packed: bytes | None = None,
) -> web.StreamResponse:
    """Answer with bytes, or with an open file, which is closed.

    Bytes are compressed where the client takes that, a file is sent as it is.

    Neither is copied as a whole: a client that does not read keeps one piece of it in
    memory, and is hung up on when it took nothing for half a minute.

    Args:
        request: What is answered.
        content: The body.
        before: Comes before it.
        after: Comes behind it.
        headers: Of the answer, with the content type.
        packed: The whole body in gzip, where somebody has it already.
    """
    if isinstance(content, bytes):
        size = len(before) + len(content) + len(after)
        if wants_gzip(request, headers["Content-Type"], size):
            content = packed or await compress(b"".join((before, content, after)))
            headers, before, after = gzip_headers(headers), b"", b""
    if isinstance(content, bytes) and len(content) <= PIECE_BYTES:
        whole = web.Response(body=b"".join((before, content, after)), headers=headers)
        async with write_timeout(request):
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
                    async with write_timeout(request):
                        await response.write(piece)
        await response.write_eof()
    finally:
        if not isinstance(content, bytes):
            await content.close()
    return response


def has_current(request: web.Request, etag: str) -> bool:
    """Whether the client says that it has what the tag names (RFC 9110, section 13.1.2)."""
    return etag in request.headers.get("If-None-Match", "")


async def while_connected(request: web.Request, work: Coroutine[Any, Any, _Result]) -> _Result:
    """Result of some work, which is cancelled when the client has left.

    Raises:
        ConnectionResetError: the client has left.
    """
    task = asyncio.create_task(work)
    try:
        while not task.done():
            if request.transport is None:
                raise ConnectionResetError("the client has left")
            await asyncio.wait((task,), timeout=_CHECK_EVERY_S)
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait((task,))


@asynccontextmanager
async def write_timeout(request: web.Request) -> AsyncGenerator[None, None]:
    """Close the connection where writing takes too long."""
    try:
        async with asyncio.timeout(_STALLED_S):
            yield
    except TimeoutError:
        if request.transport is not None:
            request.transport.abort()
        raise ConnectionResetError("the client reads nothing") from None


async def _pieces(content: Content, before: bytes, after: bytes) -> AsyncGenerator[bytes, None]:
    """The body in pieces; the first one has what comes before it, the last what comes behind."""
    start = before
    if isinstance(content, bytes):
        view = memoryview(content)
        for at in range(0, len(content), PIECE_BYTES):
            yield start + view[at : at + PIECE_BYTES]
            start = b""
    else:
        while piece := await content.read(PIECE_BYTES):
            yield start + piece
            start = b""
    if start or after:
        yield start + after


async def _size(content: Content) -> int:
    if isinstance(content, bytes):
        return len(content)
    size = await content.seek(0, os.SEEK_END)
    await content.seek(0)
    return size


class _ContentCache:
    """Bytes by key; the least recently used are evicted first."""

    def __init__(self) -> None:
        self._entries: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0

    def get(self, key: str) -> bytes | None:
        content = self._entries.get(key)
        if content is not None:
            self._entries.move_to_end(key)
        return content

    def put(self, key: str, content: Content) -> None:
        """Cache what is small enough to be bytes."""
        if key in self._entries or not isinstance(content, bytes):
            return
        self._entries[key] = content
        self._bytes += len(content)
        while self._bytes > _CACHE_BYTES:
            _, evicted = self._entries.popitem(last=False)
            self._bytes -= len(evicted)


class _KeyedLocks:
    """One lock for each key, for as long as one is needed."""

    def __init__(self) -> None:
        self._locks: dict[str, asyncio.Lock] = {}
        self._users: Counter[str] = Counter()

    @asynccontextmanager
    async def of(self, key: str) -> AsyncIterator[None]:
        lock = self._locks.setdefault(key, asyncio.Lock())
        self._users[key] += 1
        try:
            async with lock:
                yield
        finally:
            self._users[key] -= 1
            if not self._users[key]:
                del self._users[key], self._locks[key]


class Results:
    """Genes, reports and files of jobs; files are rendered one at a time for each user.

    Args:
        storage: Where results are kept.
        renderer: Makes reports of stored results in a worker process.
    """

    def __init__(self, storage: Storage, renderer: Renderer) -> None:
        self._files = storage.files
        self._objects = storage.files.objects
        self._renderer = renderer
        self._cache = _ContentCache()
        self._locks = _KeyedLocks()

    async def packed(self, key: str, content: bytes) -> bytes:
        """Some content in gzip, compressed once for all who get it.

        Args:
            key: Changes with the content.
            content: The content.
        """
        key = f"{key}.gz"
        async with self._locks.of(key):
            found = self._cache.get(key)
            if found is None:
                found = await compress(content)
                self._cache.put(key, found)
        return found

    async def genes(self, job_id: str, attempt: int) -> Content:
        """The genes of a result as a JSON array; NotFound where the file is gone.

        A large one comes as an open file, for the caller to close.
        """
        return await self._read(f"{job_id}.{attempt}.genes", genes_name(job_id, attempt))

    async def report(self, job: Job) -> tuple[Content, str]:
        """The report of a job as it was made, and a tag that changes with it.

        Nothing is rendered: whoever asks, and how often, costs no more than a file. A large one
        comes as an open file, for the caller to close.

        Raises:
            NotFound: there is no result, or the file of the report is gone.
        """
        attempt = job.report_attempt
        if attempt is None:
            raise NotFound("There is no report yet")
        tag = f"{attempt}-{job.report_version}"
        name = report_name(job.id, attempt)
        return await self._read(f"{job.id}.{tag}.html", name, _REPORT_GONE), tag

    async def current_report(self, job: Job) -> tuple[Content, str]:
        """The report of a job as this version makes it, and its tag; for the owner of the job.

        Raises:
            NotFound: there is no result, or its file is gone.
            Conflict: there is no report, and the result cannot be read.
            BusyError: there is no report, and it cannot be made now.
        """
        attempt = job.report_attempt
        if attempt is None:
            raise NotFound("There is no report yet")
        name = report_name(job.id, attempt)
        tag = f"{attempt}-{__version__}"
        key = f"{job.id}.{tag}.html"
        cached = self._cache.get(key)
        if cached is not None:
            return cached, tag
        async with self._locks.of(job.id):
            if job.report_version == __version__ and await self._objects.has(name):
                return await self._read(key, name), tag
            if await self._has_rendered(job):
                return await self._read(key, name), tag
            # The old report is better than none; it is not kept as if it were new.
            return await self._open(name), f"{attempt}-{job.report_version}"

    async def file(self, job: Job, name: str) -> tuple[Content, str]:
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
            return await self.current_report(job)
        tag = f"{attempt}-{__version__}"
        key = f"{job.id}.{tag}.{name}"
        async with self._locks.of(job.user_id):
            content: Content | None = self._cache.get(key)
            if content is None:
                async with _client_errors(job):
                    content = await self._rendered(job, attempt, name)
                self._cache.put(key, content)
        return content, tag

    async def difference(self, jobs: tuple[Job, Job], name: str) -> bytes:
        """What differs between the results of two jobs of one user, in a format of ``genint diff``.

        Raises:
            Conflict: a job has no result, or one that cannot be read.
            NotFound: the file of a result is gone.
            BusyError: it cannot be made now.
        """
        for job in jobs:
            if job.report_attempt is None:
                raise Conflict(f"The job about {job.filename} has no result")
        async with self._locks.of(jobs[0].user_id), _client_errors(jobs[0]):
            return await self._renderer.difference(jobs, name)

    async def _rendered(self, job: Job, attempt: int, name: str) -> Content:
        if name == "json":
            packed = await self._objects.open(result_name(job.id, attempt))
            text = await opened_in_thread(lambda: self._unpacked(packed), _close)
            return text if isinstance(text, bytes) else wrap(text)
        async with self._renderer.rendered(job, name) as (made, _):
            file = await opened_in_thread(lambda: made.open("rb"), lambda file: file.close())
            return await opened_in_thread(lambda: _content(file), lambda _: file.close())

    def _unpacked(self, result: BinaryIO) -> bytes | BinaryIO:
        """The JSON result, of its compressed file; a large one as a file without a name."""
        with result, gzip.open(result) as packed:
            start = packed.read(_LARGEST_CACHED_BYTES + 1)
            if not start:
                raise EOFError("the file is empty")
            if len(start) <= _LARGEST_CACHED_BYTES:
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
            As :func:`_client_error` where there is no old report.
        """
        try:
            async with _client_errors(job):
                await self._renderer.render_again(job)
        except Exception:
            if not await self._objects.has(report_name(job.id, job.report_attempt or 0)):
                raise
            return False
        return True

    async def _read(self, key: str, name: str, gone: str = _RESULT_GONE) -> Content:
        content = self._cache.get(key)
        if content is not None:
            return content
        try:
            found = await self._open(name)
        except FileNotFoundError:
            raise NotFound(gone) from None
        self._cache.put(key, found)
        return found

    async def _open(self, name: str) -> Content:
        file = await self._objects.open(name)
        return await opened_in_thread(lambda: _content(file), lambda _: file.close())


@asynccontextmanager
async def _client_errors(job: Job) -> AsyncIterator[None]:
    """A failure to make a file of a job goes to the log, and to the client as an answer."""
    try:
        yield
    except Exception as problem:
        extra = {"event": "not_rendered", "job_id": job.id, "reason": repr(problem)}
        _LOG.warning("a report was not made", extra=extra)
        answer = _client_error(problem)
        if answer is problem:
            raise
        raise answer from problem


def _client_error(problem: Exception) -> Exception:
    """NotFound, Conflict or BusyError; the problem itself where it is none of these."""
    match problem:
        case NotFound() | BusyError():
            return problem
        case FileNotFoundError():
            return NotFound(_RESULT_GONE)
        case FormatError() | gzip.BadGzipFile() | EOFError() | zlib.error():
            return Conflict("The stored result cannot be read; run the job again")
        case InputError():  # names what is missing: the upload, something in an old result
            return Conflict(str(problem))
        case OSError() | TimeoutError() | MemoryError() | WorkLostError():
            return BusyError("a file of a result could not be made")
    return problem


def _close(text: bytes | BinaryIO) -> None:
    if not isinstance(text, bytes):
        text.close()


def _content(file: BinaryIO) -> Content:
    """The content of a file, or the file itself where it is too large to be cached."""
    start = file.read(_LARGEST_CACHED_BYTES + 1)
    if len(start) > _LARGEST_CACHED_BYTES:
        file.seek(0)
        return cast(AsyncBufferedReader, wrap(file))
    file.close()
    return start
