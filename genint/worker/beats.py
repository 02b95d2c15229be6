"""Signs of life: what tells others that a worker is there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Final, Protocol

from genint.errors import BusyError
from genint.worker.duties import repeat

BEAT_EVERY_S: Final = 3.0
_BEAT_LIMIT_S: Final = 2.0


class Heartbeats(Protocol):
    """Where signs of life are kept: the database, Redis."""

    async def beat(self, worker_id: str) -> None:
        """Note that a worker is alive now."""
        ...

    async def stop(self, worker_id: str) -> None:
        """Forget a worker."""
        ...


async def send_beats(store: Heartbeats, worker_id: str) -> None:
    """Beat every three seconds until cancelled; a store that hangs delays nobody else."""
    await repeat(
        partial(_beat, store, worker_id),
        name=f"heartbeat to {type(store).__name__}",
        every_s=BEAT_EVERY_S,
    )


async def _beat(store: Heartbeats, worker_id: str) -> None:
    async with asyncio.timeout(_BEAT_LIMIT_S):
        await store.beat(worker_id)


async def end_beats(stores: Sequence[Heartbeats], worker_id: str, *, within_s: float) -> None:
    """Say that a worker is gone, to all stores that answer in time; never raises."""
    with suppress(TimeoutError):
        async with asyncio.timeout(within_s):
            await asyncio.gather(*(_end(store, worker_id) for store in stores))


async def _end(store: Heartbeats, worker_id: str) -> None:
    with suppress(BusyError):
        await store.stop(worker_id)
