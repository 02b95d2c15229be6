"""Running a command and measuring what it and all its processes used."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

Value = TypeVar("Value")
ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"
"""Where real genomes and reference data lie unless an option says otherwise."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a command used.

    Attributes:
        wall_s: Seconds from start to end.
        cpu_s: Seconds of CPU, user and system, of the command and its children.
        peak_mib: Memory of the largest single process, mebibytes.
        said: Last line that it printed.
    """

    wall_s: float
    cpu_s: float
    peak_mib: float
    said: str

    @property
    def figures(self) -> str:
        """As it is printed."""
        return f"{self.wall_s:8.1f} s wall {self.cpu_s:8.1f} s CPU {self.peak_mib:6.0f} MiB"


class Failed(Exception):
    """A command ended with an error; the text is the last line that it printed."""


def apart(work: Callable[..., Value], *arguments: object) -> Value:
    """Call a function in a process of its own and return its result.

    For whatever needs much memory before a measurement: on Linux a new process counts the
    memory of the one that started it as its own peak.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        return executor.submit(work, *arguments).result()


def measure(command: Sequence[str | Path], environment: Mapping[str, str | Path]) -> Run:
    """Run a command once in an empty folder.

    Args:
        command: Program and arguments.
        environment: Variables besides those of this process.

    Raises:
        Failed: it ended with an error.
    """
    variables = os.environ | {name: str(value) for name, value in environment.items()}
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as printed:
        started = time.monotonic()
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=folder,
            env=variables,
            stdout=printed,
            stderr=subprocess.STDOUT,
        )
        # wait4 tells of this child and its children alone; RUSAGE_CHILDREN would give the
        # peak of any earlier run.
        _, status, usage = os.wait4(process.pid, 0)
        wall_s = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        printed.seek(0)
        lines = printed.read().decode(errors="replace").strip().splitlines() or [""]
    if process.returncode:
        raise Failed(lines[-1] or f"exit status {process.returncode}")
    unit = 1 if sys.platform == "darwin" else 1024
    peak_mib = usage.ru_maxrss * unit / 2**20
    return Run(wall_s, usage.ru_utime + usage.ru_stime, peak_mib, lines[-1])


def report(name: str, command: Sequence[str | Path], environment: Mapping[str, str | Path]) -> Run:
    """Measure and print a line.

    Raises:
        Failed: the command ended with an error.
    """
    run = measure(command, environment)
    print(f"{name:52s} {run.figures}", flush=True)
    return run


def verdict(name: str, value: float, gate: str = "") -> None:
    """Print a figure, and whether it is within its gate, such as ``<= 0.3``."""
    print(f"{name:52s} {value:8.2f}{_judged(value, gate)}", flush=True)


def _judged(value: float, gate: str) -> str:
    if not gate:
        return ""
    sign, limit = gate.split()
    met = value <= float(limit) if sign == "<=" else value >= float(limit)
    return f" (gate {gate}: {'met' if met else 'MISSED'})"
