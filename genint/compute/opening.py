"""Choosing a backend for a number of workers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from genint.compute.backend import Backend
from genint.compute.processes import ProcessBackend
from genint.compute.threads import ThreadBackend


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
