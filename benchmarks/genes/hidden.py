"""Genes that gene finders lose: nested in others, overlapping them, with two starts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from benchmarks.genes.figures import Span, circle_of
from genint.model.genome import Contig, Gene, Genome

_SMALL_BP = 300
_MIN_OVERLAP_BP = 20

NAMED: Mapping[str, tuple[str, ...]] = {
    "lambda": (
        *("Rz1", "xis", "NinB", "NinC", "NinD", "NinE", "NinF", "NinG", "NinH", "NinI"),
        *("S'", "nu3", "kil", "orf28", "orf206b"),
    ),
    "phiX174": ("NP_040704.1", "NP_040705.1", "NP_040706.1", "NP_040709.1"),
}
"""Genes that are told by name; of phiX174: A*, B, K, E."""
SYMBOLS = {"NP_040704.1": "A*", "NP_040705.1": "B", "NP_040706.1": "K", "NP_040709.1": "E"}


class Kind(StrEnum):
    """How an annotated gene lies to another one."""

    NESTED = "nested, same strand"
    """Wholly inside it, in another reading frame of the same strand."""
    ANTISENSE = "nested, other strand"
    INTERNAL_START = "internal start"
    """Same frame and stop, a start further in."""
    SMALL_OVERLAP = "small, overlapping"
    """Shorter than 300 bases, sharing 20 and more with others, inside none."""


class Lost(NamedTuple):
    """A gene of such a kind."""

    gene: Gene
    kind: Kind


class Start(NamedTuple):
    """A shorter form of a gene that was told of, with the probability that it is made."""

    span: Span
    probability: float


class Count(NamedTuple):
    """Genes of a kind.

    Attributes:
        genes: How many there are.
        called: How many are genes of their own; an internal start with its own start.
        told: How many more were told of as another start of their host.
    """

    genes: int = 0
    called: int = 0
    told: int = 0

    def plus(self, *, called: bool, told: bool) -> Count:
        """One gene more."""
        return Count(self.genes + 1, self.called + called, self.told + (told and not called))


def hidden_genes(contig: Contig) -> tuple[Lost, ...]:
    """Genes of the kinds that finders lose; genes of several parts play no part."""
    genes = [g for g in contig.genes if not g.pseudo and len(g.location.parts) == 1]
    kinds = ((gene, _kind(gene, genes, contig)) for gene in genes)
    return tuple(Lost(gene, kind) for gene, kind in kinds if kind is not None)


def _kind(gene: Gene, genes: Sequence[Gene], contig: Contig) -> Kind | None:
    """The first of the kinds that holds, with regard to any other gene."""
    kinds = {_relation(gene, other, contig) for other in genes if other is not gene}
    return next((kind for kind in Kind if kind in kinds), None)


def _relation(gene: Gene, other: Gene, contig: Contig) -> Kind | None:
    shared_bp = gene.span.overlap_on_circle_bp(other.span, len(contig))
    inside = shared_bp == len(gene.span) < len(other.span)
    if inside and gene.strand is not other.strand:
        return Kind.ANTISENSE
    if inside:
        circle_bp = circle_of(contig)
        stops = {Span(one.span, one.strand).stop(circle_bp) for one in (gene, other)}
        return Kind.INTERNAL_START if len(stops) == 1 else Kind.NESTED
    if shared_bp >= _MIN_OVERLAP_BP and len(gene.span) < _SMALL_BP:
        return Kind.SMALL_OVERLAP
    return None


def count_hidden(
    annotated: Genome,
    calls: Sequence[Sequence[Span]],
    starts: Sequence[Sequence[Start]],
) -> dict[Kind, Count]:
    """How many genes of each kind were found.

    Args:
        annotated: The record.
        calls: By contig.
        starts: Other starts of calls that were told of, by contig.
    """
    counts = dict.fromkeys(Kind, Count())
    for contig, called, told in zip(annotated.contigs, calls, starts, strict=True):
        circle_bp = circle_of(contig)
        for gene, kind in hidden_genes(contig):
            counts[kind] = counts[kind].plus(
                called=_is_called(gene, kind, called, circle_bp),
                told=_is_called(gene, kind, (start.span for start in told), circle_bp),
            )
    return counts


def _is_called(gene: Gene, kind: Kind, calls: Iterable[Span], circle_bp: int | None) -> bool:
    """A call has its stop; for an internal start its length too, which the host shares not."""
    stop = Span(gene.span, gene.strand).stop(circle_bp)
    return any(
        call.stop(circle_bp) == stop
        and (kind is not Kind.INTERNAL_START or len(call.interval) == len(gene.span))
        for call in calls
    )


def lost_genes(annotated: Genome, calls: Sequence[Sequence[Span]]) -> tuple[Gene, ...]:
    """Annotated genes whose stop codon no call has."""
    lost = []
    for contig, called in zip(annotated.contigs, calls, strict=True):
        circle_bp = circle_of(contig)
        stops = {call.stop(circle_bp) for call in called}
        lost += [
            gene
            for gene in contig.genes
            if not gene.pseudo and Span(gene.span, gene.strand).stop(circle_bp) not in stops
        ]
    return tuple(lost)


def wrong_calls(annotated: Genome, calls: Sequence[Sequence[Span]]) -> tuple[Span, ...]:
    """Calls whose stop codon no annotated gene has, pseudogenes among them."""
    wrong = []
    for contig, called in zip(annotated.contigs, calls, strict=True):
        circle_bp = circle_of(contig)
        known = {Span(gene.span, gene.strand).stop(circle_bp) for gene in contig.genes}
        wrong += [call for call in called if call.stop(circle_bp) not in known]
    return tuple(wrong)


def named_lost(
    name: str,
    annotated: Genome,
    calls: Sequence[Sequence[Span]],
    starts: Sequence[Sequence[Start]],
) -> tuple[str, ...]:
    """Genes of :data:`NAMED` that were lost; ``(start)`` where told of as another start."""
    wanted = NAMED.get(name, ())
    said = []
    for contig, called, told in zip(annotated.contigs, calls, starts, strict=True):
        circle_bp = circle_of(contig)
        internal = {lost.gene.id: lost.kind for lost in hidden_genes(contig)}
        for gene in contig.genes:
            key = next((key for key in (gene.symbol, gene.id) if key in wanted), None)
            kind = internal.get(gene.id, Kind.NESTED)
            if key is None or _is_called(gene, kind, called, circle_bp):
                continue
            spans = (start.span for start in told)
            is_told = _is_called(gene, kind, spans, circle_bp)
            said.append(SYMBOLS.get(key, key) + (" (start)" if is_told else ""))
    return tuple(said)
