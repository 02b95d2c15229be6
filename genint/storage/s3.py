"""Stored files on an object store that speaks S3.

The files of a job are in a folder of its own there (``uploads/<job>/gb.gz``): object stores list
by folder. An object is whole or not there by itself. Large files pass through this machine in
pieces, and through a file without a name where somebody reads them slowly.
"""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO, Final, cast

from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError
from obstore.store import S3Store

from genint.errors import StoreAway, UsageError

_CLIENT: Final = {
    "allow_http": True,  # where the operator names such an endpoint
    "connect_timeout": "3s",
    "read_timeout": "10s",
    "timeout": "10m",
}
_RETRIES: Final = {
    "max_retries": 3,
    "retry_timeout": datetime.timedelta(seconds=10),
    "backoff": {
        "init_backoff": datetime.timedelta(seconds=0.1),
        "max_backoff": datetime.timedelta(seconds=1),
        "base": 2,
    },
}
"""A request waits for an answer meanwhile; a worker tries again for longer."""
_IN_MEMORY_BYTES: Final = 8 << 20
_PIECE_BYTES: Final = 1 << 20
_PARTS_AT_ONCE: Final = 4
_DOWNLOADS_AT_ONCE: Final = 8
_REASON_CHARACTERS: Final = 200


def open_s3(url: str, folder: Path) -> S3Objects:
    """An object store, with credentials and endpoint from the variables ``AWS_*``.

    Args:
        url: ``s3://bucket/prefix``.
        folder: For what is read slowly.

    Raises:
        UsageError: the variables do not fit.
    """
    try:
        client = S3Store.from_url(url, client_options=_CLIENT, retry_config=_RETRIES)
    except BaseError as problem:
        raise UsageError(f"GENINT_STORE: {_first_line(problem)} (see AWS_*)") from problem
    return S3Objects(client, folder)


class S3Objects:
    """Files under a prefix of a bucket (see :class:`genint.storage.objects.ObjectStore`).

    Args:
        client: Of bucket and prefix.
        folder: On this machine, for files without a name.
    """

    def __init__(self, client: S3Store, folder: Path) -> None:
        self._client = client
        self._folder = folder

    async def put(self, *files: tuple[Path, str]) -> None:
        """Upload files, then remove them here."""
        for made, _ in files:
            await asyncio.to_thread(made.stat)
        for made, name in files:
            try:
                with _answering():
                    await self._client.put_async(_key(name), made, max_concurrency=_PARTS_AT_ONCE)
            except FileNotFoundError as problem:
                raise _away(problem) from problem  # the bucket is gone
        for made, _ in files:
            await asyncio.to_thread(made.unlink, missing_ok=True)

    async def open(self, name: str) -> BinaryIO:
        """A small file in memory; a large one in a file without a name."""
        with _answering():
            found = await self._client.get_async(_key(name))
            if found.meta["size"] <= _IN_MEMORY_BYTES:
                return BytesIO(await found.bytes_async())
        file = cast(BinaryIO, await asyncio.to_thread(TemporaryFile, dir=self._folder))
        try:
            await _write(found, file)
            await asyncio.to_thread(file.seek, 0)
        except BaseException:
            file.close()
            raise
        return file

    async def local(self, name: str, folder: Path) -> Path:
        """A copy in the folder."""
        target = folder / name.rpartition("/")[2]
        with suppress(FileNotFoundError):
            await self._download(name, target)
        return target

    async def copy(self, names: Iterable[str], folder: Path) -> frozenset[str]:
        """Downloads, some at once."""
        waiting, missing = list(names), set[str]()

        async def download_waiting() -> None:
            while waiting:
                name = waiting.pop()
                try:
                    await self._download(name, folder / name)
                except FileNotFoundError:
                    missing.add(name)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(_DOWNLOADS_AT_ONCE):
                    group.create_task(download_waiting())
        except ExceptionGroup as problems:
            raise problems.exceptions[0] from problems
        return frozenset(missing)

    async def _download(self, name: str, target: Path) -> None:
        """Copy a file here; nothing is left of one that did not come to its end."""
        with _answering():
            found = await self._client.get_async(_key(name))
        try:
            with await asyncio.to_thread(target.open, "wb") as file:
                await _write(found, file)
        except BaseException:
            await asyncio.to_thread(target.unlink, missing_ok=True)
            raise

    async def has(self, name: str) -> bool:
        """Whether an object is there."""
        try:
            with _answering():
                await self._client.head_async(_key(name))
        except FileNotFoundError:
            return False
        return True

    async def remove(self, *names: str) -> None:
        """Remove objects, many in one request."""
        with _answering():
            await self._client.delete_async([_key(name) for name in names])

    async def names(
        self, folder: str, job_id: str | None = None, *, least_age_s: float | None = None
    ) -> AsyncIterator[str]:
        """Names of objects, a thousand in one request."""
        before = None
        if least_age_s is not None:
            now = datetime.datetime.now(datetime.UTC)
            before = now - datetime.timedelta(seconds=least_age_s)
        with _answering():
            async for page in self._client.list(folder if job_id is None else f"{folder}/{job_id}"):
                for one in page:
                    job, _, ending = one["path"].removeprefix(f"{folder}/").partition("/")
                    if ending and (before is None or one["last_modified"] < before):
                        yield f"{folder}/{job}.{ending}"

    async def check(self) -> None:
        """Look whether the bucket is there and may be listed: a folder where nothing is."""
        with _answering():
            await self._client.list("checks").collect_async()


def _key(name: str) -> str:
    """``uploads/<job>/gb.gz`` for ``uploads/<job>.gb.gz``."""
    return name.replace(".", "/", 1)


async def _write(found: Any, file: BinaryIO) -> None:
    """Write what is read of an object into a file, a piece at a time."""
    pieces = found.stream(_PIECE_BYTES)
    while True:
        try:
            with _answering():
                piece = await anext(pieces)
        except StopAsyncIteration:
            return
        await asyncio.to_thread(file.write, piece)


@contextmanager
def _answering() -> Iterator[None]:
    """Errors of the store as StoreAway; FileNotFoundError is an answer."""
    try:
        yield
    except BaseError as problem:
        raise _away(problem) from problem


def _away(problem: Exception) -> StoreAway:
    refused = isinstance(problem, (PermissionDeniedError, UnauthenticatedError))
    what = "refuses access" if refused else "does not answer"
    if "NoSuchBucket" in str(problem):
        what = "has no such bucket"
    return StoreAway(f"the file store (GENINT_STORE) {what}: {_first_line(problem)}")


def _first_line(problem: Exception) -> str:
    return str(problem).partition("\n")[0][:_REASON_CHARACTERS].rstrip()
