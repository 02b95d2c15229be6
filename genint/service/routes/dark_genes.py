"""The index of dark genes over all jobs."""

from __future__ import annotations

from genint.service.answers import DarkGeneAnswer, DarkGeneList
from genint.service.bodies import PageQuery
from genint.service.endpoint import Call, Endpoint


async def list_dark_genes(call: Call, query: PageQuery) -> DarkGeneList:
    """Dark genes of the caller's completed jobs, those of the newest job first."""
    page = await call.service.storage.jobs.dark_genes(
        call.caller.id, limit=query.limit, cursor=query.cursor
    )
    return DarkGeneList(
        total=page.total,
        genes=tuple(map(DarkGeneAnswer.of, page.genes)),
        next_cursor=page.next_cursor,
    )


ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/v1/dark-genes",
        list_dark_genes,
        "Dark genes of all completed jobs",
        "jobs",
        needs_login=True,
    ),
)
