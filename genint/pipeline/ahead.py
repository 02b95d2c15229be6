"""Results of many files in their order, computed before they are asked for; small files together.

The proteins of a group of small files are searched at once: see
:mod:`genint.pipeline.shared_search`.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import aclosing, asynccontextmanager, suppress
from typing import NamedTuple, Self

from genint.compute import Backend, run_with_retry
from genint.errors import GenintError, WorkerDied
from genint.pipeline.gene_calling import Payload
from genint.pipeline.many import (
    AHEAD,
    COUNT_S,
    Ended,
    ForAll,
    Outcome,
    Workers,
    each_ended,
    open_workers,
    results_in_one_piece,
)
from genint.report.result import GenintResult

_TOGETHER = 8
_TOGETHER_BYTES = 500_000
"""Small files that are computed together at most: of phages, whose search then costs little more
than half. Memory grows with them, and what comes of the first waits for the last."""
_FEWEST_GROUPS = 1
"""For each place, or some would have nothing left to do."""
_COMPRESSED = (b"\x1f\x8b", b"BZh")
_COMPRESSED_TIMES = 4


class Computed(NamedTuple):
    """A result that was computed ahead; None where there was nothing to compute.

    ``seconds`` are its share, by the size of its file, of those of all that were searched together.
    """

    result: GenintResult | None
    seconds: float


class _Group(NamedTuple):
    """Files that one worker interprets side by side, and their numbers."""

    numbers: tuple[int, ...] = ()
    payloads: tuple[Payload, ...] = ()

    def has_room_for(self, payload: Payload, most: int) -> bool:
        """Whether another file is to be computed with them, ``most`` of them at most."""
        size = sum(map(_text_bytes, (*self.payloads, payload)))
        return not self.payloads or (len(self.payloads) < most and size <= _TOGETHER_BYTES)

    def with_file(self, number: int, payload: Payload) -> Self:
        """The group with another file."""
        return type(self)((*self.numbers, number), (*self.payloads, payload))

    def shares(self) -> list[float]:
        """The share of each file in the work, by its size."""
        sizes = [1 + _text_bytes(payload) for payload in self.payloads]
        return [size / sum(sizes) for size in sizes]


def _text_bytes(payload: Payload) -> int:
    """Size of a file; of a compressed one, what it will about have."""
    times = _COMPRESSED_TIMES if payload.content.startswith(_COMPRESSED) else 1
    return len(payload.content) * times


class Ahead:
    """Results of genomes in the order in which they were given, computed ahead of being asked for.

    For callers without an event loop, who do something with one after the other: write it, say.
    Used as a context manager; leaving it stops what is under way.

    Args:
        for_all: Options.
        sources: Functions that read a genome, called in order in a thread; None from one means
            that there is nothing to compute for it.
        concurrency: As of :func:`interpret_many_async`.
        cluster: Likewise.
    """

    def __init__(
        self,
        for_all: ForAll,
        sources: Sequence[Callable[[], Payload | None]],
        *,
        concurrency: int | None,
        cluster: str | None,
    ) -> None:
        self._for_all = for_all
        self._sources = sources
        self._chosen = concurrency, cluster
        self._results: tuple[Future[Computed], ...] = tuple(Future() for _ in sources)
        self._room = threading.Semaphore(0)
        self._last: set[int] = set()
        self._left = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="genint-ahead", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._run: asyncio.Task[None] | None = None

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._left.set()
        self._room.release()
        if self._loop is not None and self._run is not None:
            with suppress(RuntimeError):  # it is closed: all was done
                self._loop.call_soon_threadsafe(self._run.cancel)
        self._thread.join()

    def result(self, number: int) -> Computed:
        """The result of a genome, once it is there; to be asked for in order, once each.

        Raises:
            GenintError: it cannot be read, or computing it failed.
        """
        try:
            return self._results[number].result()
        finally:
            if number in self._last:
                self._room.release()

    def is_computed(self, number: int) -> bool:
        """Whether the result of a genome is there already."""
        future = self._results[number]
        return future.done() and future.exception() is None and future.result().result is not None

    def _serve(self) -> None:
        try:
            asyncio.run(self._compute())
        except asyncio.CancelledError:
            pass
        except BaseException as problem:  # noqa: BLE001 - raised where results are asked for
            for future in self._results:
                if not future.done():
                    future.set_exception(problem)

    async def _compute(self) -> None:
        self._loop, self._run = asyncio.get_running_loop(), asyncio.current_task()
        async with open_workers(*self._chosen) as workers:

            async def compute(group: _Group) -> tuple[Outcome, ...]:
                return await computed_together(group.payloads, workers.backend, self._for_all)

            most = len(self._sources) // (_FEWEST_GROUPS * await workers.room())
            found = each_ended(workers, self._groups(min(most, _TOGETHER)), compute)
            async with self._room_for(workers), aclosing(found):
                async for one in found:
                    self._set(one)

    def _set(self, ended: Ended[_Group, tuple[Outcome, ...]]) -> None:
        """Give the results of a group to those who wait for them."""
        group = ended.source
        outcomes = ended.result or (ended.problem,) * len(group.numbers)
        for number, outcome, share in zip(group.numbers, outcomes, group.shares(), strict=True):
            if isinstance(outcome, GenintResult):
                self._results[number].set_result(Computed(outcome, share * ended.seconds))
            else:
                self._results[number].set_exception(outcome)

    @asynccontextmanager
    async def _room_for(self, workers: Workers) -> AsyncIterator[None]:
        """Let genomes be read ahead during the block: more of them where workers join."""

        async def make_room() -> None:
            made = 0
            while True:
                while made < AHEAD * await workers.room():
                    self._room.release()
                    made += 1
                await asyncio.sleep(COUNT_S)

        making = asyncio.create_task(make_room())
        try:
            yield
        finally:
            making.cancel()

    def _groups(self, most: int) -> Iterator[_Group]:
        """What is to be computed, as there is room.

        Whoever takes the result of the last file of a group makes room for another group.
        """
        self._room.acquire()
        group = _Group()
        for number in range(len(self._sources)):
            if self._left.is_set():
                return
            payload = self._read(number)
            if payload is None:
                continue
            if not group.has_room_for(payload, most):
                self._last.add(group.numbers[-1])
                yield group
                self._room.acquire()
                group = _Group()
            group = group.with_file(number, payload)
        if group.numbers and not self._left.is_set():
            yield group

    def _read(self, number: int) -> Payload | None:
        """A file that is to be computed; None where there is nothing to do or it cannot be read."""
        try:
            payload = self._sources[number]()
        except Exception as problem:  # noqa: BLE001 - raised where the result is asked for
            self._results[number].set_exception(problem)
            return None
        if payload is None:
            self._results[number].set_result(Computed(None, 0.0))
        return payload


async def computed_together(
    payloads: tuple[Payload, ...], backend: Backend, for_all: ForAll
) -> tuple[Outcome, ...]:
    """What comes of files that are computed together; each alone where a worker died over them.

    Args:
        payloads: The files.
        backend: Whose worker computes.
        for_all: Options.
    """
    if len(payloads) > 1:
        with suppress(WorkerDied):
            return await backend.run(results_in_one_piece, payloads, for_all)
    found: list[Outcome] = []
    for payload in payloads:
        try:
            found += await run_with_retry(backend, results_in_one_piece, (payload,), for_all)
        except GenintError as problem:
            found.append(problem)
    return tuple(found)
