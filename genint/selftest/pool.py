"""Whether worker processes start, compute, and are replaced when they die."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass

from genint.compute import Backend, ProcessBackend
from genint.errors import WorkerDied
from genint.selftest.check import Finding, Places

_NUMBERS = tuple(range(1000))


@dataclass(frozen=True, slots=True)
class WorkerPool:
    """A process is started, computes, is killed, is missed and is replaced."""

    name: str = "worker processes"
    cure: str = "run with --workers 1, which needs none, or allow genint more processes and memory"

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        del places, near
        pool = ProcessBackend(1)
        try:
            return await _try(pool)
        finally:
            await pool.close()


async def _try(pool: Backend) -> Finding:
    first = await pool.run(os.getpid)
    if first == os.getpid():
        return Finding.failed("the work was not done in a process of its own")
    if await pool.run(sum, _NUMBERS) != sum(_NUMBERS):
        return Finding.failed("a worker process computes wrongly")
    try:
        await pool.run(end_this_process)
    except WorkerDied:
        second = await pool.run(os.getpid)
    else:
        return Finding.failed("a killed worker process was not missed")
    if second == first:
        return Finding.failed("a killed worker process was not replaced")
    return Finding.ok("one started and computed; it was killed, missed and replaced")


def end_this_process() -> None:
    """Work that kills the process that does it."""
    os.kill(os.getpid(), signal.SIGKILL)
