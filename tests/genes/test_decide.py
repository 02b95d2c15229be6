"""Which candidates become genes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from genint.formats import read_genome
from genint.genes import GeneCalls, call_genes, decide
from genint.model.evidence import ProfileHit
from genint.model.genome import CalledBy, Genome


@pytest.fixture(scope="module")
def calls(phix174: Genome) -> GeneCalls:
    return call_genes(phix174, phage=True)


def hit(gene_id: str, *, score_bits: float = 40.0) -> ProfileHit:
    return ProfileHit(gene_id, "PF01234", 1e-9, score_bits, 25.0, 1, 30, 0.9, 0.8)


def test_b_and_e_of_phix174_are_accepted_with_a_reason(calls: GeneCalls, phix174: Genome) -> None:
    rescued = [g for g in decide(calls).genome.genes if g.called_by is CalledBy.GENINT_NESTED]
    annotated = {g.protein for g in phix174.genes}
    assert len(rescued) == 2
    for gene in rescued:
        assert gene.protein in annotated
        assert gene.note is not None
        assert gene.note.startswith("Accepted although it lies 100% inside NC_001422_")
        assert gene.note.endswith(".")


def test_rz1_of_lambda_is_accepted_and_nothing_else(lambda_phage: Genome) -> None:
    genes = decide(call_genes(lambda_phage, phage=True)).genome.genes
    rescued = [g for g in genes if g.called_by is CalledBy.GENINT_NESTED]
    assert [g.span.one_based(48502) for g in rescued] == [(46186, 46368)]


def test_a_candidate_that_a_family_recognises_is_a_gene(calls: GeneCalls) -> None:
    without = decide(calls)
    weak = without.rejected[0].candidate.gene.id
    decided = decide(calls, [hit(weak)])
    (gene,) = (g for g in decided.genome.genes if g.id == weak)
    assert gene.note is not None
    assert "protein family PF01234 recognises it (E-value 1.0e-09" in gene.note
    assert all(r.candidate.gene.id != weak for r in decided.rejected)


def test_a_hit_below_its_threshold_changes_nothing(calls: GeneCalls) -> None:
    weak = decide(calls).rejected[0].candidate.gene.id
    assert decide(calls, [hit(weak, score_bits=24.9)]) == decide(calls)


def test_base_calls_stay_whatever_the_evidence(calls: GeneCalls) -> None:
    base = {g.id for g in calls.contigs[0].contig.genes}
    decided = decide(calls, [hit(c.gene.id) for c in calls.contigs[0].candidates])
    assert base <= {g.id for g in decided.genome.genes}
    assert len(decided.genome.genes) == len(base) + len(calls.contigs[0].candidates)
    assert decided.rejected == ()


def test_genes_come_by_position(calls: GeneCalls) -> None:
    starts = [g.span.start for g in decide(calls).genome.genes]
    assert starts == sorted(starts)


def test_near_misses_say_what_they_lack(lambda_phage: Genome) -> None:
    reasons = [r.reason for r in decide(call_genes(lambda_phage, phage=True)).rejected]
    assert any("opposite to its host" in reason for reason in reasons)
    assert any("asks for 70%" in reason for reason in reasons)
    assert all(reason.endswith(".") for reason in reasons)


def test_the_order_of_the_evidence_does_not_matter(calls: GeneCalls) -> None:
    hits = [hit(c.gene.id) for c in calls.contigs[0].candidates]
    better = [replace_accession(h, "PF00001") for h in hits]
    assert decide(calls, [*hits, *better]) == decide(calls, [*better, *hits])


def replace_accession(found: ProfileHit, accession: str) -> ProfileHit:
    return found._replace(accession=accession)


def test_few_calls_of_annotated_phages_are_not_annotated(shared_data: Path) -> None:
    files = ("T7_NC_001604.gb", "L5_Z18946.gb", "phageK_NC_005880.gbk", "SodalisSO1_NC_013600.gbk")
    right = wrong = 0
    for file in files:
        annotated = read_genome(shared_data / "genomes" / file)
        proteins = {g.protein for g in annotated.genes}
        bare = replace(annotated, contigs=tuple(replace(c, genes=()) for c in annotated.contigs))
        for gene in decide(call_genes(bare, phage=True)).genome.genes:
            if gene.called_by is CalledBy.GENINT_NESTED:
                right += gene.protein in proteins
                wrong += gene.protein not in proteins
    assert (right, wrong) == (1, 0)
