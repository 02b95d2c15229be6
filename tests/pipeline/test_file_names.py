"""Curated names of real genomes, beside evidence that fits the proteins' relatives too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from genint.formats import read_genome
from genint.interpret import read_claim
from genint.interpret.claims import ScoringModel
from genint.interpret.file_names import (
    ENOUGH_SOURCES,
    is_stated,
    same_function,
    sources_that_tell,
)
from genint.knowledge import load_confidence, load_products, load_roles
from genint.model import AuditVerdict, ConfidenceLevel, Genome, InterpretationSummary
from genint.pipeline.library import interpret_genome

PARALOGUES = "arsR glnG zraR atoC norR puuA frdB prpC modB iaaA hslU sufS tdcD leuB".split()
"""Genes of E. coli K-12 whose proteins match families of relatives of another function."""
PHAGES = (
    "T7_NC_001604.gb lambda_NC_001416.gb VT2Sakai_NC_000902.gbk DE3_EU078592.gbk "
    "phiX174_NC_001422.gb B3_NC_006548.gbk REL606_fragment.gbk"
).split()
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def model() -> ScoringModel:
    return ScoringModel(load_confidence(), load_roles(), load_products())


@pytest.fixture(scope="module")
def k12(shared_data: Path, searched: Path) -> InterpretationSummary:
    """The genes above in the genome of K-12: all others are left out to save time."""
    genome = read_genome(shared_data / "genomes" / "E_coli_K12_MG1655_NC_000913.gbk.gz")
    (contig,) = genome.contigs
    few = tuple(gene for gene in contig.genes if gene.symbol in PARALOGUES)
    assert len(few) == len(PARALOGUES)
    few_of_it = Genome((replace(contig, genes=few),), genome.source)
    return interpret_genome(few_of_it, cache_folder=searched)


def test_curated_names_of_k12_are_not_replaced_by_those_of_relatives(k12):
    for result in k12.results:
        best = result.interpretation.hypotheses[0]
        assert any(item.strength.startswith("annotation") for item in best.evidence), best.claim


def test_the_audit_contradicts_none_of_them(k12):
    assert {one.audit.verdict for one in k12.results}.isdisjoint({AuditVerdict.CONTRADICTS})


@pytest.fixture(scope="module", params=PHAGES)
def annotated(
    request: pytest.FixtureRequest, shared_data: Path, searched: Path
) -> InterpretationSummary:
    return interpret_genome(shared_data / "genomes" / request.param, cache_folder=searched)


def test_no_specific_name_of_a_file_is_replaced_at_high_by_fewer_than_two_sources(annotated, model):
    for result in annotated.results:
        if result.confidence_level is not ConfidenceLevel.HIGH:
            continue
        hypotheses = result.interpretation.hypotheses
        claims = [read_claim(item, model) for one in hypotheses for item in one.evidence]
        stated = next(filter(is_stated, claims), None)
        lead = claims[0]
        kept = stated is None or stated.evidence in hypotheses[0].evidence
        told = len(sources_that_tell(lead, claims)) >= ENOUGH_SOURCES
        assert kept or told or same_function(lead, stated), result.locus


def test_every_contradiction_rests_on_two_origins(annotated):
    for result in annotated.results:
        if result.audit.verdict is AuditVerdict.CONTRADICTS:
            assert len({item.origin for item in result.audit.evidence}) >= ENOUGH_SOURCES
