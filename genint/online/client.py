"""The client that asks UniProt and InterPro, gently, for all runs of a process."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import aiohttp
from yarl import URL

from genint.online.addresses import address_of
from genint.online.hosts import PROBES, USUAL_POLICY, Policy, Servers
from genint.online.identity import user_agent
from genint.online.insisting import Insistence
from genint.online.lane import Closed, Lane
from genint.online.ports import Call, Caller, Host
from genint.online.proxies import proxy_for
from genint.online.resolver import ThreadedResolver
from genint.online.run import Run
from genint.online.sending import Sender
from genint.online.setbacks import Blame, Setback

__all__ = ["Policy", "PoliteClient", "Servers", "open_client", "user_agent"]

_CONNECTIONS = 8


class PoliteClient:
    """Asks the servers for all runs of a process: limits are per server, not per run."""

    def __init__(
        self, sender: Sender, servers: Servers, policy: Policy, chance: Callable[[], float]
    ) -> None:
        """See :func:`open_client`."""
        self._sender = sender
        self._servers = servers
        self._policy = policy
        self._chance = chance
        self._lanes = {host: Lane(host, policy) for host in Host}
        self._probes: set[asyncio.Task[None]] = set()

    def run(self, budget_s: float) -> Caller:
        """One run's view of the servers.

        Args:
            budget_s: Seconds from now; then calls under way end, and later ones are lost.
        """
        return Run(self._servers, self._lanes, self._prepare, self._look, budget_s)

    async def close(self) -> None:
        """End what is under way on behalf of nobody."""
        for probe in self._probes:
            probe.cancel()
        await asyncio.gather(*self._probes, return_exceptions=True)

    def _prepare(self, call: Call, url: URL, ends_at_s: float) -> Insistence:
        return Insistence(
            self._lanes[call.host],
            self._sender,
            self._policy,
            call,
            url,
            ends_at_s=ends_at_s,
            chance=self._chance,
        )

    def _look(self, host: Host) -> None:
        """Look, where it is time, whether a server that is down is back; nobody waits for that."""
        lane = self._lanes[host]
        if lane.breaker.begins_probe(lane.now_s):
            probe = asyncio.create_task(self._probe(host))
            self._probes.add(probe)
            probe.add_done_callback(self._probes.discard)

    async def _probe(self, host: Host) -> None:
        lane, call, is_up = self._lanes[host], PROBES[host], False
        try:
            url = address_of(self._servers.base(host), call)
            await lane.probe_turn()
            await self._sender.send(call, url, lane.limits.total_s, is_body_read=False)
            is_up = True
        except Setback as setback:
            is_up = setback.blame is Blame.NONE
        except Closed:
            pass  # it wants to be left alone for longer
        finally:
            lane.note_probe(is_up=is_up)


@asynccontextmanager
async def open_client(
    servers: Servers,
    user_agent: str,
    *,
    policy: Policy = USUAL_POLICY,
    chance: Callable[[], float] = random.random,
) -> AsyncIterator[PoliteClient]:
    """A client with connections of its own, which are closed at the end.

    It belongs to the event loop that it is opened in, and may be held open for days.
    Proxies are taken from the environment when it is opened.

    Args:
        servers: Base addresses.
        user_agent: How it introduces itself; see :func:`genint.online.identity.user_agent`.
        policy: Limits.
        chance: Gives numbers from 0 to 1, which decide how long the waits between attempts are.
    """
    connector = aiohttp.TCPConnector(
        limit=max(_CONNECTIONS, sum(policy.of(host).parallel for host in Host)),
        limit_per_host=_most_per_address(servers, policy),
        resolver=ThreadedResolver(),
    )
    proxies = {host: proxy_for(servers.base(host)) for host in Host}
    async with aiohttp.ClientSession(
        connector=connector,
        headers={"User-Agent": user_agent, "Accept-Encoding": "gzip"},
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
    ) as session:
        client = PoliteClient(Sender(session, policy, proxies), servers, policy, chance)
        try:
            yield client
        finally:
            await client.close()


def _most_per_address(servers: Servers, policy: Policy) -> int:
    """Connections to one address: 4 as things are, more where it stands in for several servers.

    Nobody may wait for a connection here: that would look as if it could not be made.
    """
    parallel: Counter[str] = Counter()
    for host in Host:
        parallel[URL(servers.base(host)).authority] += policy.of(host).parallel
    return max(parallel.values())
