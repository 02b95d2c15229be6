"""How far a job is: the share of its time that is over, and what the rest will take."""

from __future__ import annotations

import asyncio
import math
from contextlib import suppress
from typing import Final, NamedTuple, Self

from genint.errors import BusyError
from genint.model.interpretation import chosen_services
from genint.model.job import Job
from genint.pipeline.run import (
    FINDING_GENES,
    INTERPRETING,
    QUERYING,
    READING,
    SEARCHING,
    Progress,
)
from genint.storage import JobStore


class StageShares(NamedTuple):
    """When stages begin, as shares of the time of a whole job; reading begins at 0.

    Attributes:
        finding: Genes are being found.
        searching: They are searched for.
        interpreting: All evidence is there; the report is made and written.
    """

    finding: float
    searching: float
    interpreting: float


_OF_SMALL: Final = StageShares(0.002, 0.08, 0.84)
_OF_LARGE: Final = StageShares(0.002, 0.03, 0.90)
_SMALL_BASES: Final = 50_000
_LARGE_BASES: Final = 1_500_000
"""Between these two sizes shares go evenly with the logarithm of the size. Rounded from
``benchmarks/service/stages.json``."""
_ESTIMATED_FROM: Final = 0.2
"""Share of the time after which the rest can be estimated from it: before, starting worker
processes and waiting for them weighs too much."""
_FEWEST_PARTS: Final = 4
"""Parts of a search from which on those that are done tell how long the others take."""
_WRITE_EVERY_S: Final = 0.5


def stage_shares(bases: int | None) -> StageShares:
    """Measured shares for a genome of that many bases; of a phage where they are not known."""
    size = min(max(bases or _SMALL_BASES, _SMALL_BASES), _LARGE_BASES)
    weight = math.log(size / _SMALL_BASES) / math.log(_LARGE_BASES / _SMALL_BASES)
    pairs = zip(_OF_SMALL, _OF_LARGE, strict=True)
    return StageShares(*(small + weight * (large - small) for small, large in pairs))


class Reached(NamedTuple):
    """How far a job is.

    Attributes:
        share: Of its time, 0..1.
        stage: What is being done.
        can_be_extrapolated: Whether the time until now tells how long the rest takes.
    """

    share: float
    stage: str
    can_be_extrapolated: bool = False


def reached(step: Progress, shares: StageShares) -> Reached | None:
    """How far a job is by what the pipeline reports; None for what says nothing about that.

    Args:
        step: What it reports.
        shares: Of a genome of that size.
    """
    match step:
        case Progress(is_waiting=True):
            return Reached(shares.interpreting, QUERYING)
        case Progress(stage, 0, _) if stage in (READING, FINDING_GENES):
            return Reached(shares.finding if stage == FINDING_GENES else 0.0, stage)
        case Progress(stage, done, total) if stage == SEARCHING:
            share = shares.searching + (shares.interpreting - shares.searching) * done / total
            # Rounding must not put the end of the search behind the start of what follows.
            share = min(share, shares.interpreting)
            return Reached(share, stage, done > 0 and total >= _FEWEST_PARTS)
        case Progress(stage, 0, _) if stage == INTERPRETING:
            return Reached(shares.interpreting, stage, can_be_extrapolated=True)
    return None


class ProgressWriter:
    """Writes the progress of one attempt, forward only and at most twice a second.

    What cannot be written is dropped: progress must not cause a delay. To be entered for the
    time of the attempt; none of its writes outlives that.

    Args:
        jobs: Where to write.
        job: Whose attempt it is, as it was claimed.
    """

    def __init__(self, jobs: JobStore, job: Job) -> None:
        self._jobs = jobs
        self._lease = job.lease
        self._shares = stage_shares(job.bases)
        self._queries = bool(chosen_services(job.mode))
        self._began_at = asyncio.get_running_loop().time()
        self._last = Reached(0.0, "")
        self._wanted = self._last
        self._ended = asyncio.Event()
        self._writing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *problem: object) -> None:
        self._ended.set()
        if self._writing is not None:
            if kind is not None:
                self._writing.cancel()
            await asyncio.wait((self._writing,))

    def __call__(self, step: Progress) -> None:
        """Have it written now, or as soon as the last write is half a second ago."""
        found = reached(step, self._shares)
        if found is not None and found.share >= self._wanted.share:
            self._wanted = found
        if self._writing is None and self._wanted != self._last:
            self._writing = asyncio.create_task(self._write_all())

    async def _write_all(self) -> None:
        """Write what is wanted, until there is nothing new."""
        try:
            while self._wanted != self._last and not self._ended.is_set():
                await self._write(self._wanted)
                with suppress(TimeoutError):
                    async with asyncio.timeout(_WRITE_EVERY_S):
                        await self._ended.wait()
        finally:
            self._writing = None

    async def _write(self, now: Reached) -> None:
        self._last = now
        with suppress(BusyError):
            await self._jobs.set_progress(
                self._lease, now.share, stage=now.stage, remaining_s=self._remaining_s(now)
            )

    def _remaining_s(self, now: Reached) -> float | None:
        """What the rest takes at the speed until now; None where services are queried for it."""
        if not now.can_be_extrapolated or now.share < _ESTIMATED_FROM or self._queries:
            return None
        elapsed_s = asyncio.get_running_loop().time() - self._began_at
        return elapsed_s * (1 - now.share) / now.share
