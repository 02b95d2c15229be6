"""Lists of jobs, page by page in an order that new jobs do not disturb."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from genint.model.job import Job, JobStatus
from genint.storage.cursors import Cursor
from genint.storage.database import Database, Row
from genint.storage.job_rows import job_from_row
from genint.storage.paging import Source, read_list

PAGE = 250
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

    source = Source(read, lambda row: Cursor(row["created_at"], row["id"]), PAGE)
    return JobPage(*await read_list(source, job_from_row, limit=limit, cursor=cursor))


async def known_ids(database: Database, job_ids: Sequence[str]) -> frozenset[str]:
    """Those of some ids that are jobs."""
    known: set[str] = set()
    for first in range(0, len(job_ids), PAGE):
        some = json.dumps(job_ids[first : first + PAGE])
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
