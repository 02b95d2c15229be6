"""An event loop whose clock stands while something happens, and jumps over waits.

Sockets are real, and so are timeouts, pauses and paces; only nobody sits through them, and how
fast the machine is makes no difference. That works where all that is waited for happens in the
loop itself: clients and servers of one test, no threads.
"""

from __future__ import annotations

import asyncio
import functools
import selectors
from collections.abc import Callable, Coroutine
from typing import Any

GRACE_S = 0.002
"""How long the loop really waits before it believes that nothing will happen."""

TICK_S = 1e-6
"""How far the clock goes on in any case: what is due in an instant must come to be due."""


class _JumpingSelector(selectors.DefaultSelector):
    passed_s = 0.0

    def select(self, timeout=None):
        self.passed_s += TICK_S
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        events = super().select(GRACE_S)
        if not events:
            self.passed_s += timeout
        return events


class JumpingLoop(asyncio.SelectorEventLoop):
    def __init__(self):
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self):
        return self._jumping.passed_s


def in_jumping_time(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run an asynchronous test in a loop whose clock jumps."""

    @functools.wraps(test)
    def run(*args, **kwargs):
        with asyncio.Runner(loop_factory=JumpingLoop) as runner:
            runner.run(test(*args, **kwargs))

    return run
