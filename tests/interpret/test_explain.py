import re

from genint.interpret import reasoning, score_evidence, uncertainties
from genint.interpret.classify import classify
from genint.model import (
    CalledBy,
    CallScores,
    HeldOut,
    Interval,
    Location,
    Measurements,
    NameBasis,
    Part,
    Rescue,
    RescueKind,
    RescueTerm,
    Specificity,
    Strand,
)
from genint.model.interpretation import NOT_CLASSIFIED


def explained(gene, evidence, judgement):
    weighed = score_evidence(evidence, judgement)
    return reasoning(gene, weighed, classify(weighed.hypotheses, (), judgement)), weighed


def test_a_step_cites_accession_database_evalue_and_coverage(gene, domain, judgement):
    steps, _ = explained(gene(), (domain("PF05136", "Phage portal protein"),), judgement)
    cited = next(step for step in steps if "PF05136" in step)
    assert cited.startswith("Pfam 35.0 PF05136")
    assert "residues 3-120 (E 1.0e-40; 80% of protein, 95% of profile) [" in cited


def test_the_last_step_is_the_arithmetic_and_it_adds_up(gene, annotated, domain, judgement):
    evidence = (annotated("portal protein"), domain("PF05136", "Phage portal protein"))
    steps, weighed = explained(gene(), evidence, judgement)
    addends = steps[-1].partition(" = ")[0]
    signed = re.findall(r"(- |-)?(\d+\.\d+)", addends)
    total = sum(-float(number) if sign else float(number) for sign, number in signed)
    assert len(signed) == len(weighed.hypotheses[0].terms)
    stated = float(re.search(r"= (-?\d+\.\d+) log-odds", steps[-1])[1])
    assert abs(total - stated) <= 0.02
    assert f"probability {weighed.hypotheses[0].score:.2f}: HIGH" in steps[-1]


def test_the_last_step_says_which_independent_types_agree(gene, annotated, domain, judgement):
    evidence = (annotated("portal protein"), domain("PF05136", "Phage portal protein"))
    steps, _ = explained(gene(), evidence, judgement)
    assert steps[-1].endswith(": HIGH by annotation and domain.")


def test_a_predicted_gene_says_how_it_was_called(gene, domain, judgement):
    scores = CallScores(120.0, 110.0, 10.0, "ATG", "AGGAG", 0.999)
    called = gene(called_by=CalledBy.PYRODIGAL, scores=scores)
    steps, _ = explained(called, (domain("PF05136", "Phage portal protein"),), judgement)
    assert "start codon ATG" in steps[0]
    assert "AGGAG" in steps[0]


def test_doubts_are_named(gene, domain, judgement):
    partial = domain(
        "PF1",
        "Phage portal protein",
        strength="pfam_partial",
        measured=Measurements(1e-5, 30.0, 25.0, 1, 20, 0.4, 0.3),
    )
    cut_off = gene(
        protein="M*" * 20,
        pseudo=True,
        location=Location((Part(Interval(0, 120), Strand.FORWARD),), partial_3=True),
        called_by=CalledBy.PYRODIGAL,
        scores=CallScores(1.0, 1.0, 0.0, "TTG", None, 0.6),
    )
    found = " / ".join(uncertainties(cut_off, score_evidence((partial,), judgement)))
    for doubt in (
        "single source",
        "domain only",
        "partial match: 30%",
        "pseudogene",
        "stop codons inside",
        "cut off",
        "short protein (40 amino acids)",
        "unsure of the gene (0.60)",
    ):
        assert doubt in found


def test_a_sound_gene_with_two_sources_has_no_doubts(gene, annotated, domain, judgement):
    evidence = (annotated("portal protein"), domain("PF05136", "Phage portal protein"))
    assert uncertainties(gene(), score_evidence(evidence, judgement)) == ()


def rescued(probability):
    terms = (RescueTerm("few such frames are genes", -4.5), RescueTerm("start score 11.2", 6.4))
    held_out = HeldOut(0.8, 1.0, 14, 20)
    return Rescue(RescueKind.NESTED, probability, 0.5, terms, "X", 1.0, held_out=held_out)


def test_the_chain_of_a_rescued_gene_begins_with_why_there_is_one(gene, domain, judgement):
    called = gene(called_by=CalledBy.GENINT_NESTED, rescue=rescued(0.87), note="not told twice")
    steps, _ = explained(called, (domain("PF05136", "Phage portal protein"),), judgement)
    first, *others = steps
    assert first.startswith("Gene call: lies 100% inside X, in another reading frame, on the same")
    assert "-" in first
    assert "4.50 (few such frames are genes) + 6.40 (start score 11.2) = 1.90 log-odds" in first
    assert "probability 0.87 that it is a gene (of 20 frames with a probability of 0.8" in first
    assert "held out of the fit, 14 are genes of the record)" in first
    assert "from 0.50 on it is called one" in first
    assert not any("Gene call" in step or "not told twice" in step for step in others)


def test_a_rescued_gene_that_may_be_none_is_a_doubt(gene, domain, judgement):
    weighed = score_evidence((domain("PF05136", "Phage portal protein"),), judgement)
    scores = CallScores(1.0, 1.0, 0.0, "TTG", None, 0.6)
    for sure, doubted in ((0.79, True), (0.80, False)):
        called = gene(called_by=CalledBy.GENINT_NESTED, rescue=rescued(sure), scores=scores)
        told = " / ".join(uncertainties(called, weighed))
        assert (f"the gene itself is uncertain (probability {sure:.2f}" in told) == doubted
        assert "the gene finder is unsure" not in told  # it leaves the gene out by design


def test_a_gene_symbol_without_a_common_word_leaves_the_name_to_the_file(
    gene, annotated, family, judgement
):
    chaperone = family("molecular chaperone DnaK", aliases=("dnaK",))
    for product, basis in (
        ("GTPase, stimulated by 50S subunit binding", NameBasis.FILE),
        ("chaperone Hsp70 DnaK", NameBasis.EVIDENCE),
    ):  # of other wording, and of the same
        scored = score_evidence((annotated(product, aliases=("dnaK",)), chaperone), judgement)
        best = scored.hypotheses[0]
        assert best.basis is basis
        doubts = " / ".join(uncertainties(gene(), scored))
        told = (
            "the family has the file's gene symbol or EC number, but not the words of its product"
        )
        assert (told in doubts) == (basis is NameBasis.FILE)


def test_a_class_leaves_the_name_to_the_file_and_a_name_supports_it(
    gene, annotated, family, judgement
):
    wider = family("tail protein", specificity=Specificity.CATEGORY)
    for other, basis, words in (
        (wider, NameBasis.FILE, "only the file names it; the family names only its class"),
        (family("tail terminator"), NameBasis.EVIDENCE, " by annotation and family."),
    ):
        scored = score_evidence((annotated("tail terminator"), other), judgement)
        best = scored.hypotheses[0]
        assert best.claim == "tail terminator"
        assert best.basis is basis
        assert words in reasoning(gene(), scored, NOT_CLASSIFIED)[-1]
        doubts = uncertainties(gene(), scored)
        assert (f"single source: {words}" in doubts) == (basis is NameBasis.FILE)
