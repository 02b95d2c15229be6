"""What the file of results looks like, and how much it holds."""

from __future__ import annotations

import sqlite3
from typing import Final, NamedTuple

from genint.cache.answers import AnswerTable, is_day
from genint.cache.file import CacheFile

_MARK_TEXT = "genint: what was found for proteins"
TABLE: Final = AnswerTable("results", key="protein")
RESULTS: Final = CacheFile(
    name="results",
    format=1,
    mark=0x67_6E_72_31,
    mark_text=_MARK_TEXT,
    schema=TABLE.schema(_MARK_TEXT),
)


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
    return Count(proteins, answers, sources, oldest if is_day(oldest) else None)
