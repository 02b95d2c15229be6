"""One attempt to get (the rest of) a file from one source.

What goes wrong with a source is an expected outcome and a value, a ``Setback``; only what
is wrong on this side, such as a full disk, is an error.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import BinaryIO, NamedTuple

import aiohttp

from genint.databases.checksums import PublishedFile
from genint.databases.download.http import (
    AskLimits,
    DownloadFailure,
    FailureKind,
    FolderSource,
    Source,
    WebSource,
    content_range_of,
    failure_of,
    opened,
    refusal_of,
)
from genint.databases.download.partial import Origin, PartialFile


class Slowest(NamedTuple):
    """Below what speed a server is as good as silent.

    Attributes:
        bytes_per_s: Bytes a second.
        window_s: Seconds over which they are counted.
    """

    bytes_per_s: float
    window_s: float


class Pace:
    """Counts the bytes of one answer."""

    def __init__(self, slowest: Slowest) -> None:
        self._slowest = slowest
        self._since = time.monotonic()
        self._counted = 0

    def is_too_slow(self, size: int) -> bool:
        """Count bytes that came; whether there were too few since the last time it was asked.

        False as long as the window is not over.
        """
        self._counted += size
        seconds = time.monotonic() - self._since
        if seconds < self._slowest.window_s:
            return False
        if self._counted < seconds * self._slowest.bytes_per_s:
            return True
        self._since, self._counted = time.monotonic(), 0
        return False


Report = Callable[[int, int | None], None]
"""Is told the bytes that are there and the bytes of the whole, if known."""

_READ_BYTES = 1 << 17
_COPY_BYTES = 1 << 19
_GZIP_MAGIC = b"\x1f\x8b"
_WEB_PAGE = (b"<!doctype html", b"<html")


@dataclass(frozen=True, slots=True)
class Demand:
    """What is asked for.

    Attributes:
        name: Name of the file.
        expected: What is published about it.
        most_bytes: Size above which it is refused.
    """

    name: str
    expected: PublishedFile
    most_bytes: int


class Web(NamedTuple):
    """How to ask web servers.

    Attributes:
        session: Connections to them.
        limits: Of one request.
        slowest: Below what speed a server is as good as silent.
    """

    session: aiohttp.ClientSession
    limits: AskLimits
    slowest: Slowest


async def transfer(
    web: Web, source: Source, part: PartialFile, demand: Demand, report: Report
) -> DownloadFailure | None:
    """Get what is missing of a file; None when all of it is there, yet unchecked.

    Raises:
        InstallError: the file cannot be written.
    """
    if isinstance(source, FolderSource):
        return await _copy(source, part, demand, report)
    headers = _range_headers(source, part, demand)
    try:
        async with opened(web.session, "GET", source, headers, web.limits) as answer:
            if isinstance(answer, DownloadFailure):
                return answer
            return await _take(answer, source, part, demand, _Receiver(report, web.slowest))
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        return failure_of(error)


async def _take(
    answer: aiohttp.ClientResponse,
    source: WebSource,
    part: PartialFile,
    demand: Demand,
    receiver: _Receiver,
) -> DownloadFailure | None:
    """Take what an answer brings."""
    if setback := refusal_of(answer):
        return setback
    if answer.status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
        return _at_the_end(answer, part, demand)
    total = _total_of(answer, source, part, demand)
    if isinstance(total, DownloadFailure):
        return total
    if answer.status == HTTPStatus.OK and part.size:
        part.restart()
    part.come_from(_origin_of(answer, source))
    return await receiver.receive(answer, part, demand, total)


def misfit_of(part: PartialFile, demand: Demand) -> DownloadFailure | None:
    """What is wrong with a file of which all is there."""
    size, md5 = demand.expected
    if size is not None and part.size != size:
        return DownloadFailure(
            FailureKind.MISFIT, f"is {part.size:,} bytes long, published are {size:,}"
        )
    if md5 is not None:
        if part.digests.md5 == md5:
            return None
        misfit = DownloadFailure(FailureKind.MISFIT, "does not fit the published checksum")
        return _wrong_beginning(part, demand) or misfit
    if not part.size:
        return DownloadFailure(FailureKind.ELSEWHERE, "is empty")
    return _wrong_beginning(part, demand)


def _range_headers(source: WebSource, part: PartialFile, demand: Demand) -> Mapping[str, str]:
    """Ask for what is missing; start over where it could come from another file.

    With a published checksum, bytes of several mirrors may be joined: the checksum tells.
    """
    if not part.size:
        return {}
    is_same = part.origin is not None and part.origin.url == str(source.url)
    validator = part.origin.validator if is_same and part.origin is not None else None
    if validator is None and demand.expected.md5 is None:
        part.restart()
        return {}
    headers = {"Range": f"bytes={part.size}-"}
    if validator is not None:
        headers["If-Range"] = validator
    return headers


def _origin_of(answer: aiohttp.ClientResponse, source: WebSource) -> Origin:
    return Origin(str(source.url), answer.headers.get("ETag"), answer.headers.get("Last-Modified"))


def _at_the_end(
    answer: aiohttp.ClientResponse, part: PartialFile, demand: Demand
) -> DownloadFailure | None:
    """What it means that there is nothing behind what is there."""
    if not part.size:
        return DownloadFailure(FailureKind.ELSEWHERE, "answers 416")
    total = content_range_of(answer).total
    if total == part.size or (total is None and demand.expected.md5 is not None):
        return None
    part.restart()
    return DownloadFailure(FailureKind.AGAIN, "has become shorter than what is there")


def _total_of(
    answer: aiohttp.ClientResponse, source: WebSource, part: PartialFile, demand: Demand
) -> int | DownloadFailure | None:
    """Bytes of the whole file, None if not announced, or why the answer is of no use."""
    if answer.headers.get("Content-Encoding", "identity").lower() != "identity" and (
        not demand.name.endswith(".gz")
    ):
        return DownloadFailure(FailureKind.ELSEWHERE, "is sent compressed, which was not asked for")
    if answer.status == HTTPStatus.PARTIAL_CONTENT:
        first, total = content_range_of(answer)
        is_wanted = part.size > 0 and first == part.size and total is not None
        if not (is_wanted and _is_still(answer, source, part)):
            part.restart()
            return DownloadFailure(FailureKind.AGAIN, "sends another part than was asked for")
    else:
        total = answer.content_length
    size, md5 = demand.expected
    if total is None:
        is_chunked = "chunked" in answer.headers.get("Transfer-Encoding", "").lower()
        if size is None and md5 is None and not is_chunked:
            return DownloadFailure(FailureKind.ELSEWHERE, "does not say how long the file is")
    elif size is not None and total != size:
        return DownloadFailure(
            FailureKind.MISFIT, f"is {total:,} bytes long, published are {size:,}"
        )
    elif total > demand.most_bytes:
        return DownloadFailure(FailureKind.ELSEWHERE, f"is longer than {demand.most_bytes:,} bytes")
    return total


def _is_still(answer: aiohttp.ClientResponse, source: WebSource, part: PartialFile) -> bool:
    """Whether an answer does not show that the file has changed since."""
    new, old = _origin_of(answer, source), part.origin
    if old is None or old.url != new.url or not (old.etag and new.etag):
        return True
    return old.etag == new.etag


class _Receiver:
    """Takes the body of an answer, unless it comes too slowly."""

    def __init__(self, report: Report, slowest: Slowest) -> None:
        self._report = report
        self._slowest = slowest

    async def receive(
        self, answer: aiohttp.ClientResponse, part: PartialFile, demand: Demand, total: int | None
    ) -> DownloadFailure | None:
        """Append the body of an answer."""
        size = demand.expected.size if demand.expected.size is not None else total
        self._report(part.size, size)
        pace = Pace(self._slowest)
        async for block in answer.content.iter_chunked(_READ_BYTES):
            if setback := _add(part, demand, size, block):
                return setback
            self._report(part.size, size)
            if pace.is_too_slow(len(block)) and part.size != size:
                rate = self._slowest.bytes_per_s
                return DownloadFailure(
                    FailureKind.AGAIN, f"sends less than {rate:,.0f} bytes a second"
                )
        if size is not None and part.size < size:
            return DownloadFailure(FailureKind.AGAIN, "broke off")
        return None


def _add(
    part: PartialFile, demand: Demand, size: int | None, block: bytes
) -> DownloadFailure | None:
    """Append a block, unless it is too much or shows that this is another file."""
    if part.size + len(block) > (demand.most_bytes if size is None else size):
        part.restart()
        if demand.expected.size is not None:
            return DownloadFailure(
                FailureKind.MISFIT, f"is longer than the published {size:,} bytes"
            )
        return DownloadFailure(FailureKind.ELSEWHERE, "sends more than a file of it can have")
    is_beginning = part.size < part.FIRST_BYTES
    part.append(block)
    if is_beginning and part.size >= part.FIRST_BYTES:
        setback = _wrong_beginning(part, demand)
        if setback is not None:
            part.restart()
        return setback
    return None


def _wrong_beginning(part: PartialFile, demand: Demand) -> DownloadFailure | None:
    """Whether a file begins like a web page, or should be and is not compressed."""
    if part.first.lstrip().lower().startswith(_WEB_PAGE):
        return DownloadFailure(FailureKind.ELSEWHERE, "sends a web page in place of the file")
    if demand.name.endswith(".gz") and not part.first.startswith(_GZIP_MAGIC):
        return DownloadFailure(FailureKind.ELSEWHERE, "sends something that is not gzip")
    return None


async def _copy(
    source: FolderSource, part: PartialFile, demand: Demand, report: Report
) -> DownloadFailure | None:
    """Append what is missing from a file of a folder."""
    file = await asyncio.to_thread(_open_regular, source.path)
    if isinstance(file, DownloadFailure):
        return file
    with file:
        size = file.seek(0, os.SEEK_END)
        published = demand.expected.size
        if published is not None and size != published:
            reason = f"is {size:,} bytes long, published are {published:,}"
            return DownloadFailure(FailureKind.MISFIT, reason)
        if part.size and (demand.expected.md5 is None or part.size > size):
            part.restart()
        file.seek(part.size)
        part.come_from(Origin(source.path.as_uri()))
        report(part.size, size)
        while part.size < size:
            try:
                block = await asyncio.to_thread(file.read, min(_COPY_BYTES, size - part.size))
            except OSError as error:
                return DownloadFailure(FailureKind.AGAIN, f"cannot be read ({error.strerror})")
            setback = _add(part, demand, size, block)
            if setback is not None or not block:
                return setback or DownloadFailure(FailureKind.AGAIN, "broke off")
            report(part.size, size)
    return None


def _open_regular(path: Path) -> BinaryIO | DownloadFailure:
    """A file opened for reading; no folder, pipe or device."""
    try:
        if path.exists() and not path.is_file():
            return DownloadFailure(FailureKind.ELSEWHERE, "is not a file")
        return path.open("rb", buffering=0)
    except (FileNotFoundError, NotADirectoryError):
        return DownloadFailure(FailureKind.ELSEWHERE, "missing")
    except OSError as error:
        return DownloadFailure(FailureKind.ELSEWHERE, f"cannot be read ({error.strerror})")
