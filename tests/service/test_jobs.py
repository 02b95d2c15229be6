from __future__ import annotations

import asyncio
import gzip
import json
from pathlib import Path
from uuid import UUID

import pytest

from genint.report import GeneItem

from .conftest import FASTA, TINY, Person, form, person

LIST_FIELDS = {
    "job_id",
    "filename",
    "status",
    "report_url",
    "total_genes",
    "high_confidence_count",
    "dark_count",
    "processing_time_seconds",
    "created_at",
}
"""What the contract says of an entry of the list."""
DETAIL_FIELDS = LIST_FIELDS | {
    "phage_mode",
    "error_message",
    "interpreted_genes",
    "supported_genes",
    "file_only_genes",
    "genes",
    "progress",
    "started_at",
    "finished_at",
    "attempt",
    "mode",
    "locus_tag_prefix",
    "run_date",
}


def ecoli(shared_data: Path) -> bytes:
    """A genome that takes a while."""
    return (shared_data / "genomes" / "E_coli_K12_MG1655_NC_000913.gbk.gz").read_bytes()


@pytest.fixture
async def ada_anywhere(open_service, any_settings) -> Person:
    """A user of the service on each database."""
    return await person(await open_service(any_settings))


async def test_a_genome_goes_in_and_its_genes_come_out(ada_anywhere, examples):
    ada = ada_anywhere
    answer = await ada.submit((examples / "phiX174.gbk").read_bytes(), "phiX174.gbk")
    assert answer.status == 200
    told = await answer.json()
    job_id = told["job_id"]
    assert str(UUID(job_id, version=4)) == job_id
    assert told["status"] == "PENDING"
    assert (told["filename"], told["phage_mode"]) == ("phiX174.gbk", False)
    job = await ada.ended(job_id)
    assert job["error_message"] is None
    assert job["status"] == "COMPLETED"
    assert set(job) >= DETAIL_FIELDS
    assert job["progress"] == 1
    assert job["total_genes"] == len(job["genes"]) == 11
    dark = [gene for gene in job["genes"] if gene["is_dark"]]
    assert job["dark_count"] == len(dark) == job["total_genes"] - job["interpreted_genes"]
    bases = [gene["basis"] for gene in job["genes"]]
    assert job["supported_genes"] == bases.count("evidence") > 0
    assert job["file_only_genes"] == bases.count("file") > 0
    assert job["high_confidence_count"] == sum(g["confidence"] == "HIGH" for g in job["genes"])
    for gene in job["genes"]:
        GeneItem.model_validate_json(json.dumps(gene))
    (entry,) = (await (await ada.get("/api/v1/jobs")).json())["jobs"]
    assert set(entry) >= LIST_FIELDS
    shown = LIST_FIELDS | {"interpreted_genes", "supported_genes", "file_only_genes"}
    assert {name: entry[name] for name in shown} == {name: job[name] for name in shown}
    listed = await (await ada.get("/api/v1/dark-genes")).json()
    assert listed["total"] == len(dark)
    assert [entry["id"] for entry in listed["genes"]] == [gene["id"] for gene in dark]
    for entry in listed["genes"]:
        assert set(entry) == {"id", "name", "locus", "organism", "job_id", "rank", "priority"}
        assert (entry["organism"], entry["job_id"]) == ("phiX174.gbk", job_id)
    ranked = {gene["id"]: (gene["novelty"]["rank"], gene["novelty"]["priority"]) for gene in dark}
    assert {gene["id"]: (gene["rank"], gene["priority"]) for gene in listed["genes"]} == ranked
    page = await ada.client.get(job["report_url"])
    assert page.status == 200
    text = await page.text()
    assert all(gene["id"] in text for gene in job["genes"])


async def test_phage_mode_reaches_the_interpretation(ada, examples):
    fasta = b">phiX\n" + _sequence((examples / "phiX174.gbk").read_text()) + b"\n"
    plain = await ada.submitted(fasta, "phix.fasta")
    nested = await ada.submitted(fasta, "phix.fasta", phage_mode="true")
    assert (await ada.ended(plain))["phage_mode"] is False
    found = await ada.ended(nested)
    assert found["phage_mode"] is True
    assert found["total_genes"] > (await ada.job(plain))["total_genes"]


async def test_locus_tags_date_and_ignored_annotations_are_those_of_the_form(ada, examples):
    fasta = b">phiX\n" + _sequence((examples / "phiX174.gbk").read_text()) + b"\n"
    given = {"locus_tag_prefix": "PHX", "date": "2026-11-25"}
    job = await ada.ended(await ada.submitted(fasta, "phix.fasta", **given))
    assert job["ignore_annotations"] is False
    assert (job["locus_tag_prefix"], job["run_date"]) == ("PHX", "2026-11-25")
    assert all(gene["id"].startswith("PHX_") for gene in job["genes"])
    answer = await ada.get(f"/api/v1/jobs/{job['job_id']}/result?format=gbk")
    assert b"25-NOV-2026" in (await answer.read()).splitlines()[0]
    given = {"locus_tag_prefix": "", "date": "", "ignore_annotations": "true"}
    genbank = (examples / "phiX174.gbk").read_bytes()
    afresh = await ada.ended(await ada.submitted(genbank, "phix.gbk", **given))
    assert (afresh["locus_tag_prefix"], afresh["run_date"]) == (None, None)
    assert afresh["ignore_annotations"] is True
    assert all(gene["id"].startswith("NC_001422_") for gene in afresh["genes"])


async def test_own_proteins_are_compared_with_and_go_with_their_job(
    ada, examples, service_settings
):
    genome = (examples / "phiX174.gbk").read_bytes()
    mine = b">s1 spidroin\n" + b"GPGGAGQQGPGSQ" * 8 + b"\n"

    def with_proteins(content):
        data = form(genome, "phix.gbk")
        data.add_field("proteins", content, filename="mine.faa")
        return data

    refused = await ada.post("/api/v1/jobs", data=with_proteins(b">n\n" + b"ACGT" * 30))
    assert refused.status == 422
    (fault,) = (await refused.json())["detail"]
    assert fault["loc"] == ["body", "proteins"]
    assert "nucleotides" in fault["msg"]
    uploads = service_settings.data_folder / "uploads"
    assert list(uploads.iterdir()) == []
    told = await (await ada.post("/api/v1/jobs", data=with_proteins(mine))).json()
    assert told["proteins"] == "mine.faa"
    job_id = told["job_id"]
    assert (await ada.ended(job_id))["status"] == "COMPLETED"
    assert (uploads / f"{job_id}.proteins").read_bytes() == mine
    result = await ada.get(f"/api/v1/jobs/{job_id}/result?format=json")
    assert "mine.faa" in json.dumps((await result.json())["databases"])
    (uploads / f"{job_id}.proteins").unlink()
    await ada.post(f"/api/v1/jobs/{job_id}/rerun")
    assert "no longer exists" in (await ada.ended(job_id))["error_message"]
    await ada.delete(f"/api/v1/jobs/{job_id}")
    assert list(uploads.iterdir()) == []


def _sequence(genbank: str) -> bytes:
    origin = genbank.partition("ORIGIN")[2].partition("//")[0]
    return "".join(filter(str.isalpha, origin)).encode()


@pytest.mark.parametrize(
    ("content", "filename"),
    [
        (gzip.compress(FASTA, mtime=0), "tiny.fna.gz"),
        (FASTA.replace(b"\n", b"\r\n"), "TINY.FASTA"),
        (b"\xef\xbb\xbf" + FASTA, "tiny.fa"),
    ],
)
async def test_every_spelling_of_a_genome_is_accepted(ada, content, filename):
    job = await ada.ended(await ada.submitted(content, filename))
    assert (job["status"], job["filename"]) == ("COMPLETED", filename)


async def test_a_deeper_fault_fails_the_job_with_its_line(ada, examples):
    whole = (examples / "phiX174.gbk").read_bytes()
    content = whole.replace(b"ORIGIN", b"ORIGIN \n        1 !!!!!!!!!!", 1)
    job = await ada.ended(await ada.submitted(content, "broken.gbk"))
    assert job["status"] == "FAILED"
    assert "broken.gbk, line" in job["error_message"]
    assert job["genes"] == []
    assert (await ada.client.get(job["report_url"])).status == 404


@pytest.mark.parametrize(
    ("content", "filename", "fields", "status", "location"),
    [
        (FASTA, "genome.txt", {}, 415, None),
        (FASTA, "genome", {}, 415, None),
        (b"", "empty.gb", {}, 422, ["body", "file"]),
        (b" \n" * 100, "blank.fasta", {}, 422, ["body", "file"]),
        (b"<html>", "page.gb", {}, 422, ["body", "file"]),
        (b"\x7fELF\0\0", "program.gb", {}, 422, ["body", "file"]),
        (b">p\nMKLVINWQEF\n", "protein.fasta", {}, 422, ["body", "file"]),
        (FASTA, "a.fa", {"phage_mode": "perhaps"}, 422, ["body", "phage_mode"]),
        (FASTA, "a.fa", {"mode": "fast"}, 422, ["body", "mode"]),
        (FASTA, "a.fa", {"locus_tag_prefix": "1A"}, 422, ["body", "locus_tag_prefix"]),
        (FASTA, "a.fa", {"locus_tag_prefix": "A_B"}, 422, ["body", "locus_tag_prefix"]),
        (FASTA, "a.fa", {"date": "25.11.2026"}, 422, ["body", "date"]),
        (FASTA, "a.fa", {"date": "2026-02-30"}, 422, ["body", "date"]),
        (FASTA, "a.fa", {"date": "1800-01-01"}, 422, ["body", "date"]),
    ],
)
async def test_what_cannot_be_interpreted_is_refused_at_once(
    ada, content, filename, fields, status, location
):
    answer = await ada.submit(content, filename, **fields)
    assert answer.status == status
    detail = (await answer.json())["detail"]
    if location:
        assert detail[0]["loc"] == location
    else:
        assert isinstance(detail, str)
    assert (await (await ada.get("/api/v1/jobs")).json())["jobs"] == []


async def test_a_form_without_a_file_says_that_it_is_missing(ada):
    for data in ({"phage_mode": "true"}, b"{}", None):
        answer = await ada.post("/api/v1/jobs", data=data)
        assert answer.status == 422
        (fault,) = (await answer.json())["detail"]
        assert (fault["loc"], fault["type"]) == (["body", "file"], "missing")


async def test_nothing_is_left_of_a_refused_upload(ada, service_settings):
    await ada.submit(b"<html>" * 1000, "page.gb")
    await ada.submit(FASTA, "a.fa", mode="fast")
    assert list((service_settings.data_folder / "uploads").iterdir()) == []


async def test_a_repeated_request_with_its_key_is_one_job(ada):
    answers = await asyncio.gather(
        *(ada.submit(FASTA, idempotency_key="the-same") for _ in range(8))
    )
    assert {answer.status for answer in answers} == {200}
    assert len({(await answer.json())["job_id"] for answer in answers}) == 1
    other = await ada.submit(FASTA, "other.fasta", idempotency_key="the-same")
    assert other.status == 422
    assert (await other.json())["detail"][0]["loc"] == ["header", "Idempotency-Key"]


async def test_two_users_may_choose_the_same_idempotency_key(ada, bob):
    first = await (await ada.submit(FASTA, idempotency_key="k")).json()
    second = await (await bob.submit(FASTA, idempotency_key="k")).json()
    assert first["job_id"] != second["job_id"]


@pytest.mark.finished_job(TINY)
async def test_a_finished_job_cannot_be_cancelled(ada, finished):
    answer = await ada.post(f"/api/v1/jobs/{finished['job_id']}/cancel")
    assert answer.status == 409
    assert set(await answer.json()) == {"detail"}


async def test_a_waiting_job_is_cancelled_at_once_and_never_runs(
    open_service, service_settings, shared_data
):
    ada = await person(await open_service(service_settings))
    running = await ada.submitted(ecoli(shared_data), "coli.gbk.gz")
    await ada.until(running, "RUNNING")
    waiting = await ada.submitted()
    answer = await ada.post(f"/api/v1/jobs/{waiting}/cancel")
    assert (answer.status, (await answer.json())["status"]) == (200, "CANCELLED")
    assert (await ada.post(f"/api/v1/jobs/{waiting}/cancel")).status == 409
    answer = await ada.post(f"/api/v1/jobs/{running}/cancel")
    assert (answer.status, (await answer.json())["status"]) == (200, "CANCELLED")
    after = await ada.ended(await ada.submitted())
    assert after["status"] == "COMPLETED"
    for job_id in (waiting, running):
        job = await ada.job(job_id)
        assert job["status"] == "CANCELLED"
        assert job["genes"] == []
    assert (await ada.job(waiting))["attempt"] == 0


async def test_a_rerun_gives_a_new_result_under_the_same_id(ada_anywhere):
    ada = ada_anywhere
    job_id = await ada.submitted()
    first = await ada.ended(job_id)
    answer = await ada.post(f"/api/v1/jobs/{job_id}/rerun")
    assert answer.status == 200
    told = await answer.json()
    assert (told["job_id"], told["status"]) == (job_id, "PENDING")
    again = await ada.ended(job_id)
    assert again["status"] == "COMPLETED"
    assert again["attempt"] == first["attempt"] + 1
    assert again["created_at"] == first["created_at"]
    assert again["genes"] == first["genes"]


@pytest.mark.finished_job(TINY)
async def test_of_many_reruns_at_once_one_is_taken(ada, finished):
    job_id = finished["job_id"]
    answers = await asyncio.gather(*(ada.post(f"/api/v1/jobs/{job_id}/rerun") for _ in range(10)))
    statuses = sorted(answer.status for answer in answers)
    assert statuses[0] == 200
    assert set(statuses) <= {200, 409}
    job = await ada.ended(job_id)
    assert job["attempt"] == 1 + statuses.count(200)


@pytest.mark.finished_job(TINY)
async def test_a_rerun_without_its_upload_is_409(ada, finished, service_settings):
    job_id = finished["job_id"]
    (upload,) = (service_settings.data_folder / "uploads").iterdir()
    upload.unlink()
    answer = await ada.post(f"/api/v1/jobs/{job_id}/rerun")
    assert answer.status == 409
    assert (await ada.job(job_id))["status"] == "COMPLETED"


async def test_lists_come_in_pages_newest_first(ada_anywhere):
    ada = ada_anywhere
    made = [await ada.submitted(filename=f"{number}.fa") for number in range(5)]
    whole = await (await ada.get("/api/v1/jobs")).json()
    assert [job["job_id"] for job in whole["jobs"]] == made[::-1]
    assert (whole["total"], whole["next_cursor"]) == (5, None)
    seen, cursor = [], None
    while True:
        query = {"limit": "2"} | ({"cursor": cursor} if cursor else {})
        page = await (await ada.get("/api/v1/jobs", params=query)).json()
        seen += [job["job_id"] for job in page["jobs"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == made[::-1]


@pytest.mark.finished_job(TINY)
async def test_lists_can_be_narrowed_to_a_state(ada, finished):
    job_id = finished["job_id"]
    completed = await (await ada.get("/api/v1/jobs?status=COMPLETED")).json()
    assert [job["job_id"] for job in completed["jobs"]] == [job_id]
    assert (await (await ada.get("/api/v1/jobs?status=FAILED")).json())["jobs"] == []


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=501", "limit=x", "status=DONE", "cursor=x", "cursor=%00", "limit="]
)
async def test_a_wrong_query_is_422(ada, query):
    answer = await ada.get(f"/api/v1/jobs?{query}")
    assert answer.status == 422
    assert (await answer.json())["detail"][0]["loc"] == ["query", query.split("=")[0]]


@pytest.mark.parametrize(
    "job_id", [str(UUID(int=0)), "x", "%00", "{}", "' OR 1=1 --", "..%2f..%2fetc", "é", "a" * 3000]
)
@pytest.mark.parametrize("action", ["", "/cancel", "/rerun"])
async def test_an_unknown_job_is_404(ada, job_id, action):
    path = f"/api/v1/jobs/{job_id}{action}"
    answer = await (ada.post(path) if action else ada.get(path))
    assert answer.status == 404
    assert set(await answer.json()) == {"detail"}


async def test_another_spelling_of_an_id_is_another_id(ada):
    job_id = await ada.submitted()
    for other in (job_id.upper(), job_id.replace("-", ""), f"{{{job_id}}}"):
        if other != job_id:
            assert (await ada.get(f"/api/v1/jobs/{other}")).status == 404


async def test_names_of_uploads_are_for_display_only(ada, service_settings):
    names = ["../../etc/x.gb", "C:\\genomes\\x.fa", "a\u202eb.fasta", "é" * 400 + ".fa"]
    for name in names:
        job = await ada.job(await ada.submitted(filename=name))
        assert not set(job["filename"]) & set("/\\\u202e")
        assert len(job["filename"]) <= 255
    for file in (service_settings.data_folder / "uploads").iterdir():
        UUID(file.name.split(".")[0])


async def test_a_user_who_fills_the_queue_is_told_so(open_service, service_settings, shared_data):
    settings = service_settings.model_copy(update={"max_pending_per_user": 3})
    client = await open_service(settings)
    ada, bob = await person(client), await person(client)
    running = await ada.submitted(ecoli(shared_data), "coli.gbk.gz")
    await ada.until(running, "RUNNING")
    answers = await asyncio.gather(*(ada.submit() for _ in range(8)))
    assert sorted(answer.status for answer in answers) == [200] * 3 + [429] * 5
    assert all("Retry-After" in answer.headers for answer in answers if answer.status == 429)
    assert (await bob.submit()).status == 200
    assert len(list((settings.data_folder / "uploads").iterdir())) == 5
    # A full queue is answered before the upload is read: nothing is wrong with this one.
    assert (await ada.submit(b"", "empty.fa")).status == 429
    assert (await ada.delete(f"/api/v1/jobs/{running}")).status == 204
    assert (await ada.get(f"/api/v1/jobs/{running}")).status == 404
    (*_, last) = (await (await ada.get("/api/v1/jobs")).json())["jobs"]
    assert (await ada.ended(last["job_id"]))["status"] == "COMPLETED"  # its process is free


@pytest.mark.finished_job(TINY)
@pytest.mark.parametrize(
    ("limit", "status"), [("max_pending_per_user", 429), ("max_stored_bytes_per_user", 413)]
)
async def test_running_a_job_again_is_subject_to_the_limits_of_its_user(
    open_service, service_settings, ended_job, limit, status
):
    settings = service_settings.model_copy(update={limit: 0})
    ada = ended_job.ada(await open_service(settings))
    answer = await ada.post(f"/api/v1/jobs/{ended_job.job_id}/rerun")
    assert answer.status == status
    assert ("Retry-After" in answer.headers) == (status == 429)
    assert (await ada.job(ended_job.job_id))["status"] == "COMPLETED"


async def test_a_deleted_job_is_gone_with_its_files(ada_anywhere, any_settings):
    ada = ada_anywhere
    job_id, other = await ada.submitted(), await ada.submitted()
    for one in (job_id, other):
        assert (await ada.ended(one))["status"] == "COMPLETED"
    assert (await ada.get(f"/reports/{job_id}.html")).status == 200
    assert (await ada.delete(f"/api/v1/jobs/{job_id}")).status == 204
    paths = f"/api/v1/jobs/{job_id}", f"/reports/{job_id}.html", f"/api/v1/jobs/{job_id}/result"
    assert [(await ada.get(path)).status for path in paths] == [404, 404, 404]
    assert (await ada.delete(paths[0])).status == 404
    left = {
        file.name.partition(".")[0]
        for folder in ("uploads", "reports")
        for file in (any_settings.data_folder / folder).iterdir()
    }
    assert left == {other}
    assert (await ada.get(f"/reports/{other}.html")).status == 200


async def test_who_would_store_too_much_is_told_the_figure_before_anything_is_stored(
    open_service, service_settings
):
    settings = service_settings.model_copy(update={"max_stored_bytes_per_user": 1_000_000})
    client = await open_service(settings)
    ada, bob = await person(client), await person(client)
    kept = await ada.submitted(FASTA * 1000)
    answer = await ada.submit(FASTA * 1000)
    assert answer.status == 413
    assert "of the 1 MB that you may store" in (await answer.json())["detail"]
    assert len(list((settings.data_folder / "uploads").iterdir())) == 1
    assert (await bob.submit(FASTA * 1000)).status == 200
    assert (await ada.delete(f"/api/v1/jobs/{kept}")).status == 204
    assert (await ada.submit(FASTA * 1000)).status == 200


async def test_a_disk_that_is_nearly_full_takes_no_upload(open_service, service_settings):
    settings = service_settings.model_copy(update={"min_free_bytes": 10**18})
    ada = await person(await open_service(settings))
    answer = await ada.submit()
    assert answer.status == 507
    assert "disk" in (await answer.json())["detail"]
    assert list((settings.data_folder / "uploads").iterdir()) == []
