"""What the API does under load: reads, submits, logins."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from benchmarks.service.client import Client
from benchmarks.service.figures import AtLeast, AtMost, Board, percentile
from benchmarks.service.load import MEASURED_BY, Load, Request, load, probe, repeated, upload, wrk
from benchmarks.service.running import (
    ROOT,
    Failed,
    Running,
    Site,
    bare,
    cpu_s,
    freeze,
    thaw,
    workers_of,
)

LAMBDA = (ROOT / "examples" / "lambda.fasta").read_bytes()
SMALL = LAMBDA[: LAMBDA.index(b"\n") + 1 + 5000].rstrip() + b"\n"
"""A FASTA file of 5 kB."""
READERS, WRITERS, LOGINS = 32, 16, 4
_FREEZING_S = 20


@dataclass(frozen=True, slots=True)
class Effort:
    """How long and how often to measure."""

    seconds: float
    repeats: int
    jobs: int
    soak: tuple[int, ...]
    waiting: int
    small: int


QUICK = Effort(seconds=2, repeats=1, jobs=20, soak=(10, 20, 40), waiting=2_000, small=3)
FULL = Effort(seconds=5, repeats=3, jobs=100, soak=(50, 100, 200, 300), waiting=10_000, small=10)


class Halted(NamedTuple):
    """A service whose workers are halted while they have jobs, so that others wait."""

    running: Running
    client: Client
    completed: str
    pending: str


@contextmanager
def halted(site: Site) -> Iterator[Halted]:
    """A service with a completed lambda job and a pending one, and no CPU used by jobs."""
    with site.serve() as running:
        client = Client.signed_up(running.url)
        warm = [client.submit(LAMBDA) for _ in range(4)]
        for job_id in warm:
            ended = client.until(job_id, "COMPLETED", "FAILED")["status"]
            if ended != "COMPLETED":
                raise Failed(f"the lambda job ended {ended}")
        workers = workers_of(running.pid)
        freeze(workers)
        for _ in workers:
            client.submit(SMALL)
        pending = client.submit(LAMBDA)
        time.sleep(1.5)  # whoever still can claim a job has done so by now
        if client.job(pending)["status"] != "PENDING":
            raise Failed("no job stays PENDING although all workers are halted")
        try:
            yield Halted(running, client, warm[0], pending)
        finally:
            thaw(workers)


def reads(site: Site, board: Board, effort: Effort) -> None:
    """Requests per second of the detail of a job, beside bare aiohttp."""
    board.title(f"{site.name}: reading, {READERS} clients ({MEASURED_BY})")
    with halted(site) as service, bare(site.folder) as plain:
        detail = f"/api/v1/jobs/{service.completed}"
        size = len(_content(service.client, detail))
        names = {
            "bare aiohttp, hello": Request(plain.url + "/hello", {}),
            f"bare aiohttp, {size:,} bytes": Request(f"{plain.url}/sized/{size}", {}),
        }
        for name, request in names.items():
            _show(board, name, _reads(request, effort))
        for name, path in (
            (f"GET completed lambda job ({size:,} bytes)", detail),
            ("GET pending job", f"/api/v1/jobs/{service.pending}"),
        ):
            measured = _reads(service.client.request(path), effort)
            _show(board, name, measured, AtLeast(1_500), AtMost(50))
            _show_cost(board, service.running, service.client.request(path))
        for path in ("/api/v1/jobs?limit=20", "/api/v1/auth/me", "/api/v1/health"):
            _show(board, f"GET {path}", _reads(service.client.request(path), effort))
        report = Request(f"{service.client.url}/reports/{service.completed}.html", {})
        _show(board, "GET report of lambda", _reads(report, effort))


def submits(site: Site, board: Board, effort: Effort) -> None:
    """Submits per second of a small file, beside bare aiohttp that takes the same form."""
    board.title(f"{site.name}: submitting {len(SMALL):,} bytes of FASTA, {WRITERS} clients")
    is_sqlite = site.name.startswith("SQLite")
    with halted(site) as service, bare(site.folder) as plain:
        bare_load = _writes(upload(plain.url + "/upload", {}, SMALL), effort)
        _show(board, "bare aiohttp, same form, file not synced", bare_load)
        measured = _writes(service.client.submission(SMALL), effort)
        target = AtLeast(200 if is_sqlite else 150)
        _show(board, "POST /api/v1/jobs (file and row synced)", measured, target, AtMost(150))
        _show_cost(board, service.running, service.client.submission(SMALL))


def logins(site: Site, board: Board, effort: Effort) -> None:
    """Logins per second, and what they cost others meanwhile."""
    board.title(f"{site.name}: logging in, {LOGINS} clients")
    with halted(site) as service:
        client = service.client
        others = [
            client.request("/api/v1/auth/me"),
            client.request(f"/api/v1/jobs/{service.pending}"),
            client.request("/api/v1/jobs?limit=20"),
        ]
        seconds = 2 * effort.seconds
        alone = probe(others, seconds=seconds)
        measured = load(client.login(), clients=LOGINS, seconds=seconds, repeats=effort.repeats)
        _show(board, "POST /api/v1/auth/login", measured, AtLeast(30))
        _show_cost(board, service.running, client.login(), requests=20)
        with wrk(client.login(), LOGINS, seconds + 1) as process:
            beside = probe(others, seconds=seconds)
            process.wait()
        before, meanwhile = percentile(alone, 99), percentile(beside, 99)
        board.figure("other routes alone: p99", before, "ms")
        board.figure("other routes during logins: p50", percentile(beside, 50), "ms")
        board.figure("other routes during logins: p99", meanwhile, "ms")
        board.figure("  times as long as alone", meanwhile / before, "x", AtMost(2))


def _show_cost(board: Board, running: Running, request: Request, *, requests: int = 300) -> None:
    """CPU of the main process: holds on a busy machine too, unlike what a clock says."""
    before = cpu_s(running.pid)
    repeated(request, requests)
    board.figure(
        "  CPU a request, one client", (cpu_s(running.pid) - before) * 1000 / requests, "ms"
    )


def _content(client: Client, path: str) -> bytes:
    import json  # noqa: PLC0415 - the size alone is wanted, once

    return json.dumps(client.get(path), separators=(",", ":"), ensure_ascii=False).encode()


def _reads(request: Request, effort: Effort) -> Load:
    return load(request, clients=READERS, seconds=effort.seconds, repeats=effort.repeats)


def _writes(request: Request, effort: Effort) -> Load:
    return load(request, clients=WRITERS, seconds=effort.seconds, repeats=effort.repeats)


def _show(
    board: Board,
    name: str,
    measured: Load,
    rate: AtLeast | None = None,
    slowest: AtMost | None = None,
) -> None:
    board.figure(name, measured.per_s, "/s", rate)
    board.figure("  p50", measured.p50_ms, "ms")
    board.figure("  p99", measured.p99_ms, "ms", slowest)
