"""What a build says of itself while it runs, and leaves behind."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

_SHOWN = 5
_UNIT_BYTES = 1 if sys.platform == "darwin" else 1024
"""In which the system counts memory."""


class Log:
    """Counts and seconds of a build: printed as they come, written at the end."""

    def __init__(self) -> None:
        self._counts: dict[str, int | float | str] = {}
        self._names: dict[str, list[str]] = {}
        self._seconds: dict[str, float] = {}
        self._began = time.monotonic()

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Measure a step, in seconds of the wall clock."""
        began = time.monotonic()
        yield
        self._seconds[name] = round(time.monotonic() - began, 1)
        print(f"{name}: {self._seconds[name]} s", flush=True)

    def count(self, what: str, value: float | str, *, shown: bool = True) -> None:
        """Say a number (or a version, a digest), or only keep it for the report."""
        self._counts[what] = value
        if shown:
            print(f"  {what}: {value}", flush=True)

    def names(self, what: str, which: Iterable[str]) -> None:
        """Say how many, and which: all in the report, the first on the screen."""
        self._names[what] = sorted(which)
        some = " ".join(self._names[what][:_SHOWN])
        more = " ..." if len(self._names[what]) > _SHOWN else ""
        print(f"  {what}: {len(self._names[what])} {some}{more}".rstrip(), flush=True)

    def write(self, path: Path) -> None:
        """Say what all of it took, and leave everything behind as JSON."""
        self._seconds["in all"] = round(time.monotonic() - self._began, 1)
        largest_mb = _largest_process_mb()
        self._counts["memory of the largest process, MB"] = largest_mb
        print(f"in all: {self._seconds['in all']} s; largest process: {largest_mb} MB", flush=True)
        report = {"counts": self._counts, "names": self._names, "seconds": self._seconds}
        path.write_text(json.dumps(report, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _largest_process_mb() -> int:
    """Peak of this process or of one that it started, such as MMseqs2."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(one).ru_maxrss for one in whose) * _UNIT_BYTES // 1_000_000
