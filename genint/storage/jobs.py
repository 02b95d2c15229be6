"""Jobs in the database: every transition is one guarded statement."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from typing import NamedTuple

from genint.model.job import DarkGeneEntry, Held, Job, JobStatus, NewJob, Outcome
from genint.storage.notices import Notice


class Submitted(NamedTuple):
    """A job that was handed in, or the first one with the same idempotency key."""

    job: Job
    is_new: bool


class JobPage(NamedTuple):
    """Some of a user's jobs, newest first; no cursor at the end."""

    jobs: tuple[Job, ...]
    next_cursor: str | None


class DarkGenePage(NamedTuple):
    """Some of a user's dark genes; ``total`` counts all of them."""

    total: int
    genes: tuple[DarkGeneEntry, ...]
    next_cursor: str | None


class JobStore:
    """Jobs in the database."""

    async def submit(self, job: NewJob, *, max_pending: int) -> Submitted:
        """Hand in a job."""
        raise NotImplementedError

    async def claim(self, owner: str) -> Job | None:
        """Take the next waiting job."""
        raise NotImplementedError

    async def extend(self, owner: str) -> frozenset[Held]:
        """Renew the leases of an owner; those still held."""
        raise NotImplementedError

    async def held_by(self, owner: str) -> frozenset[Held]:
        """What an owner holds."""
        raise NotImplementedError

    async def set_progress(self, held: Held, progress: float) -> bool:
        """Note how far a job is."""
        raise NotImplementedError

    async def finish(self, held: Held, outcome: Outcome) -> bool:
        """Complete a job."""
        raise NotImplementedError

    async def fail(self, held: Held, message: str) -> bool:
        """End a job whose input cannot be interpreted."""
        raise NotImplementedError

    async def strike(self, held: Held, message: str) -> JobStatus | None:
        """Put a job back whose worker process died, or give it up."""
        raise NotImplementedError

    async def release(self, held: Held) -> JobStatus | None:
        """Put a job back whose supervisor shuts down."""
        raise NotImplementedError

    async def sweep(self) -> tuple[str, ...]:
        """Put jobs back whose lease ended."""
        raise NotImplementedError

    async def requeue_running(self) -> tuple[str, ...]:
        """Put all running jobs back."""
        raise NotImplementedError

    async def cancel(self, job_id: str) -> Job | None:
        """Withdraw a job."""
        raise NotImplementedError

    async def rerun(self, job_id: str) -> Job | None:
        """Queue an ended job anew."""
        raise NotImplementedError

    async def get(self, job_id: str) -> Job | None:
        """A job by id."""
        raise NotImplementedError

    async def list(
        self, user_id: str, *, status: JobStatus | None, limit: int | None, cursor: str | None
    ) -> JobPage:
        """Jobs of a user, newest first."""
        raise NotImplementedError

    async def dark_genes(
        self, user_id: str, *, limit: int | None, cursor: str | None
    ) -> DarkGenePage:
        """Dark genes of a user's completed jobs."""
        raise NotImplementedError

    async def set_report_version(self, job_id: str, attempt: int, version: str) -> bool:
        """Note that a report was rendered anew."""
        raise NotImplementedError

    async def delete_ended_before(self, days: int) -> tuple[Job, ...]:
        """Delete jobs that ended so many days ago; what was deleted."""
        raise NotImplementedError

    async def known_ids(self, job_ids: Sequence[str]) -> frozenset[str]:
        """Those of some ids that are jobs."""
        raise NotImplementedError

    def notices(self) -> AbstractAsyncContextManager[AsyncIterator[Notice]]:
        """What happens to jobs from now on."""
        raise NotImplementedError
