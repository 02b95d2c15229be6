"""Line or circle, with the reason."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from genint.formats import read_genome
from genint.genes import (
    TAKEN_AS_CIRCLE,
    ContigSearch,
    Layout,
    PlacedFrame,
    Search,
    better_topology,
    call_genes,
    full_circle_bp,
    meta_model,
    terminal_repeat_bp,
    why_no_circle,
)
from genint.model import CallScores, Contig, Genome, Interval, Strand, Topology, reverse_complement


def called(genome: Genome) -> Contig:
    return call_genes(genome).contigs[0].contig


def reason(contig: Contig) -> str:
    assert contig.calling is not None
    return contig.calling.topology_reason


def test_a_stated_topology_stands(phix174: Genome, make_genome) -> None:
    assert reason(called(phix174)) == "as the file says"
    line = called(make_genome(phix174.contigs[0].bases, circle=False))
    assert (line.topology, reason(line)) == (Topology.LINEAR, "as the file says")


@pytest.mark.parametrize("turn_bp", [0, 700, 2295, 4200, 5100])
def test_a_single_stranded_phage_is_a_circle_wherever_it_is_cut_and_says_why(
    phix174: Genome, make_genome, turn_bp: int
) -> None:
    bases = phix174.contigs[0].bases
    turned = bases[turn_bp:] + bases[:turn_bp]
    for text in (turned, reverse_complement(turned)):
        contig = called(make_genome(text))
        assert contig.topology is Topology.CIRCULAR
        assert "as in single-stranded phages" in reason(contig)


def test_a_circle_without_skew_is_told_by_the_gene_that_is_cut(shared_data: Path) -> None:
    contig = called(read_genome(shared_data / "genomes" / "SpV4_NC_003438.fa"))
    assert contig.topology is Topology.CIRCULAR
    assert "tested as linear and as circular: joining the ends makes a gene of" in reason(contig)


def test_what_was_closed_unasked_is_a_warning_of_the_genome(phix174: Genome, make_genome) -> None:
    bases = phix174.contigs[0].bases
    [warning] = call_genes(make_genome(bases)).genome.warnings
    assert (warning.code, warning.contig) == (TAKEN_AS_CIRCLE, "c1")
    assert "assumed circular, topology not given" in warning.text
    assert call_genes(make_genome(bases, circle=True)).genome.warnings == ()
    assert call_genes(make_genome(bases, circle=False)).genome.warnings == ()


def found(*calls: tuple[int, int, Strand, float], clipped: bool = False) -> ContigSearch:
    """A search of a contig of 5,000 bases that found genes of these places and scores."""
    placed = tuple(
        PlacedFrame(
            Interval(start, end),
            strand,
            CallScores(score, score, 0.0, "ATG", None, 0.99),
            clipped_left=clipped and start == 0,
            clipped_right=clipped and end == 5000,
        )
        for start, end, strand, score in calls
    )
    layout = Layout("AT" * 2500, 5000, closed=not clipped)
    return ContigSearch(layout, meta_model(11), Search((), None), placed, ())


LINE = found((0, 500, Strand.FORWARD, 20.0), (4000, 5000, Strand.FORWARD, 40.0), clipped=True)


@pytest.mark.parametrize(
    ("score", "topology"),
    [(59.0, "linear"), (60.0, "linear"), (60.4, "linear"), (62.9, "linear"), (63.0, "circular")],
)
def test_joining_asks_for_a_margin(score: float, topology: str) -> None:
    shape = better_topology(LINE, found((4000, 5500, Strand.FORWARD, score)))
    assert shape.topology.value == topology


def test_only_a_line_whose_genes_may_meet_is_tried_as_a_circle() -> None:
    assert why_no_circle(LINE) is None
    ends = (0, 501, Strand.FORWARD, 20.0), (4000, 5000, Strand.FORWARD, 40.0)
    assert "not read in one frame" in (why_no_circle(found(*ends, clipped=True)) or "")
    both = (0, 1200, Strand.FORWARD, 20.0), (2000, 3500, Strand.REVERSE, 40.0)
    assert "both strands" in (why_no_circle(found(*both, clipped=True)) or "")


def test_genes_on_both_strands_keep_the_line() -> None:
    whole = (4000, 5500, Strand.FORWARD, 90.0)
    shape = better_topology(LINE, found((600, 1500, Strand.REVERSE, 50.0), whole))
    assert shape.topology is Topology.LINEAR
    assert "both strands" in shape.reason


def test_without_a_gene_over_the_join_nothing_speaks_for_a_circle() -> None:
    shape = better_topology(LINE, found((600, 1500, Strand.FORWARD, 90.0)))
    assert shape.topology is Topology.LINEAR
    assert "no gene runs over the join" in shape.reason


def test_skewed_bases_with_genes_on_both_strands_are_no_single_stranded_phage() -> None:
    skewed = Layout("ATT" * 1666, 5000, closed=True)
    both = found((600, 1500, Strand.REVERSE, 50.0), (2000, 4000, Strand.FORWARD, 90.0))
    one = found((600, 1500, Strand.FORWARD, 50.0), (2000, 4000, Strand.FORWARD, 90.0))
    assert better_topology(LINE, replace(both, layout=skewed)).topology is Topology.LINEAR
    assert better_topology(LINE, replace(one, layout=skewed)).topology is Topology.CIRCULAR


def test_a_piece_whose_ends_do_not_fit_stays_a_line(lambda_phage: Genome, make_genome) -> None:
    contig = called(make_genome(lambda_phage.contigs[0].bases[5000:11000]))
    assert contig.topology is Topology.LINEAR
    assert "tested as linear and as circular" in reason(contig)


def test_lambda_without_a_word_is_a_line(lambda_phage: Genome) -> None:
    contig = called(lambda_phage)
    assert contig.topology is Topology.LINEAR
    assert reason(contig) == "assumed linear: topology not given"


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


def test_a_stated_line_with_terminal_repeats_keeps_its_word_and_names_them(
    lambda_phage: Genome, make_genome
) -> None:
    bases = lambda_phage.contigs[0].bases[:6000]
    contig = called(make_genome(bases + bases[:160], circle=False))
    assert contig.topology is Topology.LINEAR
    assert reason(contig).startswith("as the file says; both ends are the same 160 bp")


def test_the_overlap_that_assemblers_leave_is_named(lambda_phage: Genome, make_genome) -> None:
    bases = lambda_phage.contigs[0].bases[:6000]
    assert "overlap that assemblers leave" in reason(called(make_genome(bases + bases[:77])))
    assert "overlap that assemblers leave" not in reason(called(make_genome(bases + bases[:78])))


def test_a_genome_that_is_there_twice_is_named(phix174: Genome, make_genome) -> None:
    bases = phix174.contigs[0].bases
    twice = called(make_genome(bases + bases + bases[:1000]))
    assert "the same 5,386 bp 2.2 times over" in reason(twice)


@pytest.mark.parametrize(
    ("bases", "turn_bp"),
    [
        ("", 0),
        ("A" * 500, 0),
        ("ACGTTGCAACGGTCATTGCCA" + "G" * 100, 0),
        (("ACGTTGCAACGGTCATTGCCA" + "G" * 100) * 2, 121),
        (("ACGTTGCAACGGTCATTGCCA" + "G" * 100) * 3 + "ACGTTG", 121),
        ("ACGTTGCAACGGTCATTGCCA" + "G" * 100 + "ACGTTGCAACGGTCATTGCCA", 0),
    ],
)
def test_whole_turns_are_measured(bases: str, turn_bp: int) -> None:
    assert full_circle_bp(bases) == turn_bp


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
