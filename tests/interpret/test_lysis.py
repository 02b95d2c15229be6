"""An unnamed small membrane protein beside the endolysin is named as the phage's holin."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.interpret import ScoringModel, interpret
from genint.interpret.grouping import group_evidence
from genint.interpret.lysis import holins
from genint.interpret.scoring import score_groups
from genint.knowledge import Setting, load_confidence, load_gene_order, load_products, load_roles
from genint.model import (
    ConfidenceLevel,
    Contig,
    EvidenceType,
    FeatureKind,
    FileFormat,
    Genome,
    GenomeKind,
    GenomeSource,
    Interval,
    Location,
    SequenceFeature,
    Specificity,
    Strand,
)

LENGTH_BP, BETWEEN_BP = 600, 20
F, R = Strand.FORWARD, Strand.REVERSE
MEMBRANE = tuple(
    SequenceFeature(FeatureKind.TRANSMEMBRANE, first, first + 18, 2.0, "made up")
    for first in (10, 40, 70)
)


@pytest.fixture(scope="module")
def model() -> ScoringModel:
    setting = Setting("offline", GenomeKind.PHAGE)
    return ScoringModel(
        load_confidence(), load_roles(), load_products(), setting, gene_order=load_gene_order()
    )


@pytest.fixture
def phage(gene):
    """A contig with small genes in a row, each on its strand, a few bases between them."""

    def make(*strands, between_bp=BETWEEN_BP, **of_gene):
        genes = []
        for number, strand in enumerate(strands):
            start = number * (LENGTH_BP + between_bp)
            place = Location.simple(Interval(start, start + LENGTH_BP), strand)
            values = {"protein": "M" * 100} | of_gene
            genes.append(gene(id=f"g{number}", location=place, **values))
        size = len(strands) * (LENGTH_BP + between_bp)
        return Contig("c", "A" * size, genes=tuple(genes))

    return make


@pytest.fixture
def named(family):
    def make(number, name="endolysin", product="endolysin", **changes):
        values = {"gene_id": f"g{number}", "strength": "family_well_agreed"} | changes
        return family(name, product, **values)

    return make


def told(contig, evidence, segments, model, in_phage=None):
    """The genes that are named, and after which endolysin."""
    of_genes = [[item for item in evidence if item.gene_id == gene.id] for gene in contig.genes]
    alone = [
        score_groups(group_evidence(items, model), model, gene=gene)
        for gene, items in zip(contig.genes, of_genes, strict=True)
    ]
    features = {f"g{number}": MEMBRANE[:many] for number, many in segments.items()}
    ids = {gene.id for gene in contig.genes} if in_phage is None else in_phage
    found = holins(contig, alone, features, ids, model)
    return {contig.genes[at].id: item.origin for at, item in found.items()}


@pytest.mark.parametrize("strand", [F, R])
@pytest.mark.parametrize(("holin", "lysin"), [(1, 2), (2, 1)])
def test_the_gene_beside_the_endolysin_on_either_side_is_the_holin(
    phage, named, model, strand, holin, lysin
):
    contig = phage(strand, strand, strand, strand)
    found = told(contig, [named(lysin)], {holin: 2}, model)
    assert found == {f"g{holin}": f"endolysin:g{lysin}"}


@pytest.mark.parametrize("segments", [0, 1])
def test_fewer_than_two_segments_are_no_holin(phage, named, model, segments):
    assert told(phage(F, F), [named(1)], {0: segments}, model) == {}
    assert told(phage(F, F), [named(1)], {0: 2}, model) != {}


@pytest.mark.parametrize("residues", [39, 201])
def test_neither_a_scrap_nor_a_large_protein_is_a_holin(phage, named, model, residues):
    assert told(phage(F, F, protein="M" * residues), [named(1)], {0: 2}, model) == {}


def test_the_other_strand_a_gap_and_a_gene_between_are_not_crossed(phage, named, model):
    assert told(phage(R, F), [named(1)], {0: 2}, model) == {}
    assert told(phage(F, F, between_bp=151), [named(1)], {0: 2}, model) == {}
    assert told(phage(F, F, F), [named(2)], {0: 2}, model) == {}


def test_two_candidates_or_another_holin_name_nothing(phage, named, model):
    contig = phage(F, F, F, F)
    assert told(contig, [named(1)], {0: 2, 2: 2}, model) == {}
    holin = named(3, "holin", "holin", origin="genint_family:other")
    assert told(contig, [named(2), holin], {1: 2}, model) == {}
    far = phage(*[F] * 25)
    evidence = [named(2), replace(holin, gene_id="g23")]
    assert told(far, evidence, {1: 2}, model) == {}
    bacterium = replace(model, setting=Setting("offline", GenomeKind.BACTERIUM))
    assert told(far, evidence, {1: 2}, bacterium) == {"g1": "endolysin:g2"}
    near = [named(2), replace(holin, gene_id="g20")]
    assert told(far, near, {1: 2}, bacterium) == {}


def test_what_has_a_name_or_no_reading_frame_or_lies_outside_a_phage_stays(phage, named, model):
    contig = phage(F, F)
    spanin = named(0, "inner membrane spanin", "inner_spanin", origin="genint_family:other")
    assert told(contig, [named(1), spanin], {0: 2}, model) == {}
    decayed = replace(contig, genes=(replace(contig.genes[0], pseudo=True), contig.genes[1]))
    assert told(decayed, [named(1)], {0: 2}, model) == {}
    assert told(contig, [named(1)], {0: 2}, model, in_phage=()) == {}


@pytest.mark.parametrize(
    "changes",
    [
        {"strength": "family_doubtful_lone"},
        {"specificity": Specificity.DOMAIN, "strength": "family_part"},
        {"name": "tail-associated lysin", "product": "tail_associated_lysin"},
    ],
)
def test_an_endolysin_has_to_be_sure_and_no_enzyme_of_the_tail(phage, named, model, changes):
    assert told(phage(F, F), [named(1, **changes)], {0: 2}, model) == {}


def test_the_name_is_moderate_and_says_what_it_rests_on(phage, named, model):
    source = GenomeSource("x.gb", "0" * 64, FileFormat.GENBANK)
    genome = Genome((phage(F, F, F),), source)
    found, _, nothing = interpret(genome, [named(1)], (), model, {"g0": MEMBRANE})
    interpretation = found.interpretation
    assert interpretation.hypothesis == "holin"
    assert interpretation.confidence_level is ConfidenceLevel.MODERATE
    best = interpretation.hypotheses[0]
    assert best.types == {EvidenceType.GENE_CONTEXT}
    assert len(best.evidence) == 1, "neighbours count once"
    chain = "\n".join(interpretation.reasoning)
    assert "100 residues with 3 transmembrane segments, beside g1, endolysin" in chain
    assert nothing.interpretation is None
