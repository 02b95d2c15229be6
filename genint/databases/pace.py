"""How fast an answer comes: one that only drips is as good as silent."""

from __future__ import annotations

import time
from typing import NamedTuple


class Slowest(NamedTuple):
    """Below what speed a server is as good as silent.

    Attributes:
        bytes_per_s: Bytes a second.
        window_s: Seconds over which they are counted.
    """

    bytes_per_s: float
    window_s: float


class Pace:
    """Counts the bytes of one answer."""

    def __init__(self, slowest: Slowest) -> None:
        self._slowest = slowest
        self._since = time.monotonic()
        self._counted = 0

    def is_too_slow(self, size: int) -> bool:
        """Count bytes that came; whether there were too few since the last time it was asked.

        False as long as the window is not over.
        """
        self._counted += size
        seconds = time.monotonic() - self._since
        if seconds < self._slowest.window_s:
            return False
        if self._counted < seconds * self._slowest.bytes_per_s:
            return True
        self._since, self._counted = time.monotonic(), 0
        return False
