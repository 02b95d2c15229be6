"""Copies of genes in terminal repeats, and lines that may be circles."""

from __future__ import annotations

from pathlib import Path

import pytest

from genint.formats import read_genome
from genint.genes import MAY_BE_CIRCLE, call_genes
from genint.model import Contig, Genome


def called(genome: Genome) -> Contig:
    return call_genes(genome).contigs[0].contig


def remarks(genome: Genome) -> list[str]:
    return [w.text for w in call_genes(genome).genome.warnings if w.code == MAY_BE_CIRCLE]


def test_the_terminal_repeat_of_t7_is_measured_and_stays_on_a_line(shared_data: Path) -> None:
    genome = read_genome(shared_data / "genomes" / "T7_V01146.fasta")
    contig = called(genome)
    assert contig.terminal_repeat_bp == 160
    assert remarks(genome) == []
    assert not any("twice" in (gene.note or "") for gene in contig.genes)


def test_a_contig_without_terminal_repeat_has_none(lambda_phage: Genome) -> None:
    assert called(lambda_phage).terminal_repeat_bp == 0


def test_genes_of_a_long_terminal_repeat_know_their_copies(
    lambda_phage: Genome, make_genome
) -> None:
    bases = lambda_phage.contigs[0].bases[:20_000]
    contig = called(make_genome(bases + bases[:6_000]))
    assert contig.terminal_repeat_bp == 6_000
    ids = {gene.id: gene for gene in contig.genes}
    first = [gene for gene in contig.genes if gene.span.end <= 6_000]
    noted = [gene for gene in contig.genes if "is there twice" in (gene.note or "")]
    assert len(noted) >= 2 * (len(first) - 1) >= 6
    for gene in noted:
        other = ids[(gene.note or "").partition("same gene as ")[2].partition(":")[0]]
        assert abs(gene.span.end - other.span.end) == 20_000
        assert gene.protein[-20:] == other.protein[-20:]


def test_nothing_is_lost_or_told_twice_where_the_ends_of_a_circle_overlap(
    phix174: Genome, make_genome
) -> None:
    # Cut in front of gene A, so that the overlap of an assembler holds no whole gene.
    bases = phix174.contigs[0].bases
    turned = bases[3950:] + bases[:3950]
    plain = {g.protein for g in called(make_genome(turned, circle=False)).genes}
    overlapping = called(make_genome(turned + turned[:77], circle=False))
    whole = [g for g in overlapping.genes if not g.location.partial_3]
    assert {g.protein for g in whole} >= {p for p in plain if len(p) > 60}
    assert len({g.protein for g in whole}) == len(whole)


def test_a_line_whose_ends_hold_one_gene_may_be_a_circle(phix174: Genome, make_genome) -> None:
    bases = phix174.contigs[0].bases
    [text] = remarks(make_genome(bases[4500:] + bases[:4500], circle=False))
    assert "as the file says" in text
    assert "would make a gene of 1,542 bp whole" in text
    assert "topology=circular" in text


def test_an_overlap_is_taken_off_before_the_ends_are_joined(phix174: Genome, make_genome) -> None:
    bases = phix174.contigs[0].bases
    turned = bases[4500:] + bases[:4500]
    [text] = remarks(make_genome(turned + turned[:77]))
    assert "without its last 77 bp" in text
    assert "1,542 bp" in text


def test_a_circle_is_no_line_that_may_be_one(phix174: Genome, make_genome) -> None:
    bases = phix174.contigs[0].bases
    for circle in (True, None):
        assert remarks(make_genome(bases[4500:] + bases[:4500], circle=circle)) == []


def test_a_large_phage_that_was_cut_in_a_gene_may_be_a_circle(
    lambda_phage: Genome, make_genome
) -> None:
    bases = lambda_phage.contigs[0].bases
    assert remarks(lambda_phage) == []
    [text] = remarks(make_genome(bases[12_000:] + bases[:12_000]))
    assert "2,562 bp" in text


def test_files_of_several_records_are_not_asked(phix174: Genome, make_genome) -> None:
    bases = phix174.contigs[0].bases
    piece = bases[4500:] + bases[:4500]
    assert remarks(make_genome(piece, piece, circle=False)) == []


@pytest.mark.parametrize("bases", ["ACGT", "ACGT" * 30])
def test_scraps_have_no_ends_to_speak_of(make_genome, bases: str) -> None:
    assert remarks(make_genome(bases)) == []
