"""What is installed, whether it is sound, and keeping it from being removed while in use.

A look-up sees sizes, formats and times; :func:`verify` looks at every byte.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import platform
import stat
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from genint.databases.layout import DAMAGED, current_version, holding, is_changing, work_folder
from genint.databases.manifest import (
    MANIFEST,
    SOURCE_FOLDER,
    BuiltFile,
    Manifest,
    UnreadableManifest,
    read_manifest,
)
from genint.errors import UnavailableError, WorkCancelled
from genint.files import write_whole

PLAN: Final = "plan.json"
"""A file in the work folder that is there while an installation is unfinished."""

TIMES: Final = "times.json"

_LIMIT_BYTES = 4_000_000

_CHUNK = 1 << 20

_PRECISIONS_NS: Final = (1, 100, 1_000, 1_000_000, 1_000_000_000)
"""Of times that file systems, archives and copying programs keep."""

_FAMILIES = {
    "x86_64": "x86",
    "amd64": "x86",
    "i686": "x86",
    "i386": "x86",
    "aarch64": "arm",
    "arm64": "arm",
}

BytesSeen = Callable[[int, int], None]
"""Called with how many bytes were checked and how many there are."""


@dataclass(frozen=True, slots=True)
class Installed:
    """A version of a database that may be used.

    Attributes:
        name: Of its recipe.
        release: As its makers call it.
        released: Its date as published; empty where unknown.
        folder: Where the built files are.
        digest: Of what was built, hex: equal if and only if the content is.
        entries: Families, proteins or terms.
        licence: Under which it may be used.
        citation: What to cite.
        size_bytes: On disk, with the downloads that are kept.
        facts: What else its build found, sorted by name.
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
    :func:`verify` only.

    Cost: 1 ms; for profiles loading HMMER besides. Never raises, whatever is on disk.
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
    """Whether an installation was interrupted and no process goes on with it."""
    has_plan = os.path.exists(work_folder(databases, name) / PLAN)
    return has_plan and not is_changing(databases, name)


@contextmanager
def using(*installed: Installed) -> Iterator[None]:
    """Keep versions from being removed until they are no longer needed.

    An installation of a newer release goes on beside; it removes the older one when
    that is no longer in use.

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


def verify(
    databases: Path,
    name: str,
    progress: BytesSeen | None = None,
    *,
    stop: threading.Event | None = None,
) -> tuple[Problem, ...]:
    """Everything that is wrong with an installed database; empty where it is sound.

    What is built and is damaged is not used from then on, until it is installed anew;
    what is sound may be used from then on, though it was copied or touched before.

    Args:
        databases: The folder of databases.
        name: Of the database.
        progress: Called after every file.
        stop: Ends the check when it is set.

    Raises:
        WorkCancelled: ``stop`` was set.

    Cost: 1 s a gigabyte.
    """
    state = look_up(databases, name)
    cure = f"run `genint db install {name}`"
    if state is None:
        return (Problem(name, "is not installed", cure),)
    try:
        folder = current_version(databases, name)
        manifest = read_manifest(folder) if folder else None
    except (ValueError, UnreadableManifest):
        manifest = None
    if manifest is None or folder is None:
        return (state,) if isinstance(state, Problem) else ()
    with holding(folder / MANIFEST):
        times = file_times(folder, manifest)  # before: what is changed meanwhile is seen later
        reasons = tuple(damages(folder, manifest, progress, stop=stop))
        found = tuple(Problem(name, reason, cure) for reason in reasons)
        if isinstance(state, Problem) and not state.is_suspicion:
            return found or (state,)
        if any(not reason.startswith(f"{SOURCE_FOLDER}/") for reason in reasons):
            _mark_damaged(folder, reasons)
        elif isinstance(state, Problem):
            found += _recorded(folder, name, times)
    return found


def damages(
    folder: Path,
    manifest: Manifest,
    progress: BytesSeen | None = None,
    *,
    stop: threading.Event | None = None,
) -> Iterator[str]:
    """What differs from the manifest, a line a file, beginning with its path."""
    sources = (
        BuiltFile(f"{SOURCE_FOLDER}/{file.name}", file.size_bytes, file.sha256)
        for file in manifest.sources
    )
    seen = 0
    for file in (*manifest.built, *sources):
        reason = damage(folder, file, stop=stop)
        if reason:
            yield reason
        seen += file.size_bytes
        if progress is not None:
            progress(seen, manifest.size_bytes)


def damage(folder: Path, file: BuiltFile, *, stop: threading.Event | None = None) -> str:
    """What is wrong with a file; empty where nothing is.

    Raises:
        WorkCancelled: ``stop`` was set.
    """
    try:
        size = (folder / file.path).stat().st_size
        if size != file.size_bytes:
            return f"{file.path} has {size:,} bytes instead of {file.size_bytes:,}"
        if _sha256(folder / file.path, stop) != file.sha256:
            return f"{file.path} is damaged: its bytes are not those that were installed"
    except FileNotFoundError:
        return f"{file.path} is missing"
    except OSError as problem:
        return f"{file.path} cannot be read: {problem.strerror or 'input/output error'}"
    return ""


def file_times(folder: Path, manifest: Manifest) -> dict[str, int]:
    """When each built file was last written, in nanoseconds; without those that are missing."""
    times = {}
    for file in manifest.built:
        try:
            times[file.path] = (folder / file.path).stat().st_mtime_ns
        except OSError:
            continue
    return times


def record_times(folder: Path, times: Mapping[str, int]) -> None:
    """Record when the files of a version were written, each known to be sound.

    Raises:
        OSError: the folder cannot be written.
    """
    write_whole(folder / TIMES, (json.dumps(times, indent=1, sort_keys=True) + "\n").encode())


def recorded_times(folder: Path) -> Mapping[str, int]:
    """What was recorded; nothing where that cannot be read."""
    try:
        with (folder / TIMES).open("rb") as stream:
            content = json.loads(stream.read(_LIMIT_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(content, dict):
        return {}
    return {path: time for path, time in content.items() if type(time) is int}


def is_same_time(found: int, recorded: int) -> bool:
    """Whether a time is the recorded one, or that cut to what a copy keeps of it."""
    return any(found == recorded - recorded % precision for precision in _PRECISIONS_NS)


@cache
def pressed_kind() -> str:
    """What is pressed here, as text to be compared: ``f3e6e6b3 x86``.

    Cost: 0.2 ms once, and loading HMMER.
    """
    from pyhmmer.easel import Alphabet, Randomness  # noqa: PLC0415 - loads HMMER
    from pyhmmer.plan7 import HMM, Background  # noqa: PLC0415 - loads HMMER

    alphabet = Alphabet.amino()
    profile = HMM.sample(alphabet, 2, Randomness(1))
    filters, parameters = io.BytesIO(), io.BytesIO()
    profile.to_profile(Background(alphabet)).to_optimized().write(filters, parameters)
    machine = platform.machine().lower()
    return f"{filters.getvalue()[:4].hex()} {_FAMILIES.get(machine, machine)}"


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
    {
        "padloc": _unfit_profiles,
        "pfam": _unfit_profiles,
        "swissprot": _unfit_index,
        "amr": _unfit_index,
    }
)


def _sha256(path: Path, stop: threading.Event | None) -> str:
    checksum = hashlib.sha256()
    with path.open("rb", buffering=0) as stream:
        while chunk := stream.read(_CHUNK):
            checksum.update(chunk)
            if stop is not None and stop.is_set():
                raise WorkCancelled("the check was stopped")
    return checksum.hexdigest()


def _recorded(folder: Path, name: str, times: Mapping[str, int]) -> tuple[Problem, ...]:
    """Record when files that are sound were written; what is wrong where that cannot be."""
    try:
        record_times(folder, times)
    except OSError as problem:
        reason = f"is sound, but {folder} cannot be written to note that ({problem.strerror})"
        cure = f"run `genint db verify {name}` as a user who may write there"
        return (Problem(name, reason, cure, is_suspicion=True),)
    return ()


def _mark_damaged(folder: Path, reasons: tuple[str, ...]) -> None:
    """Keep it from being used, as far as this user may write there."""
    with suppress(OSError):
        (folder / DAMAGED).write_text("\n".join(reasons) + "\n", encoding="utf-8")
