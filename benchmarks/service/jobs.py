"""What the queue and its workers do: overhead, throughput, cancelling, many jobs."""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from benchmarks.service.client import Client
from benchmarks.service.figures import AtLeast, AtMost, Board, median, percentile
from benchmarks.service.load import probe
from benchmarks.service.request_rates import LAMBDA, SMALL, Effort
from benchmarks.service.running import (
    Failed,
    Running,
    Site,
    cpu_s,
    descendants,
    memory_mib,
    open_files,
    workers_of,
)

_IDLE_JOBS = 20
"""Idle jobs measured per unit of effort."""
_SAMPLE_S = 0.02
_QUIET_S = 1.0
_LATER_S = 0.7
_GENOMES = 8


def queue(site: Site, board: Board, effort: Effort) -> None:
    """From submit to COMPLETED where a job does nothing, one after the other."""
    board.title(f"{site.name}: jobs that do nothing, one at a time")
    with site.serve(variant="nothing") as running:
        client = Client.signed_up(running.url)
        for _ in range(8):
            client.submit(SMALL)
            client.newest("COMPLETED")
        whole, queued = [], []
        for _ in range(_IDLE_JOBS * effort.small):
            sent = datetime.now(UTC)
            client.submit(SMALL)
            job = client.newest("COMPLETED")
            whole.append((_time(job, "finished_at") - sent).total_seconds() * 1000)
            waited = _time(job, "finished_at") - _time(job, "created_at")
            queued.append(waited.total_seconds() * 1000)
    board.figure("upload sent to COMPLETED: p50", percentile(whole, 50), "ms", AtMost(50))
    board.figure("upload sent to COMPLETED: p99", percentile(whole, 99), "ms", AtMost(300))
    board.figure("row written to COMPLETED: p50", percentile(queued, 50), "ms")
    board.figure("row written to COMPLETED: p99", percentile(queued, 99), "ms")


def hundred(site: Site, board: Board, effort: Effort) -> None:
    """Many lambda jobs submitted at once."""
    count = effort.jobs
    board.title(f"{site.name}: {count} lambda jobs at once, four workers")
    with site.serve() as running:
        client = Client.signed_up(running.url)
        client.until(client.submit(LAMBDA), "COMPLETED")
        began = time.monotonic()
        wanted = {client.submit(LAMBDA) for _ in range(count)}
        board.figure("all submitted after", time.monotonic() - began, "s")
        client.all_ended(limit_s=30 * count)
        took_s = time.monotonic() - began
        jobs = [job for job in client.jobs() if job["job_id"] in wanted]
        completed = [job for job in jobs if job["status"] == "COMPLETED"]
        board.figure("COMPLETED", len(completed), f"of {count}", AtLeast(count))
        board.figure("all ended after", took_s, "s")
        board.figure("throughput", 60 * count / took_s, "jobs/min")
        took = [
            (_time(job, "finished_at") - _time(job, "started_at")).total_seconds() for job in jobs
        ]
        board.figure("one job, start to end: p50", percentile(took, 50), "s")
        board.figure("main process used", cpu_s(running.pid), "s CPU")


def busy(site: Site, board: Board, effort: Effort, genome: bytes = LAMBDA) -> None:
    """Latency of the API while four jobs run."""
    board.title(f"{site.name}: API while four jobs run ({len(genome):,} bytes each)")
    with site.serve() as running:
        client = Client.signed_up(running.url)
        first = client.submit(LAMBDA)
        client.until(first, "COMPLETED")
        paths = ("/auth/me", "/jobs?limit=20", f"/jobs/{first}", "/health", "/worker/status")
        requests = [client.request("/api/v1" + path) for path in paths]
        seconds = 3 * effort.seconds
        alone = probe(requests, seconds=seconds)
        with kept_busy(client, genome):
            beside = probe(requests, seconds=seconds)
    board.figure("nothing else runs: p99", percentile(alone, 99), "ms")
    board.figure("four jobs run: p50", percentile(beside, 50), "ms")
    board.figure("four jobs run: p99", percentile(beside, 99), "ms", AtMost(100))
    board.figure("four jobs run: max", max(beside), "ms")


def lag(site: Site, board: Board, effort: Effort, genome: bytes = LAMBDA) -> None:
    """How long the event loop keeps others waiting: idle, with jobs, with all at once."""
    board.title(f"{site.name}: event loop lag (a task that sleeps 5 ms, within the service)")
    with site.serve(variant="lag") as running:
        client = Client.signed_up(running.url)
        first = client.submit(LAMBDA)
        client.until(first, "COMPLETED")
        seconds = 3 * effort.seconds
        _lags(running)
        time.sleep(seconds)
        _show_lags(board, "idle", _lags(running))
        with kept_busy(client, genome):
            time.sleep(seconds)
            _show_lags(board, "four jobs run", _lags(running))
            with _repeated(lambda: client.moved(client.url).call(client.login())):
                requests = [client.request(f"/api/v1/jobs/{first}"), client.submission(20 * LAMBDA)]
                probe(requests, seconds=seconds, every_s=0.001)
            _show_lags(board, "and logins, details and 1 MB uploads", _lags(running), AtMost(200))


def cancel(site: Site, board: Board, effort: Effort) -> None:
    """From a cancel to the end of its CPU work."""
    board.title(f"{site.name}: cancelling a running job")
    answered, stopped = [], []
    with site.serve() as running:
        client = Client.signed_up(running.url)
        client.until(client.submit(LAMBDA), "COMPLETED")
        for number in range(effort.small):
            job_id = client.submit(long_genome(40, number))
            _until_computing(client, job_id, 0.5 + number % 5 * _LATER_S)
            pids = workers_of(running.pid)
            began = time.monotonic()
            client.cancel(job_id)
            answered.append((time.monotonic() - began) * 1000)
            stopped.append(_cpu_ends(pids) - began)
            if client.job(job_id)["status"] != "CANCELLED":
                raise Failed("a cancelled job is not CANCELLED")
    board.figure("answer to the cancel: p50", percentile(answered, 50), "ms")
    board.figure("CPU work stopped after: p50", percentile(stopped, 50), "s")
    board.figure("CPU work stopped after: p95", percentile(stopped, 95), "s", AtMost(3))
    board.figure("CPU work stopped after: max", max(stopped), "s", AtMost(5))


def memory(site: Site, board: Board, effort: Effort) -> None:
    """Memory, files and processes of the service over many jobs."""
    board.title(f"{site.name}: memory over {effort.soak[-1]} lambda jobs, in turns of eight")
    seen: list[tuple[int, float, float, int, int]] = []
    with site.serve() as running:
        client = Client.signed_up(running.url)
        done = 0
        for goal in effort.soak:
            while done < goal:
                turn = min(8, goal - done)
                for _ in range(turn):
                    client.submit(LAMBDA)
                client.all_ended(limit_s=300)
                done += turn
            below = descendants(running.pid)
            children = sum(memory_mib(pid) for pid in below)
            seen.append(
                (done, memory_mib(running.pid), children, open_files(running.pid), len(below))
            )
            main, files = seen[-1][1], seen[-1][3]
            board.note(
                f"after {done:4d} jobs: main {main:6.1f} MiB, {len(below)} children "
                f"{children:7.1f} MiB, {files} files open in main"
            )
        failed = [job for job in client.jobs() if job["status"] != "COMPLETED"]
    first, last = seen[1], seen[-1]
    jobs = last[0] - first[0]
    board.figure("jobs not COMPLETED", len(failed), "", AtMost(0))
    board.figure("growth of main", (last[1] - first[1]) * 1024 / jobs, "kB/job", AtMost(5))
    board.figure("growth of all children", (last[2] - first[2]) * 1024 / jobs, "kB/job")
    board.figure("more files open", abs(last[3] - first[3]), "", AtMost(5))
    board.figure("more processes", abs(last[4] - first[4]), "", AtMost(0))


def long_genome(copies: int, number: int = 0) -> bytes:
    """A FASTA file with many records, each a piece of lambda that begins elsewhere."""
    residues = b"".join(LAMBDA.splitlines()[1:])
    records = []
    for copy in range(copies):
        start = (copy * 1009 + number * 97) % len(residues)
        turned = residues[start:] + residues[:start]
        lines = [turned[at : at + 70] for at in range(0, len(turned), 70)]
        records.append(b">copy%d_%d\n" % (number, copy) + b"\n".join(lines) + b"\n")
    return b"".join(records)


@contextmanager
def kept_busy(client: Client, genome: bytes) -> Iterator[None]:
    """Always at least four jobs at work and one waiting; cancelled at the end."""
    for _ in range(_GENOMES):
        client.submit(genome)
    client_of_thread = client.moved(client.url)

    def refill() -> None:
        waiting = client_of_thread.get("/api/v1/jobs?status=PENDING&limit=100")["jobs"]
        for _ in range(_GENOMES - len(waiting)):
            client_of_thread.submit(genome)
        time.sleep(0.2)

    with _repeated(refill):
        yield
    for job in client.jobs():
        if job["status"] in ("PENDING", "RUNNING"):
            try:
                client.cancel(job["job_id"])
            except Failed:
                continue  # it ended meanwhile


@contextmanager
def _repeated(action: Callable[[], object]) -> Iterator[None]:
    """Something done again and again in a thread meanwhile.

    Raises:
        Failed: it failed.
    """
    is_over = threading.Event()
    problems: list[Exception] = []

    def run() -> None:
        while not is_over.is_set():
            try:
                action()
            except Exception as problem:  # noqa: BLE001 - raised in the main thread
                problems.append(problem)
                return

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
    if problems:
        raise Failed(f"beside the measurement: {problems[0]}")


def _until_computing(client: Client, job_id: str, after_s: float) -> None:
    """Wait until a job has run for so long: in the first part or in the search.

    Raises:
        Failed: it ended before.
    """
    client.until(job_id, "RUNNING")
    time.sleep(after_s)
    if (status := client.job(job_id)["status"]) != "RUNNING":
        raise Failed(f"a long job is {status} after {after_s:g} s")


def _cpu_ends(pids: list[int]) -> float:
    """When these processes used CPU for the last time, by the monotonic clock."""
    last, used = time.monotonic(), [cpu_s(pid) for pid in pids]
    while time.monotonic() - last < _QUIET_S:
        time.sleep(_SAMPLE_S)
        now = [cpu_s(pid) for pid in pids]
        if any(new > old for new, old in zip(now, used, strict=True)):
            last = time.monotonic()
        used = now
    return last


def _lags(running: Running) -> list[float]:
    running.signal(signal.SIGUSR1)
    lags: list[float] = json.loads(running.read_line(10))
    return lags


def _show_lags(board: Board, name: str, lags: list[float], slowest: AtMost | None = None) -> None:
    board.figure(f"{name}: median", median(lags), "ms")
    board.figure(f"{name}: p99", percentile(lags, 99), "ms")
    board.figure(f"{name}: max", max(lags), "ms", slowest)


def _time(job: dict[str, Any], name: str) -> datetime:
    return datetime.fromisoformat(job[name])
