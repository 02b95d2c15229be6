"""Running the service, or a worker alone, until a signal ends it."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from http import HTTPStatus
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TextIO
from uuid import uuid4

from aiohttp import web
from pythonjsonlogger.json import JsonFormatter

from genint.errors import UsageError
from genint.service.app import create_app, open_heartbeats, open_supervisor, storage_address
from genint.service.endpoint import SERVICE
from genint.service.example import ExampleReport
from genint.service.metrics import Metrics, serve_metrics
from genint.settings import Settings, SystemdSettings
from genint.storage import open_storage
from genint.worker.supervisor import Supervisor


class _InOneLine(logging.Filter):
    """A database that is away is one line each time, without a traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and record.name.startswith("asyncpg"):
            record.msg, record.args = record.getMessage(), ()
            record.exc_info, record.exc_text = None, None
        return True


def write_logs_to(stream: TextIO, *, level: int = logging.INFO) -> None:
    """Set up logging of the whole process; called once, by the command line."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        JsonFormatter(
            ["levelname", "name", "message"],
            timestamp="time",
            rename_fields={"levelname": "level", "name": "logger"},
        )
    )
    handler.addFilter(_InOneLine())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("genint").setLevel(level)


CONNECTION: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "access_log": None,  # the middleware writes the log
        "auto_decompress": False,  # an encoded body is refused, not unpacked
        "keepalive_timeout": 15.0,
    }
)
"""How connections are handled."""
_BACKLOG: Final = 512
_LOG = logging.getLogger("genint.service")


class Connection(web.RequestHandler):
    """A connection whose errors have the form of all others.

    A request that cannot be parsed never reaches the middleware. The framework would
    answer with its bytes and its own version, and log a traceback.
    """

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = HTTPStatus.INTERNAL_SERVER_ERROR,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """The answer to what cannot be parsed; closes the connection."""
        del message  # it repeats what was sent
        request_id = uuid4().hex
        _LOG.warning(
            "a request could not be handled",
            extra={
                "event": "bad_request",
                "request_id": request_id,
                "status": status,
                "remote": request.remote,
                "reason": type(exc).__name__,
            },
        )
        if request.writer.output_size > 0:
            raise ConnectionError("part of an answer was sent already")
        response = web.Response(
            body=json.dumps({"detail": HTTPStatus(status).phrase}).encode(),
            status=status,
            content_type="application/json",
            headers={
                "Server": "genint",
                "Vary": "Origin",
                "X-Content-Type-Options": "nosniff",
                "X-Request-ID": request_id,
            },
        )
        response.force_close()
        return response


class Site(web.BaseSite):
    """A place to listen at, whose connections are :class:`Connection`.

    Args:
        runner: Of the application, set up.
        host: Address or name.
        port: 0 takes any that is free.
    """

    def __init__(self, runner: web.AppRunner, host: str, port: int) -> None:
        super().__init__(runner, backlog=_BACKLOG)
        self._host, self._port = host, port

    @property
    def name(self) -> str:
        """For people."""
        return f"http://{self._host}:{self._port}"

    async def start(self) -> None:
        """Listen; OSError where that cannot be."""
        await super().start()
        loop, server = asyncio.get_running_loop(), self._runner.server
        if server is None:
            raise RuntimeError("the runner is not set up")
        self._server = await loop.create_server(
            lambda: Connection(server, loop=loop, **CONNECTION),
            self._host,
            self._port,
            backlog=self._backlog,
        )


_CANCELLED_S: Final = 1.0
_EVERY_S: Final = 5.0
"""Between signs of life."""
_AGAIN_S: Final = 0.2
LOOK_COUNTS_S: Final = 30.0
"""Age of the last look for jobs from which on a process counts as hanging."""
_HANDLERS_END_S: Final = 3.0
"""How long requests under way may take once the service ends."""
_ENDS: Final = (signal.SIGTERM, signal.SIGINT)


async def serve(  # noqa: PLR0913 - plain settings, all by keyword
    settings: Settings,
    *,
    host: str,
    port: int,
    workers: int,
    on_ready: Callable[[str], None],
    systemd: SystemdSettings | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT; a second one ends the process at once.

    Args:
        settings: From the environment.
        host: Address to listen on.
        port: 0 takes any that is free.
        workers: See :func:`genint.service.app.create_app`.
        on_ready: Called with the address once requests are answered.
        systemd: What it says to the process that it started.

    Raises:
        UsageError: the address is taken or not ours, or a setting does not fit.
    """
    app = create_app(settings, workers=workers)
    runner = web.AppRunner(
        app,
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
            service = app[SERVICE]
            life = signs_of_life(systemd or SystemdSettings(), service.supervisor)
            async with life, _preparing(service.supervisor, service.example):
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


@asynccontextmanager
async def _preparing(
    supervisor: Supervisor | None, example: ExampleReport | None = None
) -> AsyncIterator[None]:
    """Have made ready beside the block what the first job and the first visitor need.

    Profiles are for processes that do jobs; the example report, which needs some of them too and
    so comes behind them, for those that serve requests.
    """

    async def prepare() -> None:
        if supervisor is not None:
            await supervisor.prepare()
        if example is not None:
            example.begin()

    task = asyncio.create_task(prepare())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait((task,), timeout=_CANCELLED_S)


async def work(
    settings: Settings,
    *,
    workers: int,
    on_ready: Callable[[], None],
    systemd: SystemdSettings | None = None,
    health_file: Path | None = None,
) -> None:
    """Do jobs without serving requests, until SIGTERM or SIGINT.

    Args:
        settings: From the environment.
        workers: Jobs at once.
        on_ready: Called once jobs are looked for.
        systemd: What it says to the process that it started.
        health_file: See :func:`signs_of_life`.

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
    ):
        metrics = Metrics()
        storage.database.observer = metrics.database_call
        async with AsyncExitStack() as stack:
            opening = open_supervisor(
                settings, storage, workers=workers, beats=beats, observer=metrics
            )
            supervisor = await stack.enter_async_context(opening)
            page = partial(metrics.page, storage, supervisor, settings.min_free_bytes)
            await stack.enter_async_context(serve_metrics(settings, page))
            on_ready()
            life = signs_of_life(systemd or SystemdSettings(), supervisor, health_file)
            await stack.enter_async_context(life)
            await stack.enter_async_context(_preparing(supervisor))
            await ended.wait()


def is_working(supervisor: Supervisor | None) -> bool:
    """Whether a process does what it should; one without supervisor only has to turn its loop."""
    if supervisor is None:
        return True
    unlooked_s = supervisor.unlooked_s
    return supervisor.is_alive and unlooked_s is not None and unlooked_s < LOOK_COUNTS_S


@asynccontextmanager
async def signs_of_life(
    systemd: SystemdSettings, supervisor: Supervisor | None, health_file: Path | None = None
) -> AsyncIterator[None]:
    """Say that the process is ready, give signs of life during the block, say that it ends.

    They are for whoever restarts a process that hangs: systemd, or a container's health check. A
    sign is given only while the process does its work: the event loop turns and, where it does
    jobs, it has looked for jobs a moment ago. A database that is away is no reason to be
    restarted: looks that fail count, and only looks that do not end are missed.

    Args:
        systemd: Where systemd listens, if it started the process.
        supervisor: Of the process, if it does jobs.
        health_file: Its time of change is that of the last sign; gone after the block.
    """
    every_s = min(_EVERY_S, (systemd.watchdog_s or _EVERY_S) / 2)
    notify(systemd.notify_socket, "READY=1")
    giving = asyncio.create_task(_give(systemd.notify_socket, supervisor, health_file, every_s))
    try:
        yield
    finally:
        notify(systemd.notify_socket, "STOPPING=1")
        giving.cancel()
        await asyncio.wait((giving,))
        if health_file is not None:
            with suppress(OSError):
                await asyncio.to_thread(health_file.unlink)


async def _give(
    address: str | None, supervisor: Supervisor | None, health_file: Path | None, every_s: float
) -> None:
    while True:
        working = is_working(supervisor)
        if working:
            notify(address, "WATCHDOG=1")
            if health_file is not None:
                with suppress(OSError):  # a full disk: the check of the container will see
                    await asyncio.to_thread(health_file.touch)
        # A worker that starts has not looked for jobs yet: its first sign comes soon after.
        await asyncio.sleep(every_s if working else min(every_s, _AGAIN_S))


def notify(address: str | None, message: str) -> None:
    """Send a message to systemd (sd_notify(3)); never waits and never fails.

    Args:
        address: Of its socket: a path, or a name in the abstract namespace after ``@``.
        message: Such as ``READY=1``.
    """
    if not address:
        return
    name = f"\0{address[1:]}" if address.startswith("@") else address
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.setblocking(False)
        sender.sendto(message.encode(), name)
