"""Where stored files are kept for good, by name: on a disk here, elsewhere on an object store.

A name has a folder, the id of a job and an ending, such as ``uploads/<job>.gb.gz`` and
``reports/<job>.2.html``. Names come from ids that the service made, never from users.
"""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final, Protocol, TypeVar

from genint.files import move_durably

FOLDERS: Final = ("uploads", "reports")
_Made = TypeVar("_Made")
TEMPORARY: Final = ".tmp"
"""Ending of a file that is being received; it is no stored file yet."""
_NO_LINKS: Final = frozenset({errno.EPERM, errno.EXDEV, errno.EOPNOTSUPP, errno.EMLINK})


async def opened_in_thread(make: Callable[[], _Made], close: Callable[[_Made], object]) -> _Made:
    """What a thread opens; closed again where the caller is cancelled before it is there.

    Args:
        make: Opens something.
        close: Closes what was made; it may be closed already.
    """
    making = asyncio.ensure_future(asyncio.to_thread(make))
    try:
        return await asyncio.shield(making)
    except asyncio.CancelledError:
        making.add_done_callback(partial(_close_made, close=close))
        raise


def _close_made(making: asyncio.Future[_Made], *, close: Callable[[_Made], object]) -> None:
    if not making.cancelled() and making.exception() is None:
        close(making.result())


class ObjectStore(Protocol):
    """Files by name, each whole or not there.

    All methods raise StoreAway where the store does not answer or refuses, and OSError where
    the disk is full or broken.
    """

    async def put(self, *files: tuple[Path, str]) -> None:
        """Move local files to their names, in the place of what is there.

        They survive a power cut when this returns. Who reads an old file meanwhile reads it to
        its end. Where it fails some may have their names already; it may be called again.

        Args:
            files: Local file and name of each; all names in one folder.

        Raises:
            FileNotFoundError: a local file is missing; none was moved.
        """
        ...

    async def open(self, name: str) -> BinaryIO:
        """A file for reading, which the caller closes.

        Raises:
            FileNotFoundError: it is not there.
        """
        ...

    async def local(self, name: str, folder: Path) -> Path:
        """A path on this machine with the content of a file, for as long as ``folder`` is there.

        Args:
            name: Of the file. Where there is none, nothing is at the path.
            folder: Where a copy is made, if one is needed; never changes the file itself.
        """
        ...

    async def copy(self, names: Iterable[str], folder: Path) -> frozenset[str]:
        """Give files a second name on the disk of this machine, or copy them there.

        Args:
            names: Of the files.
            folder: With folders in it, where each file gets its name, and has none yet.

        Returns:
            Names of files that are not there.
        """
        ...

    async def has(self, name: str) -> bool:
        """Whether a file is there."""
        ...

    async def remove(self, *names: str) -> None:
        """Remove files; those that are not there are removed already."""
        ...

    def names(
        self, folder: str, job_id: str | None = None, *, least_age_s: float | None = None
    ) -> AsyncIterator[str]:
        """Names of the files in a folder.

        Args:
            folder: One of :data:`FOLDERS`.
            job_id: Those of a job alone.
            least_age_s: Those alone that were put there so long ago.
        """
        ...

    async def check(self) -> None:
        """Look whether the store answers."""
        ...


class DiskObjects:
    """Files in folders of a disk, for their owner's eyes.

    A file is written under another name on the same disk, synced and renamed, and its folder is
    synced.

    Args:
        folder: Above the folders, which are made.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for name in FOLDERS:
            (folder / name).mkdir(mode=0o700, parents=True, exist_ok=True)

    def path(self, name: str) -> Path:
        """Where a file is, or would be."""
        return self._folder / name

    async def put(self, *files: tuple[Path, str]) -> None:
        """See :class:`ObjectStore`."""
        await asyncio.to_thread(self._put, files)

    def _put(self, files: Iterable[tuple[Path, str]]) -> None:
        moves = [(made, self.path(name)) for made, name in files]
        for made, _ in moves:
            made.chmod(0o600)
        if moves:
            move_durably(*moves)

    async def open(self, name: str) -> BinaryIO:
        """See :class:`ObjectStore`."""
        return await opened_in_thread(lambda: self.path(name).open("rb"), lambda file: file.close())

    async def local(self, name: str, folder: Path) -> Path:
        """See :class:`ObjectStore`; the file itself."""
        del folder
        return self.path(name)

    async def copy(self, names: Iterable[str], folder: Path) -> frozenset[str]:
        """See :class:`ObjectStore`; second names, all in a moment."""
        return await asyncio.to_thread(self._copy, names, folder)

    def _copy(self, names: Iterable[str], folder: Path) -> frozenset[str]:
        return frozenset(name for name in names if not _linked(self.path(name), folder / name))

    async def has(self, name: str) -> bool:
        """See :class:`ObjectStore`."""
        return await asyncio.to_thread(self.path(name).is_file)

    async def remove(self, *names: str) -> None:
        """See :class:`ObjectStore`."""
        await asyncio.to_thread(self._remove, names)

    def _remove(self, names: Iterable[str]) -> None:
        for name in names:
            self.path(name).unlink(missing_ok=True)

    async def names(
        self, folder: str, job_id: str | None = None, *, least_age_s: float | None = None
    ) -> AsyncIterator[str]:
        """See :class:`ObjectStore`."""
        for name in await asyncio.to_thread(self._names, folder, job_id, least_age_s):
            yield name

    def _names(self, folder: str, job_id: str | None, least_age_s: float | None) -> list[str]:
        files: Iterator[Path] = self.path(folder).glob(f"{job_id or '*'}.*")
        if least_age_s is not None:
            files = old(files, least_age_s)
        return [f"{folder}/{file.name}" for file in files if file.suffix != TEMPORARY]

    async def check(self) -> None:
        """See :class:`ObjectStore`. Whether a disk has room is asked of it anyway."""


def old(paths: Iterable[Path], least_age_s: float) -> Iterator[Path]:
    """What was last changed so long ago; what others remove meanwhile is passed over."""
    before = time.time() - least_age_s
    for path in paths:
        try:
            if path.lstat().st_mtime < before:
                yield path
        except FileNotFoundError:
            continue


def _linked(file: Path, second: Path) -> bool:
    """Give a file a second name, or copy it where the disk has no such names."""
    try:
        os.link(file, second)
    except FileNotFoundError:
        return False
    except OSError as problem:
        if problem.errno not in _NO_LINKS:
            raise
        try:
            shutil.copyfile(file, second)
        except FileNotFoundError:
            return False
    return True
