"""Many genomes at a time: each is interpreted as a whole by one worker."""

from __future__ import annotations

import asyncio
import datetime
import os
import threading
import time
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Callable,
    Collection,
    Iterable,
    Iterator,
    Sequence,
)
from concurrent.futures import Future
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, NamedTuple, Self

from genint.compute import MAX_WORKERS, Backend, open_backend, run_with_retry
from genint.compute.backend import Result
from genint.errors import GenintError, UnavailableError, UsageError, WorkCancelled
from genint.model.genome import Genome
from genint.model.interpretation import InterpretationSummary, Parameters, chosen_services
from genint.model.online import OnlineService
from genint.pipeline.gene_calling import Payload, as_payload
from genint.pipeline.library import (
    FolderLike,
    GenomeSourceLike,
    ProteinSourceLike,
    as_result,
    interpret_in_memory,
    open_cluster_at,
    user_folders,
)
from genint.report.result import GenintResult

if TYPE_CHECKING:
    from genint.compute.cluster import Cluster

_AHEAD = 2
"""Genomes for each place of a cluster: the next one is there when a worker is free."""
_COUNT_S = 2.0
"""How often the places of a cluster are counted again."""
_LOOK_S = 0.2
"""How often a run on a worker looks whether it was cancelled."""


class Interpreted(NamedTuple):
    """What became of one genome of several.

    Attributes:
        number: Its place among those that were given, from 0.
        source: As it was given.
        summary: Its interpretation; None where there is a problem.
        problem: Why there is none: the input cannot be read, or a worker died three times over it.
        seconds: From when it was read until it ended.
    """

    number: int
    source: GenomeSourceLike
    summary: InterpretationSummary | None
    problem: GenintError | None = None
    seconds: float = 0.0


async def interpret_many_async(  # noqa: PLR0913 - options with defaults
    sources: Iterable[GenomeSourceLike],
    mode: str = "offline",
    phage: bool = False,
    *,
    concurrency: int | None = None,
    cluster: str | None = None,
    ignore_annotations: bool = False,
    proteins: ProteinSourceLike | None = None,
    markers: Sequence[ProteinSourceLike] = (),
    max_identity: float | None = None,
    cache_folder: FolderLike | None = None,
    databases_folder: FolderLike | None = None,
    online_services: Collection[OnlineService | str] | None = None,
    online_timeout_s: float | None = None,
    date: datetime.date | None = None,
) -> AsyncGenerator[Interpreted, None]:
    """Interpret genomes and yield each as it ends, so in any order.

    Args:
        sources: Paths, genomes or :class:`~genint.pipeline.gene_calling.Payload`; taken one by
            one as there is room, so it may be a generator that makes them.
        mode: See :func:`~genint.pipeline.library.interpret_genome_async`, as for all below.
        phage: Recover genes nested in or overlapping others.
        concurrency: Genomes at a time: 1 to 4 processes of this machine (default: its cores, at
            most 4), or any number on a cluster (default: two for each thread that it has).
        cluster: Address of the scheduler of a Dask cluster, as ``tcp://host:8786``. Genomes are
            sent to its workers; databases, caches and their folders are the workers' own, at the
            paths that are given here or of their settings.
        ignore_annotations: Predict and interpret afresh, and compare with the file.
        proteins: Proteins with names of your own to compare with.
        markers: Files of marker proteins.
        max_identity: Leave entries out that are as identical as this or more.
        cache_folder: Where indexed profiles and results are kept.
        databases_folder: What ``genint db install`` filled.
        online_services: Which services online mode queries.
        online_timeout_s: How long querying may take for each genome.
        date: Of the run.

    Yields:
        What became of each genome. No more than ``concurrency`` are read, under way or waiting
        to be taken at any time: whoever takes them slowly slows the work, and memory stays level.

    Raises:
        UsageError: an option is out of range.
        UnavailableError: no cluster answers, or it would give other results.

    Leaving the loop early needs :func:`contextlib.aclosing`, as for any asynchronous generator;
    closing stops what is under way.
    """
    parameters = Parameters(
        mode,
        phage,
        ignore_annotations,
        max_identity=max_identity,
        online_services=chosen_services(mode, online_services),
        online_timeout_s=online_timeout_s,
        date=date,
    )
    for_all = ForAll(
        parameters,
        None if proteins is None else as_payload(_path_or_payload(proteins)),
        markers=tuple(as_payload(_path_or_payload(one)) for one in markers),
        cache=cache_folder,
        databases=databases_folder,
    )
    async with open_workers(concurrency, cluster) as workers:
        found = interpret_on(workers, sources, for_all, in_one_piece)
        async with aclosing(found):
            async for one in found:
                yield Interpreted(*one)


class Workers:
    """What interprets genomes, and how many at a time.

    Args:
        backend: Where.
        concurrency: How many to begin with.
        counted: Whose places decide how many: those of a cluster come and go.
    """

    def __init__(self, backend: Backend, concurrency: int, counted: Cluster | None = None) -> None:
        self.backend = backend
        self.count_again_s = None if counted is None else _COUNT_S
        self._concurrency = concurrency
        self._counted = counted
        self._when = time.monotonic()

    async def room(self) -> int:
        """How many genomes at a time, as of the last seconds."""
        if self._counted is not None and time.monotonic() - self._when >= _COUNT_S:
            with suppress(UnavailableError):  # said of each genome that needs it
                self._concurrency = _AHEAD * max(1, await self._counted.places())
            self._when = time.monotonic()
        return self._concurrency


@dataclass(frozen=True, slots=True)
class ForAll:
    """What is the same for all genomes; can be sent to another machine.

    Attributes:
        parameters: Options.
        proteins: The user's own.
        evidence: Results of other programs, and peptides.
        markers: Files of marker proteins.
        cache: A chosen folder; None: that of the settings of the machine that computes.
        databases: Likewise.
    """

    parameters: Parameters
    proteins: Payload | None = None
    evidence: tuple[Payload, ...] = ()
    markers: tuple[Payload, ...] = ()
    cache: FolderLike | None = None
    databases: FolderLike | None = None


@asynccontextmanager
async def open_workers(concurrency: int | None, cluster: str | None) -> AsyncIterator[Workers]:
    """Processes of this machine or workers of a cluster, for an ``async with`` block.

    Raises:
        UsageError: ``concurrency`` is out of range.
        UnavailableError: no cluster answers, or it would give other results.
    """
    if cluster is None:
        cores = min(MAX_WORKERS, os.cpu_count() or 1)
        count = cores if concurrency is None else concurrency
        if not 1 <= count <= MAX_WORKERS:
            raise UsageError(f"concurrency must be 1 to {MAX_WORKERS} here, not {concurrency}")
        async with open_backend(workers=count) as backend:
            yield Workers(backend, count)
        return
    if concurrency is not None and concurrency < 1:
        raise UsageError(f"concurrency must be 1 at least, not {concurrency}")
    async with open_cluster_at(cluster) as on_cluster:
        if concurrency is not None:
            yield Workers(on_cluster.share(), concurrency)
            return
        places = max(1, await on_cluster.places())
        yield Workers(on_cluster.share(), _AHEAD * places, on_cluster)


class Ended(NamedTuple, Generic[Result]):
    """What became of one genome of several, whatever a worker made of it; see Interpreted."""

    number: int
    source: GenomeSourceLike
    result: Result | None
    problem: GenintError | None = None
    seconds: float = 0.0


async def interpret_on(
    workers: Workers,
    sources: Iterable[GenomeSourceLike],
    for_all: ForAll,
    work: Callable[[Genome | Payload, ForAll], Result],
) -> AsyncGenerator[Ended[Result], None]:
    """Do the work of each genome, as :func:`interpret_many_async` says.

    Args:
        workers: Where.
        sources: Taken as there is room, in a thread.
        for_all: Options.
        work: :func:`in_one_piece` or :func:`result_in_one_piece`.
    """

    async def do(number: int, source: GenomeSourceLike) -> Ended[Result]:
        began = time.monotonic()
        try:
            whole = await _whole(source)
            result = await run_with_retry(workers.backend, work, whole, for_all)
        except GenintError as problem:
            return Ended(number, source, None, problem, time.monotonic() - began)
        return Ended(number, source, result, None, time.monotonic() - began)

    under_way: set[asyncio.Task[Ended[Result]]] = set()
    coming = enumerate(sources)
    asked: asyncio.Task[tuple[int, GenomeSourceLike] | None] | None = None
    is_over = False
    try:
        while True:
            # The next source may take its time: what ends meanwhile goes on.
            if asked is None and not is_over and len(under_way) < await workers.room():
                asked = asyncio.create_task(asyncio.to_thread(next, coming, None))
            awaited = under_way if asked is None else {*under_way, asked}
            if not awaited:
                return
            ended, _ = await asyncio.wait(
                awaited, timeout=workers.count_again_s, return_when=asyncio.FIRST_COMPLETED
            )
            if asked is not None and asked in ended:
                given, asked = asked.result(), None
                if given is None:
                    is_over = True
                else:
                    under_way.add(asyncio.create_task(do(*given)))
            for task in [one for one in under_way if one in ended]:
                under_way.remove(task)
                yield task.result()
    finally:
        left = [*under_way, *([asked] if asked is not None else [])]
        for one in left:
            one.cancel()
        await asyncio.gather(*left, return_exceptions=True)


async def _whole(source: GenomeSourceLike) -> Genome | Payload:
    """What can be sent to another machine: a file's bytes, not its path."""
    if isinstance(source, Genome | Payload):
        return source
    return await asyncio.to_thread(as_payload, _path_or_payload(source))


def _path_or_payload(source: ProteinSourceLike) -> Payload | Path:
    return source if isinstance(source, Payload) else Path(source)


def in_one_piece(
    source: Genome | Payload, for_all: ForAll, *, is_cancelled: Callable[[], bool] = lambda: False
) -> InterpretationSummary:
    """On a worker: interpret one genome, with an event loop and a thread of its own."""
    return asyncio.run(_until_cancelled(source, for_all, is_cancelled))


def result_in_one_piece(
    source: Genome | Payload, for_all: ForAll, *, is_cancelled: Callable[[], bool] = lambda: False
) -> GenintResult:
    """The same, as the result of which reports are made."""
    return as_result(in_one_piece(source, for_all, is_cancelled=is_cancelled))


async def _until_cancelled(
    source: Genome | Payload, for_all: ForAll, is_cancelled: Callable[[], bool]
) -> InterpretationSummary:
    work = interpret_in_memory(
        source,
        for_all.parameters,
        user_folders(for_all.cache, for_all.databases),
        proteins=for_all.proteins,
        evidence=for_all.evidence,
        markers=for_all.markers,
        is_one_of_many=True,
    )
    run = asyncio.create_task(work)
    while not run.done():
        await asyncio.wait([run], timeout=_LOOK_S)
        if is_cancelled():
            run.cancel()
    with suppress(asyncio.CancelledError):
        return await run
    raise WorkCancelled("the work was cancelled")


class Computed(NamedTuple):
    """A result that was computed ahead; None where there was nothing to compute."""

    result: GenintResult | None
    seconds: float


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
            self._room.release()

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
            numbers: list[int] = []
            found = interpret_on(workers, self._read(numbers), self._for_all, result_in_one_piece)
            async with self._room_for(workers), aclosing(found):
                async for one in found:
                    future = self._results[numbers[one.number]]
                    if one.problem is None:
                        future.set_result(Computed(one.result, one.seconds))
                    else:
                        future.set_exception(one.problem)

    @asynccontextmanager
    async def _room_for(self, workers: Workers) -> AsyncIterator[None]:
        """Let genomes be read ahead during the block: more of them where workers join."""

        async def make_room() -> None:
            made = 0
            while True:
                while made < _AHEAD * await workers.room():
                    self._room.release()
                    made += 1
                await asyncio.sleep(_COUNT_S)

        making = asyncio.create_task(make_room())
        try:
            yield
        finally:
            making.cancel()

    def _read(self, numbers: list[int]) -> Iterator[Payload]:
        """What is to be computed, as there is room; notes the numbers of these genomes."""
        for number, source in enumerate(self._sources):
            self._room.acquire()
            if self._left.is_set():
                return
            try:
                payload = source()
            except Exception as problem:  # noqa: BLE001 - raised where the result is asked for
                self._results[number].set_exception(problem)
                continue
            if payload is None:
                self._results[number].set_result(Computed(None, 0.0))
                continue
            numbers.append(number)
            yield payload
