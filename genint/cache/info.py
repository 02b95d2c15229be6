"""The contents of the cache folder, and their removal.

Only what genint made itself is counted and removed, known by its exact name: the folder
may hold other files. Symbolic links are removed, never followed. All of it is safe while
others run: they make anew or search what they miss.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Final, Literal, NamedTuple

from genint.cache.online import ONLINE, ServiceKept, count_online
from genint.cache.profiles import DAY_S, NAME, UNFINISHED, last_used, remove_folder
from genint.cache.search_results import RESULTS, count_results
from genint.cache.sqlite_file import CacheFile, DamagedError
from genint.files import is_locked


class FolderUsage(NamedTuple):
    """Folders of one kind.

    Attributes:
        folders: How many.
        size_bytes: Of all their files.
        oldest_use: Day when the one that was not used for longest was used; None without any.
    """

    folders: int
    size_bytes: int
    oldest_use: date | None


class ResultsKept(NamedTuple):
    """The cache of results.

    Attributes:
        proteins: For how many proteins there are answers.
        answers: How many there are, a protein having one of each source.
        sources: How many sources they come from.
        size_bytes: Of the file.
        oldest_use: Day when the answer that was not used for longest was used; None
            without any.
        readable: Whether it could be read now; without that, all but the size is 0.
    """

    proteins: int = 0
    answers: int = 0
    sources: int = 0
    size_bytes: int = 0
    oldest_use: date | None = None
    readable: bool = True


class OnlineKept(NamedTuple):
    """The cache of online answers.

    Attributes:
        services: Those that answered, by name.
        size_bytes: Of the file.
        oldest_use: Day when the answer that was not used for longest was used; None
            without any.
        readable: Whether it could be read now; without that, nothing but the size is known.
    """

    services: tuple[ServiceKept, ...] = ()
    size_bytes: int = 0
    oldest_use: date | None = None
    readable: bool = True


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """What the cache folder holds.

    Attributes:
        folder: Where it is; need not exist.
        pressed: Indexes of profiles.
        indexes: Indexes of the user's proteins.
        results: What was found for proteins.
        online: What online services answered.
        unfinished: What runs are making now, or left behind when they were killed.
    """

    folder: Path
    pressed: FolderUsage
    indexes: FolderUsage
    results: ResultsKept
    online: OnlineKept
    unfinished: FolderUsage

    @property
    def size_bytes(self) -> int:
        """Of all of it."""
        parts = (self.pressed, self.indexes, self.results, self.online, self.unfinished)
        return sum(part.size_bytes for part in parts)


@dataclass(frozen=True, slots=True)
class Cleared:
    """What was removed.

    Attributes:
        folders: How many folders.
        results: Whether the cache of results was there and is gone.
        online: Whether the cache of online answers was there and is gone.
        freed_bytes: Of disk.
        remaining: Names of what could not be removed: in use, or not ours to write.
    """

    folders: int = 0
    results: bool = False
    online: bool = False
    freed_bytes: int = 0
    remaining: tuple[str, ...] = ()

    def __add__(self, other: Cleared) -> Cleared:
        return Cleared(
            self.folders + other.folders,
            self.results or other.results,
            self.online or other.online,
            self.freed_bytes + other.freed_bytes,
            (*self.remaining, *other.remaining),
        )


Kind = Literal["pressed", "proteins"]
"""Indexes of profiles; indexes of the user's proteins."""

UNUSED_DAYS: Final = 30
"""After how many days without use a folder that no version in use needs is swept."""
_UNLOCKED_S: Final = 60
"""A folder that is younger may be one whose maker has not locked it yet."""
_KINDS: Final[tuple[Kind, ...]] = ("pressed", "proteins")
_EPOCH = date(1970, 1, 1)
_UNREADABLE = (OSError, sqlite3.Error, DamagedError)


def cache_info(cache_folder: Path) -> CacheInfo:
    """Look at the cache folder; changes nothing and raises nothing.

    Cost: 0.01 s, and 2 s for full caches of results (1 GB) and of online answers (0.5 GB).
    """
    return CacheInfo(
        cache_folder,
        pressed=_kept(_folders(cache_folder, "pressed")),
        indexes=_kept(_folders(cache_folder, "proteins")),
        results=_results_kept(cache_folder),
        online=_online_kept(cache_folder),
        unfinished=_kept(_named(cache_folder, UNFINISHED.fullmatch)),
    )


def clear_cache(
    cache_folder: Path, *, results: bool = True, folders: bool = True, online: bool = True
) -> Cleared:
    """Remove what the cache holds.

    Args:
        cache_folder: May be missing.
        results: What was found for proteins.
        folders: Indexes of profiles and of the user's proteins, and what killed runs
            left behind more than a day ago.
        online: What online services answered.

    Cost: 0.1 s; some seconds where others use a file all the time.
    """
    cleared = Cleared()
    if folders:
        whole = [folder for kind in _KINDS for folder in _folders(cache_folder, kind)]
        cleared += _removed([*whole, *_leftovers(cache_folder)])
    if results:
        cleared += _removed_whole(cache_folder, RESULTS, Cleared(results=True))
    if online:
        cleared += _removed_whole(cache_folder, ONLINE, Cleared(online=True))
    return cleared


def sweep(cache_folder: Path, keep: Collection[str] = ()) -> Cleared:
    """Remove what no version in use needs.

    That is: folders that were not used for 30 days, what killed runs left behind, and
    results and online answers of other formats that were not used for 30 days.

    Args:
        cache_folder: May be missing.
        keep: Names of folders that stay although they were not used.

    Cost: 1 ms where there is nothing to do.
    """
    unused = [
        folder
        for kind in _KINDS
        for folder in _folders(cache_folder, kind)
        if folder.name not in keep and _unused_s(folder) > UNUSED_DAYS * DAY_S
    ]
    cleared = _removed([*unused, *_leftovers(cache_folder)])
    for path in _named(cache_folder, _is_of_other_format):
        if os.path.isfile(path) and _unused_s(path) > UNUSED_DAYS * DAY_S:
            cleared += _file_removed(path)
    return cleared


def _is_of_other_format(file_name: str) -> bool:
    return any(file.is_other_format(file_name) for file in (RESULTS, ONLINE))


def _named(cache_folder: Path, is_such: Callable[[str], object]) -> list[Path]:
    """What bears a name that is such, in the order of names."""
    try:
        with os.scandir(cache_folder) as entries:
            names = sorted(entry.name for entry in entries)
    except OSError:
        return []
    return [cache_folder / entry for entry in names if is_such(entry)]


def _folders(cache_folder: Path, kind: Kind) -> list[Path]:
    """Folders of a kind, links to such among them."""
    return [
        path
        for path in _named(cache_folder, NAME.fullmatch)
        if os.path.isdir(path) and path.name.startswith(f"{kind}-")
    ]


def _leftovers(cache_folder: Path) -> list[Path]:
    """What no run can be working on any more."""
    return [
        path
        for path in _named(cache_folder, UNFINISHED.fullmatch)
        if os.path.isdir(path) and _is_abandoned(path)
    ]


def _is_abandoned(path: Path) -> bool:
    """Whether the process that filled or removed a folder is gone, which its lock tells.

    Where folders cannot be locked: whether nothing in it has changed for a day.
    """
    unchanged_s = time.time() - _last_change(path)
    if unchanged_s > DAY_S:
        return True
    try:
        return unchanged_s > _UNLOCKED_S and not is_locked(path)
    except OSError:
        return False


def _unused_s(path: Path) -> float:
    """Seconds since the last use; a damaged folder's since its last change."""
    with contextlib.suppress(OSError):
        return time.time() - last_used(path)
    return time.time() - _last_change(path)


def _last_change(path: Path) -> float:
    """When the path or anything below it was changed last; seconds since 1970."""
    return max((status.st_mtime for status in _statuses(path)), default=0.0)


def _size_bytes(path: Path) -> int:
    """Of a file, a link itself, or all files below a folder; 0 for nothing."""
    return sum(status.st_size for status in _statuses(path) if not stat.S_ISDIR(status.st_mode))


def _statuses(path: Path) -> Iterator[os.stat_result]:
    """Of the path and all below it; links are not followed, what vanishes is left out."""
    paths = [path]
    if not os.path.islink(path):
        paths += [Path(place, name) for place, *names in os.walk(path) for name in chain(*names)]
    for each in paths:
        with contextlib.suppress(OSError):
            yield each.lstat()


def _kept(folders: Sequence[Path]) -> FolderUsage:
    uses = [time.time() - _unused_s(folder) for folder in folders]
    return FolderUsage(
        len(folders),
        sum(map(_size_bytes, folders)),
        datetime.fromtimestamp(min(uses), UTC).date() if uses else None,
    )


def _results_kept(cache_folder: Path) -> ResultsKept:
    kept = ResultsKept(size_bytes=_size_bytes(cache_folder / RESULTS.file_name))
    try:
        with RESULTS.opened(cache_folder, create=False) as connection:
            proteins, answers, sources, day = count_results(connection)
    except FileNotFoundError:
        return kept
    except _UNREADABLE:
        return kept._replace(readable=False)
    return ResultsKept(proteins, answers, sources, kept.size_bytes, _date(day))


def _online_kept(cache_folder: Path) -> OnlineKept:
    kept = OnlineKept(size_bytes=_size_bytes(cache_folder / ONLINE.file_name))
    try:
        with ONLINE.opened(cache_folder, create=False) as connection:
            services, day = count_online(connection)
    except FileNotFoundError:
        return kept
    except _UNREADABLE:
        return kept._replace(readable=False)
    return OnlineKept(services, kept.size_bytes, _date(day))


def _date(day: int | None) -> date | None:
    return None if day is None else _EPOCH + timedelta(days=day)


def _removed(folders: Sequence[Path]) -> Cleared:
    cleared = Cleared()
    for folder in folders:
        size_bytes = _size_bytes(folder)
        remove_folder(folder)
        if os.path.lexists(folder):
            cleared += Cleared(remaining=(folder.name,))
        else:
            cleared += Cleared(folders=1, freed_bytes=size_bytes)
    return cleared


def _file_removed(path: Path) -> Cleared:
    size_bytes = _size_bytes(path)
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return Cleared(remaining=(path.name,))
    return Cleared(freed_bytes=size_bytes)


def _removed_whole(cache_folder: Path, file: CacheFile, done: Cleared) -> Cleared:
    """Remove a file of SQLite while no process uses it; ``done`` where it was there."""
    try:
        freed_bytes = file.remove(cache_folder)
    except OSError:
        return Cleared(remaining=(file.file_name,))
    return done + Cleared(freed_bytes=freed_bytes) if freed_bytes else Cleared()
