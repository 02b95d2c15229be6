"""Uploads and reports: what files a job has, and what is made of them on this machine.

Order is what makes them safe: a file is received or made here, then put in its store, whole
and for good, and only then may a row in the database name it. A crash in between leaves files
that no row names, which are swept.
"""

from __future__ import annotations

import asyncio
import math
import os
import shutil
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO, cast

import aiofiles
from aiofiles.threadpool.binary import AsyncBufferedIOBase

from genint.errors import UsageError
from genint.files import locked
from genint.model.job import JobLease
from genint.storage.objects import FOLDERS, TEMPORARY, DiskObjects, ObjectStore, old


@contextmanager
def exclusive(lock_file: Path, *, of: Path) -> Iterator[None]:
    """Be the only process that uses something.

    Args:
        lock_file: Made where it is absent and left there: removing it would let two
            processes lock two files of one name.
        of: What the lock protects, for the message.

    Raises:
        UsageError: another process uses it.
        OSError: the lock cannot be made.
    """
    with locked(lock_file, create=True, mode=0o600) as lock:
        if lock is None:
            holder = lock_file.read_text("ascii", "replace")[:20]
            who = f"another genint (process {holder})" if holder.isdigit() else "another genint"
            raise UsageError(
                f"{who} uses {of}: stop it, or set GENINT_DATA_DIR to another folder, "
                "or share a PostgreSQL with it (DATABASE_URL)"
            )
        lock_file.write_text(str(os.getpid()))
        yield


class UploadFile:
    """An upload while it is received: a temporary file until it is committed.

    What was begun goes on to its end although its caller is cancelled; ``discard`` comes
    after it.

    Attributes:
        name: File name that the upload has once it is committed.
    """

    def __init__(self, folder: Path, name: str, objects: ObjectStore) -> None:
        self.name = name
        self._objects = objects
        self._temporary = folder / f"{name}{TEMPORARY}"
        self._file: AsyncBufferedIOBase | None = None
        self._work: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Make the temporary file, for its owner alone.

        Raises:
            OSError: it is there already, or the disk is full or broken.
        """
        await self._to_its_end(self._open())

    async def write(self, content: bytes) -> None:
        """Append bytes.

        Raises:
            OSError: the disk is full or broken.
            ValueError: it is not open.
        """
        await self._to_its_end(self._write(content))

    async def commit(self) -> str:
        """Make the upload last: it survives a power cut from here on.

        Returns:
            Its file name in the folder of uploads.

        Raises:
            OSError: the disk is full or broken; nothing is left but the temporary file.
            StoreAway: the store does not answer; likewise.
            ValueError: it is not open.
        """
        await self._to_its_end(self._commit())
        return self.name

    async def discard(self) -> None:
        """Remove what was written, unless it was committed; never fails twice."""
        if self._work is not None:
            await asyncio.gather(self._work, return_exceptions=True)
        if self._file is not None:
            await self._close()
            await asyncio.to_thread(self._temporary.unlink, missing_ok=True)

    async def _to_its_end(self, work: Coroutine[Any, Any, None]) -> None:
        self._work = asyncio.create_task(work)
        await asyncio.shield(self._work)

    async def _open(self) -> None:
        self._file = await aiofiles.open(self._temporary, "xb", opener=partial(os.open, mode=0o600))

    async def _write(self, content: bytes) -> None:
        await self._opened().write(content)

    async def _commit(self) -> None:
        await self._opened().flush()
        await self._objects.put((self._temporary, upload_name(self.name)))
        await self._close()

    async def _close(self) -> None:
        file, self._file = self._opened(), None
        await file.close()

    def _opened(self) -> AsyncBufferedIOBase:
        if self._file is None:
            raise ValueError("the upload is closed")
        return self._file


REPORT = ".html"
RESULT = ".json.gz"
GENES = ".genes.json"
PROTEINS = ".proteins"
"""Ending of the user's own proteins, beside the upload of a job."""
MADE = {"report.html": REPORT, "result.json.gz": RESULT, "genes.json": GENES}
"""What a worker makes in its scratch folder, and the ending under which it is published."""
ABANDONED_AFTER_S = 3600.0
"""Age at which a temporary file or scratch folder is abandoned."""


def upload_name(upload: str) -> str:
    """Name of an upload in the store, of its file name."""
    return f"uploads/{_plain(upload)}"


def proteins_name(job_id: str) -> str:
    """Name of the proteins of the user's own that were uploaded with a genome."""
    return upload_name(_plain(job_id) + PROTEINS)


def report_name(job_id: str, attempt: int) -> str:
    """Name of the report of an attempt."""
    return _made_name(job_id, attempt, REPORT)


def result_name(job_id: str, attempt: int) -> str:
    """Name of the compressed JSON result of an attempt."""
    return _made_name(job_id, attempt, RESULT)


def genes_name(job_id: str, attempt: int) -> str:
    """Name of the JSON list of the genes of an attempt."""
    return _made_name(job_id, attempt, GENES)


def uploads_of(job_id: str, upload: str, *, has_proteins: bool) -> tuple[str, ...]:
    """Names of what was uploaded for a job.

    Args:
        job_id: Of the job.
        upload: File name of its upload.
        has_proteins: Whether proteins of the user's own came with it.
    """
    proteins = (proteins_name(job_id),) if has_proteins else ()
    return (upload_name(upload), *proteins)


def made_of(job_id: str, attempt: int | None) -> tuple[str, ...]:
    """Names of the files that an attempt published, if any did."""
    if attempt is None:
        return ()
    return tuple(_made_name(job_id, attempt, ending) for ending in MADE.values())


def _made_name(job_id: str, attempt: int, ending: str) -> str:
    return f"reports/{_plain(job_id)}.{attempt}{ending}"


class FileStore:
    """Uploads and reports in their store, and scratch folders on this machine.

    What belongs to this machine blocks (scratch folders, temporary files, room): call it in a
    thread. What waits for the store is asynchronous, and raises StoreAway where that is away.

    Args:
        data_folder: For scratch folders and temporary files, which are made there.
        objects: Where uploads and reports are kept; None: in the data folder too.

    Attributes:
        uploads: Folder of the files that are being received.
        objects: As given.
    """

    def __init__(self, data_folder: Path, objects: ObjectStore | None = None) -> None:
        self.uploads = data_folder / "uploads"
        self._scratch = data_folder / "scratch"
        for folder in (self.uploads, self._scratch):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.objects = DiskObjects(data_folder) if objects is None else objects

    def new_upload(self, job_id: str, extension: str) -> UploadFile:
        """An upload that is not open yet; ``extension`` has its dot.

        Raises:
            ValueError: job id or extension would lead out of the folder.
        """
        return UploadFile(self.uploads, _plain(job_id + extension), self.objects)

    async def has_upload(self, upload: str) -> bool:
        """Whether a committed upload is still there."""
        return await self.objects.has(upload_name(upload))

    async def remove_upload(self, upload: str) -> None:
        """Remove an upload, if it is there, with the proteins that came with it."""
        proteins = proteins_name(upload.partition(".")[0])
        await self.objects.remove(upload_name(upload), proteins)

    def free_bytes(self) -> int:
        """Room on the disk for what this process writes."""
        return shutil.disk_usage(self.uploads).free

    def scratch(self, lease: JobLease) -> Path:
        """A new, empty folder for one attempt at a job; those of earlier attempts are removed.

        They are there where a supervisor was killed; whoever writes to one has lost the claim.
        """
        folder = self._scratch_of(lease)
        for other in self._scratch.glob(f"{_plain(lease.job_id)}.*"):
            attempt = other.name.rpartition(".")[2]
            if attempt.isdigit() and int(attempt) <= lease.attempt:
                shutil.rmtree(other, ignore_errors=True)
        folder.mkdir(mode=0o700)
        return folder

    def remove_scratch(self, lease: JobLease) -> None:
        """Remove the folder of an attempt with what it holds, if it is there."""
        shutil.rmtree(self._scratch_of(lease), ignore_errors=True)

    def nameless_file(self) -> BinaryIO:
        """A new, empty file that is gone when it is closed.

        Raises:
            OSError: the disk is full or broken.
        """
        return cast(BinaryIO, TemporaryFile(dir=self._scratch))

    async def publish(self, lease: JobLease, made: Path) -> None:
        """Move report, result and genes of an attempt from ``made`` to their places.

        They survive a power cut when this returns; only then may a row name them.

        Raises:
            OSError: a file is missing, or the disk is full or broken.
        """
        names = made_of(lease.job_id, lease.attempt)
        await self.objects.put(*zip((made / name for name in MADE), names, strict=True))

    async def replace_report(self, job_id: str, attempt: int, made: Path) -> None:
        """Put the file ``made`` in the place of a report, at once and for good.

        A client that reads the old report meanwhile reads it to its end.

        Raises:
            OSError: the disk is full or broken; the old report is still there.
        """
        await self.objects.put((made, report_name(job_id, attempt)))

    async def remove_made(self, job_id: str, *attempts: int) -> None:
        """Remove what attempts at a job published, if they did."""
        names = [name for attempt in attempts for name in made_of(job_id, attempt)]
        if names:
            await self.objects.remove(*names)

    async def stored_ids(self) -> frozenset[str]:
        """Ids of the jobs that have stored files older than an hour."""
        found = set()
        for folder in FOLDERS:
            async for name in self.objects.names(folder, least_age_s=ABANDONED_AFTER_S):
                found.add(name.rpartition("/")[2].partition(".")[0])
        return frozenset(found)

    def sweep_temporary(self, *, with_new: bool = False) -> int:
        """Remove temporary files and scratch folders older than an hour, or all; how many.

        Args:
            with_new: All of them, those from the future too; only for a process that has the
                data folder to itself, at its start.
        """
        least_age_s = -math.inf if with_new else ABANDONED_AFTER_S
        removed = 0
        for file in old(self.uploads.glob(f"*{TEMPORARY}"), least_age_s):
            file.unlink(missing_ok=True)
            removed += 1
        for folder in old(self._scratch.iterdir(), least_age_s):
            shutil.rmtree(folder, ignore_errors=True)
            removed += 1
        return removed

    async def remove_job(self, job_id: str) -> None:
        """Remove everything that belongs to a job."""
        for folder in FOLDERS:
            names = [name async for name in self.objects.names(folder, _plain(job_id))]
            if names:
                await self.objects.remove(*names)

    def _scratch_of(self, lease: JobLease) -> Path:
        return self._scratch / _plain(f"{lease.job_id}.{lease.attempt}")


def _plain(name: str) -> str:
    """A name that stays in its folder and matches only itself in a pattern."""
    if not name or name.startswith(".") or not set(name) <= ALLOWED_CHARACTERS:
        raise ValueError(f"not a name of a stored file: {name!r}")
    return name


ALLOWED_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
