"""Downloads that are resumed, tried again, taken from several mirrors, and checked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self, TypeVar

import aiohttp

from genint.databases.checksums import PublishedFile, UnusableFile
from genint.databases.download.http import (
    FolderSource,
    Mirror,
    NotAsPublished,
    Source,
    opened,
    sources_of,
    unusable,
)
from genint.databases.download.partial import PartialFile
from genint.databases.download.retry import RetryPolicy, RetryState
from genint.databases.download.transfer import FileRequest, check_content, transfer
from genint.databases.recipes import RemoteFile
from genint.errors import InstallError
from genint.http_errors import RequestFailed, connection_failures
from genint.version import __version__

_MOST_NAMED = 4


class Progress(NamedTuple):
    """How far a file is.

    Attributes:
        file: Its name.
        done_bytes: Bytes that are there; becomes less when it has to be started over.
        total_bytes: Bytes of the whole; None if it is not known.
    """

    file: str
    done_bytes: int
    total_bytes: int | None


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file that is there, whole and checked.

    Attributes:
        name: Its name.
        path: Where it is stored.
        size_bytes: Its size.
        sha256: Its SHA-256 in hexadecimal digits.
        md5: Its MD5 in hexadecimal digits.
        url: Where (the last part of) it comes from, without credentials.
        etag: Its ``ETag``, if it came from the web with one.
        last_modified: Its ``Last-Modified``, if it came from the web with one.
    """

    name: str
    path: Path
    size_bytes: int
    sha256: str
    md5: str
    url: str
    etag: str | None = None
    last_modified: str | None = None


class Unfetched(NamedTuple):
    """A file that no source has, or not as published.

    Attributes:
        message: One line: what, where, why, and what to do.
        is_misfit: Whether a source had another file than the published one.
    """

    message: str
    is_misfit: bool


__all__ = ["Downloader", "Fetched", "Progress", "RetryPolicy", "Unfetched"]

_NOTHING_PUBLISHED = PublishedFile(None, None)
_Parsed = TypeVar("_Parsed")
_Failures = list[tuple[Source, RequestFailed]]


class Downloader:
    """Fetches published files into a folder; an asynchronous context manager.

    Nothing is lost when it is cancelled or killed: the next one goes on in the same folder.
    One folder may be used by one downloader at a time.
    """

    def __init__(  # noqa: PLR0913 - limits and callbacks
        self,
        folder: Path,
        mirrors: tuple[Mirror, ...] = (),
        policy: RetryPolicy | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        *,
        on_note: Callable[[str], None] | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Remember the sources.

        Args:
            folder: Where files are put; made when it is needed.
            mirrors: Tried in turn in place of the published hosts.
            policy: Limits; the usual ones if None.
            on_progress: Called with how far each file is.
            on_note: Called with a line on every attempt that is repeated or given up.
            sleep: How to wait between attempts.
        """
        self._folder = folder
        self._mirrors = mirrors
        self._policy = policy or RetryPolicy()
        self._on_progress = on_progress
        self._on_note = on_note
        self._sleep = sleep
        self._given_up: set[str] = set()
        self._slots = asyncio.Semaphore(self._policy.connections)
        self._opened: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        policy = self._policy
        self._opened = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=policy.connections, force_close=True),
            timeout=aiohttp.ClientTimeout(
                total=None,
                connect=policy.connect_timeout_s,
                sock_connect=policy.connect_timeout_s,
                sock_read=policy.stall_timeout_s,
            ),
            headers={"User-Agent": f"genint/{__version__}", "Accept-Encoding": "identity"},
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            trust_env=True,
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._session.close()

    @property
    def _session(self) -> aiohttp.ClientSession:
        if self._opened is None:
            raise RuntimeError("a downloader is used inside `async with`")
        return self._opened

    async def size_of(self, file: RemoteFile) -> int | None:
        """Bytes of a file as its first source that answers has it; None if none does."""
        for source in self._sources(file):
            size = await self._size_at(file, source)
            if size is not None:
                return size
        return None

    async def read(
        self, file: RemoteFile, parse: Callable[[bytes, str], _Parsed], *, limit_bytes: int
    ) -> _Parsed:
        """Read a small file anew, from the first source that has one that can be read.

        Args:
            file: What to read.
            parse: Reads the content, given with its name in messages; raises
                ``UnusableFile`` where that is not possible.
            limit_bytes: Size above which it is refused.

        Raises:
            InstallError: no source has it, or none as it should be.
        """
        failures: _Failures = []
        for source in self._sources(file):
            wanted = FileRequest(file.name, _NOTHING_PUBLISHED, limit_bytes)
            found = await self._fetch((source,), wanted, is_new=True)
            if not isinstance(found, Fetched):
                failures += found
                continue
            try:
                return parse(await asyncio.to_thread(found.path.read_bytes), found.url)
            except UnusableFile as problem:
                failures.append((source, unusable(f"cannot be used: {problem.reason}")))
        raise InstallError(_unfetched(file, failures).message)

    async def fetch(self, file: RemoteFile, expected: PublishedFile | None = None) -> Fetched:
        """Fetch a file, going on where an earlier attempt ended.

        Args:
            file: What to fetch.
            expected: What is published about it. Without a checksum the file is taken as it
                comes, and an earlier part of it only if the server says that it is unchanged.

        Raises:
            InstallError: no source has it as published, or it cannot be written.

        Cost: memory does not grow with the file; what is there already is read once.
        """
        fetched = await self.try_fetch(file, expected)
        if isinstance(fetched, Unfetched):
            raise InstallError(fetched.message)
        return fetched

    async def try_fetch(
        self, file: RemoteFile, expected: PublishedFile | None = None
    ) -> Fetched | Unfetched:
        """The same as ``fetch``, but a file that cannot be had is a value.

        Raises:
            InstallError: the file cannot be written.
        """
        limit = self._policy.largest_file_bytes
        wanted = FileRequest(file.name, expected or _NOTHING_PUBLISHED, limit)
        found = await self._fetch(self._sources(file), wanted, is_new=False)
        return found if isinstance(found, Fetched) else _unfetched(file, found)

    async def _fetch(
        self, sources: tuple[Source, ...], wanted: FileRequest, *, is_new: bool
    ) -> Fetched | _Failures:
        """A file from the first source that has it as it should be, or why none has."""
        failures: _Failures = []
        async with self._slots:
            md5 = wanted.expected.md5
            part = await asyncio.to_thread(PartialFile, self._folder, wanted.name, md5)
            with part:
                if is_new:
                    part.restart()
                if _is_as_published(part, wanted):
                    return await self._finished(part, wanted)
                for source in sources:
                    try:
                        await self._fetch_from(source, part, wanted)
                    except RequestFailed as failure:
                        failures.append((source, failure))
                    else:
                        return await self._finished(part, wanted)
        return failures

    def _sources(self, file: RemoteFile) -> tuple[Source, ...]:
        """All sources, those on hosts that were given up before last."""
        sources = sources_of(file, self._mirrors)
        return tuple(sorted(sources, key=lambda source: _server_of(source) in self._given_up))

    def _note(self, text: str) -> None:
        if self._on_note is not None:
            self._on_note(text)

    async def _fetch_from(self, source: Source, part: PartialFile, wanted: FileRequest) -> None:
        """Get a file from one source, in as many attempts as it takes.

        Raises:
            RequestFailed: the last of them failed.
        """
        where = f"{wanted.name} from {_host_of(source)}"
        retries = RetryState(self._policy, part.size)
        while True:
            retries.begin()
            try:
                await self._attempt(source, part, wanted)
            except RequestFailed as failure:
                wait_s = retries.wait_s(failure, part.size)
                if wait_s is None:
                    if failure.may_retry:
                        self._given_up.add(_server_of(source))
                        self._note(f"{where}: {failure.reason}, given up")
                    raise
                when = f" in {wait_s:.0f} s" if wait_s >= 1 else ""
                self._note(f"{where}: {failure.reason}, trying again{when} ({retries})")
                await self._sleep(wait_s)
            else:
                return

    async def _attempt(self, source: Source, part: PartialFile, wanted: FileRequest) -> None:
        """One attempt, checked; a file that does not fit is thrown away.

        If it was joined, one of the pieces may have been at fault: it is fetched anew.
        """
        try:
            await transfer(
                self._session,
                self._policy,
                source,
                part,
                wanted,
                report=lambda done, total: self._report(wanted.name, done, total),
            )
        except RequestFailed:
            if _is_as_published(part, wanted):
                return
            raise
        try:
            check_content(part, wanted)
        except RequestFailed as failure:
            is_joined = part.is_joined
            part.restart()
            if is_joined:
                raise RequestFailed(failure.reason) from None
            raise

    async def _finished(self, part: PartialFile, wanted: FileRequest) -> Fetched:
        path = await asyncio.to_thread(part.finish)
        self._report(wanted.name, part.size, part.size)
        origin = part.origin
        return Fetched(
            name=wanted.name,
            path=path,
            size_bytes=part.size,
            sha256=part.digests.sha256,
            md5=part.digests.md5,
            url=origin.url if origin else "",
            etag=origin.etag if origin else None,
            last_modified=origin.last_modified if origin else None,
        )

    def _report(self, name: str, done_bytes: int, total_bytes: int | None) -> None:
        if self._on_progress is not None:
            self._on_progress(Progress(name, done_bytes, total_bytes))

    async def _size_at(self, file: RemoteFile, source: Source) -> int | None:
        if isinstance(source, FolderSource):
            return await asyncio.to_thread(_size_of_file, source.path)
        try:
            with connection_failures():
                async with (
                    self._slots,
                    opened(self._session, "HEAD", source, {}, self._policy) as answer,
                ):
                    return answer.content_length if answer.ok else None
        except RequestFailed as failure:
            where = f"{file.name} from {_host_of(source)}"
            self._note(f"{where}: {_described(failure)}, its size stays unknown")
            return None


def _unfetched(file: RemoteFile, failures: Sequence[tuple[Source, RequestFailed]]) -> Unfetched:
    """Say in one line why no source has a file."""
    reasons = [f"{source.label}: {_described(failure)}" for source, failure in failures]
    if len(reasons) > _MOST_NAMED:
        reasons[_MOST_NAMED:] = [f"and {len(reasons) - _MOST_NAMED} more"]
    return Unfetched(
        f"{file.name} could not be fetched: {'; '.join(reasons)}. "
        "What is there is kept: run the same again later, or give another --mirror",
        any(isinstance(failure, NotAsPublished) for _, failure in failures),
    )


def _described(failure: RequestFailed) -> str:
    return f"{failure.reason} ({failure.message})" if failure.message else failure.reason


def _host_of(source: Source) -> str:
    """Name of a source in notes."""
    if isinstance(source, FolderSource):
        return source.label
    return source.url.host or source.label


def _server_of(source: Source) -> str:
    """What is given up as a whole: a server, or a file of a folder."""
    return source.label if isinstance(source, FolderSource) else str(source.url.origin())


def _is_as_published(part: PartialFile, wanted: FileRequest) -> bool:
    """Whether what is there has the published checksum, whatever a server answers."""
    md5 = wanted.expected.md5
    return md5 is not None and part.size > 0 and part.digests.md5 == md5


def _size_of_file(path: Path) -> int | None:
    try:
        return path.stat().st_size if path.is_file() else None
    except OSError:
        return None
