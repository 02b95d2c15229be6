"""The index of dark genes over all jobs of a user."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from genint.model.job import DarkGene, DarkGeneEntry
from genint.storage.cursors import Cursor
from genint.storage.database import Database, Row, Session
from genint.storage.paging import Source, read_list
from genint.storage.statements import storable

PAGE = 1_000
"""Genes read or written at a time, so that a long list never keeps the event loop."""


class DarkGenePage(NamedTuple):
    """Some of a user's dark genes; ``total`` counts all of them. No cursor at the end."""

    total: int
    genes: tuple[DarkGeneEntry, ...]
    next_cursor: str | None


async def replace_dark_genes(session: Session, job_id: str, dark_genes: Sequence[DarkGene]) -> None:
    """Put the dark genes of a job in the place of those it had."""
    await session.execute("delete_dark_genes", job_id=job_id)
    for first in range(0, len(dark_genes), PAGE):
        some = [
            [storable(gene.id), storable(gene.name), storable(gene.locus)]
            for gene in dark_genes[first : first + PAGE]
        ]
        await session.execute(
            "add_dark_genes", job_id=job_id, first_position=first + 1, genes=json.dumps(some)
        )


async def list_dark_genes(
    database: Database, user_id: str, *, limit: int | None, cursor: str | None
) -> DarkGenePage:
    """Dark genes of a user's COMPLETED jobs, newest job first: ``limit`` of them, or all.

    Raises:
        InvalidRequest: the cursor does not come from such a list.
    """

    async def read(at: Cursor, most: int) -> Sequence[Row]:
        return await database.fetch_all(
            "list_dark_genes",
            user_id=user_id,
            before_us=at.before_us,
            before_id=at.before_id,
            after_position=at.after_position,
            most=most,
        )

    counted = await database.fetch_one("count_dark_genes", user_id=user_id)
    total: int = 0 if counted is None else counted["total"]
    source = Source(read, _place, PAGE)
    return DarkGenePage(total, *await read_list(source, _entry, limit=limit, cursor=cursor))


def _place(row: Row) -> Cursor:
    return Cursor(row["created_at"], row["job_id"], row["position"])


def _entry(row: Row) -> DarkGeneEntry:
    return DarkGeneEntry(row["id"], row["name"], row["locus"], row["filename"], row["job_id"])
