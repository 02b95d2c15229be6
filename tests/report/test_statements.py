"""What is said of a gene in reports for programs."""

from __future__ import annotations

import pytest

from genint.model import CalledBy, ConfidenceLevel, EvidenceSource, EvidenceType, Specificity
from genint.report import (
    EvidenceItem,
    GeneItem,
    GenintResult,
    HypothesisItem,
    NoveltyItem,
    Program,
    cross_references,
    eco_codes,
    inferences,
    note,
    product_name,
    program_of,
)

BY_PROGRAM = {
    CalledBy.PYRODIGAL: "pyrodigal 3.6.3",
    CalledBy.PYRODIGAL_GV: "pyrodigal-gv 0.3.2",
    CalledBy.GENINT_NESTED: "genint 0.0.0",
    CalledBy.GENINT_OVERLAPPING: "genint 0.0.0",
    CalledBy.GENINT_INTERNAL_START: "genint 0.0.0",
    CalledBy.GENBANK: None,
    CalledBy.GENBANK_GENE: None,
}


@pytest.fixture
def result(phix_result: GenintResult) -> GenintResult:
    programs = (
        Program(name="pyrodigal", version="3.6.3"),
        Program(name="pyrodigal-gv", version="0.3.2"),
    )
    return phix_result.model_copy(update={"programs": programs})


@pytest.fixture
def named(result: GenintResult) -> GeneItem:
    """A gene with a function, by its product alone."""
    return next(gene for gene in result.genes if gene.function == "major coat protein")


@pytest.fixture
def supported(named: GeneItem) -> GeneItem:
    """The same gene with a Pfam family for its hypothesis and another one against it."""
    mine = evidence(EvidenceSource.PFAM, "PF02305")
    other = evidence(EvidenceSource.PFAM, "PF09999")
    lead = named.hypotheses[0].model_copy(update={"evidence": (0, 1)})
    rival = lead.model_copy(update={"function": "another", "evidence": (2,)})
    return named.model_copy(
        update={
            "evidence": (*named.evidence[:1], mine, other),
            "hypotheses": (lead, rival),
            "pfam_id": "PF02305",
        }
    )


def evidence(source: EvidenceSource, accession: str | None) -> EvidenceItem:
    return EvidenceItem(
        label=f"{accession} of {source}",
        source=source,
        conf=0.6,
        type=EvidenceType.DOMAIN,
        claim="contains a domain",
        specificity=Specificity.DOMAIN,
        strength="pfam_domain",
        database="Pfam 35.0",
        accession=accession,
        evalue=None,
        bits=None,
        threshold_bits=None,
        coverage=None,
        target_coverage=None,
        protein_start=None,
        protein_end=None,
        eco="ECO:0000256",
        origin=f"{source}:{accession}",
    )


def with_evidence(gene: GeneItem, item: EvidenceItem) -> GeneItem:
    lead = gene.hypotheses[0].model_copy(update={"evidence": (0,)})
    return gene.model_copy(update={"evidence": (item,), "hypotheses": (lead,), "pfam_id": None})


@pytest.mark.parametrize("called_by", CalledBy)
def test_program_is_named_with_its_version_for_predicted_genes_only(
    called_by: CalledBy, named: GeneItem, result: GenintResult
) -> None:
    gene = named.model_copy(update={"called_by": called_by})
    assert program_of(gene, result) == BY_PROGRAM[called_by]


def test_results_without_programs_name_the_finder_without_version(
    named: GeneItem, phix_result: GenintResult
) -> None:
    gene = named.model_copy(update={"called_by": CalledBy.PYRODIGAL})
    old = phix_result.model_copy(update={"programs": ()})
    assert program_of(gene, old) == "pyrodigal"
    assert inferences(gene, old) == ("ab initio prediction:pyrodigal",)


def test_inferences_are_in_the_controlled_format(supported: GeneItem, result: GenintResult) -> None:
    gene = supported.model_copy(update={"called_by": CalledBy.PYRODIGAL_GV})
    assert inferences(gene, result) == (
        "ab initio prediction:pyrodigal-gv:0.3.2",
        "protein motif:Pfam:PF02305",
    )


def test_a_product_of_the_file_is_no_inference_of_ours(
    named: GeneItem, result: GenintResult
) -> None:
    assert inferences(named, result) == ()
    assert cross_references(named) == ()


def test_cross_references_are_of_the_leading_hypothesis_alone(supported: GeneItem) -> None:
    assert cross_references(supported) == ("PFAM:PF02305",)


@pytest.mark.parametrize(
    ("source", "inference", "reference"),
    [
        (EvidenceSource.PFAM, "protein motif:Pfam:X1", ("PFAM:X1",)),
        (
            EvidenceSource.SWISSPROT,
            "similar to AA sequence:UniProtKB/Swiss-Prot:X1",
            ("UniProtKB/Swiss-Prot:X1",),
        ),
        (EvidenceSource.UNIPROT, "similar to AA sequence:UniProtKB:X1", ()),
    ],
)
def test_each_source_has_its_type_and_database(
    source: EvidenceSource,
    inference: str,
    reference: tuple[str, ...],
    named: GeneItem,
    result: GenintResult,
) -> None:
    gene = with_evidence(named, evidence(source, "X1"))
    assert inferences(gene, result) == (inference,)
    assert cross_references(gene) == reference


@pytest.mark.parametrize("accession", ["a b", 'x"y', "a:b", "a\nb", "a;b", "", None, "\u202eab"])
def test_what_is_no_accession_is_no_reference(
    accession: str | None, named: GeneItem, result: GenintResult
) -> None:
    gene = with_evidence(named, evidence(EvidenceSource.USER_PROTEINS, accession))
    assert inferences(gene, result) == ()
    gene = with_evidence(named, evidence(EvidenceSource.PFAM, accession))
    assert cross_references(gene) == ()


def test_note_tells_function_level_score_cog_and_evidence_with_codes(supported: GeneItem) -> None:
    gene = supported.model_copy(
        update={"cog_category": "X", "score": 0.756, "confidence": ConfidenceLevel.MODERATE}
    )
    of_file = gene.evidence[0].eco
    assert note(gene) == (
        "genint: major coat protein; confidence MODERATE (0.76), only repeats the file's name; "
        "COG X; evidence: product in "
        f"the file ({of_file}), Pfam 35.0 PF02305 (ECO:0000256)"
    )


def test_note_of_a_dark_gene_claims_nothing(named: GeneItem) -> None:
    novelty = NoveltyItem(
        priority=0.431, rank=7, reasons=(), observations=(), neighbours=(), next_step=""
    )
    dark = named.model_copy(
        update={
            "function": None,
            "is_dark": True,
            "novelty": novelty,
            "hypotheses": tuple[HypothesisItem, ...](),
            "confidence": ConfidenceLevel.NONE,
        }
    )
    assert note(dark) == (
        "genint: dark matter, not recognised with the databases used; research priority 0.43, "
        "rank 7"
    )
    assert eco_codes(dark) == ()
    assert product_name(dark) == "hypothetical protein"


def test_note_is_one_line_without_control_characters(named: GeneItem) -> None:
    gene = named.model_copy(update={"function": "tail\nfiber\x1b[31m\u202egnp"})
    assert note(gene).startswith("genint: tail fiber\ufffd[31m\ufffdgnp; confidence")


@pytest.mark.parametrize("level", ConfidenceLevel)
def test_only_levels_that_can_be_signed_name_a_product(
    level: ConfidenceLevel, named: GeneItem
) -> None:
    gene = named.model_copy(update={"confidence": level, "normalized_product": "portal protein"})
    named_levels = (ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE)
    expected = "portal protein" if level in named_levels else "hypothetical protein"
    assert product_name(gene) == expected


def test_eco_codes_come_once_and_in_order(supported: GeneItem) -> None:
    assert eco_codes(supported) == (supported.evidence[0].eco, "ECO:0000256")
