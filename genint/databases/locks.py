"""Who may change a database, and who uses it: advisory locks that end with their process."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from genint.databases.places import lock_file
from genint.errors import InstallError

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
