"""RNA genes: one a place, with ids by position, on circles too."""

from __future__ import annotations

from itertools import permutations

import pytest

from genint.model import Interval, Strand
from genint.rna import (
    MARGIN_BP,
    CrisprHit,
    IdSeries,
    RnaHit,
    SearchedContig,
    arrays_of_text,
    as_text,
    resolve_overlaps,
    rna_of_text,
)
from tests.builders.rna import random_bases

PLUS, MINUS = Strand.FORWARD, Strand.REVERSE
TRNA = RnaHit(Interval(100, 176), PLUS, "tRNA", "tRNA-Phe", "ARAGORN", 120.0, "energy")
TMRNA = RnaHit(Interval(400, 760), PLUS, "tmRNA", "tmRNA", "ARAGORN", 110.0, "energy")
RRNA = RnaHit(
    Interval(1000, 2500), PLUS, "rRNA", "16S ribosomal RNA", "nhmmer", 1500.0, "bits",
    accession="RF00177",
)  # fmt: skip
FINP = RnaHit(
    Interval(3000, 3078), MINUS, "ncRNA", "FinP", "Infernal, Rfam 15.1", 96.8, "bits",
    insdc_class="antisense_RNA", accession="RF00107", clan="CL1",
)  # fmt: skip
LEADER = FINP._replace(
    interval=Interval(2990, 3100), strand=PLUS, kind="regulatory", product="traJ",
    insdc_class="other", accession="RF00243",
)  # fmt: skip


def settled(*found: RnaHit, length: int = 5_000):
    return resolve_overlaps("c1", length, IdSeries("c1"), found).rna_genes


def test_ids_are_given_by_position():
    genes = settled(RRNA, TRNA, FINP)
    assert [(gene.id, gene.product) for gene in genes] == [
        ("c1_RNA00010", "tRNA-Phe"),
        ("c1_RNA00020", "16S ribosomal RNA"),
        ("c1_RNA00030", "FinP"),
    ]
    assert genes[2].insdc_class == "antisense_RNA"


def test_the_order_of_what_was_found_does_not_matter():
    orders = permutations([TRNA, TMRNA, RRNA, FINP, LEADER])
    assert len({settled(*order) for order in orders}) == 1


def test_a_fold_inside_an_rrna_is_no_trna():
    assert [gene.kind for gene in settled(TRNA._replace(interval=Interval(1200, 1276)), RRNA)] == [
        "rRNA"
    ]


def test_of_families_that_recognise_one_place_the_best_takes_it():
    weaker = FINP._replace(interval=Interval(3010, 3070), accession="RF99999", score=50.0)
    assert [gene.accession for gene in settled(weaker, FINP)] == ["RF00107"]


def test_an_antisense_rna_and_its_target_are_two_genes():
    assert len(settled(FINP, LEADER)) == 2


def test_a_family_of_tmrna_confirms_the_one_that_was_found():
    family = TMRNA._replace(
        interval=Interval(398, 762), method="Infernal, Rfam 15.1", accession="RF00023", score=150.0
    )
    (gene,) = settled(TMRNA, family)
    assert (gene.method, gene.accession) == ("ARAGORN", "RF00023")


def test_places_over_the_origin_are_compared_on_the_circle():
    over = TRNA._replace(interval=Interval(960, 1036))
    same = TRNA._replace(interval=Interval(965, 1041), score=100.0)
    assert len(settled(over, same, length=1_000)) == 1


def test_arrays_are_numbered_by_position():
    arrays = [CrisprHit(Interval(at, at + 200), "ACGT", 3, ("A", "C"), "x") for at in (900, 100)]
    found = resolve_overlaps("c1", 5_000, IdSeries("tag"), (), arrays).crispr_arrays
    assert [(each.id, each.location.span.start) for each in found] == [
        ("tag_CRISPR1", 100),
        ("tag_CRISPR2", 900),
    ]


def test_what_is_kept_as_text_comes_back_the_same():
    genes = (TRNA, FINP, RRNA._replace(partial_5=True, note="Partial."))
    assert rna_of_text(as_text(genes)) == genes
    arrays = (CrisprHit(Interval(5, 90), "ACGT", 3, ("A", "C"), "x"),)
    assert arrays_of_text(as_text(arrays)) == arrays
    assert rna_of_text(as_text(())) == ()


def test_a_line_is_searched_as_it_is():
    contig = SearchedContig("ACGT")
    assert contig.text == "ACGT"
    assert contig.place(1, 3) == Interval(1, 3)


def test_what_is_no_base_is_searched_as_n():
    assert SearchedContig("ACRYGTWN").text == "ACNNGTNN"


@pytest.mark.parametrize("length", [40, 5_000, 25_000])
@pytest.mark.parametrize("opening", [0, 7, 39])
def test_every_stretch_of_a_circle_is_placed_just_once(length, opening):
    bases = random_bases(length)
    contig = SearchedContig(bases, is_circle=True, opening=opening)
    size = 21
    starts = [
        start for start in range(len(contig.text) - size + 1)
        if contig.place(start, start + size) is not None
    ]  # fmt: skip
    assert len(starts) == length
    for start in starts[:: max(1, length // 50)]:
        placed = contig.place(start, start + size)
        assert placed.slice(bases) == contig.text[start : start + size]


def test_the_margin_is_no_longer_than_the_circle():
    assert SearchedContig(random_bases(300), is_circle=True).margin_bp == 300
    assert SearchedContig(random_bases(30_000), is_circle=True).margin_bp == MARGIN_BP


def test_only_lines_have_ends():
    assert SearchedContig("ACGT").at_edge(0)
    assert SearchedContig("ACGT").at_edge(4)
    assert not SearchedContig("ACGT").at_edge(2)
    assert not SearchedContig("ACGT", is_circle=True).at_edge(0)
