"""Backups: whole, of one moment, and restored on either database."""

from __future__ import annotations

import asyncio
import hashlib
import json
import stat
import tarfile
import uuid
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest
import zstandard

from genint.cli.main import run
from genint.errors import InputError, UsageError
from genint.model import ApiKey, JobLease, JobStatus, NewJob
from genint.storage import (
    Storage,
    StorageAddress,
    back_up,
    check_backup,
    open_storage,
    restore,
)
from genint.storage.files import MADE, proteins_name, report_name, upload_name

from .conftest import NewJobFactory, add_user

VERSION = "1.2.3"


async def publish(storage: Storage, lease: JobLease, upload: str) -> None:
    """The files of a job that is about to be finished."""
    storage.files.objects.path(upload_name(upload)).write_bytes(f">{lease.job_id}\nACGT\n".encode())
    made = storage.files.scratch(lease)
    for name in MADE:
        (made / name).write_bytes(f"{name} of {lease.job_id}".encode())
    await storage.files.publish(lease, made)
    storage.files.remove_scratch(lease)


async def finished(storage: Storage, new_job, outcome, **values: object) -> str:
    """A COMPLETED job with its files."""
    job, _ = await storage.jobs.submit(new_job(upload_bytes=10, **values), max_pending=1000)
    claimed = await storage.jobs.claim("worker")
    await publish(storage, claimed.lease, claimed.upload)
    assert await storage.jobs.finish(claimed.lease, outcome)
    return job.id


def jobs_of(user_id: str) -> NewJobFactory:
    """Makes jobs of a user that were not submitted yet."""

    def make(**values: object) -> NewJob:
        job_id = str(uuid.uuid4())
        given = {"filename": "x.fa", "phage_mode": False, "mode": "offline"}
        return NewJob(id=job_id, user_id=user_id, upload=f"{job_id}.fa", **(given | values))

    return make


def contents(address: StorageAddress) -> dict[str, bytes]:
    folders = (address.data_folder / "uploads", address.data_folder / "reports")
    return {file.name: file.read_bytes() for folder in folders for file in folder.iterdir()}


@pytest.fixture(params=["sqlite", "postgresql"])
def elsewhere(request, tmp_path, postgresql_server) -> StorageAddress:
    """Where nothing is yet, on either engine, whatever the backup is of."""
    folder = tmp_path / "elsewhere"
    if request.param == "sqlite":
        yield StorageAddress(folder, folder / "genint.sqlite3")
        return
    url = postgresql_server.create_database()
    yield StorageAddress(folder, folder / "none", url)
    postgresql_server.drop_database(url)


async def test_what_is_restored_on_either_database_is_what_was_there(
    address, elsewhere, storage, new_job, reach, outcome, user_id, tmp_path
):
    done = await finished(storage, new_job, outcome, proteins="mine.faa")
    storage.files.objects.path(proteins_name(done)).write_bytes(b">p\nMK\n")
    others = [await reach(status) for status in (JobStatus.FAILED, JobStatus.PENDING)]
    archive = tmp_path / "genint.tar.zst"
    made = await back_up(address, archive, version=VERSION)
    assert (made.users, made.jobs, made.files, made.made_by) == (1, 3, 5, VERSION)
    assert len(made.missing) == 2  # of jobs whose uploads the fixture did not write
    before = contents(address), [await storage.jobs.get(job.id) for job in others]
    restored = await restore(elsewhere, archive)
    assert restored == made == await check_backup(archive)
    async with open_storage(elsewhere) as there:
        assert await there.jobs.get(done) == await storage.jobs.get(done)
        assert [await there.jobs.get(job.id) for job in others] == before[1]
        assert await there.accounts.user(user_id) == await storage.accounts.user(user_id)
        genes = await there.jobs.dark_genes(user_id)
        assert genes == await storage.jobs.dark_genes(user_id)
        assert genes.total == 2
        assert contents(elsewhere) == before[0]
        assert (await there.jobs.claim("another")).id == others[1].id


@pytest.mark.parametrize("revoke", [False, True])
async def test_keys_and_links_of_a_backup_open_again_unless_all_are_revoked(
    address, elsewhere, storage, reach, user_id, tmp_path, revoke
):
    job = await reach(JobStatus.PENDING)
    for number in range(2):
        made_at = datetime(2026, 1, 1, tzinfo=UTC)
        about = str(number), user_id, "laptop", f"gi_{number}", "digest"
        await storage.accounts.add_key(ApiKey(*about, made_at, None, None, None))
    await storage.accounts.revoke_key(user_id, "1")
    before = (await storage.accounts.key_by_prefix("gi_1")).key
    await storage.report_links.add(job.id, "link", valid_s=None)
    await back_up(address, tmp_path / "archive", version=VERSION)
    await restore(elsewhere, tmp_path / "archive", revoke=revoke)
    async with open_storage(elsewhere) as there:
        assert (await there.accounts.key_by_prefix("gi_0")).is_valid != revoke
        assert (await there.accounts.key_by_prefix("gi_1")).key == before
        assert await there.report_links.is_valid(job.id, "link") != revoke


async def test_a_backup_made_while_jobs_end_and_are_deleted_is_of_one_moment(
    address, storage, new_job, outcome, user_id, tmp_path
):
    kept = [await finished(storage, new_job, outcome) for _ in range(3)]
    at_work = True

    async def traffic() -> None:
        while at_work:
            job_id = await finished(storage, new_job, outcome)
            await asyncio.sleep(0)
            await storage.jobs.delete(job_id)
            await storage.files.remove_job(job_id)
            kept.append(await finished(storage, new_job, outcome))

    working = asyncio.create_task(traffic())
    await asyncio.sleep(0.05)
    archive = tmp_path / "genint.tar.zst"
    made = await back_up(address, archive, version=VERSION)
    at_work = False
    await working
    assert made.missing == ()
    there = StorageAddress(tmp_path / "there", tmp_path / "there" / "db")
    await restore(there, archive)
    async with open_storage(there) as restored:
        page = await restored.jobs.list(user_id)
        assert page.total == made.jobs >= 3
        for job in page.jobs:
            if job.status is JobStatus.COMPLETED:
                assert restored.files.objects.path(upload_name(job.upload)).is_file()
                assert restored.files.objects.path(report_name(job.id, job.attempt)).is_file()
        assert set(kept[:3]) <= {job.id for job in page.jobs}


async def test_a_used_address_is_refused_and_replaced_only_on_request(address, outcome, tmp_path):
    archive = tmp_path / "genint.tar.zst"
    async with open_storage(address) as storage:
        new_job = jobs_of(await add_user(storage))
        first = await finished(storage, new_job, outcome)
        await back_up(address, archive, version=VERSION)
        later = await finished(storage, new_job, outcome)
        files = contents(address)
        with pytest.raises(UsageError, match=r"another genint|other processes") as caught:
            await restore(address, archive, replace=True)
        assert "\n" not in str(caught.value)
    with pytest.raises(UsageError, match="--replace"):
        await restore(address, archive)
    assert contents(address) == files
    await restore(address, archive, replace=True)
    async with open_storage(address) as again:
        assert await again.jobs.get(first) is not None
        assert await again.jobs.get(later) is None
    assert {name for name in files if later not in name} == set(contents(address))
    assert not list(address.data_folder.glob(".restore/*"))


@pytest.fixture
async def archive(tmp_path, outcome) -> Path:
    """A backup of one finished job, from SQLite."""
    address = StorageAddress(tmp_path / "from", tmp_path / "from" / "db")
    made = tmp_path / "whole.tar.zst"
    async with open_storage(address) as storage:
        await finished(storage, jobs_of(await add_user(storage)), outcome)
        await back_up(address, made, version=VERSION)
    return made


def members(archive: Path) -> dict[str, bytes]:
    text = zstandard.ZstdDecompressor().stream_reader(archive.read_bytes()).read()
    with tarfile.open(fileobj=BytesIO(text)) as tar:
        return {one.name: tar.extractfile(one).read() for one in tar.getmembers()}


def pack(archive: Path, contents: dict[str, bytes]) -> None:
    text = BytesIO()
    with tarfile.open(fileobj=text, mode="w") as tar:
        for name, content in contents.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, BytesIO(content))
    archive.write_bytes(zstandard.compress(text.getvalue()))


def of_a_newer_schema(found: dict[str, bytes]) -> None:
    about = json.loads(found["about.json"])
    about["migrations"].append("9999_of_the_future")
    found["about.json"] = json.dumps(about).encode()


def with_another_result(found: dict[str, bytes]) -> None:
    (name,) = (name for name in found if name.endswith(".html"))
    found[name] = b"x" * len(found[name])


def without_its_end(found: dict[str, bytes]) -> None:
    del found["manifest.json"]


def without_a_file(found: dict[str, bytes]) -> None:
    del found[next(name for name in found if name.startswith("uploads/"))]


def with_a_file_elsewhere(found: dict[str, bytes]) -> None:
    manifest = found.pop("manifest.json")
    found |= {"uploads/../../escaped": b"", "manifest.json": manifest}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (of_a_newer_schema, "9999_of_the_future"),
        (with_another_result, "digest"),
        (without_its_end, "manifest.json"),
        (without_a_file, "digest"),
        (with_a_file_elsewhere, "no backup does"),
    ],
)
async def test_an_archive_that_is_not_whole_changes_nothing(archive, tmp_path, change, reason):
    found = members(archive)
    change(found)
    pack(archive, found)
    there = StorageAddress(tmp_path / "there", tmp_path / "there" / "db")
    with pytest.raises(InputError, match=reason) as caught:
        await restore(there, archive)
    assert "\n" not in str(caught.value)
    assert contents(there) == {}
    assert not there.sqlite_file.exists()
    assert not (tmp_path / "escaped").exists()


@pytest.mark.parametrize("content", [b"", b"no archive", "half"])
async def test_a_damaged_archive_is_found_out_without_restoring(archive, content):
    whole = archive.read_bytes()
    archive.write_bytes(whole[: len(whole) // 2] if content == "half" else content)
    with pytest.raises(InputError, match="is damaged") as caught:
        await check_backup(archive)
    assert "\n" not in str(caught.value)


async def test_an_archive_is_for_its_owner_alone_and_never_overwritten(archive, tmp_path):
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    with pytest.raises(UsageError, match="is there already"):
        await back_up(
            StorageAddress(tmp_path / "from", tmp_path / "from" / "db"), archive, version=""
        )
    assert await check_backup(archive)


async def test_an_archive_of_an_older_schema_is_brought_up_to_date(archive, tmp_path):
    """As the migrations of before would have left it."""
    found = members(archive)
    about = json.loads(found["about.json"])
    manifest = json.loads(found.pop("manifest.json"))
    about["migrations"] = about["migrations"][:3]  # before the sizes of stored files
    added = {"upload_bytes", "result_bytes"}
    rows = [json.loads(line) for line in found["tables/jobs.jsonl"].splitlines()]
    lines = [{name: row[name] for name in row if name not in added} for row in rows]
    found["tables/jobs.jsonl"] = "".join(json.dumps(line) + "\n" for line in lines).encode()
    manifest["files"]["tables/jobs.jsonl"] = {
        "bytes": len(found["tables/jobs.jsonl"]),
        "sha256": hashlib.sha256(found["tables/jobs.jsonl"]).hexdigest(),
    }
    found["about.json"] = json.dumps(about).encode()
    pack(archive, found | {"manifest.json": json.dumps(manifest).encode()})
    there = StorageAddress(tmp_path / "there", tmp_path / "there" / "db")
    await restore(there, archive)
    async with open_storage(there) as storage:
        job = await storage.jobs.get(rows[0]["id"])
        assert job.status is JobStatus.COMPLETED
        assert (await storage.jobs.queue_state()).waiting == 0


def test_the_commands_say_what_they_did(archive, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("GENINT_DATA_DIR", str(tmp_path / "from"))
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'from' / 'db'}")
    assert run(["backup", str(tmp_path / "second.tar.zst")]) == 0
    assert capsys.readouterr().out.startswith("Backed up 1 account, 1 job and 4 files in 0.0 MB.")
    assert run(["restore", "--check", str(archive)]) == 0
    assert capsys.readouterr().out.startswith("Whole: 1 account, 1 job and 4 files, made by")
    monkeypatch.setenv("GENINT_DATA_DIR", str(tmp_path / "there"))
    monkeypatch.setenv("DATABASE_URL", "")
    assert run(["restore", "--revoke-links-and-keys", str(archive)]) == 0
    assert run(["restore", str(archive)]) == 2
    told = capsys.readouterr()
    assert told.out.startswith("Restored 1 account, 1 job and 4 files, made by genint 1.2.3 on")
    assert told.err.count("\n") == 1
    assert "--replace" in told.err
