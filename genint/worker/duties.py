"""Duties of a supervisor that go on whatever happens to them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from genint.errors import BusyError

_AGAIN_S: Final = 1.0
"""Pause after a round that failed, where the usual one is not shorter."""
_CANCELLED_WITHIN_S: Final = 1.0
_LOG = logging.getLogger("genint.worker")


async def repeat(
    duty: Callable[[], Awaitable[object]],
    *,
    name: str,
    every_s: float,
    wake: asyncio.Event | None = None,
) -> None:
    """Do a duty again and again, until cancelled.

    An error ends one round. It is logged: one of the program each time, one of a
    database or server that does not answer when it begins and when it is over.

    Args:
        duty: One round.
        name: For the log.
        every_s: Pause between the end of a round and the next.
        wake: Ends the pause when set; cleared before the round, so that nothing that
            happens during a round is missed.
    """
    is_away = False
    while True:
        if wake is not None:
            wake.clear()
        failed = True
        try:
            await duty()
            failed = False
        except (BusyError, TimeoutError) as problem:
            if not is_away:
                _tell(logging.WARNING, "duty_waits", name, error=type(problem).__name__)
            is_away = True
        except Exception as problem:  # noqa: BLE001 - one failed round must not end a duty
            _tell(logging.ERROR, "duty_failed", name, problem=problem)
        if is_away and not failed:
            _tell(logging.INFO, "duty_goes_on", name)
            is_away = False
        await _pause(min(every_s, _AGAIN_S) if failed else every_s, None if failed else wake)


async def end_tasks(tasks: Sequence[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait for them, for a moment."""
    for task in tasks:
        task.cancel()
    await wait_a_while(tasks)


async def wait_a_while(
    tasks: Sequence[asyncio.Task[Any]], limit_s: float = _CANCELLED_WITHIN_S
) -> None:
    """Wait until tasks have ended, but no longer than the limit; never raises their errors."""
    if tasks:
        await asyncio.wait(tasks, timeout=limit_s)


async def _pause(seconds: float, wake: asyncio.Event | None) -> None:
    if wake is None:
        await asyncio.sleep(seconds)
        return
    try:
        async with asyncio.timeout(seconds):
            await wake.wait()
    except TimeoutError:
        pass


def _tell(
    level: int, event: str, name: str, *, problem: Exception | None = None, **more: object
) -> None:
    about = {"event": event, "duty": name, **more}
    _LOG.log(level, f"{name}: {event.replace('_', ' ')}", extra=about, exc_info=problem)
