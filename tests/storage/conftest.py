"""Storage opened on either database, and jobs in every status."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import closing

import asyncpg
import pytest

from genint.model import DarkGene, GeneCounts, Job, JobStatus, NewJob, Outcome, User
from genint.storage import Storage, StorageAddress, open_storage

OUTCOME = Outcome(
    GeneCounts(
        total_genes=10,
        interpreted_genes=8,
        high_confidence=5,
        dark=2,
        supported_genes=6,
        file_only_genes=2,
    ),
    (DarkGene("g1", "orf1", "L_1", 2, 0.4375), DarkGene("g2", "orf2", "L_2")),
    "1.0",
)

NewJobFactory = Callable[..., NewJob]
RunSql = Callable[..., Awaitable[Sequence[Sequence[object]]]]


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request) -> str:
    """Every test that uses storage runs on both databases."""
    return request.param


@pytest.fixture
def address(engine, tmp_path, request) -> StorageAddress:
    """Where storage lies."""
    url = request.getfixturevalue("postgresql_url") if engine == "postgresql" else None
    return StorageAddress(tmp_path / "data", tmp_path / "genint.sqlite3", url)


@pytest.fixture
async def storage(address) -> AsyncIterator[Storage]:
    """Storage, empty."""
    async with open_storage(address) as opened:
        yield opened


@pytest.fixture
def run_sql(address) -> RunSql:
    """Runs SQL as somebody else would, past the stores; its rows."""

    async def run(text: str) -> Sequence[Sequence[object]]:
        if address.database_url is None:
            with closing(sqlite3.connect(address.sqlite_file)) as connection, connection:
                return connection.execute(text).fetchall()
        connection = await asyncpg.connect(address.database_url)
        try:
            return [tuple(row) for row in await connection.fetch(text)]
        finally:
            await connection.close()

    return run


@pytest.fixture
async def user_id(storage) -> str:
    """A user."""
    return await add_user(storage)


@pytest.fixture
def new_job(user_id) -> NewJobFactory:
    """Makes jobs that were not handed in yet."""

    def make(**values: object) -> NewJob:
        job_id = str(uuid.uuid4())
        given = {
            "id": job_id,
            "user_id": user_id,
            "filename": "lambda.gb",
            "upload": f"{job_id}.gb",
            "phage_mode": False,
            "mode": "offline",
        }
        return NewJob(**(given | values))

    return make


@pytest.fixture
def reach(storage, new_job) -> Callable[[JobStatus], Awaitable[Job]]:
    """Brings a new job to a status."""

    async def bring(status: JobStatus) -> Job:
        jobs = storage.jobs
        job, _ = await jobs.submit(new_job(), max_pending=1000)
        if status is not JobStatus.PENDING:
            job = await jobs.claim("worker")
        match status:
            case JobStatus.COMPLETED:
                assert await jobs.finish(job.lease, OUTCOME)
            case JobStatus.FAILED:
                assert await jobs.fail(job.lease, "it is no genome")
            case JobStatus.CANCELLED:
                assert await jobs.cancel(job.id)
        return await jobs.get(job.id)

    return bring


@pytest.fixture
def another_user(storage) -> Callable[[], Awaitable[str]]:
    """Adds one more user; its id."""
    return lambda: add_user(storage)


@pytest.fixture
def outcome() -> Outcome:
    """What a finished job commits."""
    return OUTCOME


async def add_user(storage: Storage) -> str:
    user = User(str(uuid.uuid4()), f"{uuid.uuid4()}@example.org", "Ada", "Phage")
    assert await storage.accounts.add_user(user, "hash")
    return user.id
