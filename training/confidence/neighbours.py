"""What neighbours say of the genes of held-out genomes, by a gene order learned without them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from genint.interpret.claims import ScoringModel
from genint.interpret.gene_context import neighbourhoods, ordered_gene
from genint.interpret.grouping import group_evidence
from genint.interpret.scoring import score_groups
from genint.knowledge.gene_order import GeneOrder
from genint.model.genome import Topology
from genint.model.vocabulary import Category
from training.confidence.examples import Around, evidence_in
from training.confidence.observations import Observed
from training.confidence.panel import Group
from training.gene_order.learning import learn
from training.gene_order.material import Record, without


def order_without(group: Group, records: Sequence[Record]) -> GeneOrder:
    """Gene order that knows nothing of a group. Cost: 4 s."""
    own = (record for genome in group.genomes for record in (genome.name, *genome.records))
    return learn(without(records, group.name, *own))


def around(observed: Observed, mode: str, judgement: ScoringModel) -> Around:
    """What neighbours say, each told what its own evidence allows."""
    order = judgement.gene_order
    if order is None:
        return {}
    said: dict[str, Mapping[Category, float]] = {}
    for contig in observed.panel.genome.contigs:
        genes = sorted(contig.genes, key=lambda gene: gene.span)
        placed = []
        for gene in genes:
            evidence = evidence_in(mode, observed.evidence.get(gene.id, ()))
            told = score_groups(group_evidence(evidence, judgement), judgement)
            one = ordered_gene(gene, told, judgement)
            placed.append(one if observed.panel.placed else one._replace(strand=None))
        circular = contig.topology is Topology.CIRCULAR
        found = neighbourhoods(placed, order, judgement.setting.kind, circular=circular)
        for gene, near in zip(genes, found, strict=True):
            if near is not None and near.best is not None:
                said[gene.id] = near.log_odds
    return said


def with_order(judgement: ScoringModel, order: GeneOrder) -> ScoringModel:
    """The judgement, with another gene order."""
    return replace(judgement, gene_order=order)
