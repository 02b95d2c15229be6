"""Checking every byte of what is installed."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from genint.databases.installed import Problem, look_up
from genint.databases.locks import holding
from genint.databases.manifest import (
    MANIFEST,
    SOURCE_FOLDER,
    BuiltFile,
    Manifest,
    UnreadableManifest,
    read_manifest,
)
from genint.databases.places import DAMAGED, current_version
from genint.databases.times import file_times, record_times
from genint.errors import WorkCancelled

_CHUNK = 1 << 20

BytesSeen = Callable[[int, int], None]
"""Told how many bytes were checked and how many there are."""


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
        progress: Told after every file.
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
