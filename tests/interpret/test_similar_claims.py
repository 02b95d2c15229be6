"""What similar proteins do to hypotheses, their words and their classification."""

from __future__ import annotations

import pytest

from genint.interpret import (
    agree,
    evidence_sentence,
    interpret,
    read_claim,
    score_evidence,
    uncertainties,
)
from genint.interpret.classify import classify
from genint.model import (
    CogSource,
    ConfidenceLevel,
    Contig,
    EvidenceSource,
    EvidenceType,
    FileFormat,
    Genome,
    GenomeSource,
    GoAspect,
    GoTerm,
    Measurements,
    Specificity,
)

REMOTE = {
    "strength": "homology_remote",
    "specificity": Specificity.FAMILY,
    "claim": "threonine synthase family protein",
}
PART = {
    "strength": "homology_part",
    "specificity": Specificity.DOMAIN,
    "claim": "contains a region like threonine synthase",
}


def test_similar_proteins_alone_stay_below_high(similar, judgement):
    mine = similar("portal protein", origin="protein:mine", source=EvidenceSource.USER_PROTEINS)
    (best,) = score_evidence((similar("portal protein"), mine), judgement).hypotheses
    assert best.types == {EvidenceType.HOMOLOGY}
    assert ConfidenceLevel.of(best.score) is ConfidenceLevel.MODERATE


@pytest.mark.parametrize(("strength"), ["homology_near", "homology_close"])
def test_a_close_protein_and_a_family_of_its_name_reach_high(similar, family, judgement, strength):
    evidence = (similar("portal protein", strength=strength), family("portal protein"))
    best, *_ = score_evidence(evidence, judgement).hypotheses
    assert best.types == {EvidenceType.HOMOLOGY, EvidenceType.FAMILY}
    assert ConfidenceLevel.of(best.score) is ConfidenceLevel.HIGH


@pytest.mark.parametrize(
    "strength",
    ["homology_contested", "homology_remote", "homology_distant", "homology_part",
     "homology_rival"],
)  # fmt: skip
def test_weak_similarity_is_no_second_type(similar, family, judgement, strength):
    evidence = (similar("portal protein", strength=strength), family("portal protein"))
    best, *_ = score_evidence(evidence, judgement).hypotheses
    assert best.types == {EvidenceType.FAMILY}
    assert ConfidenceLevel.of(best.score) is not ConfidenceLevel.HIGH


def test_an_entry_with_the_origin_of_the_family_adds_nothing(similar, family, judgement):
    origin = "genint_family:GF0A1B2C3D"
    evidence = (similar("portal protein", origin=origin), family("portal protein"))
    best, *_ = score_evidence(evidence, judgement).hypotheses
    alone, *_ = score_evidence((similar("portal protein"),), judgement).hypotheses
    assert len(best.types) == 1
    assert best.score <= alone.score


def test_a_remote_name_does_not_lead_a_domain_that_both_have(similar, domain, judgement):
    evidence = (similar("threonine synthase", **REMOTE), domain("PF1", "threonine synthase"))
    best, *_ = score_evidence(evidence, judgement).hypotheses
    assert best.claim == "contains a threonine synthase domain"
    assert len(best.evidence) == 2


def test_a_remote_name_alone_is_a_low_hypothesis(similar, judgement):
    (best,) = score_evidence((similar("threonine synthase", **REMOTE),), judgement).hypotheses
    assert best.claim == "threonine synthase family protein"
    assert ConfidenceLevel.of(best.score) is ConfidenceLevel.LOW


def test_a_pfam_family_of_the_entry_fits_it_without_confirming_its_name(similar, domain, judgement):
    with_pfam = similar("threonine synthase", expected_pfam=("PF00291",))
    best, *_ = score_evidence(
        (with_pfam, domain("PF00291", "Pyridoxal phosphate")), judgement
    ).hypotheses
    assert len(best.evidence) == 2
    assert best.types == {EvidenceType.HOMOLOGY}


def test_go_terms_of_one_protein_are_no_other_names_of_it(similar, domain, judgement):
    term = GoTerm("GO:0009408", "response to heat", GoAspect.PROCESS)
    entry = read_claim(similar("protease Do", go=(term,)), judgement)
    assert not agree(entry, read_claim(domain("PF1", "heat response"), judgement))


def test_opposites_are_a_conflict(similar, family, judgement):
    evidence = (similar("lysozyme inhibitor"), family("lysozyme"))
    weighed = score_evidence(evidence, judgement)
    assert len(weighed.hypotheses) == 2
    assert weighed.conflicts


def test_the_letter_of_a_similar_protein_comes_behind_that_of_the_family(
    similar, family, domain, judgement
):
    def classified(*evidence):
        found = classify(score_evidence(evidence, judgement).hypotheses, (), judgement)
        return found.cog_category, found.cog_source

    entry = similar("threonine synthase", cog="E")
    hit = domain("PF1", "threonine synthase", cog="R")
    assert classified(entry, hit) == ("E", CogSource.HOMOLOGY)
    own = family("threonine synthase", cog="H")
    assert classified(entry, hit, own) == ("H", CogSource.GENINT_FAMILY)


def test_the_sentence_names_protein_organism_identity_and_both_coverages(similar):
    assert evidence_sentence(similar("DNA polymerase III subunit alpha")) == (
        "Swiss-Prot 2026_03 P12345 (DNA polymerase III subunit alpha, Escherichia coli): "
        "63% identical over residues 5-1155 (E 1.0e-200; 99% of protein, 98% of that protein); "
        "so the protein may be called “DNA polymerase III subunit alpha”."
    )


@pytest.mark.parametrize(
    ("changes", "end"),
    [
        (REMOTE, "so the protein may be a relative, “threonine synthase family protein”."),
        (PART, "so the protein contains a region like threonine synthase."),
        (
            {"specificity": Specificity.CATEGORY},
            "so the protein may be of the class “threonine synthase”.",
        ),
    ],
)
def test_the_sentence_claims_no_more_than_the_evidence(similar, changes, end):
    assert evidence_sentence(similar("threonine synthase", **changes)).endswith(end)


def test_doubts_of_the_similarity_are_doubts_of_the_gene(gene, similar, judgement):
    part = similar(
        "threonine synthase",
        measured=Measurements(1e-9, 60.0, None, 1, 30, 0.3, 0.4, identity=0.8),
        caveats=("nearly as similar to P2, “enolase”",),
        **PART,
    )
    found = " / ".join(uncertainties(gene(), score_evidence((part,), judgement)))
    for doubt in (
        "single source: only the similar protein shows it",
        "nearly as similar to P2",
        "partial match: 40% of protein P12345 is covered",
        "matches explain 30% of the protein's length",
    ):
        assert doubt in found


def test_a_region_like_a_protein_is_not_shown_as_that_protein(gene, similar, judgement):
    genome = Genome(
        (Contig("c", "A" * 900, genes=(gene(),)),),
        GenomeSource("x.fa", "0" * 64, FileFormat.FASTA),
        (),
    )
    (told,) = interpret(genome, (similar("threonine synthase", **PART),), (), judgement)
    assert told.normalized_product == "protein with a region like threonine synthase"


@pytest.mark.parametrize(
    ("blocker", "target"),
    [
        ("lysozyme inhibitor", "endolysin"),
        ("inhibitor of g-type lysozyme", "lysozyme"),
        ("antirepressor", "CI repressor"),
        ("anti-repressor protein Ant", "transcriptional repressor"),
        ("protease inhibitor", "serine protease"),
        ("anti-sigma factor", "sigma factor"),
        ("integrin antagonist", "integrin"),
        ("antiholin", "holin"),
    ],
)
def test_what_blocks_a_protein_is_no_other_word_for_it(similar, family, judgement, blocker, target):
    def product(name):
        known = judgement.products.find(name)
        return known.id if known else None

    one = similar(blocker, product=product(blocker))
    other = family(target, product=product(target))
    weighed = score_evidence((one, other), judgement)
    alone, *_ = score_evidence((other,), judgement).hypotheses
    assert len(weighed.hypotheses) == 2
    assert weighed.conflicts
    assert all(hypothesis.score < alone.score for hypothesis in weighed.hypotheses)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("lysozyme inhibitor", "lysozyme inhibitor PliC"),
        ("antirepressor protein Ant", "antirepressor"),
        ("sodium/proton antiporter", "sodium/proton antiporter NhaA"),
    ],
)
def test_two_blockers_of_one_protein_do_not_contradict(similar, family, judgement, one, other):
    assert score_evidence((similar(one), family(other)), judgement).conflicts == ()


def test_of_two_names_under_one_limit_the_better_founded_leads(similar, family, judgement):
    evidence = (
        family("terminase large subunit", strength="family_well_agreed"),
        similar("amazing hydrolase", strength="homology_close"),
    )
    best, rival = score_evidence(evidence, judgement).hypotheses
    assert best.claim == "terminase large subunit"
    assert best.score == rival.score
    assert rival.verdict == "weaker evidence, although both scores are limited to 0.79"


def test_two_names_that_are_as_well_founded_are_said_to_be(similar, judgement):
    mine = similar("amazing hydrolase", source=EvidenceSource.USER_PROTEINS)
    _, rival = score_evidence((similar("terminase large subunit"), mine), judgement).hypotheses
    assert "the order of the two has no meaning" in rival.verdict


def test_two_sound_names_for_the_whole_protein_are_an_uncertainty(similar, family, judgement, gene):
    def doubts(*evidence):
        return uncertainties(gene(), score_evidence(evidence, judgement))

    one = family("terminase large subunit", strength="family_well_agreed")
    told = (
        "two names for the whole protein, “terminase large subunit” (0.79) and “amazing "
        "hydrolase” (0.79): unless they mean one thing, at most one is right"
    )
    assert told in doubts(one, similar("amazing hydrolase"))
    for other in (
        similar("terminase, large subunit"),
        similar("amazing hydrolase", strength="homology_contested"),
        similar("amazing hydrolase", specificity=Specificity.DOMAIN),
        similar("amazing hydrolase", measured=Measurements(protein_from=900, protein_to=990)),
    ):
        apart = family(
            "terminase large subunit", measured=Measurements(protein_from=1, protein_to=500)
        )
        assert not any("two names" in doubt for doubt in doubts(apart, other))
