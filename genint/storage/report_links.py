"""Links by which others read a report that is not public."""

from __future__ import annotations

from datetime import datetime
from typing import Final, NamedTuple
from uuid import uuid4

from genint.errors import Conflict
from genint.storage.database import Database, Row, Session
from genint.storage.listings import optional_time, time_from_us, us_from_s

MOST_LINKS: Final = 100
"""Of one report, not counting those that have expired."""


class ReportLink(NamedTuple):
    """A link without its secret; ``expires_at`` is None for one that does not expire."""

    id: str
    created_at: datetime
    expires_at: datetime | None


class ReportLinkStore:
    """Links in the database, which knows digests of their secrets only.

    Every method raises DatabaseAway where the database does not answer.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, job_id: str, digest: str, *, valid_s: float | None) -> ReportLink:
        """Add a link to the report of a job.

        Args:
            job_id: Whose report.
            digest: Of the secret in the link.
            valid_s: How long it is valid; None: until it is revoked.

        Raises:
            Conflict: there are ``MOST_LINKS`` already.
        """
        values = {"id": str(uuid4()), "job_id": job_id, "digest": digest}
        valid_us = None if valid_s is None else us_from_s(valid_s)

        async def work(session: Session) -> Row | None:
            await session.execute("drop_expired_report_links", job_id=job_id)
            counted = await session.fetch_one("count_report_links", job_id=job_id)
            if counted is None or counted["total"] >= MOST_LINKS:
                return None
            return await session.fetch_one("add_report_link", **values, valid_us=valid_us)

        row = await self._database.transact(work)
        if row is None:
            raise Conflict(f"A report may have {MOST_LINKS} links; revoke one first")
        return _link(row)

    async def list(self, job_id: str) -> tuple[ReportLink, ...]:
        """The links that are valid, newest first."""
        rows = await self._database.fetch_all("list_report_links", job_id=job_id)
        return tuple(map(_link, rows))

    async def is_valid(self, job_id: str, digest: str) -> bool:
        """Whether a secret of that digest opens the report of a job now."""
        found = await self._database.fetch_one("find_report_link", job_id=job_id, digest=digest)
        return found is not None

    async def revoke(self, job_id: str, link_id: str) -> bool:
        """Delete a link; False where the job has no such link."""
        return bool(await self._database.execute("delete_report_link", id=link_id, job_id=job_id))


def _link(row: Row) -> ReportLink:
    return ReportLink(row["id"], time_from_us(row["created_at"]), optional_time(row["expires_at"]))
