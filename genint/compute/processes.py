"""Computing in processes of their own."""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from functools import partial
from typing import cast

from genint.compute.backend import Arguments, Result
from genint.compute.child import leave_if_imported_by_a_worker
from genint.compute.lane import Lane
from genint.compute.threads import start_in_thread
from genint.errors import UsageError, WorkCancelled

MAX_WORKERS = 4

_CLOSING_S = 5.0
"""How long closing waits for killed processes; a killed process is gone in
milliseconds unless it hangs in a system call."""


class ProcessBackend:
    """Up to four worker processes, one call at a time in each.

    Processes start when there is work for them. A dead one costs only the call that
    it was about; cancelling a call kills its process. None outlives this process.

    Args:
        workers: Most processes at once, 1 to 4.

    Raises:
        UsageError: ``workers`` is out of range, or this process may not have children.

    Cost: a process starts in about 0.2 s; a call costs about 0.3 ms plus pickling.
    """

    def __init__(self, workers: int) -> None:
        leave_if_imported_by_a_worker()
        if not 1 <= workers <= MAX_WORKERS:
            raise UsageError(f"workers must be 1 to {MAX_WORKERS}, not {workers}")
        if multiprocessing.current_process().daemon:
            raise UsageError("a daemonic process cannot have workers; use workers=1")
        self._process_lock = threading.Lock()
        self._free = asyncio.Semaphore(workers)
        self._idle = [Lane(self._process_lock) for _ in range(workers)]
        self._busy: set[Lane] = set()
        self._calls: set[Future[object]] = set()
        self._closed = False

    async def run(self, work: Callable[[*Arguments], Result], /, *arguments: *Arguments) -> Result:
        """See :meth:`genint.compute.backend.Backend.run`.

        A cancelled call's process is killed before the cancellation goes on.
        """
        async with self._free:
            if self._closed:
                raise WorkCancelled("the backend is closed")
            with self._taken_lane() as lane:
                call = start_in_thread(partial(lane.call, work, arguments))
                self._calls = {call, *(one for one in self._calls if not one.done())}
                return cast(Result, await asyncio.wrap_future(call))

    @contextmanager
    def _taken_lane(self) -> Iterator[Lane]:
        """A free lane, one with a process if there is any; a new one after cancelling."""
        lane = max(self._idle, key=lambda idle: idle.is_warm)
        self._idle.remove(lane)
        self._busy.add(lane)
        successor = lane
        try:
            yield lane
        except asyncio.CancelledError:
            successor = Lane(self._process_lock)
            lane.withdraw()
            raise
        finally:
            self._busy.remove(lane)
            self._idle.append(successor)

    async def close(self) -> None:
        """Kill all processes; calls under way raise WorkCancelled. Again does nothing."""
        if not self._closed:
            self._closed = True
            # Shielded: whoever is cancelled while closing leaves no process behind.
            lanes = (*self._idle, *self._busy)
            await asyncio.shield(asyncio.to_thread(_end, lanes, self._calls))


def _end(lanes: Iterable[Lane], calls: Iterable[Future[object]]) -> None:
    for lane in lanes:
        lane.withdraw()
    wait(calls, timeout=_CLOSING_S)
