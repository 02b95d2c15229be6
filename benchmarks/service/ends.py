"""How the service starts and ends."""

from __future__ import annotations

import asyncio
import time
from datetime import datetime
from uuid import uuid4

from benchmarks.service.client import Client
from benchmarks.service.figures import AtLeast, AtMost, Board, percentile
from benchmarks.service.request_rates import LAMBDA, Effort
from benchmarks.service.running import Failed, Running, Site
from genint.model.job import NewJob
from genint.settings import Settings
from genint.storage import StorageAddress, open_storage


def ends(site: Site, board: Board, effort: Effort) -> None:
    """From SIGTERM to the end: idle, and with running and waiting jobs; nothing is lost."""
    board.title(f"{site.name}: SIGTERM")
    idle, working = [], []
    with site.serve() as running:
        client = Client.signed_up(running.url)
        client.until(client.submit(LAMBDA), "COMPLETED")
        idle.append(_stopped(running))
    count = 0
    for _ in range(1 + effort.small // 2):
        with site.serve() as running:
            client = client.moved(running.url)
            for _ in range(12 if count else 100):
                client.submit(LAMBDA)
                count += 1
            time.sleep(0.5)  # four are at work
            working.append(_stopped(running))
    with site.serve() as running:
        client = client.moved(running.url)
        client.all_ended(limit_s=30 * count)
        statuses = [job["status"] for job in client.jobs()]
    board.figure("idle: ended after", max(idle), "s", AtMost(10))
    board.figure("four running, others waiting: p50", percentile(working, 50), "s")
    board.figure("four running, others waiting: max", max(working), "s", AtMost(10))
    completed = statuses.count("COMPLETED")
    board.figure("COMPLETED after the restarts", completed, f"of {count + 1}", AtLeast(count + 1))


def start(site: Site, board: Board, effort: Effort) -> None:
    """From start to ready with many waiting jobs, and how fast they are worked off."""
    count = effort.waiting
    board.title(f"{site.name}: {count:,} waiting jobs that do nothing")
    with site.serve() as running:
        client = Client.signed_up(running.url)
        board.figure("start to ready, empty", running.ready_s, "s", AtMost(3))
    asyncio.run(_fill(site, client.user_id, count))
    with site.serve(variant="nothing") as running:
        board.figure(f"start to ready, {count:,} jobs wait", running.ready_s, "s", AtMost(3))
        client = client.moved(running.url)
        client.all_ended(limit_s=600)
        jobs = [job for job in client.jobs() if job["filename"] == "waiting.fasta"]
    if len(jobs) != count or any(job["status"] != "COMPLETED" for job in jobs):
        raise Failed("not every waiting job is COMPLETED")
    first = min(datetime.fromisoformat(job["started_at"]) for job in jobs)
    last = max(datetime.fromisoformat(job["finished_at"]) for job in jobs)
    rate = count / (last - first).total_seconds()
    board.figure("sustained, jobs that do nothing", rate, "jobs/s", AtLeast(100))


def _stopped(running: Running) -> float:
    seconds, status = running.stop()
    if status != 0:
        raise Failed(f"ended with exit status {status}")
    return seconds


async def _fill(site: Site, user_id: str, count: int) -> None:
    """Rows of waiting jobs, written while no service runs."""
    settings = Settings.from_environment(site.environment)
    address = StorageAddress(settings.data_folder, settings.sqlite_file, settings.database_url)
    async with open_storage(address) as storage:
        for _ in range(count):
            job = NewJob(
                id=str(uuid4()),
                user_id=user_id,
                filename="waiting.fasta",
                upload=f"{uuid4()}.fasta",
                phage_mode=False,
                mode="offline",
            )
            await storage.jobs.submit(job, max_pending=10 * count)
