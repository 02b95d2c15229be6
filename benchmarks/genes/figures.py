"""Genes called, held against genes annotated: by stop codon, by start, by overlap."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

from genint.model.genome import Contig, Genome, Topology
from genint.model.interval import Interval, Strand

_MIN_COVER = 0.5
_BIN_BP = 10_000


class Span(NamedTuple):
    """A gene: outer span (unrolled over an origin) and strand."""

    interval: Interval
    strand: Strand

    def stop(self, circle_bp: int | None) -> tuple[int, Strand]:
        """3' end and strand: what two calls of one gene share."""
        end = self.interval.end if self.strand is Strand.FORWARD else self.interval.start
        return (end % circle_bp if circle_bp else end), self.strand


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts of one genome, or of several together.

    Attributes:
        genes: Annotated genes without pseudogenes.
        stops: Those whose stop codon is that of a call.
        exact: Those of which the start is right too.
        calls: Calls without those of pseudogenes.
        right: Calls whose stop codon is that of an annotated gene.
        matched: Pairs of a gene and a call that cover one another by half.
    """

    genes: int = 0
    stops: int = 0
    exact: int = 0
    calls: int = 0
    right: int = 0
    matched: int = 0

    def __add__(self, other: Figures) -> Figures:
        names = (field.name for field in fields(self))
        return Figures(*(getattr(self, name) + getattr(other, name) for name in names))

    @property
    def stop_recall(self) -> float:
        """Share of annotated genes whose stop codon was called."""
        return self.stops / max(1, self.genes)

    @property
    def exact_recall(self) -> float:
        """Share of annotated genes that were called with the same start too."""
        return self.exact / max(1, self.genes)

    @property
    def precision(self) -> float:
        """Share of calls with the stop codon of an annotated gene."""
        return self.right / max(1, self.calls)

    @property
    def f1(self) -> float:
        """Harmonic mean at 50 % reciprocal overlap."""
        return 2 * self.matched / max(1, self.genes + self.calls)


def circle_of(contig: Contig) -> int | None:
    """Length of a circle in bp; None of a line."""
    return len(contig) if contig.topology is Topology.CIRCULAR else None


def true_spans(contig: Contig) -> tuple[Span, ...]:
    """Annotated genes, pseudogenes left out."""
    return tuple(Span(gene.span, gene.strand) for gene in contig.genes if not gene.pseudo)


def compare_genome(annotated: Genome, calls: Sequence[Sequence[Span]]) -> Figures:
    """Figures of the calls on all contigs, in their order. Cost: O(genes + calls)."""
    pairs = zip(annotated.contigs, calls, strict=True)
    return sum((compare(contig, found) for contig, found in pairs), Figures())


def compare(contig: Contig, calls: Sequence[Span]) -> Figures:
    """Figures of one contig; calls of pseudogenes count neither way."""
    circle_bp = circle_of(contig)
    pseudo = {Span(g.span, g.strand).stop(circle_bp) for g in contig.genes if g.pseudo}
    counted = [call for call in calls if call.stop(circle_bp) not in pseudo]
    return compare_spans(true_spans(contig), counted, len(contig), circle_bp)


def compare_spans(
    genes: Sequence[Span], calls: Sequence[Span], contig_bp: int, circle_bp: int | None
) -> Figures:
    """Figures of calls against genes on a contig.

    A gene and a shorter form of it have one stop codon between them: a call of either
    finds both, exactly only the one whose start it has.
    """
    lengths: dict[tuple[int, Strand], set[int]] = defaultdict(set)
    for call in calls:
        lengths[call.stop(circle_bp)].add(len(call.interval))
    known = {gene.stop(circle_bp) for gene in genes}
    return Figures(
        genes=len(genes),
        stops=sum(gene.stop(circle_bp) in lengths for gene in genes),
        exact=sum(len(g.interval) in lengths.get(g.stop(circle_bp), ()) for g in genes),
        calls=len(calls),
        right=sum(call.stop(circle_bp) in known for call in calls),
        matched=_matched(genes, calls, contig_bp),
    )


def _matched(genes: Sequence[Span], calls: Sequence[Span], contig_bp: int) -> int:
    """Pairs that cover one another by half, best pairs first, each used once."""
    bins: dict[int, set[int]] = defaultdict(set)
    for index, call in enumerate(calls):
        for number in _bins(call.interval, contig_bp):
            bins[number].add(index)
    pairs = []
    for place, gene in enumerate(genes):
        for index in set().union(*(bins[number] for number in _bins(gene.interval, contig_bp))):
            call = calls[index]
            shared = gene.interval.overlap_on_circle_bp(call.interval, contig_bp)
            cover = shared / max(len(gene.interval), len(call.interval))
            if gene.strand is call.strand and cover >= _MIN_COVER:
                pairs.append((-cover, place, index))
    used_genes: set[int] = set()
    used_calls: set[int] = set()
    for _, place, index in sorted(pairs):
        if place not in used_genes and index not in used_calls:
            used_genes.add(place)
            used_calls.add(index)
    return len(used_genes)


def _bins(interval: Interval, contig_bp: int) -> Iterable[int]:
    for piece in interval.pieces(contig_bp):
        yield from range(piece.start // _BIN_BP, piece.end // _BIN_BP + 1)
