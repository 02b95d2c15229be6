"""The report of a job: public, as unguessable as its id."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import BinaryIO

from aiohttp import web

from genint.errors import NotFound
from genint.report.html import HTML_POLICY, POLICY_WITHIN, policy_of
from genint.service.endpoint import Call, Endpoint
from genint.service.routes.jobs import find_job
from genint.service.sending import has_current, send

PAGE_POLICY = f"{HTML_POLICY}; frame-ancestors 'none'"
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
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
    # An old report that could not be made again keeps the policy that fits its script.
    policy = f"{policy_of(await _start_of(content))}; frame-ancestors 'none'"
    headers = {**_HEADERS, "Content-Security-Policy": policy, "ETag": etag}
    if has_current(call.request, etag):
        if not isinstance(content, bytes):
            content.close()
        return web.Response(status=HTTPStatus.NOT_MODIFIED, headers=headers)
    return await send(call.request, content, headers=headers)


async def _start_of(content: bytes | BinaryIO) -> bytes:
    if isinstance(content, bytes):
        return content[:POLICY_WITHIN]
    start = await asyncio.to_thread(content.read, POLICY_WITHIN)
    content.seek(0)
    return start


ENDPOINTS = (
    Endpoint(
        "GET",
        "/reports/{job_id}.html",
        report,
        "The report of a job",
        "reports",
        media_types=("text/html",),
        errors={
            304: "The report is the one that the client has",
            404: "There is no report",
            409: "The stored result cannot be read; says what to do",
        },
    ),
)
