"""Figures of a running process for Prometheus, on an address of their own.

They have a listening address of their own, not a route of the API: `genint worker` serves nothing
else, and what a reverse proxy makes public of the API can never make them public by accident.

What a process does itself (requests, attempts at jobs, calls of the database) is counted by it.
What all processes share (the queue, live workers) is read from the database at each request, so
that every process reports the same.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from ipaddress import ip_address
from typing import Final

from aiohttp import web
from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, InfoMetricFamily, Metric

from genint.errors import BusyError, UsageError
from genint.settings import ListenAddress, Settings
from genint.storage import QueueState, Storage
from genint.storage.database import CallKind
from genint.version import __version__
from genint.worker.supervisor import JobEnd, Supervisor

_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_REQUEST_S: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_CALL_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_JOB_S: Final = (1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1_800.0, 3_600.0)
_LOOK_LIMIT_S: Final = 2.0
"""How long database or disk may take; Prometheus gives up after ten seconds."""
_BEAT_COUNTS_S: Final = 10.0
_LOG = logging.getLogger("genint.service")
_Handler = Callable[[web.Request], Awaitable[web.Response]]


class Metrics:
    """Counts what this process does."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry(auto_describe=True)
        ProcessCollector(registry=self.registry)
        self._requests = Counter(
            "genint_http_requests",
            "Requests that were answered, by route and status",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self._request_s = Histogram(
            "genint_http_request_duration_seconds",
            "Time until the answer was sent, by route",
            ("method", "route"),
            buckets=_REQUEST_S,
            registry=self.registry,
        )
        self._jobs = Counter(
            "genint_job_attempts",
            "Attempts at jobs that ended in this process, by how they ended",
            ("outcome",),
            registry=self.registry,
        )
        self._job_s = Histogram(
            "genint_job_attempt_duration_seconds",
            "Time that an attempt took, by how it ended",
            ("outcome",),
            buckets=_JOB_S,
            registry=self.registry,
        )
        self._wait_s = Histogram(
            "genint_job_wait_seconds",
            "Time from when a job was queued to its start",
            buckets=_JOB_S,
            registry=self.registry,
        )
        self._calls = Histogram(
            "genint_database_call_duration_seconds",
            "Time that callers waited for the database",
            ("kind",),
            buckets=_CALL_S,
            registry=self.registry,
        )
        self._unanswered = Counter(
            "genint_database_calls_unanswered",
            "Calls that the database did not answer",
            registry=self.registry,
        )

    def request(self, request: web.Request, status: int, seconds: float) -> None:
        """A request was answered. Paths are counted by their routes, of which there are few."""
        resource = request.match_info.route.resource
        route = "none" if resource is None else resource.canonical
        method = request.method if request.method in _METHODS else "other"
        self._requests.labels(method, route, str(status)).inc()
        self._request_s.labels(method, route).observe(seconds)

    def job_started(self, waited_s: float) -> None:
        """See :class:`genint.worker.supervisor.JobObserver`."""
        self._wait_s.observe(max(0.0, waited_s))

    def job_ended(self, outcome: JobEnd, seconds: float) -> None:
        """See :class:`genint.worker.supervisor.JobObserver`."""
        self._jobs.labels(outcome).inc()
        self._job_s.labels(outcome).observe(seconds)

    def database_call(self, kind: CallKind, seconds: float, answered: bool) -> None:
        """See :data:`genint.storage.database.CallObserver`."""
        self._calls.labels(kind).observe(seconds)
        if not answered:
            self._unanswered.inc()

    async def page(
        self, storage: Storage, supervisor: Supervisor | None, min_free_bytes: int
    ) -> bytes:
        """All figures in the text format of Prometheus.

        What cannot be learned now (the queue, while the database is away) is left out, so
        that no old figure is taken for a new one.

        Args:
            storage: Of this process.
            supervisor: Of this process, if it does jobs.
            min_free_bytes: Room below which uploads are refused.
        """
        queue, free_bytes = await asyncio.gather(_queue(storage), _free_bytes(storage))
        families = [
            InfoMetricFamily("genint", "Version of genint", {"version": __version__}),
            _gauge("genint_disk_min_free_bytes", "Room below which uploads fail", min_free_bytes),
            *_database_families(storage, queue),
        ]
        if free_bytes is not None:
            text = "Room on the disk of the data folder"
            families.append(_gauge("genint_disk_free_bytes", text, free_bytes))
        if supervisor is not None:
            families += _supervisor_families(supervisor)
        now = CollectorRegistry()
        now.register(_Families((*self.registry.collect(), *families)))
        return generate_latest(now)


class _Families:
    """Figures of one moment, as a registry takes them."""

    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = tuple(families)

    def collect(self) -> Iterator[Metric]:
        for family in self._families:
            # When a counter began is a series more for each, which nothing here uses.
            family.samples = [one for one in family.samples if not one.name.endswith("_created")]
            yield family


def _gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, text, value=value)


def _by_label(name: str, text: str, label: str, values: dict[str, float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, text, labels=(label,))
    for key, value in values.items():
        family.add_metric((key,), value)
    return family


async def _queue(storage: Storage) -> tuple[QueueState, int] | None:
    """Jobs that wait and run, and live workers; None where the database does not answer."""
    try:
        async with asyncio.timeout(_LOOK_LIMIT_S):
            return (
                await storage.jobs.queue_state(),
                await storage.heartbeats.count_within(_BEAT_COUNTS_S),
            )
    except (BusyError, TimeoutError):
        return None


async def _free_bytes(storage: Storage) -> int | None:
    try:
        async with asyncio.timeout(_LOOK_LIMIT_S):
            return await asyncio.to_thread(storage.files.free_bytes)
    except (OSError, TimeoutError):
        return None


def _database_families(storage: Storage, queue: tuple[QueueState, int] | None) -> Iterator[Metric]:
    used, idle, most = storage.database.connections
    yield _gauge("genint_database_up", "Whether the database answers", float(queue is not None))
    text = "Connections of this process to the database"
    states: dict[str, float] = {"used": used, "idle": idle}
    yield _by_label("genint_database_connections", text, "state", states)
    text = "Connections that this process may have"
    yield _gauge("genint_database_connections_max", text, most)
    if queue is None:
        return
    jobs, workers = queue
    yield _gauge("genint_jobs_waiting", "Jobs that wait, of all processes", jobs.waiting)
    yield _gauge("genint_jobs_running", "Jobs that run, of all processes", jobs.running)
    text = "How long the oldest waiting job has waited; 0 where none waits"
    yield _gauge("genint_oldest_waiting_job_seconds", text, jobs.oldest_waiting_s or 0.0)
    text = "Processes that do jobs and sent a heartbeat in the last ten seconds"
    yield _gauge("genint_workers_alive", text, workers)


def _supervisor_families(supervisor: Supervisor) -> Iterator[Metric]:
    text = "Whether this process does all that belongs to doing jobs"
    yield _gauge("genint_worker_up", text, float(supervisor.is_alive))
    yield _gauge("genint_worker_jobs", "Jobs that this process does now", supervisor.running_jobs)
    if supervisor.unlooked_s is not None:
        text = "Time since this process last looked for jobs; it does so every second"
        yield _gauge("genint_worker_last_look_seconds", text, supervisor.unlooked_s)
    if supervisor.client is not None:
        text = "Whether an online service answers, as far as this process knows"
        services = {host.value: float(up) for host, up in supervisor.client.services_up().items()}
        yield _by_label("genint_online_service_up", text, "service", services)


@asynccontextmanager
async def serve_metrics(
    settings: Settings, page: Callable[[], Awaitable[bytes]]
) -> AsyncIterator[ListenAddress | None]:
    """Serve ``/metrics`` for the time of the block, where the settings say so.

    Args:
        settings: Address, and the token that a reader has to show.
        page: Makes the text.

    Yields:
        Where; None where nothing is served.

    Raises:
        UsageError: an address that others reach without a token, or one that cannot be had.
    """
    listen = settings.metrics_address
    if listen is None:
        yield None
        return
    token = settings.metrics_token.get_secret_value() if settings.metrics_token else None
    if token is None and not _is_of_this_machine(listen.host):
        raise UsageError(
            "GENINT_METRICS_TOKEN: has to be set where GENINT_METRICS_LISTEN is an address that "
            "other machines reach"
        )
    app = web.Application(client_max_size=0)
    app.router.add_get("/metrics", _handler(page, token))
    runner = web.AppRunner(app, handle_signals=False, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, listen.host, listen.port).start()
        except OSError as problem:
            raise UsageError(
                f"GENINT_METRICS_LISTEN: cannot listen on {listen.host}, port {listen.port}: "
                f"{problem.strerror or 'there is no such host'}"
            ) from problem
        host, port, *_ = runner.addresses[0]
        _LOG.info("metrics are served", extra={"event": "metrics", "host": host, "port": port})
        yield ListenAddress(host, port)
    finally:
        await runner.cleanup()


def _is_of_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _handler(page: Callable[[], Awaitable[bytes]], token: str | None) -> _Handler:
    expected = f"Bearer {token}".encode()

    async def metrics(request: web.Request) -> web.Response:
        headers = {"Server": "genint", "Cache-Control": "no-store"}
        given = request.headers.get("Authorization", "").encode("utf-8", "surrogateescape")
        if token is not None and not hmac.compare_digest(given, expected):
            headers["WWW-Authenticate"] = "Bearer"
            return web.Response(status=HTTPStatus.UNAUTHORIZED, headers=headers)
        return web.Response(
            body=await page(), headers=headers | {"Content-Type": CONTENT_TYPE_LATEST}
        )

    return metrics
