"""Load on a server: by wrk where it is installed, else by clients of our own."""

from __future__ import annotations

import asyncio
import math
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from aiohttp import ClientSession, ClientTimeout, TCPConnector

from benchmarks.service.figures import median, percentile
from benchmarks.service.running import Failed

WRK = shutil.which("wrk")
MEASURED_BY = "wrk" if WRK else "aiohttp clients (wrk is not installed), which take CPU themselves"
_UNITS_MS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0}
_BOUNDARY = "genint-benchmark"


@dataclass(frozen=True, slots=True)
class Request:
    """A request that is sent again and again."""

    url: str
    headers: Mapping[str, str]
    body: bytes | None = None

    @property
    def method(self) -> str:
        """POST where there is a body."""
        return "GET" if self.body is None else "POST"


class Load(NamedTuple):
    """What a server did under load."""

    per_s: float
    p50_ms: float
    p99_ms: float


def upload(
    url: str, headers: Mapping[str, str], content: bytes, name: str = "some.fasta"
) -> Request:
    """A request that uploads a file, a FASTA file unless its name says otherwise."""
    head = (
        f"--{_BOUNDARY}\r\n"
        f'Content-Disposition: form-data; name="file"; filename="{name}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    body = head.encode() + content + f"\r\n--{_BOUNDARY}--\r\n".encode()
    kind = {"Content-Type": f"multipart/form-data; boundary={_BOUNDARY}"}
    return Request(url, {**headers, **kind}, body)


def load(request: Request, *, clients: int, seconds: float, repeats: int) -> Load:
    """Medians over repeats of what a server does for some clients at once.

    Raises:
        Failed: an answer was no success.
    """
    measure = _by_wrk if WRK else _by_own_clients
    runs = [measure(request, clients, seconds) for _ in range(repeats)]
    return Load(*(median(column) for column in zip(*runs, strict=True)))


def _by_wrk(request: Request, clients: int, seconds: float) -> Load:
    with wrk(request, clients, seconds) as process:
        printed, _ = process.communicate(timeout=seconds + 60)
    return _parsed(printed)


@contextmanager
def wrk(request: Request, clients: int, seconds: float) -> Iterator[subprocess.Popen[str]]:
    """The wrk program at work in the background."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "request.lua"
        lines = [f'wrk.method = "{request.method}"']
        lines += [f'wrk.headers["{name}"] = "{text}"' for name, text in request.headers.items()]
        if request.body is not None:
            body = Path(folder) / "body"
            body.write_bytes(request.body)
            lines.append(f'wrk.body = io.open("{body}", "rb"):read("*a")')
        script.write_text("\n".join(lines))
        process = subprocess.Popen(
            [
                *(str(WRK), "--latency", "--threads", "1", "--timeout", "30s"),
                *("--connections", str(clients), "--duration", f"{math.ceil(seconds)}s"),
                *("--script", script, request.url),
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()


def _parsed(printed: str) -> Load:
    failures = re.findall(r"Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)", printed)
    if failures:
        raise Failed(f"not every request succeeded: {failures}")
    per_s = re.search(r"Requests/sec:\s+([\d.]+)", printed)
    shares = {
        share: float(number) * _UNITS_MS[unit]
        for share, number, unit in re.findall(r"(50|99)%\s+([\d.]+)(us|ms|s|m)\b", printed)
    }
    if not per_s or len(shares) != 2:
        raise Failed(f"wrk printed something else: {printed[-200:]}")
    return Load(float(per_s[1]), shares["50"], shares["99"])


def _by_own_clients(request: Request, clients: int, seconds: float) -> Load:
    return asyncio.run(_clients(request, clients, seconds))


async def _clients(request: Request, clients: int, seconds: float) -> Load:
    taken_ms: list[float] = []
    until = time.perf_counter() + seconds

    async def ask(session: ClientSession) -> None:
        while time.perf_counter() < until:
            taken_ms.append(await _ask(session, request))

    async with _session(clients) as session, asyncio.TaskGroup() as group:
        for _ in range(clients):
            group.create_task(ask(session))
    return Load(len(taken_ms) / seconds, percentile(taken_ms, 50), percentile(taken_ms, 99))


def _session(clients: int) -> ClientSession:
    return ClientSession(connector=TCPConnector(limit=clients), timeout=ClientTimeout(total=60))


async def _ask(session: ClientSession, request: Request) -> float:
    began = time.perf_counter()
    async with session.request(
        request.method, request.url, headers=request.headers, data=request.body
    ) as answer:
        await answer.read()
        if not answer.ok:
            raise Failed(f"{request.method} answered {answer.status}")
    return (time.perf_counter() - began) * 1000


def probe(requests: Sequence[Request], *, seconds: float, every_s: float = 0.01) -> list[float]:
    """Latencies (ms) of single requests in turn, one after the other, with pauses.

    This is what a user sees beside whatever else the server does.
    """

    async def ask_in_turn() -> list[float]:
        taken_ms = []
        until = time.perf_counter() + seconds
        async with _session(1) as session:
            while time.perf_counter() < until:
                for request in requests:
                    taken_ms.append(await _ask(session, request))
                    await asyncio.sleep(every_s)
        return taken_ms

    return asyncio.run(ask_in_turn())


def repeated(request: Request, requests: int) -> None:
    """Send a request so many times, one after the other."""

    async def send() -> None:
        async with _session(1) as session:
            for _ in range(requests):
                await _ask(session, request)

    asyncio.run(send())
