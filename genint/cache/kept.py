"""What the cache folder holds, in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import NamedTuple


class FoldersKept(NamedTuple):
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


class ServiceKept(NamedTuple):
    """What one online service said.

    Attributes:
        service: Its name in the cache.
        proteins: For how many proteins (by checksum) there are answers.
        answers: How many answers there are, also to what is no protein; several for a
            protein where they are of several releases.
        releases: Of the service, that there are answers from; the one first that came first.
    """

    service: str
    proteins: int
    answers: int
    releases: tuple[str, ...]


class OnlineKept(NamedTuple):
    """The cache of online answers.

    Attributes:
        services: Those that said something, by name.
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
        pressed: Pressed profiles.
        indexes: Indexes of the user's proteins.
        results: What was found for proteins.
        online: What online services said.
        unfinished: What runs are making now, or left behind when they were killed.
    """

    folder: Path
    pressed: FoldersKept
    indexes: FoldersKept
    results: ResultsKept
    online: OnlineKept
    unfinished: FoldersKept

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
