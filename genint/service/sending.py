"""Large answers, sent piece by piece to whoever takes them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Mapping
from contextlib import aclosing, asynccontextmanager
from http import HTTPStatus
from typing import Any, BinaryIO, Final, TypeVar

from aiohttp import web

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
