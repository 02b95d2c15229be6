"""What becomes of a job, as server-sent events."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from aiohttp import web

from genint.errors import BusyError, NotAuthenticated
from genint.model.job import JobStatus
from genint.service.endpoint import Call, Endpoint, authenticate
from genint.service.events import Follower, JobEvent
from genint.service.results import write_timeout
from genint.service.routes.jobs import OWN, own_job

HEARTBEAT_S: Final = 15.0
"""How often a comment shows client and proxies that the stream lives, and its credential is
checked again."""
LONGEST_S: Final = 900.0
"""A stream ends then; a client that goes on reconnects, and shows its credential again."""
_RETRY: Final = b"retry: 3000\n\n"
_HEARTBEAT: Final = b": still here\n\n"
_HEADERS: Final = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "X-Accel-Buffering": "no",  # nginx would hold events back
}


async def job_events(call: Call) -> web.StreamResponse:
    """What becomes of a job, as server-sent events.

    An event `job` comes at once and after each change, within about a second; its data is the
    job as lists show it, as JSON in one line. The stream ends behind the event of a job that is
    COMPLETED, FAILED or CANCELLED, behind an event `deleted` where the job was deleted, and after
    a quarter of an hour: a client that still waits asks again. Comments come every 15 seconds;
    the stream ends there if its token, key or session is not valid any more.
    """
    job = await own_job(call)
    response = web.StreamResponse(headers=_HEADERS)
    if call.request.method == "HEAD":
        await response.prepare(call.request)
        return response
    with call.service.events.follow(job) as follower:
        places = {}
        if job.status is JobStatus.PENDING:
            places = await call.service.storage.jobs.queue_places((job.id,))
        first = JobEvent.of(job, places.get(job.id))
        with suppress(ConnectionResetError):  # the client has left
            async with write_timeout(call.request):
                await response.prepare(call.request)
                await response.write(_RETRY + _text_of(first))
            if not first.is_last:
                await _send_all(call, response, follower, first)
            async with write_timeout(call.request):
                await response.write_eof()
    return response


async def _send_all(
    call: Call, response: web.StreamResponse, follower: Follower, sent: JobEvent
) -> None:
    """Send events until the last one, or the end of the service, the credential or the time."""
    clock = asyncio.get_running_loop().time
    end_at, check_at = clock() + LONGEST_S, clock() + HEARTBEAT_S
    while not sent.is_last and not follower.is_closed and clock() < end_at:
        event = await follower.next_within(check_at - clock())
        if event is None:
            if not await _is_still_valid(call):
                return
            check_at = clock() + HEARTBEAT_S
        if event == sent:
            continue
        async with write_timeout(call.request):
            await response.write(_HEARTBEAT if event is None else _text_of(event))
        sent = event or sent


async def _is_still_valid(call: Call) -> bool:
    """Whether the credential of a request is what it was when the request came."""
    try:
        await authenticate(call.request, call.service)
    except NotAuthenticated:
        return False
    except BusyError:
        return True  # the database is away: no event comes either, and the next look decides
    return True


def _text_of(event: JobEvent) -> bytes:
    if event.data is None:
        return b"event: deleted\ndata: {}\n\n"
    return b"event: job\ndata: " + event.data + b"\n\n"


ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/v1/jobs/{job_id}/events",
        job_events,
        "Follow a job by server-sent events",
        "jobs",
        needs_login=True,
        media_types=("text/event-stream",),
        errors=OWN | {429: "Too many streams of this user are open"},
    ),
)
