"""Jobs of online mode: one client for all of them, and a dead service fails none."""

from __future__ import annotations

import gzip
import json
import shutil
import time
from collections.abc import AsyncIterator

import pytest

from genint import interpret_genome
from genint.formats import read_genome
from genint.pipeline.online import configured_client
from genint.pipeline.resources import Folders
from genint.settings import OnlineSettings
from genint.storage.files import result_name
from tests.conftest import linked, once_per_run
from tests.online_services import Ids, Protein, Services, silence, world_of


@pytest.fixture(scope="session")
def found_offline(pressed, examples, tmp_path_factory):
    """A cache folder with the profiles that are found in phiX174, and no answer of a service."""
    return once_per_run(
        tmp_path_factory,
        "phiX174_found_offline",
        lambda folder: _interpret(linked(pressed, folder), examples / "phiX174.gbk"),
    )


def _interpret(folder, genome):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GENINT_CACHE_MB", "1000")
        interpret_genome(genome, cache_folder=folder)


@pytest.fixture
def folders(found_offline, tmp_path):
    """A copy: answers of other tests would be found in place of the services."""
    folder = linked(found_offline, tmp_path / "cache")
    for results in found_offline.glob("results-*"):
        shutil.copy(results, folder)
    return Folders(folder)


@pytest.fixture
async def services(examples) -> AsyncIterator[Services]:
    genome = read_genome(examples / "phiX174.gbk")
    proteins = [
        Protein(gene.protein, gene.product or "", Ids(refseq=gene.protein_id or ""))
        for gene in genome.genes
    ]
    async with Services(world_of(proteins)) as running:
        yield running


@pytest.fixture
async def client(services):
    chosen = OnlineSettings(
        contact=None,
        uniprot_url=services.url("uniprot"),
        interpro_url=services.url("interpro"),
        interpro_go_url=services.url("interpro_go"),
    )
    async with configured_client(chosen) as opened:
        yield opened


def result_of(desk, job_id):
    return json.loads(
        gzip.decompress(desk.storage.files.objects.path(result_name(job_id, 1)).read_bytes())
    )


async def test_an_online_job_has_the_evidence_of_the_services(
    desk, supervising, examples, services, client
):
    job_id = await desk.submit(examples / "phiX174.gbk", mode="online")
    async with supervising(client=client):
        await desk.completed(job_id)
    result = result_of(desk, job_id)
    sources = {item["source"] for gene in result["genes"] for item in gene["evidence"]}
    assert {"uniprot", "interpro"} <= sources
    assert services.record.count("uniprot") > 0
    assert desk.leftovers() == []


async def test_the_limits_hold_for_all_jobs_together(
    desk, supervising, examples, services, client, nothing_found
):
    services.slow("uniprot", 0.05, 0.3)
    services.slow("interpro", 0.05, 0.3)
    jobs = [
        await desk.submit(examples / "phiX174.gbk", mode="online", by=f"user{number}")
        for number in range(4)
    ]
    async with supervising(client=client, workers=4, folders=nothing_found):  # each asks
        for job_id in jobs:
            await desk.completed(job_id)
    assert services.record.count("interpro") >= 2 * len(jobs)
    assert services.record.most_in_flight("uniprot") <= 2
    assert services.record.most_in_flight("interpro") <= 4
    # Half a second: what is sent in pace may arrive closer together where the machine is busy.
    assert services.record.most_in("uniprot", 0.5) <= 5
    assert services.record.most_in("interpro", 0.5) <= 3


async def test_dead_services_fail_no_job_and_soon_slow_none(
    desk, supervising, examples, services, client
):
    for service in ("uniprot", "interpro", "interpro_go"):
        await services.die(service)
    async with supervising(client=client, workers=1):
        first = await desk.submit(examples / "phiX174.gbk", mode="online")
        await desk.completed(first)
        seconds = {"offline": [], "online": []}
        for mode in ("offline", "online") * 3:
            began = time.monotonic()
            job_id = await desk.submit(examples / "phiX174.gbk", mode=mode)
            await desk.completed(job_id)
            seconds[mode].append(time.monotonic() - began)
    # The quickest of each, as other tests may be running.
    assert min(seconds["online"]) - min(seconds["offline"]) <= 1.0
    result = result_of(desk, job_id)
    assert len(result["unavailable"]) == 2
    states = {answer["state"] for gene in result["genes"] for answer in gene["online"]}
    assert states == {"not_asked"}


async def test_jobs_that_wait_for_silent_services_hold_no_worker(
    desk, supervising, examples, services, client
):
    services.misbehave("", silence())
    async with supervising(client=client, workers=1):
        waiting = [await desk.submit(examples / "phiX174.gbk", mode="online") for _ in range(3)]
        last = await desk.submit(examples / "phiX174.gbk")
        await desk.completed(last)
        for job_id in waiting:
            job = await desk.at_stage(job_id, "querying UniProt and InterPro")
            assert job.status == "RUNNING"
            await desk.jobs.cancel(job_id)
    assert desk.leftovers() == []


async def test_an_offline_job_asks_nobody(desk, supervising, examples, services, client):
    job_id = await desk.submit(examples / "phiX174.gbk")
    async with supervising(client=client):
        await desk.completed(job_id)
    assert services.record.count("uniprot") == services.record.count("interpro") == 0
