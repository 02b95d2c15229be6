"""Folders of the cache that are made once from files that ship or were installed, and kept.

Indexes of profiles and of proteins: reading them takes 0.01 s, making them up to seconds.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import stat
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from genint.files import locked, sync_tree

NAME: Final = re.compile(r"(?P<kind>pressed|proteins)-[0-9a-f]{16,64}(-[A-Za-z0-9_.+]+)+")
"""What such folders are called: their kind, what they were made from, versions."""
UNFINISHED: Final = re.compile(r"\.(making|pressing)-[a-z0-9_]{8}(-old)?")
"""What they are called while they are made or removed."""
MANIFEST: Final = "manifest.json"
DAY_S: Final = 86_400

_PREFIX = ".making-"
_SAMPLE_BYTES = 4096
_SAMPLE_EVERY_BYTES = 1 << 22
_MANIFEST_LIMIT_BYTES = 1 << 20


def made_once(cache_folder: Path | None, name: str, make: Callable[[Path], object]) -> Path | None:
    """A folder of the cache, made now where it is missing or damaged.

    Args:
        cache_folder: Where caches lie, made if missing; None for no cache at all.
        name: Of the folder: ``pressed`` or ``proteins``, a hyphen, 16 to 64 hexadecimal
            digits of what it is made from, and behind further hyphens the versions that
            it depends on (``proteins-0123456789abcdef-1``).
        make: Fills an empty folder with files; called only where it is needed.

    Returns:
        The folder; None where nothing can be kept (no cache folder, read-only, full).

    Raises:
        ValueError: no folder of the cache is called so.

    What ``make`` raises is passed on, but for OSError, which gives None. Damage is seen by
    size, time of change and a checksum over a sample (0.1 %), not over every byte: reading
    all of it would take longer than the search of a phage. Callers that race all get a
    sound folder; another one may be made and thrown away.

    Cost: 0.01 s where the folder is there.
    """
    if not NAME.fullmatch(name):
        raise ValueError(f"no folder of the cache: {name}")
    if cache_folder is None:
        return None
    folder = cache_folder / name
    if _is_sound(folder):
        _mark_used(folder)
        return folder
    try:
        cache_folder.mkdir(parents=True, exist_ok=True)
        return _make_beside(folder, make)
    except OSError:
        return None


def remove_folder(folder: Path) -> None:
    """Remove a folder of the cache so that no process ever sees half of it under its name.

    A symbolic link is removed, not followed. What cannot be removed stays, without an error.
    """
    with contextlib.suppress(OSError):
        aside = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=folder.parent))
        try:
            folder.rename(aside / folder.name)
        finally:
            shutil.rmtree(aside, ignore_errors=True)


def last_used(folder: Path) -> float:
    """When a folder of the cache was used last, to the day; seconds since 1970.

    Raises:
        OSError: it is no such folder.
    """
    return (folder / MANIFEST).stat().st_mtime


def _make_beside(folder: Path, make: Callable[[Path], object]) -> Path | None:
    """Make under another name and move into place; None if a sound one never came."""
    building = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=folder.parent))
    try:
        with _owned(building):
            make(building)
            manifest = json.dumps(_looks(building), indent=1)
            sync_tree(building)  # else a power cut could leave holes behind a good manifest
            (building / MANIFEST).write_text(manifest, encoding="utf-8")
            _move(building, folder)
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return folder if _is_sound(folder) else None


@contextlib.contextmanager
def _owned(folder: Path) -> Iterator[None]:
    """Keep a lock on a folder while it is filled, so that who sweeps sees it is in use."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # some network file systems lock no folders
            stack.enter_context(locked(folder))
        yield


def _move(building: Path, folder: Path) -> None:
    """Put the new folder in place of what may lie there.

    Another process may have been faster: if its folder is sound it stays.
    """
    try:
        building.rename(folder)
    except OSError:
        if _is_sound(folder):
            return
        # A folder cannot be replaced in one step: it steps aside first.
        remove_folder(folder)
        building.rename(folder)


def _files(folder: Path) -> list[Path]:
    """All files below a folder but its manifest, in one order; links are not followed."""
    found = [
        Path(place, name) for place, _, names in os.walk(folder, onerror=_pass_on) for name in names
    ]
    return sorted(path for path in found if path != folder / MANIFEST)


def _pass_on(problem: OSError) -> None:
    raise problem


def _looks(folder: Path) -> dict[str, list[int]]:
    """Relative path -> size in bytes, time of change in ns, checksum of a sample."""
    looks = {}
    for path in _files(folder):
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            raise OSError(f"{path.name} is no plain file")
        checksum = _sample_checksum(path, status.st_size)
        looks[path.relative_to(folder).as_posix()] = [status.st_size, status.st_mtime_ns, checksum]
    return looks


def _sample_checksum(path: Path, size_bytes: int) -> int:
    """CRC-32 of the first 4 kB of every 4 MB."""
    checksum = 0
    with path.open("rb", buffering=0) as stream:
        for at in range(0, size_bytes, _SAMPLE_EVERY_BYTES):
            stream.seek(at)
            checksum = zlib.crc32(stream.read(_SAMPLE_BYTES), checksum)
    return checksum


def _is_sound(folder: Path) -> bool:
    """Whether the files are those that the manifest describes."""
    try:
        with (folder / MANIFEST).open("rb") as stream:
            manifest = json.loads(stream.read(_MANIFEST_LIMIT_BYTES))
        return bool(manifest == _looks(folder))
    except (OSError, ValueError, RecursionError):
        return False


def _mark_used(folder: Path) -> None:
    """Remember the day, for those who sweep; a cache that is read-only stays as it is."""
    with contextlib.suppress(OSError):
        if time.time() - last_used(folder) > DAY_S:
            os.utime(folder / MANIFEST)


_INDEX_LAYOUT: Final = 3
"""Raised with every change of what an index of families holds or how it is made."""


def index_name(digest: str) -> str:
    """Name of the folder of the index of a pack."""
    return f"pressed-{digest[:16]}-index{_INDEX_LAYOUT}"
