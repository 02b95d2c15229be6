"""A server on loopback that answers as a test says, and notes what it was asked, and when."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from aiohttp import web

from genint.online.protocol import ServiceAddresses


class Request(NamedTuple):
    at_s: float
    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes


@dataclass
class StrangeServer:
    """Answers with ``answer``, which gets the number of the request (from 1) and the request."""

    answer: Callable[[int, web.Request], Awaitable[web.StreamResponse]]
    address: str = ""
    requests: list[Request] = field(default_factory=list)
    under_way: int = 0
    most_under_way: int = 0

    @property
    def times_s(self) -> list[float]:
        return [request.at_s for request in self.requests]

    def servers(self) -> ServiceAddresses:
        """All three services at this address, each below a path of its own."""
        return ServiceAddresses(
            f"{self.address}/up", f"{self.address}/ip/api", f"{self.address}/go"
        )

    async def handle(self, request: web.Request) -> web.StreamResponse:
        at_s = asyncio.get_running_loop().time()
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            self.requests.append(
                Request(
                    at_s,
                    request.method,
                    request.raw_path.partition("?")[0],
                    request.query_string,
                    dict(request.headers),
                    await request.read(),
                )
            )
            return await self.answer(len(self.requests), request)
        finally:
            self.under_way -= 1


@asynccontextmanager
async def strange_server(answer) -> AsyncIterator[StrangeServer]:
    server = StrangeServer(answer)
    app = web.Application(client_max_size=1 << 30)
    app.router.add_route("*", "/{anything:.*}", server.handle)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        server.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield server
    finally:
        await runner.cleanup()


Speak = Callable[[int, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def raw_server(speak: Speak, tls=None, *, speaks_first=False) -> AsyncIterator[str]:
    """Address of a server that does with its connections what ``speak`` does.

    ``speak`` gets the number of the request (from 1), which was read; afterwards the connection
    is closed.
    """
    count = 0
    talks: set[asyncio.Task] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal count
        talks.add(asyncio.current_task())
        try:
            if not speaks_first:
                await reader.readuntil(b"\r\n\r\n")
            count += 1
            await speak(count, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the client is gone, or the test over
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    try:
        port = server.sockets[0].getsockname()[1]
        yield f"http{'s' if tls else ''}://127.0.0.1:{port}"
    finally:
        server.close()
        for talk in talks:
            talk.cancel()
        await asyncio.gather(*talks, return_exceptions=True)


def head(status: str = "200 OK", **fields: str) -> bytes:
    """First lines of an answer; ``Content_Type="..."`` becomes a field of that name."""
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    return "\r\n".join([f"HTTP/1.1 {status}", *lines, "", ""]).encode()


async def closed_address():
    """Where nobody listens."""
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    return f"http://127.0.0.1:{port}"
