"""The report of a job: public, as unguessable as its id."""

from __future__ import annotations

from http import HTTPStatus

from aiohttp import web

from genint.errors import NotFound
from genint.report.html import HTML_POLICY
from genint.service.endpoint import Call, Endpoint
from genint.service.routes.jobs import find_job
from genint.service.sending import has_current, send

PAGE_POLICY = f"{HTML_POLICY}; frame-ancestors 'none'"
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": PAGE_POLICY,
    "X-Robots-Tag": "noindex, nofollow",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "private, no-cache",
}


async def report(call: Call) -> web.StreamResponse:
    """The report of the last attempt that was completed, whole or not at all."""
    try:
        content, tag = await call.service.results.report(await find_job(call))
    except NotFound:
        # A rerun may have replaced the report between the look at the row and that at
        # the file: the row then names the new one.
        content, tag = await call.service.results.report(await find_job(call))
    etag = f'"{tag}"'
    headers = {**_HEADERS, "ETag": etag}
    if has_current(call.request, etag):
        if not isinstance(content, bytes):
            content.close()
        return web.Response(status=HTTPStatus.NOT_MODIFIED, headers=headers)
    return await send(call.request, content, headers=headers)


ENDPOINTS = (
    Endpoint(
        "GET",
        "/reports/{job_id}.html",
        report,
        "The report of a job",
        "reports",
        media_types=("text/html",),
        errors={304: "The report is the one that the client has", 404: "There is no report"},
    ),
)
