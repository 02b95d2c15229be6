"""Notices of PostgreSQL: a connection of its own that listens, renewed when it is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import asyncpg

from genint.storage.notices import Notice, NoticeBoard, Subscription
from genint.storage.statements import Statements

CONNECT_LIMIT_S = 2.0
ALIVE_EVERY_S = 10.0
"""How often the connection is asked for a sign of life, since a silent one may be dead."""
RETRY_AFTER_S = 1.0

LOST = (
    OSError,
    TimeoutError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)


class Listener:
    """Listens on one channel from its first listener on, until it is closed.

    While the connection is lost notices are lost too: they save time, nothing else may
    depend on them.
    """

    def __init__(
        self,
        url: str,
        channel: str,
        statements: Statements,
        *,
        alive_every_s: float = ALIVE_EVERY_S,
    ) -> None:
        self._url = url
        self._sign_of_life, _ = statements.bind("sign_of_life", {})
        self._alive_every_s = alive_every_s
        self._channel = channel
        self._board = NoticeBoard()
        self._task: asyncio.Task[None] | None = None
        self._listens = asyncio.Event()

    @asynccontextmanager
    async def listen(self) -> AsyncIterator[Subscription]:
        """What is announced from now on."""
        with self._board.listen() as subscription:
            if self._task is None:
                self._task = asyncio.create_task(self._listen_on())
            with suppress(TimeoutError):  # without the server: nothing comes, for the time being
                async with asyncio.timeout(CONNECT_LIMIT_S):
                    await self._listens.wait()
            yield subscription

    async def close(self) -> None:
        """End the connection."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _listen_on(self) -> None:
        while True:
            with suppress(*LOST):
                await self._listen_once()
            await asyncio.sleep(RETRY_AFTER_S)

    async def _listen_once(self) -> None:
        """Listen until the connection is lost."""
        lost = asyncio.Event()
        async with asyncio.timeout(CONNECT_LIMIT_S):
            connection = await asyncpg.connect(
                self._url, server_settings={"application_name": "genint notices"}
            )
        try:
            connection.add_termination_listener(lambda _: lost.set())
            async with asyncio.timeout(CONNECT_LIMIT_S):
                await connection.add_listener(self._channel, self._hear)
            self._listens.set()
            while not lost.is_set():
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._alive_every_s):
                        await lost.wait()
                        return
                async with asyncio.timeout(CONNECT_LIMIT_S):
                    await connection.execute(self._sign_of_life)
        finally:
            self._listens.clear()
            connection.terminate()

    def _hear(self, _connection: Any, _process: int, _channel: str, text: object) -> None:
        notice = Notice.parse(str(text))
        if notice is not None:
            self._board.publish(notice)
