"""Faults in how an answer comes: sizes, speeds, broken connections."""

from __future__ import annotations

import asyncio
import gzip
import socket
import struct
import zlib

from aiohttp import web

from .faults import BrokenOff, Fault, Proceed
from .record import VISIT

GIB = 2**30
_CHUNK = b" " * 65_536


def gzip_bomb(size: int = GIB) -> Fault:
    """A small gzipped body that becomes so large."""

    async def answer(_request: web.Request, _proceed: Proceed) -> web.StreamResponse:
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        block = bytes(1_000_000)
        packed = b"".join(packer.compress(block) for _ in range(size // len(block)))
        headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
        return web.Response(body=packed + packer.flush(), headers=headers)

    return answer


def bad_gzip() -> Fault:
    """A body that is said to be gzipped and is damaged half way."""

    async def answer(_request: web.Request, proceed: Proceed) -> web.StreamResponse:
        response = await proceed()
        assert isinstance(response, web.Response)
        assert isinstance(response.body, bytes)
        packed = gzip.compress(response.body)
        response.body = packed[: len(packed) // 2] + b"\0" * 40
        response.headers["Content-Encoding"] = "gzip"
        return response

    return answer


def _count(request: web.Request, sent: int) -> None:
    request[VISIT].sent_bytes += sent


def endless(size: int = GIB, kind: str = "application/json") -> Fault:
    """A body of so many bytes, streamed; the record counts what was taken."""

    async def answer(request: web.Request, _proceed: Proceed) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": kind})
        await response.prepare(request)
        await response.write(b'{"results":[')
        for _ in range(size // len(_CHUNK)):
            await response.write(_CHUNK)
            _count(request, len(_CHUNK))
        await response.write(b"]}")
        await response.write_eof()
        return response

    return answer


def drip(bytes_each: int = 1, pause_s: float = 0.05) -> Fault:
    """The right answer, a few bytes at a time."""

    async def answer(request: web.Request, proceed: Proceed) -> web.StreamResponse:
        whole = await proceed()
        assert isinstance(whole, web.Response)
        assert isinstance(whole.body, bytes)
        headers = {"Content-Type": whole.headers["Content-Type"]}
        response = web.StreamResponse(status=whole.status, headers=headers)
        await response.prepare(request)
        for start in range(0, len(whole.body), bytes_each):
            await response.write(whole.body[start : start + bytes_each])
            _count(request, bytes_each)
            await asyncio.sleep(pause_s)
        await response.write_eof()
        return response

    return answer


def silence(for_s: float = 3600.0) -> Fault:
    """No answer at all until so much later."""

    async def answer(_request: web.Request, proceed: Proceed) -> web.StreamResponse:
        await asyncio.sleep(for_s)
        return await proceed()

    return answer


def hang_up() -> Fault:
    """The connection is reset before anything is said."""

    async def answer(request: web.Request, _proceed: Proceed) -> web.StreamResponse:
        _reset(request)
        raise BrokenOff

    return answer


def broken_off(share: float = 0.5, *, reset: bool = True) -> Fault:
    """The right headers and a part of the body; then reset, or closed as if all were said."""

    async def answer(request: web.Request, proceed: Proceed) -> web.StreamResponse:
        whole = await proceed()
        assert isinstance(whole, web.Response)
        assert isinstance(whole.body, bytes)
        response = web.StreamResponse(
            headers={
                "Content-Type": whole.headers["Content-Type"],
                "Content-Length": str(len(whole.body)),
            }
        )
        await response.prepare(request)
        await response.write(whole.body[: max(1, int(len(whole.body) * share))])
        await asyncio.sleep(0.01)  # else the reset overtakes what was written
        if reset:
            _reset(request)
        elif request.transport is not None:
            request.transport.close()
        raise BrokenOff

    return answer


def _reset(request: web.Request) -> None:
    """Close with RST instead of FIN."""
    if request.transport is None:
        return
    raw = request.transport.get_extra_info("socket")
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    request.transport.abort()
