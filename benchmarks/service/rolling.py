"""Restarting services in turn, behind a proxy and under steady load: what clients notice."""

from __future__ import annotations

import asyncio
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import NamedTuple

from aiohttp import ClientError, ClientSession, ClientTimeout, TCPConnector

from benchmarks.service.client import Client
from benchmarks.service.load import Request
from benchmarks.service.proxy import proxied
from benchmarks.service.running import Running, Site

_CLIENTS = 4
_PAUSE_S = 0.02
_TIMEOUT_S = 30.0
_JOBS_END_S = 300.0


class Rolled(NamedTuple):
    """What clients noticed of a rolling restart.

    Attributes:
        seconds: How long there was load.
        requests: Sent meanwhile.
        failures: What went wrong, in words, for each that failed.
        slowest_ms: Of all requests.
        jobs: Submitted and acknowledged.
        lost_jobs: Of these, not COMPLETED in the end.
        restart_s: From taking a service out of the proxy until its successor was in, each.
    """

    seconds: float
    requests: int
    failures: tuple[str, ...]
    slowest_ms: float
    jobs: int
    lost_jobs: int
    restart_s: tuple[float, ...]


@dataclass(slots=True)
class SteadyLoad:
    """Clients that read and submit, one request after the other, until the end is set."""

    reads: tuple[Request, ...]
    submission: Request
    submit_every: int
    jobs: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    taken_ms: list[float] = field(default_factory=list)
    is_over: threading.Event = field(default_factory=threading.Event)

    async def run(self) -> None:
        """Send until the end is set; each request has a connection of its own."""
        connector = TCPConnector(force_close=True)
        timeout = ClientTimeout(total=_TIMEOUT_S)
        async with ClientSession(connector=connector, timeout=timeout) as session:
            await asyncio.gather(*(self._client(session, number) for number in range(_CLIENTS)))

    async def _client(self, session: ClientSession, number: int) -> None:
        while not self.is_over.is_set():
            number += 1
            is_submission = number % self.submit_every == 0
            request = self.submission if is_submission else self.reads[number % len(self.reads)]
            await self._send(session, request, is_submission=is_submission)
            await asyncio.sleep(_PAUSE_S)

    async def _send(self, session: ClientSession, request: Request, *, is_submission: bool) -> None:
        began = time.perf_counter()
        what = f"{request.method} {request.url}"
        try:
            async with session.request(
                request.method, request.url, headers=request.headers, data=request.body
            ) as answer:
                told = await answer.json()
                if not answer.ok:
                    self.failures.append(f"{what}: {answer.status}")
                elif is_submission:
                    self.jobs.append(told["job_id"])
        except (ClientError, TimeoutError, ValueError) as problem:
            self.failures.append(f"{what}: {type(problem).__name__}")
        self.taken_ms.append((time.perf_counter() - began) * 1000)


class Fleet:
    """Services on one database behind a proxy; ended with the stack.

    Args:
        site: On PostgreSQL.
        services: How many.
        stack: Ends them.
        workers: Of each.

    Attributes:
        services: As they run now.
        proxy: Before them.
    """

    def __init__(self, site: Site, services: int, stack: ExitStack, *, workers: int = 1) -> None:
        self._site = site
        self._workers = str(workers)
        self._stack = stack
        self.services = [self._started() for _ in range(services)]
        urls = [service.url for service in self.services]
        self.proxy = stack.enter_context(proxied(site.folder / "nginx", urls))

    def restart(self, at: int) -> float:
        """Take a service out of the proxy, restart it, put it back; seconds that it was out."""
        began = time.monotonic()
        old = self.services[at]
        self.proxy.forward_to([one.url for one in self.services if one is not old])
        old.stop()
        self.services[at] = self._started()
        self.proxy.forward_to([one.url for one in self.services])
        return time.monotonic() - began

    def _started(self) -> Running:
        command = (*self._site.command, "--workers", self._workers)
        running = Running(command, self._site.environment, self._site.folder / "log")
        self._stack.callback(running.stop)
        return running


def restart_in_turn(
    site: Site, content: bytes, *, settle_s: float, submit_every: int = 10
) -> Rolled:
    """Two services; each is taken out of the proxy, restarted and put back, under load.

    Args:
        site: On PostgreSQL.
        content: Of the file that jobs are about.
        settle_s: How long there is load before, between and after.
        submit_every: One request of so many submits a job.
    """
    with ExitStack() as stack:
        fleet = Fleet(site, 2, stack)
        client = Client.signed_up(fleet.proxy.url)
        stack.callback(client.close)
        first = client.submit(content)
        client.until(first, "COMPLETED")
        paths = ("/health", "/auth/me", "/jobs?limit=20", f"/jobs/{first}")
        reads = tuple(client.request(f"/api/v1{path}") for path in paths)
        load = SteadyLoad(reads, client.submission(content), submit_every)
        sending = threading.Thread(target=asyncio.run, args=(load.run(),))
        began = time.monotonic()
        sending.start()
        try:
            time.sleep(settle_s)
            took_s = []
            for at in range(len(fleet.services)):
                took_s.append(fleet.restart(at))
                time.sleep(settle_s)
        finally:
            load.is_over.set()
            sending.join()
        seconds = time.monotonic() - began
        client.close()  # it led to a process of the proxy that is gone
        client.all_ended(limit_s=_JOBS_END_S)
        completed = {job["job_id"] for job in client.jobs() if job["status"] == "COMPLETED"}
    return Rolled(
        seconds=seconds,
        requests=len(load.taken_ms),
        failures=tuple(load.failures),
        slowest_ms=max(load.taken_ms),
        jobs=len(load.jobs),
        lost_jobs=len(set(load.jobs) - completed),
        restart_s=tuple(took_s),
    )
