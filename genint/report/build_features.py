"""Where features lie, as the result file has it: 1-based, on the forward strand."""

from __future__ import annotations

from typing import Literal

from genint.model.genome import Contig, CrisprArray, Genome, OtherFeature, RnaGene
from genint.model.interval import Interval, Location, Strand
from genint.model.rescue import AlternativeProduct, AlternativeStart, RejectedFrame, Rescue
from genint.report import result as r


def symbol(strand: Strand) -> Literal["+", "-"]:
    """How the result writes a strand."""
    return "+" if strand is Strand.FORWARD else "-"


def ends(contig: Contig, span: Interval) -> tuple[int, int]:
    """First and last base; the last is smaller over the origin."""
    return span.one_based(len(contig))


def spans(contig: Contig, location: Location) -> tuple[r.Span, ...]:
    """Parts in the order of the forward strand."""
    found = []
    for part in location.forward_parts:
        start, end = ends(contig, part.interval)
        found.append(r.Span(start=start, end=end, strand=symbol(part.strand)))
    return tuple(found)


def part_order(location: Location) -> tuple[int, ...]:
    """Where each part, 5' to 3', stands among those in forward order.

    Empty where the strand says it; always there where the parts lie on both.
    """
    parts = location.parts
    strands = {part.strand for part in parts}
    forward = sorted(range(len(parts)), key=lambda at: parts[at].interval)
    ranks = {at: rank for rank, at in enumerate(forward)}
    order = tuple(ranks[at] for at in range(len(parts)))
    usual = tuple(sorted(order, reverse=location.strand is Strand.REVERSE))
    return () if len(strands) == 1 and order == usual else order


_RESCUE_DECIMALS = 3
_SHARE_DECIMALS = 5
"""So that a share in per cent reads as it does where it was not rounded before."""
_CODON_BP = 3


def rescue_item(rescue: Rescue | None) -> r.RescueItem | None:
    """What a frame scored."""
    if rescue is None:
        return None
    held_out = rescue.held_out
    return r.RescueItem(
        kind=rescue.kind,
        probability=round(rescue.probability, _RESCUE_DECIMALS),
        threshold=round(rescue.threshold, _RESCUE_DECIMALS),
        terms=tuple(
            r.RescueTermItem(reason=term.reason, log_odds=round(term.log_odds, _RESCUE_DECIMALS))
            for term in rescue.terms
        ),
        host=rescue.host_id,
        host_overlap=round(rescue.host_overlap, _SHARE_DECIMALS),
        same_strand=rescue.same_strand,
        held_out=r.HeldOutItem(**held_out._asdict()) if held_out is not None else None,
    )


def rejected_items(genome: Genome) -> tuple[r.RejectedItem, ...]:
    """Near misses by record."""
    return tuple(_rejected(contig, item) for contig in genome.contigs for item in contig.rejected)


def _rejected(contig: Contig, frame: RejectedFrame) -> r.RejectedItem:
    start, end = ends(contig, frame.interval)
    return r.RejectedItem(
        id=frame.id,
        record=contig.id,
        start=start,
        end=end,
        strand=symbol(frame.strand),
        length_aa=frame.length_aa,
        rescue=rescue_item(frame.rescue),
        reason=frame.reason,
    )


def start_items(genome: Genome) -> tuple[r.AlternativeStartItem, ...]:
    """Alternative starts by record."""
    return tuple(
        _start(contig, item, partial_3=item.gene_id in cut)
        for contig in genome.contigs
        for cut in [{gene.id for gene in contig.genes if gene.location.partial_3}]
        for item in contig.alternative_starts
    )


def _start(contig: Contig, found: AlternativeStart, *, partial_3: bool) -> r.AlternativeStartItem:
    start, end = ends(contig, found.interval)
    codons = len(found.interval) // _CODON_BP
    return r.AlternativeStartItem(
        gene=found.gene_id,
        record=contig.id,
        start=start,
        end=end,
        strand=symbol(found.strand),
        length_aa=codons if partial_3 else codons - 1,
        codon=found.codon,
        rbs_motif=found.rbs_motif,
        start_score=round(found.start_score, _RESCUE_DECIMALS),
        share=round(found.share, _SHARE_DECIMALS),
        probability=round(found.probability, _RESCUE_DECIMALS),
        reason=found.reason,
    )


def product_items(genome: Genome) -> tuple[r.AlternativeProductItem, ...]:
    """Alternative products by record."""
    return tuple(
        _product(contig, item) for contig in genome.contigs for item in contig.alternative_products
    )


def _product(contig: Contig, found: AlternativeProduct) -> r.AlternativeProductItem:
    site_start, site_end = ends(contig, found.site)
    shift: Literal[-1, 1] = -1 if found.shift < 0 else 1
    return r.AlternativeProductItem(
        id=found.id,
        gene=found.gene_id,
        joined=found.joined_id,
        record=contig.id,
        parts=spans(contig, found.location),
        length_aa=len(found.protein),
        translation=found.protein,
        shift=shift,
        heptamer=found.heptamer,
        site_start=site_start,
        site_end=site_end,
        probability=round(found.probability, _RESCUE_DECIMALS),
        reason=found.reason,
    )


_DECIMALS = 2


def rna_items(genome: Genome) -> tuple[r.RnaGeneItem, ...]:
    """RNA genes by record."""
    return tuple(_rna(contig, item) for contig in genome.contigs for item in contig.rna_genes)


def _rna(contig: Contig, gene: RnaGene) -> r.RnaGeneItem:
    start, end = ends(contig, gene.location.span)
    return r.RnaGeneItem(
        id=gene.id,
        record=contig.id,
        start=start,
        end=end,
        strand=symbol(gene.location.strand),
        kind=gene.kind,
        product=gene.product,
        name=gene.symbol,
        locus_tag=gene.locus_tag,
        pseudo=gene.pseudo,
        anticodon=gene.anticodon,
        method=gene.method,
        score=None if gene.score is None else round(gene.score, _DECIMALS),
        score_unit=gene.score_unit,
        accession=gene.accession,
        partial_5=gene.location.partial_5,
        partial_3=gene.location.partial_3,
        note=gene.note,
        insdc_class=gene.insdc_class,
    )


def crispr_items(genome: Genome) -> tuple[r.CrisprArrayItem, ...]:
    """CRISPR arrays by record."""
    return tuple(_array(contig, item) for contig in genome.contigs for item in contig.crispr_arrays)


def _array(contig: Contig, array: CrisprArray) -> r.CrisprArrayItem:
    start, end = ends(contig, array.location.span)
    return r.CrisprArrayItem(
        id=array.id,
        record=contig.id,
        start=start,
        end=end,
        repeat=array.repeat,
        repeats=array.repeats,
        spacers=array.spacers,
        method=array.method,
    )


def search_items(genome: Genome) -> tuple[r.SearchItem, ...]:
    """What was searched for besides protein-coding genes."""
    return tuple(r.SearchItem(**search._asdict()) for search in genome.searches)


def other_items(genome: Genome) -> tuple[r.OtherFeatureItem, ...]:
    """Other gene features by record."""
    return tuple(
        _other(contig, item) for contig in genome.contigs for item in contig.other_features
    )


def _other(contig: Contig, feature: OtherFeature) -> r.OtherFeatureItem:
    start, end = ends(contig, feature.location.span)
    return r.OtherFeatureItem(
        id=feature.id,
        record=contig.id,
        start=start,
        end=end,
        strand=symbol(feature.location.strand),
        kind=feature.kind,
        name=feature.symbol,
        reason=feature.reason,
    )
