"""Searches of several genomes made together.

Reading the families costs the same for few proteins as for many, and is much of what the search of
a phage costs. Small genomes that one worker interprets side by side wait for one another, and
their proteins are searched at once. An answer depends on its protein alone, so results are those
of one genome at a time.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from genint.compute import Backend, balanced_chunks, run_with_retry
from genint.pipeline.resources import Folders
from genint.pipeline.searches import (
    MOST_RESIDUES,
    PartAnswers,
    Search,
    SearchAnswer,
    SearchPart,
    SearchTask,
    search,
    search_part,
)


class SharedSearch:
    """What the runs of some genomes search, once each of them waits for it.

    Args:
        thread: Where all of them compute; open until the last has ended.
        runs: How many there are. Each searches once at most, and ends.
    """

    def __init__(self, thread: Backend, runs: int) -> None:
        self.thread = thread
        self._under_way = runs
        self._waiting: list[tuple[tuple[SearchPart, ...], asyncio.Future[_OfRun]]] = []

    async def search(self, parts: Sequence[SearchPart]) -> tuple[PartAnswers, ...]:
        """The answers of all parts of a run, in their order, once every other run waits or ended.

        Raises:
            Exception: the first error of the searches of any run; see
                :func:`genint.pipeline.searches.search_part`.
        """
        future: asyncio.Future[_OfRun] = asyncio.get_running_loop().create_future()
        self._waiting.append((tuple(parts), future))
        await self._search_if_all_wait()
        return await future

    async def end(self) -> None:
        """Say that a run has ended, well or not: the others wait for it no longer."""
        self._under_way -= 1
        await self._search_if_all_wait()

    async def _search_if_all_wait(self) -> None:
        if not self._waiting or len(self._waiting) < self._under_way:
            return
        waiting, self._waiting = self._waiting, []
        try:
            of_runs = tuple(parts for parts, _ in waiting)
            found = await run_with_retry(self.thread, search_together, of_runs)
        except Exception as problem:  # noqa: BLE001 - raised where each run waits
            for _, future in waiting:
                future.set_exception(problem)
            return
        for (_, future), answers in zip(waiting, found, strict=True):
            future.set_result(answers)


_OfRun = tuple[PartAnswers, ...]


class _Place(NamedTuple):
    """A part: number of its run, and its own there."""

    run: int
    part: int


class _Alike(NamedTuple):
    """What tasks have in common whose proteins can be searched together."""

    bundle: int
    searches: tuple[Search, ...]
    folders: Folders


def search_together(
    runs: Sequence[Sequence[SearchPart]], *, is_cancelled: Callable[[], bool] | None = None
) -> tuple[tuple[PartAnswers, ...], ...]:
    """The answers of the parts of several runs, as of each part alone.

    Raises:
        WorkCancelled: ``is_cancelled`` returned True.
        UnavailableError: an installed database, or an index, is gone or damaged.

    Cost: see :func:`genint.pipeline.searches.search`; less by what reading the families costs.
    """
    found: dict[_Place, PartAnswers] = {}
    alike: defaultdict[_Alike, dict[_Place, SearchTask]] = defaultdict(dict)
    for run, parts in enumerate(runs):
        for number, part in enumerate(parts):
            place = _Place(run, number)
            if isinstance(part, SearchTask):
                alike[_Alike(part.bundle, part.searches, part.folders)][place] = part
            else:
                found[place] = search_part(part, is_cancelled=is_cancelled)
    for tasks in alike.values():
        found |= _answers(tasks, is_cancelled)
    return tuple(
        tuple(found[_Place(run, number)] for number in range(len(parts)))
        for run, parts in enumerate(runs)
    )


def _answers(
    tasks: dict[_Place, SearchTask], is_cancelled: Callable[[], bool] | None
) -> dict[_Place, PartAnswers]:
    """Answers of tasks with the same searches; what several genomes have is searched once."""
    genes: defaultdict[str, list[tuple[_Place, str]]] = defaultdict(list)
    for place, task in tasks.items():
        for gene_id, residues in task.proteins:
            genes[residues].append((place, gene_id))
    answers: dict[_Place, list[SearchAnswer]] = {place: [] for place in tasks}
    for task in _joined(tuple(genes), next(iter(tasks.values()))):
        residues_of = dict(task.proteins)
        for answer in search(task, is_cancelled=is_cancelled):
            for place, gene_id in genes[residues_of[answer.gene_id]]:
                hits = tuple(hit._replace(gene_id=gene_id) for hit in answer.hits)
                answers[place].append(SearchAnswer(answer.search, gene_id, hits))
    return {place: tuple(listed) for place, listed in answers.items()}


def _joined(proteins: Sequence[str], like: SearchTask) -> Iterator[SearchTask]:
    """Tasks with all proteins, numbered, that are like a task otherwise."""
    for chunk in balanced_chunks(list(map(len, proteins)), MOST_RESIDUES):
        yield like._replace(proteins=tuple((str(at), proteins[at]) for at in chunk))
