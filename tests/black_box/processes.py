"""Real `genint serve` and `genint worker` processes, and a client of theirs."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, FormData

SECRET = "a secret of the tests that is long enough"
_READY_S = 30
_END_S = 20
_JOB_S = 90


@dataclass
class Running:
    """A process that said that it is ready.

    ``log`` is the file of its standard error, ``address`` None for a worker.
    """

    process: asyncio.subprocess.Process
    address: str | None
    log: Path

    @property
    def children(self) -> set[int]:
        """Processes that it started, and those that these started."""
        return _descendants(self.process.pid)

    async def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal and wait for the exit status."""
        self.process.send_signal(number)
        async with asyncio.timeout(_END_S):
            return await self.process.wait()

    def log_lines(self) -> list[dict[str, Any]]:
        """What it logged; every line has to be a JSON object."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]


def _descendants(pid: int) -> set[int]:
    found: set[int] = set()
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found |= {int(child)} | _descendants(int(child))
    return found


def is_alive(pid: int) -> bool:
    """Whether a process computes or could; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def environment(data: Path, **more: str) -> dict[str, str]:
    """Environment of a service with a data folder of its own."""
    wanted = {"PATH", "HOME", "LANG", "GENINT_CACHE_DIR"}
    kept = {name: text for name, text in os.environ.items() if name in wanted}
    return kept | {"GENINT_DATA_DIR": str(data), "JWT_SECRET": SECRET} | more


async def start(*arguments: str, env: Mapping[str, str], log: Path) -> Running:
    """Start ``genint`` with these arguments and wait until it says that it is ready."""
    with log.open("ab") as errors:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "genint", *arguments),
            env=dict(env),
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
        )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(_READY_S):
            told = (await process.stdout.readline()).decode()
        assert told, log.read_text()
    except BaseException:
        process.kill()
        await process.wait()
        raise
    address = next((word for word in told.split() if word.startswith("http://")), None)
    return Running(process, address, log)


@asynccontextmanager
async def running(*arguments: str, env: Mapping[str, str], log: Path) -> AsyncIterator[Running]:
    """A process for the time of a block; killed at its end unless it ended by itself."""
    started = await start(*arguments, env=env, log=log)
    try:
        yield started
    finally:
        if started.process.returncode is None:
            started.process.kill()
        await started.process.wait()


async def refused(*arguments: str, env: Mapping[str, str]) -> tuple[int, str]:
    """Exit status and standard error of a start that has to fail."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "genint", *arguments),
        env=dict(env),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(_READY_S):
            _, errors = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode is not None
    return process.returncode, errors.decode()


@dataclass
class Client:
    """Somebody with an account on a running service."""

    session: ClientSession
    address: str
    headers: dict[str, str]

    async def get(self, path: str) -> Any:
        async with self.session.get(self.address + path, headers=self.headers) as answer:
            assert answer.status == 200, await answer.text()
            return await answer.json()

    async def post(self, path: str) -> int:
        async with self.session.post(self.address + path, headers=self.headers) as answer:
            return answer.status

    async def submit(self, content: bytes, filename: str) -> str:
        form = FormData()
        form.add_field("file", BytesIO(content), filename=filename)
        path = f"{self.address}/api/v1/jobs"
        async with self.session.post(path, data=form, headers=self.headers) as answer:
            assert answer.status == 200, await answer.text()
            return (await answer.json())["job_id"]

    async def until(self, job_id: str, *statuses: str) -> dict[str, Any]:
        """Detail of a job once it has one of these states."""
        async with asyncio.timeout(_JOB_S):
            while (job := await self.get(f"/api/v1/jobs/{job_id}"))["status"] not in statuses:
                await asyncio.sleep(0.05)
        return job

    async def until_attempt(self, job_id: str, attempt: int) -> None:
        """Wait until a job was started this often."""
        async with asyncio.timeout(_JOB_S):
            while (await self.get(f"/api/v1/jobs/{job_id}"))["attempt"] != attempt:
                await asyncio.sleep(0.05)

    def at(self, other: Running) -> Client:
        """The same person at another process of the same service."""
        assert other.address is not None
        return Client(self.session, other.address, self.headers)


async def signed_up(session: ClientSession, service: Running, email: str) -> Client:
    """Somebody new."""
    assert service.address is not None
    body = {"email": email, "password": "a long enough password"}
    async with session.post(f"{service.address}/api/v1/auth/signup", json=body) as answer:
        assert answer.status == 201, await answer.text()
        token = (await answer.json())["access_token"]
    return Client(session, service.address, {"Authorization": f"Bearer {token}"})
