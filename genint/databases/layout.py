"""Layout of the folder of databases.

::

    <databases>/<name>/<release>-<8 hex>/   a version: manifest.json, what was built, source/
    <databases>/<name>/current              names the version in use
    <databases>/<name>/.work/               unfinished downloads and builds
    <databases>/.<name>.lock                locked by the process that installs or removes
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from genint.databases.manifest import MANIFEST
from genint.errors import InstallError
from genint.files import is_locked, locked, sync

CURRENT = "current"
WORK = ".work"
DAMAGED = "damaged"
"""A file in a version of which damage was seen: it is not used again."""

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_VERSION = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*-[0-9a-f]{8}")
_LONGEST = 60


def database_folder(databases: Path, name: str) -> Path:
    """Folder of all versions of a database."""
    return databases / name


def work_folder(databases: Path, name: str) -> Path:
    """Where an installation works."""
    return databases / name / WORK


def lock_file(databases: Path, name: str) -> Path:
    """What installers lock; outside of the database's folder, so that it stays."""
    return databases / f".{name}.lock"


def version_name(release: str, digest: str) -> str:
    """Name of the folder of a version."""
    safe = _UNSAFE.sub("_", release).strip("._-")[:_LONGEST] or "unknown"
    return f"{safe}-{digest[:8]}"


def versions(databases: Path, name: str) -> tuple[Path, ...]:
    """All folders of versions, in use or not."""
    try:
        inside = sorted(database_folder(databases, name).iterdir())
    except OSError:
        return ()
    return tuple(path for path in inside if _VERSION.fullmatch(path.name) and path.is_dir())


def current_version(databases: Path, name: str) -> Path | None:
    """Folder of the version in use, there or not; None where none is named.

    Raises:
        ValueError: what is named cannot be one; gives the reason in words that follow
            the name of the file.
    """
    try:
        text = (
            (database_folder(databases, name) / CURRENT)
            .read_bytes()[:200]
            .decode("ascii", "replace")
        )
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as problem:
        raise ValueError("cannot be read") from problem
    if not _VERSION.fullmatch(text.strip()):
        raise ValueError("is damaged")
    return database_folder(databases, name) / text.strip()


_LOCK_WAIT_S = 0.05
"""Longer than :func:`is_changing` of another process keeps the lock."""


@contextmanager
def changing(databases: Path, name: str) -> Iterator[None]:
    """Be the only process that installs or removes a database.

    Raises:
        InstallError: another process does.
        OSError: the folder cannot be written.
    """
    databases.mkdir(parents=True, exist_ok=True)
    with locked(lock_file(databases, name), create=True, wait_s=_LOCK_WAIT_S) as lock:
        if lock is None:
            raise InstallError(
                f"{name}: another process is installing or removing it; try again when it is done "
                "(`genint db list` shows that)"
            )
        yield


def is_changing(databases: Path, name: str) -> bool:
    """Whether another process installs or removes a database now."""
    try:
        return is_locked(lock_file(databases, name), shared=True)
    except OSError:
        return False


@contextmanager
def holding(file: Path) -> Iterator[bool]:
    """Share a file's lock, so that nothing replaces or removes it; reading it is enough.

    Gives whether the file was still there when the lock was acquired.
    """
    with ExitStack() as stack:
        try:
            lock = stack.enter_context(locked(file, shared=True, wait_s=None))
            is_there = lock is not None and os.path.samestat(os.fstat(lock), file.stat())
        except FileNotFoundError:
            is_there = False
        yield is_there


_REMOVED = "removed-"


def remove(databases: Path, name: str) -> int:
    """Remove a database with all that belongs to it.

    Returns:
        Bytes that were freed; 0 where nothing was there.

    Raises:
        InstallError: a process uses it, or installs it now, or the folder cannot be written.
    """
    try:
        return _remove(databases, name)
    except OSError as problem:
        what = problem.strerror or type(problem).__name__
        raise InstallError(
            f"{name}: {problem.filename or databases}: {what}; make {databases} writable and run "
            f"`genint db remove {name}` again, as the user who installed it"
        ) from problem


def _remove(databases: Path, name: str) -> int:
    folder = database_folder(databases, name)
    if not folder.exists():
        return 0
    with changing(databases, name):
        size = tree_size(folder)
        if any(is_locked(version / MANIFEST) for version in versions(databases, name)):
            raise InstallError(
                f"{name} is in use by a running interpretation; run `genint db remove {name}` "
                "when that is done"
            )
        (folder / CURRENT).unlink(missing_ok=True)
        sync(folder)
        # A process that starts to use it in this moment keeps its files: they are only unlinked.
        remove_tree(folder)
    return size


def sweep_versions(databases: Path, name: str, keep: Path) -> Iterator[str]:
    """Remove versions that no process uses, but for one; gives the name of each.

    Call it under the lock of :func:`genint.databases.layout.changing`.
    """
    work = work_folder(databases, name)
    for version in versions(databases, name):
        if version == keep:
            continue
        with ExitStack() as stack:
            # A version without a manifest cannot be in use.
            with suppress(FileNotFoundError):
                if stack.enter_context(locked(version / MANIFEST)) is None:
                    continue
            # Its manifest must never be seen beside files that are gone already.
            work.mkdir(exist_ok=True)
            aside = work / f"{_REMOVED}{version.name}"
            remove_tree(aside)
            version.rename(aside)
        remove_tree(aside)
        yield version.name


def sweep_work(databases: Path, name: str) -> None:
    """Remove what unfinished work left."""
    remove_tree(database_folder(databases, name) / WORK)


def tree_size(folder: Path) -> int:
    """Bytes of all files below a folder; 0 where there is none."""
    sizes = 0
    for inside, _, names in os.walk(folder):
        for name in names:
            try:
                sizes += os.lstat(os.path.join(inside, name)).st_size
            except FileNotFoundError:
                continue  # another process removed it meanwhile
    return sizes


def remove_tree(folder: Path) -> None:
    """Remove a folder and what is in it, if it is there."""
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        return
