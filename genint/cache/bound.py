"""Keeping a file of the cache within its bound."""

from __future__ import annotations

import sqlite3
from typing import Final, NamedTuple

from genint.cache.file import figure, writing

_KEPT_SHARE: Final = 0.8
"""What stays of the size bound when it is crossed."""
_FEWEST_ROWS, _MOST_ROWS, _MOST_PAGES = 10, 20_000, 2_000
"""Of one transaction: some 0.5 s. Fewer rows at a time would cost more in all, as each of
them stands on another page of the index."""
_MEMORY_KB = 64_000
"""For those pages, so that they are written once."""


class Dropping(NamedTuple):
    """Statements that make room.

    Attributes:
        total: How many rows there are.
        drop: Deletes so many rows (its one parameter), those first that were not used for
            longest.
        tidy: Deletes what stands for none of the rows that are left.
    """

    total: str
    drop: str
    tidy: str


def shrink(connection: sqlite3.Connection, limit_bytes: int, dropping: Dropping) -> None:
    """Drop what was not used for longest until the file is well within its bound.

    In small transactions, so that nobody waits long. What is freed inside the bound is
    used again, only what lies beyond is given back to the disk.

    Cost: nothing within the bound.
    """
    most_pages = limit_bytes // figure(connection, "page_size")
    if figure(connection, "page_count") > most_pages:
        connection.execute(f"PRAGMA cache_size = -{_MEMORY_KB}")
        _drop_oldest(connection, int(_KEPT_SHARE * most_pages), dropping)
        _give_back(connection, most_pages)


def _drop_oldest(connection: sqlite3.Connection, most_pages: int, dropping: Dropping) -> None:
    """Delete the least recently used rows until the others take so many pages."""
    (rows,) = connection.execute(dropping.total).fetchone()
    while (used := _used_pages(connection)) > most_pages and rows > 0:
        # Rows differ in length, so it goes half of the way at a time.
        wanted = rows * (used - most_pages) // (2 * used)
        with writing(connection):
            gone = connection.execute(
                dropping.drop, (min(max(wanted, _FEWEST_ROWS), _MOST_ROWS),)
            ).rowcount
            connection.execute(dropping.tidy)
        rows -= gone
        if gone <= 0:
            return


def _give_back(connection: sqlite3.Connection, most_pages: int) -> None:
    """Cut free pages off the end until the file has so many pages."""
    while (pages := figure(connection, "page_count")) > most_pages:
        cut = min(pages - most_pages, _MOST_PAGES)
        connection.execute(f"PRAGMA incremental_vacuum({cut})").fetchall()
        if figure(connection, "page_count") >= pages:
            return


def _used_pages(connection: sqlite3.Connection) -> int:
    return figure(connection, "page_count") - figure(connection, "freelist_count")
