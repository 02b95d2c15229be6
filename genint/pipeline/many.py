"""Many genomes at a time: each is interpreted as a whole by one worker, small ones together."""

from __future__ import annotations

import asyncio
import datetime
import os
import time
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Coroutine,
    Iterable,
    Sequence,
)
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

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
from genint.pipeline.shared_search import SharedSearch
from genint.report.result import GenintResult

if TYPE_CHECKING:
    from genint.compute.cluster import Cluster

Given = TypeVar("Given")
AHEAD = 2
"""Pieces of work for each place: the next one is there when a worker is free."""
COUNT_S = 2.0
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

        async def interpret(source: GenomeSourceLike) -> InterpretationSummary:
            whole = await _whole(source)
            return await run_with_retry(workers.backend, in_one_piece, whole, for_all)

        async with aclosing(each_ended(workers, sources, interpret)) as found:
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
        self.count_again_s = None if counted is None else COUNT_S
        self._concurrency = concurrency
        self._counted = counted
        self._when = time.monotonic()

    async def room(self) -> int:
        """How many genomes at a time, as of the last seconds."""
        if self._counted is not None and time.monotonic() - self._when >= COUNT_S:
            with suppress(UnavailableError):  # said of each genome that needs it
                self._concurrency = AHEAD * max(1, await self._counted.places())
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
        yield Workers(on_cluster.share(), AHEAD * places, on_cluster)


class Ended(NamedTuple, Generic[Given, Result]):
    """What became of one piece of work of several, whatever is made of it; see Interpreted."""

    number: int
    source: Given
    result: Result | None
    problem: GenintError | None = None
    seconds: float = 0.0


async def each_ended(
    workers: Workers, sources: Iterable[Given], work: Callable[[Given], Awaitable[Result]]
) -> AsyncGenerator[Ended[Given, Result], None]:
    """Do the work of each source, as :func:`interpret_many_async` says.

    Args:
        workers: How many at a time.
        sources: Taken as there is room, in a thread.
        work: What to await of each.
    """

    async def do(number: int, source: Given) -> Ended[Given, Result]:
        began = time.monotonic()
        try:
            result = await work(source)
        except GenintError as problem:
            return Ended(number, source, None, problem, time.monotonic() - began)
        return Ended(number, source, result, None, time.monotonic() - began)

    under_way: set[asyncio.Task[Ended[Given, Result]]] = set()
    coming = enumerate(sources)
    asked: asyncio.Task[tuple[int, Given] | None] | None = None
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

    async def interpret() -> InterpretationSummary:
        async with open_backend(workers=1) as thread:
            return await _interpreted(source, for_all, SharedSearch(thread, 1))

    return asyncio.run(_until_cancelled(interpret(), is_cancelled))


Outcome = GenintResult | GenintError
"""What reports are made of, or why there is none."""


def results_in_one_piece(
    sources: Sequence[Genome | Payload],
    for_all: ForAll,
    *,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> tuple[Outcome, ...]:
    """On a worker: interpret genomes side by side, and search the proteins of all together.

    Memory grows with all of them.
    """

    async def interpret() -> tuple[Outcome, ...]:
        async with open_backend(workers=1) as thread:
            together = SharedSearch(thread, len(sources))

            async def one(source: Genome | Payload) -> Outcome:
                try:
                    summary = await _interpreted(source, for_all, together)
                    return await thread.run(as_result, summary)
                except GenintError as problem:
                    return problem
                finally:
                    await together.end()

            return tuple(await asyncio.gather(*map(one, sources)))

    return asyncio.run(_until_cancelled(interpret(), is_cancelled))


async def _interpreted(
    source: Genome | Payload, for_all: ForAll, together: SharedSearch
) -> InterpretationSummary:
    return await interpret_in_memory(
        source,
        for_all.parameters,
        user_folders(for_all.cache, for_all.databases),
        proteins=for_all.proteins,
        evidence=for_all.evidence,
        markers=for_all.markers,
        together=together,
    )


async def _until_cancelled(
    work: Coroutine[object, object, Result], is_cancelled: Callable[[], bool]
) -> Result:
    run = asyncio.create_task(work)
    while not run.done():
        await asyncio.wait([run], timeout=_LOOK_S)
        if is_cancelled():
            run.cancel()
    with suppress(asyncio.CancelledError):
        return await run
    raise WorkCancelled("the work was cancelled")
