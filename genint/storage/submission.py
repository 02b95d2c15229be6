"""Handing in a job: at most once per idempotency key, at most so many that wait."""

from __future__ import annotations

from typing import NamedTuple

from genint.errors import NotFound
from genint.model.job import Job, NewJob
from genint.storage.database import Session
from genint.storage.job_rows import existing_job, job_from_row
from genint.storage.notices import Notice


class Submitted(NamedTuple):
    """A job that was handed in, or the first one with the same idempotency key."""

    job: Job
    is_new: bool


async def submit_job(session: Session, job: NewJob, *, max_pending: int) -> Submitted | None:
    """Hand in a job within a transaction.

    Submissions of one user come one after another, so that counting and adding is one
    step.

    Returns:
        The new job, or the first one of this user with the same idempotency key; None
        where ``max_pending`` jobs of the user wait already.

    Raises:
        NotFound: there is no such user.
    """
    if await session.fetch_one("lock_user", id=job.user_id) is None:
        raise NotFound("There is no such user.")
    if job.idempotency_key is not None:
        first = await session.fetch_one(
            "get_job_by_key", user_id=job.user_id, idempotency_key=job.idempotency_key
        )
        if first is not None:
            return Submitted(job_from_row(first), is_new=False)
    counted = await session.fetch_one("count_pending", user_id=job.user_id)
    if counted is None or counted["pending"] >= max_pending:
        return None
    await session.execute("add_job", **_columns(job))
    await session.announce(Notice("queued", job.id))
    return Submitted(await existing_job(session, job.id), is_new=True)


def _columns(job: NewJob) -> dict[str, str | bool | None]:
    return {
        "id": job.id,
        "user_id": job.user_id,
        "filename": job.filename,
        "upload": job.upload,
        "phage_mode": job.phage_mode,
        "mode": job.mode,
        "idempotency_key": job.idempotency_key,
        "fingerprint": job.fingerprint,
    }
