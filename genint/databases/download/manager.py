"""Downloads that survive what networks do: resumed, retried, several mirrors, checked."""

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
    AskLimits,
    DownloadFailure,
    FailureKind,
    FolderSource,
    Mirror,
    Source,
    failure_of,
    opened,
    sources_of,
)
from genint.databases.download.partial import PartialFile
from genint.databases.download.retry import RetryPolicy, RetryState
from genint.databases.download.transfer import Demand, Slowest, Web, misfit_of, transfer
from genint.databases.recipes import RemoteFile
from genint.errors import InstallError
from genint.version import __version__

_MOST_NAMED = 4


class Progress(NamedTuple):
    """How far a file is.

    Attributes:
        file: Its name.
        done_bytes: Bytes that are there; becomes less when it has to be started over.
        total_bytes: Bytes of the whole; None if nobody says.
    """

    file: str
    done_bytes: int
    total_bytes: int | None


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file that is there, whole and checked.

    Attributes:
        name: What it is called.
        path: Where it lies.
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


def unfetched(file: RemoteFile, setbacks: Sequence[tuple[Source, DownloadFailure]]) -> Unfetched:
    """Say in one line why no source has a file."""
    told = [f"{source.label} {setback.reason}" for source, setback in setbacks]
    if len(told) > _MOST_NAMED:
        told[_MOST_NAMED:] = [f"and {len(told) - _MOST_NAMED} more"]
    return Unfetched(
        f"{file.name} could not be fetched: {'; '.join(told)}. "
        "What is there is kept: run the same again later, or give another --mirror",
        any(setback.kind is FailureKind.MISFIT for _, setback in setbacks),
    )


__all__ = ["Downloader", "Fetched", "Progress", "RetryPolicy", "Unfetched"]

_NOTHING_PUBLISHED = PublishedFile(None, None)
_Parsed = TypeVar("_Parsed")
_Setbacks = list[tuple[Source, DownloadFailure]]


class Downloader:
    """Fetches published files into a folder; an asynchronous context manager.

    Nothing is lost when it is cancelled or killed: the next one goes on in the same folder.
    One folder may be used by one downloader at a time.
    """

    def __init__(  # noqa: PLR0913 - limits, and whom to tell what
        self,
        folder: Path,
        mirrors: tuple[Mirror, ...] = (),
        policy: RetryPolicy | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        *,
        on_note: Callable[[str], None] | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Remember where to ask.

        Args:
            folder: Where files are put; made when it is needed.
            mirrors: Asked in turn in place of the published hosts.
            policy: Limits; the usual ones if None.
            on_progress: Is told how far each file is.
            on_note: Is told, in a line, of every wait and every attempt that is repeated.
            sleep: How to wait between attempts.
        """
        self._folder = folder
        self._mirrors = mirrors
        self._policy = policy or RetryPolicy()
        self._on_progress = on_progress
        self._on_note = on_note
        self._sleep = sleep
        self._away: set[str] = set()
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
        """Bytes of a file as its first source that answers says; None if none does."""
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
            parse: Reads the content, given with what messages call it; raises
                ``UnusableFile`` where that is not possible.
            limit_bytes: Size above which it is refused.

        Raises:
            InstallError: no source has it, or none as it should be.
        """
        setbacks: _Setbacks = []
        for source in self._sources(file):
            demand = Demand(file.name, _NOTHING_PUBLISHED, limit_bytes)
            found = await self._fetch((source,), demand, is_new=True)
            if not isinstance(found, Fetched):
                setbacks += found
                continue
            try:
                return parse(await asyncio.to_thread(found.path.read_bytes), found.url)
            except UnusableFile as problem:
                reason = f"cannot be used: {problem.reason}"
                setbacks.append((source, DownloadFailure(FailureKind.ELSEWHERE, reason)))
        raise InstallError(unfetched(file, setbacks).message)

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
        demand = Demand(file.name, expected or _NOTHING_PUBLISHED, limit)
        found = await self._fetch(self._sources(file), demand, is_new=False)
        return found if isinstance(found, Fetched) else unfetched(file, found)

    async def _fetch(
        self, sources: tuple[Source, ...], demand: Demand, *, is_new: bool
    ) -> Fetched | _Setbacks:
        """A file from the first source that has it as it should be, or why none has."""
        setbacks: _Setbacks = []
        async with self._slots:
            md5 = demand.expected.md5
            part = await asyncio.to_thread(PartialFile, self._folder, demand.name, md5)
            with part:
                if is_new:
                    part.restart()
                if _is_as_published(part, demand):
                    return await self._finished(part, demand)
                for source in sources:
                    setback = await self._insist(source, part, demand)
                    if setback is None:
                        return await self._finished(part, demand)
                    setbacks.append((source, setback))
        return setbacks

    def _sources(self, file: RemoteFile) -> tuple[Source, ...]:
        """Everywhere to ask, hosts that were given up before last."""
        sources = sources_of(file, self._mirrors)
        return tuple(sorted(sources, key=lambda source: _origin_of(source) in self._away))

    def _tell(self, text: str) -> None:
        if self._on_note is not None:
            self._on_note(text)

    @property
    def _limits(self) -> AskLimits:
        return AskLimits(self._policy.most_redirects, self._policy.head_timeout_s)

    async def _insist(
        self, source: Source, part: PartialFile, demand: Demand
    ) -> DownloadFailure | None:
        """Get a file from one source, in as many attempts as it takes."""
        where = f"{demand.name}: {_host_of(source)}"
        patience = RetryState(
            self._policy, self._sleep, part.size, lambda text: self._tell(f"{where} {text}")
        )

        async def attempt() -> DownloadFailure | None:
            setback = await self._attempt(source, part, demand)
            patience.note(part.size)
            return setback

        setback = await patience.insist(attempt)
        if setback is not None and setback.kind is FailureKind.AGAIN:
            self._away.add(_origin_of(source))
            self._tell(f"{where} {setback.reason}, given up")
        return setback

    async def _attempt(
        self, source: Source, part: PartialFile, demand: Demand
    ) -> DownloadFailure | None:
        """One attempt, checked; a file that does not fit is thrown away.

        If it was joined, one of the pieces may have been at fault: it is fetched anew.
        """
        setback = await transfer(
            Web(self._session, self._limits, self._slowest),
            source,
            part,
            demand,
            lambda done, total: self._report(demand.name, done, total),
        )
        if setback is None:
            setback = misfit_of(part, demand)
            if setback is not None:
                if part.is_joined:
                    setback = DownloadFailure(FailureKind.AGAIN, setback.reason)
                part.restart()
        elif _is_as_published(part, demand):
            return None
        return setback

    async def _finished(self, part: PartialFile, demand: Demand) -> Fetched:
        path = await asyncio.to_thread(part.finish)
        self._report(demand.name, part.size, part.size)
        origin = part.origin
        return Fetched(
            name=demand.name,
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

    @property
    def _slowest(self) -> Slowest:
        return Slowest(self._policy.slowest_bytes_per_s, self._policy.slow_window_s)

    async def _size_at(self, file: RemoteFile, source: Source) -> int | None:
        if isinstance(source, FolderSource):
            return await asyncio.to_thread(_size_of_file, source.path)
        limits = self._limits
        try:
            async with self._slots, opened(self._session, "HEAD", source, {}, limits) as answer:
                if isinstance(answer, DownloadFailure) or not answer.ok:
                    return None
                return answer.content_length
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            reason = failure_of(error).reason
            self._tell(f"{file.name}: {_host_of(source)} {reason}, its size stays unknown")
            return None


def _host_of(source: Source) -> str:
    """What lines on the way call a source."""
    if isinstance(source, FolderSource):
        return source.label
    return source.url.host or source.label


def _origin_of(source: Source) -> str:
    """What may be away as a whole: a server, or a file of a folder."""
    return source.label if isinstance(source, FolderSource) else str(source.url.origin())


def _is_as_published(part: PartialFile, demand: Demand) -> bool:
    """Whether what is there has the published checksum, whatever a server says of it."""
    md5 = demand.expected.md5
    return md5 is not None and part.size > 0 and part.digests.md5 == md5


def _size_of_file(path: Path) -> int | None:
    try:
        return path.stat().st_size if path.is_file() else None
    except OSError:
        return None
