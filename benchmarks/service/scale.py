"""What one more service and one more worker bring and cost, on PostgreSQL.

    python -m benchmarks.service.scale [--quick]

Measures a rolling restart of two services under load, one and two services behind a proxy, and
what the queue, connections, heartbeats and files of jobs cost. Figures are printed and written
to scale.json beside this file. Everything is on this machine: clients, proxy, services and
PostgreSQL share its cores, so two services are no faster here than the cores allow.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg

from benchmarks.service.__main__ import site as placed
from benchmarks.service.client import Client
from benchmarks.service.figures import Board
from benchmarks.service.load import MEASURED_BY, load
from benchmarks.service.request_rates import FULL, LAMBDA, QUICK, READERS, SMALL, Effort
from benchmarks.service.rolling import Fleet, restart_in_turn
from benchmarks.service.running import Failed, Running, Site, cpu_s
from genint import interpret_genome
from genint.model.job import NewJob
from genint.storage import StorageAddress, open_storage
from genint.storage.objects import FOLDERS
from genint.version import __version__
from genint.worker.supervisor import BEAT_EVERY_S

OUTPUT = Path(__file__).with_name("scale.json")
GENOME = Path(__file__).parents[2] / "examples" / "phiX174.gbk"
_PATHS = ("/health", "/auth/me", "/jobs?limit=20")
_CLAIMERS = (1, 8)
_IDLE_S = 20.0

Figures = dict[str, Any]


def rolling(site: Site, effort: Effort) -> Figures:
    """Requests and jobs while two services are restarted in turn."""
    found = restart_in_turn(site, SMALL, settle_s=effort.seconds)
    return {
        "seconds": round(found.seconds, 1),
        "requests": found.requests,
        "failed_requests": len(found.failures),
        "failures": sorted(set(found.failures)),
        "slowest_request_ms": round(found.slowest_ms),
        "jobs": found.jobs,
        "lost_jobs": found.lost_jobs,
        "restart_s": [round(seconds, 1) for seconds in found.restart_s],
    }


def services(site: Site, effort: Effort, count: int) -> Figures:
    """Requests a second of cheap routes, jobs a minute of two workers in all."""
    site.environment["GENINT_CACHE_MB"] = "0"  # each job searches
    jobs = effort.jobs // 4
    with ExitStack() as stack:
        fleet = Fleet(site, count, stack, workers=2 // count)
        client = Client.signed_up(fleet.proxy.url)
        stack.callback(client.close)
        client.until(client.submit(LAMBDA), "COMPLETED")
        rates: Figures = {}
        for path in _PATHS:
            request = client.request(f"/api/v1{path}")
            before = sum(cpu_s(one.pid) for one in fleet.services)
            began = time.monotonic()
            got = load(request, clients=READERS, seconds=effort.seconds, repeats=effort.repeats)
            spent = sum(cpu_s(one.pid) for one in fleet.services) - before
            sent = got.per_s * (time.monotonic() - began)
            rates[path] = {
                "requests_per_s": round(got.per_s),
                "p99_ms": round(got.p99_ms, 1),
                "cpu_ms_per_request": round(1000 * spent / sent, 2),
            }
        connections = asyncio.run(_connections(site))
        began = time.monotonic()
        for _ in range(jobs):
            client.submit(LAMBDA)
        client.all_ended(limit_s=60 * jobs)
        minutes = (time.monotonic() - began) / 60
    return {
        "routes": rates,
        "connections_after_load": connections,
        "lambda_jobs": jobs,
        "jobs_per_minute": round(jobs / minutes, 1),
    }


def queue(site: Site, effort: Effort) -> Figures:
    """Claims a second, by one process and by several at once; nothing is computed."""
    return {
        f"claims_per_s_by_{claimers}": round(
            asyncio.run(_claims_per_s(site, effort.waiting // 2, claimers))
        )
        for claimers in _CLAIMERS
    }


async def _claims_per_s(site: Site, jobs: int, claimers: int) -> float:
    folder = Path(site.environment["GENINT_DATA_DIR"])
    address = StorageAddress(folder, folder / "none", site.environment["DATABASE_URL"])
    async with open_storage(address) as storage:
        user = await storage.guests.add("192.0.2.1")
        for _ in range(jobs):
            job_id = str(uuid4())
            job = NewJob(job_id, user.id, "a.fasta", f"{job_id}.fasta", False, "offline")
            await storage.jobs.submit(job, max_pending=10 * jobs)

        async def claim_all(name: str) -> int:
            claimed = 0
            while await storage.jobs.claim(name) is not None:
                claimed += 1
            return claimed

        began = time.monotonic()
        claimed = sum(await asyncio.gather(*(claim_all(f"w{n}") for n in range(claimers))))
        took_s = time.monotonic() - began
        await storage.delete_account(user.id)
    return claimed / took_s


def unit_costs(site: Site, effort: Effort) -> Figures:
    """Of one service with one worker: connections, statements while idle, bytes of a job."""
    with ExitStack() as stack:
        command = (*site.command, "--workers", "1")
        running = Running(command, site.environment, site.folder / "log")
        stack.callback(running.stop)
        client = Client.signed_up(running.url)
        stack.callback(client.close)
        client.until(client.submit(LAMBDA), "COMPLETED")
        connections = asyncio.run(_connections(site))
        before = asyncio.run(_figure(site, _COMMITS)), cpu_s(running.pid)
        time.sleep(_IDLE_S)
        commits = asyncio.run(_figure(site, _COMMITS)) - before[0]
        cpu_share = (cpu_s(running.pid) - before[1]) / _IDLE_S
        rows = asyncio.run(_figure(site, _ROWS))
        jobs = effort.jobs // 4
        for _ in range(jobs):
            client.submit(LAMBDA)
        client.all_ended(limit_s=30 * jobs)
        rows = asyncio.run(_figure(site, _ROWS)) - rows
        folder = Path(site.environment["GENINT_DATA_DIR"])
        stored = sum(file.stat().st_size for name in FOLDERS for file in (folder / name).iterdir())
    return {
        "connections_idle": connections,
        "heartbeats_per_worker_and_s": round(1 / BEAT_EVERY_S, 2),
        "idle_transactions_per_s": round(commits / _IDLE_S, 1),
        "idle_cpu_percent": round(100 * cpu_share, 1),
        "genome_bytes": len(LAMBDA),
        "file_bytes_per_job": round(stored / (jobs + 1)),
        "database_bytes_per_job": round(rows / jobs),
    }


_COMMITS = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
_ROWS = "SELECT pg_database_size(current_database())"
_BACKENDS = """SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""


async def _connections(site: Site) -> int:
    return await _figure(site, _BACKENDS)


async def _figure(site: Site, query: str) -> int:
    connection = await asyncpg.connect(site.environment["DATABASE_URL"])
    try:
        return int(await connection.fetchval(query))
    finally:
        await connection.close()


def main() -> None:
    """Print all figures and write them; exit status 1 where something did not work."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="short runs, rough figures")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="file to write")
    options = parser.parse_args()
    effort = QUICK if options.quick else FULL
    parts: dict[str, Callable[[Site, Effort], Figures]] = {
        "rolling_restart": rolling,
        "one_service": lambda site, effort: services(site, effort, 1),
        "two_services": lambda site, effort: services(site, effort, 2),
        "queue": queue,
        "unit_costs": unit_costs,
    }
    board = Board()
    figures: Figures = {
        "genint": __version__,
        "cores": os.cpu_count(),
        "load_average_before": round(os.getloadavg()[0], 1),
        "measured_by": MEASURED_BY,
    }
    with tempfile.TemporaryDirectory(prefix="genint-bench-cache-") as cache:
        interpret_genome(GENOME, cache_folder=Path(cache))  # prepares the profiles for all parts
        for name, measure in parts.items():
            board.title(name.replace("_", " "))
            with placed("postgresql", Path(cache), None) as site:
                if site is None:
                    sys.exit("PostgreSQL is not installed")
                try:
                    figures[name] = measure(site, effort)
                except Failed as problem:
                    sys.exit(f"{name}: {problem}")
            board.note(json.dumps(figures[name], indent=1).replace("\n", "\n    "))
            options.output.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
