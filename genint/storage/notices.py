"""Word between processes, or within one, that a job is queued or was ended."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, NamedTuple, Self

MOST_WAITING = 1_000
"""Notices kept for a listener that does not take them; older ones are dropped."""


NoticeKind = Literal["queued", "ended"]


class Notice(NamedTuple):
    """Something happened to a job that others may want to know at once.

    ``queued``: it waits for a worker. ``ended``: it was cancelled or given up, not by
    the worker that holds it.
    """

    kind: NoticeKind
    job_id: str

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """From the text that ``str`` gives; None if it is something else."""
        match text.split(" "):
            case ["queued" | "ended" as kind, job_id]:
                return cls(kind, job_id)
        return None

    def __str__(self) -> str:
        return f"{self.kind} {self.job_id}"


class Subscription:
    """Notices since its begin, one after another, without end."""

    def __init__(self) -> None:
        self._waiting: asyncio.Queue[Notice] = asyncio.Queue(MOST_WAITING)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Notice:
        return await self._waiting.get()

    def put(self, notice: Notice) -> None:
        """Add a notice; never waits."""
        if self._waiting.full():
            self._waiting.get_nowait()
        self._waiting.put_nowait(notice)


class NoticeBoard:
    """Passes notices on to all listeners of this process."""

    def __init__(self) -> None:
        self._listeners: set[Subscription] = set()

    @contextmanager
    def listen(self) -> Iterator[Subscription]:
        """What is published from now on."""
        listener = Subscription()
        self._listeners.add(listener)
        try:
            yield listener
        finally:
            self._listeners.discard(listener)

    def publish(self, notice: Notice) -> None:
        """Pass a notice on."""
        for listener in self._listeners:
            listener.put(notice)
