import itertools
import math
from dataclasses import replace

import pytest

from genint.interpret import NeighbourEvidence, score_evidence
from genint.model import (
    Category,
    ConfidenceLevel,
    Evidence,
    EvidenceSource,
    EvidenceType,
    GenomeKind,
    Measurements,
    Specificity,
)
from genint.model.interpretation import NameBasis, Says

MURC = "udp_n_acetylmuramate_l_alanine_ligase"


def around(log_odds):
    """What neighbours say, by category."""
    item = Evidence(
        gene_id="g1",
        source=EvidenceSource.GENE_CONTEXT,
        type=EvidenceType.GENE_CONTEXT,
        specificity=Specificity.CATEGORY,
        claim="lies among genes of the head",
        subject="head and capsid",
        label="between two genes of the head",
        strength="gene_context",
        origin="context",
        eco="ECO:0000177",
    )
    return NeighbourEvidence(item, log_odds)


def score_of_terms(hypothesis):
    return 1 / (1 + math.exp(-sum(term.log_odds for term in hypothesis.terms)))


def test_no_evidence_gives_no_hypothesis(judgement):
    assert score_evidence((), judgement).hypotheses == ()


def test_one_type_of_evidence_stays_below_high_however_strong(annotated, judgement):
    item = annotated("portal protein", strength="annotation_experiment")
    (best,) = score_evidence((item,), judgement).hypotheses
    assert best.score == pytest.approx(0.79)
    assert ConfidenceLevel.of(best.score) is ConfidenceLevel.MODERATE


def test_two_independent_types_that_agree_reach_high(annotated, domain, judgement):
    evidence = (annotated("portal protein"), domain("PF05136", "Phage portal protein"))
    (best,) = score_evidence(evidence, judgement).hypotheses
    assert best.types == {EvidenceType.ANNOTATION, EvidenceType.DOMAIN}
    assert ConfidenceLevel.of(best.score) is ConfidenceLevel.HIGH
    assert best.claim == "portal protein"


@pytest.mark.parametrize("source", [EvidenceSource.PFAM, EvidenceSource.INTERPRO])
@pytest.mark.parametrize(
    ("class_", "log_odds", "counts"),
    [
        ("measured", 0.3, True),
        ("measured", 0.1, False),
        ("chosen", 0.3, False),
        ("chosen", 0.5, True),
    ],
)
def test_what_adds_little_is_a_type_where_that_was_measured_and_not_where_it_was_chosen(
    annotated, domain, judgement, source, class_, log_odds, counts
):
    adding = replace(judgement.calibration, says_less={EvidenceType.DOMAIN: log_odds})
    calibrations = {**judgement.parameters.calibrations, judgement.setting: adding}
    chosen = judgement.parameters.chosen | ({"pfam_domain"} if class_ == "chosen" else set())
    parameters = replace(judgement.parameters, calibrations=calibrations, chosen=chosen)
    evidence = (
        annotated("portal protein"),
        domain("PF05136", "Phage portal protein", source=source),
    )
    best, *_ = score_evidence(evidence, replace(judgement, parameters=parameters)).hypotheses
    assert (EvidenceType.DOMAIN in best.types) is counts


def test_two_domains_are_one_type_and_stay_below_high(domain, judgement):
    evidence = (
        domain("PF1", "Phage integrase family"),
        domain("PF2", "Phage integrase, N-terminal SAM-like"),
    )
    (best,) = score_evidence(evidence, judgement).hypotheses
    assert ConfidenceLevel.of(best.score) is ConfidenceLevel.MODERATE


def test_one_origin_counts_once(annotated, judgement):
    (once,) = score_evidence((annotated("portal protein"),), judgement).hypotheses
    (twice,) = score_evidence((annotated("portal protein"),) * 2, judgement).hypotheses
    assert twice.score == once.score
    assert len(twice.evidence) == 2


def test_every_score_is_the_logistic_of_its_printed_terms(annotated, domain, judgement):
    evidence = (
        annotated("lysozyme inhibitor"),
        domain("PF1", "Phage lysozyme"),
        domain("PF2", "ABC transporter", strength="pfam_partial"),
    )
    for hypothesis in score_evidence(evidence, judgement).hypotheses:
        assert hypothesis.score == pytest.approx(score_of_terms(hypothesis), abs=1e-4)


def test_the_most_specific_claim_leads_its_hypothesis(annotated, domain, judgement):
    evidence = (domain("PF05136", "Phage portal protein"), annotated("portal protein"))
    best = score_evidence(evidence, judgement).hypotheses[0]
    assert best.specificity is Specificity.PROTEIN


def test_a_domain_alone_names_only_the_domain(domain, judgement):
    best = score_evidence((domain("PF05136", "Phage portal protein"),), judgement).hypotheses[0]
    assert best.claim.startswith("contains a ")


def test_contradiction_lowers_both_sides_and_is_named(annotated, domain, judgement):
    inhibitor, enzyme = annotated("lysozyme inhibitor"), domain("PF1", "Phage lysozyme")
    alone = score_evidence((inhibitor,), judgement).hypotheses[0]
    contested = score_evidence((inhibitor, enzyme), judgement)
    assert {h.claim for h in contested.hypotheses} == {inhibitor.claim, enzyme.claim}
    assert all(h.score < alone.score for h in contested.hypotheses)
    assert len(contested.conflicts) == 1
    assert "lysozyme inhibitor" in contested.conflicts[0]


def test_unrelated_claims_compete_without_hurting_each_other(annotated, domain, judgement):
    evidence = (annotated("threonine synthase"), domain("PF00291", "PLP-dependent enzyme"))
    weighed = score_evidence(evidence, judgement)
    alone = score_evidence(evidence[:1], judgement).hypotheses[0]
    assert weighed.hypotheses[0].score == alone.score
    assert weighed.conflicts == ()
    assert weighed.hypotheses[1].verdict


def test_the_order_of_evidence_does_not_matter(annotated, domain, judgement):
    evidence = (
        annotated("tail fiber protein"),
        domain("PF1", "Phage tail fibre repeat"),
        domain("PF00589", "Phage integrase family"),
        domain("PF2", "ABC transporter", strength="pfam_partial"),
    )
    expected = score_evidence(evidence, judgement)
    for shuffled in itertools.permutations(evidence):
        assert score_evidence(shuffled, judgement) == expected


def test_evidence_of_an_unknown_class_is_refused(annotated, judgement):
    with pytest.raises(KeyError):
        score_evidence((annotated("portal protein", strength="rumour"),), judgement)


def test_a_fragment_of_a_profile_does_not_make_high(annotated, domain, judgement):
    part = Measurements(1e-9, 30.0, 25.0, 3, 60, 0.3, 0.5)
    fragment = domain("PF05136", "Phage portal protein", strength="pfam_partial", measured=part)
    (best,) = score_evidence((annotated("portal protein"), fragment), judgement).hypotheses
    assert ConfidenceLevel.of(best.score) is ConfidenceLevel.MODERATE
    assert len(best.evidence) == 2


def test_a_function_leads_before_a_domain_of_the_same_level(annotated, domain, judgement):
    evidence = (
        annotated("putative rhubarb synthase", strength="annotation_hedged"),
        domain("PF1", "cupin"),
        domain("PF2", "cupin, second"),
    )
    hypotheses = score_evidence(evidence, judgement).hypotheses
    assert hypotheses[0].claim == "putative rhubarb synthase"
    assert hypotheses[1].score > hypotheses[0].score


def test_neighbours_raise_a_name_of_their_category_and_can_be_the_second_type(family, judgement):
    name = family("portal protein", "portal_protein", strength="family_well_agreed")
    alone = score_evidence((name,), judgement).hypotheses[0]
    beside = score_evidence(
        (name,), judgement, around({Category.PACKAGING: 2.0, Category.HEAD: 2.0})
    )
    best = beside.hypotheses[0]
    assert alone.types == {EvidenceType.FAMILY}
    assert best.types == {EvidenceType.FAMILY, EvidenceType.GENE_CONTEXT}
    assert ConfidenceLevel.of(alone.score) is ConfidenceLevel.MODERATE
    assert ConfidenceLevel.of(best.score) is ConfidenceLevel.HIGH


def test_neighbours_of_another_module_lower_a_name_and_are_no_type(family, judgement):
    name = family("portal protein", "portal_protein", strength="family_few_names")
    [alone] = score_evidence((name,), judgement).hypotheses
    elsewhere = around({Category.PACKAGING: -2.0, Category.HEAD: -2.0, Category.LYSIS: 2.0})
    told = {one.claim: one for one in score_evidence((name,), judgement, elsewhere).hypotheses}
    assert told["portal protein"].score < alone.score
    assert told["portal protein"].types == alone.types


def test_neighbours_make_no_hypothesis(judgement):
    assert score_evidence((), judgement, around({Category.TAIL: 2.0})).hypotheses == ()


def test_a_part_never_reaches_high(domain, family, judgement):
    evidence = (
        domain("PF00005", "ABC transporter"),
        family(
            "ABC transporter",
            claim="contains a region like ABC transporter",
            specificity=Specificity.DOMAIN,
            strength="family_part",
        ),
    )
    best = score_evidence(evidence, judgement).hypotheses[0]
    assert len(best.types) > 1
    assert best.score == pytest.approx(0.79)


def test_agreement_below_the_mark_for_high_stays_below_high(annotated, domain, judgement):
    strict = replace(judgement.calibration, least_for_high=0.99)
    parameters = replace(judgement.parameters, calibrations={judgement.setting: strict})
    marked = replace(judgement, parameters=parameters)
    evidence = (annotated("portal protein"), domain("PF05136", "Phage portal protein"))
    assert (
        ConfidenceLevel.of(score_evidence(evidence, judgement).hypotheses[0].score).value == "HIGH"
    )
    best = score_evidence(evidence, marked).hypotheses[0]
    assert best.score == pytest.approx(0.79)
    assert best.terms[-1].reason == "limit for what does not reach 0.99"


def test_a_name_that_is_not_borne_out_stands_behind_a_surer_class(family, domain, judgement):
    bold = family("rhubarb synthase", strength="family_rival")
    class_ = domain("PF00005", "ABC transporter", strength="pfam_family")
    best, other = score_evidence((bold, class_), judgement).hypotheses
    assert best.claim == class_.claim
    assert other.claim == bold.claim
    assert other.verdict


def test_where_a_name_is_doubtful_its_class_is_told_before_it(family, judgement):
    doubtful = family("portal protein", "portal_protein", strength="family_rival")
    best, name = score_evidence((doubtful,), judgement).hypotheses
    assert (best.claim, best.specificity) == ("head protein", Specificity.CATEGORY)
    assert name.claim == "portal protein"
    assert best.score > name.score
    assert "wider than “portal protein”" in [term.reason for term in best.terms]
    assert best.evidence[0].original_name == "portal protein"
    assert not best.evidence[0].ec


def test_a_name_that_is_borne_out_needs_no_class(family, judgement):
    sure = family("portal protein", "portal_protein", strength="family_well_agreed")
    assert [one.claim for one in score_evidence((sure,), judgement).hypotheses] == [
        "portal protein"
    ]


def test_the_files_own_function_is_not_outshone_by_a_relatives(
    annotated, family, domain, judgement
):
    stated = annotated("UDP-N-acetylmuramate--L-alanine ligase", product=MURC)
    relative = family(
        "murein peptide ligase", "murein_peptide_ligase", strength="family_well_agreed"
    )
    fits = domain("PF01225", "murein peptide ligase", strength="pfam_domain")
    strict = replace(judgement.calibration, differing=-2.0)
    parameters = replace(judgement.parameters, calibrations={judgement.setting: strict})
    told = score_evidence((stated, relative, fits), replace(judgement, parameters=parameters))
    best, other = told.hypotheses[:2]
    assert best.claim == stated.claim
    assert "another name is supported too: UDP" in " ".join(t.reason for t in other.terms)
    assert not any("another name" in term.reason for term in best.terms)


def test_a_wider_name_is_no_rival_of_the_files_and_only_its_class(annotated, domain, judgement):
    wider = domain(
        "PF13416",
        "bacterial extracellular solute-binding protein",
        specificity=Specificity.FAMILY,
        claim="bacterial extracellular solute-binding protein",
        strength="pfam_family",
    )
    name = "spermidine/putrescine ABC transporter periplasmic binding protein"
    told = score_evidence((annotated(name), wider), judgement)
    best, *others = told.hypotheses
    assert (best.claim, others) == (name, [])
    assert best.basis is NameBasis.FILE
    assert [term.says for term in best.beyond_file] == [Says.CLASS]


def test_what_the_file_likens_a_bacterial_protein_to_is_high_only_where_a_source_tells(
    annotated, family, domain, judgement
):
    name = "glycine cleavage system protein GcvH"
    liked = annotated("GcvH-like lipoyl attachment protein", strength="annotation_hedged")
    fits = domain("PF01597", name, strength="pfam_family", specificity=Specificity.FAMILY)
    setting = judgement.setting._replace(kind=GenomeKind.BACTERIUM)
    parameters = replace(judgement.parameters, calibrations={setting: judgement.calibration})
    model = replace(judgement, setting=setting, parameters=parameters)
    few = family(name, strength="family_doubtful")
    told = score_evidence((liked, few, fits), model).hypotheses[0]
    assert ConfidenceLevel.of(told.score) is not ConfidenceLevel.HIGH
    sure = family(name, strength="family_well_agreed")
    assert (
        ConfidenceLevel.of(score_evidence((liked, sure, fits), model).hypotheses[0].score)
        is ConfidenceLevel.HIGH
    )
    relative = annotated("lipoyl attachment protein, GcvH-like", strength="annotation_hedged")
    best = score_evidence((relative, sure, fits), model).hypotheses[0]
    assert ConfidenceLevel.of(best.score) is ConfidenceLevel.MODERATE


@pytest.mark.parametrize(
    ("kind", "agreeing", "also", "high"),
    [
        (GenomeKind.BACTERIUM, 14, (), True),
        (GenomeKind.BACTERIUM, 8, (), False),
        (GenomeKind.BACTERIUM, 8, ("file",), True),
        (GenomeKind.PHAGE, 8, (), True),
    ],
    ids="majority minority minority-and-file phage".split(),
)
def test_neither_domain_nor_neighbours_bear_out_the_name_of_a_minority_in_bacteria(
    family, domain, annotated, judgement, kind, agreeing, also, high
):
    named = family("portal protein", "portal_protein", strength="family_well_agreed")
    named = replace(named, support=replace(named.support, agreeing=agreeing, named_members=16))
    evidence = [named, domain("PF05136", "Phage portal protein")]
    evidence += [annotated("portal protein")] if also else []
    model = replace(judgement, setting=judgement.setting._replace(kind=kind))
    best = score_evidence(evidence, model, around({Category.PACKAGING: 4.0})).hypotheses[0]
    assert (ConfidenceLevel.of(best.score) is ConfidenceLevel.HIGH) is high
    assert best.types == {EvidenceType.FAMILY} if not high else len(best.types) > 1


def test_a_name_by_a_domain_is_moderate_at_most_unless_a_whole_family_gives_it(
    family, domain, judgement
):
    named = domain(
        "PF05136",
        "portal protein",
        claim="portal protein",
        specificity=Specificity.FAMILY,
        strength="pfam_named",
        product="portal_protein",
        measured=Measurements(1e-80, 300.0, 25.0, 3, 190, 0.8, 0.95),
    )
    neighbours = around(dict.fromkeys(Category, 4.0))
    alone = score_evidence([named], judgement, neighbours).hypotheses[0]
    assert alone.types == {EvidenceType.DOMAIN, EvidenceType.GENE_CONTEXT}
    assert ConfidenceLevel.of(alone.score) is ConfidenceLevel.MODERATE
    whole = family("portal protein", "portal_protein", strength="family_well_agreed")
    both = score_evidence([named, whole], judgement, neighbours).hypotheses[0]
    assert ConfidenceLevel.of(both.score) is ConfidenceLevel.HIGH
