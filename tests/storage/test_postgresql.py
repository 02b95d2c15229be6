"""PostgreSQL under trouble: restarts, lost connections, silence, cancelled callers."""

from __future__ import annotations

import asyncio
import time

import asyncpg
import pytest

from genint.errors import DatabaseAway
from genint.model import JobStatus, NewJob, User
from genint.storage import MOST_CONNECTIONS, open_postgresql, open_storage
from tests.servers.stalling_proxy import StallingProxy

ANSWER_LIMIT_S = 5.0
END_OTHERS = """
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
    """
OPEN_TRANSACTIONS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()
    """
CONNECTIONS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'genint'
    """


@pytest.fixture
def engine() -> str:
    """Only this one."""
    return "postgresql"


@pytest.fixture
async def database(postgresql_url, storage):
    async with open_postgresql(postgresql_url) as opened:
        yield opened


@pytest.fixture
async def proxied(storage, address, postgresql_server):
    """A proxy and storage that is reached through it."""
    async with StallingProxy(postgresql_server.port) as proxy:
        through = address._replace(database_url=proxy.instead_of(address.database_url))
        async with open_storage(through) as opened:
            yield proxy, opened


async def eventually(ask, *, within_s: float = 10):
    """What a call answers, as soon as the database is back."""
    async with asyncio.timeout(within_s):
        while True:
            try:
                return await ask()
            except DatabaseAway:
                await asyncio.sleep(0.05)


async def test_a_silent_server_is_told_within_five_seconds(proxied):
    proxy, storage = proxied
    await asyncio.gather(*(storage.jobs.get("warm up") for _ in range(20)))
    proxy.stall()

    async def refused_after_s(call) -> float:
        began = time.monotonic()
        with pytest.raises(DatabaseAway):
            await call
        return time.monotonic() - began

    new = NewJob("id", "user", "f.gb", "u.gb", False, "offline")
    waits = await asyncio.gather(
        *(refused_after_s(storage.jobs.get("id")) for _ in range(30)),
        refused_after_s(storage.jobs.submit(new, max_pending=1)),
        refused_after_s(storage.jobs.claim("worker")),
        refused_after_s(storage.accounts.key_by_prefix("gi_1")),
    )
    assert max(waits) < ANSWER_LIMIT_S
    proxy.flow()
    assert await eventually(lambda: storage.jobs.get("id")) is None


async def test_closing_does_not_wait_for_a_silent_server(storage, address, postgresql_server):
    async with StallingProxy(postgresql_server.port) as proxy:
        through = address._replace(database_url=proxy.instead_of(address.database_url))
        async with open_storage(through) as opened:
            await asyncio.gather(*(opened.jobs.get("warm up") for _ in range(20)))
            proxy.stall()
            began = time.monotonic()
        assert time.monotonic() - began < ANSWER_LIMIT_S


async def test_a_restart_under_load_loses_nothing_that_was_acknowledged(
    storage, new_job, user_id, postgresql_server
):
    acknowledged: set[str] = set()
    stop = asyncio.Event()

    async def submit_on() -> None:
        while not stop.is_set():
            job = new_job()
            try:
                await storage.jobs.submit(job, max_pending=100_000)
            except DatabaseAway:
                await asyncio.sleep(0.01)
            else:
                acknowledged.add(job.id)

    async with asyncio.TaskGroup() as group:
        for _ in range(4):
            group.create_task(submit_on())
        for mode in ("fast", "immediate"):
            before = len(acknowledged)
            async with asyncio.timeout(20):
                while len(acknowledged) < before + 20:
                    await asyncio.sleep(0.01)
            await asyncio.to_thread(postgresql_server.restart, mode)
        before = len(acknowledged)
        async with asyncio.timeout(20):
            while len(acknowledged) < before + 20:
                await asyncio.sleep(0.01)
        stop.set()
    page = await storage.jobs.list(user_id)
    assert acknowledged <= {job.id for job in page.jobs}


async def test_connections_that_were_ended_are_replaced(storage, run_sql, new_job):
    for _ in range(5):
        await asyncio.gather(*(storage.jobs.get("x") for _ in range(30)))
        await run_sql(END_OTHERS)
        await eventually(lambda: storage.jobs.submit(new_job(), max_pending=1_000))
    ((connections,),) = await run_sql(CONNECTIONS)
    assert connections <= MOST_CONNECTIONS


async def test_notices_are_heard_again_after_the_connection_was_ended(storage, run_sql, new_job):
    async with asyncio.timeout(20), storage.jobs.notices() as notices:
        await run_sql(END_OTHERS)
        heard = asyncio.create_task(anext(notices))
        while not heard.done():
            await eventually(lambda: storage.jobs.submit(new_job(), max_pending=10_000))
            await asyncio.wait({heard}, timeout=0.1)
        assert (await heard).kind == "queued"


async def test_notices_come_from_other_processes(storage, address, new_job):
    async with open_storage(address) as other, asyncio.timeout(10), other.jobs.notices() as heard:
        job, _ = await storage.jobs.submit(new_job(), max_pending=1)
        await storage.jobs.cancel(job.id)
        assert [await anext(heard), await anext(heard)] == [("queued", job.id), ("ended", job.id)]


async def test_a_cancelled_caller_leaves_no_transaction_open(database, run_sql):
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def work(session):
        await session.execute("beat", id="worker")
        begun.set()
        await go_on.wait()

    caller = asyncio.create_task(database.transact(work))
    await begun.wait()
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    go_on.set()
    await database.close()
    assert [tuple(row) for row in await run_sql(OPEN_TRANSACTIONS)] == [(0,)]
    assert [tuple(row) for row in await run_sql("SELECT id FROM workers")] == [("worker",)]


async def test_no_acknowledged_write_is_lost_where_callers_are_cancelled(storage, run_sql):
    acknowledged = set()

    async def add(number: int) -> None:
        user = User(f"u{number}", f"{number}@example.org", "", "")
        if await storage.accounts.add_user(user, "hash"):
            acknowledged.add(user.id)

    callers = [asyncio.create_task(add(number)) for number in range(150)]
    for number, caller in enumerate(callers):
        if number % 3 == 0:
            await asyncio.sleep(0)
            caller.cancel()
    await asyncio.gather(*callers, return_exceptions=True)
    assert len(acknowledged) >= 100
    assert acknowledged <= {row[0] for row in await run_sql("SELECT id FROM users")}


async def test_a_transaction_that_fails_changes_nothing(database, run_sql):
    async def work(session):
        await session.execute("beat", id="lost")
        raise LookupError("in the middle")

    with pytest.raises(LookupError):
        await database.transact(work)
    assert await run_sql("SELECT id FROM workers") == []
    await database.execute("beat", id="kept")


async def test_who_waits_for_a_connection_in_vain_is_told(database, run_sql):
    go_on = asyncio.Event()

    async def hold(session):
        await session.fetch_all("list_migrations")
        await go_on.wait()

    holding = [asyncio.create_task(database.transact(hold)) for _ in range(MOST_CONNECTIONS)]
    async with asyncio.timeout(10):
        while (await run_sql(OPEN_TRANSACTIONS))[0][0] < MOST_CONNECTIONS:
            await asyncio.sleep(0.01)
    began = time.monotonic()
    with pytest.raises(DatabaseAway):
        await database.fetch_one("find_beat", within_us=1)
    assert time.monotonic() - began < 3
    go_on.set()
    await asyncio.gather(*holding, return_exceptions=True)
    assert await eventually(lambda: database.fetch_one("find_beat", within_us=1)) is None


async def test_a_locked_row_is_told_within_five_seconds(storage, address, reach):
    job = await reach(JobStatus.RUNNING)
    other = await asyncpg.connect(address.database_url)
    try:
        async with other.transaction():
            await other.execute("SELECT id FROM jobs FOR UPDATE")
            began = time.monotonic()
            with pytest.raises(DatabaseAway):
                await storage.jobs.cancel(job.id)
            assert time.monotonic() - began < ANSWER_LIMIT_S
            assert await storage.jobs.claim("worker") is None  # and no claim waits for it
    finally:
        await other.close()
    assert await storage.jobs.cancel(job.id) is not None


async def test_a_broken_value_is_not_taken_for_a_broken_server(database):
    with pytest.raises(asyncpg.ForeignKeyViolationError):
        await database.execute(
            "add_key",
            **dict.fromkeys(("id", "user_id", "name", "key_prefix", "digest"), "x"),
            scope="full",
            **dict.fromkeys(("parent_id", "valid_us", "until_us")),
        )
