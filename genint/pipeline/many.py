"""Many genomes at a time: each is interpreted as a whole by one worker."""

from __future__ import annotations

import asyncio
import datetime
import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Iterable, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from genint.compute import MAX_WORKERS, Backend, open_backend, run_with_retry
from genint.errors import GenintError, UsageError, WorkCancelled
from genint.knowledge.catalogue import databases
from genint.model.genome import Genome
from genint.model.interpretation import InterpretationSummary, Parameters, chosen_services
from genint.model.online import OnlineService
from genint.pipeline.gene_calling import Payload, as_payload
from genint.pipeline.library import (
    GenomeSourceLike,
    ProteinSourceLike,
    interpret_in_memory,
    user_folders,
)
from genint.pipeline.resources import Folders
from genint.version import __version__

_AHEAD = 2
"""Genomes for each place of a cluster: the next one is there when a worker is free."""
_LOOK_S = 0.2
"""How often a run on a worker looks whether it was cancelled."""
_DECIDING = ("biopython", "gb-io", "numpy", "pyhmmer", "pyopal", "pyrodigal", "pyrodigal-gv")
"""Packages whose versions results may depend on."""


class Interpreted(NamedTuple):
    """What became of one genome.

    Attributes:
        number: Its place among those that were given, from 0.
        source: As it was given.
        summary: Its interpretation; None where there is a problem.
        problem: Why there is none: the input cannot be read, or a worker died three times over it.
    """

    number: int
    source: GenomeSourceLike
    summary: InterpretationSummary | None
    problem: GenintError | None = None


async def interpret_many_async(  # noqa: PLR0913 - options with defaults
    sources: Iterable[GenomeSourceLike],
    mode: str = "offline",
    phage: bool = False,
    *,
    concurrency: int | None = None,
    cluster: str | None = None,
    ignore_annotations: bool = False,
    proteins: ProteinSourceLike | None = None,
    max_identity: float | None = None,
    cache_folder: Path | None = None,
    databases_folder: Path | None = None,
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
            most 4), or any number on a cluster (default: two for each of its threads).
        cluster: Address of the scheduler of a Dask cluster, as ``tcp://host:8786``. Genomes are
            sent to its workers; databases, caches and their folders are the workers' own, at the
            paths that are given here or of their settings.
        ignore_annotations: Predict and interpret afresh, and compare with the file.
        proteins: Proteins with names of your own to compare with.
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
    own = None if proteins is None else as_payload(_path_or_payload(proteins))
    folders = _Folders(cache_folder, databases_folder)
    async with open_workers(concurrency, cluster) as workers:
        found = interpret_on(workers, sources, parameters, folders, own)
        async with aclosing(found):
            async for one in found:
                yield one


class Workers(NamedTuple):
    """What interprets genomes, and how many at a time."""

    backend: Backend
    concurrency: int


class _Folders(NamedTuple):
    """What was chosen; the rest is of the settings of the machine that computes."""

    cache: Path | None
    databases: Path | None

    def resolve(self) -> Folders:
        return user_folders(self.cache, self.databases)


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
    from genint.compute.cluster import open_cluster  # noqa: PLC0415 - an extra

    if concurrency is not None and concurrency < 1:
        raise UsageError(f"concurrency must be 1 at least, not {concurrency}")
    async with open_cluster(cluster, what_decides_results) as on_cluster:
        places = max(1, await on_cluster.places())
        yield Workers(on_cluster, concurrency or _AHEAD * places)


def what_decides_results() -> Mapping[str, str]:
    """Versions of programs and of what ships; workers of a cluster have to have the same."""
    shipped = {item.name: f"{item.version} {item.sha256[:12]}" for item in databases()}
    return {"genint": __version__, **{name: version(name) for name in _DECIDING}, **shipped}


async def interpret_on(
    workers: Workers,
    sources: Iterable[GenomeSourceLike],
    parameters: Parameters,
    folders: _Folders,
    proteins: Payload | None,
) -> AsyncGenerator[Interpreted, None]:
    """See :func:`interpret_many_async`."""

    async def interpret(number: int, source: GenomeSourceLike) -> Interpreted:
        try:
            whole = await _whole(source)
            summary = await run_with_retry(
                workers.backend, _in_one_piece, whole, parameters, folders, proteins
            )
        except GenintError as problem:
            return Interpreted(number, source, None, problem)
        return Interpreted(number, source, summary)

    under_way: set[asyncio.Task[Interpreted]] = set()
    coming = enumerate(sources)
    try:
        while True:
            while len(under_way) < workers.concurrency:
                if (given := await asyncio.to_thread(next, coming, None)) is None:
                    break
                under_way.add(asyncio.create_task(interpret(*given)))
            if not under_way:
                return
            done, under_way = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            while done:
                yield done.pop().result()
    finally:
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)


async def _whole(source: GenomeSourceLike) -> Genome | Payload:
    """What can be sent to another machine: a file's bytes, not its path."""
    if isinstance(source, Genome | Payload):
        return source
    return await asyncio.to_thread(as_payload, _path_or_payload(source))


def _path_or_payload(source: ProteinSourceLike) -> Payload | Path:
    return source if isinstance(source, Payload) else Path(source)


def _in_one_piece(
    source: Genome | Payload,
    parameters: Parameters,
    folders: _Folders,
    proteins: Payload | None,
    *,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> InterpretationSummary:
    """On a worker: interpret one genome, with an event loop and a thread of its own."""
    return asyncio.run(_until_cancelled(source, parameters, folders, proteins, is_cancelled))


async def _until_cancelled(
    source: Genome | Payload,
    parameters: Parameters,
    folders: _Folders,
    proteins: Payload | None,
    is_cancelled: Callable[[], bool],
) -> InterpretationSummary:
    work = interpret_in_memory(source, parameters, folders.resolve(), proteins=proteins)
    run = asyncio.create_task(work)
    while not run.done():
        await asyncio.wait([run], timeout=_LOOK_S)
        if is_cancelled():
            run.cancel()
    with suppress(asyncio.CancelledError):
        return await run
    raise WorkCancelled("the work was cancelled")
