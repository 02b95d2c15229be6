"""The same genes whatever base the file starts at: one circle, opened everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from benchmarks.genes.callers import Caller
from benchmarks.genes.figures import Figures, Span, compare_spans, true_spans
from benchmarks.genes.panel import Subject, in_shape
from genint.model.genome import Topology
from genint.model.interval import Interval

SHAPES = {
    "circular": Topology.CIRCULAR,
    "linear": Topology.LINEAR,
    "file does not say": None,
}
"""What the file says of the shape. Where it says that a circle is a line, it is believed."""


@dataclass(frozen=True, slots=True)
class Rotations:
    """Figures of one circle opened at many bases."""

    figures: tuple[Figures, ...]

    @property
    def genes(self) -> int:
        """Annotated genes."""
        return self.figures[0].genes

    @property
    def least_found(self) -> int:
        """Genes found by stop codon from the worst base."""
        return min(one.stops for one in self.figures)

    @property
    def median_found(self) -> float:
        """Genes found by stop codon from the middling base."""
        return median(one.stops for one in self.figures)

    @property
    def median_exact(self) -> float:
        """Genes found with their start from the middling base."""
        return median(one.exact for one in self.figures)

    @property
    def most_false(self) -> int:
        """Calls that are no annotated gene, from the worst base."""
        return max(one.calls - one.right for one in self.figures)

    @property
    def median_false(self) -> float:
        """Calls that are no annotated gene, from the middling base."""
        return median(one.calls - one.right for one in self.figures)


def rotate(subject: Subject, by_bp: int) -> tuple[Subject, tuple[Span, ...]]:
    """A genome of one circular contig with its base ``by_bp`` first, and where its genes are."""
    contig = subject.annotated.contigs[0]
    bases = contig.bases[by_bp:] + contig.bases[:by_bp]
    spans = tuple(rotated_span(span, by_bp, len(contig)) for span in true_spans(contig))
    bare = replace(subject.bare, contigs=(replace(subject.bare.contigs[0], bases=bases),))
    return Subject(subject.listed, subject.annotated, bare), spans


def rotated_span(span: Span, by_bp: int, circle_bp: int) -> Span:
    """Where a gene lies once the circle starts ``by_bp`` further on."""
    start = (span.interval.start - by_bp) % circle_bp
    return Span(Interval(start, start + len(span.interval)), span.strand)


def rotations(
    subject: Subject, caller: Caller, shape: Topology | None, starts: Sequence[int]
) -> Rotations:
    """Figures from every base of ``starts``.

    Truth is taken on the circle: where a line cuts a gene in two, the half with its stop
    codon finds it, and the other half is a false call.
    """
    circle_bp = subject.bare.length_bp
    figures = []
    for by_bp in starts:
        turned, spans = rotate(subject, by_bp)
        found = caller.find(replace(turned, bare=in_shape(turned.bare, shape)))
        figures.append(compare_spans(spans, found.spans[0], circle_bp, circle_bp))
    return Rotations(tuple(figures))
