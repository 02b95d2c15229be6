"""The running services: three servers on loopback, and a canary that nobody should ask."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import TracebackType
from typing import Self

from aiohttp import web

from . import interpro, uniprot
from .faults import BrokenOff, Fault, Faults
from .record import VISIT, Record, Visit
from .replies import as_json, packed
from .state import State
from .world import Behaviour, World

Respond = Callable[[State, web.Request, str], Coroutine[None, None, web.StreamResponse]]
BASES: Mapping[str, str] = {
    "uniprot": "",
    "interpro": "/interpro/matches/api",
    "interpro_go": "/pub/databases/interpro/current_release",
    "canary": "",
}
"""Path of each service's base address."""
VARIABLES = {
    "uniprot": "GENINT_UNIPROT_URL",
    "interpro": "GENINT_INTERPRO_URL",
    "interpro_go": "GENINT_INTERPRO_GO_URL",
}
_LARGEST_BODY = 20_000_000
_LONGEST_ADDRESS = 65_536
_HOST = "127.0.0.1"


async def _canary(_state: State, _request: web.Request, _path: str) -> web.StreamResponse:
    return as_json({"results": [], "secret": "nobody should have come here"})


_RESPOND: Mapping[str, Respond] = {
    "uniprot": uniprot.respond,
    "interpro": interpro.respond,
    "interpro_go": interpro.respond_go,
    "canary": _canary,
}


class Services:
    """UniProt, InterPro and interpro2go as far as genint asks them; each on a port of its own.

    Use it as an asynchronous context manager in the loop of the test, or through
    :func:`serving` from code that is not asynchronous. All its attributes may be changed
    while it runs.
    """

    def __init__(self, world: World | None = None, *, first_port: int = 0) -> None:
        self._state = State(World() if world is None else world)
        self._first_port = first_port
        self._runners: dict[str, web.AppRunner] = {}
        self._ports: dict[str, int] = {}
        self._mistakes: list[Exception] = []

    @property
    def world(self) -> World:
        """What the services know."""
        return self._state.world

    @world.setter
    def world(self, world: World) -> None:
        self._state.world = world

    @property
    def behaviour(self) -> Behaviour:
        """How they behave where the real ones are not known."""
        return self._state.behaviour

    @property
    def faults(self) -> Faults:
        """What is wrong just now."""
        return self._state.faults

    @property
    def record(self) -> Record:
        """What they were asked."""
        return self._state.record

    def behave(self, **changes: object) -> None:
        """Change attributes of the behaviour: ``behave(predictions=True)``."""
        self._state.behaviour = replace(self._state.behaviour, **changes)  # type: ignore[arg-type]

    def misbehave(
        self, prefix: str, *faults: Fault, after: int = 0, times: int | None = None
    ) -> None:
        """See :meth:`Faults.add`."""
        self.faults.add(prefix, *faults, after=after, times=times)

    def slow(self, prefix: str, least_s: float, most_s: float | None = None, seed: int = 1) -> None:
        """See :meth:`Faults.slow`."""
        self.faults.slow(prefix, least_s, most_s, seed)

    def recover(self, prefix: str = "") -> None:
        """All faults of a prefix end."""
        self.faults.clear(prefix)

    def release(
        self, *, uniprot: str | None = None, interpro: str | None = None, after: int = 0
    ) -> None:
        """Come out with a new release, after so many further requests of that service."""

        def now() -> None:
            self.world = self.world.with_releases(uniprot, interpro)

        if not after:
            now()
            return
        service = "uniprot" if uniprot is not None else "interpro"

        async def turn(_request: web.Request, proceed: object) -> web.StreamResponse:
            now()
            return await proceed()  # type: ignore[operator, no-any-return]

        self.faults.add(service, turn, after=after, times=1)

    def forget(self) -> None:
        """Forget what was asked, and the jobs."""
        self.record.clear()
        self._state.jobs.clear()

    def url(self, service: str) -> str:
        """Base address, without a slash at its end."""
        return f"http://{_HOST}:{self._ports[service]}{BASES[service]}"

    @property
    def canary_url(self) -> str:
        """Of a server that nobody should ask; ``record.count("canary")`` says who did."""
        return self.url("canary")

    @property
    def environment(self) -> dict[str, str]:
        """Variables that lead genint here, and past any proxy."""
        found = {name: self.url(service) for service, name in VARIABLES.items()}
        return {**found, "no_proxy": _HOST, "NO_PROXY": _HOST}

    async def start(self) -> None:
        """Listen."""
        for number, service in enumerate(BASES):
            port = self._first_port + number if self._first_port else 0
            await self._listen(service, port)

    async def _listen(self, service: str, port: int) -> None:
        application = web.Application(client_max_size=_LARGEST_BODY)

        async def handle(request: web.Request) -> web.StreamResponse:
            return await self._handle(service, request)

        application.router.add_route("*", "/{rest:.*}", handle)
        runner = web.AppRunner(
            application,
            access_log=None,
            handler_cancellation=True,  # a request that its client gave up is not under way
            shutdown_timeout=0.1,
            max_line_size=_LONGEST_ADDRESS,
        )
        await runner.setup()
        site = web.TCPSite(runner, _HOST, port)
        await site.start()
        self._runners[service] = runner
        self._ports[service] = runner.addresses[0][1]

    async def die(self, service: str) -> None:
        """Stop listening: connections are refused until :meth:`revive`."""
        await self._runners.pop(service).cleanup()

    async def revive(self, service: str) -> None:
        """Listen again on the same port."""
        await self._listen(service, self._ports[service])

    async def stop(self) -> None:
        """End everything, whatever is under way.

        Raises:
            RuntimeError: one of the services did what no real one does; it is told what.
        """
        for runner in self._runners.values():
            await runner.cleanup()
        self._runners.clear()
        if self._mistakes:
            raise RuntimeError("a fake service has a mistake of its own") from self._mistakes[0]

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    async def _handle(self, service: str, request: web.Request) -> web.StreamResponse:
        visit = self._seen(service, request)
        under_way = self.record.under_way
        try:
            visit.body = await request.read()
            response = await self._answered(visit, request)
            visit.status = response.status
            return response
        except (BrokenOff, ConnectionError):
            return web.Response()  # nobody reads it
        except Exception as problem:
            self._mistakes.append(problem)
            raise
        finally:
            visit.ended_s = time.monotonic()
            under_way[service] -= 1

    def _seen(self, service: str, request: web.Request) -> Visit:
        under_way = self.record.under_way
        under_way[service] = under_way.get(service, 0) + 1
        visit = Visit(
            service=service,
            method=request.method,
            path=request.path.removeprefix(BASES[service]),
            query=request.query_string,
            headers={name.lower(): value for name, value in request.headers.items()},
            body=b"",
            started_s=time.monotonic(),
            in_flight=under_way[service],
        )
        self.record.visits.append(visit)
        request[VISIT] = visit
        return visit

    async def _answered(self, visit: Visit, request: web.Request) -> web.StreamResponse:
        place = f"{visit.service}{visit.path}"
        fault = self.faults.next(place)
        delay_s = self.faults.delay_s(place)
        if delay_s:
            await asyncio.sleep(delay_s)

        async def proceed() -> web.StreamResponse:
            if not request.path.startswith(BASES[visit.service]):
                return web.Response(status=404, text="no such address")
            return await _RESPOND[visit.service](self._state, request, visit.path)

        response = await (proceed() if fault is None else fault(request, proceed))
        if isinstance(response, web.Response) and isinstance(response.body, bytes):
            visit.answer = response.body
            if self.behaviour.compresses and not response.prepared:
                return packed(request, response)
        return response


@contextmanager
def serving(world: World | None = None, *, first_port: int = 0) -> Iterator[Services]:
    """The services in a thread of their own, for code that is not asynchronous."""
    services = Services(world, first_port=first_port)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="fake services", daemon=True)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(services.start(), loop).result()
        yield services
    finally:
        asyncio.run_coroutine_threadsafe(services.stop(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
