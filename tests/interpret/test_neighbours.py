"""Neighbours are told to a gene with what they were told alone; its own evidence is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.interpret import interpret, neighbour_contexts, score_evidence
from genint.interpret.agreement import is_thin
from genint.knowledge import load_confidence, load_gene_order
from genint.model import (
    Category,
    ConfidenceLevel,
    Contig,
    EvidenceSource,
    EvidenceType,
    FamilySupport,
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


ONE_OF_ONE = FamilySupport(4, 1, 1, 3, 1.0, 0.25, 90.0, False)
ONE_OF_SIX = FamilySupport(9, 6, 1, 8, 0.69, 0.67, 90.0, False)
ITSELF_AND_ANOTHER = FamilySupport(4, 2, 2, 3, 1.0, 0.5, 90.0, True)
FOUR_OF_EIGHT = FamilySupport(12, 8, 4, 9, 0.67, 0.67, 90.0, False)
SEVEN_OF_TEN = FamilySupport(11, 10, 7, 13, 0.75, 0.91, 90.0, False)
LONE = "family_few_names_lone"


@pytest.fixture
def level_of(contig, family, ordered):
    """Level and types of the middle gene of a tail module, of which the other genes are sure."""
    fitted = replace(ordered, parameters=load_confidence())

    def of(*evidence):
        around = names(contig, family, fitted, missing={"g4"})
        genome = Genome((contig,), GenomeSource("x.gb", "0" * 64, FileFormat.GENBANK))
        best = interpret(genome, (*around, *evidence), (), fitted)[4].interpretation.hypotheses[0]
        return ConfidenceLevel.of(best.score), best.types

    return of


@pytest.mark.parametrize(
    ("support", "strength", "thin"),
    [
        (ONE_OF_ONE, LONE, True),
        (ONE_OF_ONE, "family_few_names", True),
        (ONE_OF_SIX, LONE, True),
        (ITSELF_AND_ANOTHER, LONE, True),
        (FOUR_OF_EIGHT, LONE, True),
        (FOUR_OF_EIGHT, "family_few_names", False),
        (SEVEN_OF_TEN, LONE, False),
    ],
)
def test_neighbours_beside_a_thin_family_make_no_high(family, level_of, support, strength, thin):
    item = family(
        "baseplate wedge protein",
        "baseplate_wedge",
        gene_id="g4",
        support=support,
        strength=strength,
    )
    level, types = level_of(item)
    assert is_thin(item) is thin
    assert level is (ConfidenceLevel.MODERATE if thin else ConfidenceLevel.HIGH)
    assert (EvidenceType.GENE_CONTEXT in types) is not thin


def test_they_do_where_the_file_gives_that_name_too(annotated, family, level_of):
    product = "baseplate_wedge"
    thin = family("baseplate wedge protein", product, gene_id="g4", support=ONE_OF_ONE)
    stated = annotated("baseplate wedge protein", product=product, gene_id="g4")
    level, types = level_of(replace(thin, strength=LONE), stated)
    assert level is ConfidenceLevel.HIGH
    assert EvidenceType.GENE_CONTEXT in types


@pytest.fixture
def three_alike(contig, family, ordered):
    """What neighbours say to the middle one of three genes that have one name by one hand."""

    def told(name, product, families, strength="family_agreed_lone"):
        evidence = [
            family(
                name, product, gene_id=gene, accession=accession, origin=accession,
                strength=strength,
            )
            for gene, accession in zip(("g3", "g4", "g5"), families, strict=True)
        ]  # fmt: skip
        return neighbour_contexts(contig, alone(contig, evidence, ordered), ordered)[4]

    return told


def test_in_phages_genes_of_one_name_by_one_hand_do_not_vouch_for_one_another(three_alike):
    name = ("tail fiber protein", "tail_fiber_protein", ("GF1", "GF2", "GF3"))
    assert three_alike(*name).evidence is None
    assert three_alike(*name, "family_well_agreed").evidence.log_odds[Category.TAIL] > 0


def test_two_genes_side_by_side_named_as_the_major_one_by_other_families_have_no_context(
    contig, family, ordered
):
    def told(other):
        named = {"g3": other, "g4": "GF1"}
        evidence = [
            *names(contig, family, ordered, missing=set(named)),
            *(
                family(
                    "major tail protein", "major_tail_protein", gene_id=gene, accession=accession,
                    strength="family_well_agreed",
                )
                for gene, accession in named.items()
            ),
        ]  # fmt: skip
        return neighbour_contexts(contig, alone(contig, evidence, ordered), ordered)[4]

    assert told("GF2").evidence is None
    assert told("GF1").evidence is not None
