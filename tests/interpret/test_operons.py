"""Parts of an ABC transporter are named after the part beside them that says what it transports."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.interpret import ScoringModel, interpret
from genint.interpret.grouping import group_evidence
from genint.interpret.operons import operon_names
from genint.interpret.scoring import score_groups
from genint.knowledge import Setting, load_confidence, load_gene_order, load_products, load_roles
from genint.model import (
    ConfidenceLevel,
    Contig,
    EvidenceType,
    FileFormat,
    Genome,
    GenomeKind,
    GenomeSource,
    Interval,
    Location,
    NameBasis,
    Specificity,
    Strand,
    Topology,
)

LENGTH_BP, BETWEEN_BP = 600, 50
RIBOSE = "ribose ABC transporter ATP-binding protein"
TERM = "ribose_abc_transporter_atp_binding_protein"


@pytest.fixture(scope="module")
def model() -> ScoringModel:
    setting = Setting("offline", GenomeKind.BACTERIUM)
    return ScoringModel(
        load_confidence(), load_roles(), load_products(), setting, gene_order=load_gene_order()
    )


@pytest.fixture
def row(gene):
    """A contig with genes in a row, each with its strand and the bases before it."""

    def make(*strands, between=None, **of_contig):
        between = between or [BETWEEN_BP] * len(strands)
        genes, at = [], 0
        for number, (strand, before) in enumerate(zip(strands, between, strict=True)):
            at += before
            place = Location.simple(Interval(at, at + LENGTH_BP), strand)
            genes.append(gene(id=f"g{number}", location=place))
            at += LENGTH_BP
        return Contig("c", "A" * (at + 20), genes=tuple(genes), **of_contig)

    return make


@pytest.fixture
def ribose(family):
    return lambda number: family(RIBOSE, TERM, gene_id=f"g{number}", strength="family_well_agreed")


@pytest.fixture
def permease(domain):
    """A domain of permeases, and no name."""
    return lambda number, **changes: domain(
        "PF02653", "ABC transporter, permease", gene_id=f"g{number}", pfam="PF02653", **changes
    )


def names(contig, evidence, model):
    """By gene, the name that its operon gives it."""
    of_genes = [[item for item in evidence if item.gene_id == gene.id] for gene in contig.genes]
    alone = [
        score_groups(group_evidence(items, model), model, gene=gene)
        for gene, items in zip(contig.genes, of_genes, strict=True)
    ]
    found = operon_names(contig, of_genes, alone, model)
    return {contig.genes[at].id: items[-1].claim for at, items in found.items()}


F, R = Strand.FORWARD, Strand.REVERSE


@pytest.mark.parametrize("strand", [F, R])
def test_a_permease_is_named_after_the_next_part_on_either_side(
    row, ribose, permease, model, strand
):
    contig = row(strand, strand, strand)
    found = names(contig, [permease(0), ribose(1), permease(2)], model)
    assert found == dict.fromkeys(("g0", "g2"), "ribose ABC transporter permease")


def test_a_part_of_a_transporter_may_lie_between(row, ribose, permease, model):
    contig = row(F, F, F)
    found = names(contig, [ribose(0), permease(1), permease(2)], model)
    assert found == dict.fromkeys(("g1", "g2"), "ribose ABC transporter permease")


@pytest.mark.parametrize(
    ("strands", "between"),
    [((F, R), [50, 50]), ((F, F), [50, 151]), ((F, R, F), [50, 50, 50])],
)
def test_neither_another_strand_nor_a_gap_is_crossed(
    row, ribose, permease, model, strands, between
):
    contig = row(*strands, between=between)
    assert names(contig, [ribose(0), permease(len(strands) - 1)], model) == {}


def test_a_gene_too_far_off_names_nothing(row, ribose, permease, model):
    contig = row(F, F, F, F, F)
    assert names(contig, [ribose(0), permease(4)], model) == {}
    assert names(contig, [ribose(0), permease(3)], model) != {}


def test_two_transporters_on_both_sides_name_nothing(row, ribose, permease, family, model):
    xylose = family(
        "xylose ABC transporter ATP-binding protein",
        "xylose_abc_transporter_atp_binding_protein",
        gene_id="g2",
        strength="family_well_agreed",
        origin="genint_family:other",
    )
    assert names(row(F, F, F), [ribose(0), permease(1), xylose], model) == {}


def test_a_nearer_part_of_a_transporter_without_terms_names_nothing(
    row, ribose, permease, family, model
):
    strange = family(
        "hexadecane ABC transporter HexP",
        None,
        gene_id="g1",
        strength="family_well_agreed",
    )
    evidence = [ribose(0), strange, permease(1, origin="pfam:z"), permease(2)]
    assert names(row(F, F, F), evidence, model) == {}
    assert names(row(F, F), [strange, permease(1, origin="pfam:z"), permease(0)], model) == {}


def test_a_family_of_substrate_binding_proteins_gives_way_to_the_name_by_the_operon(
    row, ribose, domain, model
):
    zinc = domain(
        "PF01297",
        "zinc-uptake complex component A periplasmic",
        gene_id="g1",
        pfam="PF01297",
        specificity=Specificity.FAMILY,
        strength="pfam_family",
    )
    source = GenomeSource("x.gb", "0" * 64, FileFormat.GENBANK)
    _, found = interpret(Genome((row(F, F),), source), [ribose(0), zinc], (), model)
    claim = "ribose ABC transporter substrate-binding protein"
    assert found.interpretation.hypothesis == claim


def test_a_circle_has_no_first_gene(row, ribose, permease, model):
    circle = row(F, F, F, F, F, F, F, F, topology=Topology.CIRCULAR)
    line = row(F, F, F, F, F, F, F, F)
    evidence = [ribose(7), permease(0)]
    assert names(circle, evidence, model) == {"g0": "ribose ABC transporter permease"}
    assert names(line, evidence, model) == {}


def test_a_part_that_says_its_substrate_keeps_it(row, ribose, family, model):
    other = family(
        "xylose ABC transporter permease",
        "xylose_abc_transporter_permease",
        gene_id="g1",
        strength="family_well_agreed",
    )
    assert names(row(F, F), [ribose(0), other], model) == {}


def test_an_unsure_partner_an_exporter_and_a_pseudogene_name_nothing(
    row, ribose, permease, domain, model
):
    contig = row(F, F)
    weak = replace(ribose(0), strength="family_rival")
    assert names(contig, [weak, permease(1)], model) == {}
    exporter = domain("PF00664", "ABC transporter", gene_id="g1", pfam="PF00664", origin="pfam:x")
    assert names(contig, [ribose(0), permease(1), exporter], model) == {}
    both = domain("PF00005", "ABC transporter", gene_id="g1", pfam="PF00005", origin="pfam:y")
    assert names(contig, [ribose(0), permease(1), both], model) == {}
    decayed = replace(contig, genes=(contig.genes[0], replace(contig.genes[1], pseudo=True)))
    assert names(decayed, [ribose(0), permease(1)], model) == {}


@pytest.mark.parametrize("specificity", [Specificity.DOMAIN, Specificity.FAMILY])
def test_the_name_is_moderate_at_most_and_says_what_it_rests_on(
    row, ribose, permease, model, specificity
):
    contig = row(F, F)
    source = GenomeSource("x.gb", "0" * 64, FileFormat.GENBANK)
    evidence = [ribose(0), permease(1, specificity=specificity)]
    _, found = interpret(Genome((contig,), source), evidence, (), model)
    interpretation = found.interpretation
    assert interpretation.hypothesis == "ribose ABC transporter permease"
    assert interpretation.confidence_level is ConfidenceLevel.MODERATE
    best = interpretation.hypotheses[0]
    assert best.types == {EvidenceType.GENE_CONTEXT}
    assert best.specificity is Specificity.PROTEIN
    chain = "\n".join(interpretation.reasoning)
    assert "in one row with g0, ribose ABC transporter ATP-binding protein: parts" in chain
    assert "parts of one ABC transporter lie side by side" in chain
    assert len([item for item in best.evidence if item.type is EvidenceType.GENE_CONTEXT]) == 1


def test_a_name_by_the_operon_is_not_the_files(row, ribose, permease, annotated, model):
    own = annotated(
        "ABC transporter permease",
        gene_id="g1",
        strength="annotation_broad",
        specificity=Specificity.CATEGORY,
        product="abc_transporter_permease",
    )
    source = GenomeSource("x.gb", "0" * 64, FileFormat.GENBANK)
    evidence = [ribose(0), permease(1, origin="pfam:z"), own]
    _, found = interpret(Genome((row(F, F),), source), evidence, (), model)
    assert found.interpretation.hypothesis == "ribose ABC transporter permease"
    assert own in found.interpretation.hypotheses[0].evidence
    assert found.interpretation.basis is NameBasis.EVIDENCE
