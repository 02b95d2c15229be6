"""Tidying up: jobs that nobody works on any more, old jobs, files that nobody names."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from typing import Final

from genint.storage import FileStore, JobStore, Storage

SWEEP_EVERY_S: Final = 15.0
TIDY_EVERY_S: Final = 3600.0
_LOG = logging.getLogger("genint.worker")


async def sweep_leases(jobs: JobStore) -> tuple[str, ...]:
    """Put jobs back whose worker is gone; several sweepers do no harm. Their ids."""
    swept = await jobs.sweep()
    if swept:
        _tell("leases_swept", job_ids=swept)
    return swept


async def take_over(jobs: JobStore) -> tuple[str, ...]:
    """Put all running jobs back at once, where nobody else can be working. Their ids."""
    requeued = await jobs.requeue_running()
    if requeued:
        _tell("jobs_requeued", job_ids=requeued)
    return requeued


async def tidy(storage: Storage, retention_days: int | None) -> None:
    """Delete jobs past their time, and files that no job names.

    Args:
        storage: Jobs and files.
        retention_days: Age of ended jobs to be deleted; None keeps all.
    """
    if retention_days is not None:
        deleted = await storage.jobs.delete_ended_before(retention_days)
        await asyncio.to_thread(_remove_jobs, storage.files, [job.id for job in deleted])
        if deleted:
            _tell("old_jobs_deleted", jobs=len(deleted))
    removed = await storage.sweep_files()
    if removed:
        _tell("files_without_job_removed", jobs=removed)


def _remove_jobs(files: FileStore, job_ids: Iterable[str]) -> None:
    for job_id in job_ids:
        files.remove_job(job_id)


def _tell(event: str, **more: object) -> None:
    _LOG.info(event.replace("_", " "), extra={"event": event, **more})
