"""Choosing a backend for a number of workers."""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import cast

from genint.compute.backend import Arguments, Backend, Result
from genint.compute.scheduler import FairScheduler, JobQueue
from genint.compute.threads import ThreadBackend, start_in_thread
from genint.compute.worker_process import WorkerProcess, leave_if_imported_by_a_worker
from genint.errors import UsageError, WorkCancelled

MAX_WORKERS = 4

_CLOSING_S = 5.0
"""How long closing waits for killed processes; a killed process is gone in
milliseconds unless it hangs in a system call."""


class ProcessBackend:
    """Up to four worker processes, one call at a time in each.

    Processes start when there is work for them. A dead one costs only the call that
    it was about; cancelling a call kills its process. None outlives this process.

    Owners who should not get into each other's way take a :meth:`share` each; calls
    made here are one more.

    Args:
        workers: Most processes at once, 1 to 4.
        nice: How far the processes step back for others, 0 (not) to 19.

    Raises:
        UsageError: ``workers`` is out of range, or this process may not have children.

    Cost: a process starts in about 0.2 s; a call costs about 0.3 ms plus pickling.
    """

    def __init__(self, workers: int, *, nice: int = 0) -> None:
        leave_if_imported_by_a_worker()
        if not 1 <= workers <= MAX_WORKERS:
            raise UsageError(f"workers must be 1 to {MAX_WORKERS}, not {workers}")
        if multiprocessing.current_process().daemon:
            raise UsageError("a daemonic process cannot have workers; use workers=1")
        self._process_lock = threading.Lock()
        self._nice = nice
        self._turns = FairScheduler(workers)
        self._own = JobSlots(self)
        self._idle = [self._new_lane() for _ in range(workers)]
        self._busy: set[WorkerProcess] = set()
        self._calls: set[Future[object]] = set()
        self._closed = False

    async def run(self, work: Callable[[*Arguments], Result], /, *arguments: *Arguments) -> Result:
        """See :meth:`genint.compute.backend.Backend.run`.

        A cancelled call's process is killed before the cancellation goes on.
        """
        return await self._own.run(work, *arguments)

    def share(self) -> JobSlots:
        """A share in the processes; see :class:`Share`."""
        return JobSlots(self)

    async def run_for(
        self, share: JobSlots, work: Callable[[*Arguments], Result], /, *arguments: *Arguments
    ) -> Result:
        """Run a call of a share as soon as it is its turn; see :meth:`run`."""
        async with self._turns.turn(share.party):
            if self._closed or share.is_closed:
                raise WorkCancelled("the backend is closed")
            with self._taken_lane(share) as lane:
                call = start_in_thread(partial(lane.call, work, arguments))
                self._calls = {call, *(one for one in self._calls if not one.done())}
                return cast(Result, await asyncio.wrap_future(call))

    def end_share(self, share: JobSlots) -> None:
        """Drop the waiting calls of a share and kill the processes of the others."""
        self._turns.drop(share.party)
        for lane in share.lanes:
            lane.withdraw()

    @contextmanager
    def _taken_lane(self, share: JobSlots) -> Iterator[WorkerProcess]:
        """A free lane, one with a process if there is any; a new one after cancelling."""
        lane = max(self._idle, key=lambda idle: idle.is_warm)
        self._idle.remove(lane)
        self._busy.add(lane)
        share.lanes.add(lane)
        try:
            yield lane
        except asyncio.CancelledError:
            lane.withdraw()
            raise
        finally:
            share.lanes.remove(lane)
            self._busy.remove(lane)
            self._idle.append(self._new_lane() if lane.is_withdrawn else lane)

    def _new_lane(self) -> WorkerProcess:
        return WorkerProcess(self._process_lock, nice=self._nice)

    async def close(self) -> None:
        """Kill all processes; calls under way raise WorkCancelled. Again does nothing."""
        if not self._closed:
            self._closed = True
            # Shielded: whoever is cancelled while closing leaves no process behind.
            lanes = (*self._idle, *self._busy)
            await asyncio.shield(asyncio.to_thread(_end, lanes, self._calls))


class JobSlots:
    """A share in the processes of a backend: a backend itself, for one owner.

    It may use every process that is idle. One that falls free goes to the waiting
    share that uses the fewest, so no share keeps another from working for longer
    than its shortest call under way takes. Nothing has to be done to end one that
    has no calls under way.
    """

    def __init__(self, backend: ProcessBackend) -> None:
        self._backend = backend
        self.party = JobQueue()
        self.lanes: set[WorkerProcess] = set()
        self.is_closed = False

    async def run(self, work: Callable[[*Arguments], Result], /, *arguments: *Arguments) -> Result:
        """See :meth:`genint.compute.backend.Backend.run`."""
        return await self._backend.run_for(self, work, *arguments)

    async def close(self) -> None:
        """Kill the processes that work for this share; its calls raise WorkCancelled."""
        self.is_closed = True
        self._backend.end_share(self)


def _end(lanes: Iterable[WorkerProcess], calls: Iterable[Future[object]]) -> None:
    for lane in lanes:
        lane.withdraw()
    wait(calls, timeout=_CLOSING_S)


@asynccontextmanager
async def open_backend(*, workers: int = 1) -> AsyncIterator[Backend]:
    """A backend for the time of an ``async with`` block.

    Args:
        workers: 1 computes in a thread of this process, 2 to 4 in that many
            processes, which start when there is work for them.

    Raises:
        UsageError: ``workers`` is out of range, or processes cannot be started here.
    """
    backend = ThreadBackend() if workers == 1 else ProcessBackend(workers)
    try:
        yield backend
    finally:
        await backend.close()
