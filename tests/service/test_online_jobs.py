"""Jobs of online mode over HTTP: handed in, done, and read by everybody who may."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from genint.formats import read_genome
from genint.settings import Settings
from tests.online_services import Ids, Protein, Services, world_of

from .conftest import SECRET, Person, person


@pytest.fixture
async def services(examples: Path) -> AsyncIterator[Services]:
    """They know all proteins of phiX174."""
    proteins = [
        Protein(gene.protein, gene.product or "", Ids(refseq=gene.protein_id or ""))
        for gene in read_genome(examples / "phiX174.gbk").genes
    ]
    async with Services(world_of(proteins)) as running:
        yield running


@pytest.fixture
async def ada(open_service, services: Services, tmp_path: Path) -> Person:
    """A user of a service that asks these services."""
    values = {"GENINT_DATA_DIR": str(tmp_path / "data"), "JWT_SECRET": SECRET}
    no_answers_kept = {"GENINT_CACHE_MB": "0"}
    settings = Settings.from_environment(values | no_answers_kept | services.environment)
    return await person(await open_service(settings))


@pytest.fixture
def phix(examples: Path) -> bytes:
    return (examples / "phiX174.gbk").read_bytes()


async def test_a_job_of_online_mode_tells_what_services_answered(ada, services, phix):
    job = await ada.ended(await ada.submitted(phix, "phiX174.gbk", mode="online"))
    assert (job["status"], job["mode"]) == ("COMPLETED", "online")
    for gene in job["genes"]:
        assert [answer["service"] for answer in gene["online"]] == ["uniprot", "interpro"]
    sources = {item["source"] for gene in job["genes"] for item in gene["evidence"]}
    assert {"uniprot", "interpro"} <= sources
    page = await ada.client.get(job["report_url"])
    assert "answered for 11 of 11 distinct proteins" in await page.text()
    for name in ("md", "tsv", "gff3", "gbk"):
        answer = await ada.get(f"/api/v1/jobs/{job['job_id']}/result", params={"format": name})
        assert answer.status == 200
        assert job["genes"][0]["online"][0]["accessions"][0] in await answer.text()


async def test_dead_services_are_told_in_the_report_and_fail_no_job(ada, services, phix):
    for service in ("uniprot", "interpro", "interpro_go"):
        await services.die(service)
    job = await ada.ended(await ada.submitted(phix, "phiX174.gbk", mode="online"))
    assert (job["status"], job["error_message"]) == ("COMPLETED", None)
    states = {answer["state"] for gene in job["genes"] for answer in gene["online"]}
    assert states <= {"error", "not_asked"}
    page = await (await ada.client.get(job["report_url"])).text()
    for name in ("UniProt", "InterPro"):
        assert f"{name} could not be queried" in page
    assert "more may be known than is shown here" in page


async def test_a_job_of_offline_mode_asks_nobody(ada, services, phix):
    job = await ada.ended(await ada.submitted(phix, "phiX174.gbk"))
    assert job["status"] == "COMPLETED"
    assert all(gene["online"] == [] for gene in job["genes"])
    assert services.record.count("uniprot") == services.record.count("interpro") == 0
