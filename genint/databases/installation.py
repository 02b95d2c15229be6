"""What one installation is about, and the events by which it reports its progress."""

from __future__ import annotations

import asyncio
import math
import os
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

from genint.databases.download.http import Mirror
from genint.databases.layout import work_folder
from genint.databases.recipes import Recipe
from genint.errors import InstallError

_GB = 1e9
_MB = 1e6
_LEAST_MARGIN_BYTES, _MOST_MARGIN_BYTES = 1_000_000, 50_000_000
_MARGIN = 0.1
_Result = TypeVar("_Result")


class InstallStep(NamedTuple):
    """How far an installation is.

    Attributes:
        database: Its name.
        step: A file that is downloaded, or what is done with it.
        done: Bytes or items.
        total: How many there are; None where that is not known.
        in_bytes: Whether ``done`` and ``total`` are bytes of a download.
    """

    database: str
    step: str
    done: int
    total: int | None
    in_bytes: bool


class InstallNote(NamedTuple):
    """A message for the user, shown once.

    Attributes:
        database: Its name.
        text: One line.
    """

    database: str
    text: str


ProgressCallback = Callable[[InstallStep | InstallNote], None]


@dataclass(frozen=True, slots=True)
class Installation:
    """What one installation is about.

    Attributes:
        recipe: What is installed.
        databases: The folder of databases.
        mirrors: Where to fetch from; empty for the publishers.
        force: Whether to install what is installed already.
        progress: Called with how far it is.
        checkpoint: Called with the name of every step after it was done.
    """

    recipe: Recipe
    databases: Path
    mirrors: tuple[Mirror, ...]
    force: bool
    progress: ProgressCallback
    checkpoint: Callable[[str], None]

    @property
    def work(self) -> Path:
        """Where it works."""
        return work_folder(self.databases, self.recipe.name)

    def note(self, text: str) -> None:
        """Report a line."""
        self.progress(InstallNote(self.recipe.name, text))

    def require_space(self, download_bytes: int, sources_bytes: int) -> None:
        """Refuse before anything is downloaded where it could not be kept.

        Args:
            download_bytes: Still to be downloaded.
            sources_bytes: Of all files that are built from.

        Raises:
            InstallError: the disk has less; says how much is needed and free.
        """
        building = int(sources_bytes * self.recipe.build_factor)
        needed = download_bytes + building
        needed += min(max(int(needed * _MARGIN), _LEAST_MARGIN_BYTES), _MOST_MARGIN_BYTES)
        free = shutil.disk_usage(self.work).free
        if needed > free:
            raise InstallError(
                f"{self.recipe.name}: {_amount(needed, up=True)} are needed in {self.databases}, "
                f"{_amount(free)} are free; make room or set GENINT_DATABASES_DIR to a "
                f"folder on another disk, then run `genint db install {self.recipe.name}`"
            )


def _amount(size_bytes: int, *, up: bool = False) -> str:
    """A size in words, rounded down or up, so that two that differ never look the same."""
    unit, name, digits = (_MB, "MB", 1) if size_bytes < _GB / 10 else (_GB, "GB", 2)
    steps = size_bytes / unit * 10**digits
    return f"{(math.ceil(steps) if up else math.floor(steps)) / 10**digits:.{digits}f} {name}"


async def in_thread(work: Callable[[threading.Event], _Result]) -> _Result:
    """Do what keeps a disk busy without blocking; a cancelled call stops it.

    Args:
        work: Called with an event that is set when it has to end.
    """
    stop = threading.Event()
    try:
        return await asyncio.to_thread(work, stop)
    except asyncio.CancelledError:
        stop.set()
        raise


def link_or_copy(file: Path, other: Path) -> None:
    """Have a file under a second name; a copy where the disk knows no second names."""
    other.unlink(missing_ok=True)
    try:
        os.link(file, other)
    except OSError:
        shutil.copyfile(file, other)
