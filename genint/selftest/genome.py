"""Whether the built-in genome is interpreted as it has to be."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from genint.compute import Backend, ProcessBackend
from genint.model.interpretation import GeneResult, InterpretationSummary, Parameters
from genint.selftest.answers import GENOME, KnownGene, known_genes, read_made
from genint.selftest.check import CURE_INSTALLATION, Finding, Places
from genint.steps.calling import call
from genint.steps.concluding import conclude
from genint.steps.equipment import Equipment, Folders, equip
from genint.steps.gathering import gather
from genint.steps.observing import observe
from genint.steps.reading import Payload, read
from genint.steps.rendering import render_report
from genint.steps.searching import Task, plan_search, search

_POOL = 2
"""Processes that share the work in the check of the pool."""


@dataclass(frozen=True, slots=True)
class GenomeAlone:
    """The built-in genome in offline mode, one worker: genes, names and levels."""

    name: str = "built-in genome"
    cure: str = CURE_INSTALLATION

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        summary = await interpret_built_in(near, offline(places.cache_folder))
        known = known_genes()
        if wrong := differences(summary, known):
            return Finding.failed("; ".join(wrong))
        return Finding.ok(f"{len(known)} genes, all with the names and levels that they must have")


@dataclass(frozen=True, slots=True)
class GenomeInPool:
    """The same shared among processes: every byte of the result is equal."""

    name: str = "built-in genome, 2 workers"
    cure: str = "mend what failed above; if nothing did, run with --workers 1 and report this"

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        equipment = offline(places.cache_folder)
        pool = ProcessBackend(_POOL)
        try:
            async with asyncio.TaskGroup() as group:
                alone = group.create_task(interpret_built_in(near, equipment))
                shared = group.create_task(interpret_built_in(near, equipment, pool=pool))
        finally:
            await pool.close()
        texts = [await near.run(_as_json, task.result()) for task in (alone, shared)]
        if texts[0] != texts[1]:
            return Finding.failed("two workers give another result than one")
        return Finding.ok(f"two workers give the same {len(texts[0]):,} bytes as one")


def _as_json(summary: InterpretationSummary) -> bytes:
    return render_report(summary, "json").encode()


def offline(cache_folder: Path) -> Equipment:
    """What ships, and no cache of results: everything is to be computed."""
    return equip(Parameters("offline"), Folders(cache_folder, cache_limit_bytes=0))


async def interpret_built_in(
    near: Backend,
    equipment: Equipment,
    mode: str = "offline",
    *,
    pool: ProcessBackend | None = None,
    most_bundles: int | None = None,
) -> InterpretationSummary:
    """Interpret the built-in genome, step by step.

    Args:
        near: Computes.
        equipment: What is searched.
        mode: Of the run.
        pool: Searches, half of the proteins in each of two processes; None: ``near`` does.
        most_bundles: How many bundles of searches to make (see
            :class:`genint.steps.SearchKit`); None for all.

    Raises:
        GenintError: as an interpretation does.

    Cost: 1.5 CPU s, the first time with a cache folder 5 s.
    """
    parameters = Parameters(mode)
    annotated = await near.run(read, Payload(read_made(GENOME), GENOME))
    called = await near.run(call, annotated, parameters)
    plan = await near.run(plan_search, called, equipment, parameters)
    chosen = [task for task in plan.tasks if most_bundles is None or task.bundle < most_bundles]
    parts = chosen if pool is None else _divided(chosen, _POOL)
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task((pool or near).run(search, task, plan.kit)) for task in parts]
    answers = [answer for task in tasks for answer in task.result()]
    findings = gather(called, plan, answers)
    observed = await near.run(observe, called, findings, equipment)
    return await near.run(conclude, observed, parameters, equipment)


def _divided(tasks: Iterable[Task], parts: int) -> Sequence[Task]:
    """Each task as several, with every second, third, ... of its proteins each."""
    return [
        Task(task.bundle, proteins)
        for task in tasks
        for part in range(parts)
        if (proteins := task.proteins[part::parts])
    ]


def differences(summary: InterpretationSummary, known: Iterable[KnownGene]) -> tuple[str, ...]:
    """What is not as it has to be, gene by gene, in words."""
    found = {_place(result): result for result in summary.results}
    wrong: list[str] = []
    for gene in known:
        result = found.pop((gene.first, gene.last, gene.strand.symbol), None)
        if result is None:
            wrong.append(f"{gene.words} was not found")
        elif name_of(result) != gene.name:
            wrong.append(f"{gene.words} was called {name_of(result) or 'nothing'}")
        elif result.confidence_level is not gene.level:
            level = result.confidence_level.value
            wrong.append(f"{gene.words} is {level}, not {gene.level.value}")
    wrong += [f"a gene at {first}..{last} ({strand}) is too many" for first, last, strand in found]
    return tuple(wrong)


def name_of(result: GeneResult) -> str:
    """The name of the leading hypothesis; empty for dark genes."""
    if result.interpretation is None:
        return ""
    return result.interpretation.hypotheses[0].subject


def _place(result: GeneResult) -> tuple[int, int, str]:
    """1-based first and last base, and strand."""
    span = result.gene.location.span
    return span.start + 1, span.end, result.gene.location.strand.symbol
