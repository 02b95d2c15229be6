"""Where observations of services can be looked up, and what a cross-reference may say."""

from __future__ import annotations

import pytest

from genint.formats import read_genome
from genint.model import NO_MEASUREMENTS, Genome
from genint.report import (
    EvidenceItem,
    Reference,
    cross_reference,
    cross_references,
    inferences,
    is_protein_entry,
    online_references,
    reference_of,
)
from tests.builders.online_results import (
    BOTH,
    hit,
    interpro_evidence,
    online_result,
    uniprot_evidence,
)

UNIPROT, INTERPRO = BOTH
MOTIF, SIMILAR = "protein motif", "similar to AA sequence"


@pytest.fixture(scope="module")
def genome(examples) -> Genome:
    return read_genome(examples / "phiX174.gbk")


@pytest.fixture
def item_of(genome):
    """The item of a result that an observation becomes."""

    def built(make, accession, **changes) -> EvidenceItem:
        evidence = make(genome.genes[0].id, accession, **changes)
        answers = [(hit(UNIPROT, "P1"), hit(INTERPRO, "IPR000001"))]
        gene = online_result(genome, answers, [evidence]).genes[0]
        return next(item for item in gene.evidence if item.source == evidence.source)

    return built


@pytest.mark.parametrize(
    ("make", "accession", "changes", "reference"),
    [
        (interpro_evidence, "IPR008766", {}, Reference(MOTIF, "InterPro", "InterPro")),
        (interpro_evidence, "PF05840", {}, Reference(MOTIF, "Pfam", "PFAM")),
        (
            interpro_evidence,
            "PTHR30629",
            {"origin": "panther:PTHR30629"},
            Reference(MOTIF, "PANTHER", None),
        ),
        (
            interpro_evidence,
            "ABC00001",
            {"origin": "newlibrary:ABC00001"},
            Reference(MOTIF, "newlibrary", None),
        ),
        (interpro_evidence, "PTHR30629", {"origin": "pfam:PF05840"}, None),
        (interpro_evidence, "G3DSA:1.10.8.10", {"origin": "cathgene3d:G3DSA:1.10.8.10"}, None),
        (
            uniprot_evidence,
            "P03631",
            {},
            Reference(SIMILAR, "UniProtKB/Swiss-Prot", "UniProtKB/Swiss-Prot"),
        ),
        (
            uniprot_evidence,
            "A0A024R1R8",
            {"strength": "uniprot_automatic"},
            Reference(SIMILAR, "UniProtKB/TrEMBL", "UniProtKB/TrEMBL"),
        ),
        (
            uniprot_evidence,
            "P03631",
            {"strength": "uniprot_other_sequence", "measured": NO_MEASUREMENTS},
            Reference(SIMILAR, "UniProtKB", None),
        ),
        (uniprot_evidence, "P0 3631", {}, None),
    ],
)
def test_each_database_is_named_as_the_insdc_names_it(item_of, make, accession, changes, reference):
    assert reference_of(item_of(make, accession, **changes)) == reference


@pytest.mark.parametrize(
    "strength", ["uniprot_other_sequence", "uniprot_other_automatic", "uniprot_submitted"]
)
def test_an_entry_of_another_sequence_is_no_cross_reference(item_of, strength):
    item = item_of(uniprot_evidence, "P03631", strength=strength, measured=NO_MEASUREMENTS)
    assert cross_reference(item) is None
    assert reference_of(item) is not None


@pytest.mark.parametrize(
    ("strength", "section"),
    [
        ("uniprot_experiment", "Swiss-Prot"),
        ("uniprot_curated", "Swiss-Prot"),
        ("uniprot_similarity", "Swiss-Prot"),
        ("uniprot_rule", "Swiss-Prot"),
        ("uniprot_automatic", "TrEMBL"),
        ("uniprot_submitted", "TrEMBL"),
    ],
)
def test_an_entry_of_this_very_sequence_is_one(item_of, strength, section):
    item = item_of(uniprot_evidence, "P03631", strength=strength)
    assert cross_reference(item) == f"UniProtKB/{section}:P03631"


def test_what_services_have_is_referred_to_whichever_hypothesis_it_speaks_for(genome):
    gene_id = genome.genes[0].id
    evidence = [
        uniprot_evidence(gene_id, "P03631", claim="replication protein A"),
        interpro_evidence(
            gene_id, "IPR000001", claim="tail fiber protein", subject="tail fiber protein"
        ),
    ]
    answers = [(hit(UNIPROT, "P03631"), hit(INTERPRO, "IPR000001"))]
    result = online_result(genome, answers, evidence)
    gene = result.genes[0]
    assert len(gene.hypotheses) > 1
    expected = {"UniProtKB/Swiss-Prot:P03631", "InterPro:IPR000001"}
    assert set(online_references(gene)) == expected
    assert expected <= set(cross_references(gene))
    leading = {gene.evidence[at].accession for at in gene.hypotheses[0].evidence}
    assert {text.rpartition(":")[2] for text in inferences(gene, result)} <= leading


@pytest.mark.parametrize(
    ("reference", "is_entry"),
    [
        ("UniProtKB/Swiss-Prot:P03631", True),
        ("UniProtKB/TrEMBL:A0A024R1R8", True),
        ("uniprotkb/trembl:A0A024R1R8", True),
        ("InterPro:IPR008766", False),
        ("GI:9626373", False),
    ],
)
def test_entries_of_uniprotkb_are_told_from_other_references(reference, is_entry):
    assert is_protein_entry(reference) is is_entry
