"""One interpretation from beginning to end, on the event loop: the order of the steps.

The same for the library, the command line and the service. Everything that computes runs
where the workspace says: in worker processes or a thread, never on the event loop.
"""

from __future__ import annotations

from asyncio import TaskGroup
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from genint.model.genome import Genome
from genint.model.imported import ReadPeptide
from genint.model.interpretation import InterpretationSummary, Parameters
from genint.model.online import OnlineFindings
from genint.pipeline.conclude import conclude
from genint.pipeline.evidence import Observations, observe
from genint.pipeline.gene_calling import (
    Called,
    call_or_split,
    call_part,
    join_calls,
    needs_finder,
)
from genint.pipeline.online import query
from genint.pipeline.resources import Resources
from genint.pipeline.searches import (
    Findings,
    gather_parts,
    plan_parts,
    search_part,
)
from genint.pipeline.workspace import Handle, Workspace

if TYPE_CHECKING:
    from genint.online.client import PoliteClient
    from genint.pipeline.shared_search import SharedSearch

Part = TypeVar("Part")
Answer = TypeVar("Answer")
READING: Final = "reading"
FINDING_GENES: Final = "finding genes"
SEARCHING: Final = "searching"
QUERYING: Final = "querying UniProt and InterPro"
INTERPRETING: Final = "interpreting"

_LONG_BP = 500_000
"""Bases from which genes are found in a worker process."""
_FEW_PARTS = 2
"""Parts for which no processes are started: one of proteins and one of RNA."""


class Progress(NamedTuple):
    """How far a run is: ``done`` of ``total`` steps of ``stage``.

    Attributes:
        is_waiting: Nothing computes for the run until its next report: it waits for services.
    """

    stage: str
    done: int
    total: int
    is_waiting: bool = False


ProgressCallback = Callable[[Progress], None]


async def run_pipeline(  # noqa: PLR0913 - two of them by keyword
    source: Genome | Callable[[], Genome],
    parameters: Parameters,
    resources: Resources,
    workspace: Workspace,
    *,
    progress: ProgressCallback | None = None,
    client: PoliteClient | None = None,
    together: SharedSearch | None = None,
) -> Handle[InterpretationSummary]:
    """Interpret every gene of a genome.

    Args:
        source: A genome, or what reads it; the latter can be pickled.
        parameters: Options.
        resources: What to search with; held open by the caller.
        workspace: Where steps run and their results live.
        progress: Called on the event loop after every finished step.
        client: Queries online services; None: a run in online mode opens one of its own.
        together: Searches for this run and for others; None: it searches alone.

    Returns:
        The summary; the same for the same input, whatever the workspace.

    Raises:
        Exception: the first error of any step; see :meth:`genint.compute.Backend.run`.
            Services that are down are none: the summary says so.
    """
    run = _Run(parameters, resources, workspace, progress or _silent, client, together)
    return await run.interpret(source)


@dataclass(frozen=True, slots=True)
class _Run:
    """One interpretation under way."""

    parameters: Parameters
    resources: Resources
    workspace: Workspace
    report: ProgressCallback
    client: PoliteClient | None
    together: SharedSearch | None

    async def interpret(
        self, source: Genome | Callable[[], Genome]
    ) -> Handle[InterpretationSummary]:
        workspace, parameters = self.workspace, self.parameters
        annotated = await self._read(source)
        called = await self._call(annotated)
        async with _first_error() as group:
            querying = group.create_task(self._query(called))
            observed = await self._observe(called)
            if not querying.done():
                self.report(Progress(QUERYING, 0, 1, is_waiting=True))
        online = querying.result()
        with self._stage(INTERPRETING):
            return await workspace.derive(conclude, observed, parameters, self.resources, online)

    async def _read(self, source: Genome | Callable[[], Genome]) -> Handle[Genome]:
        if isinstance(source, Genome):
            return self.workspace.keep(source)
        with self._stage(READING):
            return await self.workspace.derive(source)

    async def _call(self, annotated: Handle[Genome]) -> Handle[Called]:
        """Find genes: of many contigs in parts, side by side."""
        workspace, parameters = self.workspace, self.parameters
        self.report(Progress(FINDING_GENES, 0, 1))
        called, parts = await workspace.run_split(
            call_or_split,
            annotated,
            parameters,
            self.resources.imported.all_peptides,
            is_long=_is_long_call,
        )
        answers = await self._in_parts(FINDING_GENES, call_part, parts, is_long=bool(parts))
        if not parts:
            return called
        return await workspace.run(join_calls, called, *answers)

    async def _in_parts(
        self,
        stage: str,
        step: Callable[[Part], Answer],
        parts: Sequence[Handle[Part]],
        *,
        is_long: bool,
    ) -> list[Handle[Answer]]:
        """Run a step for each part of the work, side by side."""
        done = 0

        async def run(part: Handle[Part]) -> Handle[Answer]:
            nonlocal done
            answer = await self.workspace.run(step, part, is_long=lambda _: is_long)
            done += 1
            self.report(Progress(stage, done, len(parts)))
            return answer

        async with _first_error() as group:
            running = [group.create_task(run(part)) for part in parts]
        if not parts:
            self.report(Progress(stage, 1, 1))
        return [task.result() for task in running]

    async def _query(self, called: Handle[Called]) -> Handle[OnlineFindings] | None:
        if not self.parameters.online_services:
            return None
        with self._stage(QUERYING):
            return await query(called, self.parameters, self.resources, self.workspace, self.client)

    async def _observe(self, called: Handle[Called]) -> Handle[Observations]:
        """Search and read what was found, while services may still be queried."""
        findings = await self._search(called)
        return await self.workspace.derive(observe, called, findings, self.resources)

    async def _search(self, called: Handle[Called]) -> Handle[Findings]:
        """Search all proteins, and the bases for RNA, in parts."""
        workspace = self.workspace
        self.report(Progress(SEARCHING, 0, 1))
        plan, parts = await workspace.run_split(plan_parts, called, self.resources, self.parameters)
        if self.together is not None:
            found = await self.together.search([part.load() for part in parts])
            self.report(Progress(SEARCHING, 1, 1))
            return await workspace.derive(gather_parts, called, plan, *found)
        is_long = len(parts) > _FEW_PARTS
        answers = await self._in_parts(SEARCHING, search_part, parts, is_long=is_long)
        return await workspace.derive(gather_parts, called, plan, *answers)

    @contextmanager
    def _stage(self, stage: str) -> Iterator[None]:
        """Report the beginning and the end of a stage."""
        self.report(Progress(stage, 0, 1))
        yield
        self.report(Progress(stage, 1, 1))


def _is_long_call(genome: Genome, parameters: Parameters, _: Sequence[ReadPeptide]) -> bool:
    """Whether finding genes takes long enough to start a process, which can be stopped at once."""
    return genome.length_bp >= _LONG_BP and needs_finder(genome, parameters)


@asynccontextmanager
async def _first_error() -> AsyncIterator[TaskGroup]:
    """A group of tasks whose first error ends the others and is raised itself.

    Callers know our own errors, not groups of them.
    """
    try:
        async with TaskGroup() as group:
            yield group
    except BaseExceptionGroup as problems:
        raise problems.exceptions[0] from None


def _silent(progress: Progress) -> None:
    """The progress callback of a caller who wants none."""
