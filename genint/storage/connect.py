"""Opening and closing all that is kept."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import (
    AsyncExitStack,
    ExitStack,
    asynccontextmanager,
    contextmanager,
    suppress,
)
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from genint.errors import StoreAway, UsageError
from genint.storage.accounts import AccountStore
from genint.storage.database import Database
from genint.storage.files import FileStore, exclusive
from genint.storage.guests import GuestStore
from genint.storage.heartbeats import DatabaseHeartbeats
from genint.storage.jobs import JobStore
from genint.storage.migrations import load_migrations
from genint.storage.online_outages import OutageStore
from genint.storage.postgresql import migrate_postgresql, open_postgresql
from genint.storage.report_links import ReportLinkStore
from genint.storage.sessions import SessionStore
from genint.storage.sqlite import lock_of, open_sqlite
from genint.storage.webhooks import WebhookStore


class StorageAddress(NamedTuple):
    """Where things are kept.

    Attributes:
        data_folder: Uploads and reports where there is no ``store``; scratch folders.
        sqlite_file: Database file where there is no ``database_url``.
        database_url: ``postgresql://...``, or None for SQLite.
        store: ``s3://bucket/prefix`` for uploads and reports, or None.
    """

    data_folder: Path
    sqlite_file: Path
    database_url: str | None = None
    store: str | None = None


@dataclass(frozen=True, slots=True)
class Storage:
    """All that is kept.

    Attributes:
        database: Under all stores, for figures of its use.
        is_shared: Whether other processes may use it too (PostgreSQL).
    """

    database: Database
    jobs: JobStore
    accounts: AccountStore
    heartbeats: DatabaseHeartbeats
    report_links: ReportLinkStore
    sessions: SessionStore
    guests: GuestStore
    outages: OutageStore
    webhooks: WebhookStore
    files: FileStore
    is_shared: bool

    async def sweep_files(self) -> int:
        """Remove what crashes left behind: files of no job, temporary ones; how many jobs'.

        Only what is older than an hour, so nothing that is being made.
        """
        await asyncio.to_thread(self.files.sweep_temporary)
        stored = await self.files.stored_ids()
        unknown = stored - await self.jobs.known_ids(sorted(stored))
        for job_id in unknown:
            await self.files.remove_job(job_id)
        return len(unknown)

    async def delete_account(self, user_id: str) -> bool:
        """Delete a user with all jobs, files and keys; False where there is no such user.

        The account is closed first, and its data then deleted in pieces that no request has
        to wait for; what an interruption leaves, ``finish_deletions`` deletes.
        """
        is_there = await self.accounts.mark_deleted(user_id)
        if is_there:
            await self._delete_data(user_id)
        return is_there

    async def finish_deletions(self) -> int:
        """Delete what is left of accounts whose deletion was interrupted; of how many."""
        user_ids = await self.accounts.deleted_ids()
        for user_id in user_ids:
            await self._delete_data(user_id)
        return len(user_ids)

    async def delete_expired_guests(self) -> int:
        """Delete guests whose day is over, with all their data; how many."""
        user_ids = await self.guests.expired_ids()
        for user_id in user_ids:
            await self.delete_account(user_id)
        return len(user_ids)

    async def _delete_data(self, user_id: str) -> None:
        while job_ids := await self.jobs.delete_of_user(user_id):
            for job_id in job_ids:
                with suppress(OSError, StoreAway):  # the sweep removes what no job names
                    await self.files.remove_job(job_id)
        await self.accounts.delete(user_id)


@asynccontextmanager
async def open_storage(address: StorageAddress) -> AsyncIterator[Storage]:
    """Open everything, with the migrations that were missing; closed at the end.

    With SQLite the data folder and the database file belong to this process alone, so
    temporary files and scratch folders of an earlier one are removed at once.

    Raises:
        UsageError: the folder or database cannot be used, or another process uses it.
        DatabaseAway: the database server does not answer within some ten seconds.
        StoreAway: the object store does not.
    """
    async with AsyncExitStack() as stack:
        if address.database_url is None:
            stack.enter_context(own_folder(address.data_folder))
            sqlite = await stack.enter_async_context(open_sqlite(address.sqlite_file))
            await sqlite.migrate(load_migrations("sqlite"))
            storage = await _storage(sqlite, address, is_shared=False)
            with _usable(address.data_folder):  # what a killed process left
                await asyncio.to_thread(storage.files.sweep_temporary, with_new=True)
            yield storage
        else:
            await migrate_postgresql(address.database_url, load_migrations("postgresql"))
            postgresql = await stack.enter_async_context(open_postgresql(address.database_url))
            yield await _storage(postgresql, address, is_shared=True)


@asynccontextmanager
async def open_storage_beside(address: StorageAddress) -> AsyncIterator[Storage]:
    """Open everything for a command of an operator, also while a service uses it.

    Nothing of a running service is touched: no job is put back, no file swept. With SQLite
    missing migrations are applied only where there is no such service.

    Raises:
        UsageError: the folder or database cannot be used, or has another form than needed.
        DatabaseAway: the database server does not answer within some ten seconds.
    """
    if address.database_url is not None:
        async with open_storage(address) as storage:
            yield storage
        return
    file, migrations = address.sqlite_file, load_migrations("sqlite")
    async with AsyncExitStack() as stack:
        with _usable(address.data_folder):
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            is_alone = True
            try:
                stack.enter_context(exclusive(lock_of(file), of=file))
            except UsageError:
                is_alone = False
        sqlite = await stack.enter_async_context(open_sqlite(file, is_locked=True))
        if is_alone:
            await sqlite.migrate(migrations)
        else:
            await sqlite.require(migrations)
        yield await _storage(sqlite, address, is_shared=False)


async def migrate(address: StorageAddress) -> tuple[str, ...]:
    """Apply the migrations that are missing; their names.

    Raises:
        UsageError: the database cannot be used, or another process uses it.
        DatabaseAway: the database server does not answer within some ten seconds.
    """
    if address.database_url is not None:
        return await migrate_postgresql(address.database_url, load_migrations("postgresql"))
    async with open_sqlite(address.sqlite_file) as database:
        return await database.migrate(load_migrations("sqlite"))


def file_store(address: StorageAddress) -> FileStore:
    """Uploads and reports, wherever they are kept.

    Raises:
        UsageError: what an object store needs is not installed, or not set.
        OSError: the data folder cannot be used.
    """
    if address.store is None:
        return FileStore(address.data_folder)
    try:
        from genint.storage.s3 import open_s3  # noqa: PLC0415 - an extra
    except ImportError as problem:
        reason = "GENINT_STORE: an object store needs more packages: pip install 'genint[s3]'"
        raise UsageError(reason) from problem
    return FileStore(address.data_folder, open_s3(address.store, address.data_folder))


async def _storage(database: Database, address: StorageAddress, *, is_shared: bool) -> Storage:
    with _usable(address.data_folder):
        files = file_store(address)
    await files.objects.check()
    return Storage(
        database=database,
        jobs=JobStore(database),
        accounts=AccountStore(database),
        heartbeats=DatabaseHeartbeats(database),
        report_links=ReportLinkStore(database),
        sessions=SessionStore(database),
        guests=GuestStore(database),
        outages=OutageStore(database),
        webhooks=WebhookStore(database),
        files=files,
        is_shared=is_shared,
    )


@contextmanager
def own_folder(folder: Path) -> Iterator[None]:
    """Hold a data folder for this process alone; UsageError where another one has it."""
    with ExitStack() as stack:
        with _usable(folder):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            stack.enter_context(exclusive(folder / ".lock", of=folder))
        yield


@contextmanager
def _usable(folder: Path) -> Iterator[None]:
    """Errors of a folder as UsageError."""
    try:
        yield
    except OSError as problem:
        raise UsageError(
            f"cannot use the data folder {folder}: {problem.strerror}; "
            "set GENINT_DATA_DIR to another one"
        ) from problem
