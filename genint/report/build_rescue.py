"""Rescued and rejected frames, other starts and products as the models of the result file."""

from __future__ import annotations

from typing import Literal

from genint.model.genome import Contig, Genome
from genint.model.rescue import AlternativeProduct, AlternativeStart, RejectedFrame, Rescue
from genint.report import result as r
from genint.report.build_places import ends, spans, symbol

_DECIMALS = 3
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
        probability=round(rescue.probability, _DECIMALS),
        threshold=round(rescue.threshold, _DECIMALS),
        terms=tuple(
            r.RescueTermItem(reason=term.reason, log_odds=round(term.log_odds, _DECIMALS))
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
        start_score=round(found.start_score, _DECIMALS),
        share=round(found.share, _SHARE_DECIMALS),
        probability=round(found.probability, _DECIMALS),
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
        probability=round(found.probability, _DECIMALS),
        reason=found.reason,
    )
