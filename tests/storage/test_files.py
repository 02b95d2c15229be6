"""Files on disk: whole or not there, for their owner's eyes, never outside their folder."""

from __future__ import annotations

import os
import stat
import time

import pytest

from genint.model import JobLease
from genint.storage import FileStore, UploadFile

LEASE = JobLease("job-1", 2, "worker")
MADE = {"report.html": b"<p>report", "result.json.gz": b"result", "genes.json": b"[]"}


@pytest.fixture
def files(tmp_path) -> FileStore:
    return FileStore(tmp_path / "data")


def make(files: FileStore, lease: JobLease = LEASE, **changed: bytes):
    """A scratch folder with what a worker makes."""
    folder = files.scratch(lease)
    for name, content in MADE.items():
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


def age(path, seconds: float = 3_700) -> None:
    then = time.time() - seconds
    os.utime(path, (then, then))


def test_folders_are_for_their_owner_alone(files, tmp_path):
    for folder in (tmp_path / "data").iterdir():
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert len(list((tmp_path / "data").iterdir())) == 3


async def test_an_upload_is_there_once_it_is_committed(files):
    name = await upload(files)
    assert name == "job-1.gb"
    assert files.has_upload(name)
    assert files.upload_path(name).read_bytes() == b"LOCUS"
    assert stat.S_IMODE(files.upload_path(name).stat().st_mode) == 0o600
    files.remove_upload(name)
    files.remove_upload(name)
    assert not files.has_upload(name)


def test_a_published_report_is_found_by_job_and_attempt(files):
    made = make(files)
    files.publish(LEASE, made)
    assert files.report_path("job-1", 2).read_bytes() == b"<p>report"
    assert files.result_path("job-1", 2).read_bytes() == b"result"
    assert files.genes_path("job-1", 2).read_bytes() == b"[]"
    assert files.report_path("job-1", 2).name == "job-1.2.html"
    assert stat.S_IMODE(files.report_path("job-1", 2).stat().st_mode) == 0o600
    assert list(made.iterdir()) == []


@pytest.mark.parametrize("missing", sorted(MADE))
def test_nothing_is_published_where_something_is_missing(files, missing):
    made = make(files)
    (made / missing).unlink()
    with pytest.raises(FileNotFoundError):
        files.publish(LEASE, made)
    assert list(files.reports.iterdir()) == []


def test_a_report_that_is_replaced_goes_on_being_read(files):
    files.publish(LEASE, make(files))
    with files.report_path("job-1", 2).open("rb") as reading:
        new = files.scratch(LEASE) / "new.html"
        new.write_bytes(b"<p>another")
        files.replace_report("job-1", 2, new)
        assert reading.read() == b"<p>report"
    assert files.report_path("job-1", 2).read_bytes() == b"<p>another"


def test_reports_of_other_attempts_are_removed(files):
    for attempt in (1, 2, 12):
        lease = LEASE._replace(attempt=attempt)
        files.publish(lease, make(files, lease))
    other = LEASE._replace(job_id="job-12")
    files.publish(other, make(files, other))
    files.remove_reports("job-1", keep_attempt=2)
    left = {file.name for file in files.reports.glob("*.html")}
    assert left == {"job-1.2.html", "job-12.2.html"}
    files.remove_reports("job-1", keep_attempt=None)
    assert {file.name for file in files.reports.glob("*.html")} == {"job-12.2.html"}


def test_the_next_attempt_at_a_job_removes_what_a_killed_one_left(files):
    killed, other = make(files), make(files, LEASE._replace(job_id="job-1-x"))
    files.scratch(LEASE._replace(attempt=LEASE.attempt + 1))
    assert (killed.exists(), other.exists()) == (False, True)


def test_a_scratch_folder_begins_empty(files):
    made = make(files)
    assert list(files.scratch(LEASE).iterdir()) == []
    files.remove_scratch(LEASE)
    files.remove_scratch(LEASE)
    assert not made.exists()


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../secret", "a/b", "/etc/passwd", "a\0b", ".hidden", "*", "[a]", "ä"]
)
def test_no_name_leads_out_of_its_folder(files, name):
    for use in (
        lambda: files.upload_path(name),
        lambda: files.remove_upload(name),
        lambda: files.report_path(name, 1),
        lambda: files.scratch(LEASE._replace(job_id=name)),
        lambda: files.remove_reports(name, keep_attempt=None),
        lambda: files.remove_job(name),
        lambda: files.new_upload(name, "/../x"),
    ):
        with pytest.raises(ValueError, match="not a name of a stored file"):
            use()


async def test_only_what_is_old_and_temporary_is_swept(files):
    kept = await upload(files, "kept")
    age(files.upload_path(kept))
    old, young = await begun(files, "old"), await begun(files, "young")
    (old_temporary,) = files.uploads.glob("old*")
    age(old_temporary)
    old_scratch, young_scratch = make(files), files.scratch(LEASE._replace(job_id="job-3"))
    age(old_scratch)
    assert files.sweep_temporary() == 2
    assert (old_temporary.exists(), old_scratch.exists()) == (False, False)
    assert files.has_upload(kept)
    assert young_scratch.is_dir()
    await young.write(b"still received")
    assert await young.commit() == "young.gb"
    await old.discard()


async def test_all_that_is_temporary_is_swept_on_demand_whatever_the_clock_says(files):
    kept = await upload(files, "kept")
    new = await begun(files, "new")
    (from_the_future,) = files.uploads.glob("new*")
    age(from_the_future, -3_700)
    made = make(files)
    files.publish(LEASE._replace(job_id="other"), make(files, LEASE._replace(job_id="other")))
    assert files.sweep_temporary(with_new=True) == 3
    assert [file.name for file in files.uploads.iterdir()] == [kept]
    assert not made.exists()
    assert len(list(files.reports.iterdir())) == len(MADE)
    await new.discard()


def test_a_nameless_file_is_seen_by_nobody(files):
    before = {file for folder in (files.uploads, files.reports) for file in folder.iterdir()}
    with files.nameless_file() as file:
        file.write(b"x")
        assert files.sweep_temporary(with_new=True) == 0
        file.seek(0)
        assert file.read() == b"x"
    after = {file for folder in (files.uploads, files.reports) for file in folder.iterdir()}
    assert after == before


async def test_ids_of_old_files_are_told(files):
    for job_id in ("old", "young"):
        await upload(files, job_id)
    age(files.upload_path("old.gb"))
    files.publish(LEASE, make(files))
    age(files.report_path("job-1", 2))
    assert files.stored_ids() == {"old", "job-1"}


async def test_all_that_belongs_to_a_job_is_removed(files):
    for job_id in ("job-1", "job-2"):
        await upload(files, job_id)
        files.publish(LEASE._replace(job_id=job_id), make(files))
    files.remove_job("job-1")
    left = {
        file.name.split(".")[0]
        for folder in (files.uploads, files.reports)
        for file in folder.iterdir()
    }
    assert left == {"job-2"}
