"""The synchronous library in online mode: which services are asked, and for how long."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from genint import GenomeInterpreter, interpret_genome
from genint.errors import UsageError
from genint.formats import read_genome
from genint.model import Genome, OnlineService
from tests.online_services import Ids, Protein, Services, serving, world_of

UNIPROT, INTERPRO = OnlineService


@pytest.fixture(scope="module")
def genome(examples: Path) -> Genome:
    return read_genome(examples / "phiX174.gbk")


@pytest.fixture
def services(genome, monkeypatch, pressed) -> Iterator[Services]:
    proteins = [
        Protein(gene.protein, gene.product or "", Ids(refseq=gene.protein_id or ""))
        for gene in genome.genes
    ]
    with serving(world_of(proteins)) as running:
        for name, value in running.environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("GENINT_CACHE_DIR", str(pressed))
        yield running


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ({"use_uniprot": True}, (UNIPROT,)),
        ({"use_interpro": True}, (INTERPRO,)),
        ({"use_uniprot": True, "use_interpro": True}, (UNIPROT, INTERPRO)),
        ({"use_interpro": True, "mode": "local"}, (INTERPRO,)),
        ({"mode": "online"}, (UNIPROT, INTERPRO)),
    ],
)
def test_what_is_used_is_asked_and_nothing_else(services, genome, options, asked):
    summary = GenomeInterpreter(**options).interpret_genome(genome)
    assert summary.parameters.mode == "online"
    assert summary.parameters.online_services == asked
    assert tuple(use.service for use in summary.online) == asked
    assert bool(services.record.count("interpro")) is (INTERPRO in asked)
    if asked == (UNIPROT,):
        assert services.record.count("interpro_go") == 0


@pytest.mark.parametrize("mode", ["offline", "local"])
def test_without_them_nobody_is_asked(services, genome, mode):
    summary = GenomeInterpreter(mode=mode).interpret_genome(genome)
    assert summary.parameters.mode == mode
    assert summary.online == ()
    assert services.record.count("uniprot") == services.record.count("interpro") == 0


def test_the_time_reaches_the_run(services, genome):
    summary = GenomeInterpreter(use_uniprot=True, online_timeout_s=45).interpret_genome(genome)
    assert summary.parameters.online_timeout_s == 45
    summary = interpret_genome(
        genome, mode="online", online_services=["interpro"], online_timeout_s=50
    )
    assert summary.parameters.online_services == (INTERPRO,)
    assert summary.parameters.online_timeout_s == 50


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"online_timeout_s": 60}, "mode 'online'"),
        ({"mode": "local", "online_timeout_s": 60}, "mode 'online'"),
        ({"use_uniprot": True, "online_timeout_s": 0}, "1 to 3600"),
        ({"use_uniprot": True, "mode": "offlien"}, "mode must be one of"),
    ],
)
def test_options_that_cannot_be_meant_are_refused_at_once(options, reason):
    with pytest.raises(UsageError, match=reason):
        GenomeInterpreter(**options)


@pytest.mark.parametrize("wrong", ["no", "False", 1, [1], None])
def test_whether_a_service_is_asked_is_said_by_true_or_false(wrong):
    with pytest.raises(UsageError, match="use_interpro must be True or False"):
        GenomeInterpreter(use_interpro=wrong)


def test_a_wrong_setting_is_told_before_anything_is_computed(genome, monkeypatch):
    monkeypatch.setenv("GENINT_UNIPROT_URL", "nonsense")
    begun = []
    with pytest.raises(UsageError, match="GENINT_UNIPROT_URL"):
        interpret_genome(genome, mode="online", progress=begun.append)
    assert begun == []
