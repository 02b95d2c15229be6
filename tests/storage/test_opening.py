"""Opening storage: alone with SQLite, together with PostgreSQL, or one clear error."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from genint.errors import DatabaseAway, UsageError
from genint.model import User
from genint.storage import Storage, StorageAddress, migrate, open_storage, postgresql
from genint.storage.files import upload_name


def sqlite_address(tmp_path, data: str = "data", file: str = "db") -> StorageAddress:
    return StorageAddress(tmp_path / data, tmp_path / file, None)


async def test_what_was_stored_is_there_after_opening_again(address, storage_of):
    async with open_storage(address) as storage:
        user_id = await storage_of(storage)
    async with open_storage(address) as storage:
        assert (await storage.accounts.user(user_id)).id == user_id


@pytest.fixture
def storage_of():
    """Stores a user; its id."""

    async def store(storage: Storage) -> str:
        assert await storage.accounts.add_user(User("ada", "a@x.org", "", ""), "hash")
        return "ada"

    return store


async def test_whether_it_is_shared_depends_on_the_database(address, engine):
    async with open_storage(address) as storage:
        assert storage.is_shared is (engine == "postgresql")


@pytest.mark.parametrize(("data", "file"), [("data", "another"), ("another", "db")])
async def test_a_data_folder_and_a_database_file_have_one_user(tmp_path, data, file):
    async with open_storage(sqlite_address(tmp_path)):
        with pytest.raises(UsageError, match=f"another genint .process {os.getpid()}. uses "):
            async with open_storage(sqlite_address(tmp_path, data, file)):
                pass
    async with open_storage(sqlite_address(tmp_path, data, file)):
        pass


async def test_a_database_in_use_is_not_migrated(tmp_path):
    async with open_storage(sqlite_address(tmp_path)):
        with pytest.raises(UsageError, match="another genint"):
            await migrate(sqlite_address(tmp_path))


async def test_several_share_one_postgresql(tmp_path, postgresql_url):
    address = StorageAddress(tmp_path, tmp_path / "db", postgresql_url)
    async with AsyncExitStack() as stack:
        opened = await asyncio.gather(
            *(stack.enter_async_context(open_storage(address)) for _ in range(3))
        )
        await opened[0].heartbeats.beat("worker")
        assert [await each.heartbeats.any_within(30) for each in opened] == [True] * 3


async def test_a_database_file_is_for_its_owner_alone(tmp_path):
    address = sqlite_address(tmp_path, file="folder/db")
    async with open_storage(address) as storage:
        await storage.heartbeats.beat("worker")
        files = list((tmp_path / "folder").iterdir())
        assert {file.name for file in files} == {"db", "db-wal", "db-shm", "db.lock"}
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


async def test_a_file_that_is_no_database_is_refused(tmp_path):
    (tmp_path / "db").write_bytes(b"LOCUS       NC_001416" * 1_000)
    with pytest.raises(UsageError, match=r"cannot use .* as an SQLite database"):
        async with open_storage(sqlite_address(tmp_path)):
            pass
    (tmp_path / "db").unlink()
    async with open_storage(sqlite_address(tmp_path)):
        pass


@pytest.mark.parametrize(("data", "file"), [("taken/data", "db"), ("data", "taken/db")])
async def test_a_folder_that_cannot_be_made_is_refused(tmp_path, data, file):
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(UsageError, match="cannot use"):
        async with open_storage(sqlite_address(tmp_path, data, file)):
            pass


async def test_an_absent_server_is_one_clear_error_without_the_password(
    tmp_path, monkeypatch, unused_tcp_port
):
    monkeypatch.setattr(postgresql, "START_LIMIT_S", 1.2)
    url = f"postgresql://ada:secret@127.0.0.1:{unused_tcp_port}/genint?application_name=x"
    began = time.monotonic()
    with pytest.raises(DatabaseAway) as caught:
        async with open_storage(StorageAddress(tmp_path, tmp_path / "db", url)):
            pass
    assert time.monotonic() - began < 3
    assert f"ada@127.0.0.1:{unused_tcp_port}/genint does not answer" in str(caught.value)
    assert "secret" not in str(caught.value)


async def test_a_server_that_comes_up_late_is_waited_for(
    tmp_path, postgresql_server, postgresql_url
):
    postgresql_server.stop()
    opening = asyncio.create_task(migrate(StorageAddress(tmp_path, tmp_path, postgresql_url)))
    try:
        done, _ = await asyncio.wait({opening}, timeout=1)
        assert not done
    finally:
        await asyncio.to_thread(postgresql_server.start)
    every = Path(__file__).parents[2] / "sql" / "migrations" / "postgresql"
    assert len(await opening) == len(list(every.glob("*.sql")))


@pytest.mark.parametrize("end", ["no_such_database", "postgres?sslmode=nonsense"])
async def test_an_address_that_the_server_refuses_is_told_at_once(tmp_path, postgresql_server, end):
    url = postgresql_server.url().removesuffix("postgres") + end
    began = time.monotonic()
    with pytest.raises(UsageError, match="cannot use the database postgresql://postgres@"):
        await migrate(StorageAddress(tmp_path, tmp_path / "db", url))
    assert time.monotonic() - began < 3


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (
            "postgresql://ada:pw@db.example:5432/genint?x=pw",
            "postgresql://ada@db.example:5432/genint",
        ),
        ("postgresql:///genint", "postgresql:///genint"),
        ("postgresql://db:port/pw", "postgresql://..."),
        ("postgres://:pw@db/genint", "postgres://db/genint"),
    ],
)
def test_an_address_is_shown_without_its_password(url, shown):
    assert postgresql.masked(url) == shown


async def test_files_of_no_job_are_swept(storage, reach, tmp_path):
    job = await reach("PENDING")
    for job_id in (job.id, "nobodys", "young"):
        upload = storage.files.new_upload(job_id, ".gb")
        await upload.open()
        await upload.commit()
    for job_id in (job.id, "nobodys"):
        os.utime(storage.files.objects.path(upload_name(f"{job_id}.gb")), (1, 1))
    assert await storage.sweep_files() == 1
    left = {file.stem for file in storage.files.uploads.iterdir()}
    assert left == {job.id, "young"}


KILLED_AT_WORK = """
import asyncio, os, signal, sys
from pathlib import Path
from genint.model.job import JobLease
from genint.storage import StorageAddress, open_storage

async def work(data, file, url=None):
    async with open_storage(StorageAddress(Path(data), Path(file), url)) as storage:
        whole, half = (storage.files.new_upload(name, ".gb") for name in ("whole", "half"))
        await whole.open()
        await whole.commit()
        await half.open()
        await half.write(b"LOCUS")
        (storage.files.scratch(JobLease("job", 1, "worker")) / "hits").write_bytes(b"hits")
        os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(work(*sys.argv[1:]))
"""


async def test_what_a_killed_process_left_goes_at_the_next_start_unless_it_is_shared(
    address, engine
):
    given = [str(part) for part in address if part is not None]
    killed = await asyncio.create_subprocess_exec(sys.executable, "-c", KILLED_AT_WORK, *given)
    async with asyncio.timeout(60):
        assert await killed.wait() == -signal.SIGKILL
    async with open_storage(address) as storage:
        uploads = {file.name for file in storage.files.uploads.iterdir()}
        scratch = [folder.name for folder in (address.data_folder / "scratch").iterdir()]
        assert await storage.sweep_files() == 0
    if engine == "sqlite":
        assert (uploads, scratch) == ({"whole.gb"}, [])
    else:  # others may be at work on them
        assert (uploads, scratch) == ({"whole.gb", "half.gb.tmp"}, ["job.1"])
