"""All entries of a taxon, page by page: the cheapest way to a genome that UniProt has."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from genint.online.ports import CallLost
from genint.online.uniprot.cases import Cases
from genint.online.uniprot.desk import Answer, UniProtDesk
from genint.online.uniprot.entries import FIELDS, read_entries
from genint.online.uniprot.plan import PAGE, calls_needed

SEARCH: Final = "/uniprotkb/search"


async def count_of_taxon(taxon_id: int, desk: UniProtDesk) -> Answer:
    """Number of entries of a taxon, and today's release; one call, no entry.

    Raises:
        CallLost: it brought no answer.
    """
    return await desk.page(SEARCH, ("query", f"organism_id:{taxon_id:d}"), ("size", "0"))


async def read_taxon(taxon_id: int, cases: Cases, desk: UniProtDesk, most_calls: int) -> None:
    """Read entries of a taxon while that is worth its calls; see :mod:`genint.online.uniprot.plan`.

    What is lost here is asked for by checksum afterwards.
    """
    query = ("query", f"organism_id:{taxon_id:d}")
    page: Answer | None = None
    with suppress(CallLost):
        page = await desk.page(SEARCH, query, ("size", str(PAGE)), fields=FIELDS)
        while page is not None:
            await take_page(page, cases)
            still_open = len(cases.open)
            if still_open == 0 or most_calls - desk.calls - 1 < calls_needed(still_open):
                return
            page = await desk.next_page(page)


async def take_page(page: Answer, cases: Cases) -> int:
    """Put the entries of a page to the proteins that they tell of.

    Returns:
        Number of records that could not be read.

    Raises:
        CallLost: it is no page.
    """
    read = await asyncio.to_thread(read_entries, page.results)
    cases.take(read.found, page.release)
    return read.unreadable
