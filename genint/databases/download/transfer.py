"""One attempt to get (the rest of) a file from one source.

What goes wrong with a source is a ``RequestFailed``; what is wrong on this side, such as a
full disk, an ``InstallError``.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import BinaryIO

import aiohttp

from genint.databases.checksums import PublishedFile
from genint.databases.download.http import (
    FolderSource,
    NotAsPublished,
    Source,
    WebSource,
    check_status,
    content_range_of,
    opened,
    unusable,
)
from genint.databases.download.partial import Origin, PartialFile
from genint.databases.download.retry import RetryPolicy
from genint.http_errors import RequestFailed, connection_failures

Report = Callable[[int, int | None], None]
"""Called with the bytes that are there and the bytes of the whole, if known."""

_READ_BYTES = 1 << 17
_COPY_BYTES = 1 << 19
_GZIP_MAGIC = b"\x1f\x8b"
_WEB_PAGE = (b"<!doctype html", b"<html")
_BROKE_OFF = "broke off"


@dataclass(frozen=True, slots=True)
class FileRequest:
    """A file to be downloaded.

    Attributes:
        name: Of the file.
        expected: What is published about it.
        most_bytes: Size above which it is refused.
    """

    name: str
    expected: PublishedFile
    most_bytes: int


async def transfer(  # noqa: PLR0913 - from where, to where, what
    session: aiohttp.ClientSession,
    policy: RetryPolicy,
    source: Source,
    part: PartialFile,
    wanted: FileRequest,
    *,
    report: Report,
) -> None:
    """Get what is missing of a file; when this returns all of it is there, yet unchecked.

    Raises:
        RequestFailed: the source did not give it.
        InstallError: the file cannot be written.
    """
    if isinstance(source, FolderSource):
        await _copy(source, part, wanted, report)
        return
    headers = _range_headers(source, part, wanted)
    with connection_failures():
        async with opened(session, "GET", source, headers, policy) as answer:
            check_status(answer)
            if answer.status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                _check_end(answer, part, wanted)
                return
            total = _total_of(answer, source, part, wanted)
            if answer.status == HTTPStatus.OK and part.size:
                part.restart()
            part.come_from(_origin_of(answer, source))
            if wanted.expected.size is not None:
                total = wanted.expected.size
            await _receive(answer, part, wanted, total, policy=policy, report=report)


def check_content(part: PartialFile, wanted: FileRequest) -> None:
    """Check a file of which all is there.

    Raises:
        RequestFailed: it is not what is published, or no such file at all.
    """
    size, md5 = wanted.expected
    if size is not None and part.size != size:
        raise _wrong_size(part.size, size)
    if md5 is None and not part.size:
        raise unusable("is empty")
    if md5 is None or part.digests.md5 != md5:
        _check_beginning(part, wanted)
    if md5 is not None and part.digests.md5 != md5:
        raise NotAsPublished("does not fit the published checksum")


def _wrong_size(size: int, published: int) -> NotAsPublished:
    return NotAsPublished(f"is {size:,} bytes long, published are {published:,}")


def _range_headers(source: WebSource, part: PartialFile, wanted: FileRequest) -> Mapping[str, str]:
    """Headers for what is missing; starts over where it could come from another file.

    With a published checksum, bytes of several mirrors may be joined: it shows if they differ.
    """
    if not part.size:
        return {}
    is_same = part.origin is not None and part.origin.url == str(source.url)
    validator = part.origin.validator if is_same and part.origin is not None else None
    if validator is None and wanted.expected.md5 is None:
        part.restart()
        return {}
    headers = {"Range": f"bytes={part.size}-"}
    if validator is not None:
        headers["If-Range"] = validator
    return headers


def _origin_of(answer: aiohttp.ClientResponse, source: WebSource) -> Origin:
    return Origin(str(source.url), answer.headers.get("ETag"), answer.headers.get("Last-Modified"))


def _check_end(answer: aiohttp.ClientResponse, part: PartialFile, wanted: FileRequest) -> None:
    """Whether there is nothing behind what is there because that is all."""
    if not part.size:
        raise unusable("answers 416")
    total = content_range_of(answer).total
    if total != part.size and (total is not None or wanted.expected.md5 is None):
        part.restart()
        raise RequestFailed("has become shorter than what is there")


def _total_of(
    answer: aiohttp.ClientResponse, source: WebSource, part: PartialFile, wanted: FileRequest
) -> int | None:
    """Bytes of the whole file, None if not announced."""
    encoding = answer.headers.get("Content-Encoding", "identity").lower()
    if encoding != "identity" and not wanted.name.endswith(".gz"):
        raise unusable("is sent compressed, which was not requested")
    if answer.status == HTTPStatus.PARTIAL_CONTENT:
        first, total = content_range_of(answer)
        is_wanted = part.size > 0 and first == part.size and total is not None
        if not (is_wanted and _is_still(answer, source, part)):
            part.restart()
            raise RequestFailed("sends another part than was requested")
    else:
        total = answer.content_length
    size, md5 = wanted.expected
    if total is None:
        is_chunked = "chunked" in answer.headers.get("Transfer-Encoding", "").lower()
        if size is None and md5 is None and not is_chunked:
            raise unusable("does not say how long the file is")
    elif size is not None and total != size:
        raise _wrong_size(total, size)
    elif total > wanted.most_bytes:
        raise unusable(f"is longer than {wanted.most_bytes:,} bytes")
    return total


def _is_still(answer: aiohttp.ClientResponse, source: WebSource, part: PartialFile) -> bool:
    """Whether an answer does not show that the file has changed since."""
    new, old = _origin_of(answer, source), part.origin
    if old is None or old.url != new.url or not (old.etag and new.etag):
        return True
    return old.etag == new.etag


async def _receive(  # noqa: PLR0913 - from where, to where, what
    answer: aiohttp.ClientResponse,
    part: PartialFile,
    wanted: FileRequest,
    size: int | None,
    *,
    policy: RetryPolicy,
    report: Report,
) -> None:
    """Append the body of an answer, unless it comes so slowly that it is as good as silent."""
    report(part.size, size)
    window_began_at, window_size = time.monotonic(), part.size
    async for block in answer.content.iter_chunked(_READ_BYTES):
        _append(part, wanted, size, block)
        report(part.size, size)
        seconds = time.monotonic() - window_began_at
        if seconds >= policy.slow_window_s:
            gained = part.size - window_size
            if gained < seconds * policy.slowest_bytes_per_s and part.size != size:
                rate = policy.slowest_bytes_per_s
                raise RequestFailed(f"sends less than {rate:,.0f} bytes a second")
            window_began_at, window_size = time.monotonic(), part.size
    if size is not None and part.size < size:
        raise RequestFailed(_BROKE_OFF)


def _append(part: PartialFile, wanted: FileRequest, size: int | None, block: bytes) -> None:
    """Append a block, unless it is too much or shows that this is another file."""
    if part.size + len(block) > (wanted.most_bytes if size is None else size):
        part.restart()
        if wanted.expected.size is not None:
            raise NotAsPublished(f"is longer than the published {size:,} bytes")
        raise unusable("sends more than a file of it can have")
    is_beginning = part.size < part.FIRST_BYTES
    part.append(block)
    if is_beginning and part.size >= part.FIRST_BYTES:
        try:
            _check_beginning(part, wanted)
        except RequestFailed:
            part.restart()
            raise


def _check_beginning(part: PartialFile, wanted: FileRequest) -> None:
    """Refuse a file that begins like a web page, or should be and is not compressed."""
    if part.first.lstrip().lower().startswith(_WEB_PAGE):
        raise unusable("sends a web page in place of the file")
    if wanted.name.endswith(".gz") and not part.first.startswith(_GZIP_MAGIC):
        raise unusable("sends something that is not gzip")


async def _copy(
    source: FolderSource, part: PartialFile, wanted: FileRequest, report: Report
) -> None:
    """Append what is missing from a file of a folder."""
    with await asyncio.to_thread(_open_regular, source.path) as file:
        size = file.seek(0, os.SEEK_END)
        published = wanted.expected.size
        if published is not None and size != published:
            raise _wrong_size(size, published)
        if part.size and (wanted.expected.md5 is None or part.size > size):
            part.restart()
        file.seek(part.size)
        part.come_from(Origin(source.path.as_uri()))
        report(part.size, size)
        while part.size < size:
            try:
                block = await asyncio.to_thread(file.read, min(_COPY_BYTES, size - part.size))
            except OSError as error:
                raise RequestFailed(f"cannot be read ({error.strerror})") from None
            if not block:
                raise RequestFailed(_BROKE_OFF)
            _append(part, wanted, size, block)
            report(part.size, size)


def _open_regular(path: Path) -> BinaryIO:
    """A file opened for reading; no folder, pipe or device."""
    try:
        if path.exists() and not path.is_file():
            raise unusable("is not a file")
        return path.open("rb", buffering=0)
    except (FileNotFoundError, NotADirectoryError):
        raise unusable("missing") from None
    except OSError as error:
        raise unusable(f"cannot be read ({error.strerror})") from None
