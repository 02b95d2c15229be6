"""Gene context as evidence: from what genes were told alone to what their neighbours add.

Two rounds: every gene is weighed on its own evidence; then once more with what its
neighbours were told in the first round. So no gene is a ground of its own interpretation,
and nothing that was concluded from neighbours is a ground again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from genint.interpret.claims import category_of, read_claim
from genint.interpret.context import Neighbourhood, nearest, neighbourhoods
from genint.interpret.judgement import Judgement
from genint.interpret.weigh import Surroundings, Weighed
from genint.knowledge.gene_order import Placed
from genint.model.evidence import Evidence
from genint.model.genome import Contig, Gene, Topology
from genint.model.interpretation import GeneContext
from genint.model.rescue import RescueKind
from genint.model.vocabulary import Category, EvidenceSource, EvidenceType, Specificity

ECO_GENE_ORDER = "ECO:0000177"
"""Genomic context evidence."""
STRENGTH_CONTEXT = "gene_context"
_NAMED_NEIGHBOURS = 6
"""The nearest ones whose category is known; further ones hardly count."""
_LEAST_TO_TELL = 0.7
"""Probability from which a category is worth telling a reader: of genes without any evidence
of their own it was right in three of four from here on, and in every second one below."""


class InContext(NamedTuple):
    """What the neighbours of a gene say.

    Attributes:
        surroundings: To weigh its hypotheses with; None where they say nothing.
        context: For the report; None where no category stands out.
    """

    surroundings: Surroundings | None
    context: GeneContext | None


NOTHING_AROUND = InContext(None, None)


def in_context(
    contig: Contig, alone: Sequence[Weighed], judgement: Judgement
) -> tuple[InContext, ...]:
    """What the neighbours of each gene of a contig say of it.

    Args:
        contig: Its genes, in any order.
        alone: What each of them was told without context, in the same order.
        judgement: Its gene order, if any, and the kind of genome.

    Cost: 0.2 ms a gene.
    """
    genes = contig.genes
    if judgement.gene_order is None or not genes:
        return (NOTHING_AROUND,) * len(genes)
    order = sorted(range(len(genes)), key=lambda at: genes[at].span)
    placed = [placed_gene(genes[at], alone[at], judgement) for at in order]
    circular = contig.topology is Topology.CIRCULAR
    found = neighbourhoods(placed, judgement.gene_order, judgement.setting.kind, circular=circular)
    told: dict[int, InContext] = {}
    for position, around in enumerate(found):
        others = nearest(position, len(order), circular=circular)
        near = [(genes[order[other]], placed[other]) for other in others]
        told[order[position]] = _told(genes[order[position]], around, near)
    return tuple(told[at] for at in range(len(genes)))


def placed_gene(gene: Gene, weighed: Weighed, judgement: Judgement) -> Placed:
    """A gene as its neighbours see it: what its own evidence says of its category."""
    category, probability = None, 0.0
    # The order of genes was learned where hardly any lie inside others: those say nothing of
    # the genes beside their host.
    if weighed.hypotheses and not _is_inside(gene):
        best = weighed.hypotheses[0]
        category = category_of(read_claim(best.evidence[0], judgement))
        probability = best.score
    return Placed(category, probability, gene.span.start, gene.span.end, gene.strand)


def _is_inside(gene: Gene) -> bool:
    """It was recovered from inside another gene."""
    inside = (RescueKind.NESTED, RescueKind.INTERNAL_START)
    return gene.rescue is not None and gene.rescue.kind in inside


def _told(
    gene: Gene, around: Neighbourhood | None, near: Sequence[tuple[Gene, Placed]]
) -> InContext:
    if around is None:
        return NOTHING_AROUND
    names = tuple(
        f"{neighbour.name} ({placed.category.value})"
        for neighbour, placed in near
        if placed.category is not None
    )[:_NAMED_NEIGHBOURS]
    if around.best is None or not names:
        return InContext(None, None)
    evidence = _evidence(gene, around.best, names)
    context = None
    if around.probability >= _LEAST_TO_TELL:
        context = GeneContext(around.best, around.probability, names)
    return InContext(Surroundings(evidence, around.log_odds), context)


def _evidence(gene: Gene, category: Category, names: tuple[str, ...]) -> Evidence:
    return Evidence(
        gene_id=gene.id,
        source=EvidenceSource.GENE_CONTEXT,
        type=EvidenceType.GENE_CONTEXT,
        specificity=Specificity.CATEGORY,
        claim=f"lies where genes of {category.value} lie",
        subject=category.value,
        label=f"neighbours {', '.join(names)}",
        strength=STRENGTH_CONTEXT,
        origin="gene_context",
        eco=ECO_GENE_ORDER,
    )
