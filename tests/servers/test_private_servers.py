"""The servers of the tests themselves."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import asyncpg
import pytest
from redis.asyncio import Redis

from tests.servers.private_servers import PostgresServer, find_program

HERE = Path(__file__).parent
KILLED_RUN = """
import os, sys
sys.path.insert(0, sys.argv[1])
from tests.servers.private_servers import PostgresServer, RedisServer
print(PostgresServer.started().url(), RedisServer.started().port, flush=True)
os.kill(os.getpid(), 9)
"""


async def test_a_database_is_new_and_empty(postgresql_url):
    connection = await asyncpg.connect(postgresql_url)
    try:
        found = await connection.fetchval("SELECT count(*) FROM pg_stat_user_tables")
    finally:
        await connection.close()
    assert found == 0


async def test_a_redis_database_is_empty(redis_url):
    async with Redis.from_url(redis_url) as redis:
        assert await redis.dbsize() == 0


async def test_a_database_survives_a_restart_of_its_server(postgresql_server, postgresql_url):
    await asyncio.to_thread(postgresql_server.restart, "immediate")
    connection = await asyncpg.connect(postgresql_url)
    await connection.close()


@pytest.mark.skipif(not find_program("initdb"), reason="needs PostgreSQL")
@pytest.mark.skipif(not find_program("redis-server"), reason="needs Redis")
def test_a_killed_run_leaves_no_server(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", KILLED_RUN, HERE],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    address, redis_port = done.stdout.split()
    assert done.returncode == -9
    wait_until_closed(int(redis_port))
    wait_until_closed(int(address.rsplit(":")[-1].partition("/")[0]))


def wait_until_closed(port: int) -> None:
    """Return as soon as nobody listens any more."""

    async def wait() -> None:
        async with asyncio.timeout(20):
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                    writer.close()
                except OSError:
                    return
                await asyncio.sleep(0.02)

    asyncio.run(wait())


@pytest.mark.parametrize("present", [True, False])
def test_programs_are_found_or_not(present):
    assert (find_program("sh" if present else "no-such-program-anywhere") is not None) is present


INSTALLED = {
    "initdb",
    "redis-server",
    "chromium",
    "nginx",
    "gt",
    "mmseqs",
    "openssl",
    "tbl2asn",
    "man",
}
"""Programs of the packages that the installer cares for."""


def test_nothing_is_installed_where_all_is_there(tmp_path):
    for program in INSTALLED:
        (tmp_path / program).write_text("#!/bin/sh\n")
        (tmp_path / program).chmod(0o755)
    done = install(tmp_path)
    assert (done.returncode, done.stdout) == (0, "")


def test_what_cannot_be_installed_is_one_line_and_no_failure(tmp_path):
    for program in INSTALLED - {"redis-server"}:
        (tmp_path / program).write_text("#!/bin/sh\n")
        (tmp_path / program).chmod(0o755)
    done = install(tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("install_servers.sh: cannot install redis-server: ")
    assert done.stdout.count("\n") == 1


def install(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the installer where only the programs of one folder are in sight."""
    return subprocess.run(
        ["/bin/bash", HERE.parent / "install_servers.sh"],
        check=False,
        env={"PATH": str(folder)},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_closed_server_leaves_no_folder():
    server = PostgresServer.started()
    if server is None:
        pytest.skip("needs PostgreSQL")
    folder = server._folder
    assert folder.exists()
    server.close()
    assert not os.path.exists(folder)
