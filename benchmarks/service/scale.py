"""What one more service and one more worker bring and cost, on PostgreSQL.

    python -m benchmarks.service.scale [--quick]

Measures a rolling restart of two services under load, and one and two services behind a proxy.
Figures are printed and written to scale.json beside this file. Everything is on this machine:
clients, proxy, services and PostgreSQL share its cores, so two services are no faster here than
the cores allow.
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

import asyncpg

from benchmarks.service.__main__ import site as placed
from benchmarks.service.client import Client
from benchmarks.service.figures import Board
from benchmarks.service.load import MEASURED_BY, load
from benchmarks.service.request_rates import FULL, LAMBDA, QUICK, READERS, SMALL, Effort
from benchmarks.service.rolling import Fleet, restart_in_turn
from benchmarks.service.running import Failed, Site, cpu_s
from genint import interpret_genome
from genint.version import __version__

OUTPUT = Path(__file__).with_name("scale.json")
GENOME = Path(__file__).parents[2] / "examples" / "phiX174.gbk"
_PATHS = ("/health", "/auth/me", "/jobs?limit=20")

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
