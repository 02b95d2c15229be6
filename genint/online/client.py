"""The client that sends requests to UniProt and InterPro, politely, for all runs of a process."""

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
from typing import Any
from urllib.request import getproxies, proxy_bypass

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from genint.errors import UsageError
from genint.http_errors import Blame, RequestFailed
from genint.model.online import Outage
from genint.online.protocol import Host, Request, Response, ServiceAddresses
from genint.online.rate_limit import USUAL_POLICY, HostLimiter, Policy
from genint.online.request import RetryingRequest, Transport, address_of, address_of_link

_CONNECTIONS = 8
_PROBES = {
    Host.UNIPROT: Request(
        Host.UNIPROT,
        "/uniprotkb/search",
        params=(("query", "accession:P19926"), ("size", "0"), ("format", "json")),
    ),
    Host.INTERPRO: Request(Host.INTERPRO, "/info"),
    Host.INTERPRO_GO: Request(Host.INTERPRO_GO, "/interpro2go", expects="text"),
}
"""A cheap request that shows whether a server that was down is back; it holds nothing of
any protein."""


@asynccontextmanager
async def open_client(
    addresses: ServiceAddresses,
    user_agent: str,
    *,
    policy: Policy = USUAL_POLICY,
    chance: Callable[[], float] = random.random,
) -> AsyncIterator[PoliteClient]:
    """A client with connections of its own, which are closed at the end.

    It belongs to the event loop that it is opened in, and may be held open for days.
    Proxies are taken from the environment when it is opened.

    Args:
        addresses: Of the servers.
        user_agent: How it introduces itself; see :func:`user_agent`.
        policy: Limits.
        chance: Gives numbers from 0 to 1, which decide how long the waits between attempts are.
    """
    connector = aiohttp.TCPConnector(
        limit=max(_CONNECTIONS, sum(policy.of(host).parallel for host in Host)),
        limit_per_host=_max_per_address(addresses, policy),
        resolver=ThreadedResolver(),
    )
    proxies = {host: proxy_for(addresses.base(host)) for host in Host}
    async with aiohttp.ClientSession(
        connector=connector,
        headers={"User-Agent": user_agent, "Accept-Encoding": "gzip"},
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
    ) as session:
        limiters = {host: HostLimiter(host, policy) for host in Host}
        client = PoliteClient(addresses, Transport(session, policy, proxies, limiters, chance))
        try:
            yield client
        finally:
            await client.close()


def _max_per_address(addresses: ServiceAddresses, policy: Policy) -> int:
    """Connections to one address: 4 by default, more where it replaces several servers.

    No request may wait for a connection here: that would look as if it could not be made.
    """
    parallel: Counter[str] = Counter()
    for host in Host:
        parallel[URL(addresses.base(host)).authority] += policy.of(host).parallel
    return max(parallel.values())


class PoliteClient:
    """Sends requests for all runs of a process: limits are per server, not per run."""

    def __init__(self, addresses: ServiceAddresses, transport: Transport) -> None:
        """See :func:`open_client`."""
        self._addresses = addresses
        self._transport = transport
        self._probes: set[asyncio.Task[None]] = set()

    def run(self, budget_s: float) -> RunClient:
        """One run's view of the servers.

        Args:
            budget_s: Seconds from now; then requests under way end, and later ones are lost.
        """
        return RunClient(self._addresses, self._transport, self._begin_probe, budget_s)

    def services_up(self) -> Mapping[Host, bool]:
        """Which servers do not count as down; one that was never asked counts as up."""
        limiters = self._transport.limiters
        return {host: limiter.breaker.reason is None for host, limiter in limiters.items()}

    def outages(self) -> Mapping[str, Outage]:
        """Servers that were found down here by their own fault, by their base address."""
        found = {}
        for host, limiter in self._transport.limiters.items():
            if outage := limiter.breaker.outage(limiter.now_s):
                found[self._addresses.base(host)] = outage
        return found

    def learn(self, outages: Mapping[str, Outage]) -> None:
        """Take over which servers others found down; one that is not named is so no longer."""
        for host, limiter in self._transport.limiters.items():
            limiter.breaker.learn(outages.get(self._addresses.base(host)), limiter.now_s)

    async def close(self) -> None:
        """End the probes that are under way."""
        for probe in self._probes:
            probe.cancel()
        await asyncio.gather(*self._probes, return_exceptions=True)

    def _begin_probe(self, host: Host) -> None:
        """See, where it is time, whether a server that is down is back; no run waits for that."""
        limiter = self._transport.limiters[host]
        if limiter.breaker.begins_probe(limiter.now_s):
            probe = asyncio.create_task(self._probe(host))
            self._probes.add(probe)
            probe.add_done_callback(self._probes.discard)

    async def _probe(self, host: Host) -> None:
        limiter, request, is_up = self._transport.limiters[host], _PROBES[host], False
        try:
            url = address_of(self._addresses.base(host), request)
            await limiter.wait_for_probe()
            await self._transport.send_once(request, url, limiter.limits.total_s, read_body=False)
            is_up = True
        except RequestFailed as failure:
            is_up = failure.blame is Blame.NONE
        finally:
            limiter.breaker.note_probe(is_up=is_up, now_s=limiter.now_s)


class RunClient:
    """Sends the requests of one run, within its time.

    When that is over, requests under way end and later ones are lost at once, so that nothing
    has to be cancelled to keep what came.
    """

    def __init__(
        self,
        addresses: ServiceAddresses,
        transport: Transport,
        on_down: Callable[[Host], None],
        budget_s: float,
    ) -> None:
        """Begin a run.

        Args:
            addresses: Of the servers.
            transport: Shared with other runs.
            on_down: Called with a server that this run found to be down.
            budget_s: Seconds from now that the run may take.
        """
        self._addresses = addresses
        self._transport = transport
        self._on_down = on_down
        self._budget_s = budget_s
        self._ends_at_s = asyncio.get_running_loop().time() + budget_s
        self._given_up: dict[Host, str] = {}
        self._requests: Counter[Host] = Counter()
        self._retries: Counter[Host] = Counter()
        # The requests of a large run queue here and not in the limiter, before those of others.
        self._queues = {
            host: asyncio.Semaphore(limiter.max_requests)
            for host, limiter in transport.limiters.items()
        }

    async def send(self, request: Request) -> Response:
        """Send a request until it is answered.

        Raises:
            RequestFailed: it was not.
        """
        return await self._send(request, address_of(self._addresses.base(request.host), request))

    async def follow(self, request: Request, link: str) -> Response:
        """Get the page that an answer to a request links to.

        Raises:
            RequestFailed: the link leads elsewhere than below the base address of the request's
                server, or as for :meth:`send`.
        """
        base = self._addresses.base(request.host)
        url = address_of_link(base, address_of(base, request), link)
        page = dataclasses.replace(request, method="GET", params=(), json=None, form=())
        return await self._send(page, url)

    def requests(self, host: Host) -> int:
        """Requests sent, retries included; those of requests that have ended."""
        return self._requests[host]

    def retries(self, host: Host) -> int:
        """Those of them that repeated an earlier one."""
        return self._retries[host]

    async def _send(self, request: Request, url: URL) -> Response:
        host = request.host
        if refusal := self._refusal(host):
            raise RequestFailed(refusal, may_retry=False, was_sent=False)
        sending = RetryingRequest(self._transport, request, url, self._ends_at_s)
        try:
            async with asyncio.timeout_at(self._ends_at_s), self._queues[host]:
                return await sending.send()
        except TimeoutError:
            sending.note_out_of_time()
            self._refusal(host)
            reason = f"{sending.reason or 'no answer'} within the time of {self._budget_s:g} s"
        except RequestFailed as failure:
            reason = sending.reason
            refusal = self._refusal(host)  # for the requests that follow, too
            if not failure.was_sent:
                reason = f"{reason}, not queried again" if reason else refusal or "down"
        finally:
            self._requests[host] += sending.attempts
            self._retries[host] += max(0, sending.attempts - 1)
        last = sending.last
        raise RequestFailed(
            reason,
            may_retry=False,
            was_sent=sending.attempts > 0,
            status=None if last is None else last.status,
            message="" if last is None else last.message,
        )

    def _refusal(self, host: Host) -> str | None:
        """Why this run does not use a server any more; None if it does."""
        limiter = self._transport.limiters[host]
        if host not in self._given_up and (reason := limiter.refusal(self._ends_at_s)):
            self._given_up[host] = f"{reason}, not queried again"
            self._on_down(host)
        if host in self._given_up:
            return self._given_up[host]
        if limiter.now_s >= self._ends_at_s:
            return f"the time of {self._budget_s:g} s was over"
        return None


_Addresses = list[tuple[Any, ...]]


_LONGEST_LOOKUP_S = 30.0
"""After which a look-up is forgotten, so that a later one may fare better. The wait for it is
shorter: the time to connect."""


class ThreadedResolver(AbstractResolver):
    """Uses the system's resolver in a daemon thread.

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
                report(answer.set_exception, OSError(str(problem)))
            else:
                report(answer.set_result, found)

        def report(setter: Callable[[Any], None], value: object) -> None:
            # RuntimeError: the loop is closed, it is not waited for any more.
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
