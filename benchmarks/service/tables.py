"""How the tables of PostgreSQL behave when they are large.

    python -m benchmarks.service.tables [--jobs 100000] [--dark-genes 100] [--out FILE]

Fills a private PostgreSQL with jobs and their dark genes as the service stores them (of 1,000
users, the first of whom have the most), and measures what API and workers do with them: medians
and 99 % of calls of the storage layer, one at a time, and sizes of tables and indexes. A job has
100 dark genes on average: 20 (a phage) or 553 (a bacterium, 15 of 100 jobs).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

import asyncpg

from benchmarks.service.running import Failed
from genint.model.job import DarkGene, GeneCounts, Job, JobStatus, NewJob, Outcome
from genint.storage import Storage, StorageAddress, open_storage
from tests.servers.private_servers import PostgresServer

OUT: Final = Path(__file__).with_name("tables.json")
USERS: Final = 1_000
_PHAGE_SHARE: Final = 0.85
_PHAGE_DARK: Final = 20
_WAITING: Final = 10_000
_JOBS_AT_ONCE: Final = 20_000
_LEAST_FREE_BYTES: Final = 6_000_000_000
_CALLS: Final = 200
_LONGEST_S: Final = 20.0
_OWNER: Final = "a-worker"
_PAGE: Final = 50
_SERVER: Final = {
    "shared_buffers": "1GB",
    "max_wal_size": "4GB",
    "maintenance_work_mem": "512MB",
    "autovacuum": "off",  # VACUUM ANALYZE at the end instead
}

_ADD_USERS: Final = """
INSERT INTO users (
    id, email, email_identity, first_name, last_name, password_hash, created_at
)
SELECT gen_random_uuid(), n || '@example.org', n || '@example.org', 'A', 'B', 'x', n
FROM generate_series(1, $1::bigint) AS n
"""
_ADD_JOBS: Final = """
WITH numbered AS (SELECT id, row_number() OVER (ORDER BY created_at) AS n FROM users),
drawn AS MATERIALIZED (
    SELECT
        n, gen_random_uuid()::text AS id, random() AS kind, random() AS share,
        1 + floor($1::bigint * random() ^ 3)::bigint AS user_number,
        now_us() - ($2::bigint - n) * 31500000 AS at
    FROM generate_series($3::bigint + 1, $4::bigint) AS n
),
stated AS (
    SELECT d.*, CASE
        WHEN n > $2 - $5::bigint THEN 'PENDING' WHEN share < 0.95 THEN 'COMPLETED'
        WHEN share < 0.98 THEN 'FAILED' ELSE 'CANCELLED' END AS status
    FROM drawn AS d
)
INSERT INTO jobs (
    id, user_id, filename, upload, phage_mode, mode, fingerprint, status, attempt, progress,
    error_message, report_attempt, report_version, total_genes, interpreted_genes,
    high_confidence, dark, supported_genes, file_only_genes, processing_time_seconds, created_at,
    queued_at, started_at, finished_at, upload_bytes, result_bytes, bases
)
SELECT
    s.id, u.id, 'genome_' || s.n || '.fasta', s.id || '.fasta', kind < $6::float8, 'offline',
    encode(sha256(s.id::bytea), 'hex'), status, CASE status WHEN 'PENDING' THEN 0 ELSE 1 END,
    CASE status WHEN 'COMPLETED' THEN 1 ELSE 0 END,
    CASE status WHEN 'FAILED' THEN 'The file cannot be read' END,
    CASE status WHEN 'COMPLETED' THEN 1 END, CASE status WHEN 'COMPLETED' THEN '0.1.0' END,
    CASE WHEN kind < $6 THEN 60 ELSE 4000 END, 40, 20,
    CASE WHEN status <> 'COMPLETED' THEN 0 WHEN kind < $6 THEN $7::bigint ELSE $8::bigint END,
    40, 0, 12, at, at, CASE WHEN status <> 'PENDING' THEN at END,
    CASE WHEN status <> 'PENDING' THEN at + 12000000 END, 50000, 600000, 48502
FROM stated AS s INNER JOIN numbered AS u ON s.user_number = u.n
"""
_ADD_DARK_GENES: Final = """
INSERT INTO dark_genes (job_id, position, id, name, locus)
SELECT
    j.id, g - 1, 'contig_1_' || lpad((g * 10)::text, 5, '0'), 'hypothetical protein',
    (g * 1000) || '-' || (g * 1000 + 800) || ' (+)'
FROM (SELECT id, dark FROM jobs WHERE id > $1 AND id <= $2) AS j
CROSS JOIN LATERAL generate_series(1, j.dark) AS g
ORDER BY j.id, g
"""
_BORDERS: Final = """
SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM jobs) AS j
WHERE n % $1 = 0 ORDER BY id
"""
_SIZES: Final = """
SELECT relname, pg_relation_size(oid) AS bytes FROM pg_class
WHERE relname LIKE 'jobs%' OR relname LIKE 'dark_genes%' ORDER BY bytes DESC
"""
Call = Callable[[], Awaitable[object]]


def started_server() -> PostgresServer:
    """A private server with memory as one of a service has it, which syncs every commit.

    Raises:
        Failed: PostgreSQL is not installed.
    """
    server = PostgresServer.started()
    if server is None:
        raise Failed("PostgreSQL is not installed")
    asyncio.run(_configure(server.url()))
    server.restart()
    return server


async def _configure(url: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        for name, value in (_SERVER | {"fsync": "on", "full_page_writes": "on"}).items():
            await connection.execute(f"ALTER SYSTEM SET {name} TO '{value}'")
    finally:
        await connection.close()


async def fill(url: str, jobs: int, dark_genes: float) -> dict[str, int]:
    """Jobs, then the dark genes of those that are COMPLETED; how many there are.

    Args:
        url: Of a database that has the tables, empty.
        jobs: How many.
        dark_genes: Of a job, on average.

    Raises:
        Failed: the disk has too little room.
    """
    bacterium_dark = round((dark_genes - _PHAGE_SHARE * _PHAGE_DARK) / (1 - _PHAGE_SHARE))
    waiting = min(_WAITING, jobs // 10)
    connection = await asyncpg.connect(url, command_timeout=3_600)
    try:
        # Rows that are made together need no check of each one's job.
        await connection.execute("SET session_replication_role = replica")
        await connection.execute("SET synchronous_commit = off")
        await connection.execute(_ADD_USERS, USERS)
        dark = (_PHAGE_SHARE, _PHAGE_DARK, bacterium_dark)
        for first in range(0, jobs, _JOBS_AT_ONCE):
            last = min(jobs, first + _JOBS_AT_ONCE)
            await connection.execute(_ADD_JOBS, USERS, jobs, first, last, waiting, *dark)
        await connection.execute("ANALYZE jobs")
        borders = [row["id"] for row in await connection.fetch(_BORDERS, _JOBS_AT_ONCE)]
        for before, upto in zip(["", *borders], [*borders, "~"], strict=True):
            if shutil.disk_usage(tempfile.gettempdir()).free < _LEAST_FREE_BYTES:
                raise Failed("the disk has too little room; choose fewer jobs")
            await connection.execute(_ADD_DARK_GENES, before, upto)
            print(f"  jobs up to {upto[:8]} have their dark genes", flush=True)
        await connection.execute("VACUUM ANALYZE")
        tables = ("users", "jobs", "dark_genes")
        return {name: await connection.fetchval(f"SELECT count(*) FROM {name}") for name in tables}  # noqa: S608 - our names
    finally:
        await connection.close()


async def measured(call: Call) -> dict[str, float]:
    """Milliseconds of a call, made again and again for some seconds at most."""
    taken_ms: list[float] = []
    until = time.monotonic() + _LONGEST_S
    while len(taken_ms) < _CALLS and (time.monotonic() < until or not taken_ms):
        begin = time.perf_counter()
        await call()
        taken_ms.append((time.perf_counter() - begin) * 1_000)
    taken_ms.sort()
    at = max(0, math.ceil(0.99 * len(taken_ms)) - 1)
    return {
        "median_ms": round(statistics.median(taken_ms), 2),
        "p99_ms": round(taken_ms[at], 2),
        "calls": len(taken_ms),
    }


class Work:
    """What API and workers do, each as a call that can be repeated.

    Args:
        storage: Of the filled database.
        users: Ids, those with the most jobs first.
        job_ids: Of COMPLETED jobs, drawn at random.
    """

    def __init__(self, storage: Storage, users: Sequence[str], job_ids: Sequence[str]) -> None:
        self._jobs = storage.jobs
        self._random = random.Random(1)
        self._users = users
        self._job_ids = job_ids
        self._held: list[Job] = []

    def calls(self) -> dict[str, Call]:
        """By name, in an order in which each finds what it needs."""
        jobs, largest, usual = self._jobs, self._users[0], self._users[len(self._users) // 2]
        found: dict[str, Call] = {
            "detail of a job": lambda: jobs.get(self._random.choice(self._job_ids)),
            "submit a job": self._submit,
            "claim a job": self._claim,
            "extend the leases of a worker": lambda: jobs.extend(_OWNER),
            "finish a job with 100 dark genes": self._finish,
            "look for lost leases": jobs.sweep,
            "length of the queue": jobs.queue_state,
            "places of 50 waiting jobs": self._places,
            "delete a job with its dark genes": self._delete,
        }
        for whose, user in (("the largest user", largest), ("a usual user", usual)):
            found |= {
                f"first page of jobs, {whose}": self._listed(user),
                f"first page of failed jobs, {whose}": self._listed(user, status=JobStatus.FAILED),
                f"jobs with 77 in their name, {whose}": self._listed(user, search="77"),
                f"jobs by most dark genes, {whose}": self._listed(user, sort="-dark_count"),
                f"first page of dark genes, {whose}": self._dark(user),
                f"a deep page of dark genes, {whose}": self._deep(user),
                f"room for an upload, {whose}": self._room(user),
            }
        return found

    def _listed(self, user: str, **chosen: object) -> Call:
        return lambda: self._jobs.list(user, limit=_PAGE, **chosen)  # type: ignore[arg-type]

    def _dark(self, user: str) -> Call:
        return lambda: self._jobs.dark_genes(user, limit=_PAGE)

    def _deep(self, user: str) -> Call:
        cursor: str | None = None

        async def read() -> None:
            nonlocal cursor
            for _ in range(40 if cursor is None else 1):
                page = await self._jobs.dark_genes(user, limit=500, cursor=cursor)
                cursor = page.next_cursor or cursor

        return read

    def _room(self, user: str) -> Call:
        return lambda: self._jobs.check_room(
            user,
            idempotency_key=None,
            upload_bytes=50_000,
            max_pending=1_000_000,
            max_stored_bytes=10**15,
        )

    async def _submit(self) -> None:
        number = self._random.getrandbits(128)
        user = self._random.choice(self._users)
        name = f"{number:032x}"
        job = NewJob(name, user, "new.fasta", name, True, "offline", upload_bytes=50_000)
        await self._jobs.submit(job, max_pending=1_000_000, max_stored_bytes=10**15)

    async def _claim(self) -> None:
        job = await self._jobs.claim(_OWNER)
        if job is None:
            raise Failed("no job waits")
        self._held.append(job)

    async def _finish(self) -> None:
        if not self._held:
            await self._claim()
        genes = tuple(
            DarkGene(f"contig_1_{n:05d}", "hypothetical protein", f"{n}-{n + 800} (+)")
            for n in range(100)
        )
        outcome = Outcome(GeneCounts(160, 60, 20, 100, 60, 0), genes, "0.1.0", 600_000)
        if not await self._jobs.finish(self._held.pop().lease, outcome):
            raise Failed("a lease was lost")

    async def _places(self) -> None:
        page = await self._jobs.list(self._users[0], status=JobStatus.PENDING, limit=_PAGE)
        await self._jobs.queue_places([job.id for job in page.jobs])

    async def _delete(self) -> None:
        await self._jobs.delete(self._random.choice(self._job_ids))


async def measure(url: str, folder: Path) -> dict[str, object]:
    """Times of all calls, and sizes."""
    connection = await asyncpg.connect(url)
    try:
        ranked = "SELECT user_id FROM jobs GROUP BY user_id ORDER BY count(*) DESC"
        users = [row["user_id"] for row in await connection.fetch(ranked)]
        drawn = "SELECT id FROM jobs WHERE status = 'COMPLETED' ORDER BY random() LIMIT 5000"
        job_ids = [row["id"] for row in await connection.fetch(drawn)]
        sizes = {row["relname"]: row["bytes"] for row in await connection.fetch(_SIZES)}
        of_user = "SELECT count(*) AS jobs, sum(dark) AS dark_genes FROM jobs WHERE user_id = $1"
        examples = {
            whose: {
                name: int(value)
                for name, value in (await connection.fetchrow(of_user, user)).items()
            }
            for whose, user in (("largest", users[0]), ("usual", users[len(users) // 2]))
        }
    finally:
        await connection.close()
    times = {}
    async with open_storage(StorageAddress(folder, folder / "unused", url)) as storage:
        for name, call in Work(storage, users, job_ids).calls().items():
            times[name] = await measured(call)
            print(f"  {name:50s} {times[name]['median_ms']:10.2f} ms", flush=True)
    return {"users": examples, "bytes": sizes, "times": times}


async def _tables(url: str, folder: Path) -> None:
    """Bring an empty database to the schema of this version."""
    async with open_storage(StorageAddress(folder, folder / "unused", url)):
        pass


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=100_000, help="how many (default: 100000)")
    parser.add_argument("--dark-genes", type=float, default=100, help="of a job (default: 100)")
    parser.add_argument("--out", type=Path, default=OUT, help="where figures are written")
    options = parser.parse_args()
    server = started_server()
    try:
        with tempfile.TemporaryDirectory(prefix="genint-tables-") as name:
            folder, url = Path(name), server.create_database()
            begin = time.monotonic()
            asyncio.run(_tables(url, folder))
            rows = asyncio.run(fill(url, options.jobs, options.dark_genes))
            filled_s = round(time.monotonic() - begin)
            print(f"{rows} in {filled_s} s", flush=True)
            made = {"cores": os.cpu_count(), "rows": rows, "filled_s": filled_s}
            figures = made | asyncio.run(measure(url, folder))
        options.out.write_text(json.dumps(figures, indent=1) + "\n")
    finally:
        server.close()


if __name__ == "__main__":
    main()
