"""Users, API keys and jobs of the service as plain values.

The statements in ``genint/storage`` change the status of a job.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class User:
    """A person with an account.

    Attributes:
        email: As it was given at signup; of a guest one that no mail can be sent to.
        guest_until: When a guest vanishes; None for everybody else.
    """

    id: str
    email: str
    first_name: str
    last_name: str
    guest_until: datetime | None = None

    @property
    def is_guest(self) -> bool:
        """Whether the account vanishes by itself."""
        return self.guest_until is not None


@dataclass(frozen=True, slots=True)
class Account:
    """What is checked when a user logs in.

    Attributes:
        password_hash: argon2id.
        token_generation: Of the access tokens that are valid; those of a lower one are refused.
        is_disabled: An operator closed the account, or it is being deleted.
    """

    user: User
    password_hash: str
    token_generation: int = 0
    is_disabled: bool = False


class UserEntry(NamedTuple):
    """A user as an operator's list shows it.

    Attributes:
        disabled_at: When the account was disabled; None where it is not.
        jobs: How many there are, whatever their state.
    """

    user: User
    created_at: datetime
    disabled_at: datetime | None
    jobs: int


class KeyScope(StrEnum):
    """What an API key may do."""

    FULL = "full"
    """Everything that its owner may."""
    READ = "read"
    """Look at jobs, results and keys, and change nothing."""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """An API key without its secret.

    Attributes:
        key_prefix: Leading part of the key, unique, by which it is looked up.
        digest: SHA-256 of the whole raw key, hex.
        scope: What it may do.
        parent_id: The key that it was made with, which takes this one along when it is revoked;
            None where it was made with a token.
    """

    id: str
    user_id: str
    name: str
    key_prefix: str
    digest: str
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None
    scope: KeyScope = KeyScope.FULL
    parent_id: str | None = None


class JobStatus(StrEnum):
    """State of a job."""

    PENDING = "PENDING"
    """Waits for a worker."""
    RUNNING = "RUNNING"
    """A worker holds it, by a lease that it renews."""
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"

    @property
    def is_terminal(self) -> bool:
        """Left only by an explicit rerun."""
        return self not in (JobStatus.PENDING, JobStatus.RUNNING)


MAX_STRIKES = 3
"""Deaths of its own worker process after which a job is given up."""

MAX_RESTARTS = 20
"""Deaths or shutdowns of its supervisor after which a job is given up."""


class JobLease(NamedTuple):
    """A claim on a running job: only the worker that shows all three may write to it.

    ``attempt`` grows with every claim, so the result of a worker that was taken for
    dead is refused (fencing).
    """

    job_id: str
    attempt: int
    owner: str


class GeneCounts(NamedTuple):
    """What a list of jobs shows of a result.

    Attributes:
        supported_genes: Of the interpreted ones, those with evidence beyond the file; None in
            results that were made before they were counted.
        file_only_genes: Those that only repeat the file's name; None likewise.
    """

    total_genes: int = 0
    interpreted_genes: int = 0
    high_confidence: int = 0
    dark: int = 0
    supported_genes: int | None = None
    file_only_genes: int | None = None


class DarkGene(NamedTuple):
    """A dark gene as the index over all jobs lists it.

    Attributes:
        id: The gene.
        name: Its locus tag or symbol.
        locus: Where it is.
        rank: 1 is the most promising dark gene of its genome; None where that is not known.
        priority: By which it is ranked, 0..1; no probability.
    """

    id: str
    name: str
    locus: str
    rank: int | None = None
    priority: float | None = None


class DarkGeneEntry(NamedTuple):
    """A dark gene of one of a user's completed jobs; ``organism`` is its file's name."""

    id: str
    name: str
    locus: str
    organism: str
    job_id: str
    rank: int | None = None
    priority: float | None = None


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job as it is submitted.

    Attributes:
        id: UUID (version 4) as text.
        user_id: Whose job it is.
        filename: Name of the upload, for display.
        upload: Name of the stored file in the uploads folder.
        phage_mode: Recover nested genes.
        mode: ``offline``, ``local`` or ``online``.
        ignore_annotations: Genes of the file are predicted and interpreted afresh.
        proteins: Name of the file of the user's own proteins, for display; None without one.
        locus_tag_prefix: Stem of the locus tags of predicted genes; None for the record's id.
        run_date: What files that carry a date are dated; None for no date.
        idempotency_key: What the client sent to make a repeated request harmless.
        fingerprint: SHA-256 (hex) of upload and options, to tell whether a repeated
            key belongs to the same request.
        upload_bytes: Size of the stored file; None where it is not known.
        bases: Of the genome; None where they were not counted.
    """

    id: str
    user_id: str
    filename: str
    upload: str
    phage_mode: bool
    mode: str
    locus_tag_prefix: str | None = None
    run_date: date | None = None
    idempotency_key: str | None = None
    fingerprint: str = ""
    upload_bytes: int | None = None
    bases: int | None = None
    ignore_annotations: bool = False
    proteins: str | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it is stored.

    Attributes:
        attempt: Number of claims so far; the current one while it runs.
        owner: Worker that holds it, None unless RUNNING.
        progress: 0..1; 1 exactly when COMPLETED.
        stage: What the worker did when it last said how far it is; of no meaning unless RUNNING.
        remaining_seconds: What it took the rest for then; None where that cannot be estimated.
        bases: Of the genome, as counted while it was uploaded; None where they were not.
        proteins: Name of the file of the user's own proteins, for display; None without one.
        error_message: Why it FAILED, in words for its owner.
        report_attempt: Attempt whose report is served; None without a report. A
            rerun keeps it until the new report is committed.
        report_version: Version of the program that made that report.
        processing_time_seconds: From claim to end of the attempt that was reported.
        created_at, queued_at, started_at, finished_at: Aware times in UTC.
    """

    id: str
    user_id: str
    filename: str
    upload: str
    phage_mode: bool
    mode: str
    status: JobStatus
    attempt: int
    owner: str | None
    strikes: int
    restarts: int
    progress: float
    error_message: str | None
    report_attempt: int | None
    report_version: str | None
    counts: GeneCounts
    processing_time_seconds: int
    created_at: datetime
    queued_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    locus_tag_prefix: str | None = None
    run_date: date | None = None
    idempotency_key: str | None = None
    fingerprint: str = ""
    stage: str | None = None
    remaining_seconds: int | None = None
    bases: int | None = None
    ignore_annotations: bool = False
    proteins: str | None = None

    @property
    def lease(self) -> JobLease:
        """The claim of the worker that runs it; ValueError unless RUNNING."""
        if self.owner is None:
            raise ValueError(f"job {self.id} is not held")
        return JobLease(self.id, self.attempt, self.owner)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a finished attempt commits, besides its files.

    Attributes:
        counts: Genes of the result.
        dark_genes: For the index of dark genes, in the order of the genome.
        report_version: Version of the program that made the report.
        result_bytes: Size of its files together.
    """

    counts: GeneCounts
    dark_genes: tuple[DarkGene, ...]
    report_version: str
    result_bytes: int = 0
