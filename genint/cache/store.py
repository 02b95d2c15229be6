"""A file of the cache in use: a call does its work there, or nothing, and raises nothing."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from genint.cache.file import CacheFile, DamagedError, is_busy

_REST_S: Final = 60.0
"""How long the cache is left alone after somebody did not let go of it."""

_Answer = TypeVar("_Answer")


class Store:
    """One file in one folder; may be shared by threads, pickled, and used after a fork.

    Args:
        file: Which file.
        folder: The cache folder; None for no cache.
    """

    def __init__(self, file: CacheFile, folder: Path | None) -> None:
        self._file = file
        self._folder = folder
        self._rests_until_s = 0.0

    def tried(
        self, work: Callable[[sqlite3.Connection], _Answer], *, create: bool
    ) -> _Answer | None:
        """Do something with the file; None where that cannot be done.

        A damaged file is removed and, where there is something to write, begun anew. When
        others do not let go of the file, within 7 s at most, it is left alone for a minute.

        Args:
            work: Gets a connection that lives for this call.
            create: Make folder and file where they are missing.
        """
        folder = self._folder
        if folder is None or time.monotonic() < self._rests_until_s:
            return None
        for _ in range(2 if create else 1):
            try:
                with self._file.opened(folder, create=create) as connection:
                    return work(connection)
            except DamagedError as problem:
                if not self._begun_anew(folder, problem.generation):
                    return None
            except (OSError, sqlite3.Error, MemoryError) as problem:
                if is_busy(problem):
                    self._rests_until_s = time.monotonic() + _REST_S
                return None
        return None

    def _begun_anew(self, folder: Path, generation: int) -> bool:
        try:
            self._file.begin_anew(folder, generation)
        except OSError:
            return False
        return True
