"""What is installed, whether it may be used, and holding on to it while it is."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from genint.databases.locks import holding, is_changing
from genint.databases.manifest import MANIFEST, Manifest, UnreadableManifest, read_manifest
from genint.databases.places import DAMAGED, current_version, work_folder
from genint.databases.times import is_same_time, recorded_times
from genint.errors import UnavailableError

PLAN: Final = "plan.json"
"""A file in the work folder that is there while an installation is unfinished."""


@dataclass(frozen=True, slots=True)
class Installed:
    """A version of a database that may be used.

    Attributes:
        name: ``pfam``, ``swissprot``, ``cog``, ``go`` or ``rfam``.
        release: As its makers call it.
        released: Its date as published; empty where unknown.
        folder: Where what was built lies.
        digest: Of what was built, hex: equal if and only if the content is.
        entries: Families, proteins or terms.
        licence: Under which it may be used.
        citation: What to cite.
        size_bytes: On disk, with the downloads that are kept.
        facts: What its build said besides, sorted by name.
        installed_at: When, UTC, ISO 8601.
    """

    name: str
    release: str
    released: str
    folder: Path
    digest: str
    entries: int
    licence: str
    citation: str
    size_bytes: int
    facts: tuple[tuple[str, str], ...] = ()
    installed_at: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a database that is there is not used.

    Attributes:
        name: Of the database.
        reason: In words that follow its name.
        cure: What to do.
        is_suspicion: Whether it may be sound all the same, which a check of every byte shows.
    """

    name: str
    reason: str
    cure: str
    is_suspicion: bool = False

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}; {self.cure}"


def look_up(databases: Path, name: str) -> Installed | Problem | None:
    """The version in use; what is wrong with it; or None where there is none.

    Sees what is missing, of another size, of another format, known to be damaged or
    written since it was installed; every byte is looked at by
    :func:`genint.databases.verifying.verify` only.

    Cost: 1 ms; for profiles loading HMMER besides. Never raises for what lies on disk.
    """
    cure = f"run `genint db install {name}`"
    try:
        folder = current_version(databases, name)
    except ValueError as problem:
        return Problem(name, f"the file that says which version is in use {problem}", cure)
    if folder is None:
        return _no_folder(databases, name)
    try:
        manifest = read_manifest(folder)
    except UnreadableManifest as problem:
        return Problem(name, problem.reason, cure)
    reason = _unusable(folder, manifest, name)
    if reason:
        return Problem(name, reason, cure)
    if reason := _changed(folder, manifest):
        return Problem(name, reason, f"run `genint db verify {name}`", is_suspicion=True)
    return _installed(folder, manifest)


def is_unfinished(databases: Path, name: str) -> bool:
    """Whether an installation was interrupted and nobody goes on with it."""
    has_plan = os.path.exists(work_folder(databases, name) / PLAN)
    return has_plan and not is_changing(databases, name)


@contextmanager
def using(*installed: Installed) -> Iterator[None]:
    """Keep versions from being removed until they are no longer needed.

    An installation of a newer release goes on beside; it removes the older one when
    nobody uses it.

    Raises:
        UnavailableError: one was removed since it was looked up.
    """
    with ExitStack() as stack:
        for each in installed:
            if not stack.enter_context(holding(each.folder / MANIFEST)):
                raise UnavailableError(
                    f"{each.name} {each.release} was removed or replaced meanwhile; try again, "
                    f"and if it is gone, run `genint db install {each.name}`"
                )
        yield


def _no_folder(databases: Path, name: str) -> Problem | None:
    """What is wrong where the folder of databases is none; None where it is, or is not there."""
    try:
        is_folder = stat.S_ISDIR(databases.stat().st_mode)
    except FileNotFoundError:
        return None
    except OSError:
        is_folder = False
    if is_folder:
        return None
    cure = f"let GENINT_DATABASES_DIR name a folder and run `genint db install {name}`"
    return Problem(name, f"{databases}, where databases should be, is no folder", cure)


def _installed(folder: Path, manifest: Manifest) -> Installed:
    return Installed(
        name=manifest.name,
        release=manifest.release,
        released=manifest.released,
        folder=folder,
        digest=manifest.digest,
        entries=manifest.entries,
        licence=manifest.licence,
        citation=manifest.citation,
        size_bytes=manifest.size_bytes,
        facts=manifest.facts,
        installed_at=manifest.installed_at,
    )


def _unusable(folder: Path, manifest: Manifest, name: str) -> str:
    """Why a version must not be used; empty where it may."""
    if manifest.name != name:
        return f"its {MANIFEST} is that of {manifest.name}"
    if (folder / DAMAGED).exists():
        return "a check of every byte found it damaged"
    for file in manifest.built:
        try:
            size = (folder / file.path).stat().st_size
        except OSError:
            return f"{file.path} is missing"
        if size != file.size_bytes:
            return f"{file.path} has {size:,} bytes instead of {file.size_bytes:,}"
    unfit = _UNFIT.get(name)
    return unfit(dict(manifest.facts)) if unfit else ""


def _changed(folder: Path, manifest: Manifest) -> str:
    """Why a version may have been changed since it was checked; empty where it was not."""
    recorded = recorded_times(folder)
    for file in manifest.built:
        if file.path not in recorded:
            return "the record of when its files were written is missing or damaged"
        try:
            found = (folder / file.path).stat().st_mtime_ns
        except OSError:
            return f"{file.path} is missing"
        if not is_same_time(found, recorded[file.path]):
            return f"its files were changed after they were installed ({file.path})"
    return ""


def _unfit_profiles(facts: dict[str, str]) -> str:
    from genint.databases.pressed_kind import pressed_kind  # noqa: PLC0415 - loads HMMER

    if facts.get("pressed_kind") == pressed_kind():
        return ""
    by = facts.get("pressed_by", "another HMMER")
    return f"its profiles were pressed by {by}, which cannot be read here"


def _unfit_index(facts: dict[str, str]) -> str:
    from genint.knowledge.protein_index import INDEX_FORMAT  # noqa: PLC0415 - loads numpy

    if facts.get("index_format") == str(INDEX_FORMAT):
        return ""
    return "its index was built by another genint, in a format that is not read here"


_UNFIT: Final = MappingProxyType[str, Callable[[dict[str, str]], str]](
    {"pfam": _unfit_profiles, "swissprot": _unfit_index}
)
