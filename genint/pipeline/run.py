"""One interpretation from beginning to end, on the event loop.

This is where the layers meet: files are read, genes are called, sources observe,
evidence is interpreted. Everything that computes runs in worker processes or in a
thread, never on the event loop.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Collection
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar, TypeVarTuple

from genint import settings
from genint.compute import MAX_WORKERS, Backend, open_backend, run_with_retry
from genint.errors import UsageError
from genint.model.genome import Genome
from genint.model.interpretation import InterpretationSummary, Parameters
from genint.model.online import OnlineFindings, OnlineService
from genint.pipeline.conclude import conclude
from genint.pipeline.gene_calling import Called, Payload, call, needs_finder, read
from genint.pipeline.observe import Observations, observe
from genint.pipeline.online import ask, check_timeout, chosen_services, load_client
from genint.pipeline.progress import GenomeSourceLike, Progress, ProgressCallback, ProteinSourceLike
from genint.pipeline.resources import Folders, Resources, held_open, load_resources
from genint.pipeline.rna import RnaAnswer, RnaTask, gather_rna, plan_rna, search_rna
from genint.pipeline.searches import Findings, SearchAnswer, SearchTask, gather, plan_search, search

MODES = ("offline", "local", "online")
_LONG_BP = 500_000
"""Bases from which genes are found in a worker process."""
_FEW_TASKS = 2
"""Tasks that are not worth the start of processes: one of proteins and one of RNA."""
_Result = TypeVar("_Result")
_Arguments = TypeVarTuple("_Arguments")


@dataclass(frozen=True, slots=True)
class _Run:
    """One interpretation under way.

    Attributes:
        near: A thread of this process: no start-up, no copying.
        pool: Worker processes, started when first used; the thread again where
            one worker was asked for.
    """

    near: Backend
    pool: Backend
    report: ProgressCallback
    parameters: Parameters
    equipment: Resources


async def interpret_genome_async(  # noqa: PLR0913 - options with defaults
    genome_or_path: GenomeSourceLike,
    mode: str = "offline",
    phage: bool = False,
    workers: int = 1,
    progress: ProgressCallback | None = None,
    *,
    ignore_annotations: bool = False,
    locus_tag_prefix: str | None = None,
    proteins: ProteinSourceLike | None = None,
    max_identity: float | None = None,
    cache_folder: Path | None = None,
    databases_folder: Path | None = None,
    families_folder: Path | None = None,
    online_services: Collection[OnlineService | str] | None = None,
    online_timeout_s: float | None = None,
) -> InterpretationSummary:
    """Interpret every gene of a genome.

    Args:
        genome_or_path: A genome that was read, the path of a GenBank or FASTA file, or
            a :class:`~genint.pipeline.gene_calling.Payload` (bytes and a file name).
        mode: ``offline``; ``local``, which uses installed databases and says what is not
            installed; or ``online``, which uses them too and asks services beside the search.
        phage: Recover genes nested in or overlapping others.
        workers: 1 computes in a thread of this process; 2 to 4 start that many
            processes (a script needs the ``if __name__ == "__main__"`` guard).
        progress: Called on the event loop after every finished step.
        ignore_annotations: Predict and interpret afresh, and compare with the file.
        locus_tag_prefix: Stem of the ids of predicted genes; default: record id.
        proteins: Proteins with names of your own to compare with: the path of a protein
            FASTA or GenBank file, or a :class:`~genint.pipeline.gene_calling.Payload`.
        max_identity: Leave entries of Swiss-Prot and of ``proteins`` out that are as
            identical as this or more, 0..1; for measurements.
        cache_folder: Where pressed profiles and results are kept; default: the user's
            cache.
        databases_folder: What ``genint db install`` filled; default: the user's.
        families_folder: A build of families to use instead of the one that ships, for
            measurements in which a genome must not have named its own families.
        online_services: Which services online mode asks: ``uniprot``, ``interpro``; default:
            both. Checksums and identifiers of proteins are sent to them, never residues.
        online_timeout_s: How long asking may take, 1 to 3600; default: 60 for up to 200
            proteins, else 300. What came by then is used.

    Returns:
        The summary; the same for the same input whatever ``workers`` is.

    Raises:
        FormatError: a file cannot be read.
        UsageError: an option is out of range.
        UnavailableError: no families are in the folder, or an installed database went away
            meanwhile. A service that is down is no error: the summary says so.
        WorkerDied: a worker process died three times over the same work.

    Cancelling the call stops the computing.

    Cost: lambda (48 kb) about 2 CPU s, E. coli K-12 (4.6 Mb) about 110 CPU s; 4 CPU s more
    the first time with a cache folder. Up to 400 MB in each process.
    """
    check_options(mode, workers, max_identity)
    check_timeout(mode, online_timeout_s)
    if mode == "online":
        settings.online_settings()  # what is wrong there is told before anything is computed
    parameters = Parameters(
        mode,
        phage,
        ignore_annotations,
        locus_tag_prefix,
        max_identity,
        chosen_services(mode, online_services),
        online_timeout_s,
    )
    folders = Folders(
        cache=cache_folder or settings.cache_folder(),
        databases=databases_folder or settings.databases_folder(),
        families=families_folder,
        cache_limit_bytes=settings.cache_limit_bytes(),
    )
    own = _checked_proteins(proteins)
    async with AsyncExitStack() as stack:
        near = await stack.enter_async_context(open_backend(workers=1))
        pool = near
        if workers > 1:
            pool = await stack.enter_async_context(open_backend(workers=workers))
        equipment = await run_with_retry(near, load_resources, parameters, folders, own)
        stack.enter_context(held_open(equipment))
        run = _Run(near, pool, progress or _silent, parameters, equipment)
        if not parameters.online_services:
            return await _interpret(run, genome_or_path)
        result, _ = await asyncio.gather(
            _interpret(run, genome_or_path), asyncio.to_thread(load_client)
        )
        return result


async def _interpret(run: _Run, source: GenomeSourceLike) -> InterpretationSummary:
    if isinstance(source, Genome):
        annotated = source
    else:
        where = source if isinstance(source, Payload) else Path(source)
        annotated = await _step(run, "reading", run.near, read, where)
    finder = run.pool if _is_long_work(annotated, run.parameters) else run.near
    called = await _step(run, "finding genes", finder, call, annotated, run.parameters)
    observed, online = await _find(run, called)
    work = partial(conclude, online=online)
    return await _step(run, "interpreting", run.near, work, observed, run.parameters, run.equipment)


def _is_long_work(genome: Genome, parameters: Parameters) -> bool:
    """Whether finding genes is worth the start of a process, which can be stopped at once."""
    return genome.length_bp >= _LONG_BP and needs_finder(genome, parameters)


async def _step(
    run: _Run,
    stage: str,
    backend: Backend,
    work: Callable[[*_Arguments], _Result],
    *arguments: *_Arguments,
) -> _Result:
    """Run one step and report its beginning and its end."""
    run.report(Progress(stage, 0, 1))
    result = await run_with_retry(backend, work, *arguments)
    run.report(Progress(stage, 1, 1))
    return result


async def _find(run: _Run, called: Called) -> tuple[Observations, OnlineFindings | None]:
    """Search here and ask services side by side."""
    try:
        async with asyncio.TaskGroup() as group:
            asking = group.create_task(
                ask(called, run.equipment, run.parameters, run.near, run.report)
            )
            observing = group.create_task(_observe(run, called))
    except BaseExceptionGroup as problems:
        # Callers know our own errors, not groups of them: the first one says it.
        raise problems.exceptions[0] from None
    return observing.result(), asking.result()


async def _observe(run: _Run, called: Called) -> Observations:
    """Search, and say what was found, while services may still be asked."""
    findings = await _search(run, called)
    return await run_with_retry(run.near, observe, called, findings, run.equipment)


async def _search(run: _Run, called: Called) -> Findings:
    """Search all proteins in parts, and the bases for RNA beside them.

    The order of the result is that of the proteins and of the contigs.
    """
    stage = "searching"
    run.report(Progress(stage, 0, 1))
    plan = await run_with_retry(run.near, plan_search, called, run.equipment, run.parameters)
    rna = await run_with_retry(run.near, plan_rna, called, run.equipment)
    total = len(plan.tasks) + len(rna.tasks)
    backend = run.pool if total > _FEW_TASKS else run.near
    done = 0

    def tell() -> None:
        nonlocal done
        done += 1
        run.report(Progress(stage, done, total))

    async def do(task: SearchTask) -> tuple[SearchAnswer, ...]:
        answers = await run_with_retry(backend, search, task, plan.kit)
        tell()
        return answers

    async def do_rna(task: RnaTask) -> tuple[RnaAnswer, ...]:
        answers = await run_with_retry(backend, search_rna, task, rna.kit)
        tell()
        return answers

    try:
        async with asyncio.TaskGroup() as group:
            doing_rna = [group.create_task(do_rna(task)) for task in rna.tasks]
            doing = [group.create_task(do(task)) for task in plan.tasks]
    except BaseExceptionGroup as problems:
        raise problems.exceptions[0] from None
    if not total:
        run.report(Progress(stage, 1, 1))
    answers = [answer for task in doing for answer in task.result()]
    findings = await run_with_retry(run.near, gather, called, plan, answers)
    answers_rna = [answer for task in doing_rna for answer in task.result()]
    found_rna = await run_with_retry(run.near, gather_rna, rna, answers_rna)
    return findings._replace(rna=found_rna)


def check_options(mode: str, workers: int, max_identity: float | None = None) -> None:
    """Refuse options that are out of range.

    Raises:
        UsageError: one is.
    """
    if mode not in MODES:
        raise UsageError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
    if not 1 <= workers <= MAX_WORKERS:
        raise UsageError(f"workers must be 1 to {MAX_WORKERS}, not {workers}")
    if max_identity is not None and not _is_share(max_identity):
        raise UsageError(f"max_identity must be above 0 and at most 1, not {max_identity!r}")


def _is_share(value: object) -> bool:
    """A number above 0 and up to 1; callers without a type checker hand in anything."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1


def _checked_proteins(proteins: ProteinSourceLike | None) -> Payload | Path | None:
    match proteins:
        case None | Payload():
            return proteins
        case str() | os.PathLike():
            return Path(proteins)
    raise UsageError(f"proteins must be a path or a Payload, not {type(proteins).__name__}")


def _silent(progress: Progress) -> None:
    """The progress callback of a caller who did not ask for one."""
