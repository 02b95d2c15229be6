"""Names that other programs gave: what they add to names of genint's own, and what they do not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.interpret import ScoringModel, evidence_sentence, score_evidence
from genint.knowledge import load_confidence, load_products, load_roles
from genint.knowledge.confidence import Setting
from genint.model import Evidence, EvidenceSource, EvidenceType, Specificity
from genint.model.vocabulary import GenomeKind


@pytest.fixture(scope="module")
def shipped() -> ScoringModel:
    return ScoringModel(load_confidence(), load_roles(), load_products())


def imported(name: str, strength: str = "imported_phrog", **changes: object) -> Evidence:
    values: dict[str, object] = {
        "gene_id": "g1",
        "source": EvidenceSource.PHAROKKA,
        "type": EvidenceType.FAMILY,
        "specificity": Specificity.PROTEIN,
        "claim": name,
        "subject": name,
        "label": f"Pharokka 1.7.5: phrog_97 {name}, by a family of phage proteins",
        "strength": strength,
        "origin": "phrog:97",
        "eco": "ECO:0000256",
        "database": "Pharokka 1.7.5",
        "accession": "phrog_97",
    }
    return Evidence(**(values | changes))  # type: ignore[arg-type]


def test_the_program_and_what_it_found_stand_in_the_reasoning() -> None:
    sentence = evidence_sentence(imported("holin"))
    assert sentence.startswith("Pharokka 1.7.5: phrog_97 holin")
    assert sentence.endswith("so the protein may be called “holin”.")


def test_a_name_of_another_program_alone_is_never_high(shipped) -> None:
    for strength in ("imported_expert", "imported_phrog", "imported_orthologs"):
        best = score_evidence([imported("holin", strength)], shipped).hypotheses[0]
        assert best.score < 0.8


def test_two_programs_with_one_phrog_score_as_one(shipped) -> None:
    one = imported("holin")
    other = imported("holin", "imported_structure", source=EvidenceSource.PHOLD)
    alone = score_evidence([one], shipped).hypotheses[0]
    both = score_evidence([one, other], shipped).hypotheses[0]
    assert both.score == alone.score


def test_other_words_of_another_program_take_nothing_from_a_name(shipped) -> None:
    stated = imported(
        "frobnicin alpha chain",
        "family_agreed",
        source=EvidenceSource.GENINT_FAMILY,
        origin="genint_family:G1",
    )
    bacterium = replace(shipped, setting=Setting("local", GenomeKind.BACTERIUM))
    beside = score_evidence([stated, imported("quuxamine wobblin")], bacterium).hypotheses
    lead = next(one for one in beside if one.claim == stated.claim)
    assert not [term for term in lead.terms if "another name is supported too" in term.reason]
