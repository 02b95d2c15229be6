"""Results of costly steps, remembered in the work folder by what they were made of.

One file for all: 5,000 families are 5,000 files otherwise, and every look a seek.
"""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

_FEW_AT_ONCE = 500
_SPEED_OVER_SIZE = 1


def content_key(*parts: object) -> str:
    """Key of a result: a digest of everything that it depends on."""
    return hashlib.sha256("\x00".join(map(str, parts)).encode()).hexdigest()


class Store:
    """Bytes by key; one process writes, results never change under their key."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        with closing(self._connect()) as connection, connection:
            connection.execute(
                "CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, value BLOB) "
                "WITHOUT ROWID"
            )

    @property
    def folder(self) -> Path:
        """Where its file is."""
        return self._path.parent

    def load(self, keys: Iterable[str]) -> dict[str, bytes]:
        """The results that are known, by key."""
        wanted = sorted(set(keys))
        found: dict[str, bytes] = {}
        with closing(self._connect()) as connection:
            for at in range(0, len(wanted), _FEW_AT_ONCE):
                some = wanted[at : at + _FEW_AT_ONCE]
                marks = ",".join("?" * len(some))
                query = f"SELECT key, value FROM results WHERE key IN ({marks})"  # noqa: S608 - question marks only
                for key, value in connection.execute(query, some):
                    found[key] = zlib.decompress(value)
        return found

    def known(self, keys: Sequence[str]) -> frozenset[str]:
        """Which of the keys have a result."""
        known: set[str] = set()
        with closing(self._connect()) as connection:
            for at in range(0, len(keys), _FEW_AT_ONCE):
                some = keys[at : at + _FEW_AT_ONCE]
                marks = ",".join("?" * len(some))
                query = f"SELECT key FROM results WHERE key IN ({marks})"  # noqa: S608 - question marks only
                known.update(row[0] for row in connection.execute(query, some))
        return frozenset(known)

    def save(self, results: Mapping[str, bytes]) -> None:
        """Keep results."""
        with closing(self._connect()) as connection, connection:
            connection.executemany(
                "INSERT OR REPLACE INTO results VALUES (?, ?)",
                ((key, zlib.compress(value, _SPEED_OVER_SIZE)) for key, value in results.items()),
            )

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=60)
