"""Writing to disk so that a power cut leaves either the old or the new."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def sync_file(path: Path) -> None:
    """Have the content of a file on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk."""
    sync_file(folder)


def sync_tree(folder: Path) -> None:
    """Have all files and names below a folder on the disk."""
    for path in folder.rglob("*"):
        sync_file(path)
    sync_folder(folder)


def write_whole(path: Path, content: bytes) -> None:
    """Put content in the place of a file: readers see the old or the new, never half."""
    beside = path.with_name(f".{path.name}.new")
    with beside.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    beside.replace(path)
    sync_folder(path.parent)


def tree_size(folder: Path) -> int:
    """Bytes of all files below a folder; 0 where there is none."""
    sizes = 0
    for inside, _, names in os.walk(folder):
        for name in names:
            try:
                sizes += os.lstat(os.path.join(inside, name)).st_size
            except FileNotFoundError:
                continue  # somebody tidied up meanwhile
    return sizes


def remove_tree(folder: Path) -> None:
    """Remove a folder and what is in it; none is as good."""
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        return
