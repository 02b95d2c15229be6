"""What event streams cost that are open while nothing happens."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import aiohttp

from benchmarks.service.client import Client
from benchmarks.service.figures import AtMost, Board
from benchmarks.service.request_rates import LAMBDA, Effort
from benchmarks.service.running import Failed, Running, Site, cpu_s, freeze, memory_mib, workers_of

_USERS = 25
_STREAMS_PER_USER = 20
_SETTLE_S = 3.0


def streams(site: Site, board: Board, effort: Effort) -> None:
    """Memory and CPU of the service with 500 streams open, while no job makes progress."""
    board.title(f"{site.name}: {_USERS * _STREAMS_PER_USER} event streams, nothing happens")
    with site.serve(workers=1) as running:
        clients = [Client.signed_up(running.url) for _ in range(_USERS)]
        followed = [(client, client.submit(LAMBDA)) for client in clients]
        first, job_id = followed[0]
        first.until(job_id, "RUNNING", limit_s=60)
        freeze(workers_of(running.pid))
        asyncio.run(_measure(running, followed, board, max(20.0, effort.seconds)))


async def _measure(
    running: Running, followed: Sequence[tuple[Client, str]], board: Board, seconds: float
) -> None:
    await asyncio.sleep(_SETTLE_S)
    alone_mib, alone_cores = memory_mib(running.pid), await _cores(running, seconds)
    async with _opened(running.url, followed):
        await asyncio.sleep(_SETTLE_S)
        cores = await _cores(running, seconds)
        used_mib = memory_mib(running.pid) - alone_mib
    board.figure("without streams: CPU", 100 * alone_cores, "% of a core")
    board.figure("with them: CPU", 100 * cores, "% of a core", AtMost(10))
    board.figure("memory that they take", used_mib, "MiB", AtMost(100))


async def _cores(running: Running, seconds: float) -> float:
    """Cores that the main process uses meanwhile."""
    began, used = time.monotonic(), cpu_s(running.pid)
    await asyncio.sleep(seconds)
    return (cpu_s(running.pid) - used) / (time.monotonic() - began)


@asynccontextmanager
async def _opened(url: str, followed: Sequence[tuple[Client, str]]) -> AsyncIterator[None]:
    """All streams, open until the end of the block; their first event has come.

    Raises:
        Failed: one was refused, or ended before.
    """
    async with AsyncExitStack() as stack:
        connector = aiohttp.TCPConnector(limit=0)
        session = await stack.enter_async_context(aiohttp.ClientSession(connector=connector))
        answers = []
        for client, job_id in tuple(followed) * _STREAMS_PER_USER:
            request = session.get(f"{url}/api/v1/jobs/{job_id}/events", headers=client.headers)
            answers.append(await stack.enter_async_context(request))
            if answers[-1].status != 200:
                raise Failed(f"a stream was refused: {answers[-1].status}")
            await answers[-1].content.readuntil(b"data: ")
        yield
        if any(answer.content.at_eof() for answer in answers):
            raise Failed("a stream ended")
