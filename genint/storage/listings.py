"""Jobs as the database holds them."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple, Self, TypeVar

from genint.errors import InvalidRequest, InvalidValue
from genint.model.job import DarkGene, DarkGeneEntry, GeneCounts, Job, JobStatus
from genint.storage.database import Database, Row, Session
from genint.storage.statements import storable

LATEST_US = 2**63 - 1
"""After every time that a database holds."""


class Cursor(NamedTuple):
    """Where a list of jobs, of their genes, or of API keys goes on: after this entry.

    Attributes:
        before_us: When the job (that of the gene) or key was made.
        before_id: Its id.
        after_position: Position of the gene, 0 in other lists.
    """

    before_us: int = LATEST_US
    before_id: str = ""
    after_position: int = 0

    def __str__(self) -> str:
        text = f"{self.before_us}/{self.after_position}/{self.before_id}"
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    @classmethod
    def parse(cls, text: str | None) -> Self:
        """The cursor of a text that ``str`` made; the begin of the list from None.

        Raises:
            InvalidRequest: the text is something else.
        """
        if text is None:
            return cls()
        try:
            padded = text.encode("ascii") + b"=" * (-len(text) % 4)
            parts = base64.b64decode(padded, altchars=b"-_", validate=True).decode("ascii")
            before, position, before_id = parts.split("/")
            cursor = cls(int(before), before_id, int(position))
        except (ValueError, binascii.Error):
            cursor = None
        if cursor is None or str(cursor) != text or not cursor._is_in_range():
            raise InvalidRequest(
                InvalidValue(("query", "cursor"), "is not a cursor of this list", "cursor")
            )
        return cursor

    def _is_in_range(self) -> bool:
        return 0 <= self.before_us <= LATEST_US and 0 <= self.after_position <= LATEST_US


_Entry = TypeVar("_Entry")

Read = Callable[[Cursor, int], Awaitable[Sequence[Row]]]
"""Reads at most so many rows that come after a cursor."""


class Source(NamedTuple):
    """Where the rows of a list come from.

    Attributes:
        read: Reads some of them.
        place: The cursor behind a row.
        page: How many are read at a time.
    """

    read: Read
    place: Callable[[Row], Cursor]
    page: int


async def read_list(
    source: Source, entry: Callable[[Row], _Entry], *, limit: int | None, cursor: str | None
) -> tuple[tuple[_Entry, ...], str | None]:
    """Entries of a list after a cursor: ``limit`` of them, or all.

    Returns:
        The entries, and the cursor behind them; None at the end of the list.

    Raises:
        InvalidRequest: the cursor does not come from such a list.
    """
    at = Cursor.parse(cursor)
    entries: list[_Entry] = []
    while True:
        wanted = source.page if limit is None else min(source.page, limit - len(entries))
        rows = await source.read(at, wanted + 1)  # one more: is there more?
        entries.extend(entry(row) for row in rows[:wanted])
        if len(rows) <= wanted:
            return tuple(entries), None
        at = source.place(rows[wanted - 1])
        if limit is not None and len(entries) >= limit:
            return tuple(entries), str(at)


DARK_GENES_PAGE = 1_000
"""Genes read or written at a time, so that a long list never keeps the event loop."""


class DarkGenePage(NamedTuple):
    """Some of a user's dark genes; ``total`` counts all of them. No cursor at the end."""

    total: int
    genes: tuple[DarkGeneEntry, ...]
    next_cursor: str | None


async def replace_dark_genes(session: Session, job_id: str, dark_genes: Sequence[DarkGene]) -> None:
    """Put the dark genes of a job in the place of those it had."""
    await session.execute("delete_dark_genes", job_id=job_id)
    for first in range(0, len(dark_genes), DARK_GENES_PAGE):
        some = [
            [storable(gene.id), storable(gene.name), storable(gene.locus)]
            for gene in dark_genes[first : first + DARK_GENES_PAGE]
        ]
        await session.execute(
            "add_dark_genes", job_id=job_id, first_position=first + 1, genes=json.dumps(some)
        )


async def list_dark_genes(
    database: Database, user_id: str, *, limit: int | None, cursor: str | None
) -> DarkGenePage:
    """Dark genes of a user's COMPLETED jobs, newest job first: ``limit`` of them, or all.

    Raises:
        InvalidRequest: the cursor does not come from such a list.
    """

    async def read(at: Cursor, most: int) -> Sequence[Row]:
        return await database.fetch_all(
            "list_dark_genes",
            user_id=user_id,
            before_us=at.before_us,
            before_id=at.before_id,
            after_position=at.after_position,
            most=most,
        )

    counted = await database.fetch_one("count_dark_genes", user_id=user_id)
    total: int = 0 if counted is None else counted["total"]
    source = Source(read, _place, DARK_GENES_PAGE)
    return DarkGenePage(total, *await read_list(source, _entry, limit=limit, cursor=cursor))


def _place(row: Row) -> Cursor:
    return Cursor(row["created_at"], row["job_id"], row["position"])


def _entry(row: Row) -> DarkGeneEntry:
    return DarkGeneEntry(row["id"], row["name"], row["locus"], row["filename"], row["job_id"])


MICROSECONDS = 1_000_000
"""In a second."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def time_from_us(microseconds: int) -> datetime:
    """Aware time in UTC from microseconds since 1970."""
    return EPOCH + timedelta(microseconds=microseconds)


def us_from_time(time: datetime) -> int:
    """Microseconds since 1970 of an aware time."""
    return (time - EPOCH) // timedelta(microseconds=1)


def us_from_s(seconds: float) -> int:
    """Microseconds of a span."""
    return round(seconds * MICROSECONDS)


def optional_time(microseconds: int | None) -> datetime | None:
    """Aware time in UTC, if there is one."""
    return None if microseconds is None else time_from_us(microseconds)


def job_from_row(row: Row) -> Job:
    """A job from its columns."""
    return Job(
        id=row["id"],
        user_id=row["user_id"],
        filename=row["filename"],
        upload=row["upload"],
        phage_mode=bool(row["phage_mode"]),
        mode=row["mode"],
        status=JobStatus(row["status"]),
        attempt=row["attempt"],
        owner=row["owner"],
        strikes=row["strikes"],
        restarts=row["restarts"],
        progress=row["progress"],
        error_message=row["error_message"],
        report_attempt=row["report_attempt"],
        report_version=row["report_version"],
        counts=GeneCounts(
            total_genes=row["total_genes"],
            interpreted_genes=row["interpreted_genes"],
            high_confidence=row["high_confidence"],
            dark=row["dark"],
        ),
        processing_time_seconds=row["processing_time_seconds"],
        created_at=time_from_us(row["created_at"]),
        queued_at=time_from_us(row["queued_at"]),
        started_at=optional_time(row["started_at"]),
        finished_at=optional_time(row["finished_at"]),
        idempotency_key=row["idempotency_key"],
        fingerprint=row["fingerprint"],
    )


async def existing_job(session: Session, job_id: str) -> Job:
    """A job that this transaction has just written."""
    row = await session.fetch_one("get_job", id=job_id)
    if row is None:
        raise LookupError(job_id)
    return job_from_row(row)


JOBS_PAGE = 250
"""Jobs read at a time, so that a long list never keeps the event loop."""


class JobPage(NamedTuple):
    """Some of a user's jobs, newest first; no cursor at the end."""

    jobs: tuple[Job, ...]
    next_cursor: str | None


async def list_jobs(
    database: Database,
    user_id: str,
    *,
    status: JobStatus | None,
    limit: int | None,
    cursor: str | None,
) -> JobPage:
    """Jobs of a user, newest first: ``limit`` of them, or all.

    Raises:
        InvalidRequest: the cursor does not come from such a list.
    """

    async def read(at: Cursor, most: int) -> Sequence[Row]:
        return await _page(database, user_id, status, at, most)

    source = Source(read, lambda row: Cursor(row["created_at"], row["id"]), JOBS_PAGE)
    return JobPage(*await read_list(source, job_from_row, limit=limit, cursor=cursor))


async def known_ids(database: Database, job_ids: Sequence[str]) -> frozenset[str]:
    """Those of some ids that are jobs."""
    known: set[str] = set()
    for first in range(0, len(job_ids), JOBS_PAGE):
        some = json.dumps(job_ids[first : first + JOBS_PAGE])
        rows = await database.fetch_all("list_known_jobs", ids=some)
        known.update(row["id"] for row in rows)
    return frozenset(known)


async def _page(
    database: Database, user_id: str, status: JobStatus | None, at: Cursor, most: int
) -> Sequence[Row]:
    if status is None:
        return await database.fetch_all(
            "list_jobs",
            user_id=user_id,
            before_us=at.before_us,
            before_id=at.before_id,
            most=most,
        )
    return await database.fetch_all(
        "list_jobs_in_status",
        user_id=user_id,
        status=status.value,
        before_us=at.before_us,
        before_id=at.before_id,
        most=most,
    )
