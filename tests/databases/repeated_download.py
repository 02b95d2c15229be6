"""A download that tests repeat under changing circumstances."""

from __future__ import annotations

import hashlib
from pathlib import Path

from genint.databases.checksums import PublishedFile
from genint.databases.download.http import Mirror
from genint.databases.download.manager import Downloader, Fetched, Progress
from genint.databases.download.retry import RetryPolicy
from genint.databases.recipes import RemoteFile
from tests.databases.faulty_server import FILE, PLACE

SIZE = 200_000
PATH = f"/{PLACE}"
WEB_PAGE = b"<!DOCTYPE html><html><body>Please log in to the network</body></html>" * 20


def published(content: bytes) -> PublishedFile:
    return PublishedFile(len(content), md5_of(content))


def md5_of(content: bytes) -> str:
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


class Fetching:
    """Fetches the file of a test, again and again if need be."""

    def __init__(self, folder: Path, policy: RetryPolicy, *mirrors: Mirror) -> None:
        self.folder, self.policy, self.mirrors = folder, policy, mirrors
        self.progress: list[Progress] = []
        self.waits: list[float] = []
        self.notes: list[str] = []

    async def __call__(
        self, expected: PublishedFile | None = None, file: RemoteFile = FILE
    ) -> Fetched:
        async with Downloader(
            self.folder,
            self.mirrors,
            self.policy,
            self.progress.append,
            on_note=self.notes.append,
            sleep=self.wait,
        ) as client:
            return await client.fetch(file, expected)

    async def wait(self, seconds: float) -> None:
        self.waits.append(seconds)

    @property
    def kept_bytes(self) -> int:
        return (self.folder / "data.gz.part").stat().st_size
