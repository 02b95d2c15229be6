"""The connection that hears of other processes."""

from __future__ import annotations

import asyncio

import asyncpg

from genint.storage import Listener, Notice, load_statements

CHANNEL = "a_channel"
STATEMENTS = load_statements("postgresql")
SIGN_OF_LIFE, _ = STATEMENTS.bind("sign_of_life", {})


async def announce(url: str, notice: Notice) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, str(notice))
    finally:
        await connection.close()


async def test_a_connection_that_was_asked_for_signs_of_life_still_listens(postgresql_url):
    listener = Listener(postgresql_url, CHANNEL, STATEMENTS, alive_every_s=0.01)
    watcher = await asyncpg.connect(postgresql_url)
    try:
        async with asyncio.timeout(10), listener.listen() as heard:
            asked = "SELECT query FROM pg_stat_activity WHERE application_name = 'genint notices'"
            while await watcher.fetchval(asked) != SIGN_OF_LIFE:
                await asyncio.sleep(0.01)
            await announce(postgresql_url, Notice("queued", "job"))
            assert await anext(heard) == Notice("queued", "job")
    finally:
        await watcher.close()
        await listener.close()


async def test_a_listener_that_lost_its_connection_listens_again(postgresql_url):
    listener = Listener(postgresql_url, CHANNEL, STATEMENTS)
    watcher = await asyncpg.connect(postgresql_url)
    find = "SELECT pid FROM pg_stat_activity WHERE application_name = 'genint notices'"
    try:
        async with asyncio.timeout(10), listener.listen() as heard:
            first = await watcher.fetchval(find)
            await watcher.execute("SELECT pg_terminate_backend($1)", first)
            while await watcher.fetchval(f"{find} AND query LIKE 'LISTEN%'") in {None, first}:
                await asyncio.sleep(0.02)
            await announce(postgresql_url, Notice("ended", "job"))
            assert await anext(heard) == Notice("ended", "job")
    finally:
        await watcher.close()
        await listener.close()
