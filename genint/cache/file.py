"""A SQLite file of the cache folder: opening it, beginning it anew, removing it.

A connection lives for one call. So nothing is carried over a fork, nothing is held by a
service that idles for weeks, and a damaged file can be removed while nobody has it open:
every call holds a shared lock on a file beside it, removing takes the exclusive one.

A rollback journal, not a write-ahead log: it works on the network disks on which home
folders of clusters lie, and a folder that is read-only for us can still be read.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from genint.cache.lock import locked
from genint.errors import UnavailableError

LONGEST_BYTES: Final = 16_000_000
"""Longest content of a row that is kept, packed."""

_MARK_BYTES = slice(68, 72)
_HEAD_BYTES = 4096
_BUSY_S = 5.0
_CLOSED = frozenset(
    {
        sqlite3.SQLITE_AUTH,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOLFS,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_READONLY,
    }
)
"""What says nothing about the file itself; all else does."""


class DamagedError(UnavailableError):
    """The file is not what its format looks like.

    Attributes:
        generation: How often it had been begun anew when it was opened.
    """

    def __init__(self, name: str, generation: int = 0) -> None:
        super().__init__(f"{name} is damaged")
        self.generation = generation


@dataclass(frozen=True, slots=True)
class CacheFile:
    """What a file of the cache folder is called, and how it is told from others.

    Attributes:
        name: Lower-case letters, such as ``results``.
        format: Number of its format, part of the file's name: others are left alone.
        mark: ``application_id`` in its head, not 0.
        mark_text: A line that its first page holds: comment in the first statement of
            the schema. It tells the file where the mark is damaged.
        schema: Statements that make its tables, with a semicolon behind each; at most 3 kB,
            so that the first page holds all of them.
    """

    name: str
    format: int
    mark: int
    mark_text: str
    schema: str

    @property
    def stem(self) -> str:
        """What the names of its files begin with."""
        return f"{self.name}-{self.format}"

    @property
    def file_name(self) -> str:
        """Of the SQLite file."""
        return f"{self.stem}.sqlite3"

    @property
    def journal_name(self) -> str:
        """Of SQLite's file beside it, while somebody writes."""
        return f"{self.file_name}-journal"

    @property
    def lock_name(self) -> str:
        """Of the lock beside it; stays when the file is removed."""
        return f"{self.stem}.lock"

    @property
    def set_aside_name(self) -> str:
        """Where a file goes that has our name and is not ours."""
        return f"{self.stem}.set-aside"

    def is_other_format(self, file_name: str) -> bool:
        """Whether a file belongs to another format of this cache."""
        ours = re.fullmatch(rf"{self.name}-\d{{1,4}}\.(lock|sqlite3|sqlite3-journal)", file_name)
        return ours is not None and not file_name.startswith(f"{self.stem}.")

    @contextlib.contextmanager
    def opened(self, folder: Path, *, create: bool) -> Iterator[sqlite3.Connection]:
        """A connection for one call.

        Args:
            folder: The cache folder.
            create: Make folder and file where they are missing.

        Raises:
            OSError: it is missing and not to be made, or the folder is closed to us.
            sqlite3.Error: it is locked, full, read-only ...; also from what the caller does.
            DamagedError: it is damaged or no file of ours; also from what the caller does.
        """
        file = folder / self.file_name
        if create:
            folder.mkdir(parents=True, exist_ok=True)
        else:
            file.lstat()
        with locked(folder / self.lock_name, needed=create) as lock:
            generation = lock.generation
            address = f"{file.absolute().as_uri()}?mode={'rwc' if create else 'rw'}"
            try:
                connection = sqlite3.connect(
                    address, uri=True, timeout=_BUSY_S, isolation_level=None
                )
                with contextlib.closing(connection):
                    self._prepare(connection, create=create)
                    yield connection
            except (sqlite3.Error, UnicodeError) as problem:
                if self._is_damage(problem, folder):
                    raise DamagedError(self.file_name, generation) from problem
                raise

    def begin_anew(self, folder: Path, generation: int) -> None:
        """Remove a damaged file while nobody uses it.

        What has our name but not our marks is moved aside, once, not deleted.

        Args:
            folder: The cache folder.
            generation: How often it had been begun anew when the damage was seen; if others
                have done so since then, nothing is left to do.

        Raises:
            OSError: others did not let go of it in time, or it cannot be removed.
        """
        with locked(folder / self.lock_name, alone=True) as lock:
            if generation == lock.generation:
                if not self._remove(folder):
                    self._set_aside(folder)
                lock.count_up()

    def remove(self, folder: Path) -> int:
        """Remove the file, damaged or not, while nobody uses it; bytes that it had.

        What has our name but not our marks stays.

        Raises:
            OSError: others did not let go of it in time, or it cannot be removed.
        """
        file = folder / self.file_name
        if not os.path.lexists(file):
            return 0
        with locked(folder / self.lock_name, alone=True):
            size_bytes = file.lstat().st_size
            return size_bytes if self._remove(folder) else 0

    def _prepare(self, connection: sqlite3.Connection, *, create: bool) -> None:
        """Set a connection up and check that the file is ours; give an empty one its tables."""
        connection.text_factory = bytes  # damaged text need not be UTF-8
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 2 * LONGEST_BYTES)
        # A power cut may cost the cache; it cannot make a wrong answer of it, see the seals.
        for setting in ("synchronous = OFF", "trusted_schema = OFF", "cell_size_check = ON"):
            connection.execute(f"PRAGMA {setting}")
        if self._is_ours(connection):
            return
        if not create:
            if figure(connection, "page_count") == 0:
                raise FileNotFoundError(self.file_name)
            raise sqlite3.DatabaseError("not our marks")
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        with writing(connection):
            if self._is_ours(connection):
                return
            if figure(connection, "schema_version") or figure(connection, "application_id"):
                raise sqlite3.DatabaseError("not our marks")
            for statement in self.schema.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {self.mark}")
            connection.execute(f"PRAGMA user_version = {self.format}")

    def _is_ours(self, connection: sqlite3.Connection) -> bool:
        marks = (figure(connection, "application_id"), figure(connection, "user_version"))
        return marks == (self.mark, self.format)

    def _is_damage(self, problem: Exception, folder: Path) -> bool:
        """Whether an error says that the file itself is at fault."""
        if not isinstance(problem, sqlite3.Error):
            return True  # a garbled message
        code = getattr(problem, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
        if code == sqlite3.SQLITE_READONLY:
            # Only a damaged head makes SQLite refuse to write what may be written.
            return all(os.access(path, os.W_OK) for path in (folder, folder / self.file_name))
        return code & 0xFF not in _CLOSED

    def _remove(self, folder: Path) -> bool:
        """Remove the file if it bears our marks; its journal first, which would spoil the next one.

        Only while nobody has it open, in this process above all: closing a file drops all
        locks that the process holds on it.
        """
        file = folder / self.file_name
        try:
            with file.open("rb") as stream:
                head = stream.read(_HEAD_BYTES)
        except FileNotFoundError:
            return True
        is_marked = int.from_bytes(head[_MARK_BYTES]) == self.mark
        if head and not is_marked and self.mark_text.encode() not in head:
            return False
        (folder / self.journal_name).unlink(missing_ok=True)
        file.unlink()
        return True

    def _set_aside(self, folder: Path) -> None:
        if os.path.lexists(folder / self.set_aside_name):
            raise FileExistsError(self.set_aside_name)
        (folder / self.file_name).rename(folder / self.set_aside_name)


@contextlib.contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """One transaction; undone where it fails."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:  # a half-done transaction never stays open
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def is_busy(problem: Exception) -> bool:
    """Whether others did not let go of the file or its lock in time."""
    if isinstance(problem, BlockingIOError):
        return True
    code = getattr(problem, "sqlite_errorcode", 0) & 0xFF
    return code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def figure(connection: sqlite3.Connection, name: str) -> int:
    """A number that a pragma tells."""
    (value,) = connection.execute(f"PRAGMA {name}").fetchone()
    return int(value)
