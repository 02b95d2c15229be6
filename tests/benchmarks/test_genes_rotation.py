"""A circle that is opened elsewhere has its genes elsewhere."""

from __future__ import annotations

import pytest

from benchmarks.genes.callers import Call, Caller, Found
from benchmarks.genes.figures import Span, circle_of
from benchmarks.genes.panel import Subject
from benchmarks.genes.rotation import rotate, rotated_span, rotations
from genint.model import Interval, Strand, Topology
from tests.benchmarks.genes_examples import made_contig, made_gene, made_subject

CONTIG = made_contig(1000, made_gene("a", 900, 1200), made_gene("b", 400, 700, -1), circular=True)
SUBJECT = made_subject(CONTIG)


@pytest.mark.parametrize("by_bp", [0, 1, 150, 400, 450, 699, 900, 999])
def test_genes_have_the_same_bases_from_any_base(by_bp: int) -> None:
    turned, spans = rotate(SUBJECT, by_bp)
    bases = turned.bare.contigs[0].bases
    assert bases == CONTIG.bases[by_bp:] + CONTIG.bases[:by_bp]
    for gene, span in zip(CONTIG.genes, spans, strict=True):
        assert span.interval.slice(bases) == gene.span.slice(CONTIG.bases)
        assert span.strand is gene.strand


def test_a_gene_over_the_origin_becomes_a_plain_one() -> None:
    span = Span(Interval(900, 1200), Strand.FORWARD)
    assert rotated_span(span, 250, 1000).interval == Interval(650, 950)
    assert rotated_span(span, 950, 1000).interval == Interval(950, 1250)


def test_a_finder_of_lines_loses_the_gene_that_the_line_cuts() -> None:
    def line(subject: Subject) -> Found:
        """Finds what lies whole, by the bases of the first gene."""
        bases = subject.bare.contigs[0].bases
        at = bases.find(CONTIG.genes[0].span.slice(CONTIG.bases))
        calls = (Call(Span(Interval(at, at + 300), Strand.FORWARD)),) if at >= 0 else ()
        return Found((calls,), ((),), 0.0)

    one = rotations(SUBJECT, Caller("line", line, ""), None, [0, 300, 500])
    assert (one.genes, one.least_found, one.median_found, one.most_false) == (2, 0, 1, 0)


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (Topology.CIRCULAR, (1000, True)),
        (Topology.LINEAR, (None, True)),
        (None, (None, False)),
    ],
)
def test_the_finder_is_told_the_shape_that_the_file_would_say(
    shape: Topology | None, expected: tuple[int | None, bool]
) -> None:
    seen = []

    def look(subject: Subject) -> Found:
        (contig,) = subject.bare.contigs
        seen.append((circle_of(contig), contig.topology_stated))
        return Found(((),), ((),), 0.0)

    rotations(SUBJECT, Caller("look", look, ""), shape, [10])
    assert seen == [expected]
