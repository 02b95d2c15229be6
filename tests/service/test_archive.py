"""Result files of several jobs in one archive."""

from __future__ import annotations

import io
import zipfile

import pytest

pytestmark = pytest.mark.finished_job("tiny.fasta")
ZIP = "/api/v1/results.zip"


async def unpacked(answer) -> dict[str, bytes]:
    assert answer.status == 200, await answer.text()
    with zipfile.ZipFile(io.BytesIO(await answer.read())) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


async def test_an_archive_holds_the_files_that_are_asked_for_as_they_are_one_by_one(ada, finished):
    job_id = finished["job_id"]
    asked = {"jobs": job_id, "formats": "gff3,tsv"}
    files = await unpacked(await ada.get(ZIP, params=asked))
    folder = f"tiny_{job_id[:8]}"
    assert list(files) == [f"{folder}/tiny_report.gff3", f"{folder}/tiny_report.tsv"]
    for (_, content), name in zip(files.items(), ("gff3", "tsv"), strict=True):
        alone = await ada.get(f"/api/v1/jobs/{job_id}/result?format={name}")
        assert content == await alone.read()
    again = await unpacked(await ada.get(ZIP, params=asked))
    assert again == files


async def test_what_cannot_be_made_is_left_out_and_says_why(ada, finished):
    broken = b">a\nACGTACGTACGT\n>b\n" + b"ACGT" * 20_000 + b"\nACGT!!!\n"
    failed = await ada.submitted(broken, "broken.fasta")
    assert (await ada.ended(failed))["status"] == "FAILED"
    asked = {"jobs": f"{finished['job_id']},{failed}", "formats": "tsv"}
    files = await unpacked(await ada.get(ZIP, params=asked))
    assert len(files) == 2
    left_out = files["left_out.txt"].decode()
    assert left_out.startswith(f"broken_{failed[:8]}/broken_report.tsv: The job has no result")


async def test_jobs_of_others_jobs_that_are_not_there_and_wrong_formats_are_refused(
    ada, bob, finished
):
    job_id = finished["job_id"]
    assert (await bob.get(ZIP, params={"jobs": job_id, "formats": "tsv"})).status == 403
    assert (await ada.get(ZIP, params={"jobs": "none", "formats": "tsv"})).status == 404
    for wrong in (
        {"formats": "tsv"},
        {"jobs": job_id, "formats": "exe"},
        {"jobs": "", "formats": "tsv"},
    ):
        assert (await ada.get(ZIP, params=wrong)).status == 422
    assert (await ada.client.get(ZIP, params={"jobs": job_id, "formats": "tsv"})).status == 401
