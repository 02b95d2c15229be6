"""What a command used, from a process of its own: CPU seconds and the peak of its memory.

On Linux a new process counts the memory of the one that started it as its own peak, and the
bench holds genomes. So this file is run as a small program between the two: it starts the
command and writes what it used.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

_ROOT = Path(__file__).resolve().parents[2]


class ProgramFailed(Exception):
    """A program is not here, takes too long or ends with an error; the text says which."""


class Usage(NamedTuple):
    """What a command used.

    Attributes:
        wall_s: Seconds from start to end.
        cpu_s: Seconds of CPU, user and system, of the command and its children.
        peak_mib: Memory of the largest single process, mebibytes.
    """

    wall_s: float
    cpu_s: float
    peak_mib: float


class Ended(NamedTuple):
    """What a command printed and used."""

    printed: str
    usage: Usage


def run_alone(command: Sequence[str | Path], *, name: str, timeout_s: float) -> Ended:
    """Run a command in a process of its own.

    Args:
        command: Program and arguments; it starts in the folder of the project.
        name: Of the program, for errors.
        timeout_s: After which it and all its children are ended.

    Raises:
        ProgramFailed: it is not here, takes too long or ends with an error.
    """
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "usage.json"
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__, str(report), *map(str, command)],
            cwd=_ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            printed, complaints = process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired as problem:
            raise ProgramFailed(f"{name}: took longer than {timeout_s:g} s") from problem
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
        if process.returncode:
            last = (complaints or printed).strip().splitlines()[-1:] or ["no word"]
            raise ProgramFailed(f"{name}: {last[0]}")
        return Ended(printed, Usage(*json.loads(report.read_text(encoding="utf-8"))))


def _run_and_report(report: Path, command: Sequence[str]) -> int:
    """Run a command and write what it used; its exit status."""
    started = time.monotonic()
    process = subprocess.Popen(command)
    # wait4 tells of this child and its children alone.
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 if sys.platform == "darwin" else 1024
    usage = Usage(
        wall_s=time.monotonic() - started,
        cpu_s=used.ru_utime + used.ru_stime,
        peak_mib=used.ru_maxrss * unit / 2**20,
    )
    report.write_text(json.dumps(usage), encoding="utf-8")
    return 1 if process.returncode < 0 else process.returncode


if __name__ == "__main__":
    raise SystemExit(_run_and_report(Path(sys.argv[1]), sys.argv[2:]))
