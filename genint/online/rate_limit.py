"""The way to one server: how many are on it, how fast, and whether it is closed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

from aiolimiter import AsyncLimiter

from genint.online.protocol import Host, Request


@dataclass(frozen=True, slots=True)
class ServiceAddresses:
    """Base addresses, without a slash at the end.

    Attributes:
        uniprot: REST services of UniProt.
        interpro: Matches API of InterPro.
        interpro_go: Folder that holds ``interpro2go``.
    """

    uniprot: str
    interpro: str
    interpro_go: str

    def base(self, host: Host) -> str:
        """Base address of a server."""
        return {
            Host.UNIPROT: self.uniprot,
            Host.INTERPRO: self.interpro,
            Host.INTERPRO_GO: self.interpro_go,
        }[host]


@dataclass(frozen=True, slots=True)
class HostPolicy:
    """Limits of one server.

    Attributes:
        parallel: Requests under way at the same time.
        pace_per_s: Requests begun in a second, evenly spread.
        connect_s: Longest time to connect: finding the address, TCP and TLS.
        read_s: Longest silence in an answer.
        total_s: Longest time that all attempts of a call may spend with the server; waiting
            for a turn is not counted.
        attempts: How often a call is sent at most.
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
    after a 408, is not asked at all.

    Attributes:
        uniprot, interpro, interpro_go: Limits of each server.
        body_limit_bytes: Largest body, decompressed.
        first_wait_s: Longest wait before the second attempt of a call; it doubles with each
            attempt that follows. How long the wait really is, chance decides (full jitter).
        longest_wait_s: Longest such wait.
        longest_retry_after_s: Longest wait that is granted to a server that asks for one.
        lost_in_a_row: Calls lost one after the other at which a server counts as down.
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

PROBES = {
    Host.UNIPROT: Request(
        Host.UNIPROT,
        "/uniprotkb/search",
        params=(("query", "accession:P19926"), ("size", "0"), ("format", "json")),
    ),
    Host.INTERPRO: Request(Host.INTERPRO, "/info"),
    Host.INTERPRO_GO: Request(Host.INTERPRO_GO, "/interpro2go", wants="text"),
}
"""A cheap call that tells whether a server that was down is back; it says nothing of anybody's
proteins."""


class CircuitBreaker:
    """What is known of a server's health, shared by all runs of a process.

    Times are seconds of one clock that never goes back.
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._lost = 0
        self._unconnected = 0
        self._cool_down_s = policy.cool_down_s
        self._probe_at_s = 0.0
        self._is_probed = False
        self.reason: str | None = None
        """Why the server counts as down; None where it does not."""

    def note_answer(self) -> None:
        """It answered: it is up."""
        self._lost = self._unconnected = 0
        self._cool_down_s = self._policy.cool_down_s
        self.reason = None

    def note_connected(self) -> None:
        """It could be connected to, whatever it said."""
        self._unconnected = 0

    def note_unconnected(self, reason: str, now_s: float) -> None:
        """An attempt to connect failed."""
        self._unconnected += 1
        if self._unconnected >= self._policy.unconnected_in_a_row:
            self._open(f"{reason} after {self._unconnected} attempts", now_s)

    def note_lost(self, reason: str, now_s: float) -> None:
        """A call was lost after all its attempts."""
        self._lost += 1
        if self._lost >= self._policy.lost_in_a_row:
            self._open(reason, now_s)

    def begins_probe(self, now_s: float) -> bool:
        """Whether it is time to look; True once, until the outcome is noted."""
        if self.reason is None or self._is_probed or now_s < self._probe_at_s:
            return False
        self._is_probed = True
        return True

    def note_probe(self, *, is_up: bool, now_s: float) -> None:
        """Note the outcome of a probe."""
        self._is_probed = False
        if is_up:
            # The cool-down is forgotten with the first call that is answered, not here: a
            # server that answers nothing but probes is left alone longer each time.
            self._lost = self._unconnected = 0
            self.reason = None
        self._cool_down_s = min(2 * self._cool_down_s, self._policy.longest_cool_down_s)
        self._probe_at_s = now_s + self._cool_down_s

    def _open(self, reason: str, now_s: float) -> None:
        if self.reason is None:
            self._probe_at_s = now_s + self._cool_down_s
            self.reason = reason


_LOG = logging.getLogger("genint.online")

_SPARE = 1.1
"""Requests are spread a little wider than the pace, for networks hold up some more than others:
no second of the server sees more."""


class CircuitOpen(Exception):
    """The server is not asked now; says why, in words."""


class HostLimiter:
    """Limits of one server that all runs of a process share; belongs to one event loop.

    Attributes:
        limits: Of the server.
        breaker: Whether it counts as down.
    """

    def __init__(self, host: Host, policy: Policy) -> None:
        """Begin with a server of which nothing is known."""
        self.limits = limits = policy.of(host)
        self._host = host
        self.breaker = CircuitBreaker(policy)
        self._policy = policy
        self._loop = asyncio.get_running_loop()
        self._slots = asyncio.Semaphore(limits.parallel)
        self._places = asyncio.Semaphore(self.most_calls)
        # One at a time and not a second's worth at once: a bucket of more begins with a burst.
        self._pace = AsyncLimiter(1, _SPARE / limits.pace_per_s)
        self._paused_until_s = 0.0
        self._pause_reason = ""
        self._waiting: set[asyncio.Timeout] = set()

    @property
    def most_calls(self) -> int:
        """Calls that have begun and not ended at the same time.

        More than can be under way, for a call that waits for another attempt takes no turn; but
        not all there are: a server that fails would see the first attempt of each of them
        before the last attempts of a few have shown that it is down.
        """
        return 2 * self.limits.parallel

    @property
    def now_s(self) -> float:
        """Time on the lane's clock."""
        return self._loop.time()

    def pause(self, wait_s: float, reason: str) -> None:
        """Leave the server alone for as long as it asks.

        Args:
            wait_s: What it asks for; no longer than a server that is down is granted.
            reason: Its answer, such as ``429``.
        """
        until_s = self.now_s + min(wait_s, self._policy.longest_cool_down_s)
        if until_s > self._paused_until_s:
            self._paused_until_s = until_s
            self._pause_reason = f"{reason} with a wait of {wait_s:,.0f} s"
            self._log("server_asks_to_wait", reason=self._pause_reason)

    def note_answer(self) -> None:
        """It answered: it is up."""
        with self._telling():
            self.breaker.note_answer()

    def note_lost(self, reason: str) -> None:
        """A call was lost; all who wait are sent home if the server counts as down by that."""
        with self._telling():
            self.breaker.note_lost(reason, self.now_s)
        self._send_home()

    def note_unconnected(self, reason: str) -> None:
        """An attempt to connect failed; see :meth:`note_lost`."""
        with self._telling():
            self.breaker.note_unconnected(reason, self.now_s)
        self._send_home()

    def note_probe(self, *, is_up: bool) -> None:
        """Note what a look at a server that is down has shown."""
        with self._telling():
            self.breaker.note_probe(is_up=is_up, now_s=self.now_s)

    def reason_not_to_ask(self, ends_at_s: float) -> str | None:
        """Why a run that ends at a time cannot ask the server; None if it can."""
        return self.breaker.reason or self.reason_not_to_wait(ends_at_s)

    def reason_not_to_wait(self, ends_at_s: float) -> str | None:
        """Why a run that ends at a time gives up a server that asked for a wait; or None."""
        left_s = self._paused_until_s - self.now_s
        if left_s > 0 and (
            left_s > self._policy.longest_retry_after_s or self._paused_until_s >= ends_at_s
        ):
            return self._pause_reason
        return None

    async def sleep(self, wait_s: float) -> None:
        """Wait before another attempt; shorter where the server is down meanwhile.

        Raises:
            Closed: it is.
        """
        async with self._unless_down():
            await asyncio.sleep(wait_s)

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Wait until another call may begin, and hold its place for all of its attempts.

        Raises:
            Closed: the server is down.
        """
        async with self._unless_down():
            await self._places.acquire()
        try:
            yield
        finally:
            self._places.release()

    @asynccontextmanager
    async def turn(self, ends_at_s: float) -> AsyncIterator[None]:
        """Wait until a request may be sent, and hold that turn until it is answered.

        Raises:
            Closed: the server is down, or wants to be left alone for longer than can be waited.
        """
        while True:
            async with self._unless_down():
                await self._pause_over(ends_at_s)
                await self._slots.acquire()
            try:
                async with self._unless_down():
                    await self._pace.acquire()
                if self._paused_until_s > self.now_s:
                    continue  # it asked for that meanwhile
                yield
                return
            finally:
                self._slots.release()

    async def probe_turn(self) -> None:
        """Wait until a request may be sent that looks whether a server that is down is back.

        Raises:
            Closed: it wants to be left alone for longer than is waited for.
        """
        await self._pause_over(float("inf"))
        # No place is needed: that of the request that was lost last is free.
        await self._pace.acquire()

    async def _pause_over(self, ends_at_s: float) -> None:
        while (left_s := self._paused_until_s - self.now_s) > 0:
            if reason := self.reason_not_to_wait(ends_at_s):
                raise CircuitOpen(reason)
            await asyncio.sleep(left_s)

    @asynccontextmanager
    async def _unless_down(self) -> AsyncIterator[None]:
        """Give up waiting as soon as the server counts as down."""
        if self.breaker.reason is not None:
            raise CircuitOpen(self.breaker.reason)
        try:
            async with asyncio.timeout(None) as patience:
                self._waiting.add(patience)
                try:
                    yield
                finally:
                    self._waiting.discard(patience)
        except TimeoutError:
            raise CircuitOpen(self.breaker.reason or "") from None

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Log it if the server counts as down by something, or up again."""
        before = self.breaker.reason
        yield
        after = self.breaker.reason
        if (before is None) is not (after is None):
            self._log("server_down" if after else "server_up", reason=after or "")

    def _log(self, event: str, *, reason: str) -> None:
        words = f"{self._host.value}: {event.replace('_', ' ')}"
        _LOG.info(words, extra={"event": event, "server": self._host.value, "reason": reason})

    def _send_home(self) -> None:
        if self.breaker.reason is None:
            return
        waiting, self._waiting = self._waiting, set()
        for patience in waiting:
            patience.reschedule(self.now_s)
