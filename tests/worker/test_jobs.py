"""Jobs from the queue to their files, with real genomes."""

from __future__ import annotations

import gzip
import json

import pytest

from genint.model import JobStatus
from genint.storage.files import genes_name, report_name, result_name
from genint.version import __version__
from genint.worker.rendering import open_renderer
from tests.worker.job_desk import files_of, until


async def test_a_job_completes_and_its_files_are_whole(desk, supervising, examples):
    job_id = await desk.submit(examples / "lambda.fasta")
    async with supervising():
        job = await desk.completed(job_id)
    files = desk.storage.files
    result = json.loads(gzip.decompress(files.objects.path(result_name(job_id, 1)).read_bytes()))
    genes = json.loads(files.objects.path(genes_name(job_id, 1)).read_bytes())
    assert files.objects.path(report_name(job_id, 1)).read_text().rstrip().endswith("</html>")
    assert result["genes"] == genes
    assert result["input"]["filename"] == "lambda.fasta"
    assert job.counts.total_genes == len(genes) > 60
    assert (job.attempt, job.report_attempt, job.report_version) == (1, 1, __version__)
    assert (job.progress, job.strikes, job.restarts) == (1, 0, 0)
    assert desk.published(job_id) == files_of(1)
    assert desk.leftovers() == []


async def test_dark_genes_of_a_job_are_listed(desk, supervising, examples):
    job_id = await desk.submit(examples / "lambda.fasta")
    async with supervising():
        job = await desk.completed(job_id)
    page = await desk.jobs.dark_genes(job.user_id)
    genes = json.loads(desk.storage.files.objects.path(genes_name(job_id, 1)).read_bytes())
    assert [gene.id for gene in page.genes] == [gene["id"] for gene in genes if gene["is_dark"]]
    assert page.total == job.counts.dark


async def test_a_broken_file_fails_with_its_name_and_line_and_harms_nobody(
    desk, supervising, examples
):
    broken = await desk.submit(b">one\nACGT\nAC!T\n", name="broken.fasta")
    sound = await desk.submit(examples / "phiX174.gbk")
    async with supervising():
        failed = await desk.reach(broken, JobStatus.FAILED)
        await desk.completed(sound)
    assert failed.error_message is not None
    assert failed.error_message.startswith("broken.fasta, line 3: ")
    assert (failed.attempt, failed.strikes) == (1, 0)
    assert desk.published(broken) == []
    assert desk.leftovers() == []


async def test_a_job_above_its_time_limit_fails_and_says_so(desk, supervising, bacterium):
    job_id = await desk.submit(bacterium)
    async with supervising(time_limit_s=1.0):
        failed = await desk.reach(job_id, JobStatus.FAILED, within_s=20)
    assert failed.error_message == "the interpretation took longer than 1 seconds"
    assert failed.attempt == 1
    assert desk.leftovers() == []


async def test_an_upload_that_is_gone_fails_the_job_with_a_plain_word(desk, supervising, examples):
    job_id = await desk.submit(examples / "phiX174.gbk")
    await desk.storage.files.remove_upload((await desk.job(job_id)).upload)
    async with supervising():
        failed = await desk.reach(job_id, JobStatus.FAILED)
    assert "no longer exists" in (failed.error_message or "")


async def test_progress_moves_forward_while_a_job_runs(desk, supervising, region, nothing_found):
    job_id = await desk.submit(region)
    seen = []

    async def look() -> bool:
        job = await desk.job(job_id)
        seen.append(job.progress)
        return job.status is JobStatus.COMPLETED

    async with supervising(folders=nothing_found):
        await until(look)
    assert seen == sorted(seen)
    assert len(set(seen)) > 4
    assert seen[-1] == 1


async def test_a_rerun_keeps_the_old_report_until_the_new_one_is_committed(
    desk, supervising, examples
):
    job_id = await desk.submit(examples / "lambda.fasta")
    seen = []

    async def look() -> bool:
        before = await desk.job(job_id)
        there = set(files_of(before.report_attempt)) <= set(desk.published(job_id))
        job = await desk.job(job_id)
        if job.report_attempt == before.report_attempt:
            seen.append((job.status, job.report_attempt, there))
        return job.report_attempt == 2 and desk.published(job_id) == files_of(2)

    async with supervising():
        await desk.completed(job_id)
        assert await desk.jobs.rerun(job_id) is not None
        await until(look)
    assert all(there for _, _, there in seen)
    assert (JobStatus.RUNNING, 1, True) in seen
    assert seen[-1] == (JobStatus.COMPLETED, 2, True)


async def test_a_failed_rerun_keeps_the_old_report(desk, supervising, examples):
    job_id = await desk.submit(examples / "phiX174.gbk")
    async with supervising():
        done = await desk.completed(job_id)
        await desk.storage.files.remove_upload(done.upload)
        assert await desk.jobs.rerun(job_id) is not None
        failed = await desk.reach(job_id, JobStatus.FAILED)
    assert (failed.attempt, failed.report_attempt) == (2, 1)
    assert desk.published(job_id) == files_of(1)


async def test_a_report_is_rendered_again_from_the_stored_result(desk, supervising, examples):
    job_id = await desk.submit(examples / "phiX174.gbk")
    async with supervising():
        job = await desk.completed(job_id)
    path = desk.storage.files.objects.path(report_name(job_id, 1))
    before = path.read_bytes()
    path.write_bytes(b"an old report")
    await desk.jobs.set_report_version(job_id, 1, "0.0.1")
    async with open_renderer(desk.storage) as renderer:
        await renderer.render_again(job)
    assert path.read_bytes() == before
    assert (await desk.job(job_id)).report_version == __version__
    assert desk.leftovers() == []


async def test_nobody_starves_behind_a_user_with_many_jobs(desk, supervising, examples):
    many = [await desk.submit(examples / "phiX174.gbk", by="ann") for _ in range(6)]
    one = await desk.submit(examples / "phiX174.gbk", by="bob")
    async with supervising():
        last = await desk.completed(one)
        for job_id in many:
            await desk.completed(job_id)
    assert last.started_at is not None
    earlier = [await desk.job(job_id) for job_id in many]
    assert sum(job.started_at < last.started_at for job in earlier if job.started_at) <= 2


@pytest.mark.parametrize("ends_well", [True, False])
async def test_files_of_an_attempt_that_crashed_before_its_commit_go_with_the_next(
    desk, supervising, examples, ends_well
):
    job_id = await desk.submit(examples / "phiX174.gbk")
    crashed = await desk.jobs.claim("a supervisor that is gone")
    files = desk.storage.files
    made = files.scratch(crashed.lease)
    for name in ("report.html", "result.json.gz", "genes.json"):
        (made / name).write_bytes(b"never committed")
    await files.publish(crashed.lease, made)
    assert desk.published(job_id) == files_of(1)
    if not ends_well:
        await files.remove_upload(crashed.upload)
    async with supervising():
        await desk.reach(job_id, JobStatus.COMPLETED if ends_well else JobStatus.FAILED)
        await until(_lies(desk, job_id, files_of(2) if ends_well else []))


def _lies(desk, job_id, names):
    async def lies() -> bool:
        return desk.published(job_id) == names

    return lies
