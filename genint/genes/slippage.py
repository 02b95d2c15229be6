"""Products that ribosomes make by slipping into another frame, flagged beside the genes.

They are never genes of their own, and the genes that they run through stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from genint.genes.slippage_names import Said, said_of_genes
from genint.genes.slippage_rules import Judged, judged_slips
from genint.genes.slippage_sites import product_bases, product_location, site_of
from genint.model.evidence import ProfileHit, SimilarityHit
from genint.model.genome import Contig, Genome
from genint.model.rescue import AlternativeProduct
from genint.model.sequence import translate_cds

if TYPE_CHECKING:
    from genint.knowledge.loading import Knowledge


def with_alternative_products(
    genome: Genome,
    profiles: Iterable[ProfileHit],
    similar: Iterable[SimilarityHit],
    knowledge: Knowledge,
) -> Genome:
    """Give every contig the products of programmed changes of frame.

    Looked for are the second tail assembly chaperone of tailed phages, the minor capsid
    protein of T7 and its like, the transposases of insertion sequences, dnaX (all -1) and
    release factor 2 (+1). A probability of 0.5 and more asks for a gene that protein
    families know; place and bases alone stay below.

    Args:
        genome: With its final genes, predicted ones.
        profiles: Hits of profile searches.
        similar: Hits of similarity searches.
        knowledge: What families are called.

    Cost: lambda 2 ms, E. coli 60 ms.
    """
    said = said_of_genes(profiles, similar, knowledge)
    contigs = (replace(c, alternative_products=_products(c, said)) for c in genome.contigs)
    return replace(genome, contigs=tuple(contigs))


def _products(
    contig: Contig, said: Mapping[str, frozenset[Said]]
) -> tuple[AlternativeProduct, ...]:
    if not contig.genes:
        return ()
    return tuple(_product(contig, judged) for judged in judged_slips(contig, said))


def _product(contig: Contig, judged: Judged) -> AlternativeProduct:
    gene, slip = judged.gene, judged.slip
    bases = product_bases(contig, gene, slip)
    return AlternativeProduct(
        id=f"{gene.id}_fs",
        gene_id=gene.id,
        joined_id=None if judged.joined is None else judged.joined.id,
        contig=contig.id,
        location=product_location(contig, gene, slip),
        protein=translate_cds(bases, gene.translation_table),
        shift=slip.shift,
        heptamer=slip.heptamer,
        site=site_of(contig, gene, slip),
        probability=judged.probability,
        reason=_reason(judged),
    )


def _reason(judged: Judged) -> str:
    slip, gene = judged.slip, judged.gene
    back = "back" if slip.shift < 0 else "on"
    joined = judged.joined
    if joined is gene:
        where = f"into the frame of {gene.id} from the leader in front of it"
    elif joined is not None:
        where = f"from {gene.id} into the frame of {joined.id}"
    else:
        where = f"from {gene.id} into an open frame without a gene"
    return (
        f"Ribosomes may slip one base {back} at {slip.heptamer}, {where}: {judged.reason}."
        f" Probability {judged.probability:.2f}."
    )
