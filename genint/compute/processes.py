"""Work in up to four processes, shared fairly by several owners."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import NamedTuple, cast

from genint.compute.backend import Arguments, Backend, Result
from genint.compute.threads import ThreadBackend
from genint.compute.worker_process import WorkerProcess, leave_if_imported_by_a_worker
from genint.errors import UsageError, WorkCancelled

MAX_WORKERS = 4

_CLOSING_S = 5.0
"""How long closing waits for killed processes; a killed process is gone in
milliseconds unless it hangs in a system call."""


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


class ProcessBackend:
    """Up to four worker processes, one call at a time in each.

    Processes start when there is work for them. A dead one costs only the call that
    it was about; cancelling a call kills its process. None outlives this process.

    Owners who should not get into each other's way take a :meth:`share` each; calls
    made here are one more.

    Args:
        workers: Most processes at once, 1 to 4.
        nice: How far the processes step back for others, 0 (not) to 19.
        memory_bytes: Most address space of each (Linux only); None: no limit.

    Raises:
        UsageError: ``workers`` is out of range, or this process may not have children.

    Cost: a process starts in about 0.2 s; a call costs about 0.5 ms plus pickling.
    """

    def __init__(self, workers: int, *, nice: int = 0, memory_bytes: int | None = None) -> None:
        leave_if_imported_by_a_worker()
        if not 1 <= workers <= MAX_WORKERS:
            raise UsageError(f"workers must be 1 to {MAX_WORKERS}, not {workers}")
        if multiprocessing.current_process().daemon:
            raise UsageError("a daemonic process cannot have workers; use workers=1")
        self._new_worker = partial(WorkerProcess, nice=nice, memory_bytes=memory_bytes)
        self._scheduler = FairScheduler(workers)
        self._own = JobSlots(self)
        self._idle = [self._new_worker() for _ in range(workers)]
        self._busy: set[WorkerProcess] = set()
        self._endings: set[asyncio.Task[None]] = set()
        self._closed = False

    async def run(self, work: Callable[[*Arguments], Result], /, *arguments: *Arguments) -> Result:
        """See :meth:`genint.compute.backend.Backend.run`.

        A cancelled call's process is killed before the cancellation goes on.
        """
        return await self._own.run(work, *arguments)

    def share(self) -> JobSlots:
        """A share in the processes for one more owner."""
        return JobSlots(self)

    async def run_for(
        self, share: JobSlots, work: Callable[[*Arguments], Result], /, *arguments: *Arguments
    ) -> Result:
        """Run a call of a share as soon as it is its turn; see :meth:`run`."""
        async with self._scheduler.turn(share.queue):
            if self._closed or share.is_closed:
                raise WorkCancelled("the backend is closed")
            with self._free_worker(share) as worker:
                return cast(Result, await worker.call(work, arguments))

    def end_share(self, share: JobSlots) -> None:
        """Drop the waiting calls of a share and kill the processes of the others."""
        self._scheduler.drop(share.queue)
        for worker in share.workers:
            worker.kill()

    @contextmanager
    def _free_worker(self, share: JobSlots) -> Iterator[WorkerProcess]:
        """A free worker, one with a process if there is any; killed by a cancellation."""
        worker = max(self._idle, key=lambda idle: idle.is_warm)
        self._idle.remove(worker)
        self._busy.add(worker)
        share.workers.add(worker)
        try:
            yield worker
        except asyncio.CancelledError:
            worker.kill()
            raise
        finally:
            share.workers.remove(worker)
            self._busy.remove(worker)
            if worker.is_killed:
                self._follow(worker.close())
                worker = self._new_worker()
            self._idle.append(worker)

    def _follow(self, ending: Coroutine[None, None, None]) -> None:
        """See that closing waits for it."""
        task = asyncio.create_task(ending)
        self._endings.add(task)
        task.add_done_callback(self._endings.discard)

    async def close(self) -> None:
        """Kill all processes; calls under way raise WorkCancelled. Again does nothing."""
        if not self._closed:
            self._closed = True
            for worker in (*self._idle, *self._busy):
                self._follow(worker.close())
            # The tasks go on if this is cancelled: no process is left behind.
            await asyncio.wait(self._endings, timeout=_CLOSING_S)


class JobSlots:
    """A share in the processes of a backend: a backend itself, for one owner.

    It may use every process that is idle. One that falls free goes to the waiting
    share that uses the fewest, so no share keeps another from working for longer
    than its shortest call under way takes. Nothing has to be done to end one that
    has no calls under way.
    """

    def __init__(self, backend: ProcessBackend) -> None:
        self._backend = backend
        self.queue = JobQueue()
        self.workers: set[WorkerProcess] = set()
        self.is_closed = False

    async def run(self, work: Callable[[*Arguments], Result], /, *arguments: *Arguments) -> Result:
        """See :meth:`genint.compute.backend.Backend.run`."""
        return await self._backend.run_for(self, work, *arguments)

    async def close(self) -> None:
        """Kill the processes that work for this share; its calls raise WorkCancelled."""
        self.is_closed = True
        self._backend.end_share(self)


class JobQueue:
    """The calls of one owner; ``busy`` of them have a place now."""

    def __init__(self) -> None:
        self.busy = 0


class _Waiting(NamedTuple):
    """A call without a place."""

    queue: JobQueue
    granted: asyncio.Future[None]


class FairScheduler:
    """A number of places, taken in turns by any number of queues.

    A place that falls free goes to the waiting queue that has the fewest, of several
    such to the one that has waited longest; within a queue to its oldest call. So a
    queue may have all places while no other wants them, and none waits for longer
    than the shortest turn under way.

    Args:
        places: How many, >= 1.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: list[_Waiting] = []  # in the order in which they came

    @asynccontextmanager
    async def turn(self, queue: JobQueue) -> AsyncIterator[None]:
        """Wait for a place and have it for the time of the block.

        Raises:
            WorkCancelled: the queue was dropped meanwhile.
        """
        await self._take(queue)
        try:
            yield
        finally:
            self._leave(queue)

    def drop(self, queue: JobQueue) -> None:
        """End the waiting of a queue; turns under way go on."""
        dropped = [call for call in self._waiting if call.queue is queue]
        self._waiting = [call for call in self._waiting if call.queue is not queue]
        for call in dropped:
            if not call.granted.done():
                call.granted.set_exception(WorkCancelled("the work was cancelled"))

    async def _take(self, queue: JobQueue) -> None:
        if self._free:  # then no call waits
            self._free -= 1
            queue.busy += 1
            return
        call = _Waiting(queue, asyncio.get_running_loop().create_future())
        self._waiting.append(call)
        try:
            await call.granted
        except asyncio.CancelledError:
            if call in self._waiting:
                self._waiting.remove(call)
            elif not call.granted.cancelled() and call.granted.exception() is None:
                self._leave(queue)  # cancelled in the moment in which its turn came
            raise

    def _leave(self, queue: JobQueue) -> None:
        queue.busy -= 1
        self._free += 1
        while self._free and self._waiting:
            call = min(self._waiting, key=lambda each: each.queue.busy)  # the first of equals
            self._waiting.remove(call)
            if not call.granted.done():  # else it was cancelled and has not run since
                call.granted.set_result(None)
                call.queue.busy += 1
                self._free -= 1
