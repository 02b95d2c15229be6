"""Line or circle, with the reason."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from genint.formats import read_genome
from genint.genes import call_genes
from genint.genes.shapes import terminal_repeat_bp
from genint.model.genome import Contig, Genome, Topology


def called(genome: Genome) -> Contig:
    return call_genes(genome).contigs[0].contig


def reason(contig: Contig) -> str:
    assert contig.calling is not None
    return contig.calling.topology_reason


def test_a_stated_topology_stands(phix174: Genome, make_genome) -> None:
    assert reason(called(phix174)) == "as the file says"
    line = called(make_genome(phix174.contigs[0].bases, circle=False))
    assert (line.topology, reason(line)) == (Topology.LINEAR, "as the file says")


@pytest.mark.parametrize("turn_bp", [0, 700, 4200])
def test_a_small_phage_cut_inside_a_gene_is_closed_and_says_why(
    phix174: Genome, make_genome, turn_bp: int
) -> None:
    bases = phix174.contigs[0].bases
    contig = called(make_genome(bases[turn_bp:] + bases[:turn_bp]))
    assert contig.topology is Topology.CIRCULAR
    assert "tried both ways: joining the ends makes a gene of" in reason(contig)


def test_a_small_phage_cut_between_genes_stays_a_line(phix174: Genome, make_genome) -> None:
    bases = phix174.contigs[0].bases
    contig = called(make_genome(bases[2295:] + bases[:2295]))
    assert contig.topology is Topology.LINEAR
    assert "no gene runs over the join" in reason(contig)


def test_a_piece_whose_ends_do_not_fit_stays_a_line(lambda_phage: Genome, make_genome) -> None:
    contig = called(make_genome(lambda_phage.contigs[0].bases[5000:11000]))
    assert contig.topology is Topology.LINEAR
    assert "tried both ways" in reason(contig)


def test_lambda_without_a_word_is_a_line(lambda_phage: Genome) -> None:
    contig = called(lambda_phage)
    assert contig.topology is Topology.LINEAR
    assert "above 10 kb" in reason(contig)


def test_a_title_that_says_partial_keeps_the_line(phix174: Genome, make_genome) -> None:
    genome = make_genome(phix174.contigs[0].bases)
    titled = replace(genome.contigs[0], description="some phage, partial genome")
    contig = called(replace(genome, contigs=(titled,)))
    assert contig.topology is Topology.LINEAR
    assert "incomplete" in reason(contig)


def test_longer_records_beside_it_keep_the_line(
    phix174: Genome, lambda_phage: Genome, make_genome
) -> None:
    genome = make_genome(phix174.contigs[0].bases, lambda_phage.contigs[0].bases)
    assert "longer records" in reason(called(genome))


def test_direct_terminal_repeats_are_named_and_do_not_close(
    lambda_phage: Genome, make_genome
) -> None:
    bases = lambda_phage.contigs[0].bases[:6000]
    contig = called(make_genome(bases + bases[:160]))
    assert contig.topology is Topology.LINEAR
    assert "same 160 bp" in reason(contig)


def test_t7_is_a_line_with_its_160_bases_of_terminal_repeat(shared_data: Path) -> None:
    contig = called(read_genome(shared_data / "genomes" / "T7_V01146.fasta"))
    assert contig.topology is Topology.LINEAR
    assert "same 160 bp" in reason(contig)


@pytest.mark.parametrize(
    ("bases", "repeat_bp"),
    [
        ("", 0),
        ("A" * 500, 0),
        ("ACGTTGCAACGGTCATTGCCA" + "G" * 100, 0),
        ("ACGTTGCAACGGTCATTGCCA" + "G" * 100 + "ACGTTGCAACGGTCATTGCCA", 21),
    ],
)
def test_terminal_repeats_are_measured(bases: str, repeat_bp: int) -> None:
    assert terminal_repeat_bp(bases) == repeat_bp
