"""How much the file of results holds, and keeping it within its bound."""

from __future__ import annotations

import sqlite3
from typing import Final, NamedTuple

from genint.cache.results_file import figure, writing

_KEPT_SHARE: Final = 0.8
"""What stays of the size bound when it is crossed."""
_FEWEST_ROWS, _MOST_ROWS, _MOST_PAGES = 10, 20_000, 2_000
"""Of one transaction: some 0.5 s. Fewer rows at a time would cost more in all, as each of
them stands on another page of the index."""
_MEMORY_KB = 64_000
"""For those pages, so that they are written once."""
_MOST_DAYS = 1_000_000


class Count(NamedTuple):
    """How much a file holds; the day of its least recent use since 1970, None if empty."""

    proteins: int
    answers: int
    sources: int
    oldest_day: int | None


def count_results(connection: sqlite3.Connection) -> Count:
    """Count what a file holds; 1 s for 1 GB."""
    proteins, answers, sources, oldest = connection.execute(
        "SELECT (SELECT count(*) FROM (SELECT DISTINCT protein FROM results)),"
        " (SELECT count(*) FROM results), (SELECT count(*) FROM sources),"
        " (SELECT min(day) FROM results)"
    ).fetchone()
    return Count(proteins, answers, sources, oldest if _is_day(oldest) else None)


def _is_day(value: object) -> bool:
    return isinstance(value, int) and 0 <= value < _MOST_DAYS


def shrink(connection: sqlite3.Connection, limit_bytes: int) -> None:
    """Drop what was not used for longest until the file is well within its bound.

    In small transactions, so that nobody waits long. What is freed inside the bound is
    used again, only what lies beyond is given back to the disk.

    Cost: nothing within the bound.
    """
    most_pages = limit_bytes // figure(connection, "page_size")
    if figure(connection, "page_count") > most_pages:
        connection.execute(f"PRAGMA cache_size = -{_MEMORY_KB}")
        _drop_oldest(connection, int(_KEPT_SHARE * most_pages))
        _give_back(connection, most_pages)


def _drop_oldest(connection: sqlite3.Connection, most_pages: int) -> None:
    """Delete the least recently used answers until the others take so many pages."""
    (answers,) = connection.execute("SELECT count(*) FROM results").fetchone()
    while (used := _used_pages(connection)) > most_pages and answers > 0:
        # Answers differ in length, so it goes half of the way at a time.
        wanted = answers * (used - most_pages) // (2 * used)
        with writing(connection):
            gone = connection.execute(
                "DELETE FROM results WHERE id IN (SELECT id FROM results ORDER BY day, id LIMIT ?)",
                (min(max(wanted, _FEWEST_ROWS), _MOST_ROWS),),
            ).rowcount
            # A source is used whenever one of its answers is.
            connection.execute("DELETE FROM sources WHERE day < (SELECT min(day) FROM results)")
        answers -= gone
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
