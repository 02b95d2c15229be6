"""How far a job is, written to its row."""

from __future__ import annotations

import asyncio
from typing import Final

from genint.errors import BusyError
from genint.model.job import Held
from genint.storage import JobStore

BEGUN: Final = 0.02
"""The file is being read."""
CALLED: Final = 0.1
"""The genes are known."""
SEARCHED: Final = 0.9
"""All proteins were searched."""

_EVERY_S: Final = 0.5


def searched(parts: int, of: int) -> float:
    """Progress when so many parts of the proteins were searched."""
    return CALLED + (SEARCHED - CALLED) * parts / of


class ProgressWriter:
    """Writes the progress of one attempt, forward only and at most twice a second.

    What cannot be written is dropped: progress is worth no delay.
    """

    def __init__(self, jobs: JobStore, held: Held) -> None:
        self._jobs = jobs
        self._held = held
        self._last = 0.0
        self._next_at = 0.0
        self._is_writing = False

    async def report(self, progress: float) -> None:
        """Write, unless it was written a moment ago or is being written."""
        clock = asyncio.get_running_loop().time
        if self._is_writing or clock() < self._next_at or progress <= self._last:
            return
        self._is_writing = True
        try:
            await self._jobs.set_progress(self._held, progress)
            self._last = progress
        except BusyError:
            pass
        finally:
            self._is_writing = False
            self._next_at = clock() + _EVERY_S
