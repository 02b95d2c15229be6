"""Doubts about a name: what they take from its score, what they say, when they are not raised."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from genint.interpret import ScoringModel, doubts_of, group_evidence, interpret, score_groups
from genint.knowledge import load_confidence, load_name_lengths, load_products, load_roles
from genint.model import (
    CalledBy,
    CallScores,
    ConfidenceLevel,
    Contig,
    FamilySupport,
    FileFormat,
    Genome,
    GenomeKind,
    GenomeSource,
    Interval,
    Location,
    Measurements,
    Specificity,
    Strand,
)

NO_SITE = CallScores(4.1, 3.0, 1.1, "ATG", None, 0.7)
SITE = replace(NO_SITE, rbs_motif="GGAG/GAGG")


@pytest.fixture(scope="module")
def shipped() -> ScoringModel:
    return ScoringModel(
        load_confidence(), load_roles(), load_products(), name_lengths=load_name_lengths()
    )


@pytest.fixture
def best(shipped, gene):
    """The leading hypothesis of a gene."""

    def of(*evidence, **changes):
        groups = group_evidence(evidence, shipped)
        return score_groups(groups, shipped, gene=gene(**changes)).hypotheses[0]

    return of


@pytest.fixture
def said(shipped, gene):
    """The doubts about a hypothesis, in words."""
    return lambda *evidence, **changes: [
        doubt.said for doubt in doubts_of(evidence, gene(**changes), shipped)
    ]


def level(hypothesis):
    return ConfidenceLevel.of(hypothesis.score)


@pytest.mark.parametrize(
    ("name", "length_aa"),
    [("iduronate sulfatase", 125), ("dextranase", 81), ("ribonucleotide reductase", 106)],
)
def test_an_enzyme_name_of_the_file_on_far_too_short_a_protein_is_low(
    annotated, best, shipped, name, length_aa
):
    product = shipped.products.find(name)
    item = annotated(name, product=product.id if product else None)
    found = best(item, protein="M" * length_aa)
    assert level(found) is ConfidenceLevel.LOW
    assert level(best(item, protein="M" * 700)) is ConfidenceLevel.MODERATE


def test_the_doubt_says_both_lengths_and_its_weight_is_an_addend(annotated, best):
    found = best(annotated("dextranase"), protein="M" * 81)
    [term] = [term for term in found.terms if term.reason.startswith("too short for its name")]
    assert term.reason == (
        "too short for its name: 81 residues; proteins named “dextranase” have 640 and more "
        "(4 counted)"
    )
    assert term.log_odds == pytest.approx(math.log(1 - 0.9))
    total = sum(term.log_odds for term in found.terms)
    assert found.score == pytest.approx(1 / (1 + math.exp(-total)), abs=1e-4)


def test_a_protein_a_domain_shorter_than_others_of_its_name_is_not_doubted(annotated, said):
    assert said(annotated("dextranase"), protein="M" * 330) == []


def test_a_name_whose_lengths_are_not_known_is_not_doubted(annotated, said):
    assert said(annotated("xylofuranate carrier"), protein="M" * 30) == []


def test_a_name_that_too_few_have_is_measured_by_its_class(annotated, said):
    [doubt] = said(annotated("xylofuranate oxidase"), protein="M" * 40)
    assert "proteins named “… oxidase” have" in doubt
    assert said(annotated("xylofuranate oxidase"), protein="M" * 120) == []
    assert said(annotated("xylofuranate oxidase inhibitor"), protein="M" * 40) == []


def test_each_function_of_a_protein_needs_its_room(annotated, said):
    name = "xylofuranate carrier / dextranase"
    [doubt] = said(annotated(name), protein="M" * 81)
    assert "proteins named “dextranase” have 640" in doubt


@pytest.mark.parametrize(
    "name",
    ["dextranase A", "dextranase fragment", "truncated dextranase", "dextranase, N-terminal part"],
)
def test_a_name_that_says_that_it_is_a_piece_is_not_doubted(annotated, said, name):
    assert said(annotated(name), protein="M" * 81) == []


def test_a_gene_that_is_cut_off_or_a_pseudogene_may_be_short(annotated, said):
    cut_off = replace(Location.simple(Interval(0, 243), Strand.FORWARD), partial_3=True)
    assert said(annotated("dextranase"), protein="M" * 81, location=cut_off) == []
    assert said(annotated("dextranase"), protein="M" * 81, pseudo=True) == []


def test_a_family_of_such_short_proteins_that_many_name_so_lifts_the_doubt(annotated, family, said):
    members = family("dextranase")
    assert said(annotated("dextranase"), members, protein="M" * 200) == []
    one_name = replace(members, support=FamilySupport(3, 1, 1, 1, 1.0, 1.0, 90.0, False))
    assert len(said(annotated("dextranase"), one_name, protein="M" * 200)) == 1
    part = replace(members, measured=Measurements(1e-9, 60.0, 25.0, 1, 190, 0.95, 0.2))
    assert len(said(annotated("dextranase"), part, protein="M" * 200)) == 1


def test_a_similar_protein_of_the_same_length_lifts_the_doubt(annotated, similar, said):
    assert said(annotated("dextranase"), similar("dextranase"), protein="M" * 200) == []


def test_where_not_even_a_part_has_room_no_family_lifts_the_doubt(annotated, family, said):
    assert len(said(annotated("dextranase"), family("dextranase"), protein="M" * 81)) == 1


def test_a_doubtful_name_makes_no_class_that_leads_instead(annotated, gene, shipped):
    item = annotated("histidyl-tRNA synthetase", product="histidyl_trna_synthetase")
    groups = group_evidence((item,), shipped)
    found = score_groups(groups, shipped, gene=gene(protein="M" * 194)).hypotheses
    assert [one.claim for one in found] == ["histidyl-tRNA synthetase"]
    assert level(found[0]) is ConfidenceLevel.LOW


def test_a_small_enzyme_of_a_class_that_has_small_members_is_not_doubted(annotated, said):
    assert said(annotated("monooxygenase"), protein="M" * 101) == []


def test_a_domain_of_a_short_protein_is_not_doubted_for_its_length(domain, said):
    assert said(domain("PF1", "dextranase"), protein="M" * 81) == []


HUMAN = "interleukin-1 receptor-associated kinase 1-binding protein"


def test_a_name_of_eukaryotes_is_told_as_it_is_with_a_doubt_and_hardly_any_score(
    domain, best, said
):
    item = domain(
        "PF04402", HUMAN, specificity=Specificity.FAMILY, strength="pfam_family", claim=HUMAN
    )
    found = best(item)
    assert found.claim == HUMAN
    assert level(found) is ConfidenceLevel.SPECULATIVE
    assert said(item) == [f"taxon: “interleukin” in “{HUMAN}” is of eukaryotes"]


def test_a_name_of_eukaryotes_never_comes_before_a_sober_one(annotated, domain, best):
    human = annotated(HUMAN, strength="annotation_experiment")
    sober = domain("PF00001", "methyl-accepting chemotaxis", strength="pfam_partial")
    assert best(human, sober).subject == "methyl-accepting chemotaxis"


def test_a_place_behind_a_function_costs_no_score(annotated, best):
    plain, placed = (
        best(annotated(f"isovaleryl-CoA dehydrogenase{place}")) for place in ("", ", mitochondrial")
    )
    assert plain.score == placed.score


def test_a_tiny_frame_without_a_ribosome_binding_site_is_no_moderate_regulator(family, best):
    item = family(
        "transcriptional regulator", specificity=Specificity.CATEGORY, strength="family_agreed"
    )
    tiny = {"protein": "M" * 29, "called_by": CalledBy.PYRODIGAL}
    found = best(item, **tiny, scores=NO_SITE)
    assert level(found) in (ConfidenceLevel.LOW, ConfidenceLevel.SPECULATIVE)
    assert any("29 residues without a ribosome binding site" in term.reason for term in found.terms)
    assert level(best(item, **tiny, scores=SITE)) is ConfidenceLevel.MODERATE


def test_a_tiny_gene_of_the_file_or_one_cut_off_is_not_doubted(family, said):
    cut_off = replace(Location.simple(Interval(0, 90), Strand.FORWARD), partial_5=True)
    assert said(family("transcriptional regulator"), protein="M" * 29) == []
    assert said(family("x"), protein="M" * 29, scores=NO_SITE, location=cut_off) == []
    assert said(family("x"), protein="M" * 41, scores=NO_SITE) == []


def test_the_doubts_of_the_leading_name_stand_first_among_the_uncertainties(
    annotated, gene, shipped
):
    item = annotated("dextranase")
    contig = Contig("c", "ACGT" * 200, genes=(gene(protein="M" * 81, product="dextranase"),))
    [result] = interpret(
        Genome((contig,), GenomeSource("x.gb", "0" * 64, FileFormat.GENBANK)), [item], [], shipped
    )
    told = result.interpretation
    assert told.uncertainties[0].startswith("too short for its name: 81 residues")
    assert any(step.startswith("Too short for its name") for step in told.reasoning)
    assert len(told.uncertainties) == len(set(told.uncertainties))


def test_a_fragment_is_low_whatever_else_speaks_for_its_name(best, annotated, family):
    protein = {"protein": "M" * 120}
    own = annotated("terminase large subunit", product="terminase_large_subunit")
    lone = FamilySupport(2, 1, 1, 1, 1.0, 1.0, 40.0, is_member=False)
    few = family("terminase large subunit", "terminase_large_subunit", support=lone)
    found = best(own, few, **protein)
    assert level(found) is ConfidenceLevel.LOW
    assert any(term.reason.startswith("too short for its name") for term in found.terms)
    whole = family("terminase large subunit", "terminase_large_subunit")
    assert level(best(own, whole, **protein)) is ConfidenceLevel.HIGH


@pytest.mark.parametrize(
    ("strength", "doubted"),
    [("family_well_agreed", False), ("family_well_agreed_lone", True)],
)
def test_a_family_of_pieces_that_one_kind_of_source_named_excuses_no_short_protein(
    family, said, best, strength, doubted
):
    portal = family("portal protein", "portal_protein", strength=strength)
    assert bool(said(portal, protein="M" * 126)) is doubted
    assert (level(best(portal, protein="M" * 126)) is ConfidenceLevel.LOW) is doubted


def test_a_class_of_long_proteins_on_a_short_one_is_doubted_too(family, best):
    item = family(
        "MFS transporter",
        "mfs_transporter",
        specificity=Specificity.CATEGORY,
        strength="family_agreed",
    )
    assert level(best(item, protein="M" * 91)) is ConfidenceLevel.LOW
    assert level(best(item, protein="M" * 400)) is ConfidenceLevel.MODERATE


def test_a_letter_that_is_part_of_the_term_marks_no_piece(annotated, said):
    name = "segregation and condensation protein B"
    scpb = annotated(name, product="segregation_and_condensation_protein_b")
    assert len(said(scpb, protein="M" * 55)) == 1
    gatb = annotated("Glutamyl-tRNA(Gln) amidotransferase subunit B")
    assert len(said(gatb, protein="M" * 71)) == 1
    for name in ("IS3 transposase A", "transposase, IS3 family, OrfA"):
        half = annotated(name, product="is3_family_transposase")
        assert said(half, protein="M" * 88) == []


def test_a_family_of_pieces_of_a_domain_lifts_no_doubt(annotated, family, domain, said):
    own, members = annotated("dextranase"), family("dextranase")
    whole = domain("PF1", "dextranase", measured=Measurements(1e-9, 60.0, 25.0, 9, 190, 0.9, 0.95))
    cut = domain("PF1", "dextranase", measured=Measurements(1e-9, 60.0, 25.0, 9, 190, 0.9, 0.4))
    assert said(own, members, whole, protein="M" * 200) == []
    assert len(said(own, members, cut, protein="M" * 200)) == 1


RUBISCO = "ribulose bisphosphate carboxylase small chain"


def test_a_name_that_no_phage_has_is_low_in_a_phage_however_often_it_was_copied(
    annotated, family, best, said
):
    cut, members = (
        annotated("ribulose-1"),
        family(RUBISCO, "ribulose_bisphosphate_carboxylase_small"),
    )
    assert level(best(members, protein="M" * 177)) is ConfidenceLevel.LOW
    assert len(said(cut, members, protein="M" * 177)) == 1


def test_a_domain_of_it_or_a_bacterium_excuses_a_name_that_no_phage_has(
    annotated, domain, shipped, gene
):
    own = annotated(RUBISCO)
    shown = domain("PF00101", "ribulose bisphosphate carboxylase, small chain")
    bacterium = replace(shipped, setting=shipped.setting._replace(kind=GenomeKind.BACTERIUM))
    assert len(doubts_of([own], gene(), shipped)) == 1
    assert doubts_of([own, shown], gene(), shipped) == ()
    assert doubts_of([own], gene(), bacterium) == ()


@pytest.fixture
def levels(gene, shipped):
    """Levels of the genes of a phage, by lengths in residues and the evidence of each."""

    def of(lengths_aa, evidence, length_bp=8_000):
        genes = tuple(
            gene(
                id=f"g{at}",
                contig="c",
                protein="M" * aa,
                location=Location.simple(Interval(at * 900, at * 900 + 600), Strand.FORWARD),
            )
            for at, aa in enumerate(lengths_aa)
        )
        genome = Genome(
            (Contig("c", "ACGT" * (length_bp // 4), genes=genes),),
            GenomeSource("x.gb", "0" * 64, FileFormat.GENBANK),
        )
        placed = [replace(item, gene_id=f"g{at}") for at, item in enumerate(evidence)]
        told = interpret(genome, placed, [], shipped)
        return [one.interpretation.confidence_level for one in told]

    return of


def test_of_what_a_phage_has_one_the_shorter_gene_of_that_name_is_low(family, levels):
    one = family("major tail protein", "major_tail_protein")
    assert levels([120], [one]) == [ConfidenceLevel.MODERATE]
    assert levels([240, 120], [one, one]) == [ConfidenceLevel.MODERATE, ConfidenceLevel.LOW]


def test_a_microvirus_has_no_terminase_and_no_tail(family, annotated, levels):
    spike = family("major spike protein", "major_spike_protein")
    for name in ("terminase", "minor tail protein"):
        doubted = levels([175, 240], [spike, annotated(name)])[1]
        assert doubted in {ConfidenceLevel.LOW, ConfidenceLevel.SPECULATIVE}
        assert levels([240], [annotated(name)]) == [ConfidenceLevel.MODERATE]
        larger = levels([175, 240], [spike, annotated(name)], length_bp=40_000)
        assert larger[1] is ConfidenceLevel.MODERATE
    replicates = levels([175, 240], [spike, annotated("replication initiation protein")])
    assert replicates[1] is ConfidenceLevel.MODERATE


def test_less_than_a_third_of_a_family_shows_no_more_than_a_motif_but_in_pieces(family, best):
    def part(covered):
        return family(
            "IS607 family transposase",
            claim="contains a region like IS607 family transposase",
            specificity=Specificity.DOMAIN,
            measured=Measurements(1e-20, 80.0, 40.0, 1, 56, 0.9, covered),
        )

    assert level(best(part(0.5), protein="M" * 56)) is ConfidenceLevel.MODERATE
    assert level(best(part(0.23), protein="M" * 56)) is ConfidenceLevel.LOW
    assert level(best(part(0.23), protein="M" * 56, pseudo=True)) is ConfidenceLevel.MODERATE
