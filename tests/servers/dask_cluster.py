"""A real Dask cluster of this machine: a scheduler and workers, each a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from tests.servers.paths import FOLDERS

_LOOK_S = 0.02
_START_S = 60.0


class DaskCluster:
    """Started when it is made; workers have one thread each and no nanny that restarts them.

    Args:
        folder: Empty; for its files.
        workers: How many to begin with.
        environment: Of all processes, beside this one's.
        port: Of the scheduler; 0 is any.
    """

    def __init__(
        self, folder: Path, workers: int, environment: dict[str, str], *, port: str = "0"
    ) -> None:
        self._folder = folder
        self._environment = os.environ | environment
        self._environment["PYTHONPATH"] = os.pathsep.join(FOLDERS)
        self._place = folder / "scheduler.json"
        options = ["--host", "127.0.0.1", "--port", port, "--no-dashboard", "--no-show"]
        self.scheduler = self._start("scheduler", *options, "--scheduler-file", str(self._place))
        self.workers: list[subprocess.Popen[bytes]] = []
        for _ in range(workers):
            self.add_worker()

    @property
    def address(self) -> str:
        """Of the scheduler; waits for it."""
        give_up = time.monotonic() + _START_S
        while time.monotonic() < give_up:
            with suppress(FileNotFoundError, ValueError):
                return str(json.loads(self._place.read_text())["address"])
            time.sleep(_LOOK_S)
        raise TimeoutError("the scheduler did not start")

    @property
    def port(self) -> str:
        """Of the scheduler."""
        return self.address.rpartition(":")[2]

    def add_worker(self) -> None:
        """Start one more worker."""
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
        local = ["--local-directory", str(self._folder)]
        self.workers.append(self._start("worker", self.address, *options, *local))

    def stop(self) -> None:
        """Kill all that runs."""
        for process in (*self.workers, self.scheduler):
            with process, suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        with (self._folder / f"{arguments[0]}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", *arguments],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                env=self._environment,
                start_new_session=True,
            )
