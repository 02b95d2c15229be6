"""Jobs: submit, list, look, cancel, run again."""

from __future__ import annotations

import asyncio
import hashlib
import re
from uuid import UUID, uuid4

from aiohttp import web

from genint.errors import (
    BusyError,
    Conflict,
    DatabaseAway,
    InvalidRequest,
    InvalidValue,
    NotAllowed,
    NotFound,
    TooLarge,
)
from genint.model.job import Job, JobStatus, NewJob
from genint.service.endpoint import Call, Endpoint, request_body
from genint.service.multipart_form import Limits
from genint.service.results import Content, send
from genint.service.schemas import (
    DarkGeneAnswer,
    DarkGeneList,
    JobDetail,
    JobEntry,
    JobList,
    JobsQuery,
    JobState,
    PageQuery,
    SubmitForm,
)
from genint.service.upload import ReceivedUpload, receive_upload
from genint.storage import Submitted, UploadFile


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
    limits = Limits(max_upload_bytes=call.service.settings.max_upload_bytes)
    if (request.content_length or 0) > limits.max_body_bytes:
        raise TooLarge(f"An upload may have {limits.max_upload_bytes / 1e6:g} MB")
    await request_body(request)
    received = await receive_upload(
        request.headers.get("Content-Type"),
        request.content_length,
        request.content.iter_chunked(_PIECE_BYTES),
        lambda extension: storage.files.new_upload(job_id, extension),
        limits,
    )
    upload = await _committed(received.file)
    job = NewJob(
        id=job_id,
        user_id=caller.id,
        filename=received.filename,
        upload=upload,
        phage_mode=received.phage_mode,
        mode=received.mode,
        idempotency_key=key,
        fingerprint=_fingerprint(received),
    )
    return JobState.of((await _queued(call, job)).job)


async def _committed(file: UploadFile) -> str:
    """Name of the upload once it is safe on disk."""
    try:
        return await file.commit()
    except OSError as problem:  # the disk is full, or away
        await file.discard()
        raise BusyError(f"an upload could not be stored: {problem.strerror}") from problem


async def _queued(call: Call, job: NewJob) -> Submitted:
    """The job in the queue; the upload goes where nothing will come of it."""
    files = call.service.storage.files
    limit = call.service.settings.max_pending_per_user
    is_kept = False
    try:
        done = await call.service.storage.jobs.submit(job, max_pending=limit)
        is_kept = done.is_new
    except DatabaseAway:
        is_kept = True  # the row may be there nevertheless; the sweeper will see
        raise
    finally:
        if not is_kept:
            await asyncio.to_thread(files.remove_upload, job.upload)
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
    return hashlib.sha256(request.encode()).hexdigest()


async def list_jobs(call: Call, query: JobsQuery) -> JobList:
    """The caller's jobs, newest first."""
    page = await call.service.storage.jobs.list(
        call.caller.id, status=query.status, limit=query.limit, cursor=query.cursor
    )
    return JobList(jobs=tuple(map(JobEntry.of, page.jobs)), next_cursor=page.next_cursor)


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
    head = JobEntry.of(job).model_dump_json().encode()
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
    if not job.status.is_terminal:
        raise Conflict("The job has not ended yet")
    if not await asyncio.to_thread(storage.files.has_upload, job.upload):
        raise Conflict("The original upload no longer exists")
    again = await storage.jobs.rerun(job.id)
    if again is None:
        raise Conflict("The job has not ended yet")
    return JobState.of(again)


async def own_job(call: Call) -> Job:
    """The job of the path, where it is the caller's."""
    job = await find_job(call)
    if job.user_id != call.caller.id:  # an id is no secret: its report is public
        raise NotAllowed("The job belongs to another user")
    return job


async def find_job(call: Call) -> Job:
    """The job of the path, of any owner; NotFound for unknown and malformed ids."""
    text = call.path("job_id")
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
            408: "The body did not arrive in time",
            413: "The upload is too large",
            415: "The extension or the encoding of the request is not supported",
            429: "Too many jobs of this user are waiting",
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
        errors=OWN | {409: "The job has not ended yet, or its upload no longer exists"},
    ),
)
