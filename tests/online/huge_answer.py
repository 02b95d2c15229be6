"""Asks servers for a gigabyte each; prints what that cost. Run in a process of its own."""

from __future__ import annotations

import asyncio
import gzip
import json
import time
import zlib

from genint.online.protocol import Host
from tests.servers.peak_memory import forget_peak, peak_mb
from tests.servers.polite_asking import client_of, lost
from tests.servers.strange_server import head, raw_server

PIECE = b"x" * 1_000_000
TYPE = {"Content_Type": "application/json"}
sent_bytes = 0


async def declared(_number, _reader, writer):
    writer.write(head(Content_Length="1000000000", **TYPE))
    for _ in range(1000):
        await send(writer, PIECE)


async def chunked(_number, _reader, writer):
    writer.write(head(Transfer_Encoding="chunked", **TYPE))
    for _ in range(1000):
        await send(writer, b"f4240\r\n" + PIECE + b"\r\n")


async def bomb(_number, _reader, writer):
    writer.write(head(Content_Length=str(len(BOMB)), Content_Encoding="gzip", **TYPE))
    await send(writer, BOMB)


async def bomb_of_an_error(_number, _reader, writer):
    writer.write(head("400 No", Content_Length=str(len(BOMB)), Content_Encoding="gzip", **TYPE))
    await send(writer, BOMB)


async def send(writer, piece):
    global sent_bytes  # noqa: PLW0603 - a script
    writer.write(piece)
    await writer.drain()
    sent_bytes += len(piece)


def bomb_of_a_gigabyte():
    """A member that small pieces of become very large ones, and many small members."""
    zipper = zlib.compressobj(1, zlib.DEFLATED, 31)
    large = b"".join(zipper.compress(PIECE) for _ in range(300)) + zipper.flush()
    return large + gzip.compress(PIECE) * 700


async def cost_of(speak):
    global sent_bytes  # noqa: PLW0603 - a script
    sent_bytes = 0
    async with raw_server(speak) as address, client_of(address) as client:
        run = client.run(60)
        forget_peak()
        before_mb, began_s = peak_mb(), time.monotonic()
        problem = await lost(run)
        return {
            "reason": problem.reason,
            "requests": run.requests(Host.INTERPRO),
            "more_mb": round(peak_mb() - before_mb),
            "sent_mb": round(sent_bytes / 1_000_000),
            "seconds": round(time.monotonic() - began_s, 2),
        }


async def main():
    speaks = (declared, bomb_of_an_error, chunked, bomb)  # those that take memory last
    return {speak.__name__: await cost_of(speak) for speak in speaks}


if __name__ == "__main__":
    BOMB = bomb_of_a_gigabyte()
    print(json.dumps(asyncio.run(main())))
