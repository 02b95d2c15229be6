"""SQLite under trouble: cancelled callers, a full disk, locks, plans of its statements."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing

import pytest

from genint.errors import DatabaseAway
from genint.model import JobStatus
from genint.storage import load_migrations, load_statements, sqlite


@pytest.fixture
def engine() -> str:
    """Only this one."""
    return "sqlite"


@pytest.fixture
async def database(tmp_path):
    async with sqlite.open_sqlite(tmp_path / "db") as opened:
        await opened.migrate(load_migrations("sqlite"))
        yield opened


async def test_what_was_acknowledged_survives_a_power_cut_and_a_crash(database):
    (row,) = await database._writer.execute_fetchall("PRAGMA synchronous")
    assert row[0] == 2  # FULL
    (row,) = await database._writer.execute_fetchall("PRAGMA journal_mode")
    assert row[0] == "wal"
    (row,) = await database._writer.execute_fetchall("PRAGMA foreign_keys")
    assert row[0] == 1


async def test_readers_cannot_write(database):
    with pytest.raises(DatabaseAway):
        await database.fetch_all("beat", id="worker")


async def test_a_cancelled_caller_leaves_no_transaction_open(database):
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def work(session):
        await session.execute("beat", id="cancelled")
        begun.set()
        await go_on.wait()

    caller = asyncio.create_task(database.transact(work))
    await begun.wait()
    other = asyncio.create_task(database.execute("beat", id="other"))
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    go_on.set()
    await other
    assert not database._writer.in_transaction
    for worker in ("cancelled", "other"):  # both were whole, and the other was acknowledged
        assert await database.execute("extend_leases", owner=worker, lease_us=1) == []
    assert await database.fetch_one("find_beat", within_us=10**12) is not None


async def test_no_acknowledged_write_is_lost_where_callers_are_cancelled(database, tmp_path):
    acknowledged = set()

    async def beat(worker: str) -> None:
        await database.execute("beat", id=worker)
        acknowledged.add(worker)

    callers = [asyncio.create_task(beat(f"w{number}")) for number in range(300)]
    for number, caller in enumerate(callers):
        if number % 3 == 0:
            await asyncio.sleep(0)
            caller.cancel()
    await asyncio.gather(*callers, return_exceptions=True)
    assert len(acknowledged) >= 200
    with closing(sqlite3.connect(tmp_path / "db")) as connection:
        stored = {worker for (worker,) in connection.execute("SELECT id FROM workers")}
    assert acknowledged <= stored


async def test_a_transaction_that_fails_changes_nothing_and_harms_nobody(database):
    async def work(session):
        await session.execute("beat", id="lost")
        raise LookupError("in the middle")

    with pytest.raises(LookupError):
        await database.transact(work)
    assert await database.fetch_one("find_beat", within_us=10**12) is None
    await database.execute("beat", id="kept")
    assert await database.fetch_one("find_beat", within_us=10**12) is not None


async def test_a_notice_of_a_failed_transaction_is_never_heard(database):
    async def work(session):
        await session.announce(sqlite.Notice("queued", "lost"))
        raise LookupError

    async with asyncio.timeout(5), database.notices() as notices:
        with pytest.raises(LookupError):
            await database.transact(work)
        await database.transact(lambda session: session.announce(sqlite.Notice("queued", "kept")))
        assert await anext(notices) == ("queued", "kept")


async def test_a_full_disk_is_told_and_got_over(database):
    (row,) = await database._writer.execute_fetchall("PRAGMA page_count")
    await database._writer.execute_fetchall(f"PRAGMA max_page_count = {row[0]}")
    with pytest.raises(DatabaseAway, match="full"):
        await database.execute("beat", id="a long name" * 100_000)
    assert not database._writer.in_transaction
    await database._writer.execute_fetchall("PRAGMA max_page_count = 1000000")
    await database.execute("beat", id="worker")


async def test_a_lock_of_another_program_is_told(database, tmp_path, monkeypatch):
    await database._writer.execute_fetchall("PRAGMA busy_timeout = 50")
    with closing(sqlite3.connect(tmp_path / "db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseAway, match="locked"):
            await database.execute("beat", id="worker")
        assert await database.fetch_all("list_migrations")  # readers go on
        other.execute("ROLLBACK")
    await database.execute("beat", id="worker")


async def test_a_broken_statement_is_not_taken_for_a_broken_disk(database):
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        await database.transact(lambda session: session.run_script("SELECT x FROM nowhere"))
    with pytest.raises(sqlite3.IntegrityError):
        await database.execute(
            *["add_key"],
            **dict.fromkeys(("id", "user_id", "name", "key_prefix", "digest"), "x"),
            scope="full",
            **dict.fromkeys(("parent_id", "valid_us", "until_us")),
        )


async def test_many_writers_and_readers_never_meet_a_lock(storage, new_job, user_id):
    async def write() -> None:
        for _ in range(10):
            await storage.jobs.submit(new_job(), max_pending=10_000)

    async def read() -> None:
        for _ in range(20):
            await storage.jobs.list(user_id, status=JobStatus.PENDING, limit=5, cursor=None)

    async with asyncio.TaskGroup() as group:
        for _ in range(16):
            group.create_task(write())
            group.create_task(read())
    page = await storage.jobs.list(user_id)
    assert len(page.jobs) == 160


TABLES = tuple(f"SCAN {table}" for table in ("j", "oldest", "d", "u", "k", "api_keys"))
"""Begin of a step through a whole table: jobs, dark genes, users, keys."""


@pytest.mark.parametrize(
    "name",
    [
        *(
            "claim_job",
            "note_start",
            "list_jobs",
            "list_jobs_in_status",
            "list_dark_genes",
            "count_pending",
        ),
        *("get_job_by_key", "extend_leases", "get_key", "list_keys", "get_account"),
    ],
)
async def test_no_statement_of_every_day_walks_through_all_jobs(database, name):
    statement = load_statements("sqlite").by_name[name]
    values = dict.fromkeys(statement.parameters, 1)
    plan = await database._writer.execute_fetchall(f"EXPLAIN QUERY PLAN {statement.text}", values)
    steps = [row["detail"] for row in plan]
    scans = [step for step in steps if step.startswith(TABLES)]
    assert set(scans) <= {"SCAN jobs USING INDEX jobs_running"}  # holds the few that run
    if name.startswith("list_"):
        assert not [step for step in steps if "B-TREE FOR ORDER BY" in step]
