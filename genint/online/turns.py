"""A long list asked in batches, a few at a time, so that a run never floods the queue."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeVar

_T = TypeVar("_T")


async def in_turns(
    items: Iterable[_T],
    most: Callable[[], int],
    ask: Callable[[Sequence[_T]], Awaitable[bool]],
    at_once: int = 2,
) -> None:
    """Ask for all items in batches.

    Args:
        items: Asked for in this order.
        most: Items of the next batch, at least 1; may shrink meanwhile.
        ask: Asks for a batch; False: it was too large and is to be asked for again in smaller
            ones. It must not raise.
        at_once: Batches under way.
    """
    left = deque(items)

    async def worker() -> None:
        while left:
            batch = [left.popleft() for _ in range(min(most(), len(left)))]
            if not await ask(batch):
                left.extendleft(reversed(batch))

    async with asyncio.TaskGroup() as group:
        for _ in range(at_once):
            group.create_task(worker())
