"""What the service answers, as pydantic models: the document is made from them."""

from __future__ import annotations

import datetime as dates
from datetime import datetime
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from email_validator import EmailNotValidError, validate_email
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic.functional_validators import AfterValidator

from genint.model.job import ApiKey, DarkGeneEntry, Job, JobStatus, KeyScope, User
from genint.report.formats import FORMATS
from genint.report.result import GeneItem
from genint.storage import MOST_LISTED, NEWEST_FIRST, JobSort
from genint.worker.webhooks import may_be_public

LONGEST_EMAIL = 254
_PLAIN = r"^[^\x00-\x1f\x7f]*$"


class _StrictBody(BaseModel):
    model_config = ConfigDict(
        strict=True, frozen=True, extra="ignore", use_attribute_docstrings=True
    )


class _Query(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", use_attribute_docstrings=True)


def _email(text: str) -> str:
    """The address as it was given, where it has the form of one (RFC 5321, 5322)."""
    address = text.strip()
    if len(address) > LONGEST_EMAIL:
        raise ValueError(f"an e-mail address has at most {LONGEST_EMAIL} characters")
    try:
        # Reserved names (.local, .test) are in use inside of institutes.
        found = validate_email(address, check_deliverability=False, globally_deliverable=False)
    except EmailNotValidError as problem:
        raise ValueError(f"not a valid e-mail address: {problem}") from None
    if "." not in found.ascii_domain and not found.domain.startswith("["):
        raise ValueError("not a valid e-mail address: the part after @ has no dot")
    return address


def _whole(value: object) -> object:
    """5.0 is the whole number 5 in JSON."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Email = Annotated[
    str,
    Field(max_length=LONGEST_EMAIL),
    AfterValidator(_email),
    WithJsonSchema({"type": "string", "format": "email", "maxLength": LONGEST_EMAIL}),
]


def _webhook_url(text: str) -> str:
    """An address that announcements can be sent to; what it leads to is checked when they are."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise ValueError("not an address that can be read") from None
    if parts.scheme != "https" or not parts.hostname or port == 0:
        raise ValueError("must begin with https:// and the name of a server")
    if "@" in parts.netloc or parts.fragment:
        raise ValueError("must be without user, password and fragment")
    if not may_be_public(parts.hostname):
        raise ValueError("must lead to a public address")
    return text


WebhookUrl = Annotated[
    str,
    Field(max_length=2000, pattern=r"^https://[\x21-\x7e]+$"),
    AfterValidator(_webhook_url),
    WithJsonSchema({"type": "string", "format": "uri", "maxLength": 2000}),
]


Password = Annotated[str, Field(min_length=8, max_length=128)]


class SignupBody(_StrictBody):
    """A new account."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "email": "ada@example.org",
                "password": "a long enough password",
                "first_name": "Ada",
                "last_name": "Lovelace",
            }
        }
    )

    email: Email
    password: Password
    """8 to 128 characters; there is no other rule."""
    first_name: str = Field(default="", max_length=200, pattern=_PLAIN)
    last_name: str = Field(default="", max_length=200, pattern=_PLAIN)


class LoginBody(_StrictBody):
    """What signup was given."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"email": "ada@example.org", "password": "a long enough password"}
        }
    )

    email: str = Field(max_length=1000, pattern=r"^[^\x00]*$")
    password: str = Field(max_length=1000)


class PasswordBody(_StrictBody):
    """A new password in place of the old one."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "current_password": "a long enough password",
                "new_password": "another long password",
            }
        }
    )

    current_password: str = Field(max_length=1000)
    new_password: Password
    """8 to 128 characters; there is no other rule."""


class DeleteAccountBody(_StrictBody):
    """The password once more: what is deleted is gone. Guests have none, and need no body."""

    model_config = ConfigDict(json_schema_extra={"example": {"password": "a long enough password"}})

    password: str | None = Field(default=None, max_length=1000)


class ForgotPasswordBody(_StrictBody):
    """Of which account the password was forgotten."""

    model_config = ConfigDict(json_schema_extra={"example": {"email": "ada@example.org"}})

    email: Email


class ResetPasswordBody(_StrictBody):
    """The token of a link, and a new password."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "token": "0rwJ5hgdWTM6dTkFq3q0fkXm8K6Jf3mGZ3yZ8hTn2wY",
                "new_password": "another long password",
            }
        }
    )

    token: str = Field(min_length=1, max_length=200)
    """What the link has behind its #."""
    new_password: Password
    """8 to 128 characters; there is no other rule."""


class NewKeyBody(_StrictBody):
    """A new API key."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"name": "annotation pipeline", "expires_in_days": 90}}
    )

    name: str = Field(min_length=1, max_length=100, pattern=_PLAIN)
    expires_in_days: Annotated[int, Field(ge=1, le=3650), BeforeValidator(_whole)] | None = None
    """Days until it expires; without it the key does not expire."""
    scope: Annotated[KeyScope, Field(strict=False)] = KeyScope.FULL
    """`full`: all that its owner may. `read`: look at jobs, results and keys, change nothing."""


class NewReportLinkBody(_StrictBody):
    """A new link to a report."""

    model_config = ConfigDict(json_schema_extra={"example": {"expires_in_minutes": 10080}})

    expires_in_minutes: (
        Annotated[int, Field(ge=1, le=5_256_000), BeforeValidator(_whole)] | None
    ) = None
    """Minutes until it expires; without it the link is valid until it is revoked."""


class ReportQuery(_Query):
    """By which right a report is read."""

    key: str = Field(default="", max_length=200)
    """The secret of a link, for others than the owner where reports are not public."""


class WaitlistBody(_StrictBody):
    """An address for the waiting list."""

    model_config = ConfigDict(json_schema_extra={"example": {"email": "ada@example.org"}})

    email: Email


class SubmitForm(BaseModel):
    """The form of an upload."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    file: Annotated[str, WithJsonSchema({"type": "string", "format": "binary"})]
    """GenBank or nucleotide FASTA: .gb .gbk .gbff .genbank .fa .fasta .fna, also with .gz."""
    phage_mode: bool = False
    """Recover genes nested in other genes (predicted genes only)."""
    mode: Literal["offline", "local", "online"] = "offline"
    """`local` also uses installed databases; `online` uses them and queries UniProt and InterPro,
    to which only checksums and identifiers of proteins are sent, never a sequence."""
    ignore_annotations: bool = False
    """Predict and interpret the genes of an annotated file afresh, and compare with the file."""
    locus_tag_prefix: str | None = Field(default=None, examples=["ABC"])
    """Of the locus tags of predicted genes: 3 to 12 letters and digits, a letter first. Without it
    their ids begin with the record's."""
    date: dates.date | None = None
    """Of the run, which GenBank, EMBL and XLSX files carry; without it they have none."""
    proteins: Annotated[str, WithJsonSchema({"type": "string", "format": "binary"})] | None = None
    """A file of named proteins of your own to compare with, of 10 MB at most: protein FASTA, or
    GenBank records with their genes, known by their content, also compressed."""


class PageQuery(_Query):
    """Which page of a list."""

    limit: int = Field(default=MOST_LISTED, ge=1, le=MOST_LISTED)
    """Most entries of a page."""
    cursor: str | None = Field(default=None, max_length=200)
    """`next_cursor` of the page before."""


class JobsQuery(PageQuery):
    """Which jobs."""

    status: JobStatus | None = None
    """Only jobs in this state."""
    search: str = Field(default="", max_length=200)
    """Only jobs with this text in the name of their file, in large or small letters."""
    sort: JobSort = NEWEST_FIRST
    """By which field, with - in front for descending; of equal ones the newest comes first."""


def _known_format(name: str) -> str:
    if name not in FORMATS:
        raise ValueError(f"no such format; choose from {', '.join(FORMATS)}")
    return name


class ResultQuery(_Query):
    """In which format a result is wanted."""

    format: Annotated[
        str,
        AfterValidator(_known_format),
        WithJsonSchema({"type": "string", "enum": list(FORMATS)}),
    ] = "json"
    """json: the whole result. tsv, gff3, gbk, dark-fasta: for other programs. md, html: to read."""


class DifferenceQuery(_Query):
    """With which job a job is compared."""

    other: str = Field(min_length=1, max_length=36, json_schema_extra={"format": "uuid"})
    """Id of another job of the caller: B, where the one of the path is A."""
    format: Literal["html", "json", "tsv", "text"] = "html"
    """html: a page, side by side. json, tsv: for programs. text: sentences."""


MOST_ARCHIVED = 100
"""Jobs of one archive: their ids have to fit into an address."""


def _job_ids(text: str) -> tuple[str, ...]:
    ids = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    if not 1 <= len(ids) <= MOST_ARCHIVED:
        raise ValueError(f"must be 1 to {MOST_ARCHIVED} ids of jobs with commas between")
    return ids


def _formats(text: str) -> tuple[str, ...]:
    names = dict.fromkeys(part.strip() for part in text.split(",") if part.strip())
    if not names:
        raise ValueError("must be names of formats with commas between")
    return tuple(_known_format(name) for name in names)


class ArchiveQuery(_Query):
    """Which files of which jobs."""

    jobs: Annotated[
        tuple[str, ...],
        BeforeValidator(_job_ids),
        WithJsonSchema({"type": "string", "minLength": 1}),
    ]
    """Ids of jobs of the caller with commas between, 100 at most."""
    formats: Annotated[
        tuple[str, ...],
        BeforeValidator(_formats),
        WithJsonSchema({"type": "string", "minLength": 1, "examples": ["gff3,tsv"]}),
    ]
    """Names of formats with commas between, as for `format` of one result."""


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    @classmethod
    def made_of(cls, source: object, **given: object) -> Self:
        """An answer of the given values, and of what the source has under the other names."""
        names = cls.model_fields.keys() - given.keys()
        return cls.model_validate(given | {name: getattr(source, name) for name in names})


class Health(_Answer):
    """The process lives."""

    status: Literal["ok"] = "ok"
    message: str = "The genint interpretation engine is operational."


class Ready(_Answer):
    """Database, disk and workers are fine."""

    status: Literal["ready"] = "ready"


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
    def of(cls, user: User) -> Self:
        """An account as the answers show it."""
        return cls(id=user.id, email=user.email, firstName=user.first_name, lastName=user.last_name)


class Token(_Answer):
    """An access token and whose it is."""

    access_token: str
    token_type: Literal["bearer"] = "bearer"  # noqa: S105 - the kind of token, not one
    expires_in: int
    """Seconds."""
    user: UserAnswer


class SessionAnswer(_Answer):
    """Who uses a browser."""

    user: UserAnswer | None
    """Null where nobody is logged in."""
    guest_until: datetime | None
    """When a guest vanishes; null for everybody else."""


class ForgotPasswordAnswer(_Answer):
    """The same whether there is such an account or not."""

    sends_email: bool
    """Whether this service sends e-mail; where it does not, its operator makes links."""
    message: str


class CreatedKey(_Answer):
    """A new API key; `key` is shown here and never again."""

    id: str
    name: str
    key_prefix: str
    key: str
    scope: KeyScope
    expires_at: datetime | None
    created_at: datetime


class KeyEntry(_Answer):
    """An API key without its secret."""

    id: str
    name: str
    key_prefix: str
    scope: KeyScope
    """What it may do."""
    parent_id: str | None
    """The key that it was made with, and is revoked with; null where there is none."""
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None
    revoked_at: datetime | None

    @classmethod
    def of(cls, key: ApiKey) -> Self:
        """A stored key as the list shows it."""
        return cls.made_of(key)


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
    ignore_annotations: bool
    locus_tag_prefix: str | None
    run_date: dates.date | None
    proteins: str | None
    """Name of the file of proteins of the user's own; null without one."""

    @classmethod
    def of(cls, job: Job) -> Self:
        """State of a job."""
        return cls.made_of(job, job_id=job.id)


class JobEntry(_Answer):
    """A job in a list. Counts are those of the last result; 0 before there is one."""

    job_id: str
    filename: str
    phage_mode: bool
    mode: str
    ignore_annotations: bool
    locus_tag_prefix: str | None
    """Of predicted genes; null for the record's id."""
    run_date: dates.date | None
    """What GenBank, EMBL and XLSX files are dated; null for no date."""
    proteins: str | None
    """Name of the file of proteins of the user's own; null without one."""
    status: JobStatus
    progress: float = Field(ge=0, le=1)
    """Share of the time that is over, by measured shares of the stages."""
    stage: str | None
    """What is being done; null unless RUNNING."""
    queue_position: int | None
    """1 for the next one that starts; null unless PENDING. Users take turns, so it can grow."""
    remaining_seconds: int | None
    """As estimated when `progress` was last changed; null where it cannot be estimated."""
    bases: int | None
    """Of the genome, as counted while it was uploaded; null for jobs of before they were."""
    report_url: str
    """Meaningful once a result is there."""
    total_genes: int
    interpreted_genes: int
    supported_genes: int | None
    """Of the interpreted genes, those with evidence beyond the file; null for results of before
    they were counted."""
    file_only_genes: int | None
    """Of the interpreted genes, those that only repeat the file's name; null likewise."""
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
    def of(cls, job: Job, queue_position: int | None = None) -> Self:
        """A stored job as lists show it; the place in the queue of one that waits is given."""
        counts = job.counts
        is_running = job.status is JobStatus.RUNNING
        return cls.made_of(
            job,
            job_id=job.id,
            stage=job.stage if is_running else None,
            remaining_seconds=job.remaining_seconds if is_running else None,
            queue_position=queue_position,
            report_url=f"/reports/{job.id}.html",
            total_genes=counts.total_genes,
            interpreted_genes=counts.interpreted_genes,
            supported_genes=counts.supported_genes,
            file_only_genes=counts.file_only_genes,
            high_confidence_count=counts.high_confidence,
            dark_count=counts.dark,
        )


class JobList(_Answer):
    """The caller's jobs, newest first."""

    total: int
    """In all pages together."""
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
    rank: int | None
    """1 is the most promising dark gene of its genome; null for jobs of older versions."""
    priority: float | None
    """By which it is ranked, 0 to 1; a ranking aid, not a probability."""

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


class ReportLinkEntry(_Answer):
    """A link to a report without its secret."""

    id: str
    created_at: datetime
    expires_at: datetime | None


class CreatedReportLink(ReportLinkEntry):
    """A new link; `url` is shown here and never again."""

    url: str
    """Below the address of the service."""


class ReportLinkList(_Answer):
    """Links to the report of a job that are valid, newest first."""

    links: tuple[ReportLinkEntry, ...]


class NewWebhookBody(_StrictBody):
    """Where the end of jobs is announced."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"url": "https://lab.example.org/ended"}}
    )

    url: WebhookUrl
    """Begins with `https://`; its name has to have a public address."""


class WebhookState(_Answer):
    """A webhook, and whether announcements arrive."""

    url: str
    created_at: datetime
    last_delivered_at: datetime | None
    """When an announcement was taken last."""
    last_error: str | None
    """Why the last one was not taken; null where it was."""
    waiting: int
    """Announcements that have not arrived yet."""


class CreatedWebhook(WebhookState):
    """A new webhook; `secret` is shown here and never again."""

    secret: str
    """Checks the signature of announcements."""


class WaitlistAnswer(_Answer):
    """Whether the address was new."""

    status: Literal["ok", "already_registered"]


class Problem(_Answer):
    """What is wrong, in words."""

    detail: str


class InvalidValueItem(_Answer):
    """One value that is wrong."""

    loc: tuple[str | int, ...]
    """Where it occurred: `body`, `query` or `header`, then names and indices."""
    msg: str
    type: str


class ValidationProblem(_Answer):
    """Which values are wrong."""

    detail: tuple[InvalidValueItem, ...]
