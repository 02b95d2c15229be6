"""Nested, overlapping and shorter genes are told apart and counted."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.genes.figures import Span
from benchmarks.genes.hidden import (
    Count,
    Kind,
    Start,
    count_hidden,
    hidden_genes,
    lost_genes,
    named_lost,
    wrong_calls,
)
from genint.model import Interval, Location, Part, Strand
from tests.benchmarks.genes_examples import made_contig, made_gene, made_genome

HOST = made_gene("host", 100, 1000)
NESTED = made_gene("nested", 201, 501)
ANTISENSE = made_gene("antisense", 300, 600, -1)
SHORTER = made_gene("shorter", 400, 1000)
SMALL = made_gene("small", 970, 1120)
TOUCHING = made_gene("touching", 1116, 1300)
CONTIG = made_contig(2000, HOST, NESTED, ANTISENSE, SHORTER, SMALL, TOUCHING)


def spans(*places: tuple[int, int, int]) -> list[Span]:
    return [Span(Interval(start, end), Strand(strand)) for start, end, strand in places]


def test_each_gene_is_of_the_kind_that_its_place_says() -> None:
    assert {lost.gene.id: lost.kind for lost in hidden_genes(CONTIG)} == {
        "nested": Kind.NESTED,
        "antisense": Kind.ANTISENSE,
        "shorter": Kind.INTERNAL_START,
        "small": Kind.SMALL_OVERLAP,
    }


def test_a_gene_over_the_origin_is_nested_in_a_host_over_the_origin() -> None:
    host, inner = made_gene("host", 1500, 2400), made_gene("inner", 101, 301)
    (lost,) = hidden_genes(made_contig(2000, host, inner, circular=True))
    assert (lost.gene.id, lost.kind) == ("inner", Kind.NESTED)


def test_a_gene_of_several_parts_is_no_host() -> None:
    parts = (Part(Interval(100, 600), Strand.FORWARD), Part(Interval(599, 1000), Strand.FORWARD))
    slipping = replace(HOST, location=Location(parts))
    assert hidden_genes(made_contig(2000, slipping, NESTED)) == ()


def test_an_internal_start_is_found_by_its_own_start_and_not_by_the_hosts_call() -> None:
    genome = made_genome(CONTIG)
    by_host = count_hidden(genome, [spans((100, 1000, 1))], [[]])
    assert by_host[Kind.INTERNAL_START] == Count(1, 0, 0)
    by_itself = count_hidden(genome, [spans((400, 1000, 1))], [[]])
    assert by_itself[Kind.INTERNAL_START] == Count(1, 1, 0)


def test_an_internal_start_that_is_told_of_is_counted_beside() -> None:
    told = [Start(spans((400, 1000, 1))[0], 0.4)]
    counts = count_hidden(made_genome(CONTIG), [spans((100, 1000, 1))], [told])
    assert counts[Kind.INTERNAL_START] == Count(1, 0, 1)
    both = count_hidden(made_genome(CONTIG), [spans((400, 1000, 1))], [told])
    assert both[Kind.INTERNAL_START] == Count(1, 1, 0)


def test_other_kinds_are_found_by_their_stop() -> None:
    calls = spans((231, 501, 1), (300, 600, 1), (1000, 1120, 1))
    counts = count_hidden(made_genome(CONTIG), [calls], [[]])
    assert counts[Kind.NESTED] == Count(1, 1, 0)
    assert counts[Kind.ANTISENSE] == Count(1, 0, 0)
    assert counts[Kind.SMALL_OVERLAP] == Count(1, 1, 0)


def test_lost_genes_and_wrong_calls_are_listed() -> None:
    genome = made_genome(made_contig(2000, HOST, TOUCHING, made_gene("p", 1500, 1800, pseudo=True)))
    calls = [spans((100, 1000, 1), (1500, 1800, 1), (1400, 1700, -1))]
    assert [gene.id for gene in lost_genes(genome, calls)] == ["touching"]
    assert wrong_calls(genome, calls) == tuple(spans((1400, 1700, -1)))


def test_genes_told_by_name_say_where_only_their_start_was_told() -> None:
    shorter = replace(SHORTER, symbol="nu3")
    nested = replace(NESTED, symbol="Rz1")
    genome = made_genome(made_contig(2000, HOST, shorter, nested))
    told = [Start(spans((400, 1000, 1))[0], 0.4)]
    assert named_lost("lambda", genome, [spans((100, 1000, 1))], [told]) == ("nu3 (start)", "Rz1")
    assert named_lost("T7", genome, [[]], [[]]) == ()
