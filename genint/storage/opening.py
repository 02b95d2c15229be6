"""Opening and closing all that is kept."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from genint.storage.accounts import AccountStore
from genint.storage.files import FileStore
from genint.storage.heartbeats import DatabaseHeartbeats
from genint.storage.jobs import JobStore


class StorageAddress(NamedTuple):
    """Where things are kept.

    Attributes:
        data_folder: Uploads and reports.
        sqlite_file: Database file where there is no ``database_url``.
        database_url: ``postgresql://...``, or None for SQLite.
    """

    data_folder: Path
    sqlite_file: Path
    database_url: str | None = None


@dataclass(frozen=True, slots=True)
class Storage:
    """All that is kept.

    Attributes:
        is_shared: Whether other processes may use it too (PostgreSQL).
    """

    jobs: JobStore
    accounts: AccountStore
    heartbeats: DatabaseHeartbeats
    files: FileStore
    is_shared: bool


@asynccontextmanager
async def open_storage(address: StorageAddress) -> AsyncIterator[Storage]:
    """Open everything, with migrations applied; closed at the end."""
    raise NotImplementedError
    yield


async def migrate(address: StorageAddress) -> tuple[str, ...]:
    """Apply the migrations that are missing; their names."""
    raise NotImplementedError
