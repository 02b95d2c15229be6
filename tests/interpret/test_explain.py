import re

from genint.interpret.classify import classify
from genint.interpret.doubts import uncertainties
from genint.interpret.explain import reasoning
from genint.interpret.weigh import weigh
from genint.model.evidence import Measurements
from genint.model.genome import CalledBy, CallScores
from genint.model.interval import Interval, Location, Part, Strand


def explained(gene, evidence, judgement):
    weighed = weigh(evidence, judgement)
    return reasoning(gene, weighed, classify(weighed.hypotheses, (), judgement)), weighed


def test_a_step_cites_accession_database_evalue_and_coverage(gene, domain, judgement):
    steps, _ = explained(gene(), (domain("PF05136", "Phage portal protein"),), judgement)
    cited = next(step for step in steps if "PF05136" in step)
    assert cited.startswith("Pfam 35.0 PF05136")
    assert "E-value 1.0e-40" in cited
    assert "140.0 bits against a gathering threshold of 25.0" in cited
    assert "covering 80% of the protein and 95% of the profile" in cited
    assert "residues 3 to 120" in cited


def test_the_last_step_is_the_arithmetic_and_it_adds_up(gene, annotated, domain, judgement):
    evidence = (annotated("portal protein"), domain("PF05136", "Phage portal protein"))
    steps, weighed = explained(gene(), evidence, judgement)
    signed = re.findall(r"([+-] )?(\d+\.\d+) \(", steps[-1])
    total = sum(-float(number) if sign == "- " else float(number) for sign, number in signed)
    stated = float(re.search(r"= (-?\d+\.\d+) log-odds", steps[-1])[1])
    assert abs(total - stated) <= 0.02
    assert f"{weighed.hypotheses[0].score:.2f}: HIGH" in steps[-1]


def test_agreement_of_independent_types_is_a_step(gene, annotated, domain, judgement):
    evidence = (annotated("portal protein"), domain("PF05136", "Phage portal protein"))
    steps, _ = explained(gene(), evidence, judgement)
    assert "Independent types of evidence agree: annotation and domain." in steps


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
    found = " / ".join(uncertainties(cut_off, weigh((partial,), judgement)))
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
    assert uncertainties(gene(), weigh(evidence, judgement)) == ()
