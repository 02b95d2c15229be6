"""rRNA: found whole or partial, on either strand, over origins, and nowhere else."""

from __future__ import annotations

import pytest

from genint.model import Interval, Strand, reverse_complement
from genint.rna import PRODUCTS, SearchedContig, find_rrna
from genint.rna.rrna import _profile
from tests.builders.rna import random_bases


def consensus(profile: str, domain: str = "bac") -> str:
    """The sequence that a family has most often, as DNA."""
    return _profile(domain, profile).consensus.upper().replace("U", "T").replace("N", "A")


@pytest.mark.parametrize("profile", PRODUCTS)
def test_a_gene_is_found_from_end_to_end(within, profile):
    gene = consensus(profile)
    (found,) = find_rrna(SearchedContig(within(gene)), profile)
    assert (found.interval, found.strand) == (Interval(500, 500 + len(gene)), Strand.FORWARD)
    assert (found.kind, found.product) == ("rRNA", PRODUCTS[profile])
    assert found.accession in {"RF00001", "RF00177", "RF02541"}
    assert (found.note, found.partial_5, found.partial_3) == (None, False, False)


def test_a_gene_of_the_other_strand_is_found(within):
    gene = consensus("16S_rRNA")
    (found,) = find_rrna(SearchedContig(within(reverse_complement(gene))), "16S_rRNA")
    assert (found.interval.start, found.strand) == (500, Strand.REVERSE)


def test_a_gene_that_runs_off_the_contig_is_partial_there():
    gene = consensus("16S_rRNA")
    (found,) = find_rrna(SearchedContig(gene[700:] + random_bases(900)), "16S_rRNA")
    assert (found.partial_5, found.partial_3) == (True, False)
    assert found.note.startswith("Partial: 54% of the model's 1533 positions")


def test_a_fragment_inside_a_contig_is_told_as_one(within):
    (found,) = find_rrna(SearchedContig(within(consensus("16S_rRNA")[300:1000])), "16S_rRNA")
    assert "Partial: 46%" in found.note
    assert not found.partial_5
    assert not found.partial_3


def test_less_than_a_quarter_is_no_gene(within):
    fragment = consensus("16S_rRNA")[300:600]
    assert find_rrna(SearchedContig(within(fragment)), "16S_rRNA") == ()


def test_a_gene_that_an_insertion_splits_is_one(within):
    gene = consensus("23S_rRNA")
    split = gene[:1100] + random_bases(400, seed=4) + gene[1100:]
    (found,) = find_rrna(SearchedContig(within(split)), "23S_rRNA")
    assert found.interval == Interval(500, 500 + len(split))


def test_archaea_have_a_model_of_their_own(within):
    gene = consensus("16S_rRNA", "arc")
    (found,) = find_rrna(SearchedContig(within(gene)), "16S_rRNA")
    assert found.accession == "RF01959"
    assert found.interval == Interval(500, 500 + len(gene))
    assert "archaea" in found.note


@pytest.mark.parametrize("start", [0, 1, 800, 1530, 2000])
def test_a_gene_over_the_origin_is_the_same_one_from_every_base(start):
    gene = consensus("16S_rRNA")
    circle = gene + random_bases(3_000)
    turned = circle[start:] + circle[:start]
    contig = SearchedContig(turned, is_circle=True, opening=(1600 - start) % len(circle))
    (found,) = find_rrna(contig, "16S_rRNA")
    assert found.interval.slice(turned) == gene


@pytest.mark.parametrize("profile", PRODUCTS)
def test_random_bases_and_short_contigs_have_none(profile):
    assert find_rrna(SearchedContig(random_bases(100_000)), profile) == ()
    for length in (0, 1, 29, 30, 100):
        assert find_rrna(SearchedContig(random_bases(length)), profile) == ()
        assert find_rrna(SearchedContig("RYN" * length, is_circle=True), profile) == ()


@pytest.mark.slow
def test_the_genes_of_a_bacterium_are_all_found(shared_data):
    from genint.formats import read_genome  # noqa: PLC0415

    contig = read_genome(shared_data / "genomes" / "S_pyogenes_M1_NC_002737.gb.gz").contigs[0]
    annotated = [rna for rna in contig.rna_genes if rna.kind == "rRNA"]
    found = [
        gene for profile in PRODUCTS for gene in find_rrna(SearchedContig(contig.bases), profile)
    ]
    assert len(found) == len(annotated) == 18
    for rna in annotated:
        (gene,) = (g for g in found if g.interval.overlap_bp(rna.location.span) > 100)
        assert gene.strand is rna.location.strand
        assert abs(gene.interval.start - rna.location.span.start) <= 12
        assert abs(gene.interval.end - rna.location.span.end) <= 12
