"""Online mode from file to result, against services on loopback."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from genint.errors import UsageError
from genint.formats import read_genome
from genint.model import AnswerState, EvidenceSource, Genome, InterpretationSummary, OnlineService
from genint.pipeline.library import interpret_genome_async, render_report
from tests.online_services import Ids, Known, Protein, Services, outage_page, world_of

ONLINE = frozenset({EvidenceSource.UNIPROT, EvidenceSource.INTERPRO})


@pytest.fixture(scope="module")
def genome(examples: Path) -> Genome:
    return read_genome(examples / "phiX174.gbk")


@pytest.fixture(scope="module")
def proteins(genome: Genome) -> list[Protein]:
    """Every way of being known, in turn."""
    ways = (Known.REVIEWED, Known.SUBMITTED, Known.UNIPARC_ONLY, Known.UNKNOWN)
    return [
        Protein(
            gene.protein,
            gene.product or "Made-up protein",
            Ids(refseq=gene.protein_id or ""),
            known=ways[at % len(ways)],
        )
        for at, gene in enumerate(genome.genes)
    ]


@pytest.fixture
async def services(
    proteins: list[Protein], monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Services]:
    async with Services(world_of(proteins)) as running:
        for name, value in running.environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("GENINT_CACHE_MB", "100")
        yield running


@pytest.fixture
def run(genome: Genome, cache_of_its_own: Path) -> Callable[..., object]:
    async def interpret(mode: str = "online", **options: object) -> InterpretationSummary:
        options.setdefault("cache_folder", cache_of_its_own)
        return await interpret_genome_async(genome, mode, **options)  # type: ignore[arg-type]

    return interpret


def told(summary: InterpretationSummary) -> list[object]:
    """What a result says of the genes, without what became of asking."""
    return [
        (one.gene, one.interpretation, one.novelty, one.classification) for one in summary.results
    ]


def state_of(summary: InterpretationSummary, service: OnlineService) -> dict[str, AnswerState]:
    return {
        result.gene_id: answer.state
        for result in summary.results
        for answer in result.online
        if answer.service is service
    }


async def test_services_add_evidence_and_every_gene_says_what_became_of_asking(
    services, run, proteins
):
    summary = await run()
    states = state_of(summary, OnlineService.UNIPROT)
    known = {one.residues: one.known for one in proteins}
    expected = {
        Known.REVIEWED: AnswerState.HIT,
        Known.SUBMITTED: AnswerState.HIT,
        Known.UNIPARC_ONLY: AnswerState.NO_MATCH,
        Known.UNKNOWN: AnswerState.NOT_IN_DATABASE,
    }
    for result in summary.results:
        assert states[result.gene_id] is expected[known[result.gene.protein]], result.gene_id
    sources = {
        item.source
        for result in summary.results
        if result.interpretation
        for item in result.interpretation.evidence
    }
    assert sources >= ONLINE
    assert {use.service for use in summary.online} == set(OnlineService)
    assert not summary.unavailable


async def test_no_residues_leave_the_machine(services, run, genome):
    await run()
    assert services.record.count("uniprot") > 0
    assert services.record.count("interpro") > 0
    for gene in genome.genes:
        assert services.record.spoken_of(gene.protein) == []


async def test_with_dead_services_the_result_is_that_of_an_offline_run(services, run):
    for service in ("uniprot", "interpro", "interpro_go"):
        await services.die(service)
    online, offline = await run(), await run("offline")
    assert told(online) == told(offline)
    assert len(online.unavailable) == 2
    assert all("could not be queried" in text for text in online.unavailable)
    for service in OnlineService:
        states = set(state_of(online, service).values())
        assert states <= {AnswerState.ERROR, AnswerState.NOT_ASKED}


async def test_one_dead_service_costs_the_other_nothing(services, run):
    whole = await run()
    services.world = services.world.with_releases(uniprot="2099_01")  # nothing of it is kept
    services.misbehave("uniprot", outage_page())
    half = await run()
    assert state_of(half, OnlineService.INTERPRO) == state_of(whole, OnlineService.INTERPRO)
    [problem] = half.unavailable
    assert problem.startswith("UniProt could not be queried: 503")


async def test_a_second_run_asks_for_the_releases_only_and_gives_the_same_bytes(services, run):
    first = render_report(await run(), "json")
    asked = services.record.count("uniprot"), services.record.count("interpro")
    go = services.record.count("interpro_go")
    second = render_report(await run(), "json")
    assert second == first
    assert services.record.count("uniprot") - asked[0] <= 1
    assert services.record.count("interpro") - asked[1] <= 1
    assert services.record.count("interpro_go") == go


async def test_only_the_chosen_service_is_asked(services, run):
    summary = await run(online_services=["uniprot"])
    assert services.record.count("interpro") == services.record.count("interpro_go") == 0
    assert {answer.service for one in summary.results for answer in one.online} == {
        OnlineService.UNIPROT
    }


@pytest.mark.parametrize("mode", ["offline", "local"])
async def test_other_modes_ask_nobody(services, run, mode):
    summary = await run(mode)
    assert services.record.count("uniprot") == services.record.count("interpro") == 0
    assert summary.online == ()
    assert all(result.online == () for result in summary.results)


async def test_the_genes_are_those_of_an_offline_run(services, run, tmp_path):
    options = {"ignore_annotations": True, "phage": True}
    online, offline = await run(**options), await run("offline", **options)
    assert [one.gene for one in online.results] == [one.gene for one in offline.results]


async def test_the_time_for_asking_is_kept_and_what_came_is_used(services, run):
    services.slow("uniprot", 30.0)
    summary = await run(online_timeout_s=6)
    [problem] = summary.unavailable
    assert problem.startswith("UniProt ")
    assert AnswerState.HIT in state_of(summary, OnlineService.INTERPRO).values()
    assert AnswerState.HIT not in state_of(summary, OnlineService.UNIPROT).values()


async def test_cancelling_a_run_ends_its_requests_at_once(services, run):
    services.slow("uniprot", 30.0)
    services.slow("interpro", 30.0)
    task = asyncio.create_task(run())
    while not services.record.count("uniprot"):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        async with asyncio.timeout(5):
            await task


async def test_databases_and_releases_are_told(services, run):
    result = json.loads(render_report(await run(), "json"))
    used = {item["name"]: item["version"] for item in result["databases"]}
    assert used["UniProt (online)"] == services.world.uniprot_release.version
    assert used["InterPro (online)"] == services.world.interpro_release.version


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"online_services": ["ncbi"]}, "interpro, uniprot"),
        ({"online_services": []}, "interpro, uniprot"),
        ({"online_services": "uniprot"}, "interpro, uniprot"),
        ({"online_timeout_s": 0}, "1 to 3600"),
        ({"online_timeout_s": float("nan")}, "1 to 3600"),
        ({"online_timeout_s": "60"}, "1 to 3600"),
        ({"mode": "offline", "online_timeout_s": 60}, "mode 'online'"),
        ({"mode": "local", "online_services": ["uniprot"]}, "mode 'online'"),
    ],
)
async def test_options_that_cannot_be_meant_are_refused(run, options, reason):
    with pytest.raises(UsageError, match=reason):
        await run(**options)


async def test_what_is_told_of_interpro_are_families_not_features_of_residues(services, run):
    summary = await run(online_services=["interpro"])
    found = [code for one in summary.results for answer in one.online for code in answer.accessions]
    assert found
    assert not any(code.startswith(("mobidb", "COIL", "TRANSMEMBRANE")) for code in found)


async def test_go_terms_that_could_not_be_had_are_told(services, run):
    await services.die("interpro_go")
    summary = await run(online_services=["interpro"])
    [missing] = summary.unavailable
    assert missing.startswith("GO terms of InterPro entries: could not be had")
    assert AnswerState.HIT in state_of(summary, OnlineService.INTERPRO).values()
