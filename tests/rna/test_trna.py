"""tRNA and tmRNA: found, named by what they read, wherever a circle is opened."""

from __future__ import annotations

import random

import pytest

from genint.model import Interval, Strand, reverse_complement
from genint.rna import IdSeries, SearchedContig, find_trna, resolve_overlaps
from tests.builders.rna import random_bases, trna


def test_a_trna_is_found_where_it_lies(within):
    (found,) = find_trna(SearchedContig(within(trna())))
    assert (found.interval, found.strand) == (Interval(500, 576), Strand.FORWARD)
    assert (found.kind, found.product, found.anticodon) == ("tRNA", "tRNA-Phe", "GAA")
    assert found.method.startswith("ARAGORN 1.2")
    assert found.score > 107
    assert found.note is None


def test_a_trna_of_the_other_strand_has_its_coordinates_on_the_forward_strand(within):
    (found,) = find_trna(SearchedContig(within(reverse_complement(trna()))))
    assert (found.interval, found.strand) == (Interval(500, 576), Strand.REVERSE)
    assert found.product == "tRNA-Phe"


@pytest.mark.parametrize(
    ("anticodon", "code", "product", "said"),
    [
        ("CAT", 11, "tRNA-Met", "lysidine"),
        ("CTA", 11, "tRNA-Sup", "stop codon TAG"),
        ("CTA", 15, "tRNA-Gln", None),
        ("TCA", 11, "tRNA-Sup", "stop codon TGA"),
        ("TCA", 4, "tRNA-Trp", None),
        ("TCA", 25, "tRNA-Gly", None),
        ("TTA", 11, "tRNA-Sup", "stop codon TAA"),
        ("GAA", 99, "tRNA-Phe", None),
    ],
)
def test_a_trna_is_named_by_what_it_reads_in_the_code_of_its_contig(
    within, anticodon, code, product, said
):
    (found,) = find_trna(SearchedContig(within(trna(anticodon)), code=code))
    assert (found.product, found.anticodon) == (product, anticodon)
    assert (said in found.note) if said else (found.note is None)


@pytest.mark.parametrize("strand", [1, -1])
@pytest.mark.parametrize("start", [0, 10, 35, 40, 75, 300])
def test_a_trna_over_the_origin_is_the_same_one_from_every_base(start, strand):
    gene = trna() if strand > 0 else reverse_complement(trna())
    circle = gene + random_bases(2_000)
    turned = circle[start:] + circle[:start]
    (found,) = find_trna(SearchedContig(turned, is_circle=True, opening=-start % len(circle)))
    assert found.interval.slice(turned) == gene
    assert found.interval.start == -start % len(circle)
    (placed,) = resolve_overlaps("c", len(turned), IdSeries("c"), [found]).rna_genes
    read = placed.anticodon_place.slice(turned)
    assert (read if strand > 0 else reverse_complement(read)) == placed.anticodon == "GAA"
    assert placed.anticodon_place.start < len(turned)


def test_a_line_has_no_trna_over_its_ends():
    circle = trna() + random_bases(2_000)
    turned = circle[40:] + circle[:40]
    assert find_trna(SearchedContig(turned)) == ()


@pytest.mark.parametrize("length", [0, 1, 2, 49, 50, 60, 75])
@pytest.mark.parametrize("is_circle", [False, True])
def test_short_contigs_have_none_and_break_nothing(length, is_circle):
    assert find_trna(SearchedContig("ACGTR" * 20, is_circle)) == ()
    assert find_trna(SearchedContig(random_bases(length), is_circle)) == ()


def test_letters_for_several_bases_break_nothing(within):
    mixed = "".join(random.Random(2).choices("ACGTRYSWKMBDHVN", k=5_000))
    (found,) = find_trna(SearchedContig(mixed + within(trna())))
    assert found.interval.start == 5_500


def test_random_bases_hold_hardly_any():
    assert len(find_trna(SearchedContig(random_bases(500_000)))) <= 1


def test_the_transfer_messenger_rna_of_a_genome_tells_its_tag(shared_data):
    from genint.formats import read_genome  # noqa: PLC0415

    contig = read_genome(shared_data / "genomes" / "M_mycoides_GM12_NZ_CP001668.gbff.gz").contigs[0]
    found = find_trna(SearchedContig(contig.bases, is_circle=True, code=4))
    (tmrna,) = (gene for gene in found if gene.kind == "tmRNA")
    assert tmrna.product == "transfer-messenger RNA"
    assert "tag AEKNEENFEMPAFMINNASAGANYMFA" in tmrna.note
    annotated = {rna.location.span for rna in contig.rna_genes if rna.kind == "tRNA"}
    assert annotated == {gene.interval for gene in found if gene.kind == "tRNA"}
