"""A PostgreSQL and a Redis of the tests' own: private folder, free port, gone at the end.

Nothing of the system is used but the programs: no service is touched. A guard
process stops a server whose test run was killed.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import Self

START_ATTEMPTS = 5
START_LIMIT_S = 30
POSTGRESQL_FOLDERS = "/usr/lib/postgresql"
SUPERUSER = "postgres"
STOP_SIGNALS = {"fast": signal.SIGINT, "immediate": signal.SIGQUIT}


def find_program(name: str) -> Path | None:
    """A program on PATH or, for those of PostgreSQL, of the newest installed version."""
    found = shutil.which(name)
    if found:
        return Path(found)
    versions = sorted(
        Path(POSTGRESQL_FOLDERS).glob(f"*/bin/{name}"), key=lambda file: float(file.parts[-3])
    )
    return versions[-1] if versions else None


def free_port() -> int:
    """A TCP port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def guard(command: str) -> subprocess.Popen[bytes]:
    """Start a process that runs a shell command once this process is gone.

    It waits for the end of a pipe whose other end only this process holds.
    """
    return subprocess.Popen(
        ["sh", "-c", f"cat >/dev/null; {command}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def end_guard(guarding: subprocess.Popen[bytes]) -> None:
    """Let a guard do its work now and wait for it."""
    assert guarding.stdin is not None
    guarding.stdin.close()
    guarding.wait(START_LIMIT_S)


class PostgresServer:
    """A PostgreSQL server without passwords, for one test run.

    ``start``, ``stop`` and ``restart`` block until done and may be called from any
    thread, in the middle of a test too.
    """

    def __init__(self, initdb: Path) -> None:
        self._programs = initdb.resolve().parent
        self._folder = Path(tempfile.mkdtemp(prefix="genint-pg-"))
        self._databases = count(1)
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0
        # PostgreSQL refuses to run as root.
        self._account = SUPERUSER if os.geteuid() == 0 else None
        if self._account:
            shutil.chown(self._folder, self._account, self._account)
        self._guard = guard(f"kill -QUIT $(head -n 1 {self._state}); rm -rf {self._folder}")

    @classmethod
    def started(cls) -> Self | None:
        """A new server that accepts connections; None where PostgreSQL is not installed."""
        initdb = find_program("initdb")
        if initdb is None:
            return None
        server = cls(initdb)
        server._run(
            *("initdb", "-D", str(server._folder / "db"), "-U", SUPERUSER, "-A", "trust"),
            *("-E", "UTF8", "--locale=C", "--no-sync"),
        )
        with (server._folder / "db" / "postgresql.auto.conf").open("a") as configuration:
            configuration.write(
                f"listen_addresses = '127.0.0.1'\nunix_socket_directories = '{server._folder}'\n"
                "fsync = off\nfull_page_writes = off\n"  # it outlives itself, not the machine
                "max_connections = 200\nshared_buffers = 64MB\n"
            )
        for _ in range(START_ATTEMPTS):  # somebody else may have taken the port meanwhile
            server.port = free_port()
            if server.start():
                return server
        server.close()
        raise RuntimeError("postgres does not start")

    def url(self, database: str = SUPERUSER) -> str:
        """Address of a database."""
        return f"postgresql://{SUPERUSER}@127.0.0.1:{self.port}/{database}"

    def start(self) -> bool:
        """Start and wait until connections are accepted; False if it ended instead."""
        command = ("postgres", "-D", str(self._folder / "db"), "-p", str(self.port))
        self._process = self._popen(*command)
        until = time.monotonic() + START_LIMIT_S
        while self._process.poll() is None and time.monotonic() < until:
            if self._is_ready():
                return True
            time.sleep(0.01)
        self.stop("immediate")
        return False

    def stop(self, mode: str = "fast") -> None:
        """Stop; ``immediate`` is as hard as a crash."""
        if self._process is not None:
            self._process.send_signal(STOP_SIGNALS[mode])
            self._process.wait(START_LIMIT_S)
            self._process = None

    def restart(self, mode: str = "fast") -> None:
        """Stop and start on the same port."""
        self.stop(mode)
        assert self.start()

    def create_database(self) -> str:
        """Make an empty database; its address."""
        name = f"test_{next(self._databases)}"
        self._run("createdb", *self._connection(), name)
        return self.url(name)

    def drop_database(self, url: str) -> None:
        """Remove a database and end whoever is connected to it."""
        self._run("dropdb", *self._connection(), "--force", url.rpartition("/")[2])

    def close(self) -> None:
        """Stop and remove everything."""
        self.stop("immediate")
        end_guard(self._guard)
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def _state(self) -> Path:
        """File whose first line is the server's process id and whose last its state."""
        return self._folder / "db" / "postmaster.pid"

    def _is_ready(self) -> bool:
        try:
            first, *_, last = self._state.read_text().split()
        except (OSError, ValueError):
            return False
        return self._process is not None and (first, last) == (str(self._process.pid), "ready")

    def _connection(self) -> tuple[str, ...]:
        return ("-h", "127.0.0.1", "-p", str(self.port), "-U", SUPERUSER)

    def _run(self, program: str, *arguments: str) -> None:
        assert self._popen(program, *arguments).wait(START_LIMIT_S) == 0, program

    def _popen(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(
                [self._programs / program, *arguments],
                cwd="/",
                user=self._account,
                group=self._account,
                extra_groups=[] if self._account else None,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )


class RedisServer:
    """A Redis server that keeps nothing, for one test run.

    ``process`` can be stopped and continued by signals.
    """

    def __init__(self, program: Path) -> None:
        self._program = program
        self.port = 0
        self.process: subprocess.Popen[bytes] | None = None
        self._guard: subprocess.Popen[bytes] | None = None

    @classmethod
    def started(cls) -> Self | None:
        """A new server that accepts connections; None where Redis is not installed."""
        program = find_program("redis-server")
        if program is None:
            return None
        server = cls(program)
        for _ in range(START_ATTEMPTS):
            server.port = free_port()
            server.start()
            if server.process is not None:
                return server
        raise RuntimeError("redis-server does not start")

    @property
    def url(self) -> str:
        """Address of its first database."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start and wait until connections are accepted; no process if it ended."""
        process = subprocess.Popen(
            [
                *(self._program, "--port", str(self.port), "--bind", "127.0.0.1"),
                *("--save", "", "--appendonly", "no", "--daemonize", "no", "--logfile", ""),
            ],
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._guard = guard(f"kill -KILL {process.pid}")
        until = time.monotonic() + START_LIMIT_S
        while process.poll() is None and time.monotonic() < until:
            if self._answer("PING").startswith(b"+PONG"):
                self.process = process
                return
            time.sleep(0.01)
        self._end(process)

    def stop(self) -> None:
        """End it at once, also while it is halted by a signal."""
        if self.process is not None:
            self._end(self.process)
            self.process = None

    def flush(self) -> None:
        """Forget everything."""
        answer = self._answer("FLUSHALL")
        assert answer.startswith(b"+OK"), answer

    close = stop

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        process.send_signal(signal.SIGKILL)
        process.wait(START_LIMIT_S)
        if self._guard is not None:
            end_guard(self._guard)
            self._guard = None

    def _answer(self, command: str) -> bytes:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
                connection.sendall(f"{command}\r\n".encode())
                return connection.recv(100)
        except OSError:
            return b""
