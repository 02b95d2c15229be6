"""Neighbours are told to a gene with what they were told alone; its own evidence is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.interpret import interpret, neighbour_contexts, score_evidence
from genint.knowledge import load_gene_order
from genint.model import (
    Category,
    Contig,
    EvidenceSource,
    EvidenceType,
    FileFormat,
    Genome,
    GenomeSource,
    Interval,
    Location,
    Strand,
)

TAIL = ("tail_tube_protein", "tail_sheath_protein", "tape_measure_protein", "tail_fiber_protein")


@pytest.fixture(scope="module")
def ordered(judgement):
    return replace(judgement, gene_order=load_gene_order())


@pytest.fixture
def contig(gene):
    genes = tuple(
        gene(
            id=f"g{at}",
            location=Location.simple(Interval(at * 700, at * 700 + 600), Strand.FORWARD),
        )
        for at in range(9)
    )
    return Contig(id="c", bases="A" * 7_000, genes=genes)


def names(contig, family, judgement, missing=()):
    """Tail proteins for all genes but some."""
    products = [product for product in TAIL if product in judgement.products.products]
    assert len(products) > 2
    evidence = []
    for at, one in enumerate(contig.genes):
        if one.id not in missing:
            product = judgement.products.products[products[at % len(products)]]
            evidence.append(
                family(product.name, product.id, gene_id=one.id, strength="family_well_agreed")
            )
    return evidence


def alone(contig, evidence, judgement):
    return [
        score_evidence([item for item in evidence if item.gene_id == gene.id], judgement)
        for gene in contig.genes
    ]


def test_a_gene_among_tail_genes_is_told_so(contig, family, ordered):
    evidence = names(contig, family, ordered, missing={"g4"})
    told = neighbour_contexts(contig, alone(contig, evidence, ordered), ordered)[4]
    assert told.context is not None
    assert told.context.category is Category.TAIL
    assert told.context.neighbours[0].startswith("g")
    assert "g4" not in " ".join(told.context.neighbours)
    assert told.evidence.log_odds[Category.TAIL] > told.evidence.log_odds[Category.LYSIS]


def test_what_a_gene_is_itself_does_not_change_what_its_neighbours_say_of_it(
    contig, family, ordered
):
    dark = names(contig, family, ordered, missing={"g4"})
    named = names(contig, family, ordered)
    one, other = (
        neighbour_contexts(contig, alone(contig, some, ordered), ordered)[4]
        for some in (dark, named)
    )
    assert one.evidence.log_odds == other.evidence.log_odds


def test_without_a_gene_order_neighbours_say_nothing(contig, family, ordered):
    blind = replace(ordered, gene_order=None)
    evidence = names(contig, family, blind)
    told = neighbour_contexts(contig, alone(contig, evidence, blind), blind)
    assert {one.evidence for one in told} == {None}


def test_interpretations_cite_their_neighbours_and_dark_genes_get_a_category(
    contig, family, ordered
):
    genome = Genome((contig,), GenomeSource("x.fa", "0" * 64, FileFormat.FASTA))
    evidence = names(contig, family, ordered, missing={"g4"})
    results = interpret(genome, evidence, (), ordered)
    told = results[3].interpretation
    [neighbours] = [item for item in told.evidence if item.type is EvidenceType.GENE_CONTEXT]
    assert neighbours.source is EvidenceSource.GENE_CONTEXT
    assert EvidenceType.GENE_CONTEXT in told.hypotheses[0].types
    assert any(step.startswith("Gene context: neighbours g") for step in told.reasoning)
    assert results[4].is_dark
    assert results[4].classification.category is Category.TAIL
