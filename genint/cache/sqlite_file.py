"""A SQLite file of the cache folder: opening it, beginning it anew, removing it.

A connection lives for one call. So nothing is carried over a fork, nothing is held by a
service that idles for weeks, and a damaged file can be removed while no process has it open:
every call holds a shared lock on a file beside it, removing takes the exclusive one.

A rollback journal, not a write-ahead log: it works on the network disks on which home
folders of clusters lie, and a folder that is read-only for us can still be read.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from genint.errors import UnavailableError
from genint.files import locked

_WAIT_S = 2.0
_FIGURES = 20


class Lock(NamedTuple):
    """A lock that is held.

    Attributes:
        descriptor: Of its file; None where there is none and none can be made: a folder
            that is read-only for us, where we replace nothing.
    """

    descriptor: int | None

    @property
    def generation(self) -> int:
        """How often the file was begun anew; a damaged figure counts as none."""
        if self.descriptor is None:
            return 0
        text = os.pread(self.descriptor, _FIGURES, 0)
        return int(text) if text.isdigit() else 0

    def count_up(self) -> None:
        """Say that the file was begun anew; only where the lock is held alone.

        Raises:
            OSError: that cannot be written.
        """
        if self.descriptor is not None:
            os.pwrite(self.descriptor, b"%0*d" % (_FIGURES, self.generation + 1), 0)


@contextlib.contextmanager
def lock_cache(path: Path, *, alone: bool = False, needed: bool = False) -> Iterator[Lock]:
    """Hold a lock, waiting for it some seconds.

    Args:
        path: Of its file, made where it is missing.
        alone: No other process may hold it.
        needed: No going on without it.

    Raises:
        OSError: others hold it, or it is needed and cannot be opened.
    """
    with contextlib.ExitStack() as stack:
        acquire = partial(locked, path, shared=not alone, wait_s=_WAIT_S)
        try:
            try:
                descriptor = stack.enter_context(acquire(create=True))
            except OSError:  # another user's file may be readable
                descriptor = stack.enter_context(acquire())
        except OSError:
            if needed or alone:
                raise
            yield Lock(None)
            return
        if descriptor is None:
            raise BlockingIOError(f"{path.name} is locked")
        yield Lock(descriptor)


LONGEST_BYTES: Final = 16_000_000
"""Longest content of a row that is kept, packed."""
DEFAULT_WAIT_S: Final = 5.0
"""How long a statement waits for those of other connections."""

_MARK_BYTES = slice(68, 72)
_HEAD_BYTES = 4096
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
"""Errors that are no sign of damage; all others are."""


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
    """What a file of the cache folder is called, and how it differs from others.

    Attributes:
        name: Lower-case letters, such as ``results``.
        format: Number of its format, part of the file's name: others are left alone.
        mark: ``application_id`` in its head, not 0.
        mark_text: A line that its first page holds: comment in the first statement of
            the schema. It identifies the file where the mark is damaged.
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
        """Of SQLite's file beside it, while a process writes."""
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
    def opened(
        self, folder: Path, *, create: bool, wait_s: float = DEFAULT_WAIT_S
    ) -> Iterator[sqlite3.Connection]:
        """A connection for one call.

        Args:
            folder: The cache folder.
            create: Make folder and file where they are missing.
            wait_s: How long each statement waits for those of other connections.

        Raises:
            OSError: it is missing and not to be made, or the folder is closed to us.
            sqlite3.Error: it is locked, full, read-only ...; also from what the caller does.
            DamagedError: it is damaged or no file of ours; also from what the caller does.
        """
        file = folder / self.file_name
        if create:
            folder.mkdir(parents=True, exist_ok=True)
            _make_private(file)
        else:
            file.lstat()
        with lock_cache(folder / self.lock_name, needed=create) as lock:
            generation = lock.generation
            address = f"{file.absolute().as_uri()}?mode={'rwc' if create else 'rw'}"
            try:
                connection = sqlite3.connect(
                    address, uri=True, timeout=wait_s, isolation_level=None
                )
                with contextlib.closing(connection):
                    self._prepare(connection, create=create)
                    yield connection
            except (sqlite3.Error, UnicodeError) as problem:
                if self._is_damage(problem, folder):
                    raise DamagedError(self.file_name, generation) from problem
                raise

    def begin_anew(self, folder: Path, generation: int) -> None:
        """Remove a damaged file while no process uses it.

        What has our name but not our marks is moved aside, once, not deleted.

        Args:
            folder: The cache folder.
            generation: How often it had been begun anew when the damage was seen; if others
                have done so since then, nothing is left to do.

        Raises:
            OSError: others did not let go of it in time, or it cannot be removed.
        """
        with lock_cache(folder / self.lock_name, alone=True) as lock:
            if generation == lock.generation:
                if not self._remove(folder):
                    self._set_aside(folder)
                lock.count_up()

    def remove(self, folder: Path) -> int:
        """Remove the file, damaged or not, while no process uses it; bytes that it had.

        What has our name but not our marks stays.

        Raises:
            OSError: others did not let go of it in time, or it cannot be removed.
        """
        file = folder / self.file_name
        if not os.path.lexists(file):
            return 0
        with lock_cache(folder / self.lock_name, alone=True):
            size_bytes = file.lstat().st_size
            return size_bytes if self._remove(folder) else 0

    def _prepare(self, connection: sqlite3.Connection, *, create: bool) -> None:
        """Set a connection up and check that the file is ours; give an empty one its tables."""
        connection.text_factory = bytes  # damaged text need not be UTF-8
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 2 * LONGEST_BYTES)
        # A power cut may cost the cache; it cannot make a wrong answer of it, see the checksums.
        for setting in ("synchronous = OFF", "trusted_schema = OFF", "cell_size_check = ON"):
            connection.execute(f"PRAGMA {setting}")
        # Looked at before the marks: they come in one transaction with the first table.
        has_tables = figure(connection, "schema_version") != 0
        if self._is_ours(connection):
            return
        if not create:
            if not has_tables:
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
        """Whether an error shows that the file itself is at fault."""
        if not isinstance(problem, sqlite3.Error):
            return True  # a garbled message
        code = getattr(problem, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
        if code == sqlite3.SQLITE_READONLY:
            # Only a damaged head makes SQLite refuse to write what may be written.
            return all(os.access(path, os.W_OK) for path in (folder, folder / self.file_name))
        return code & 0xFF not in _CLOSED

    def _remove(self, folder: Path) -> bool:
        """Remove the file if it bears our marks; its journal first, which would spoil the next one.

        Only while no connection has it open, in this process above all: closing a file drops all
        locks that the process holds on it.
        """
        file = folder / self.file_name
        try:
            with file.open("rb") as stream:
                head = stream.read(_HEAD_BYTES)
        except FileNotFoundError:
            return True
        # A file system that lost power may leave zeros where it had promised room.
        is_blank = not head.strip(b"\0")
        is_marked = int.from_bytes(head[_MARK_BYTES]) == self.mark
        if not is_blank and not is_marked and self.mark_text.encode() not in head:
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
    """The number that a pragma gives."""
    (value,) = connection.execute(f"PRAGMA {name}").fetchone()
    return int(value)


_REST_S: Final = 60.0
"""How long the cache is left alone after another process did not release it."""

_Answer = TypeVar("_Answer")


class Store:
    """One file in one folder; may be shared by threads, pickled, and used after a fork.

    Args:
        file: Which file.
        folder: The cache folder; None for no cache.
        wait_s: How long each statement waits for those of other connections.
    """

    def __init__(
        self, file: CacheFile, folder: Path | None, *, wait_s: float = DEFAULT_WAIT_S
    ) -> None:
        self._file = file
        self._folder = folder
        self._wait_s = wait_s
        self._rests_until_s = 0.0

    def tried(
        self, work: Callable[[sqlite3.Connection], _Answer], *, create: bool
    ) -> _Answer | None:
        """Do something with the file; None where that cannot be done.

        A damaged file is removed and, where there is something to write, begun anew. When
        others do not let go of the file, by default within 7 s, it is left alone for a minute.

        Args:
            work: Gets a connection that lives for this call.
            create: Make folder and file where they are missing.
        """
        folder = self._folder
        if folder is None or time.monotonic() < self._rests_until_s:
            return None
        for _ in range(2 if create else 1):
            try:
                with self._file.opened(folder, create=create, wait_s=self._wait_s) as connection:
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


def _make_private(file: Path) -> None:
    """Make an empty file that its owner alone can read, unless it is there.

    One that is there is not opened: closing it would end the locks of this process on it.
    """
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
