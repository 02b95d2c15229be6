"""Tidying removes what is past its time or has no owner, and nothing else."""

from __future__ import annotations

import os
import time

from genint.model import JobStatus
from genint.storage import guests
from genint.storage.files import upload_name
from genint.worker import supervisor
from genint.worker.supervisor import sweep_leases, take_over, tidy
from tests.worker.job_desk import files_of

AN_HOUR_AND_MORE_S = 4000


def age(file):
    """Make a file look as if nobody had touched it for more than an hour."""
    then = time.time() - AN_HOUR_AND_MORE_S
    os.utime(file, (then, then))


async def test_files_that_no_job_names_are_removed_and_those_of_jobs_stay(
    desk, supervising, examples
):
    job_id = await desk.submit(examples / "phiX174.gbk")
    async with supervising():
        await desk.completed(job_id)
    files = desk.storage.files
    stray = files.new_upload("00000000-0000-4000-8000-000000000000", ".gb")
    await stray.open()
    await stray.write(b"LOCUS")
    stray_path = files.objects.path(upload_name(await stray.commit()))
    for folder in (files.uploads, files.objects.path("reports")):
        for file in folder.iterdir():
            age(file)
    await tidy(desk.storage, None)
    assert not stray_path.exists()
    assert await files.has_upload((await desk.job(job_id)).upload)
    assert desk.published(job_id) == files_of(1)


async def test_without_retention_old_jobs_stay_and_with_it_they_go_with_their_files(
    desk, supervising, examples
):
    job_id = await desk.submit(examples / "phiX174.gbk")
    waiting = await desk.submit(examples / "phiX174.gbk")
    async with supervising(workers=1):
        upload = (await desk.completed(job_id)).upload
        await desk.jobs.cancel(waiting)
    pending = await desk.submit(examples / "phiX174.gbk")
    await tidy(desk.storage, None)
    assert await desk.jobs.get(job_id) is not None
    await tidy(desk.storage, 0)
    assert await desk.jobs.get(job_id) is None
    assert not await desk.storage.files.has_upload(upload)
    assert desk.published(job_id) == []
    assert (await desk.job(pending)).status is JobStatus.PENDING
    assert await desk.storage.files.has_upload((await desk.job(pending)).upload)


async def test_guests_go_when_their_day_is_over(desk, monkeypatch):
    staying = await desk.storage.guests.add("192.0.2.1")
    monkeypatch.setattr(guests, "GUEST_S", 0)
    gone = await desk.storage.guests.add("192.0.2.2")
    await tidy(desk.storage, None)
    assert await desk.storage.accounts.account(gone.id) is None
    assert await desk.storage.accounts.account(staying.id)


async def test_uploads_of_cancelled_jobs_go_after_a_day(desk, monkeypatch):
    cancelled, waiting = await desk.submit(b">a\nACGT\n"), await desk.submit(b">b\nACGT\n")
    await desk.jobs.cancel(cancelled)
    await tidy(desk.storage, None)
    assert await desk.storage.files.has_upload((await desk.job(cancelled)).upload)
    monkeypatch.setattr(supervisor, "CANCELLED_KEPT_DAYS", 0)
    await tidy(desk.storage, None)
    assert not await desk.storage.files.has_upload((await desk.job(cancelled)).upload)
    assert await desk.storage.files.has_upload((await desk.job(waiting)).upload)


async def test_a_sweep_leaves_held_jobs_alone_and_a_start_takes_them_over(desk):
    job_id = await desk.submit(b">one\nACGT\n")
    assert await desk.jobs.claim("somebody") is not None
    assert await sweep_leases(desk.jobs) == ()
    assert (await desk.job(job_id)).status is JobStatus.RUNNING
    assert await take_over(desk.jobs) == (job_id,)
    assert (await desk.job(job_id)).status is JobStatus.PENDING
