"""Running the service, or a worker alone, until a signal ends it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web

from genint.errors import UsageError
from genint.service.app import create_app
from genint.service.connections import Site
from genint.service.opening import open_heartbeats, open_supervisor, storage_address
from genint.settings import Settings
from genint.storage import open_storage

_HANDLERS_END_S: Final = 3.0
"""How long requests under way may take once the end was asked for."""
_ENDS: Final = (signal.SIGTERM, signal.SIGINT)


async def serve(
    settings: Settings, *, host: str, port: int, workers: int, on_ready: Callable[[str], None]
) -> None:
    """Serve until SIGTERM or SIGINT; a second one ends the process at once.

    Args:
        settings: From the environment.
        host: Address to listen on.
        port: 0 takes any that is free.
        workers: See :func:`genint.service.app.create_app`.
        on_ready: Called with the address once requests are answered.

    Raises:
        UsageError: the address is taken or not ours, or a setting does not fit.
    """
    runner = web.AppRunner(
        create_app(settings, workers=workers),
        handle_signals=False,
        shutdown_timeout=_HANDLERS_END_S,
    )
    async with end_signal() as ended:
        try:
            await runner.setup()
            try:
                await Site(runner, host, port).start()
            except OSError as problem:
                reason = _in_words(problem)
                raise UsageError(f"cannot listen on {host}, port {port}: {reason}") from problem
            on_ready(_address(runner))
            await ended.wait()
        finally:
            await runner.cleanup()


def _in_words(problem: OSError) -> str:
    """Why listening failed; a name that cannot be resolved has numbers of its own."""
    if isinstance(problem, socket.gaierror):
        return "there is no such host"
    return os.strerror(problem.errno) if problem.errno else str(problem)


def _address(runner: web.AppRunner) -> str:
    host, port, *_ = runner.addresses[0]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@asynccontextmanager
async def end_signal() -> AsyncIterator[asyncio.Event]:
    """An event that SIGTERM and SIGINT set; the second signal ends the process as usual."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()

    def end(number: signal.Signals) -> None:
        ended.set()
        loop.remove_signal_handler(number)
        signal.signal(number, signal.SIG_DFL)

    for number in _ENDS:
        loop.add_signal_handler(number, end, number)
    try:
        yield ended
    finally:
        for number in _ENDS:
            loop.remove_signal_handler(number)


async def work(settings: Settings, *, workers: int, on_ready: Callable[[], None]) -> None:
    """Do jobs without serving requests, until SIGTERM or SIGINT.

    Raises:
        UsageError: the database is one that only the serving process can use.
    """
    if not settings.uses_postgresql:
        raise UsageError(
            "genint worker needs PostgreSQL (DATABASE_URL); with SQLite, genint serve does the jobs"
        )
    async with (
        end_signal() as ended,
        open_storage(storage_address(settings)) as storage,
        open_heartbeats(settings, storage) as beats,
        open_supervisor(settings, storage, workers=workers, beats=beats),
    ):
        on_ready()
        await ended.wait()
