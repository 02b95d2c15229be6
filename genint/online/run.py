"""One run's view of the servers: its time, its calls, and what it has given up."""

from __future__ import annotations

import asyncio
import dataclasses
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial

from yarl import URL

from genint.online.addresses import UnusableAddress, address_of, address_of_link
from genint.online.hosts import Servers
from genint.online.insisting import Insistence
from genint.online.lane import Closed, Lane
from genint.online.ports import Call, CallLost, Host, Reply
from genint.online.setbacks import Setback

Prepare = Callable[[Call, URL, float], Insistence]
"""Prepares a call to an address, for a run that ends at a time."""


class Run:
    """Sends the calls of one run, within its time; see ``Caller``."""

    def __init__(
        self,
        servers: Servers,
        lanes: Mapping[Host, Lane],
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

    async def call(self, call: Call) -> Reply:
        """Send a call until it is answered.

        Raises:
            CallLost: it was not.
        """
        try:
            url = address_of(self._servers.base(call.host), call)
        except UnusableAddress as problem:
            raise CallLost(str(problem), was_tried=False) from None
        return await self._ask(call, url)

    async def follow(self, call: Call, link: str) -> Reply:
        """Get the page that an answer to ``call`` links to.

        Raises:
            CallLost: the link leads elsewhere than below the base address of the call's server,
                or as for calls.
        """
        base = self._servers.base(call.host)
        try:
            url = address_of_link(base, address_of(base, call), link)
        except UnusableAddress as problem:
            raise CallLost(str(problem), was_tried=False) from None
        page = dataclasses.replace(call, method="GET", params=(), json=None, form=())
        return await self._ask(page, url)

    def requests(self, host: Host) -> int:
        """Requests sent so far, retries included."""
        return self._requests[host]

    def retries(self, host: Host) -> int:
        """Those of them that repeated an earlier one."""
        return self._retries[host]

    async def _ask(self, call: Call, url: URL) -> Reply:
        host = call.host
        if reason := self._reason_not_to_ask(host):
            raise CallLost(reason, was_tried=False)
        insistence = self._prepare(call, url, self._ends_at_s)
        try:
            async with asyncio.timeout_at(self._ends_at_s):
                async with self._own[host]:
                    return await insistence.ask(partial(self._count, host))
        except TimeoutError:
            insistence.note_out_of_time()
            reason = f"{insistence.words or 'no answer'} within the time of {self._budget_s:g} s"
        except Setback:
            reason = insistence.words
            self._reason_not_to_ask(host)  # for the calls that follow
        except Closed:
            reason = insistence.words
            known = self._reason_not_to_ask(host) or "down"
            reason = f"{reason}, not asked again" if reason else known
        last = insistence.last
        raise CallLost(
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
