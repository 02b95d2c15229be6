"""Predicted genes that lie where RNA does: no protein is made there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from genint.model.genome import Contig, Gene
from genint.model.interval import Interval
from genint.model.rescue import RejectedFrame
from genint.model.rna import CrisprArray, RnaGene

MIN_SHARE = 0.5
"""Share of a gene's bases inside RNA genes and CRISPR arrays from which it is none. Of 9,000
annotated genes of five bacteria and five phages none has as much."""
_MIN_SHARE_DOUBTFUL = 0.25
_DOUBTFUL = 0.90
"""The same for calls of which the gene finder itself is less than this sure. All that overlap
tRNA so far in four bacteria have 0.56 to 0.86; two of the annotated genes, hypothetical ones,
are among 0.32 and 0.36."""
_STRONG_KINDS = frozenset({"rRNA"})
"""RNA genes in which no protein is coded whatever a profile says: some families of protein
databases were made from rRNA that was translated by mistake."""
_KINDS = _STRONG_KINDS | {"tRNA", "tmRNA"}
_CLASSES = frozenset({"RNase_P_RNA", "SRP_RNA"})


@dataclass(frozen=True, slots=True)
class _Place:
    """Where no gene is expected.

    Attributes:
        what: Name and id, for the reason.
        is_strong: Evidence for a protein does not count here.
    """

    interval: Interval
    what: str
    is_strong: bool


def without_genes_in_rna(
    contig: Contig,
    rna_genes: Sequence[RnaGene],
    arrays: Sequence[CrisprArray],
    evidenced: Collection[str],
) -> Contig:
    """A contig without the predicted genes that lie in RNA genes and CRISPR arrays.

    Args:
        contig: With predicted genes; genes of a file never get here.
        rna_genes: Found on it.
        arrays: Found on it.
        evidenced: Ids of genes whose protein a family recognises: they stay, but in rRNA.

    Returns:
        The contig; what is left out stands in ``rejected``, with the reason.

    Cost: O(genes * RNA genes).
    """
    places = _places(rna_genes, arrays)
    kept, rejected = [], []
    for gene in contig.genes:
        inside = [place for place in places if _shared_bp(gene, place, len(contig))]
        share = sum(_shared_bp(gene, place, len(contig)) for place in inside) / len(gene.span)
        is_coded = gene.id in evidenced and not any(place.is_strong for place in inside)
        if share < _most(gene) or is_coded:
            kept.append(gene)
        else:
            rejected.append(_rejected(gene, inside, share))
    if not rejected:
        return contig
    near = sorted(
        (*contig.rejected, *rejected), key=lambda frame: (frame.interval, frame.strand, frame.id)
    )
    return replace(contig, genes=tuple(kept), rejected=tuple(near))


def _places(rna_genes: Sequence[RnaGene], arrays: Sequence[CrisprArray]) -> list[_Place]:
    genes = [
        _Place(rna.location.span, f"{rna.product} ({rna.id})", rna.kind in _STRONG_KINDS)
        for rna in rna_genes
        if rna.kind in _KINDS or rna.insdc_class in _CLASSES
    ]
    crispr = [
        _Place(array.location.span, f"a CRISPR array ({array.id})", is_strong=False)
        for array in arrays
    ]
    return [*genes, *crispr]


def _most(gene: Gene) -> float:
    """Share inside RNA genes from which a call is no gene."""
    is_sure = gene.scores is not None and gene.scores.confidence >= _DOUBTFUL
    return MIN_SHARE if is_sure else _MIN_SHARE_DOUBTFUL


def _shared_bp(gene: Gene, place: _Place, contig_bp: int) -> int:
    return gene.span.overlap_on_circle_bp(place.interval, contig_bp)


def _rejected(gene: Gene, inside: Sequence[_Place], share: float) -> RejectedFrame:
    places = " and ".join(place.what for place in inside)
    return RejectedFrame(
        id=gene.id,
        contig=gene.contig,
        interval=gene.span,
        strand=gene.strand,
        length_aa=len(gene.protein),
        rescue=None,
        reason=f"{min(share, 1.0):.0%} of it lie in {places}, where no protein is coded.",
    )


def with_doubts(
    rna_genes: Sequence[RnaGene], contig: Contig, evidenced: Collection[str]
) -> tuple[RnaGene, ...]:
    """RNA genes, with a word on each tRNA that lies in a gene whose protein is known.

    A stretch of a gene folds like a tRNA by chance once in some megabases.

    Args:
        rna_genes: Of the contig.
        contig: With the genes that are there in the end.
        evidenced: Ids of genes whose protein a family recognises.
    """
    known = [gene for gene in contig.genes if gene.id in evidenced]
    return tuple(_doubted(rna, known, len(contig)) for rna in rna_genes)


def _doubted(rna: RnaGene, known: Sequence[Gene], contig_bp: int) -> RnaGene:
    if rna.kind != "tRNA":
        return rna
    span = rna.location.span
    for gene in known:
        if gene.span.overlap_on_circle_bp(span, contig_bp) >= MIN_SHARE * len(span):
            doubt = (
                f"It lies in {gene.id}, whose protein a family recognises: it may be a fold by"
                " chance."
            )
            return replace(rna, note=f"{rna.note} {doubt}" if rna.note else doubt)
    return rna
