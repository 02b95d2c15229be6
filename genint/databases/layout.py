"""Where things lie in the folder of databases.

::

    <databases>/<name>/<release>-<8 hex>/   a version: manifest.json, what was built, source/
    <databases>/<name>/current              names the version in use
    <databases>/<name>/.work/               unfinished downloads and builds
    <databases>/.<name>.lock                locked while it is installed or removed
"""

from __future__ import annotations

import fcntl
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from genint.databases.manifest import MANIFEST, remove_tree, sync_folder, tree_size
from genint.errors import InstallError

CURRENT = "current"
WORK = ".work"
DAMAGED = "damaged"
"""A file in a version of which damage was seen: it is not used again."""

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_VERSION = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*-[0-9a-f]{8}")
_LONGEST = 60


def database_folder(databases: Path, name: str) -> Path:
    """Where all of a database lies."""
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
        ValueError: what is named cannot be one; says why, in words that follow the file's name.
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


_ATTEMPTS, _BETWEEN_S = 5, 0.01


@contextmanager
def changing(databases: Path, name: str) -> Iterator[None]:
    """Be the only one who installs or removes a database.

    Raises:
        InstallError: another process does.
        OSError: the folder cannot be written.
    """
    databases.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(lock_file(databases, name), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        if not _locked_soon(descriptor):
            raise InstallError(
                f"{name}: another process is installing or removing it; try again when it is done "
                "(`genint db list` shows that)"
            )
        yield
    finally:
        os.close(descriptor)


def _locked_soon(descriptor: int) -> bool:
    """Whether the lock is had; :func:`is_changing` of others passes in microseconds."""
    for _ in range(_ATTEMPTS):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_BETWEEN_S)
        else:
            return True
    return False


def is_changing(databases: Path, name: str) -> bool:
    """Whether somebody installs or removes a database now."""
    try:
        descriptor = os.open(lock_file(databases, name), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


@contextmanager
def holding(file: Path) -> Iterator[bool]:
    """Share a file's lock, so that :func:`nobody_holds` is refused; reading it is enough.

    Gives whether the file was still there when the lock was had.
    """
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        yield False
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        yield _is_still(descriptor, file)
    finally:
        os.close(descriptor)


@contextmanager
def nobody_holds(file: Path) -> Iterator[bool]:
    """Keep others from :func:`holding` a file; gives False where somebody does already.

    A file that is not there is held by nobody.
    """
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        yield True
        return
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(descriptor)


def _is_still(descriptor: int, file: Path) -> bool:
    """Whether a path leads to the file that was opened."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(descriptor), file.stat())
    return False


_REMOVED = "removed-"


def remove(databases: Path, name: str) -> int:
    """Remove a database with all that belongs to it.

    Returns:
        Bytes that were freed; 0 where nothing was there.

    Raises:
        InstallError: it is in use, or being installed, or the folder cannot be written.
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
        if any(_is_used(version) for version in versions(databases, name)):
            raise InstallError(
                f"{name} is in use by a running interpretation; run `genint db remove {name}` "
                "when that is done"
            )
        (folder / CURRENT).unlink(missing_ok=True)
        sync_folder(folder)
        # Whoever starts to use it in this moment keeps its files: they are only unlinked.
        remove_tree(folder)
    return size


def sweep_versions(databases: Path, name: str, keep: Path) -> Iterator[str]:
    """Remove versions that are not in use, but for one; gives the name of each.

    Call it under the lock of :func:`genint.databases.layout.changing`.
    """
    work = work_folder(databases, name)
    for version in versions(databases, name):
        if version == keep:
            continue
        with nobody_holds(version / MANIFEST) as is_free:
            if not is_free:
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


def _is_used(version: Path) -> bool:
    with nobody_holds(version / MANIFEST) as is_free:
        return not is_free
