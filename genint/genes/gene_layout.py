"""Phages among contigs that have the composition of a bacterium, by how their genes lie.

Composition alone takes a phage that has grown like its host for a piece of it. Asked are only
records of several whose kind the file does not say.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from pyrodigal import GeneFinder

from genint.knowledge.contig_kinds import ContigKinds, GeneLayout
from genint.model.kinds import stated_kind
from genint.model.vocabulary import BACTERIUM_BP, GenomeKind

if TYPE_CHECKING:
    from genint.model.genome import Contig, Genome

LEAST_BP: Final = 10_000
"""Shorter contigs have too few genes to tell."""
_SHORT_BP: Final = 300
_GAP_BP: Final = 100


def layout_of(bases: str) -> GeneLayout | None:
    """How the genes that pyrodigal predicts lie; None where it predicts fewer than two.

    Cost: 3 s a megabase.
    """
    genes = list(GeneFinder(meta=True).find_genes(bases.encode()))
    pairs = list(pairwise(genes))
    if not pairs:
        return None
    return GeneLayout(
        sum(one.strand != other.strand for one, other in pairs) / len(pairs),
        sum(one.end - one.begin + 1 < _SHORT_BP for one in genes) / len(genes),
        sum(other.begin - one.end > _GAP_BP for one, other in pairs) / len(pairs),
        1_000 * len(genes) / len(bases),
    )


def with_phages(genome: Genome, model: ContigKinds) -> Genome:
    """The genome; records that composition took for pieces of a bacterium may be phages.

    Args:
        genome: Its records have kinds.
        model: Tells phages by the layout of genes.

    Cost: nothing for one record; 3 s a megabase of those that are asked.
    """
    if len(genome.contigs) == 1:
        return genome
    return replace(
        genome,
        contigs=tuple(
            replace(contig, kind=GenomeKind.PHAGE) if _is_phage(contig, model) else contig
            for contig in genome.contigs
        ),
    )


def _is_phage(contig: Contig, model: ContigKinds) -> bool:
    if contig.kind is not GenomeKind.BACTERIUM or stated_kind(contig) is not None:
        return False
    if not LEAST_BP <= len(contig) < BACTERIUM_BP:
        return False
    layout = layout_of(contig.bases)
    return layout is not None and model.is_phage(layout)
