"""Fixtures for tests of the worker: real storages, supervisors and jobs."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from genint.pipeline.resources import Folders
from genint.storage import Storage, StorageAddress, open_storage
from genint.worker.supervisor import Supervisor
from tests.worker.job_desk import Desk


@pytest.fixture(scope="session")
def cache(pressed: Path) -> Path:
    """Indexed profiles of this test run."""
    return pressed


@pytest.fixture(scope="session")
def bacterium(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sequence of E. coli K-12 alone: some 50 CPU s of gene finding and searching."""
    record = shared_data / "genomes" / "E_coli_K12_MG1655_NC_000913.gbk.gz"
    text = gzip.decompress(record.read_bytes()).decode()
    lines = text.partition("\nORIGIN")[2].splitlines()[1:]
    sequence = "".join("".join(line.split()[1:]) for line in lines if not line.startswith("//"))
    file = tmp_path_factory.mktemp("bacterium") / "coli.fasta"
    file.write_text(f">coli\n{sequence}\n")
    return file


@pytest.fixture(scope="session")
def region(bacterium: Path) -> Path:
    """The first 50 kb of the bacterium: a few CPU s."""
    file = bacterium.with_name("region.fasta")
    file.write_text(f"{bacterium.read_text()[:50_000]}\n")
    return file


@pytest.fixture
def folders(searched: Path) -> Folders:
    """What this test run found for a protein is found once: searches are tested elsewhere."""
    return Folders(searched, cache_limit_bytes=1_000_000_000)


@pytest.fixture
def nothing_found(cache: Path) -> Folders:
    """For jobs that have to compute: nothing is remembered of other tests."""
    return Folders(cache, cache_limit_bytes=0)


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[Storage]:
    """An SQLite storage of its own."""
    async with open_storage(address(tmp_path / "data")) as opened:
        yield opened


def address(folder: Path) -> StorageAddress:
    """Of an SQLite storage, which is made where it is not there."""
    return StorageAddress(folder, folder / "db")


@pytest.fixture
async def desk(storage: Storage) -> Desk:
    """Where jobs are handed in and looked at."""
    return Desk(storage)


@pytest.fixture
def supervising(storage: Storage, folders: Folders):
    """Runs a supervisor for the time of an ``async with`` block."""

    def supervise(where: Storage = storage, **options) -> AbstractAsyncContextManager[Supervisor]:
        return supervised(where, **{"folders": folders} | options)

    return supervise


@asynccontextmanager
async def supervised(storage: Storage, **options) -> AsyncIterator[Supervisor]:
    """A supervisor with one worker, unless told otherwise."""
    settings = {"workers": 1, "max_text_bytes": 50_000_000, "time_limit_s": 300.0} | options
    supervisor = Supervisor(storage=storage, **settings)
    task = asyncio.create_task(supervisor.run())
    try:
        yield supervisor
    finally:
        await supervisor.stop(grace_s=0)
        with contextlib.suppress(asyncio.CancelledError):
            await task
