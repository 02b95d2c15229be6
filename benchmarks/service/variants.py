"""The service as `genint serve` starts it, with one thing changed for measuring.

    python -m benchmarks.service.variants nothing serve ...    jobs do nothing
    python -m benchmarks.service.variants lag serve ...        SIGUSR1 prints loop lag

``nothing``: a job is claimed, sends one call to a worker process and back, and its row
is finished; no file is read or written. ``lag``: a task sleeps 5 ms again and again; by
how much it oversleeps is how long the event loop was kept from everybody else.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from aiohttp import web

from genint.cli.main import main
from genint.compute import Backend
from genint.model.job import GeneCounts, Job, Outcome
from genint.service import server
from genint.storage import Storage
from genint.version import __version__
from genint.worker import supervisor
from genint.worker.attempt import Ending, Finished

_SLEEP_S = 0.005


class NothingRunner:
    """Does no work; takes what the real one takes."""

    def __init__(self, storage: Storage, **settings: object) -> None:
        self._storage = storage

    async def compute(
        self, job: Job, share: Backend, _note_waiting: Callable[[bool], None]
    ) -> Ending:
        """One call to a worker process and back."""
        await share.run(os.getpid)
        return Finished(Outcome(GeneCounts(), (), __version__), Path())

    async def store(self, job: Job, ending: Ending) -> None:
        """Finish the row."""
        if isinstance(ending, Finished):
            await self._storage.jobs.finish(job.lease, ending.outcome)


def do_nothing() -> None:
    """Let jobs do nothing."""
    setattr(supervisor, "JobRunner", NothingRunner)  # noqa: B010 - replacing it is the point


def watch_lag() -> None:
    """Let SIGUSR1 print what the loop lagged since the last time, in ms, as JSON."""
    create: Callable[..., web.Application] = getattr(server, "create_app")  # noqa: B009 - not exported
    lags: list[float] = []

    async def sample() -> None:
        clock = asyncio.get_running_loop().time
        while True:
            began = clock()
            await asyncio.sleep(_SLEEP_S)
            lags.append((clock() - began - _SLEEP_S) * 1000)

    def tell() -> None:
        print(json.dumps([round(lag, 3) for lag in lags]), flush=True)
        lags.clear()

    async def watch(app: web.Application) -> AsyncIterator[None]:
        task = asyncio.create_task(sample())
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, tell)
        yield
        task.cancel()

    def create_watched(*arguments: Any, **more: Any) -> web.Application:
        app = create(*arguments, **more)
        app.cleanup_ctx.append(watch)
        return app

    setattr(server, "create_app", create_watched)  # noqa: B010 - replacing it is the point


if __name__ == "__main__":
    {"nothing": do_nothing, "lag": watch_lag}[sys.argv[1]]()
    main(sys.argv[2:])
