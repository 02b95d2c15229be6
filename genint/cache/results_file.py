"""The SQLite file of the cache of results: opening it, and beginning it anew.

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
from pathlib import Path
from typing import Final

from genint.cache.results_lock import locked
from genint.errors import UnavailableError

FORMAT: Final = 1
STEM: Final = f"results-{FORMAT}"
FILE: Final = f"{STEM}.sqlite3"
LOCK: Final = f"{STEM}.lock"
SET_ASIDE: Final = f"{STEM}.set-aside"
"""Where a file goes that has our name and is not ours."""
FILES: Final = re.compile(r"results-\d{1,4}\.(lock|sqlite3|sqlite3-journal)")
"""Names of the files of every format."""

LONGEST_BYTES: Final = 16_000_000
"""Longest answer that is kept, packed."""

_JOURNAL = f"{FILE}-journal"
_MARK = 0x67_6E_72_31
_MARK_BYTES = slice(68, 72)
_MARK_TEXT = b"genint: what was found for proteins"
_HEAD_BYTES = 4096
_SCHEMA = f"""
CREATE TABLE sources ( -- {_MARK_TEXT.decode()}
    id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, day INTEGER NOT NULL);
CREATE TABLE results (
    id INTEGER PRIMARY KEY, protein BLOB NOT NULL, source INTEGER NOT NULL,
    day INTEGER NOT NULL, answer BLOB NOT NULL);
CREATE UNIQUE INDEX result_of ON results (protein, source);
CREATE INDEX result_used ON results (day);
PRAGMA application_id = {_MARK};
PRAGMA user_version = {FORMAT};
"""
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
    """The file is not what this format looks like.

    Attributes:
        generation: How often it had been begun anew when it was opened.
    """

    def __init__(self, generation: int = 0) -> None:
        super().__init__("the file of results is damaged")
        self.generation = generation


@contextlib.contextmanager
def opened(folder: Path, *, create: bool) -> Iterator[sqlite3.Connection]:
    """A connection for one call.

    Args:
        folder: The cache folder.
        create: Make folder and file where they are missing.

    Raises:
        OSError: it is missing and not to be made, or the folder is closed to us.
        sqlite3.Error: it is locked, full, read-only ...; also from what the caller does.
        DamagedError: it is damaged or no file of ours; also from what the caller does.
    """
    file = folder / FILE
    if create:
        folder.mkdir(parents=True, exist_ok=True)
    else:
        file.lstat()
    with locked(folder / LOCK, needed=create) as lock:
        generation = lock.generation
        address = f"{file.absolute().as_uri()}?mode={'rwc' if create else 'rw'}"
        try:
            connection = sqlite3.connect(address, uri=True, timeout=_BUSY_S, isolation_level=None)
            with contextlib.closing(connection):
                _prepare(connection, create=create)
                yield connection
        except (sqlite3.Error, UnicodeError) as problem:
            if _is_damage(problem, folder):
                raise DamagedError(generation) from problem
            raise


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


def begin_anew(folder: Path, generation: int) -> None:
    """Remove a damaged file while nobody uses it.

    What has our name but not our marks is moved aside, once, not deleted.

    Args:
        folder: The cache folder.
        generation: How often it had been begun anew when the damage was seen; if others
            have done so since then, nothing is left to do.

    Raises:
        OSError: others did not let go of it in time, or it cannot be removed.
    """
    with locked(folder / LOCK, alone=True) as lock:
        if generation == lock.generation:
            if not _remove(folder):
                _set_aside(folder)
            lock.count_up()


def remove(folder: Path) -> int:
    """Remove the file, damaged or not, while nobody uses it; bytes that it had.

    What has our name but not our marks stays.

    Raises:
        OSError: others did not let go of it in time, or it cannot be removed.
    """
    file = folder / FILE
    if not os.path.lexists(file):
        return 0
    with locked(folder / LOCK, alone=True):
        size_bytes = file.lstat().st_size
        return size_bytes if _remove(folder) else 0


def _is_damage(problem: Exception, folder: Path) -> bool:
    """Whether an error says that the file itself is at fault."""
    if not isinstance(problem, sqlite3.Error):
        return True  # a garbled message
    code = getattr(problem, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    if code == sqlite3.SQLITE_READONLY:
        # Only a damaged head makes SQLite refuse to write what may be written.
        return all(os.access(path, os.W_OK) for path in (folder, folder / FILE))
    return code & 0xFF not in _CLOSED


def _prepare(connection: sqlite3.Connection, *, create: bool) -> None:
    """Set a connection up and check that the file is ours; give an empty one its tables."""
    connection.text_factory = bytes  # damaged text need not be UTF-8
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 2 * LONGEST_BYTES)
    # A power cut may cost the cache; it cannot make a wrong answer of it, see the seals.
    for setting in ("synchronous = OFF", "trusted_schema = OFF", "cell_size_check = ON"):
        connection.execute(f"PRAGMA {setting}")
    if _is_ours(connection):
        return
    if not create:
        if figure(connection, "page_count") == 0:
            raise FileNotFoundError(FILE)
        raise sqlite3.DatabaseError("not our marks")
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    with writing(connection):
        if _is_ours(connection):
            return
        if figure(connection, "schema_version") or figure(connection, "application_id"):
            raise sqlite3.DatabaseError("not our marks")
        for statement in _SCHEMA.split(";"):
            connection.execute(statement)


def _is_ours(connection: sqlite3.Connection) -> bool:
    marks = (figure(connection, "application_id"), figure(connection, "user_version"))
    return marks == (_MARK, FORMAT)


def _remove(folder: Path) -> bool:
    """Remove the file if it bears our marks; its journal first, which would spoil the next one.

    Only while nobody has it open, in this process above all: closing a file drops all
    locks that the process holds on it.
    """
    file = folder / FILE
    try:
        with file.open("rb") as stream:
            head = stream.read(_HEAD_BYTES)
    except FileNotFoundError:
        return True
    if head and int.from_bytes(head[_MARK_BYTES]) != _MARK and _MARK_TEXT not in head:
        return False
    (folder / _JOURNAL).unlink(missing_ok=True)
    file.unlink()
    return True


def _set_aside(folder: Path) -> None:
    if os.path.lexists(folder / SET_ASIDE):
        raise FileExistsError(SET_ASIDE)
    (folder / FILE).rename(folder / SET_ASIDE)
