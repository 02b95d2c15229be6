"""The bench matches genes by their stop, judges names, and counts them as it says."""

from __future__ import annotations

import pytest

from genint.formats import read_genome_bytes
from genint.knowledge import ProductVocabulary, Verdict, load_products
from genint.model import Interval, Strand, wilson
from training.blind.truth import (
    Claim,
    Place,
    Row,
    ToldGene,
    TrueGene,
    count,
    hold_against,
    place_of,
    true_genes,
)


@pytest.fixture(scope="module")
def vocabulary() -> ProductVocabulary:
    return load_products()


def gene(stop: int, product: str, *, informative: bool = True) -> TrueGene:
    return TrueGene(Place(0, stop, 1), f"gene{stop}", product, informative, "M" * 50)


def told(stop: int, name: str, *, strand: int = 1, claim: Claim = Claim.WHOLE) -> ToldGene:
    return ToldGene(Place(0, stop, strand), name, claim)


def verdicts(rows: tuple[Row, ...]) -> list[Verdict | None]:
    return [row.verdict for row in rows]


def test_the_place_of_a_gene_is_where_its_stop_codon_ends() -> None:
    assert place_of(0, Interval(100, 400), Strand.FORWARD, None) == Place(0, 400, 1)
    assert place_of(0, Interval(100, 400), Strand.REVERSE, None) == Place(0, 100, -1)


def test_the_place_of_a_gene_over_the_origin_lies_on_the_circle() -> None:
    assert place_of(0, Interval(900, 1100), Strand.FORWARD, 1000) == Place(0, 100, 1)
    assert place_of(0, Interval(500, 1000), Strand.FORWARD, 1000) == Place(0, 0, 1)


def test_another_strand_contig_or_stop_is_another_gene(vocabulary: ProductVocabulary) -> None:
    others = [
        told(300, "portal protein", strand=-1),
        told(303, "portal protein"),
        ToldGene(Place(1, 300, 1), "portal protein"),
    ]
    (row,) = hold_against("g", "p", [gene(300, "portal protein")], others, vocabulary)
    assert row.told is None
    assert row.verdict is None


def test_a_call_with_a_name_goes_before_one_of_the_same_stop_without(
    vocabulary: ProductVocabulary,
) -> None:
    calls = [told(300, ""), told(300, "portal protein"), told(300, "holin")]
    (row,) = hold_against("g", "p", [gene(300, "portal protein")], calls, vocabulary)
    assert row.verdict is Verdict.SAME_WORDS


def test_figures_count_whole_names_and_domains_apart(vocabulary: ProductVocabulary) -> None:
    truth = [
        gene(10, "portal protein"),
        gene(20, "endolysin"),
        gene(30, "tail tube protein"),
        gene(40, "holin"),
        gene(50, "terminase large subunit"),
        gene(60, "integrase"),
        gene(70, "hypothetical protein", informative=False),
        gene(80, "DNA ligase"),
    ]
    calls = [
        told(10, "portal protein"),
        told(20, "lysozyme"),
        told(30, "tail protein"),
        told(40, "endolysin"),
        told(50, "terminase small subunit"),
        told(60, "contains an integrase domain", claim=Claim.DOMAIN),
        told(70, "DNA primase"),
        told(80, ""),
    ]
    figures = count(hold_against("g", "p", truth, calls, vocabulary))
    assert (figures.cds, figures.informative, figures.found) == (8, 7, 8)
    assert (figures.named, figures.domain_only) == (6, 1)
    assert (figures.strict, figures.right, figures.not_wrong, figures.judged) == (1, 2, 3, 5)
    assert figures.verdicts[Verdict.OPPOSITE] == 1
    assert figures.domains == {Verdict.VAGUER: 1}
    assert figures.coverage == pytest.approx(2 / 7)
    assert (figures.claims_judged, figures.claims_right) == (6, 3)


@pytest.mark.parametrize(
    ("name", "claim", "right", "vaguer"),
    [
        ("tail tube protein", Claim.WHOLE, True, False),
        ("tail protein", Claim.WHOLE, False, True),
        ("tail protein", Claim.CLASS, True, True),
        ("holin", Claim.CLASS, False, False),
    ],
)
def test_a_vaguer_name_is_right_only_where_it_claims_no_more(
    vocabulary: ProductVocabulary, name: str, claim: Claim, right: bool, vaguer: bool
) -> None:
    truth, calls = [gene(30, "tail tube protein")], [told(30, name, claim=claim)]
    (row,) = hold_against("g", "p", truth, calls, vocabulary)
    assert (row.right, row.vaguer, row.wrong) == (right, vaguer, not (right or vaguer))


def test_nothing_told_is_no_precision_and_no_error() -> None:
    figures = count([])
    assert (figures.judged, figures.coverage) == (0, 0)


@pytest.mark.parametrize(
    ("right", "judged", "low", "high"),
    [(0, 0, 0.0, 1.0), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (90, 100, 0.8256, 0.9448)],
)
def test_the_interval_is_that_of_wilson(right: int, judged: int, low: float, high: float) -> None:
    assert wilson(right, judged) == pytest.approx((low, high), abs=1e-4)


RECORD = b"""LOCUS       TEST                      60 bp    DNA     circular PHG 01-JAN-2020
ACCESSION   TEST
VERSION     TEST.1
FEATURES             Location/Qualifiers
     CDS             1..30
                     /product="portal protein"
     CDS             7..30
                     /product="scaffold"
     CDS             complement(31..45)
                     /product="hypothetical protein"
     CDS             join(55..60,1..6)
                     /pseudo
                     /product="holin"
ORIGIN
        1 atgatgatga tgatgatgat gatgatgtaa ttaatgatga tgcataaaaa atgatgatga
//
"""


def test_truth_leaves_out_pseudogenes_and_keeps_the_longer_of_two_genes_with_one_stop(
    vocabulary: ProductVocabulary,
) -> None:
    genes = true_genes(read_genome_bytes(RECORD, "test.gb"), vocabulary)
    assert [(one.product, one.informative) for one in genes] == [
        ("portal protein", True),
        ("hypothetical protein", False),
    ]
