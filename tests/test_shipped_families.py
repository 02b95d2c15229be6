"""The families that ship, on the genomes of the examples: what their biology asks for.

What is expected is textbook knowledge (Hendrix et al., Lambda II, 1983; Sanger et al. 1977,
doi:10.1038/265687a0), by the place of the gene, not what another program said.
"""

from __future__ import annotations

import pytest

from genint import interpret_genome, render_report
from genint.knowledge import Relation, load_products
from genint.model import ConfidenceLevel, EvidenceType, Specificity

LAMBDA = {
    191: ("terminase_small_subunit", "nu1"),
    711: ("terminase_large_subunit", "A"),
    2836: ("portal_protein", "B"),
    6135: ("major_capsid_protein", "E"),
    8955: ("major_tail_protein", "V"),
    27812: ("integrase", "int"),
    32816: ("host_nuclease_inhibitor", "gam"),
    35037: ("antitermination_protein_n", "N"),
    39582: ("replication_protein_p", "P"),
    45493: ("endolysin", "R"),
    45966: ("inner_spanin", "Rz"),
}
"""First base of a gene to its product and its name."""
WIDE = {
    10542: ({"tail length tape measure protein"}, "H"),
    37227: ({"phage repressor", "CI repressor"}, "cI"),
    15505: ({"tip attachment protein"}, "J"),
    45186: ({"holin", "holin/anti-holin"}, "S"),
}
"""The same for genes whose family may have a wide name."""


@pytest.fixture(scope="module")
def phage_lambda(examples, searched):
    return interpret_genome(examples / "lambda.fasta", cache_folder=searched)


@pytest.fixture(scope="module")
def phix174(examples, searched):
    return interpret_genome(
        examples / "phiX174.gbk", phage=True, ignore_annotations=True, cache_folder=searched
    )


@pytest.fixture(scope="module")
def vocabulary():
    return load_products()


def families_of(summary):
    """First base of each gene to what families that cover it say of it."""
    return {
        item.gene.span.start + 1: [
            one
            for one in item.interpretation.evidence
            if one.type is EvidenceType.FAMILY and one.specificity is not Specificity.DOMAIN
        ]
        for item in summary.results
        if item.interpretation is not None
    }


@pytest.mark.parametrize(("first_base", "product"), [(at, id_) for at, (id_, _) in LAMBDA.items()])
def test_lambda_genes_are_what_they_are_known_to_be(phage_lambda, vocabulary, first_base, product):
    named = vocabulary.find(
        next(
            item.interpretation.hypothesis
            for item in phage_lambda.results
            if item.gene.span.start + 1 == first_base
        )
    )
    assert named is not None
    assert vocabulary.related(named.id, product) in (Relation.SAME, Relation.NARROWER)


@pytest.mark.parametrize(("first_base", "names"), [(at, names) for at, (names, _) in WIDE.items()])
def test_lambda_genes_of_wide_families_have_no_other_name(phage_lambda, first_base, names):
    assert families_of(phage_lambda)[first_base][0].claim in names


@pytest.mark.parametrize(
    ("first_base", "claim"),
    [(14276, "tail assembly protein")],
    ids=["K"],
)
def test_the_class_of_a_whole_lambda_protein_leads_before_a_domain_of_it(
    phage_lambda, first_base, claim
):
    best = next(
        item.interpretation.hypotheses[0]
        for item in phage_lambda.results
        if item.gene.span.start + 1 == first_base
    )
    assert (best.claim, best.specificity) == (claim, Specificity.CATEGORY)
    assert ConfidenceLevel.of(best.score) is ConfidenceLevel.MODERATE
    assert EvidenceType.DOMAIN in {item.type for item in best.evidence}


def test_no_lambda_gene_is_given_the_opposite_of_what_it_is(phage_lambda, vocabulary):
    found = families_of(phage_lambda)
    for first_base, (product, _) in LAMBDA.items():
        for evidence in found[first_base]:
            if evidence.product is not None:
                relation = vocabulary.related(evidence.product, product)
                assert relation is not Relation.OPPOSITE, (first_base, evidence.claim)


@pytest.mark.parametrize("genome", ["phage_lambda", "phix174"])
def test_high_takes_two_types_of_evidence(genome, request):
    summary = request.getfixturevalue(genome)
    for item in summary.results:
        if item.confidence_level is ConfidenceLevel.HIGH:
            assert len(item.interpretation.hypotheses[0].types) >= 2


def test_every_family_says_what_its_name_rests_on(phage_lambda):
    found = [one for several in families_of(phage_lambda).values() for one in several]
    assert len(found) > 40
    for evidence in found:
        support = evidence.support
        assert 0.5 <= support.consensus <= 1
        assert 1 <= support.agreeing <= support.named_members <= support.members
        assert support.members >= 2
        assert support.records >= 2
        measured = evidence.measured
        margin = measured.score_bits - measured.threshold_bits
        assert support.margin_bits == pytest.approx(margin, abs=0.01)
        assert measured.threshold_bits >= 25


@pytest.mark.parametrize(
    ("first_base", "word"),
    [
        (1001, "capsid"),  # F
        (2395, "spike"),  # G
        (2931, "spike"),  # H, the pilot protein
        (390, "scaffolding"),  # D
        (5075, "scaffolding"),  # B
        (3981, "replication"),  # A
        (848, "core protein"),  # J
    ],
)
def test_phix174_genes_are_what_they_are_known_to_be(phix174, first_base, word):
    told = next(
        item.interpretation.hypothesis
        for item in phix174.results
        if item.gene.span.start + 1 == first_base
    )
    assert word in told


def test_phix174_needs_no_terminase(phix174):
    """It packs a circle of single-stranded DNA while that is made."""
    told = [item.interpretation.hypothesis for item in phix174.results if item.interpretation]
    assert not any("terminase" in name for name in told)


def test_two_workers_write_the_same_bytes_as_one(phage_lambda, examples, pressed, monkeypatch):
    monkeypatch.setenv("GENINT_CACHE_MB", "0")  # the two of them search
    again = interpret_genome(examples / "lambda.fasta", cache_folder=pressed, workers=2)
    assert render_report(again, "json") == render_report(phage_lambda, "json")
