"""The report of a job: public, as unguessable as its id."""

from __future__ import annotations

import unicodedata
from email.message import Message
from http import HTTPStatus
from typing import Final

from aiohttp import web

from genint.errors import NotFound
from genint.model.job import Job
from genint.report.formats import FORMATS, report_name, stem_of
from genint.report.page.render import HTML_POLICY, POLICY_WITHIN, policy_of
from genint.report.result import GenintResult
from genint.service.endpoint import Call, Endpoint
from genint.service.results import Content, has_current, send, while_connected
from genint.service.routes.jobs import OWN, find_job, own_job
from genint.service.schemas import ResultQuery
from genint.version import __version__

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
            await content.close()
        return web.Response(status=HTTPStatus.NOT_MODIFIED, headers=headers)
    return await send(call.request, content, headers=headers)


async def _start_of(content: Content) -> bytes:
    if isinstance(content, bytes):
        return content[:POLICY_WITHIN]
    start = await content.read(POLICY_WITHIN)
    await content.seek(0)
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


_LONGEST_STEM: Final = 100
_PLAIN: Final = frozenset(" ._-+")


async def result_file(call: Call, query: ResultQuery) -> web.StreamResponse:
    """The last result of a job in one format, to be saved; made on request.

    `gbk` is the uploaded GenBank record with what was found added to it. `dark-fasta` holds
    the proteins of which nothing is known. While a rerun is under way it is the result
    before.
    """
    job = await own_job(call)
    headers = _headers(job, query.format)
    etag = _etag(f"{job.report_attempt}-{__version__}", query.format)
    if has_current(call.request, etag):
        return web.Response(status=HTTPStatus.NOT_MODIFIED, headers=headers | {"ETag": etag})
    results = call.service.results
    try:
        content, tag = await while_connected(call.request, results.file(job, query.format))
    except NotFound:  # replaced by a rerun since we looked at the row
        job = await own_job(call)
        content, tag = await while_connected(call.request, results.file(job, query.format))
    headers["ETag"] = _etag(tag, query.format)
    return await send(call.request, content, headers=headers)


def _etag(tag: str, name: str) -> str:
    return f'"{tag}-{name}"'


def _headers(job: Job, name: str) -> dict[str, str]:
    return {
        "Content-Type": FORMATS[name].media_type,
        "Content-Disposition": disposition(job.filename, name),
        "Content-Security-Policy": PAGE_POLICY,
        "Cache-Control": "private, no-cache",
    }


def disposition(filename: str, name: str) -> str:
    """Content-Disposition (RFC 6266) that saves a format under the name of its genome.

    Letters and digits of any script stay; what could mean something to a shell, a file
    system or the direction of text becomes ``_``.
    """
    stem = unicodedata.normalize("NFC", stem_of(filename))[:_LONGEST_STEM]
    plain = "".join(c if c.isalnum() or c in _PLAIN else "_" for c in stem).strip(" .")
    saved = report_name(plain or "genome", name)
    message = Message()
    value = saved if saved.isascii() else ("utf-8", "", saved)
    message.add_header("Content-Disposition", "attachment", filename=value)
    return message["Content-Disposition"]


RESULT_FILE_ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/v1/jobs/{job_id}/result",
        result_file,
        "The result of a job as a file",
        "jobs",
        needs_login=True,
        answer=GenintResult,
        media_types=tuple(kind.media_type.partition(";")[0] for kind in FORMATS.values()),
        errors=OWN
        | {
            304: "The file is the one that the client has",
            409: "There is no result yet, or none that this format can be made of; says what to do",
        },
    ),
)
