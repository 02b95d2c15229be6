"""What differs between the results of two jobs."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from aiohttp import web

from genint.report.page.render import policy_of
from genint.service.endpoint import Call, Endpoint
from genint.service.results import send, while_connected
from genint.service.routes.jobs import OWN, own_job
from genint.service.schemas import DifferenceQuery

_TYPES: Final = MappingProxyType(
    {
        "html": "text/html",
        "json": "application/json",
        "tsv": "text/tab-separated-values",
        "text": "text/plain",
    }
)


async def difference(call: Call, query: DifferenceQuery) -> web.StreamResponse:
    """What differs between the results of two jobs, gene by gene, and which evidence explains it.

    Genes are the same where they end at the same stop codon of the same record. As `genint diff`.
    """
    jobs = await own_job(call), await own_job(call, query.other)
    making = call.service.results.difference(jobs, query.format)
    content = await while_connected(call.request, making)
    headers = {
        "Content-Type": f"{_TYPES[query.format]}; charset=utf-8",
        "Cache-Control": "private, no-store",
        "Referrer-Policy": "no-referrer",
    }
    if query.format == "html":
        headers["Content-Security-Policy"] = f"{policy_of(content)}; frame-ancestors 'none'"
    return await send(call.request, content, headers=headers)


ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/v1/jobs/{job_id}/difference",
        difference,
        "What differs between the results of two jobs",
        "jobs",
        needs_login=True,
        follows_link=True,
        media_types=tuple(_TYPES.values()),
        errors=OWN | {409: "A job has no result, or one that cannot be read"},
    ),
)
