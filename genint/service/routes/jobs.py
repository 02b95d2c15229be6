"""Jobs: submit, list, look, cancel, run again; their reports and result files.

A report is public, as unguessable as the id of its job, unless the operator keeps reports to
their owners.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from contextlib import suppress
from email.message import Message
from http import HTTPStatus
from typing import Final
from uuid import UUID, uuid4

from aiohttp import web

from genint.auth.keys import digest
from genint.auth.tokens import INVALID_CREDENTIAL
from genint.errors import (
    BusyError,
    Conflict,
    DatabaseAway,
    InvalidRequest,
    InvalidValue,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    StorageFull,
    StoreAway,
    TooLarge,
)
from genint.model.job import Job, JobStatus, NewJob
from genint.report.formats import FORMATS, report_name, stem_of
from genint.report.page.render import HTML_POLICY, POLICY_WITHIN, policy_of
from genint.report.result import GenintResult
from genint.service.compression import wants_gzip
from genint.service.endpoint import Call, Endpoint, authenticate, request_body
from genint.service.multipart_form import Limits
from genint.service.results import Content, has_current, send, while_connected
from genint.service.schemas import (
    DarkGeneAnswer,
    DarkGeneList,
    JobDetail,
    JobEntry,
    JobList,
    JobsQuery,
    JobState,
    PageQuery,
    ReportQuery,
    ResultQuery,
    SubmitForm,
)
from genint.service.upload import ReceivedUpload, receive_upload
from genint.storage import Submitted
from genint.version import __version__


async def list_dark_genes(call: Call, query: PageQuery) -> DarkGeneList:
    """Dark genes of the caller's completed jobs, those of the newest job first."""
    page = await call.service.storage.jobs.dark_genes(
        call.caller.id, limit=query.limit, cursor=query.cursor
    )
    genes = await asyncio.to_thread(lambda: tuple(map(DarkGeneAnswer.of, page.genes)))
    return DarkGeneList(total=page.total, genes=genes, next_cursor=page.next_cursor)


DARK_GENE_ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/v1/dark-genes",
        list_dark_genes,
        "Dark genes of all completed jobs",
        "jobs",
        needs_login=True,
    ),
)


GUEST_BASES: Final = 1_000_000
GUEST_UPLOAD_BYTES: Final = 10_000_000
"""Of the file of a guest, whose text may have annotations besides its bases."""
_PIECE_BYTES = 1 << 18
_IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_NO_JOB = "There is no such job"
_JSON = {"Content-Type": "application/json; charset=utf-8"}


async def submit(call: Call) -> JobState:
    """Take an upload and queue it; nothing is acknowledged that could still be lost.

    The file is safe on disk before its row is written, and the row before the answer.
    """
    key = _idempotency_key(call.request)
    caller, storage, request = call.caller, call.service.storage, call.request
    job_id = str(uuid4())
    limits = _limits(call)
    if (request.content_length or 0) > limits.max_body_bytes:
        raise TooLarge(f"An upload may have {limits.max_upload_bytes / 1e6:g} MB")
    await _check_room(call, key)
    await request_body(request)
    received = await receive_upload(
        request.headers.get("Content-Type"),
        request.content_length,
        request.content.iter_chunked(_PIECE_BYTES),
        lambda extension: storage.files.new_upload(job_id, extension),
        limits,
    )
    own = received.proteins
    upload = await _committed(received)
    job = NewJob(
        id=job_id,
        user_id=caller.id,
        filename=received.filename,
        upload=upload,
        phage_mode=received.phage_mode,
        mode=received.mode,
        ignore_annotations=received.ignore_annotations,
        locus_tag_prefix=received.locus_tag_prefix,
        run_date=received.date,
        idempotency_key=key,
        fingerprint=_fingerprint(received),
        upload_bytes=received.size_bytes + (own.size_bytes if own else 0),
        bases=received.bases or None,
        proteins=own.filename if own else None,
    )
    return JobState.of((await _queued(call, job)).job)


def _limits(call: Call) -> Limits:
    """How large an upload of the caller may be."""
    settings = call.service.settings
    sizes = settings.max_upload_bytes, settings.max_bases
    if call.caller.is_guest:
        sizes = min(sizes[0], GUEST_UPLOAD_BYTES), min(sizes[1], GUEST_BASES)
    return Limits(sizes[0], max_bases=sizes[1])


async def _check_room(call: Call, key: str | None) -> None:
    """Refuse an upload that would be refused in the end, before a byte of it is stored."""
    storage, settings = call.service.storage, call.service.settings
    size = call.request.content_length or 0
    await storage.jobs.check_room(
        call.caller.id,
        idempotency_key=key,
        upload_bytes=size,
        max_pending=settings.max_pending_per_user,
        max_stored_bytes=settings.max_stored_bytes_per_user,
    )
    if await asyncio.to_thread(storage.files.free_bytes) - size < settings.min_free_bytes:
        raise StorageFull("The disk of the service is nearly full; its operator has to make room")


async def _committed(received: ReceivedUpload) -> str:
    """Name of the upload once it is safe on disk, with the proteins that came with it."""
    files = [received.proteins.file] if received.proteins else []
    files.append(received.file)
    try:
        for file in files:
            await file.commit()
        return received.file.name
    except (OSError, StoreAway) as problem:  # the disk is full, or something is away
        for file in files:  # what was committed already is swept, as no job names it
            await file.discard()
        if isinstance(problem, StoreAway):
            raise
        raise BusyError(f"an upload could not be stored: {problem.strerror}") from problem


async def _queued(call: Call, job: NewJob) -> Submitted:
    """The job in the queue; the upload goes where nothing will come of it."""
    files = call.service.storage.files
    settings = call.service.settings
    is_kept = False
    try:
        done = await call.service.storage.jobs.submit(
            job,
            max_pending=settings.max_pending_per_user,
            max_stored_bytes=settings.max_stored_bytes_per_user,
        )
        is_kept = done.is_new
    except NotFound:  # the account went since the request was looked at
        raise NotAuthenticated(INVALID_CREDENTIAL, was_given=True) from None
    except DatabaseAway:
        is_kept = True  # the row may be there nevertheless; the sweeper will see
        raise
    finally:
        if not is_kept:
            with suppress(OSError, StoreAway):  # the hourly sweep removes it
                await files.remove_upload(job.upload)
    if not done.is_new and done.job.fingerprint != job.fingerprint:
        reason = "this Idempotency-Key was used for another request"
        raise InvalidRequest(InvalidValue(("header", "Idempotency-Key"), reason, "value_error"))
    return done


def _idempotency_key(request: web.Request) -> str | None:
    key = request.headers.get("Idempotency-Key")
    if key is not None and not _IDEMPOTENCY_KEY.fullmatch(key):
        reason = "must be 1 to 255 visible ASCII characters"
        raise InvalidRequest(InvalidValue(("header", "Idempotency-Key"), reason, "value_error"))
    return key


def _fingerprint(received: ReceivedUpload) -> str:
    request = f"{received.sha256} {received.phage_mode} {received.mode} {received.filename}"
    if received.locus_tag_prefix or received.date:
        request = f"{request} {received.locus_tag_prefix} {received.date}"
    if received.ignore_annotations:
        request = f"{request} afresh"
    if received.proteins:
        request = f"{request} {received.proteins.sha256} {received.proteins.filename}"
    return hashlib.sha256(request.encode()).hexdigest()


async def list_jobs(call: Call, query: JobsQuery) -> JobList:
    """The caller's jobs, newest first where nothing else is chosen."""
    page = await call.service.storage.jobs.list(
        call.caller.id,
        status=query.status,
        search=query.search,
        sort=query.sort,
        limit=query.limit,
        cursor=query.cursor,
    )
    places = await _places(call, page.jobs)

    def entries() -> tuple[JobEntry, ...]:
        return tuple(JobEntry.of(job, places.get(job.id)) for job in page.jobs)

    jobs = await asyncio.to_thread(entries)
    return JobList(total=page.total, jobs=jobs, next_cursor=page.next_cursor)


async def _places(call: Call, jobs: Iterable[Job]) -> Mapping[str, int]:
    """Places in the queue of those jobs that wait."""
    waiting = [job.id for job in jobs if job.status is JobStatus.PENDING]
    return await call.service.storage.jobs.queue_places(waiting) if waiting else {}


async def job_detail(call: Call) -> web.StreamResponse:
    """A job, with its genes once it is COMPLETED.

    The genes were made into JSON by the worker; they are passed on as they are.
    """
    job = await own_job(call)
    try:
        genes = await _genes(call, job)
    except NotFound:  # replaced by a rerun since we looked at the row
        job = await own_job(call)
        genes = await _genes(call, job)
    places = await _places(call, (job,))
    head = JobEntry.of(job, places.get(job.id)).model_dump_json().encode()
    before = head[:-1] + b',"genes":'
    return await send(call.request, genes, before=before, after=b"}", headers=_JSON)


async def _genes(call: Call, job: Job) -> Content:
    """The genes of a job as JSON; none before it is COMPLETED."""
    if job.status is not JobStatus.COMPLETED or job.report_attempt is None:
        return b"[]"
    return await call.service.results.genes(job.id, job.report_attempt)


async def cancel(call: Call) -> JobState:
    """Stop a job that waits or runs; what it was computing ends within three seconds."""
    job = await own_job(call)
    cancelled = await call.service.storage.jobs.cancel(job.id)
    if cancelled is None:
        raise Conflict("The job has ended already")
    return JobState.of(cancelled)


async def rerun(call: Call) -> JobState:
    """Run an ended job again on the same upload; its old report stays until then."""
    job = await own_job(call)
    storage = call.service.storage
    if call.caller.is_guest:
        raise NotAllowed("A guest cannot run a job again: create an account, which keeps it")
    if not job.status.is_terminal:
        raise Conflict("The job has not ended yet")
    if not await storage.files.has_upload(job.upload):
        raise Conflict("The original upload no longer exists")
    settings = call.service.settings
    again = await storage.jobs.rerun(
        job.id,
        max_pending=settings.max_pending_per_user,
        max_stored_bytes=settings.max_stored_bytes_per_user,
    )
    if again is None:
        raise Conflict("The job has not ended yet, or its upload no longer exists")
    return JobState.of(again)


async def delete(call: Call) -> None:
    """Delete a job, whatever its state, with its upload, result and report.

    One that waits or runs is cancelled by that; what it was computing ends within three
    seconds.
    """
    job = await own_job(call)
    storage = call.service.storage
    await storage.jobs.delete(job.id)
    with suppress(OSError, StoreAway):  # the hourly sweep removes what no job names
        await storage.files.remove_job(job.id)


async def own_job(call: Call, job_id: str | None = None) -> Job:
    """The job of the path, or another one, where it is the caller's."""
    job = await find_job(call, job_id)
    if job.user_id != call.caller.id:  # an id is no secret: its report is public
        raise NotAllowed("The job belongs to another user")
    return job


async def find_job(call: Call, given: str | None = None) -> Job:
    """The job of the path, or another one, of any owner; NotFound for unknown, malformed ids."""
    text = call.path("job_id") if given is None else given
    try:
        job_id = str(UUID(text))
    except ValueError:
        raise NotFound(_NO_JOB) from None
    # Other spellings of the same number (braces, no hyphens) are no ids of ours.
    job = await call.service.storage.jobs.get(job_id) if job_id == text else None
    if job is None:
        raise NotFound(_NO_JOB)
    return job


OWN = {403: "The job belongs to another user", 404: _NO_JOB}

"""What may be wrong with a job that a path names."""
_LINKED = ("job_detail", "cancel", "rerun", "result_file", "report")

ENDPOINTS = (
    Endpoint(
        "POST",
        "/api/v1/jobs",
        submit,
        "Submit a genome",
        "jobs",
        needs_login=True,
        form=SubmitForm,
        headers={
            "Idempotency-Key": "Any text of the client's: a repeated request with the same "
            "key and content gives the job of the first one."
        },
        errors={
            400: "The form cannot be read",
            403: "A guest has submitted three genomes",
            408: "The body did not arrive in time",
            413: "The upload is too large, or this user would store too much",
            415: "The extension or the encoding of the request is not supported",
            429: "Too many jobs of this user are waiting",
            507: "The disk of the service is nearly full",
        },
        links={name: ("job_id", "job_id") for name in _LINKED},
    ),
    Endpoint("GET", "/api/v1/jobs", list_jobs, "List jobs", "jobs", needs_login=True),
    Endpoint(
        "GET",
        "/api/v1/jobs/{job_id}",
        job_detail,
        "A job with its genes",
        "jobs",
        needs_login=True,
        answer=JobDetail,
        errors=OWN,
    ),
    Endpoint(
        "DELETE",
        "/api/v1/jobs/{job_id}",
        delete,
        "Delete a job with all its files",
        "jobs",
        status=HTTPStatus.NO_CONTENT,
        needs_login=True,
        errors=OWN,
    ),
    Endpoint(
        "POST",
        "/api/v1/jobs/{job_id}/cancel",
        cancel,
        "Cancel a job",
        "jobs",
        needs_login=True,
        errors=OWN | {409: "The job has ended already"},
    ),
    Endpoint(
        "POST",
        "/api/v1/jobs/{job_id}/rerun",
        rerun,
        "Run a job again",
        "jobs",
        needs_login=True,
        errors=OWN
        | {
            409: "The job has not ended yet, or its upload no longer exists",
            413: "This user stores too much",
            429: "Too many jobs of this user are waiting",
        },
    ),
)


_LONGEST_STEM: Final = 100
_PLAIN: Final = frozenset(" ._-+")
PAGE_POLICY = f"{HTML_POLICY}; frame-ancestors 'none'"
_NOT_PUBLIC: Final = (
    "Reports are not public here, or this link was revoked or has expired; "
    "log in and open the report from there, or ask its owner for a link"
)
_REPORT_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "X-Robots-Tag": "noindex, nofollow",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "private, no-cache",
}


async def report(call: Call, query: ReportQuery) -> web.StreamResponse:
    """The report of the last attempt that was completed, as it was made, or none at all.

    It is never made here: the owner's request for the result as HTML does that. Public by its
    id, unless the operator keeps reports to their owners: then the owner's credential or the
    key of a link is needed.
    """
    job = await find_job(call)
    if not call.service.settings.public_reports:
        await _check_reader(call, job, query.key)
    try:
        content, tag = await call.service.results.report(job)
    except NotFound:
        # A rerun may have replaced the report between the look at the row and that at
        # the file: the row then names the new one.
        content, tag = await call.service.results.report(await find_job(call))
    etag = f'"{tag}"'
    # A report of an older version keeps the policy that fits its script.
    policy = f"{policy_of(await _start_of(content))}; frame-ancestors 'none'"
    headers = {**_REPORT_HEADERS, "Content-Security-Policy": policy, "ETag": etag}
    if has_current(call.request, etag):
        if not isinstance(content, bytes):
            await content.close()
        return web.Response(status=HTTPStatus.NOT_MODIFIED, headers=headers)
    packed = None
    if isinstance(content, bytes) and wants_gzip(call.request, "text/html", len(content)):
        packed = await call.service.results.packed(f"{call.path('job_id')}.{tag}", content)
    return await send(call.request, content, headers=headers, packed=packed)


async def _check_reader(call: Call, job: Job, key: str) -> None:
    """Refuse who is neither the owner nor has a link that is valid.

    Raises:
        NotAuthenticated: no link and no credential, or ones that are not valid.
        NotAllowed: the credential is somebody else's.
    """
    if key and await call.service.storage.report_links.is_valid(job.id, digest(key)):
        return
    try:
        caller = await authenticate(call.request, call.service, follows_link=True)
    except NotAuthenticated as problem:
        if key or not problem.was_given:
            raise NotAuthenticated(_NOT_PUBLIC, was_given=problem.was_given) from None
        raise
    if caller.user.id != job.user_id:
        raise NotAllowed("The report belongs to another user")


async def _start_of(content: Content) -> bytes:
    if isinstance(content, bytes):
        return content[:POLICY_WITHIN]
    start = await content.read(POLICY_WITHIN)
    await content.seek(0)
    return start


REPORT_ENDPOINTS = (
    Endpoint(
        "GET",
        "/reports/{job_id}.html",
        report,
        "The report of a job",
        "reports",
        may_login=True,
        media_types=("text/html",),
        errors={
            304: "The report is the one that the client has",
            401: "Reports are not public here, and neither a link nor a login allows this",
            403: "Reports are not public here, and the job belongs to another user",
            404: "There is no report",
        },
    ),
)


async def result_file(call: Call, query: ResultQuery) -> web.StreamResponse:
    """The last result of a job in one format, to be saved; made on request.

    `gbk` is the uploaded GenBank record with what was found added to it. `dark-fasta` holds
    the proteins of which nothing is known. While a rerun is under way it is the result
    before.
    """
    job = await own_job(call)
    headers = _file_headers(job, query.format)
    etag = _file_etag(f"{job.report_attempt}-{__version__}", query.format)
    if has_current(call.request, etag):
        return web.Response(status=HTTPStatus.NOT_MODIFIED, headers=headers | {"ETag": etag})
    results = call.service.results
    try:
        content, tag = await while_connected(call.request, results.file(job, query.format))
    except NotFound:  # replaced by a rerun since we looked at the row
        job = await own_job(call)
        content, tag = await while_connected(call.request, results.file(job, query.format))
    headers["ETag"] = _file_etag(tag, query.format)
    return await send(call.request, content, headers=headers)


def _file_etag(tag: str, name: str) -> str:
    return f'"{tag}-{name}"'


def _file_headers(job: Job, name: str) -> dict[str, str]:
    return {
        "Content-Type": FORMATS[name].media_type,
        "Content-Disposition": disposition(job.filename, name),
        "Content-Security-Policy": PAGE_POLICY,
        "Cache-Control": "private, no-cache",
    }


def plain_stem(filename: str) -> str:
    """The name of a genome for files.

    Letters and digits of any script stay; what could mean something to a shell, a file
    system or the direction of text becomes ``_``.
    """
    stem = unicodedata.normalize("NFC", stem_of(filename))[:_LONGEST_STEM]
    plain = "".join(c if c.isalnum() or c in _PLAIN else "_" for c in stem).strip(" .")
    return plain or "genome"


def disposition(filename: str, name: str) -> str:
    """Content-Disposition (RFC 6266) that saves a format under the name of its genome."""
    saved = report_name(plain_stem(filename), name)
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
