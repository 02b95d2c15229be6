"""One archive of everything that is kept, and back: rows of the database, uploads and results.

A backup is of one moment, while the service runs: first the rows are read in one transaction, then
the files that they name get a second name (hard link) each, which takes a moment whatever their
size is; those of an object store are downloaded. A file that went in between (its job was deleted,
or run again) makes the rows be read anew. What is archived then can no longer change.

A restore puts files in place before the rows that name them, as the service does.

The archive is a tar file compressed with zstandard: ``about.json`` first (versions), the rows of
each table, the files, and ``manifest.json`` with the digest of each at the end.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import tarfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO, Any, BinaryIO, Final, NamedTuple, cast

import zstandard

from genint.errors import InputError, UsageError
from genint.files import move_durably
from genint.storage.connect import StorageAddress, file_store, own_folder
from genint.storage.files import ALLOWED_CHARACTERS, exclusive, made_of, uploads_of
from genint.storage.objects import FOLDERS, ObjectStore
from genint.storage.rows import (
    Tables,
    dump_postgresql,
    dump_sqlite,
    has_rows,
    load_postgresql,
    load_sqlite,
    others_use,
    tables_of,
)
from genint.storage.statements import Engine

FORMAT: Final = 1
_ABOUT: Final = "about.json"
_MANIFEST: Final = "manifest.json"
_FOLDERS: Final = frozenset({"tables", *FOLDERS})
_TRIES: Final = 5
_LEVEL: Final = 3
_PIECE_BYTES: Final = 1 << 20
_MOST_JSON_BYTES: Final = 1 << 30
_ABOUT_KEYS: Final = (("migrations", list), ("missing", list), ("genint", str), ("made_at", str))
_MANIFEST_KEYS: Final = (("files", dict), ("rows", dict))
_DAMAGED: Final = (tarfile.TarError, zstandard.ZstdError, EOFError, ValueError, LookupError)


class BackupSummary(NamedTuple):
    """What an archive holds.

    Attributes:
        users, jobs: Rows.
        files: Uploads, reports and results.
        missing: Names of files that rows name and that are not there: lost before.
        made_by: Version of genint.
        made_at: Time in UTC (ISO 8601).
    """

    users: int
    jobs: int
    files: int
    missing: tuple[str, ...]
    made_by: str
    made_at: str


async def back_up(address: StorageAddress, archive: Path, *, version: str) -> BackupSummary:
    """Write everything that is kept into an archive; the service may run meanwhile.

    Args:
        address: What to back up.
        archive: File to be made, readable for its owner alone.
        version: Of genint, for the archive.

    Raises:
        UsageError: the archive is there already, or the database is none of genint.
        DatabaseAway, StoreAway: the database server or the object store does not answer.
        OSError: the disk is full, or a file cannot be read.
    """
    await asyncio.to_thread(_refuse_existing, archive)
    with _staging(address.data_folder, "backup") as staging:
        tables, missing = await _snapshot(address, staging)
        about = {
            "format": FORMAT,
            "genint": version,
            "made_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "migrations": [migration.name for migration in tables.migrations],
            "missing": sorted(missing),
        }
        return await asyncio.to_thread(_write, staging, archive, about)


async def check_backup(archive: Path) -> BackupSummary:
    """Read an archive to its end and compare every digest.

    Raises:
        InputError: it is damaged or none of genint.
        OSError: it cannot be read.
    """
    return await asyncio.to_thread(_read, archive, None, _nothing)


async def restore(
    address: StorageAddress, archive: Path, *, replace: bool = False, revoke: bool = False
) -> BackupSummary:
    """Put what an archive holds in place, and bring it to the schema of this program.

    Nothing is changed before the archive was read to its end and every digest compared.

    Args:
        address: Where to; of either engine, whichever the archive was made of.
        archive: Made by :func:`back_up`.
        replace: Delete what is there. Otherwise an address where anything is is refused.
        revoke: Revoke all API keys and links to reports: those that were revoked after the
            backup would be valid again.

    Raises:
        InputError: the archive is damaged or none of genint.
        UsageError: it was made by a newer genint, there is something, or a service runs.
        DatabaseAway, StoreAway: the database server or the object store does not answer.
        OSError: the disk is full or broken.
    """
    url = address.database_url
    engine: Engine = "sqlite" if url is None else "postgresql"
    with own_folder(address.data_folder), _staging(address.data_folder, "restore") as staging:
        if url is not None and await others_use(url):
            raise UsageError("other processes of genint use the database: stop them first")
        objects = file_store(address).objects
        if not replace and await _is_used(address, objects):
            raise UsageError(
                f"there is something in {address.store or address.data_folder} or its database "
                "already: restore elsewhere, or use --replace, which deletes it"
            )
        applied: list[str] = []

        def check(about: dict[str, Any]) -> None:
            applied.extend(about["migrations"])
            tables_of(engine, applied)

        summary = await asyncio.to_thread(_read, archive, staging, check)
        kept = await _move_files(staging, objects)
        rows = staging / "tables"
        if revoke:
            await asyncio.to_thread(_revoke, rows)
        if url is not None:
            await load_postgresql(url, applied, rows)
        else:
            await _replace_sqlite(address.sqlite_file, applied, rows)
        if replace:
            await _remove_others(objects, kept)
    return summary


def _refuse_existing(archive: Path) -> None:
    if archive.exists():
        raise UsageError(f"{archive} is there already; name another file")


async def _is_used(address: StorageAddress, objects: ObjectStore) -> bool:
    for folder in FOLDERS:
        async for _ in objects.names(folder):
            return True
    file = None if address.database_url else address.sqlite_file
    return await has_rows(file, address.database_url)


@contextmanager
def _staging(data_folder: Path, name: str) -> Iterator[Path]:
    """An empty folder on the disk of the stored files, gone afterwards; one process at a time."""
    if not data_folder.is_dir():
        raise UsageError(f"there is no data folder {data_folder}; set GENINT_DATA_DIR")
    folder = data_folder / f".{name}"
    with exclusive(data_folder / f".{name}.lock", of=folder):
        shutil.rmtree(folder, ignore_errors=True)  # of one that was killed
        folder.mkdir(mode=0o700)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


async def _snapshot(address: StorageAddress, staging: Path) -> tuple[Tables, frozenset[str]]:
    """Rows of one moment and links to their files; names of files that are not there."""
    before: frozenset[str] | None = None
    objects = file_store(address).objects
    rows = staging / "tables"
    for name in FOLDERS:
        (staging / name).mkdir(mode=0o700)
    for _ in range(_TRIES):
        shutil.rmtree(rows, ignore_errors=True)
        rows.mkdir(mode=0o700)
        if address.database_url is None:
            tables = await asyncio.to_thread(dump_sqlite, address.sqlite_file, rows)
        else:
            tables = await dump_postgresql(address.database_url, rows)
        wanted = await asyncio.to_thread(_wanted, rows)
        missing = await _copied(objects, wanted, staging)
        if not missing or missing == before:  # the same again: they were lost long ago
            return tables, missing
        before = missing
    raise InputError("jobs are deleted faster than they can be backed up; try again later")


def _wanted(rows: Path) -> frozenset[str]:
    """Names of the files that rows name."""
    wanted: set[str] = set()
    with (rows / "jobs.jsonl").open(encoding="utf-8") as stream:
        for line in stream:
            job = json.loads(line)
            wanted.update(made_of(job["id"], job["report_attempt"]))
            if job.get("upload_bytes") != 0:  # which stands for an upload that was removed
                has_proteins = job.get("proteins") is not None
                wanted.update(uploads_of(job["id"], job["upload"], has_proteins=has_proteins))
    return frozenset(wanted)


async def _copied(objects: ObjectStore, wanted: frozenset[str], staging: Path) -> frozenset[str]:
    """Have all these files, and no others, in the folder; names of those that are not there.

    A file that is there from an earlier try is not copied again: what takes long would otherwise
    never come to its end while jobs are deleted.
    """
    there = {f"{folder}/{file.name}" for folder in FOLDERS for file in (staging / folder).iterdir()}
    for name in there - wanted:
        (staging / name).unlink()
    return await objects.copy(wanted - there, staging)


def _write(staging: Path, archive: Path, about: dict[str, Any]) -> BackupSummary:
    draft = archive.with_name(f".{archive.name}.new")
    draft.unlink(missing_ok=True)
    digests: dict[str, dict[str, Any]] = {}
    try:
        opener = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        packer = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
        with (
            os.fdopen(opener, "wb") as plain,
            packer.stream_writer(plain) as packed,
            tarfile.open(fileobj=cast(BinaryIO, packed), mode="w|") as tar,
        ):
            _add_json(tar, _ABOUT, about)
            for file in sorted(path for path in staging.rglob("*") if path.is_file()):
                name = file.relative_to(staging).as_posix()
                digests[name] = _add_file(tar, name, file)
            manifest = {"files": digests, "rows": _counts(staging / "tables")}
            _add_json(tar, _MANIFEST, manifest)
        _refuse_existing(archive)
        move_durably((draft, archive))
    finally:
        draft.unlink(missing_ok=True)
    return _summary(about, manifest)


def _counts(rows: Path) -> dict[str, int]:
    found = {}
    for file in sorted(rows.iterdir()):
        with file.open("rb") as stream:
            found[file.stem] = sum(1 for _ in stream)
    return found


def _summary(about: dict[str, Any], manifest: dict[str, Any]) -> BackupSummary:
    rows = manifest["rows"]
    return BackupSummary(
        users=int(rows["users"]),
        jobs=int(rows["jobs"]),
        files=sum(not name.startswith("tables/") for name in manifest["files"]),
        missing=tuple(map(str, about["missing"])),
        made_by=str(about["genint"]),
        made_at=str(about["made_at"]),
    )


def _add_json(tar: tarfile.TarFile, name: str, value: object) -> None:
    content = json.dumps(value, indent=1).encode()
    info = tarfile.TarInfo(name)
    info.size, info.mode, info.mtime = len(content), 0o600, int(time.time())
    tar.addfile(info, BytesIO(content))


def _add_file(tar: tarfile.TarFile, name: str, file: Path) -> dict[str, Any]:
    """Add a file; its size and digest."""
    with file.open("rb") as stream:
        status = os.fstat(stream.fileno())
        info = tarfile.TarInfo(name)
        info.size, info.mode, info.mtime = status.st_size, 0o600, int(status.st_mtime)
        digesting = _Digesting(stream)
        tar.addfile(info, cast(BinaryIO, digesting))
    return {"bytes": status.st_size, "sha256": digesting.sha256.hexdigest()}


class _Digesting:
    """A file that is read, and the digest of what was read of it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.sha256 = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        content = self._stream.read(size)
        self.sha256.update(content)
        return content


def _nothing(about: dict[str, Any]) -> None:
    del about


def _read(
    archive: Path, folder: Path | None, check: Callable[[dict[str, Any]], None]
) -> BackupSummary:
    """Compare all digests, and unpack where a folder is given.

    Args:
        archive: To be read.
        folder: Where to unpack; None: nowhere.
        check: Called with what the archive says of itself, before anything is unpacked.
    """
    try:
        with (
            archive.open("rb") as plain,
            zstandard.ZstdDecompressor().stream_reader(plain) as text,
            tarfile.open(fileobj=cast(BinaryIO, text), mode="r|") as tar,
        ):
            return _read_members(tar, folder, check)
    except _DAMAGED as problem:
        reason = str(problem) or "it ends too early"
        raise InputError(f"{archive.name} is damaged, or no backup: {reason}") from problem


def _read_members(
    tar: tarfile.TarFile, folder: Path | None, check: Callable[[dict[str, Any]], None]
) -> BackupSummary:
    about = _json_of(tar, tar.next(), _ABOUT)
    if about["format"] != FORMAT:
        raise ValueError(f"its format is {about['format']}, and this genint reads {FORMAT}")
    check(about)
    found: dict[str, dict[str, Any]] = {}
    while (member := tar.next()) is not None and member.name != _MANIFEST:
        found[_plain_name(member)] = _unpack(tar, member, folder)
    manifest = _json_of(tar, member, _MANIFEST)
    differing = sorted(
        name
        for name in found.keys() | manifest["files"].keys()
        if found.get(name) != manifest["files"].get(name)
    )
    if differing:
        raise ValueError(f"the digest of {differing[0]} differs")
    if tar.next() is not None:
        raise ValueError("something comes after its end")
    return _summary(about, manifest)


def _plain_name(member: tarfile.TarInfo) -> str:
    """The name of a member that may be unpacked: a plain file in one of the folders."""
    folder, _, name = member.name.partition("/")
    is_plain = bool(name) and not name.startswith(".") and set(name) <= ALLOWED_CHARACTERS
    if not member.isreg() or folder not in _FOLDERS or not is_plain:
        raise ValueError(f"it holds {member.name!r}, which no backup does")
    return member.name


def _unpack(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path | None) -> dict[str, Any]:
    stream = tar.extractfile(member)
    if stream is None:
        raise ValueError(f"{member.name} is no file")
    digesting = _Digesting(stream)
    if folder is None:
        while digesting.read(_PIECE_BYTES):
            pass
    else:
        target = folder / member.name
        target.parent.mkdir(mode=0o700, exist_ok=True)
        with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            shutil.copyfileobj(digesting, file, _PIECE_BYTES)
        os.utime(target, (member.mtime, member.mtime))
    return {"bytes": member.size, "sha256": digesting.sha256.hexdigest()}


def _json_of(tar: tarfile.TarFile, member: tarfile.TarInfo | None, name: str) -> dict[str, Any]:
    stream = tar.extractfile(member) if member is not None and member.name == name else None
    if member is None or stream is None or member.size > _MOST_JSON_BYTES:
        raise ValueError(f"it has no {name}")
    found = json.loads(stream.read())
    wanted = _ABOUT_KEYS if name == _ABOUT else _MANIFEST_KEYS
    if not isinstance(found, dict) or not all(isinstance(found.get(k), v) for k, v in wanted):
        raise ValueError(f"{name} is something else")
    return found


async def _move_files(staging: Path, objects: ObjectStore) -> frozenset[str]:
    """Give unpacked files their places; durably, and before any row names them. Their names."""
    moved: set[str] = set()
    for folder in FOLDERS:
        (staging / folder).mkdir(exist_ok=True)
        files = {f"{folder}/{file.name}": file for file in sorted((staging / folder).iterdir())}
        await objects.put(*((file, name) for name, file in files.items()))
        moved.update(files)
    return frozenset(moved)


def _revoke(rows: Path) -> None:
    """Let dumped rows open nothing: no link, and no key that is not revoked."""
    links = rows / "report_links.jsonl"
    if links.exists():  # older archives have none
        links.write_bytes(b"")
    now_us = time.time_ns() // 1_000
    lines = (rows / "api_keys.jsonl").read_bytes().splitlines()
    keys = [json.loads(line) for line in lines]
    revoked = [key | {"revoked_at": key["revoked_at"] or now_us} for key in keys]
    (rows / "api_keys.jsonl").write_text("".join(f"{json.dumps(key)}\n" for key in revoked))


async def _replace_sqlite(file: Path, applied: list[str], rows: Path) -> None:
    """Make the database beside the old one, then take its name."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = file.with_name(f".{file.name}.restore")
    with exclusive(file.with_name(f"{file.name}.lock"), of=file):
        try:
            _remove_database(made)
            await load_sqlite(made, applied, rows)
            _remove_database(file, but_itself=True)
            await asyncio.to_thread(move_durably, (made, file))
        finally:
            _remove_database(made)


def _remove_database(file: Path, *, but_itself: bool = False) -> None:
    """Remove a database with the files beside it, or these alone."""
    for ending in ("-wal", "-shm") if but_itself else ("", "-wal", "-shm", ".lock"):
        file.with_name(file.name + ending).unlink(missing_ok=True)


async def _remove_others(objects: ObjectStore, kept: frozenset[str]) -> None:
    for folder in FOLDERS:
        others = [name async for name in objects.names(folder) if name not in kept]
        if others:
            await objects.remove(*others)
