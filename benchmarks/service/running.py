"""Servers that a benchmark starts: the service, databases; all stopped at the end."""

from __future__ import annotations

import asyncio
import os
import re
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "servers"))

from tests.servers.private_servers import PostgresServer, RedisServer  # noqa: E402 - found by the line above

READY_LIMIT_S = 60.0
STOP_LIMIT_S = 30.0
SERVE = (sys.executable, "-m", "genint", "serve", "--port", "0")
_TICKS = os.sysconf("SC_CLK_TCK")


class Failed(Exception):
    """Something that is measured did not work at all."""


class Running:
    """A server in a process of its own, which says its address when it is ready.

    Attributes:
        url: Its address.
        ready_s: From start to the line with the address.
    """

    def __init__(
        self, command: Sequence[str | Path], environment: Mapping[str, str], log: Path
    ) -> None:
        self._log = log
        began = time.monotonic()
        with log.open("ab") as errors:
            self._process = subprocess.Popen(
                [str(part) for part in command],
                env={**os.environ, **environment},
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=log.parent,
            )
        try:
            found = re.search(r"http://\S+", self.read_line(READY_LIMIT_S))
            if not found:
                raise Failed("no address in the ready line")
        except Failed:
            self.kill()
            raise
        self.url = found[0]
        self.ready_s = time.monotonic() - began

    @property
    def pid(self) -> int:
        """Of the main process."""
        return self._process.pid

    def read_line(self, limit_s: float) -> str:
        """The next line on its standard output."""
        stream = self._process.stdout
        assert stream is not None  # noqa: S101 - a pipe was asked for
        with selectors.DefaultSelector() as selector:
            selector.register(stream, selectors.EVENT_READ)
            line = stream.readline() if selector.select(limit_s) else b""
        if not line:
            tail = self._log.read_text(errors="replace").strip().splitlines()[-3:]
            raise Failed(f"the server said nothing; its log ends: {' | '.join(tail)}")
        return line.decode()

    def stop(self) -> tuple[float, int]:
        """Ask it to end: seconds until it did, and its exit status."""
        began = time.monotonic()
        if self._process.poll() is None:
            thaw(workers_of(self.pid))
            self._process.send_signal(signal.SIGTERM)
        try:
            status = self._process.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Failed(f"did not end within {STOP_LIMIT_S:g} s of SIGTERM") from None
        took_s = time.monotonic() - began
        self._close_output()
        return took_s, status

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the main process alone."""
        self._process.send_signal(number)

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.wait(STOP_LIMIT_S)
        self._close_output()

    def _close_output(self) -> None:
        if self._process.stdout is not None:
            self._process.stdout.close()


@dataclass(frozen=True, slots=True)
class Site:
    """Where a service keeps things: a data folder and a database.

    Attributes:
        name: For the titles of figures.
        environment: What makes the service use them.
        log: Where its log goes.
    """

    name: str
    environment: dict[str, str]
    folder: Path
    command: Sequence[str | Path] = field(default=SERVE)

    @contextmanager
    def serve(
        self, *, workers: int = 4, variant: str | None = None, quiet: bool = False
    ) -> Iterator[Running]:
        """A running service; stopped afterwards."""
        command = tuple(self.command)
        if variant is not None:
            script = Path(__file__).with_name("variants.py")
            command = (sys.executable, script, variant, "serve", "--port", "0")
        options = ("--workers", str(workers), *(("--quiet",) if quiet else ()))
        running = Running((*command, *options), self.environment, self.folder / "log")
        try:
            yield running
        except BaseException:
            running.kill()
            raise
        running.stop()


@contextmanager
def bare(folder: Path) -> Iterator[Running]:
    """The bare framework: aiohttp with nothing behind it."""
    uploads = folder / "bare"
    uploads.mkdir(exist_ok=True)
    script = Path(__file__).with_name("bare.py")
    running = Running((sys.executable, script, uploads), {}, folder / "bare.log")
    try:
        yield running
    finally:
        running.kill()


@contextmanager
def postgresql(url: str | None) -> Iterator[str | None]:
    """Address of a new database: on a given server, else on one started for this run.

    A started one syncs every commit to disk, unlike that of the tests, on which it is
    built. None where PostgreSQL is not installed.
    """
    if url is not None:
        yield url
        return
    server = PostgresServer.started()
    if server is None:
        yield None
        return
    try:
        asyncio.run(_sync_commits(server.url()))
        yield server.create_database()
    finally:
        server.close()


async def _sync_commits(url: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            await connection.execute(f"ALTER SYSTEM SET {setting} TO on")
        await connection.execute("SELECT pg_reload_conf()")
    finally:
        await connection.close()


@contextmanager
def redis() -> Iterator[str | None]:
    """Address of a Redis started for this run; None where it is not installed."""
    server = RedisServer.started()
    if server is None:
        yield None
        return
    try:
        yield server.url
    finally:
        server.close()


def descendants(pid: int) -> list[int]:
    """Processes below a process."""
    try:
        told = [file.read_text() for file in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:
        return []
    children = [int(word) for text in told for word in text.split()]
    return children + [below for child in children for below in descendants(child)]


def workers_of(pid: int) -> list[int]:
    """Worker processes of a service."""
    return [child for child in descendants(pid) if b"spawn_main" in _read(child, "cmdline")]


def cpu_s(pid: int) -> float:
    """CPU seconds that a process has used; 0 where it is gone."""
    fields = _read(pid, "stat").rpartition(b")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS if fields else 0.0


def memory_mib(pid: int) -> float:
    """Resident memory of a process; 0 where it is gone."""
    found = re.search(rb"VmRSS:\s+(\d+) kB", _read(pid, "status"))
    return int(found[1]) / 1024 if found else 0.0


def open_files(pid: int) -> int:
    """File descriptors of a process."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def freeze(pids: Sequence[int]) -> None:
    """Halt processes: what they do stays undone and takes no CPU."""
    _send(pids, signal.SIGSTOP)


def thaw(pids: Sequence[int]) -> None:
    """Let halted processes go on."""
    _send(pids, signal.SIGCONT)


def _send(pids: Sequence[int], number: signal.Signals) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""
