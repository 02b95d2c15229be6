"""Real worker processes for the tests: backends, scripts, and who is alive."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from genint.compute import Backend, ProcessBackend, ThreadBackend
from tests.servers.paths import FOLDERS

HERE = Path(__file__).parent

StartScript = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture(params=["thread", "processes"])
async def backend(request: pytest.FixtureRequest) -> AsyncIterator[Backend]:
    """Either way of computing, with one worker."""
    opened = ThreadBackend() if request.param == "thread" else ProcessBackend(1)
    yield opened
    await opened.close()


@pytest.fixture
async def processes() -> AsyncIterator[ProcessBackend]:
    """Two worker processes."""
    opened = ProcessBackend(2)
    yield opened
    await opened.close()


@pytest.fixture
def start_script(tmp_path: Path) -> Iterator[StartScript]:
    """Starts Python with arguments, in an empty folder and a process group of its own."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str, stdin: str | None = None) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-W", "error", *arguments],
            stdin=subprocess.PIPE if stdin is not None else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(FOLDERS)},
            start_new_session=True,
        )
        started.append(process)
        if stdin is not None:
            assert process.stdin is not None
            process.stdin.write(stdin)
            process.stdin.flush()
        return process

    yield start
    for process in started:
        with process, suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def is_running(pid: int) -> bool:
    """Whether a process exists and is more than an entry nobody has collected yet."""
    ps = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return bool(ps.stdout.strip()) and not ps.stdout.strip().startswith("Z")
