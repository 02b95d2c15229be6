"""The result of a job in every format, over HTTP."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
from email.message import Message
from pathlib import Path

import pytest

from genint.pipeline.library import render_report_bytes
from genint.report import FORMATS, parse_result
from genint.service.routes.jobs import disposition

GONE_S = 30


pytestmark = pytest.mark.finished_job("phiX174.gbk")


@pytest.fixture
def phix(finished) -> dict:
    """A job about phiX174 that is COMPLETED."""
    return finished


def address(job: dict, name: str = "json") -> str:
    return f"/api/v1/jobs/{job['job_id']}/result?format={name}"


def stored_file(settings, ending: str):
    (file,) = (settings.data_folder / "reports").glob(f"*{ending}")
    return file


@pytest.mark.parametrize("name", FORMATS)
async def test_a_result_comes_in_every_format_as_the_library_renders_it(
    ada, phix, name, service_settings, examples
):
    answer = await ada.get(address(phix, name))
    assert answer.status == 200
    stored = parse_result(gzip.decompress(stored_file(service_settings, ".json.gz").read_bytes()))
    original = examples / "phiX174.gbk" if FORMATS[name].needs_original else None
    assert await answer.read() == render_report_bytes(stored, name, original)
    assert answer.headers["Content-Type"] == FORMATS[name].media_type
    saved = f"phiX174_report.{FORMATS[name].extension}"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{saved}"'
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "private, no-cache"


async def test_pages_of_other_origins_may_read_the_name(ada, phix):
    exposed = (await ada.get(address(phix))).headers["Access-Control-Expose-Headers"]
    assert "Content-Disposition" in exposed.split(", ")


async def test_without_a_format_it_is_the_whole_result(ada, phix):
    answer = await ada.get(f"/api/v1/jobs/{phix['job_id']}/result")
    assert answer.content_type == "application/json"
    assert (await answer.json())["genes"] == phix["genes"]


@pytest.mark.parametrize("name", ["json", "tsv", "html"])
async def test_a_file_that_the_client_has_is_not_sent_again(ada, phix, name):
    first = await ada.get(address(phix, name))
    headers = ada.headers | {"If-None-Match": first.headers["ETag"]}
    again = await ada.client.get(address(phix, name), headers=headers)
    assert (again.status, await again.read()) == (304, b"")


async def test_formats_have_tags_of_their_own(ada, phix):
    tags = {(await ada.get(address(phix, name))).headers["ETag"] for name in FORMATS}
    assert len(tags) == len(FORMATS)


@pytest.mark.parametrize("name", ["docx", "", "JSON", "../json", "md%00"])
async def test_an_unknown_format_is_refused_in_the_list_form(ada, phix, name):
    answer = await ada.get(address(phix, name))
    assert answer.status == 422
    (fault,) = (await answer.json())["detail"]
    assert fault["loc"] == ["query", "format"]
    assert "json" in fault["msg"]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/api/v1/jobs/{id}/result?format=gff3&format=tsv", "format"),
        ("/api/v1/jobs/{id}/result?format=tsv&format=tsv", "format"),
        ("/api/v1/jobs?limit=1&limit=2", "limit"),
    ],
)
async def test_a_parameter_that_is_given_twice_is_refused(ada, phix, path, name):
    answer = await ada.get(path.format(id=phix["job_id"]))
    assert answer.status == 422
    (fault,) = (await answer.json())["detail"]
    assert fault == {"loc": ["query", name], "msg": "is given more than once", "type": "repeated"}


async def test_before_there_is_a_result_it_is_a_conflict(ada, examples):
    lambda_phage = (examples / "lambda.fasta").read_bytes()
    running = await ada.submitted(lambda_phage, "lambda.fasta")
    waiting = await ada.submitted(lambda_phage, "lambda.fasta")
    answer = await ada.get(address({"job_id": waiting}))
    assert answer.status == 409
    assert await answer.json() == {"detail": "The job has no result yet"}
    for job_id in (waiting, running):
        await ada.post(f"/api/v1/jobs/{job_id}/cancel")
    answer = await ada.get(address({"job_id": waiting}))
    assert (answer.status, await answer.json()) == (409, {"detail": "The job has no result"})


async def test_during_a_rerun_the_last_result_stays(ada, phix):
    before = await (await ada.get(address(phix, "tsv"))).read()
    await ada.post(f"/api/v1/jobs/{phix['job_id']}/rerun")
    while True:
        job = await ada.job(phix["job_id"])
        answer = await ada.get(address(phix, "tsv"))
        assert (answer.status, await answer.read()) == (200, before)
        if job["status"] == "COMPLETED":
            break


async def test_genbank_needs_the_upload_and_says_so(ada, phix, service_settings):
    for upload in (service_settings.data_folder / "uploads").iterdir():
        upload.unlink()
    answer = await ada.get(address(phix, "gbk"))
    assert answer.status == 409
    assert "upload" in (await answer.json())["detail"]
    assert (await ada.get(address(phix, "gff3"))).status == 200


async def test_genbank_is_not_written_into_another_upload(ada, phix, service_settings):
    (upload,) = (service_settings.data_folder / "uploads").iterdir()
    upload.write_bytes(upload.read_bytes().replace(b"phiX174", b"phiX175"))
    answer = await ada.get(address(phix, "gbk"))
    assert answer.status == 409
    expected = "the upload is no longer the file of this result; run the job again"
    assert await answer.json() == {"detail": expected}


async def test_dark_proteins_of_an_older_result_ask_for_a_rerun(ada, phix, service_settings):
    file = stored_file(service_settings, ".json.gz")
    content = json.loads(gzip.decompress(file.read_bytes()))
    for gene in content["genes"]:
        del gene["translation"]
    content["schema_version"] = "1.0"
    file.write_bytes(gzip.compress(json.dumps(content).encode()))
    answer = await ada.get(address(phix, "dark-fasta"))
    assert answer.status == 409
    assert "again" in (await answer.json())["detail"]
    for name in ("json", "md", "html", "tsv", "gff3", "gbk"):
        assert (await ada.get(address(phix, name))).status == 200, name


@pytest.mark.parametrize("name", ["json", "tsv"])
@pytest.mark.parametrize("content", [b"damaged", gzip.compress(b"{}" * 1000, mtime=0)[:-20], b""])
async def test_a_damaged_result_asks_for_a_rerun(ada, phix, service_settings, name, content):
    stored_file(service_settings, ".json.gz").write_bytes(content)
    answer = await ada.get(address(phix, name))
    assert answer.status == 409
    assert "run the job again" in (await answer.json())["detail"]


@pytest.mark.parametrize("name", ["json", "tsv"])
async def test_a_result_whose_file_is_gone_is_404(ada, phix, service_settings, name):
    stored_file(service_settings, ".json.gz").unlink()
    assert (await ada.get(address(phix, name))).status == 404


async def test_nothing_is_left_behind(ada, phix, service_settings):
    before = {file.name for file in (service_settings.data_folder / "reports").iterdir()}
    for name in FORMATS:
        await ada.get(address(phix, name))
    assert {file.name for file in (service_settings.data_folder / "reports").iterdir()} == before
    assert not list((service_settings.data_folder / "scratch").iterdir())


async def test_many_who_ask_at_once_all_get_it(ada, phix):
    answers = await asyncio.gather(*(ada.get(address(phix, "gff3")) for _ in range(20)))
    assert {answer.status for answer in answers} == {200}
    assert len({await answer.read() for answer in answers}) == 1


@pytest.fixture
def many_genes(ada, phix, service_settings) -> tuple:
    """A job whose stored result has 40,000 genes, so that rendering takes some time."""
    file = stored_file(service_settings, ".json.gz")
    content = json.loads(gzip.decompress(file.read_bytes()))
    assert content["genes"]
    gene = content["genes"][0]
    gene |= {"novelty": None}
    content["genes"] = [gene | {"id": f"gene{number}"} for number in range(40_000)]
    level = "dark" if gene["is_dark"] else gene["confidence"].lower()
    counts = {"total_genes": 40_000, level: 40_000}
    counts |= {"interpreted_genes": 0 if gene["is_dark"] else 40_000}
    content["summary"] = dict.fromkeys(content["summary"], 0) | counts
    file.write_bytes(gzip.compress(json.dumps(content).encode(), 1))
    return ada, phix


async def test_a_large_result_is_sent_as_it_is_stored(many_genes, service_settings):
    ada, job = many_genes
    answer = await ada.get(address(job))
    content = await answer.read()
    stored = gzip.decompress(stored_file(service_settings, ".json.gz").read_bytes())
    assert len(content) > 8 << 20
    assert content == stored
    assert int(answer.headers["Content-Length"]) == len(stored)


async def test_rendering_ends_when_the_client_leaves(many_genes, service_settings):
    ada, job = many_genes
    scratch = service_settings.data_folder / "scratch"
    before = children()
    asking = asyncio.create_task(ada.get(address(job, "md")))
    async with asyncio.timeout(GONE_S):
        while not (rendering := children() - before):
            await asyncio.sleep(0.01)
        asking.cancel()
        while list(scratch.iterdir()):
            await asyncio.sleep(0.01)
        # It is killed: a process that had finished would stay and wait for the next rendering.
        while rendering & children():
            await asyncio.sleep(0.01)


def children() -> set[str]:
    """Processes that this one has."""
    tasks = Path(f"/proc/{os.getpid()}/task").iterdir()
    return {child for task in tasks for child in (task / "children").read_text().split()}


@pytest.mark.parametrize(
    ("filename", "saved"),
    [
        ("lambda.fasta.gz", "lambda_report.gff3"),
        ('a"b;c=d\\e.gb', "a_b_c_d_e_report.gff3"),
        ("x\r\nSet-Cookie: a=b.gb", "x__Set-Cookie_ a_b_report.gff3"),
        ("\u202egbk.exe", "_gbk_report.gff3"),
        ("naïve Σ.gb", "naïve Σ_report.gff3"),
        ("...", "genome_report.gff3"),
        ("~$x%41.gb", "__x_41_report.gff3"),
        ("x" * 300 + ".gb", "x" * 100 + "_report.gff3"),
    ],
)
def test_a_file_is_saved_under_a_harmless_name(filename, saved):
    header = disposition(filename, "gff3")
    assert header.isascii()
    assert header.isprintable()
    read = Message()
    read["Content-Disposition"] = header
    assert read.get_content_disposition() == "attachment"
    assert read.get_filename() == saved
