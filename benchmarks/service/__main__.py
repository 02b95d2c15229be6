"""Speed of the HTTP service on SQLite and PostgreSQL, beside bare aiohttp in the same run.

    python -m benchmarks.service [--quick] [--database sqlite|postgresql] [SECTION ...]

Starts real service processes on free ports and, for PostgreSQL, a private server that
syncs every commit (or uses an empty database of one that --postgresql names) and a
private Redis. Everything is stopped and removed at the end. Load comes from wrk where it
is installed, from the same machine, so it takes CPU from the service. Figures have the
target of the project beside them.
"""

from __future__ import annotations

import argparse
import gzip
import os
import secrets
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from http.client import HTTPException
from pathlib import Path

from benchmarks.service import ends, jobs, request_rates, streams
from benchmarks.service.figures import Board
from benchmarks.service.request_rates import FULL, QUICK, Effort
from benchmarks.service.running import Failed, Site, postgresql, redis

Section = Callable[[Site, Board, Effort], None]
SECTIONS: dict[str, Section] = {
    "reads": request_rates.reads,
    "submits": request_rates.submits,
    "queue": jobs.queue,
    "start": ends.start,
    "logins": request_rates.logins,
    "busy": jobs.busy,
    "lag": jobs.lag,
    "cancel": jobs.cancel,
    "ends": ends.ends,
    "hundred": jobs.hundred,
    "memory": jobs.memory,
    "streams": streams.streams,
}


@contextmanager
def site(database: str, cache: Path, url: str | None) -> Iterator[Site | None]:
    """Folders and databases of their own; None where the server is not installed."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="genint-bench-")))
        environment = {
            "GENINT_DATA_DIR": str(folder / "data"),
            "GENINT_CACHE_DIR": str(cache),
            "GENINT_MAX_PENDING_PER_USER": "1000000",
            "JWT_SECRET": secrets.token_urlsafe(48),
        }
        name = "SQLite"
        if database == "postgresql":
            found = stack.enter_context(postgresql(url))
            if found is None:
                yield None
                return
            environment["DATABASE_URL"] = found
            name = "PostgreSQL"
            heartbeats = stack.enter_context(redis())
            if heartbeats is not None:
                environment["REDIS_URL"] = heartbeats
                name = "PostgreSQL and Redis"
        yield Site(name, environment, folder)


def main() -> None:
    """Print all figures; exit status 1 where something did not work at all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument("--quick", action="store_true", help="short runs, rough figures")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), action="append")
    parser.add_argument("--postgresql", metavar="URL", help="an empty database to use")
    parser.add_argument("--genome", type=Path, help="for busy and lag instead of lambda")
    options = parser.parse_args()
    unknown = set(options.sections) - set(SECTIONS)
    if unknown:
        parser.error(f"no such section: {', '.join(sorted(unknown))}")
    chosen = dict(SECTIONS)
    if options.genome:
        genome = _read(options.genome)
        for name, section in (("busy", jobs.busy), ("lag", jobs.lag)):
            chosen[name] = partial(section, genome=genome)
    board, effort = Board(), QUICK if options.quick else FULL
    print(
        f"{os.cpu_count()} cores, load average before {os.getloadavg()[0]:.1f}; "
        f"medians of {effort.repeats} runs of {effort.seconds:g} s"
    )
    broken = 0
    with tempfile.TemporaryDirectory(prefix="genint-bench-cache-") as cache:
        for database in options.database or ("sqlite", "postgresql"):
            for name in options.sections or SECTIONS:
                placing = site(database, Path(cache), options.postgresql)
                broken += not _measure(chosen[name], placing, board, effort)
    board.conclude()
    sys.exit(1 if broken else 0)


def _measure(
    section: Section,
    placing: AbstractContextManager[Site | None],
    board: Board,
    effort: Effort,
) -> bool:
    """One section on a fresh site; False where it did not work."""
    try:
        with placing as found:
            if found is None:
                board.note("skipped: PostgreSQL is not installed")
            else:
                section(found, board, effort)
    except (Failed, OSError, HTTPException) as problem:
        board.note(f"FAILED: {type(problem).__name__}: {problem}")
        return False
    return True


def _read(file: Path) -> bytes:
    content = file.read_bytes()
    return gzip.decompress(content) if file.suffix == ".gz" else content


if __name__ == "__main__":
    main()
