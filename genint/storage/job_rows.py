"""Jobs as the database holds them."""

from __future__ import annotations

from genint.model.job import GeneCounts, Job, JobStatus
from genint.storage.database import Row, Session
from genint.storage.times import optional_time, time_from_us


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
