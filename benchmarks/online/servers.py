"""The fake services in a process of their own, so that they take no time of what is measured."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from tests.online_services import Services, World, by_rule, silence, world_of
from tests.online_services.genomes import proteins_of

SERVICES = ("uniprot", "interpro", "interpro_go")


class Seen(NamedTuple):
    """One request as the services saw it; times of their clock, in seconds."""

    service: str
    route: str
    started_s: float
    ended_s: float
    in_flight: int
    is_poll: bool
    """Asks after a job that is not finished."""


class Ways(NamedTuple):
    """What the services know and how they behave.

    Attributes:
        taxon_id: Of all entries; None: that of the genome's file.
        crc64_mapping: What comes of mapping checksums.
        latency_s: Least and most time of an answer.
        state: ``up``, ``refusing`` connections, or ``silent``.
    """

    taxon_id: int | None = None
    crc64_mapping: str = "works"
    latency_s: tuple[float, float] = (0.0, 0.0)
    state: str = "up"


class Remote:
    """The running services, seen from the process that measures."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def _do(self, name: str, *arguments: object) -> object:
        self._connection.send((name, arguments))
        answer = self._connection.recv()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def environment(self) -> dict[str, str]:
        """Variables that lead genint to the services."""
        answer = self._do("environment")
        assert isinstance(answer, dict)  # noqa: S101 - told by our own process
        return answer

    def behave(self, genome: Path, ways: Ways) -> None:
        """Know this genome, behave so, and forget what was asked."""
        self._do("behave", genome, ways)

    def seen(self) -> tuple[Seen, ...]:
        """What was asked since :meth:`behave` or the last :meth:`seen`."""
        answer = self._do("seen")
        assert isinstance(answer, tuple)  # noqa: S101 - told by our own process
        return answer


@contextmanager
def servers() -> Iterator[Remote]:
    """Start the services, and stop them at the end."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    try:
        yield Remote(ours)
    finally:
        ours.close()
        process.join(10)
        if process.is_alive():
            process.terminate()


def _serve(connection: Connection) -> None:
    asyncio.run(_Site(connection).run())


class _Site:
    """Does in the services' process what it is told."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._services = Services()
        self._worlds: dict[tuple[Path, int | None], World] = {}
        self._dead: set[str] = set()

    async def run(self) -> None:
        """Until nobody tells anything any more."""
        async with self._services:
            while True:
                try:
                    name, arguments = await asyncio.to_thread(self._connection.recv)
                except EOFError:
                    return
                try:
                    answer: object = await getattr(self, name)(*arguments)
                except Exception as problem:  # noqa: BLE001 - told to the one who measures
                    traceback.print_exc()
                    answer = problem
                self._connection.send(answer)

    async def environment(self) -> dict[str, str]:
        """See :class:`Remote`."""
        return self._services.environment

    async def behave(self, genome: Path, ways: Ways) -> None:
        """See :class:`Remote`."""
        services = self._services
        key = genome, ways.taxon_id
        if key not in self._worlds:
            proteins = by_rule(proteins_of(genome, ways.taxon_id))
            self._worlds[key] = world_of(proteins)
        services.world = replace(self._worlds[key])
        services.behave(crc64_mapping=ways.crc64_mapping)
        services.forget()
        services.recover()
        for service in SERVICES:
            await self._set(service, is_dead=ways.state == "refusing")
        if ways.state == "silent":
            services.misbehave("", silence())
        services.slow("", *ways.latency_s)

    async def _set(self, service: str, *, is_dead: bool) -> None:
        if is_dead and service not in self._dead:
            await self._services.die(service)
            self._dead.add(service)
        elif not is_dead and service in self._dead:
            await self._services.revive(service)
            self._dead.remove(service)

    async def seen(self) -> tuple[Seen, ...]:
        """See :class:`Remote`."""
        now_s = asyncio.get_running_loop().time()
        found = tuple(
            Seen(
                one.service,
                one.route,
                one.started_s,
                now_s if one.ended_s is None else one.ended_s,
                one.in_flight,
                is_poll=b'"jobStatus":"NEW"' in one.answer
                or b'"jobStatus":"RUNNING"' in one.answer,
            )
            for one in self._services.record.of()
        )
        self._services.forget()
        return found


def routes(seen: Sequence[Seen]) -> dict[str, int]:
    """Requests by route, most first."""
    counts: dict[str, int] = {}
    for one in seen:
        counts[one.route] = counts.get(one.route, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: -item[1]))
