"""Who may use one of a few places next, fair among those who ask for them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import NamedTuple

from genint.errors import WorkCancelled


class _Waiting(NamedTuple):
    """Somebody who waits; ``number`` grows with every one who comes."""

    number: int
    granted: asyncio.Future[None]


class JobQueue:
    """Those whose turns count together; several may have one at once.

    Attributes:
        busy: Places that it has now.
    """

    def __init__(self) -> None:
        self.busy = 0
        self.waiting: deque[_Waiting] = deque()


class FairScheduler:
    """A number of places, taken in turns by any number of parties.

    A place that falls free goes to the waiting party that has the fewest, of several
    such to the one that has waited longest; within a party to whoever came first.
    So a party may have all places while nobody else wants them, and nobody waits for
    longer than the shortest turn under way.

    Args:
        places: How many, >= 1.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: set[JobQueue] = set()
        self._numbers = count()

    @asynccontextmanager
    async def turn(self, party: JobQueue) -> AsyncIterator[None]:
        """Wait for a place and have it for the time of the block.

        Raises:
            WorkCancelled: the party was dropped meanwhile.
        """
        await self._take(party)
        try:
            yield
        finally:
            self._leave(party)

    def drop(self, party: JobQueue) -> None:
        """End the waiting of a party; turns under way go on."""
        for one in party.waiting:
            if not one.granted.done():
                one.granted.set_exception(WorkCancelled("the work was cancelled"))
        party.waiting.clear()
        self._waiting.discard(party)

    async def _take(self, party: JobQueue) -> None:
        if self._free:  # then nobody waits
            self._free -= 1
            party.busy += 1
            return
        place = _Waiting(next(self._numbers), asyncio.get_running_loop().create_future())
        party.waiting.append(place)
        self._waiting.add(party)
        try:
            await place.granted
        except asyncio.CancelledError:
            if place in party.waiting:
                party.waiting.remove(place)
                if not party.waiting:
                    self._waiting.discard(party)
            elif not place.granted.cancelled() and place.granted.exception() is None:
                self._leave(party)  # cancelled in the moment in which its turn came
            raise

    def _leave(self, party: JobQueue) -> None:
        party.busy -= 1
        self._free += 1
        while self._free and self._waiting:
            self._grant(min(self._waiting, key=lambda one: (one.busy, one.waiting[0].number)))

    def _grant(self, party: JobQueue) -> None:
        granted = party.waiting.popleft().granted
        if not party.waiting:
            self._waiting.discard(party)
        if not granted.done():  # else it was cancelled and has not heard of it yet
            granted.set_result(None)
            party.busy += 1
            self._free -= 1
