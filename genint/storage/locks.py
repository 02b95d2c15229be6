"""Locks on folders and files that end with the process, however it ends."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from genint.errors import UsageError


@contextmanager
def exclusive(lock_file: Path, *, of: Path) -> Iterator[None]:
    """Hold a lock file; nobody else has it meanwhile.

    Args:
        lock_file: Made where it is absent and left there: removing it would let two
            processes lock two files of one name.
        of: What the lock protects, for the message.

    Raises:
        UsageError: another process holds it.
        OSError: it cannot be made.
    """
    descriptor = os.open(lock_file, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as problem:
            raise UsageError(_taken(descriptor, of)) from problem
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(descriptor)


def _taken(descriptor: int, of: Path) -> str:
    holder = os.pread(descriptor, 20, 0).decode("ascii", "replace")
    who = f"another genint (process {holder})" if holder.isdigit() else "another genint"
    return (
        f"{who} uses {of}: stop it, or set GENINT_DATA_DIR to another folder, "
        "or share a PostgreSQL with it (DATABASE_URL)"
    )
