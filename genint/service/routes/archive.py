"""Result files of many jobs in one ZIP archive, which is made while it is sent."""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from typing import Final

from aiohttp import web

from genint.errors import BusyError, Conflict, NotAllowed, NotFound
from genint.model.job import Job
from genint.report.formats import report_name
from genint.service.endpoint import Call, Endpoint
from genint.service.results import (
    PIECE_BYTES,
    Content,
    Results,
    while_connected,
    write_timeout,
)
from genint.service.routes.jobs import OWN, plain_stem
from genint.service.schemas import ArchiveQuery

_LEFT_OUT: Final = "left_out.txt"
_FOLDER_ID: Final = 8
"""Characters of the id of a job in the name of its folder: two jobs may have one file name."""
_HEADERS: Final = {
    "Content-Type": "application/zip",
    "Content-Disposition": 'attachment; filename="genint_results.zip"',
    "Cache-Control": "private, no-store",
}


class _Pieces(io.RawIOBase):
    """What was written since it was last taken."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def writable(self) -> bool:
        """It only takes."""
        return True

    def write(self, piece: bytes, /) -> int:  # type: ignore[override]
        """Keep a piece until it is taken."""
        self._written.append(bytes(piece))
        return len(piece)

    def taken(self) -> bytes:
        """All that came meanwhile."""
        pieces, self._written = self._written, []
        return b"".join(pieces)


async def download_results(call: Call, query: ArchiveQuery) -> web.StreamResponse:
    """Result files of several jobs in one ZIP archive, in a folder for each job.

    Files are made one after another while the archive is sent. What cannot be made, such as
    files of a job without a result, is left out, and `left_out.txt` in the archive says why.
    """
    jobs = await _own_jobs(call, query.jobs)
    response = web.StreamResponse(headers=_HEADERS)
    await response.prepare(call.request)
    if call.request.method == "HEAD":
        return response
    pieces = _archive(call.request, call.service.results, jobs, query.formats)
    async with aclosing(pieces):
        async for piece in pieces:
            async with write_timeout(call.request):
                await response.write(piece)
    await response.write_eof()
    return response


async def _own_jobs(call: Call, job_ids: Iterable[str]) -> list[Job]:
    """The jobs in the order in which they were named."""
    ids = tuple(job_ids)
    found = await call.service.storage.jobs.get_many(ids)
    missing = [id for id in ids if id not in found]
    if missing:
        raise NotFound("There is no such job" if len(ids) == 1 else "Some jobs do not exist")
    if any(job.user_id != call.caller.id for job in found.values()):
        raise NotAllowed("A job belongs to another user")
    return [found[id] for id in ids]


async def _archive(
    request: web.Request, results: Results, jobs: Sequence[Job], formats: Sequence[str]
) -> AsyncGenerator[bytes, None]:
    """The archive in pieces; compressed in a thread."""
    pieces, left_out = _Pieces(), []
    with zipfile.ZipFile(pieces, "w", zipfile.ZIP_DEFLATED) as archive:
        for job in jobs:
            stem = plain_stem(job.filename)
            for name in formats:
                path = f"{stem}_{job.id[:_FOLDER_ID]}/{report_name(stem, name)}"
                try:
                    content, _ = await while_connected(request, results.file(job, name))
                except (NotFound, Conflict, BusyError) as problem:
                    left_out.append(f"{path}: {problem}\n")
                    continue
                async with aclosing(_packed(archive, pieces, _entry(path, job), content)) as packed:
                    async for piece in packed:
                        yield piece
        if left_out:
            archive.writestr(_LEFT_OUT, "".join(left_out))
    yield pieces.taken()


async def _packed(
    archive: zipfile.ZipFile, pieces: _Pieces, entry: zipfile.ZipInfo, content: Content
) -> AsyncGenerator[bytes, None]:
    """One file, a piece at a time, so that memory does not grow with it."""
    with archive.open(entry, "w", force_zip64=True) as target:
        if isinstance(content, bytes):
            for at in range(0, len(content), PIECE_BYTES):
                await asyncio.to_thread(target.write, content[at : at + PIECE_BYTES])
                yield pieces.taken()
        else:
            try:
                while piece := await content.read(PIECE_BYTES):
                    await asyncio.to_thread(target.write, piece)
                    yield pieces.taken()
            finally:
                await content.close()
    yield pieces.taken()


def _entry(path: str, job: Job) -> zipfile.ZipInfo:
    """Dated by the end of the job, so that the same files make the same archive."""
    ended = job.finished_at or job.created_at
    entry = zipfile.ZipInfo(path, ended.timetuple()[:6])
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry


ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/v1/results.zip",
        download_results,
        "Result files of several jobs in one archive",
        "jobs",
        needs_login=True,
        media_types=("application/zip",),
        errors=OWN | {403: "A job belongs to another user", 404: "A job does not exist"},
    ),
)
