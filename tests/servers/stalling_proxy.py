"""A TCP proxy that can fall silent, as a network does, or refuse, as a server that is down does."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Self
from urllib.parse import urlsplit


class StallingProxy:
    """Forwards to one port; while stalled it accepts and reads, and forwards nothing."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._flows = asyncio.Event()
        self._flows.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._port = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.shut()

    async def shut(self) -> None:
        """End all connections and refuse new ones."""
        assert self._server is not None
        self._server.close()
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._server.wait_closed()

    async def reopen(self) -> None:
        """Take connections again, on the same port."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self._port)

    def instead_of(self, url: str) -> str:
        """The address with this proxy's port."""
        parts = urlsplit(url)
        user, _, _ = parts.netloc.rpartition("@")
        return parts._replace(netloc=f"{user}@127.0.0.1:{self._port}".lstrip("@")).geturl()

    def stall(self) -> None:
        """Forward nothing from now on."""
        self._flows.clear()

    def flow(self) -> None:
        """Forward again, also what came meanwhile."""
        self._flows.set()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        writers = [writer]
        try:
            with suppress(OSError, asyncio.CancelledError):
                await self._flows.wait()
                there, back = await asyncio.open_connection("127.0.0.1", self._target)
                writers.append(back)
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._forward(reader, back))
                    group.create_task(self._forward(there, writer))
        finally:
            for each in writers:
                each.transport.abort()
                with suppress(OSError):
                    await each.wait_closed()
            self._tasks.discard(task)

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while content := await reader.read(65_536):
                await self._flows.wait()
                writer.write(content)
                await writer.drain()
        writer.close()
