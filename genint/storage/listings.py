"""Lists that are read page by page, and rows of the database as the values of the model."""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Generic, NamedTuple, Self, TypeVar

from genint.errors import InvalidRequest, InvalidValue
from genint.model.job import GeneCounts, Job, JobStatus
from genint.storage.database import Database, Row, Session
from genint.storage.statements import Value

LATEST_US = 2**63 - 1
"""After every time that a database holds."""

MOST_LISTED = 500
"""Entries of a list that are given at once; the others come by its cursor."""


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


class Listing(NamedTuple, Generic[_Entry]):
    """What a list is made of.

    Attributes:
        entry: An entry from its row.
        has_positions: The entries are genes, each with a position in its job.
    """

    entry: Callable[[Row], _Entry]
    has_positions: bool = False

    def behind(self, row: Row) -> Cursor:
        """The cursor behind a row."""
        if self.has_positions:
            return Cursor(row["created_at"], row["job_id"], row["position"])
        return Cursor(row["created_at"], row["id"])


async def read_list(
    database: Database,
    statement: str,
    listing: Listing[_Entry],
    *,
    limit: int,
    cursor: str | None,
    **values: Value,
) -> tuple[tuple[_Entry, ...], str | None]:
    """Entries of a list after a cursor, made of their rows in a thread.

    Args:
        database: Where it is.
        statement: Reads ``most`` rows behind a cursor.
        listing: What to make of them.
        limit: How many entries at most, 1 to ``MOST_LISTED``.
        cursor: Where to go on; None for the beginning.
        values: Of the statement, besides those.

    Returns:
        The entries, and the cursor behind them; None at the end of the list.

    Raises:
        InvalidRequest: the cursor does not come from such a list.
    """
    at = Cursor.parse(cursor)
    rows = await database.fetch_all(
        statement,
        before_us=at.before_us,
        before_id=at.before_id,
        most=limit + 1,  # one more: is there more?
        **({"after_position": at.after_position} if listing.has_positions else {}),
        **values,
    )
    entries = await asyncio.to_thread(lambda: tuple(map(listing.entry, rows[:limit])))
    return entries, str(listing.behind(rows[limit - 1])) if len(rows) > limit else None


MICROSECONDS = 1_000_000
"""In a second."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def time_from_us(microseconds: int) -> datetime:
    """Aware time in UTC from microseconds since 1970."""
    return EPOCH + timedelta(microseconds=microseconds)


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
        ignore_annotations=bool(row["ignore_annotations"]),
        status=JobStatus(row["status"]),
        attempt=row["attempt"],
        owner=row["owner"],
        strikes=row["strikes"],
        restarts=row["restarts"],
        progress=row["progress"],
        stage=row["stage"],
        remaining_seconds=row["remaining_seconds"],
        bases=row["bases"],
        proteins=row["proteins"],
        error_message=row["error_message"],
        report_attempt=row["report_attempt"],
        report_version=row["report_version"],
        counts=GeneCounts(
            total_genes=row["total_genes"],
            interpreted_genes=row["interpreted_genes"],
            high_confidence=row["high_confidence"],
            dark=row["dark"],
            supported_genes=row["supported_genes"],
            file_only_genes=row["file_only_genes"],
        ),
        processing_time_seconds=row["processing_time_seconds"],
        created_at=time_from_us(row["created_at"]),
        queued_at=time_from_us(row["queued_at"]),
        started_at=optional_time(row["started_at"]),
        finished_at=optional_time(row["finished_at"]),
        locus_tag_prefix=row["locus_tag_prefix"],
        run_date=date.fromisoformat(row["run_date"]) if row["run_date"] else None,
        idempotency_key=row["idempotency_key"],
        fingerprint=row["fingerprint"],
    )


async def existing_job(session: Session, job_id: str) -> Job:
    """A job that this transaction has just written."""
    row = await session.fetch_one("get_job", id=job_id)
    if row is None:
        raise LookupError(job_id)
    return job_from_row(row)
