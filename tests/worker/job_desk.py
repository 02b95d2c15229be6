"""Handing in jobs and looking at what becomes of them, as the API does it."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from uuid import uuid4

from genint.model import Job, JobStatus, NewJob, User
from genint.storage import Storage

LOOK_S = 0.03
WITHIN_S = 90.0
_PAST_START_S = 0.8
"""CPU time after which a worker process has imported what it needs, and computes."""
_LONG_S = 3.0
"""CPU time that no start takes, and no short job that has just ended still needs."""
_LOOKS = 3
_WATCHED_S = 0.2
_BUSY_S = 0.05
"""Of the time watched: a process that waits for its next work has less."""


async def until(condition: Callable[[], Awaitable[bool]], *, within_s: float = WITHIN_S) -> None:
    """Wait for a condition to come true; TimeoutError when it does not."""
    async with asyncio.timeout(within_s):
        while not await condition():
            await asyncio.sleep(LOOK_S)


class Desk:
    """Hands in jobs and waits for what becomes of them."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self.jobs = storage.jobs
        self._users: dict[str, str] = {}

    async def submit(
        self,
        genome: Path | bytes,
        *,
        name: str | None = None,
        by: str = "ann",
        mode: str = "offline",
    ) -> str:
        """Hand in a genome; id of its job."""
        job_id = str(uuid4())
        content = genome if isinstance(genome, bytes) else genome.read_bytes()
        upload = self.storage.files.new_upload(job_id, ".fasta")
        await upload.open()
        await upload.write(content)
        stored = await upload.commit()
        filename = name or (genome.name if isinstance(genome, Path) else "mine.fasta")
        job = NewJob(job_id, await self._user(by), filename, stored, False, mode)
        await self.jobs.submit(job, max_pending=1000)
        return job_id

    async def _user(self, name: str) -> str:
        if name not in self._users:
            user = User(str(uuid4()), f"{name}@example.org", name, "")
            assert await self.storage.accounts.add_user(user, "no hash")
            self._users[name] = user.id
        return self._users[name]

    async def job(self, job_id: str) -> Job:
        job = await self.jobs.get(job_id)
        assert job is not None
        return job

    async def reach(
        self, job_id: str, *statuses: JobStatus, attempt: int = 0, within_s: float = WITHIN_S
    ) -> Job:
        """The job, once it has one of these statuses (at this attempt or a later one)."""

        async def there() -> bool:
            job = await self.job(job_id)
            assert job.status in statuses or not job.status.is_terminal, job
            return job.status in statuses and job.attempt >= attempt

        await until(there, within_s=within_s)
        return await self.job(job_id)

    async def completed(self, job_id: str, **options: float) -> Job:
        return await self.reach(job_id, JobStatus.COMPLETED, **options)

    async def at_stage(self, job_id: str, stage: str) -> Job:
        """The job, once its stage is shown, which is written within half a second."""

        async def there() -> bool:
            return (await self.job(job_id)).stage == stage

        await until(there)
        return await self.job(job_id)

    async def computing(self, *job_ids: str) -> None:
        """Wait until jobs run, and as many worker processes are past their start."""
        for job_id in job_ids:
            await self.reach(job_id, JobStatus.RUNNING)

        async def compute() -> bool:
            return len(worked(least_s=_PAST_START_S)) >= len(job_ids)

        await until(compute)

    def published(self, job_id: str) -> list[str]:
        """Names of the files that lie there for a job, after its id."""
        return sorted(
            file.name.removeprefix(f"{job_id}.")
            for file in self.storage.files.objects.path("reports").iterdir()
            if file.name.startswith(job_id)
        )

    def leftovers(self) -> list[Path]:
        """What lies in the scratch folder."""
        return list((self.storage.files.uploads.parent / "scratch").iterdir())


def files_of(*attempts: int) -> list[str]:
    """Names of the published files of attempts."""
    return sorted(
        f"{attempt}.{ending}"
        for attempt in attempts
        for ending in ("html", "json.gz", "genes.json")
    )


def workers() -> list[int]:
    """Process ids of our worker processes."""
    found = []
    for task in Path(f"/proc/{os.getpid()}/task").iterdir():
        for child in _text(task / "children").split():
            if "spawn_main" in _text(Path(f"/proc/{child}/cmdline")):
                found.append(int(child))
    return found


def cpu_s(pid: int) -> float:
    """CPU time that a process has used; 0 when it is gone."""
    fields = _text(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    if not fields:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def stopped_busiest_worker() -> int:
    """The worker process that computes a long job, stopped so that it ends nothing more.

    Without the stop it could end its work and be given another job's before it is killed.
    A process that still starts, or that tidies up after a short job, is busy too: so it must
    have worked for longer than either takes, and be busy each time that it is looked at. It may
    end its work after the last look: then it waits for more, which would be another job's.
    """
    while True:
        looks = [_used_s(worked(least_s=_LONG_S)) for _ in range(_LOOKS)]
        busy = [pid for pid in looks[0] if all(look.get(pid, 0) >= _BUSY_S for look in looks)]
        if busy:
            busiest = max(busy, key=lambda pid: sum(look[pid] for look in looks))
            os.kill(busiest, signal.SIGSTOP)
            if _stopped_computing(busiest):
                return busiest
            os.kill(busiest, signal.SIGCONT)


def _stopped_computing(pid: int) -> bool:
    """Whether a process was stopped while it computed, and not while it waited in a system call."""
    process = Path(f"/proc/{pid}")
    while _text(process / "stat").rpartition(")")[2].split()[0] not in "Tt":
        time.sleep(LOOK_S)
    return _text(process / "syscall").startswith("-1")


def _used_s(pids: Sequence[int]) -> dict[int, float]:
    """CPU time that each of these processes uses in the time watched."""
    before = {pid: cpu_s(pid) for pid in pids}
    time.sleep(_WATCHED_S)
    return {pid: cpu_s(pid) - was for pid, was in before.items()}


def worked(*, least_s: float) -> list[int]:
    """Worker processes that have computed for some time since they started."""
    return [pid for pid in workers() if cpu_s(pid) >= least_s]


def _text(file: Path) -> str:
    """What a file of the system says; nothing when its process is gone."""
    try:
        return file.read_text()
    except OSError:
        return ""
