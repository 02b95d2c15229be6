"""The lock beside a file: shared by those who use the file, alone for who replaces it.

It also counts how often the file was begun anew, so that of many who see the same
damage one removes it and the others do not remove what came after.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_WAIT_S = 2.0
_POLL_S = 0.001
_FIGURES = 20


class Lock(NamedTuple):
    """A lock that is held.

    Attributes:
        descriptor: Of its file; None where there is none and none can be made: a folder
            that is read-only for us, where we replace nothing.
    """

    descriptor: int | None

    @property
    def generation(self) -> int:
        """How often the file was begun anew; a damaged figure counts as none."""
        if self.descriptor is None:
            return 0
        text = os.pread(self.descriptor, _FIGURES, 0)
        return int(text) if text.isdigit() else 0

    def count_up(self) -> None:
        """Say that the file was begun anew; only where the lock is held alone.

        Raises:
            OSError: that cannot be written.
        """
        if self.descriptor is not None:
            os.pwrite(self.descriptor, b"%0*d" % (_FIGURES, self.generation + 1), 0)


@contextlib.contextmanager
def locked(path: Path, *, alone: bool = False, needed: bool = False) -> Iterator[Lock]:
    """Hold a lock, waiting for it some seconds.

    Args:
        path: Of its file, made where it is missing.
        alone: Nobody else may hold it.
        needed: No going on without it.

    Raises:
        OSError: others hold it, or it is needed and cannot be opened.
    """
    try:
        descriptor = _opened(path)
    except OSError:
        if needed or alone:
            raise
        yield Lock(None)
        return
    try:
        _take(descriptor, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        yield Lock(descriptor)
    finally:
        os.close(descriptor)


def _opened(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
    except OSError:
        # Another user's may be readable.
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)


def _take(descriptor: int, kind: int) -> None:
    """Wait for the lock for a while; BlockingIOError where others keep it."""
    until_s = time.monotonic() + _WAIT_S
    while True:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > until_s:
                raise
        time.sleep(_POLL_S)
