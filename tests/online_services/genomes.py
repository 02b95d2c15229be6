"""What the services know of the proteins of genome files, made by rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from genint.formats import read_genome
from genint.model import Contig, Gene, Parameters
from genint.pipeline.gene_calling import call

from .made import Ids, Protein, by_rule, world_of
from .world import World

_REFSEQ = re.compile(r"[A-Z]P_\d+\.\d+")
_CDS = re.compile(r"[A-Z]{3}\d{5,}\.\d+")
_STRANGE = re.compile(r"[^A-Z]")
_PREDICTED = (
    "Made-up DNA terminase",
    "Made-up portal protein",
    "Made-up capsid protein",
    "Made-up tail fiber protein",
    "Made-up DNA helicase",
    "Made-up integrase",
    "Made-up lysozyme",
    "Made-up serine protease",
    "Made-up histidine kinase",
    "Made-up ribosomal protein",
    "Made-up sugar transport protein",
    "Uncharacterized protein",
)
"""Names for predicted genes: nobody is to take one for real."""
_MADE_TAXON = 2681611


def proteins_of(path: Path, taxon_id: int | None = None) -> tuple[Protein, ...]:
    """The proteins of a genome, predicted where the file has none.

    Args:
        path: GenBank or FASTA.
        taxon_id: Of their entries; None: the file's own.
    """
    genome = read_genome(path)
    called = call(genome, Parameters())
    if called.calls is None:
        return tuple(_annotated(genome.contigs, taxon_id))
    taxon = taxon_id or _MADE_TAXON
    return tuple(
        _predicted(residues, taxon) for _, residues in called.proteins if _is_clean(residues)
    )


def _is_clean(residues: str) -> bool:
    return bool(residues) and not _STRANGE.search(residues)


def _annotated(contigs: Iterable[Contig], taxon_id: int | None) -> Iterator[Protein]:
    for contig in contigs:
        taxon = taxon_id or contig.taxon_id or _MADE_TAXON
        for gene in contig.genes:
            if _is_clean(gene.protein) and not gene.pseudo:
                yield Protein(
                    gene.protein,
                    gene.product or "Uncharacterized protein",
                    _ids(gene),
                    taxon,
                    contig.organism or "Unknown organism",
                    ec=gene.values("EC_number"),
                )


def _ids(gene: Gene) -> Ids:
    number = gene.protein_id or ""
    return Ids(
        refseq=number if _REFSEQ.fullmatch(number) else "",
        cds=number if _CDS.fullmatch(number) else "",
        locus_tag=gene.locus_tag or "",
        symbol=gene.symbol or "",
    )


def _predicted(residues: str, taxon_id: int) -> Protein:
    protein = Protein(residues, taxon_id=taxon_id, organism="Made-up organism")
    chosen = int(protein.md5[18:24], 16) % len(_PREDICTED)
    return Protein(residues, _PREDICTED[chosen], taxon_id=taxon_id, organism="Made-up organism")


def world_of_genomes(
    *paths: Path, taxon_id: int | None = None, unknown_share: float = 0.12
) -> World:
    """What the services know of these genomes: a share of each kind (see :func:`by_rule`).

    Cost: some seconds for a bacterium; more where its genes are to be predicted.
    """
    world = World()
    for path in paths:
        world += world_of(by_rule(proteins_of(path, taxon_id), unknown_share))
    return world
