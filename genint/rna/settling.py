"""What several searches found, brought together: one RNA gene a place, with an id."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from genint.model.interval import Location, Part, Strand
from genint.model.rna import CrisprArray, RnaGene
from genint.rna.found import FoundArray, FoundRna, by_position

_SAME_PLACE = 0.5
"""Share of the shorter one's bases from which two genes on one strand are one place."""
_STEP = 10
_RANK = {"rRNA": 0, "tmRNA": 1, "tRNA": 2}
"""Searches that are made for one kind of RNA know it better than a family of Rfam does; a
tRNA inside an rRNA is a fold by chance."""


class SettledRna(NamedTuple):
    """RNA genes and CRISPR arrays of a contig, by position."""

    rna_genes: tuple[RnaGene, ...] = ()
    crispr_arrays: tuple[CrisprArray, ...] = ()


def settle(
    contig_id: str,
    contig_bp: int,
    stem: str,
    found: Iterable[FoundRna],
    arrays: Sequence[FoundArray] = (),
) -> SettledRna:
    """Take the best of each place, and give ids.

    Args:
        contig_id: Of the contig.
        contig_bp: Its length.
        stem: What ids begin with: ``<stem>_RNA00010`` and ``<stem>_CRISPR1``, by position.
        found: Of all searches, in any order.
        arrays: CRISPR arrays.

    Cost: O(n * n) for n genes, a few hundred at most.
    """
    kept: list[FoundRna] = []
    for gene in sorted(by_position(found), key=_rank):
        rival = next((k for k in kept if _is_same_place(k, gene, contig_bp)), None)
        if rival is None:
            kept.append(gene)
        elif rival.kind == gene.kind == "tmRNA" and rival.accession is None:
            kept[kept.index(rival)] = rival._replace(accession=gene.accession)
    genes = (
        _with_id(gene, contig_id, f"{stem}_RNA{number * _STEP:05d}")
        for number, gene in enumerate(by_position(kept), start=1)
    )
    placed = (
        CrisprArray(
            f"{stem}_CRISPR{number}",
            contig_id,
            Location.simple(array.interval, Strand.FORWARD),
            array.repeat,
            array.repeats,
            array.spacers,
            array.method,
        )
        for number, array in enumerate(sorted(arrays), start=1)
    )
    return SettledRna(tuple(genes), tuple(placed))


def _rank(gene: FoundRna) -> tuple[int, int, float]:
    """Best first; what has no accession was found by its fold (tmRNA)."""
    is_of_rfam = gene.clan is not None or (gene.accession is not None and gene.kind != "rRNA")
    return int(is_of_rfam), _RANK.get(gene.kind, len(_RANK)), -gene.score


def _is_same_place(one: FoundRna, other: FoundRna, contig_bp: int) -> bool:
    if one.strand is not other.strand and "rRNA" not in {one.kind, other.kind}:
        return False  # an antisense RNA and its target are two genes
    shared_bp = one.interval.overlap_on_circle_bp(other.interval, contig_bp)
    return shared_bp >= _SAME_PLACE * min(len(one.interval), len(other.interval))


def _with_id(gene: FoundRna, contig_id: str, gene_id: str) -> RnaGene:
    return RnaGene(
        id=gene_id,
        contig=contig_id,
        location=Location(
            (Part(gene.interval, gene.strand),),
            partial_5=gene.partial_5,
            partial_3=gene.partial_3,
        ),
        kind=gene.kind,
        product=gene.product,
        anticodon=gene.anticodon,
        method=gene.method,
        score=gene.score,
        score_unit=gene.score_unit,
        accession=gene.accession,
        note=gene.note,
        insdc_class=gene.insdc_class,
    )
