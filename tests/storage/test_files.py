"""Stored files, on a disk and on an object store: whole or not there, of one job only."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import pytest

from genint.errors import StoreAway
from genint.model import JobLease
from genint.storage import FileStore, StorageAddress, UploadFile
from genint.storage.connect import file_store
from genint.storage.files import genes_name, report_name, result_name, upload_name
from tests.servers.private_servers import free_port

LEASE = JobLease("job-1", 2, "worker")
MADE = {"report.html": b"<p>report", "result.json.gz": b"result", "genes.json": b"[]"}
FOLDERS = ("uploads", "reports")
LARGE = os.urandom(1 << 20) * 12
"""More than an object store takes at once, and more than is read into memory."""


@pytest.fixture(params=["disk", "object store"])
def files(request, tmp_path) -> FileStore:
    """Every test of stored files runs on both."""
    store = None if request.param == "disk" else request.getfixturevalue("bucket_url")
    return file_store(StorageAddress(tmp_path / "data", tmp_path / "db", store=store))


@pytest.fixture
def disk(tmp_path) -> FileStore:
    return FileStore(tmp_path / "data")


def make(files: FileStore, lease: JobLease = LEASE, **changed: bytes) -> Path:
    """A scratch folder with what a worker makes."""
    folder = files.scratch(lease)
    for name, content in (MADE | changed).items():
        (folder / name).write_bytes(content)
    return folder


async def upload(files: FileStore, job_id: str = "job-1", content: bytes = b"LOCUS") -> str:
    receiving = await begun(files, job_id)
    await receiving.write(content)
    return await receiving.commit()


async def begun(files: FileStore, job_id: str) -> UploadFile:
    receiving = files.new_upload(job_id, ".gb")
    await receiving.open()
    return receiving


async def content(files: FileStore, name: str) -> bytes:
    with await files.objects.open(name) as file:
        return file.read()


async def stored(files: FileStore) -> set[str]:
    return {name for folder in FOLDERS async for name in files.objects.names(folder)}


def age(path, seconds: float = 3_700) -> None:
    then = time.time() - seconds
    os.utime(path, (then, then))


async def test_files_are_for_their_owner_alone(disk, tmp_path):
    await upload(disk)
    await disk.publish(LEASE, make(disk))
    for path in (tmp_path / "data").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)
    assert len(list((tmp_path / "data").iterdir())) == 3


@pytest.mark.parametrize("text", [b"", b"LOCUS", LARGE], ids=["empty", "small", "large"])
async def test_an_upload_is_there_once_it_is_committed_and_until_it_is_removed(files, text):
    receiving = await begun(files, "job-1")
    await receiving.write(text)
    assert await stored(files) == set()
    name = await receiving.commit()
    assert name == "job-1.gb"
    assert await files.has_upload(name)
    assert await stored(files) == {"uploads/job-1.gb"}
    assert await content(files, upload_name(name)) == text
    assert files.sweep_temporary(with_new=True) == 0
    await files.remove_upload(name)
    await files.remove_upload(name)
    assert not await files.has_upload(name)


async def test_a_published_report_is_found_by_job_and_attempt(files):
    made = make(files)
    await files.publish(LEASE, made)
    assert await content(files, report_name("job-1", 2)) == b"<p>report"
    assert await content(files, result_name("job-1", 2)) == b"result"
    assert await content(files, genes_name("job-1", 2)) == b"[]"
    assert report_name("job-1", 2) == "reports/job-1.2.html"
    assert list(made.iterdir()) == []


@pytest.mark.parametrize("missing", sorted(MADE))
async def test_nothing_is_published_where_something_is_missing(files, missing):
    made = make(files)
    (made / missing).unlink()
    with pytest.raises(FileNotFoundError):
        await files.publish(LEASE, made)
    assert await stored(files) == set()


@pytest.mark.parametrize("first", [b"<p>report", LARGE], ids=["small", "large"])
async def test_a_report_that_is_replaced_goes_on_being_read(files, first):
    await files.publish(LEASE, make(files, **{"report.html": first}))
    name = report_name("job-1", 2)
    with await files.objects.open(name) as reading:
        new = files.scratch(LEASE) / "new.html"
        new.write_bytes(b"<p>another")
        await files.replace_report("job-1", 2, new)
        assert reading.read() == first
    assert await content(files, name) == b"<p>another"


async def test_what_other_attempts_published_is_removed_and_other_jobs_keep_theirs(files):
    for attempt in (1, 2, 12):
        lease = LEASE._replace(attempt=attempt)
        await files.publish(lease, make(files, lease))
    other = LEASE._replace(job_id="job-12")
    await files.publish(other, make(files, other))
    await files.remove_made("job-1", 1, 3, 12)
    left = {name for name in await stored(files) if name.endswith(".html")}
    assert left == {"reports/job-1.2.html", "reports/job-12.2.html"}


async def test_all_that_belongs_to_a_job_is_removed(files):
    for job_id in ("job-1", "job-12"):
        await upload(files, job_id)
        lease = LEASE._replace(job_id=job_id)
        await files.publish(lease, make(files, lease))
    await files.remove_job("job-1")
    left = {name.rpartition("/")[2].partition(".")[0] for name in await stored(files)}
    assert left == {"job-12"}
    await files.remove_job("job-1")


async def test_what_is_not_there_is_missing_and_no_copy_is_made_of_it(files, tmp_path):
    name = report_name("job-1", 2)
    assert not await files.objects.has(name)
    with pytest.raises(FileNotFoundError):
        await files.objects.open(name)
    (tmp_path / "reports").mkdir()
    assert await files.objects.copy([name], tmp_path) == {name}
    assert list((tmp_path / "reports").iterdir()) == []
    assert not (await files.objects.local(name, tmp_path)).exists()


async def test_a_stored_file_can_be_read_by_its_path_and_copied(files, tmp_path):
    name = upload_name(await upload(files, content=LARGE))
    assert (await files.objects.local(name, tmp_path)).read_bytes() == LARGE
    (tmp_path / "uploads").mkdir()
    assert await files.objects.copy([name], tmp_path) == set()
    assert (tmp_path / name).read_bytes() == LARGE


async def test_names_are_told_by_folder_job_and_age(files):
    await upload(files, "job-1")
    await upload(files, "job-12")
    receiving = await begun(files, "job-3")
    objects = files.objects
    assert [name async for name in objects.names("uploads", "job-1")] == ["uploads/job-1.gb"]
    assert [name async for name in objects.names("reports")] == []
    assert [name async for name in objects.names("uploads", least_age_s=3600)] == []
    new = {name async for name in objects.names("uploads", least_age_s=-60)}
    assert new == {"uploads/job-1.gb", "uploads/job-12.gb"}
    await receiving.discard()


async def test_ids_of_old_files_are_told(disk):
    for job_id in ("old", "young"):
        await upload(disk, job_id)
    age(disk.objects.path("uploads/old.gb"))
    await disk.publish(LEASE, make(disk))
    age(disk.objects.path(report_name("job-1", 2)))
    assert await disk.stored_ids() == {"old", "job-1"}


async def test_a_store_that_is_away_says_so_and_what_was_received_is_kept(
    bucket_url, tmp_path, monkeypatch
):
    there = file_store(StorageAddress(tmp_path, tmp_path / "db", store=bucket_url))
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
    files = file_store(StorageAddress(tmp_path, tmp_path / "db", store=bucket_url))
    receiving = await begun(files, "job-1")
    made = make(files)
    for use in (
        receiving.commit(),
        files.publish(LEASE, made),
        files.has_upload("job-1.gb"),
        content(files, report_name("job-1", 2)),
        files.remove_job("job-1"),
        files.objects.check(),
    ):
        with pytest.raises(StoreAway, match="does not answer"):
            await use
    await there.publish(LEASE, made)
    assert len(await stored(there)) == len(MADE)
    await receiving.discard()


async def test_a_bucket_that_is_not_there_is_named_as_such(bucket_url, tmp_path):
    address = StorageAddress(tmp_path, tmp_path / "db", store="s3://no-such-bucket/genint")
    with pytest.raises(StoreAway, match="no such bucket"):
        await file_store(address).objects.check()


def test_the_next_attempt_at_a_job_removes_what_a_killed_one_left(disk):
    killed, other = make(disk), make(disk, LEASE._replace(job_id="job-1-x"))
    disk.scratch(LEASE._replace(attempt=LEASE.attempt + 1))
    assert (killed.exists(), other.exists()) == (False, True)


def test_a_scratch_folder_begins_empty(disk):
    made = make(disk)
    assert list(disk.scratch(LEASE).iterdir()) == []
    disk.remove_scratch(LEASE)
    disk.remove_scratch(LEASE)
    assert not made.exists()


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../secret", "a/b", "/etc/passwd", "a\0b", ".hidden", "*", "[a]", "ä"]
)
async def test_no_name_leads_out_of_its_folder(disk, name):
    for use in (
        lambda: upload_name(name),
        lambda: report_name(name, 1),
        lambda: disk.scratch(LEASE._replace(job_id=name)),
        lambda: disk.new_upload(name, "/../x"),
    ):
        with pytest.raises(ValueError, match="not a name of a stored file"):
            use()
    for removing in (disk.remove_upload(name), disk.remove_made(name, 1), disk.remove_job(name)):
        with pytest.raises(ValueError, match="not a name of a stored file"):
            await removing


async def test_only_what_is_old_and_temporary_is_swept(disk):
    kept = await upload(disk, "kept")
    age(disk.objects.path(upload_name(kept)))
    old, young = await begun(disk, "old"), await begun(disk, "young")
    (old_temporary,) = disk.uploads.glob("old*")
    age(old_temporary)
    old_scratch, young_scratch = make(disk), disk.scratch(LEASE._replace(job_id="job-3"))
    age(old_scratch)
    assert disk.sweep_temporary() == 2
    assert (old_temporary.exists(), old_scratch.exists()) == (False, False)
    assert await disk.has_upload(kept)
    assert young_scratch.is_dir()
    await young.write(b"still received")
    assert await young.commit() == "young.gb"
    await old.discard()


async def test_all_that_is_temporary_is_swept_on_demand_whatever_the_clock_says(disk):
    kept = await upload(disk, "kept")
    new = await begun(disk, "new")
    (from_the_future,) = disk.uploads.glob("new*")
    age(from_the_future, -3_700)
    made = make(disk)
    other = LEASE._replace(job_id="other")
    await disk.publish(other, make(disk, other))
    assert disk.sweep_temporary(with_new=True) == 3
    assert [file.name for file in disk.uploads.iterdir()] == [kept]
    assert not made.exists()
    assert len(await stored(disk)) == 1 + len(MADE)
    await new.discard()


async def test_a_nameless_file_is_seen_by_nobody(disk):
    with disk.nameless_file() as file:
        file.write(b"x")
        assert disk.sweep_temporary(with_new=True) == 0
        file.seek(0)
        assert file.read() == b"x"
        assert await stored(disk) == set()
