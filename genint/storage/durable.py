"""Making files last: what was synced here survives a power cut."""

from __future__ import annotations

import os
from pathlib import Path


def sync_file(file: Path) -> None:
    """Wait until the content of a file is on the disk."""
    _sync(file, os.O_RDONLY)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk: what was renamed stays so."""
    _sync(folder, os.O_RDONLY | os.O_DIRECTORY)


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
