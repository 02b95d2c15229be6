"""What online services say of a gene besides naming it, and names that come back."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from genint.interpret import (
    ScoringModel,
    ServiceNotes,
    evidence_sentence,
    group_evidence,
    interpret,
    score_evidence,
    score_groups,
    spurious_terms,
)
from genint.knowledge import load_confidence, load_products, load_roles
from genint.model import (
    AnswerState,
    Contig,
    Evidence,
    EvidenceSource,
    EvidenceType,
    FileFormat,
    Genome,
    GenomeSource,
    OnlineService,
    ServiceAnswer,
    Specificity,
)
from training.confidence.stated import read_stated

ANSWER = ServiceAnswer(OnlineService.UNIPROT, AnswerState.NOT_IN_DATABASE, "2026_03")
SPURIOUS = Evidence(
    gene_id="g1",
    source=EvidenceSource.INTERPRO,
    type=EvidenceType.GENE_CALL,
    specificity=Specificity.PROTEIN,
    claim="looks like a spurious protein",
    subject="spurious protein",
    label="ANF00001 made-up translation (E 1.0e-20)",
    strength="antifam",
    origin="antifam:ANF00001",
    eco="ECO:0000256",
    accession="ANF00001",
)


@pytest.fixture(scope="module")
def shipped() -> ScoringModel:
    """The classes of online evidence have their weights in what ships."""
    return ScoringModel(load_confidence(), load_roles(), load_products())


@pytest.fixture
def told(gene, shipped):
    """The result of one gene, with what services say of it."""

    def make(*evidence, **services):
        genome = Genome(
            (Contig("c", "A" * 900, genes=(gene(),)),),
            GenomeSource("x.gb", "0" * 64, FileFormat.GENBANK),
        )
        return interpret(genome, evidence, (), shipped, services={"g1": ServiceNotes(**services)})[
            0
        ]

    return make


def test_what_became_of_asking_stands_at_the_gene_dark_or_not(told, annotated):
    assert told(answers=(ANSWER,)).online == (ANSWER,)
    assert told(annotated("portal protein"), answers=(ANSWER,)).online == (ANSWER,)


def test_a_dark_gene_that_may_be_none_is_half_the_target(told):
    plain, doubted = told().novelty, told(spurious=(SPURIOUS,)).novelty
    assert doubted.priority == pytest.approx(plain.priority / 2, abs=0.001)
    assert any("ANF00001" in text for text in doubted.observations)
    assert "translated" in doubted.next_steps[-1]


def test_a_prediction_is_a_remark_on_a_dark_gene_and_no_claim(told):
    result = told(remarks=("InterPro-N predicts PF10294 here",))
    assert result.is_dark
    assert "InterPro-N predicts PF10294 here" in result.novelty.observations


def test_a_doubted_gene_says_so_among_its_uncertainties(told, annotated):
    result = told(annotated("portal protein"), spurious=(SPURIOUS,))
    assert any("the gene may be spurious" in text for text in result.interpretation.uncertainties)
    assert "conflicting evidence" in result.interpretation.uncertainties


def test_a_model_of_spurious_proteins_lowers_every_hypothesis_and_says_so(annotated, shipped):
    items = (annotated("portal protein"),)
    plain = score_evidence(items, shipped).hypotheses[0]
    doubted = score_groups(group_evidence(items, shipped), shipped, None, (SPURIOUS,))
    best = doubted.hypotheses[0]
    assert best.score < plain.score
    term = next(term for term in best.terms if "ANF00001" in term.reason)
    assert term.log_odds == pytest.approx(math.log(1 - shipped.parameters.reliability["antifam"]))
    assert any("spurious" in text for text in doubted.conflicts)


def test_two_models_of_spurious_proteins_take_no_more_than_one(annotated, shipped):
    twice = (SPURIOUS, replace(SPURIOUS, accession="ANF00002", origin="antifam:ANF00002"))
    assert len(spurious_terms(twice, shipped)) == 1
    assert spurious_terms((), shipped) == []


def test_a_name_that_came_back_by_uniprot_speaks_against_no_other_wording(family, similar, shipped):
    ours = family("tail spike protein of a made-up phage")
    copied = similar(
        "gp37 long fibre thing", strength="uniprot_submitted", source=EvidenceSource.UNIPROT
    )
    curated = similar(
        "gp37 long fibre thing", strength="uniprot_curated", source=EvidenceSource.UNIPROT
    )
    alone = score_evidence((ours,), shipped).hypotheses[0]

    def score_beside(other):
        found = score_evidence((ours, other), shipped).hypotheses
        return next(one.score for one in found if one.subject == ours.subject)

    assert score_beside(copied) == alone.score
    assert score_beside(curated) <= alone.score


def test_a_submitted_name_is_no_second_type_and_makes_nothing_high(family, similar, shipped):
    name = "portal protein"
    product = shipped.products.find(name)
    assert product is not None
    ours = family(name, product.id, strength="family_few_names_lone")
    copied = similar(name, product.id, strength="uniprot_submitted", source=EvidenceSource.UNIPROT)
    best = score_evidence((ours, copied), shipped).hypotheses[0]
    assert EvidenceType.HOMOLOGY not in best.types


def test_a_curated_name_of_the_same_sequence_that_agrees_is_a_second_type(family, similar, shipped):
    name = "portal protein"
    product = shipped.products.find(name)
    assert product is not None
    ours = family(name, product.id)
    named = similar(name, product.id, strength="uniprot_experiment", source=EvidenceSource.UNIPROT)
    best = score_evidence((ours, named), shipped).hypotheses[0]
    assert {EvidenceType.FAMILY, EvidenceType.HOMOLOGY} <= best.types
    assert best.score > score_evidence((ours,), shipped).hypotheses[0].score


def test_names_are_worth_more_the_better_they_are_founded(similar, shipped):
    order = ("experiment", "curated", "similarity", "rule", "automatic", "submitted")
    scores = [
        score_evidence(
            (similar("portal protein", strength=f"uniprot_{kind}"),), shipped
        ).hypotheses[0]
        for kind in order
    ]
    sums = [
        sum(t.log_odds for t in one.terms if not t.reason.startswith("limit")) for one in scores
    ]
    assert sums == sorted(sums, reverse=True)
    assert len(set(sums)) == len(sums)


@pytest.mark.parametrize(
    ("strength", "identity", "told"),
    [
        ("uniprot_experiment", 1.0, "has this very sequence; curators name it by a published"),
        ("uniprot_submitted", 1.0, "its name is what the submitter wrote"),
        ("uniprot_other_sequence", None, "its sequence differs; its name is reviewed"),
    ],
)
def test_the_chain_says_who_gave_an_entry_its_name(similar, strength, identity, told):
    item = similar("portal protein", strength=strength, source=EvidenceSource.UNIPROT)
    item = replace(item, measured=replace(item.measured, identity=identity))
    assert told in evidence_sentence(item)
    assert "identical" not in evidence_sentence(item)


def test_every_class_of_uniprot_is_explained(similar):
    for strength in read_stated().probabilities:
        if strength.startswith("uniprot_"):
            item = similar("portal protein", strength=strength, source=EvidenceSource.UNIPROT)
            assert evidence_sentence(item)


@pytest.mark.parametrize("strength", ["uniprot_rule", "uniprot_automatic"])
@pytest.mark.parametrize("with_file", [True, False])
def test_a_name_by_rule_that_agrees_with_a_signature_lowers_nothing(
    annotated, domain, similar, shipped, strength, with_file
):
    name = "portal protein"
    product = shipped.products.find(name)
    assert product is not None
    signature = domain(
        "IPR005021",
        name,
        source=EvidenceSource.INTERPRO,
        specificity=Specificity.FAMILY,
        claim=name,
        strength="pfam_family",
        pfam=None,
        product=product.id,
    )
    named = similar(
        name,
        product.id,
        strength=strength,
        source=EvidenceSource.UNIPROT,
        type=EvidenceType.DOMAIN,
    )
    others = [signature, *([annotated(name, product=product.id)] if with_file else [])]

    def found(items):
        return next(one for one in score_evidence(items, shipped).hypotheses if one.subject == name)

    without, both = found(others), found([*others, named])
    assert both.score >= without.score
    assert both.types == without.types


def test_one_automatic_name_makes_no_class_of_it_surer(similar, shipped):
    named = similar("holin", strength="uniprot_automatic", source=EvidenceSource.UNIPROT)
    found = score_evidence((named,), shipped).hypotheses
    assert [one.subject for one in found] == ["holin"]
    assert found[0].score < 0.5


def _signature(domain, name, **changes):
    """A family of InterPro with the name of a protein."""
    changes = {
        "specificity": Specificity.FAMILY,
        "claim": name,
        "strength": "pfam_family",
    } | changes
    return domain("IPR005021", name, source=EvidenceSource.INTERPRO, pfam=None, **changes)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("head protein", {"specificity": Specificity.CATEGORY}),
        ("NinD protein", {"specificity": Specificity.FAMILY, "strength": "annotation_symbol"}),
        ("portal protein", {}),
    ],
)
@pytest.mark.parametrize(
    "class_", ["interpro_family", "interpro_loose_family", "interpro_unscored"]
)
def test_the_name_of_the_file_is_no_less_sure_when_a_signature_says_it_too(
    annotated, domain, shipped, name, changes, class_
):
    ours = annotated(name, **changes)
    before = score_evidence((ours,), shipped).hypotheses[0]
    after = score_evidence((ours, _signature(domain, name, strength=class_)), shipped).hypotheses[0]
    assert after.score >= before.score
    assert after.subject == before.subject


def test_a_name_that_agrees_by_an_identifier_is_no_rival_when_a_service_tells_it(
    annotated, domain, family, shipped
):
    ours = family("PAPS reductase", ec=("1.8.4.8",))
    stated = annotated("phosphoadenosine phosphosulfate reductase", ec=("1.8.4.8",))
    told = _signature(domain, "phosphoadenosine phosphosulfate reductase")
    part = domain("PF01507", "phosphoadenosine phosphosulfate reductase", ec=("1.8.4.8",))
    before = score_evidence((ours, stated, part), shipped).hypotheses
    after = score_evidence((ours, stated, part, told), shipped).hypotheses
    assert [one.subject for one in before] == [one.subject for one in after] == ["PAPS reductase"]
    assert after[0].score >= before[0].score
    alone = score_evidence(
        (ours, told), shipped
    ).hypotheses  # here nothing says that they are of one thing
    assert len(alone) == 2
