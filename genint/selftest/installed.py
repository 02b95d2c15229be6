"""Whether databases that were installed can be used."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from genint.compute import Backend
from genint.selftest.check import Finding, Places

_WITHOUT = {"rfam": "RNA besides tRNA, tmRNA and rRNA is not searched"}
"""What is done without a database that nothing that ships replaces."""


def installable() -> tuple[str, ...]:
    """Names of the databases that can be installed."""
    from genint.databases.recipes import RECIPES  # noqa: PLC0415 - lazy

    return tuple(RECIPES)


@dataclass(frozen=True, slots=True)
class DatabasesFolder:
    """The folder of the databases; there is none before the first is installed."""

    name: str = "databases folder"
    cure: str = "let GENINT_DATABASES_DIR name a folder that can be read"

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        return await near.run(_look_into, places.databases_folder)


def _look_into(folder: Path) -> Finding:
    try:
        there = [entry.name for entry in folder.iterdir() if not entry.name.startswith(".")]
    except FileNotFoundError:
        return Finding.ok(f"{folder} is not there yet: the first `genint db install` makes it")
    except OSError as problem:
        return Finding.failed(f"{folder}: {problem.strerror or problem}")
    return Finding.ok(f"{folder}: {', '.join(sorted(there)) or 'empty'}")


@dataclass(frozen=True, slots=True)
class InstalledDatabase:
    """One database: its manifest, format, sizes and times, not every byte of it.

    Attributes:
        database: Its name on the command line.
    """

    database: str

    @property
    def name(self) -> str:
        """Of the check."""
        return f"database {self.database}"

    @property
    def cure(self) -> str:
        """What to do where it cannot be used."""
        return f"run `genint db install {self.database}`"

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        return await near.run(_look_up, places.databases_folder, self.database)


def _look_up(folder: Path, name: str) -> Finding:
    from genint.databases.installed import (  # noqa: PLC0415 - lazy
        Problem,
        is_unfinished,
        look_up,
    )
    from genint.databases.locks import is_changing  # noqa: PLC0415 - lazy

    found = look_up(folder, name)
    if isinstance(found, Problem):
        return Finding.failed(found.reason, found.cure)
    unfinished = is_unfinished(folder, name)
    if found is None and unfinished:
        return Finding.not_installed("its installation was interrupted and will be resumed")
    if found is None and is_changing(folder, name):
        return Finding.not_installed("it is being installed or removed now")
    if found is None:
        return Finding.not_installed(_WITHOUT.get(name, "what ships is used in its place"))
    said = f"{found.release}, {found.entries:,} entries, sizes and times as they have to be"
    if unfinished:
        said += f"; its update was interrupted, `genint db install {name}` goes on with it"
    elif is_changing(folder, name):
        said += "; it is being installed or removed now"
    return Finding.ok(said)
