"""How many requests a server gets at once, how fast, and when it is left alone.

One :class:`HostLimiter` per server is shared by all runs of a process; its
:class:`CircuitBreaker` knows whether the server counts as down.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiolimiter import AsyncLimiter

from genint.http_errors import RequestFailed
from genint.model.online import Outage
from genint.online.protocol import Host


@dataclass(frozen=True, slots=True)
class HostPolicy:
    """Limits of one server.

    Attributes:
        parallel: Requests under way at the same time.
        pace_per_s: Requests begun in a second, evenly spread.
        connect_s: Longest time to connect: finding the address, TCP and TLS.
        read_s: Longest silence in an answer.
        total_s: Longest time that all attempts of a request may spend with the server; waiting
            for a turn is not counted.
        attempts: How often a request is sent at most.
    """

    parallel: int
    pace_per_s: float
    connect_s: float
    read_s: float
    total_s: float
    attempts: int


_UNIPROT = HostPolicy(2, 5.0, 5.0, 60.0, 90.0, 4)
_INTERPRO = HostPolicy(4, 3.0, 5.0, 45.0, 60.0, 4)
_INTERPRO_GO = HostPolicy(1, 1.0, 5.0, 30.0, 60.0, 2)


@dataclass(frozen=True, slots=True)
class Policy:
    """Limits of all servers.

    None of the services publishes a rate; the figures stay below what others measured to be
    welcome. InterPro's other API, which answers one protein at a time and wants 61 seconds
    after a 408, is not used at all.

    Attributes:
        uniprot, interpro, interpro_go: Limits of each server.
        body_limit_bytes: Largest body, decompressed.
        first_wait_s: Longest wait before the second attempt of a request; it doubles with each
            attempt that follows. How long the wait really is, chance decides (full jitter).
        longest_wait_s: Longest such wait.
        longest_retry_after_s: Longest wait that is granted to a server that wants one.
        lost_in_a_row: Requests lost one after the other at which a server counts as down; one
            is enough where the server was silent all the time. Errors come quickly and may be
            about one request; silence costs each run that tries it a minute.
        unconnected_in_a_row: Attempts to connect that failed one after the other, likewise.
        cool_down_s: How long a server that is down is left alone; doubles each time it is
            still down then.
        longest_cool_down_s: Longest such time.
    """

    uniprot: HostPolicy = _UNIPROT
    interpro: HostPolicy = _INTERPRO
    interpro_go: HostPolicy = _INTERPRO_GO
    body_limit_bytes: int = 64_000_000
    first_wait_s: float = 1.0
    longest_wait_s: float = 30.0
    longest_retry_after_s: float = 120.0
    lost_in_a_row: int = 3
    unconnected_in_a_row: int = 2
    cool_down_s: float = 60.0
    longest_cool_down_s: float = 900.0

    def of(self, host: Host) -> HostPolicy:
        """Limits of a server."""
        return {
            Host.UNIPROT: self.uniprot,
            Host.INTERPRO: self.interpro,
            Host.INTERPRO_GO: self.interpro_go,
        }[host]


USUAL_POLICY = Policy()

_LOG = logging.getLogger("genint.online")

_SPARE = 1.1
"""Requests are spread a little wider than the pace, for networks hold up some more than others:
no second of the server sees more."""


class CircuitBreaker:
    """What is known of a server's health.

    Times are seconds of one clock that never goes back.

    Attributes:
        reason: Why the server counts as down; None where it does not.
    """

    def __init__(self, policy: Policy, on_change: Callable[[], None] | None = None) -> None:
        """Begin with a server of which nothing is known.

        Args:
            policy: When it counts as down, and for how long it is left alone.
            on_change: Called when the server goes down or comes back.
        """
        self._policy = policy
        self._on_change = on_change
        self._lost = 0
        self._unconnected = 0
        self._cool_down_s = policy.cool_down_s
        self._probe_at_s = 0.0
        self._is_probed = False
        self._is_servers_fault = False
        self._is_learned = False
        self.reason: str | None = None

    def note_answer(self) -> None:
        """It answered: it is up."""
        self._cool_down_s = self._policy.cool_down_s
        self._close()

    def note_connected(self) -> None:
        """It could be connected to, whatever it answered."""
        self._unconnected = 0

    def note_unconnected(self, reason: str, now_s: float) -> None:
        """An attempt to connect failed."""
        self._unconnected += 1
        if self._unconnected >= self._policy.unconnected_in_a_row:
            self._open(f"{reason} after {self._unconnected} attempts", now_s)

    def note_lost(self, reason: str, now_s: float, *, was_silent: bool = False) -> None:
        """A request was lost after all its attempts.

        Args:
            reason: In words.
            now_s: When.
            was_silent: No attempt was answered. A probe may be sent at once then, the first
                time: the server may only have been slow with this one request.
        """
        self._lost += 1
        if self.reason is None and (was_silent or self._lost >= self._policy.lost_in_a_row):
            self._is_servers_fault = True
            self._open(reason, now_s)
            if was_silent and self._cool_down_s == self._policy.cool_down_s:
                self._probe_at_s = now_s

    def outage(self, now_s: float) -> Outage | None:
        """What others should know: that the server was found down here, by its own fault.

        That it cannot be connected to may be the fault of this machine's network, and is found
        out within seconds. None also where it is time for a probe, so that somebody sends one.
        """
        left_s = self._policy.cool_down_s if self._is_probed else self._probe_at_s - now_s
        if self.reason is None or self._is_learned or not self._is_servers_fault or left_s <= 0:
            return None
        return Outage(self.reason, left_s)

    def learn(self, outage: Outage | None, now_s: float) -> None:
        """Take over what others found out: that the server is down, or is so no longer."""
        if outage is None:
            if self._is_learned:
                self._close()
        elif self.reason is None:
            self._is_learned = True
            self._open(outage.reason, now_s)
        if self._is_learned and outage is not None:
            self._probe_at_s = now_s + outage.left_s

    def begins_probe(self, now_s: float) -> bool:
        """Whether it is time for a probe; True once, until its outcome is noted."""
        if self.reason is None or self._is_probed or now_s < self._probe_at_s:
            return False
        self._is_probed = True
        return True

    def note_probe(self, *, is_up: bool, now_s: float) -> None:
        """Note the outcome of a probe."""
        self._is_probed = False
        if is_up:
            # The cool-down is forgotten with the first request that is answered, not here: a
            # server that answers nothing but probes is left alone longer each time.
            self._close()
        self._cool_down_s = min(2 * self._cool_down_s, self._policy.longest_cool_down_s)
        self._probe_at_s = now_s + self._cool_down_s

    def _open(self, reason: str, now_s: float) -> None:
        if self.reason is None:
            self._probe_at_s = now_s + self._cool_down_s
            self._change(reason)

    def _close(self) -> None:
        self._lost = self._unconnected = 0
        self._is_servers_fault = self._is_learned = False
        if self.reason is not None:
            self._change(None)

    def _change(self, reason: str | None) -> None:
        self.reason = reason
        if self._on_change is not None:
            self._on_change()


class HostLimiter:
    """Limits of one server that all runs of a process share; belongs to one event loop.

    A request that waits here is refused as soon as the server counts as down, by a
    :class:`RequestFailed` that ``was_sent`` is False of.

    Attributes:
        limits: Of the server.
        breaker: Whether it counts as down.
        max_requests: Requests that have begun and not ended at the same time. More than can be
            under way, for one that waits for another attempt holds no slot; but not all there
            are: a server that fails would see the first attempt of each of them before the last
            attempts of a few have shown that it is down.
    """

    def __init__(self, host: Host, policy: Policy) -> None:
        """Begin with a server of which nothing is known."""
        self.limits = limits = policy.of(host)
        self.breaker = CircuitBreaker(policy, self._health_changed)
        self.max_requests = 2 * limits.parallel
        self._host = host
        self._policy = policy
        self._loop = asyncio.get_running_loop()
        self._slots = asyncio.Semaphore(limits.parallel)
        self._places = asyncio.Semaphore(self.max_requests)
        # One at a time, not all of a second at once: a bucket of more begins with a burst.
        self._pace = AsyncLimiter(1, _SPARE / limits.pace_per_s)
        self._paused_until_s = 0.0
        self._pause_reason = ""
        self._waiting: set[asyncio.Timeout] = set()

    @property
    def now_s(self) -> float:
        """Time on the limiter's clock."""
        return self._loop.time()

    def pause(self, wait_s: float, reason: str) -> None:
        """Leave the server alone for as long as it wants.

        Args:
            wait_s: What it wants; no longer than a server that is down is granted.
            reason: Its answer, such as ``429``.
        """
        until_s = self.now_s + min(wait_s, self._policy.longest_cool_down_s)
        if until_s > self._paused_until_s:
            self._paused_until_s = until_s
            self._pause_reason = f"{reason} with a wait of {wait_s:,.0f} s"
            self._log("server_asks_to_wait", reason=self._pause_reason)

    def refusal(self, ends_at_s: float) -> str | None:
        """Why a run that ends at a time cannot use the server; None if it can."""
        return self.breaker.reason or self.pause_refusal(ends_at_s)

    def pause_refusal(self, ends_at_s: float) -> str | None:
        """Why a run that ends at a time gives up a server that wants a pause; or None."""
        left_s = self._paused_until_s - self.now_s
        if left_s > 0 and (
            left_s > self._policy.longest_retry_after_s or self._paused_until_s >= ends_at_s
        ):
            return self._pause_reason
        return None

    async def sleep(self, wait_s: float) -> None:
        """Wait before another attempt.

        Raises:
            RequestFailed: the server is down.
        """
        async with self._unless_down():
            await asyncio.sleep(wait_s)

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Wait until another request may begin, and hold its place for all of its attempts.

        Raises:
            RequestFailed: the server is down.
        """
        async with self._unless_down():
            await self._places.acquire()
        try:
            yield
        finally:
            self._places.release()

    @asynccontextmanager
    async def slot(self, ends_at_s: float) -> AsyncIterator[None]:
        """Wait until an attempt may be sent, and hold its slot until it is answered.

        Raises:
            RequestFailed: the server is down, or wants a pause that is too long.
        """
        while True:
            async with self._unless_down():
                await self._pause_over(ends_at_s)
                await self._slots.acquire()
            try:
                async with self._unless_down():
                    await self._pace.acquire()
                if self._paused_until_s > self.now_s:
                    continue  # it wanted that meanwhile
                yield
                return
            finally:
                self._slots.release()

    async def wait_for_probe(self) -> None:
        """Wait until a probe may be sent that shows whether a server that is down is back.

        Raises:
            RequestFailed: it wants a pause that is too long.
        """
        await self._pause_over(float("inf"))
        # No slot is needed: that of the request that was lost last is free.
        await self._pace.acquire()

    async def _pause_over(self, ends_at_s: float) -> None:
        while (left_s := self._paused_until_s - self.now_s) > 0:
            if reason := self.pause_refusal(ends_at_s):
                raise _not_sent(reason)
            await asyncio.sleep(left_s)

    @asynccontextmanager
    async def _unless_down(self) -> AsyncIterator[None]:
        """Give up waiting as soon as the server counts as down."""
        if self.breaker.reason is not None:
            raise _not_sent(self.breaker.reason)
        try:
            async with asyncio.timeout(None) as waiting:
                self._waiting.add(waiting)
                try:
                    yield
                finally:
                    self._waiting.discard(waiting)
        except TimeoutError:
            raise _not_sent(self.breaker.reason or "") from None

    def _health_changed(self) -> None:
        """Log that the server is down or up again; end all waits for one that is down."""
        reason = self.breaker.reason
        self._log("server_down" if reason else "server_up", reason=reason or "")
        if reason is not None:
            for waiting in self._waiting:
                waiting.reschedule(self.now_s)
            self._waiting = set()

    def _log(self, event: str, *, reason: str) -> None:
        text = f"{self._host.value}: {event.replace('_', ' ')}"
        _LOG.info(text, extra={"event": event, "server": self._host.value, "reason": reason})


def _not_sent(reason: str) -> RequestFailed:
    return RequestFailed(reason, may_retry=False, was_sent=False)
