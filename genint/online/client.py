"""The client that asks UniProt and InterPro, gently, for all runs of a process."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import random
import re
import socket
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any
from urllib.request import getproxies, proxy_bypass

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from genint.errors import UsageError
from genint.online.protocol import (
    Blame,
    Caller,
    Host,
    Request,
    RequestFailed,
    RequestLost,
    Response,
)
from genint.online.rate_limit import (
    PROBES,
    USUAL_POLICY,
    CircuitOpen,
    HostLimiter,
    Policy,
    ServiceAddresses,
)
from genint.online.request import (
    RetryingRequest,
    Sender,
    UnusableAddress,
    address_of,
    address_of_link,
)

_Addresses = list[tuple[Any, ...]]


_LONGEST_LOOKUP_S = 30.0
"""After which a look-up is forgotten, so that a later one may fare better. Nobody waits that
long: the time to connect is shorter."""


class ThreadedResolver(AbstractResolver):
    """Asks the system's resolver in a daemon thread.

    A look-up cannot be ended, and may hang for minutes. Threads of asyncio's own pool are
    waited for when a program ends; these are left behind.
    """

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Addresses of a host.

        Raises:
            OSError: there are none, or none came in time.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[_Addresses] = loop.create_future()

        def look_up() -> None:
            try:
                found = socket.getaddrinfo(
                    host, port, family, socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG
                )
            except (OSError, UnicodeError) as problem:
                tell(answer.set_exception, OSError(str(problem)))
            else:
                tell(answer.set_result, found)

        def tell(setter: Callable[[Any], None], value: object) -> None:
            # RuntimeError: the loop is closed, nobody waits any more.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(_set, answer, setter, value)

        threading.Thread(target=look_up, name="genint-resolver", daemon=True).start()
        try:
            async with asyncio.timeout(_LONGEST_LOOKUP_S):
                found = await answer
        except TimeoutError:
            raise OSError("no answer of the resolver in time") from None
        return [_result(host, port, address) for address in found]

    async def close(self) -> None:
        """Nothing is held."""


def _set(answer: asyncio.Future[_Addresses], setter: Callable[[Any], None], value: object) -> None:
    if not answer.done():
        setter(value)


def _result(host: str, port: int, found: tuple[Any, ...]) -> ResolveResult:
    family, _, protocol, _, address = found
    return ResolveResult(
        hostname=host,
        host=str(address[0]),
        port=port,
        family=family,
        proto=protocol,
        flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
    )


def proxy_for(base: str) -> URL | None:
    """The proxy for a server (``https_proxy``, ``http_proxy``, ``no_proxy``); None for none.

    The HTTP library could do so itself, but would then also look into ``~/.netrc`` for each
    request, and send what it finds there to whom it does not concern.

    Raises:
        UsageError: what the environment names is no HTTP proxy.
    """
    url = URL(base)
    proxy = getproxies().get(url.scheme, "").strip()
    if not proxy or proxy_bypass(url.authority):
        return None
    try:
        address = URL(proxy if "://" in proxy else f"http://{proxy}")
        if address.scheme not in ("http", "https") or not address.host:
            raise ValueError("no HTTP proxy")
    except ValueError:
        # The value is left out: it may hold a password.
        raise UsageError(f"{url.scheme}_proxy: must be http://host:port") from None
    return address


_VERSION = re.compile(r"[0-9A-Za-z.+!-]{1,40}")
_CONTACT = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+")


def user_agent(version: str, contact: str | None) -> str:
    """The User-Agent that servers see: program, version, and whom to write to.

    Args:
        version: Of genint.
        contact: E-mail address of who runs it; None for none.

    Raises:
        ValueError: a value has signs that have no place in a header.
    """
    if not _VERSION.fullmatch(version):
        raise ValueError("not a version")
    if contact is None:
        return f"genint/{version}"
    if not _CONTACT.fullmatch(contact):
        raise ValueError("not an e-mail address")
    return f"genint/{version} (mailto:{contact})"


Prepare = Callable[[Request, URL, float], RetryingRequest]
"""Prepares a call to an address, for a run that ends at a time."""


class RequestBudget:
    """Sends the calls of one run, within its time; see ``Caller``."""

    def __init__(
        self,
        servers: ServiceAddresses,
        lanes: Mapping[Host, HostLimiter],
        prepare: Prepare,
        on_down: Callable[[Host], None],
        budget_s: float,
    ) -> None:
        """Begin a run.

        Args:
            servers: Where they are.
            lanes: The way to each, shared with other runs.
            prepare: Prepares calls.
            on_down: Told of a server that this run found to be down.
            budget_s: Seconds from now that the run may take.
        """
        self._servers = servers
        self._lanes = lanes
        self._prepare = prepare
        self._on_down = on_down
        self._budget_s = budget_s
        self._ends_at_s = asyncio.get_running_loop().time() + budget_s
        self._given_up: dict[Host, str] = {}
        self._requests: Counter[Host] = Counter()
        self._retries: Counter[Host] = Counter()
        # The other calls of a large run wait here and not in the lane, before those of others.
        self._own = {host: asyncio.Semaphore(lane.most_calls) for host, lane in lanes.items()}

    async def call(self, call: Request) -> Response:
        """Send a call until it is answered.

        Raises:
            CallLost: it was not.
        """
        try:
            url = address_of(self._servers.base(call.host), call)
        except UnusableAddress as problem:
            raise RequestLost(str(problem), was_tried=False) from None
        return await self._ask(call, url)

    async def follow(self, call: Request, link: str) -> Response:
        """Get the page that an answer to ``call`` links to.

        Raises:
            CallLost: the link leads elsewhere than below the base address of the call's server,
                or as for calls.
        """
        base = self._servers.base(call.host)
        try:
            url = address_of_link(base, address_of(base, call), link)
        except UnusableAddress as problem:
            raise RequestLost(str(problem), was_tried=False) from None
        page = dataclasses.replace(call, method="GET", params=(), json=None, form=())
        return await self._ask(page, url)

    def requests(self, host: Host) -> int:
        """Requests sent so far, retries included."""
        return self._requests[host]

    def retries(self, host: Host) -> int:
        """Those of them that repeated an earlier one."""
        return self._retries[host]

    async def _ask(self, call: Request, url: URL) -> Response:
        host = call.host
        if reason := self._reason_not_to_ask(host):
            raise RequestLost(reason, was_tried=False)
        insistence = self._prepare(call, url, self._ends_at_s)
        try:
            async with asyncio.timeout_at(self._ends_at_s):
                async with self._own[host]:
                    return await insistence.ask(partial(self._count, host))
        except TimeoutError:
            insistence.note_out_of_time()
            reason = f"{insistence.words or 'no answer'} within the time of {self._budget_s:g} s"
        except RequestFailed:
            reason = insistence.words
            self._reason_not_to_ask(host)  # for the calls that follow
        except CircuitOpen:
            reason = insistence.words
            known = self._reason_not_to_ask(host) or "down"
            reason = f"{reason}, not asked again" if reason else known
        last = insistence.last
        raise RequestLost(
            reason,
            was_tried=insistence.attempts > 0,
            status=None if last is None else last.status,
            message="" if last is None else last.message,
        )

    def _reason_not_to_ask(self, host: Host) -> str | None:
        """Why a server is not asked by this run any more; None if it is."""
        if host not in self._given_up and (
            reason := self._lanes[host].reason_not_to_ask(self._ends_at_s)
        ):
            self._given_up[host] = f"{reason}, not asked again"
            self._on_down(host)
        if host in self._given_up:
            return self._given_up[host]
        if self._lanes[host].now_s >= self._ends_at_s:
            return f"the time of {self._budget_s:g} s was over"
        return None

    def _count(self, host: Host, attempt: int) -> None:
        self._requests[host] += 1
        self._retries[host] += attempt > 1


__all__ = ["Policy", "PoliteClient", "ServiceAddresses", "open_client", "user_agent"]

_CONNECTIONS = 8


class PoliteClient:
    """Asks the servers for all runs of a process: limits are per server, not per run."""

    def __init__(
        self, sender: Sender, servers: ServiceAddresses, policy: Policy, chance: Callable[[], float]
    ) -> None:
        """See :func:`open_client`."""
        self._sender = sender
        self._servers = servers
        self._policy = policy
        self._chance = chance
        self._lanes = {host: HostLimiter(host, policy) for host in Host}
        self._probes: set[asyncio.Task[None]] = set()

    def run(self, budget_s: float) -> Caller:
        """One run's view of the servers.

        Args:
            budget_s: Seconds from now; then calls under way end, and later ones are lost.
        """
        return RequestBudget(self._servers, self._lanes, self._prepare, self._look, budget_s)

    async def close(self) -> None:
        """End what is under way on behalf of nobody."""
        for probe in self._probes:
            probe.cancel()
        await asyncio.gather(*self._probes, return_exceptions=True)

    def _prepare(self, call: Request, url: URL, ends_at_s: float) -> RetryingRequest:
        return RetryingRequest(
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
        except RequestFailed as setback:
            is_up = setback.blame is Blame.NONE
        except CircuitOpen:
            pass  # it wants to be left alone for longer
        finally:
            lane.note_probe(is_up=is_up)


@asynccontextmanager
async def open_client(
    servers: ServiceAddresses,
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
        user_agent: How it introduces itself; see :func:`genint.online.client.user_agent`.
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


def _most_per_address(servers: ServiceAddresses, policy: Policy) -> int:
    """Connections to one address: 4 as things are, more where it stands in for several servers.

    Nobody may wait for a connection here: that would look as if it could not be made.
    """
    parallel: Counter[str] = Counter()
    for host in Host:
        parallel[URL(servers.base(host)).authority] += policy.of(host).parallel
    return max(parallel.values())
