"""Locks between processes, and files that survive a power cut.

A lock is the kernel's ``flock`` on an open file: it is free again when its process ends, however
that happens, and network file systems pass it on. Locks are shared or exclusive, on files that
may be read only for us; the package filelock offers neither.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_POLL_S: Final = 0.001


@contextmanager
def locked(
    path: Path,
    *,
    shared: bool = False,
    create: bool = False,
    wait_s: float | None = 0.0,
    mode: int = 0o666,
) -> Iterator[int | None]:
    """Lock a file.

    Args:
        path: Of the file; never remove one that processes lock by its name.
        shared: Others may share the lock, but not have it alone.
        create: Make the file where it is missing, and open it for writing.
        wait_s: How long to wait for others; None: as long as it takes.
        mode: Permissions of a new file.

    Yields:
        The descriptor of the file; None where others did not release the lock.

    Raises:
        OSError: the file cannot be opened.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW if create else os.O_RDONLY
    descriptor = os.open(path, flags, mode)
    try:
        kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        yield descriptor if _acquire(descriptor, kind, wait_s) else None
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, kind: int, wait_s: float | None) -> bool:
    if wait_s is None:
        fcntl.flock(descriptor, kind)
        return True
    until_s = time.monotonic() + wait_s
    while True:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= until_s:
                return False
        time.sleep(_POLL_S)


def is_locked(path: Path, *, shared: bool = False) -> bool:
    """Whether others keep a lock that :func:`locked` would not get; no file has no lock."""
    try:
        with locked(path, shared=shared) as descriptor:
            return descriptor is None
    except FileNotFoundError:
        return False


def sync(path: Path) -> None:
    """Wait until the content of a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(folder: Path) -> None:
    """Wait until all files and names below a folder are on the disk."""
    for path in folder.rglob("*"):
        sync(path)
    sync(folder)


def move_durably(*moves: tuple[Path, Path]) -> None:
    """Give files their final names in one folder: they survive a power cut when this returns.

    Readers see an old file or the new one, never half of it.

    Raises:
        OSError: a file is missing, or the disk is full or broken.
    """
    for made, _ in moves:
        sync(made)
    for made, final in moves:
        made.replace(final)
    sync(moves[0][1].parent)


def write_whole(path: Path, content: bytes) -> None:
    """Put content in the place of a file, durably."""
    new = path.with_name(f".{path.name}.new")
    new.write_bytes(content)
    move_durably((new, path))
