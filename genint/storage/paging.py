"""Lists that are read page by page, so that a long one never keeps the event loop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, TypeVar

from genint.storage.cursors import Cursor
from genint.storage.database import Row

_Entry = TypeVar("_Entry")

Read = Callable[[Cursor, int], Awaitable[Sequence[Row]]]
"""Reads at most so many rows that come after a cursor."""


class Source(NamedTuple):
    """Where the rows of a list come from.

    Attributes:
        read: Reads some of them.
        place: The cursor behind a row.
        page: How many are read at a time.
    """

    read: Read
    place: Callable[[Row], Cursor]
    page: int


async def read_list(
    source: Source, entry: Callable[[Row], _Entry], *, limit: int | None, cursor: str | None
) -> tuple[tuple[_Entry, ...], str | None]:
    """Entries of a list after a cursor: ``limit`` of them, or all.

    Returns:
        The entries, and the cursor behind them; None at the end of the list.

    Raises:
        InvalidRequest: the cursor does not come from such a list.
    """
    at = Cursor.parse(cursor)
    entries: list[_Entry] = []
    while True:
        wanted = source.page if limit is None else min(source.page, limit - len(entries))
        rows = await source.read(at, wanted + 1)  # one more: is there more?
        entries.extend(entry(row) for row in rows[:wanted])
        if len(rows) <= wanted:
            return tuple(entries), None
        at = source.place(rows[wanted - 1])
        if limit is not None and len(entries) >= limit:
            return tuple(entries), str(at)
