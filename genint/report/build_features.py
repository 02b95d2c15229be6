"""RNA genes, CRISPR arrays, searches and other features as the models of the result file."""

from __future__ import annotations

from genint.model.genome import Contig, Genome, OtherFeature
from genint.model.rna import CrisprArray, RnaGene
from genint.report import result as r
from genint.report.build_places import ends, symbol

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
