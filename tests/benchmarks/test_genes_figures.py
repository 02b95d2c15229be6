"""Calls are held against genes by stop codon, start and overlap."""

from __future__ import annotations

from benchmarks.genes.figures import Figures, Span, compare, compare_genome
from genint.model import Interval, Strand
from tests.benchmarks.genes_examples import made_contig, made_gene, made_genome


def span(start: int, end: int, strand: int = 1) -> Span:
    return Span(Interval(start, end), Strand(strand))


def test_the_right_stop_with_another_start_is_found_but_not_exact() -> None:
    contig = made_contig(1000, made_gene("a", 100, 400), made_gene("b", 500, 800, -1))
    figures = compare(contig, [span(130, 400), span(500, 770, -1)])
    assert (figures.stops, figures.exact, figures.right, figures.matched) == (2, 0, 2, 2)


def test_a_call_on_the_other_strand_finds_nothing() -> None:
    contig = made_contig(1000, made_gene("a", 100, 400))
    assert compare(contig, [span(100, 400, -1)]) == Figures(genes=1, calls=1)


def test_a_gene_over_the_origin_is_found_where_the_call_is_unrolled_elsewhere() -> None:
    contig = made_contig(1000, made_gene("a", 900, 1200), circular=True)
    figures = compare(contig, [span(900, 1200), span(300, 600)])
    assert (figures.stops, figures.exact, figures.matched, figures.precision) == (1, 1, 1, 0.5)


def test_a_call_finds_both_forms_of_a_gene_but_only_one_exactly() -> None:
    contig = made_contig(1000, made_gene("A", 100, 700), made_gene("A*", 400, 700))
    figures = compare(contig, [span(100, 700)])
    assert (figures.genes, figures.stops, figures.exact, figures.calls) == (2, 2, 1, 1)
    assert compare(contig, [span(100, 700), span(400, 700)]).exact == 2


def test_calls_of_pseudogenes_count_neither_way() -> None:
    contig = made_contig(1000, made_gene("a", 100, 400, pseudo=True), made_gene("b", 500, 800))
    figures = compare(contig, [span(100, 400), span(500, 800)])
    assert (figures.genes, figures.calls, figures.precision) == (1, 1, 1.0)


def test_half_must_be_covered_both_ways_and_each_call_counts_once() -> None:
    contig = made_contig(1000, made_gene("a", 100, 400), made_gene("b", 110, 410))
    assert compare(contig, [span(100, 400)]).matched == 1
    assert compare(contig, [span(100, 240)]).matched == 0
    assert compare(contig, [span(100, 1000)]).matched == 0


def test_contigs_are_summed_up() -> None:
    genome = made_genome(
        made_contig(500, made_gene("a", 0, 300)), made_contig(500, made_gene("b", 0, 300))
    )
    figures = compare_genome(genome, [[span(0, 300)], []])
    assert (figures.genes, figures.stops, figures.stop_recall) == (2, 1, 0.5)
