"""What the service answers, as pydantic models: the document is made from them."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from genint.model import account
from genint.model.job import DarkGeneEntry, Job, JobStatus
from genint.report.result import GeneItem


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)


class Health(_Answer):
    """The process lives."""

    status: Literal["ok"] = "ok"
    message: str = "The genint interpretation engine is operational."


class WorkerStatus(_Answer):
    """Whether any worker lives."""

    online: bool


class UserAnswer(_Answer):
    """An account."""

    id: str
    email: str
    firstName: str  # noqa: N815 - the contract's spelling
    lastName: str  # noqa: N815 - the contract's spelling

    @classmethod
    def of(cls, user: account.User) -> Self:
        """An account as the answers show it."""
        return cls(id=user.id, email=user.email, firstName=user.first_name, lastName=user.last_name)


class Token(_Answer):
    """An access token and whose it is."""

    access_token: str
    token_type: Literal["bearer"] = "bearer"  # noqa: S105 - the kind of token, not one
    expires_in: int
    """Seconds."""
    user: UserAnswer


class CreatedKey(_Answer):
    """A new API key; `key` is shown here and never again."""

    id: str
    name: str
    key_prefix: str
    key: str
    expires_at: datetime | None
    created_at: datetime


class KeyEntry(_Answer):
    """An API key without its secret."""

    id: str
    name: str
    key_prefix: str
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None
    revoked_at: datetime | None

    @classmethod
    def of(cls, key: account.ApiKey) -> Self:
        """A stored key as the list shows it."""
        return cls(
            id=key.id,
            name=key.name,
            key_prefix=key.key_prefix,
            created_at=key.created_at,
            last_used_at=key.last_used_at,
            expires_at=key.expires_at,
            revoked_at=key.revoked_at,
        )


class KeyList(_Answer):
    """The caller's keys, newest first."""

    keys: tuple[KeyEntry, ...]
    next_cursor: str | None
    """Ask with it for the next page; null at the end."""


class JobState(_Answer):
    """A job after it was submitted, cancelled or queued again."""

    job_id: str
    status: JobStatus
    filename: str
    phage_mode: bool
    mode: str

    @classmethod
    def of(cls, job: Job) -> Self:
        """Where a job stands."""
        return cls(
            job_id=job.id,
            status=job.status,
            filename=job.filename,
            phage_mode=job.phage_mode,
            mode=job.mode,
        )


class JobEntry(_Answer):
    """A job in a list. Counts are those of the last result; 0 before there is one."""

    job_id: str
    filename: str
    phage_mode: bool
    mode: str
    status: JobStatus
    progress: float = Field(ge=0, le=1)
    report_url: str
    """Meaningful once a result is there."""
    total_genes: int
    interpreted_genes: int
    high_confidence_count: int
    dark_count: int
    processing_time_seconds: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    error_message: str | None
    """Why a FAILED job failed."""
    attempt: int
    """How often it was started."""

    @classmethod
    def of(cls, job: Job) -> Self:
        """A stored job as lists show it."""
        counts = job.counts
        return cls(
            job_id=job.id,
            filename=job.filename,
            phage_mode=job.phage_mode,
            mode=job.mode,
            status=job.status,
            progress=job.progress,
            report_url=f"/reports/{job.id}.html",
            total_genes=counts.total_genes,
            interpreted_genes=counts.interpreted_genes,
            high_confidence_count=counts.high_confidence,
            dark_count=counts.dark,
            processing_time_seconds=job.processing_time_seconds,
            created_at=job.created_at,
            started_at=job.started_at,
            finished_at=job.finished_at,
            error_message=job.error_message,
            attempt=job.attempt,
        )


class JobList(_Answer):
    """The caller's jobs, newest first."""

    jobs: tuple[JobEntry, ...]
    next_cursor: str | None
    """Ask with it for the next page; null at the end."""


class JobDetail(JobEntry):
    """A job with its genes, which are there once it is COMPLETED."""

    genes: tuple[GeneItem, ...]


class DarkGeneAnswer(_Answer):
    """A gene of which nothing is known; `organism` is the name of the uploaded file."""

    id: str
    name: str
    locus: str
    organism: str
    job_id: str

    @classmethod
    def of(cls, entry: DarkGeneEntry) -> Self:
        """An entry of the index."""
        return cls(**entry._asdict())


class DarkGeneList(_Answer):
    """Dark genes of all completed jobs of the caller."""

    total: int
    """In all pages together."""
    genes: tuple[DarkGeneAnswer, ...]
    next_cursor: str | None


class WaitlistAnswer(_Answer):
    """Whether the address was new."""

    status: Literal["ok", "already_registered"]


class Problem(_Answer):
    """What is wrong, in words."""

    detail: str


class InvalidValueItem(_Answer):
    """One value that is wrong."""

    loc: tuple[str | int, ...]
    """Where it stands: `body`, `query` or `header`, then names and indices."""
    msg: str
    type: str


class ValidationProblem(_Answer):
    """Which values are wrong."""

    detail: tuple[InvalidValueItem, ...]
