"""Own families beside annotation and Pfam: who agrees, who leads, what counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.interpret import (
    agree,
    contradiction,
    fits,
    read_claim,
    reasoning,
    score_evidence,
    uncertainties,
)
from genint.interpret.classify import classify
from genint.model import (
    Category,
    CogSource,
    ConfidenceLevel,
    EvidenceType,
    FamilySupport,
    GenomeKind,
    GoAspect,
    GoTerm,
    Measurements,
    NameBasis,
    Specificity,
)

LARGE, SMALL, ANY = "terminase_large_subunit", "terminase_small_subunit", "terminase"


def claims(judgement, *evidence):
    return [read_claim(item, judgement) for item in evidence]


def level(hypothesis):
    return ConfidenceLevel.of(hypothesis.score)


def test_one_term_agrees_whatever_the_wording(annotated, family, judgement):
    one, other = claims(
        judgement, annotated("gp17", product=LARGE), family("packaging motor ATPase", LARGE)
    )
    assert agree(one, other)
    assert contradiction(one, other) is None


@pytest.mark.parametrize(("first", "second"), [(LARGE, ANY), (ANY, LARGE)])
def test_a_term_agrees_with_what_it_is_a_kind_of(annotated, family, judgement, first, second):
    assert agree(*claims(judgement, annotated("x", product=first), family("y", second)))


def test_opposites_contradict_even_where_words_and_pfam_would_agree(annotated, family, judgement):
    one, other = claims(
        judgement,
        annotated("terminase", product=LARGE, pfam="PF1"),
        family("terminase", SMALL, pfam="PF1"),
    )
    assert not agree(one, other)
    assert contradiction(one, other) == "the vocabulary lists the two as mutually exclusive"


def test_names_without_a_term_are_compared_as_before(annotated, family, judgement):
    assert agree(*claims(judgement, annotated("ren protein"), family("ren protein")))
    assert not agree(*claims(judgement, annotated("ren protein"), family("kil protein")))


def test_family_and_annotation_that_agree_reach_high(annotated, family, judgement):
    evidence = (
        annotated("large terminase", product=LARGE),
        family("terminase large subunit", LARGE),
    )
    (best,) = score_evidence(evidence, judgement).hypotheses
    assert best.types == {EvidenceType.ANNOTATION, EvidenceType.FAMILY}
    assert level(best) is ConfidenceLevel.HIGH


def test_family_and_pfam_that_agree_reach_high(domain, family, judgement):
    evidence = (family("integrase", "integrase"), domain("PF00589", "Phage integrase family"))
    (best,) = score_evidence(evidence, judgement).hypotheses
    assert best.types == {EvidenceType.DOMAIN, EvidenceType.FAMILY}
    assert level(best) is ConfidenceLevel.HIGH
    assert best.claim == "integrase"


def test_a_family_alone_stays_below_high(family, judgement):
    item = family("terminase large subunit", LARGE, strength="family_well_agreed")
    (best,) = score_evidence((item,), judgement).hypotheses
    assert best.score == pytest.approx(0.79)


def test_a_family_that_the_annotation_itself_named_is_no_second_type(annotated, family, judgement):
    evidence = (
        annotated("large terminase", product=LARGE),
        family("terminase large subunit", LARGE, origin="annotation:c"),
    )
    (best,) = score_evidence(evidence, judgement).hypotheses
    assert len(best.types) == 1
    assert level(best) is ConfidenceLevel.MODERATE
    assert len(best.evidence) == 2


def test_of_names_that_agree_the_narrower_leads(annotated, family, judgement):
    evidence = (
        family("terminase", ANY, strength="family_well_agreed"),
        annotated("terminase, large subunit", product=LARGE),
    )
    (best,) = score_evidence(evidence, judgement).hypotheses
    assert best.claim == "terminase, large subunit"
    assert any("less specific than the hypothesis" in term.reason for term in best.terms)


def test_a_narrower_name_too_weak_to_count_does_not_lead(annotated, family, judgement):
    evidence = (
        annotated("terminase", product=ANY),
        family("terminase large subunit", LARGE, strength="family_rival"),
    )
    assert score_evidence(evidence, judgement).hypotheses[0].claim == "terminase"


def test_opposites_are_a_conflict_and_cost_both(annotated, family, judgement):
    alone = score_evidence((family("terminase large subunit", LARGE),), judgement).hypotheses[0]
    weighed = score_evidence(
        (family("terminase large subunit", LARGE), annotated("nu1", product=SMALL)), judgement
    )
    assert weighed.hypotheses[0].score < alone.score
    assert "mutually exclusive" in weighed.conflicts[0]


def test_a_pfam_family_of_the_members_joins_but_does_not_confirm_the_name(
    domain, family, judgement
):
    item = family("repressor protein CI", None, expected_pfam=("PF01381",))
    pfam = domain("PF01381", "helix-turn-helix")
    assert fits(*claims(judgement, item, pfam))
    (best,) = score_evidence((item, pfam), judgement).hypotheses
    assert best.types == {EvidenceType.FAMILY}
    assert level(best) is ConfidenceLevel.MODERATE
    (stranger, _) = score_evidence(
        (item, domain("PF00001", "helix-turn-helix")), judgement
    ).hypotheses
    assert stranger.claim == "repressor protein CI"


def test_two_regions_of_one_protein_do_not_contradict(domain, family, judgement):
    part = family(
        "integrase",
        "integrase",
        claim="contains a region like integrase",
        specificity=Specificity.DOMAIN,
        strength="family_part",
    )
    other = domain("PF05065", "Phage capsid family")
    assert score_evidence((part, other), judgement).conflicts == ()


def test_the_term_gives_the_category_and_the_members_the_letter(family, judgement):
    term = GoTerm("GO:0019073", "viral DNA genome packaging", GoAspect.PROCESS)
    item = family("packaging motor ATPase", LARGE, cog="X", go=(term,))
    found = classify(score_evidence((item,), judgement).hypotheses, (), judgement)
    assert found.category is Category.PACKAGING
    assert (found.cog_category, found.cog_source) == ("X", CogSource.GENINT_FAMILY)
    assert term in found.go_terms


def told(gene, evidence, judgement):
    weighed = score_evidence(evidence, judgement)
    return reasoning(gene, weighed, classify(weighed.hypotheses, (), judgement))


def test_a_step_says_who_named_the_family_and_how_well_the_protein_fits(gene, family, judgement):
    steps = told(gene(), (family("terminase large subunit", LARGE),), judgement)
    assert steps[0] == (
        "genint family GF0A1B2C3D: 14 of 16 named members from 12 records are called "
        "“terminase large subunit”; residues 4-190 (E 1.0e-60; 95% of protein, 98% of profile) "
        "[+2.83]."
    )
    assert steps[-1].startswith("Score: -1.10 (start) + 2.83")


def test_a_step_says_that_the_protein_is_a_member_itself(gene, family, judgement):
    support = FamilySupport(3, 1, 1, 1, 1.0, 1.0, 100.0, is_member=True)
    steps = told(gene(), (family("terminase", ANY, support=support),), judgement)
    assert "from 1 record are called “terminase”, this very protein among them" in steps[0]


def test_caveats_of_a_family_are_uncertainties(gene, family, judgement):
    item = family("terminase", ANY, caveats=("few named members: two",))
    found = uncertainties(gene(), score_evidence((item,), judgement))
    assert found[0] == "single source: only the family names it"
    assert "few named members: two" in found


def test_a_family_and_a_domain_on_one_stretch_explain_it_once(gene, domain, family, judgement):
    place = Measurements(1e-9, 50.0, 25.0, 1, 80, 0.4, 0.9)
    evidence = (
        family("integrase", "integrase", measured=place),
        domain("PF00589", "Phage integrase family", measured=place),
    )
    found = uncertainties(gene(), score_evidence(evidence, judgement))
    assert "matches explain 40% of the protein's length" in found


def order(judgement, *evidence):
    return [hypothesis.claim for hypothesis in score_evidence(evidence, judgement).hypotheses]


def test_at_one_level_the_files_own_name_comes_before_that_of_relatives(
    annotated, family, judgement
):
    relatives = family("UDP-glucose 4-epimerase", strength="family_well_agreed")
    own = annotated("dTDP-4-dehydrorhamnose reductase")
    assert order(judgement, relatives, own)[0] == "dTDP-4-dehydrorhamnose reductase"


def test_a_hedged_name_of_the_file_has_no_such_right(annotated, family, judgement):
    relatives = family("UDP-glucose 4-epimerase", strength="family_well_agreed")
    own = annotated("dTDP-4-dehydrorhamnose reductase", strength="annotation_hedged")
    assert order(judgement, relatives, own)[0] == "UDP-glucose 4-epimerase"


def test_relatives_and_a_domain_do_not_overrule_the_file_as_a_paralogue_has_both(
    annotated, domain, family, judgement
):
    evidence = (
        annotated("cold shock protein"),
        family("integrase", "integrase"),
        domain("PF00589", "Phage integrase family"),
    )
    best, other = score_evidence(evidence, judgement).hypotheses[:2]
    assert (best.claim, other.claim) == ("cold shock protein", "integrase")
    assert ConfidenceLevel.of(other.score) is ConfidenceLevel.MODERATE
    assert "fewer than two sources distinguish from its relatives" in other.terms[-1].reason


def test_two_sources_that_each_tell_a_function_from_its_relatives_overrule_the_file(
    annotated, family, similar, judgement
):
    evidence = (
        annotated("cold shock protein"),
        family("integrase", "integrase"),
        similar("integrase", "integrase"),
    )
    best = score_evidence(evidence, judgement).hypotheses[0]
    assert best.claim == "integrase"
    assert ConfidenceLevel.of(best.score) is ConfidenceLevel.HIGH


REMOTE = Measurements(1e-9, 70.0, 25.0, 4, 190, 0.95, 0.98)
"""Fewer bits for a residue than members of a family have."""


@pytest.mark.parametrize(
    ("of_family", "of_protein"),
    [
        ({"strength": "family_doubtful"}, {}),
        ({"strength": "family_few_names"}, {}),
        ({"measured": REMOTE}, {}),
        ({}, {"strength": "homology_close"}),
        ({}, {"strength": "homology_contested"}),
    ],
)
def test_a_source_that_paralogues_fit_as_well_does_not_count_against_the_file(
    annotated, family, similar, judgement, of_family, of_protein
):
    evidence = (
        annotated("cold shock protein"),
        family("integrase", "integrase", **of_family),
        similar("integrase", "integrase", **of_protein),
    )
    found = score_evidence(evidence, judgement).hypotheses
    assert found[0].claim == "cold shock protein"
    assert all(ConfidenceLevel.of(one.score) is not ConfidenceLevel.HIGH for one in found)


def test_a_family_that_another_name_fits_nearly_as_well_tells_nothing_apart(
    annotated, family, similar, judgement
):
    evidence = (
        annotated("cold shock protein"),
        family("integrase", "integrase"),
        family("excisionase", "excisionase", strength="family_rival", origin="genint_family:GF2"),
        similar("integrase", "integrase"),
    )
    assert score_evidence(evidence, judgement).hypotheses[0].claim == "cold shock protein"


def test_where_the_file_is_hedged_a_family_and_a_domain_are_enough(
    annotated, domain, family, judgement
):
    evidence = (
        annotated("cold shock protein", strength="annotation_hedged"),
        family("integrase", "integrase"),
        domain("PF00589", "Phage integrase family"),
    )
    best = score_evidence(evidence, judgement).hypotheses[0]
    assert (best.claim, ConfidenceLevel.of(best.score)) == ("integrase", ConfidenceLevel.HIGH)


def test_evidence_of_other_enzymes_of_a_family_takes_nothing_from_the_file(
    annotated, family, judgement
):
    stated = annotated("glutamate--putrescine ligase", ec=("6.3.1.11",))
    relative = family("glutamine synthetase", "glutamine_synthetase", strength="family_doubtful")
    alone = score_evidence((stated,), judgement).hypotheses[0]
    best = score_evidence((stated, relative), judgement).hypotheses[0]
    assert (best.claim, best.score) == (alone.claim, alone.score)


def test_the_files_own_name_leads_where_evidence_shares_a_word_with_it(
    annotated, family, judgement
):
    stated = annotated("nitrogen regulation response regulator NtrC")
    relatives = family("operon response regulator activator", strength="family_well_agreed")
    best = score_evidence((stated, relatives), judgement).hypotheses[0]
    assert best.claim == stated.claim


@pytest.mark.parametrize(
    ("strength", "leads"),
    [
        ("family_well_agreed", "23S rRNA pseudouridine(2605) synthase RluB"),
        ("family_doubtful", "pseudouridine synthase"),
    ],
)
def test_a_narrower_name_leads_where_it_is_told_from_those_of_relatives(
    annotated, family, judgement, strength, leads
):
    stated = annotated("pseudouridine synthase")
    relatives = family("23S rRNA pseudouridine(2605) synthase RluB", strength=strength)
    best = score_evidence((stated, relatives), judgement).hypotheses[0]
    assert (best.claim, len(best.evidence)) == (leads, 2)


@pytest.mark.parametrize("product", ["DNA biosynthesis protein", "RNA-binding protein"])
def test_a_class_is_no_specific_name_that_evidence_would_replace(
    annotated, domain, family, judgement, product
):
    evidence = (
        annotated(product),
        family("integrase", "integrase"),
        domain("PF00589", "Phage integrase family"),
    )
    best = score_evidence(evidence, judgement).hypotheses[0]
    assert (best.claim, ConfidenceLevel.of(best.score)) == ("integrase", ConfidenceLevel.HIGH)


def test_an_uncharacterized_member_of_a_family_has_no_specific_name(annotated, family, judgement):
    stated = annotated("uncharacterized tRNA dihydrouridine synthase")
    relatives = family("tRNA-dihydrouridine synthase DusB", strength="family_well_agreed_lone")
    best = score_evidence((stated, relatives), judgement).hypotheses[0]
    assert best.claim == "tRNA-dihydrouridine synthase DusB"


def test_another_wording_of_the_files_name_may_lead(annotated, family, judgement):
    stated = annotated("major head protein")
    relatives = family(
        "major capsid protein", "major_capsid_protein", strength="family_well_agreed"
    )
    best = score_evidence((stated, relatives), judgement).hypotheses[0]
    assert (best.claim, len(best.evidence)) == ("major capsid protein", 2)


def test_a_sure_part_does_not_hide_the_function_that_the_file_states(
    annotated, domain, family, judgement
):
    evidence = (
        annotated("sulfate transporter subunit CysA"),
        domain("PF00005", "ABC transporter"),
        family(
            "ABC transporter ATP-binding protein",
            claim="contains a region like ABC transporter ATP-binding protein",
            specificity=Specificity.DOMAIN,
            strength="family_part",
        ),
    )
    best, other = score_evidence(evidence, judgement).hypotheses
    assert best.claim == "sulfate transporter subunit CysA"
    assert other.score > best.score
    assert other.verdict.startswith("less specific (")


def test_a_sure_part_comes_before_a_mere_family_name(domain, family, judgement):
    part = family(
        "ABC transporter ATP-binding protein",
        claim="contains a region like ABC transporter ATP-binding protein",
        specificity=Specificity.DOMAIN,
        strength="family_part",
        measured=Measurements(1e-60, 210.3, 61.0, 4, 190, 0.5, 0.98),
    )
    weak = family("curli assembly factor", strength="family_doubtful")
    assert order(judgement, part, domain("PF00005", "ABC transporter"), weak)[1] == weak.claim


@pytest.fixture
def regulator(family):
    """A family that covers profile and protein, whose members agree on a class."""

    def of(**changes):
        values = {
            "specificity": Specificity.CATEGORY,
            "strength": "family_well_agreed",
            "measured": Measurements(1e-99, 346.0, 61.0, 1, 237, 0.99, 0.99),
            "support": FamilySupport(16, 16, 16, 14, 1.0, 1.0, 285.0, False),
        }
        return family("transcriptional regulator", "transcriptional_regulator", **values | changes)

    return of


@pytest.fixture
def helix(domain):
    return domain("PF01381", "helix-turn-helix", aliases=("transcriptional regulator",))


def test_the_agreed_class_of_a_whole_family_leads_before_a_domain(regulator, helix, judgement):
    best = score_evidence((helix, regulator()), judgement).hypotheses[0]
    assert best.claim == "transcriptional regulator"
    assert best.specificity is Specificity.CATEGORY
    assert level(best) is ConfidenceLevel.MODERATE
    assert {item.accession for item in best.evidence} == {"GF0A1B2C3D", "PF01381"}


def test_so_does_a_class_of_most_members_beside_other_names(regulator, helix, domain, judgement):
    # Lambda's CI: 20 of 20 are called regulators, some of them after their peptidase too.
    item = regulator(
        support=FamilySupport(21, 20, 20, 31, 0.75, 0.95, 196.2, True),
        expected_pfam=("PF01381", "PF00717"),
    )
    peptidase = domain("PF00717", "peptidase S24")
    best = score_evidence((helix, peptidase, item), judgement).hypotheses[0]
    assert best.claim == "transcriptional regulator"
    assert level(best) is ConfidenceLevel.MODERATE


@pytest.mark.parametrize(
    "changes",
    [
        {"measured": Measurements(1e-9, 46.0, 25.0, 1, 60, 0.3, 0.5)},
        {"support": FamilySupport(16, 1, 1, 1, 1.0, 1.0, 285.0, False)},
        {"support": FamilySupport(16, 1, 1, 1, 1.0, 1.0, 285.0, True)},
        {"support": FamilySupport(16, 16, 8, 14, 0.55, 1.0, 285.0, False)},
        {"strength": "family_rival"},
    ],
    ids=["part", "one name", "its own name", "names differ", "rival"],
)
def test_a_class_of_a_part_or_one_that_few_agree_on_does_not(regulator, helix, judgement, changes):
    [one] = score_evidence((helix, regulator(**changes)), judgement).hypotheses
    assert one.claim == "contains a helix-turn-helix domain"


def test_a_name_of_the_whole_protein_leads_before_its_class(annotated, regulator, judgement):
    repressor = annotated("CI repressor", product="ci_repressor")
    best = score_evidence((repressor, regulator()), judgement).hypotheses[0]
    assert best.claim == "CI repressor"


def test_a_specific_name_of_the_file_loses_nothing_to_a_family_and_a_domain_of_a_relative(
    annotated, domain, family, judgement
):
    # A paralogue has the same domain, even where the domain is called after the relative.
    stated = annotated("L-erythrulose 1-phosphate isomerase", ec=("5.3.1.33",))
    relatives = family(
        "triose-phosphate isomerase",
        "triose_phosphate_isomerase",
        ec=("5.3.1.1",),
        strength="family_well_agreed",
    )
    whole = domain("PF00121", "triosephosphate isomerase", specificity=Specificity.FAMILY)
    alone = score_evidence((stated,), judgement).hypotheses[0]
    best, *others = score_evidence((stated, relatives, whole), judgement).hypotheses
    assert (best.claim, best.score) == (stated.claim, alone.score)
    assert others
    assert all(level(one) is not ConfidenceLevel.HIGH for one in others)


def test_one_function_of_two_that_the_file_names_does_not_lead(annotated, family, judgement):
    stated = annotated(
        "polynucleotide phosphorylase/polyadenylase",
        product="polyribonucleotide_nucleotidyltransferase",
    )
    relatives = family(
        "polyribonucleotide nucleotidyltransferase",
        "polyribonucleotide_nucleotidyltransferase",
        strength="family_well_agreed",
    )
    best = score_evidence((stated, relatives), judgement).hypotheses[0]
    assert (best.claim, len(best.evidence)) == (stated.claim, 2)


def test_the_enzyme_of_another_position_of_an_rna_does_not_lead(annotated, family, judgement):
    stated = annotated(
        "23S rRNA pseudouridine(2604) synthase", product="rna_pseudouridine_synthase"
    )
    relatives = family(
        "23S rRNA pseudouridine(2605) synthase RluB",
        "rrna_pseudouridine_synthase_rlub",
        strength="family_doubtful",
    )
    best = score_evidence((stated, relatives), judgement).hypotheses[0]
    assert best.claim == stated.claim


@pytest.mark.parametrize(
    "product", ["oxidoreductase, GMC family", "RNA-binding protein", "DNA biosynthesis protein"]
)
def test_in_bacteria_a_class_of_the_file_is_made_a_function_at_high_by_two_sources_only(
    annotated, domain, family, similar, bacterial, product
):
    named = (
        annotated(product),
        family("choline dehydrogenase", strength="family_well_agreed"),
        domain("PF00732", "choline dehydrogenase", specificity=Specificity.FAMILY),
    )
    found = score_evidence(named, bacterial).hypotheses
    one = next(one for one in found if one.subject == "choline dehydrogenase")
    assert level(one) is ConfidenceLevel.MODERATE
    assert "fewer than two sources distinguish from its relatives" in one.terms[-1].reason
    best = score_evidence((*named, similar("choline dehydrogenase")), bacterial).hypotheses[0]
    assert (best.claim, level(best)) == ("choline dehydrogenase", ConfidenceLevel.HIGH)


@pytest.fixture
def bacterial(judgement):
    """The same judgement in the genome of a bacterium."""
    setting = judgement.setting._replace(kind=GenomeKind.BACTERIUM)
    return replace(judgement, setting=setting)


@pytest.mark.parametrize(
    ("stated", "pfam"),
    [
        ("alpha-ketoglutarate transporter", "sugar (and other) transporter"),
        ("citrate/succinate antiporter; citrate carrier", "solute carrier family 13"),
        ("4-aminobutyrate aminotransferase, PLP-dependent", "aminotransferase class-III"),
    ],
)
def test_a_pfam_family_of_many_functions_supports_no_name_of_the_file(
    annotated, domain, judgement, stated, pfam
):
    whole = domain("PF00083", pfam, specificity=Specificity.FAMILY)
    [best, *_] = score_evidence((annotated(stated), whole), judgement).hypotheses
    assert best.claim == stated
    assert level(best) is ConfidenceLevel.MODERATE
    assert best.basis is NameBasis.FILE


def test_a_pfam_family_that_names_as_much_as_the_file_supports_it(annotated, domain, judgement):
    whole = domain("PF00290", "tryptophan synthase alpha chain", specificity=Specificity.FAMILY)
    stated = annotated("tryptophan synthase alpha chain")
    [best] = score_evidence((stated, whole), judgement).hypotheses
    assert best.basis is NameBasis.EVIDENCE


def test_two_sources_of_which_one_is_weak_are_no_single_source(gene, annotated, family, judgement):
    file = annotated("terminase large subunit")
    weak = family("terminase large subunit", strength="family_remnant")
    found = uncertainties(gene(), score_evidence((file, weak), judgement))
    assert found[0] == "the file names it; the family agrees, too weakly for HIGH"
