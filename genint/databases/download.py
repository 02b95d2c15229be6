"""Downloads that survive what networks do: resumed, retried, several mirrors, checked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from genint.databases.mirrors import Mirror
from genint.databases.published import PublishedFile
from genint.databases.recipes import RemoteFile


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Limits of a download."""

    attempts: int = 5


class Progress(NamedTuple):
    """How far a file is."""

    file: str
    done_bytes: int
    total_bytes: int | None


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file that is there, whole and checked."""

    name: str
    path: Path
    size_bytes: int
    sha256: str
    md5: str
    url: str
    etag: str | None = None
    last_modified: str | None = None


class Downloader:
    """Fetches published files into a folder."""

    def __init__(
        self,
        folder: Path,
        mirrors: tuple[Mirror, ...] = (),
        policy: RetryPolicy | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.folder = folder

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return None

    async def size_of(self, file: RemoteFile) -> int | None:
        """Bytes of a file as its first source announces them; None if nobody says."""
        raise NotImplementedError

    async def read(self, file: RemoteFile, *, limit_bytes: int) -> bytes:
        """Content of a small file, read anew."""
        raise NotImplementedError

    async def fetch(self, file: RemoteFile, expected: PublishedFile | None = None) -> Fetched:
        """Fetch a file into the folder, going on where an earlier attempt ended."""
        raise NotImplementedError
