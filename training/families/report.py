"""What a build says of itself while it runs, and leaves behind."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

_SHOWN = 5


class Log:
    """Counts and seconds of a build: printed as they come, written at the end."""

    def __init__(self) -> None:
        self._counts: dict[str, int | float | str] = {}
        self._names: dict[str, list[str]] = {}
        self._seconds: dict[str, float] = {}

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
        """Leave everything behind as JSON."""
        report = {"counts": self._counts, "names": self._names, "seconds": self._seconds}
        path.write_text(json.dumps(report, indent=1, sort_keys=True) + "\n", encoding="utf-8")
