"""Gene context: what the neighbours of a gene suggest, a category and never a name.

The model is :class:`genint.knowledge.gene_order.ModuleChain`. A gene's own evidence has no part
in its context: the chain is read from both sides up to the gene and no further, so context
counts no evidence twice. Neighbours contribute the category of their best hypothesis without
context, with its probability.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from operator import mul
from types import MappingProxyType
from typing import NamedTuple

from genint.interpret.agreement import is_thin
from genint.interpret.claims import ScoringModel, category_among, read_claim
from genint.interpret.doubts import LONE
from genint.interpret.scoring import STRENGTH_CONTEXT, NeighbourEvidence, Scored, context_claim
from genint.knowledge.gene_order import GeneOrder, Link, ModuleChain, Placed, link_of
from genint.knowledge.products import Product
from genint.model.evidence import Evidence
from genint.model.genome import Contig, Gene, Topology
from genint.model.interpretation import GeneContext
from genint.model.rescue import RescueKind
from genint.model.vocabulary import Category, EvidenceSource, EvidenceType, GenomeKind, Specificity

REACH = 8
"""Genes on either side that are listed as support: those further off hardly count."""
_NAMED_NEIGHBOURS = 6
_SHOWN_NEIGHBOURS = 4
_SMALL_CIRCLE = 24
"""Genes; a quarter of more of them is far enough from an end."""
LARGEST_LOG_ODDS = 4.0
"""Neighbours alone never give more than 1:50: modules are mixed in real genomes."""

_ONE_OF_A_KIND = "major "
"""Begins the names of the main protein of a structure, of which there is one."""

_Weights = tuple[float, ...]


class Neighbourhood(NamedTuple):
    """What the neighbours of a gene suggest.

    Attributes:
        log_odds: Natural log of P(neighbours | gene is of category) / P(neighbours | any
            named gene), -4..4; a category that is not in it was too rare to learn: take 0.
        neighbours: Indices of the genes that the best category rests on, nearest first.
        best: The likeliest category; None where no neighbour supports it.
        probability: How often such a category was right for named genes of genomes that
            were held out, 0..1; 0 without a category.
    """

    log_odds: Mapping[Category, float]
    neighbours: tuple[int, ...]
    best: Category | None
    probability: float


def neighbourhoods(
    genes: Sequence[Placed], order: GeneOrder, kind: GenomeKind, *, circular: bool
) -> tuple[Neighbourhood | None, ...]:
    """What the neighbours of each gene of one contig suggest.

    Args:
        genes: All genes of the contig in its order, named or not.
        order: The model.
        kind: Of the genome.
        circular: Whether the last gene is followed by the first.

    Returns:
        One for each gene; None where no gene near it has a category, or where gene order is
        uninformative in this kind of genome.

    Cost: 0.1 ms a gene, twice that in a circle.
    """
    chain = order.chains.get(kind)
    if chain is None or not genes:
        return (None,) * len(genes)
    reading = _Reading(chain)
    around = reading.around(genes)
    if circular:
        around = _of_circle(genes, around, reading)
    return tuple(
        _neighbourhood(at, around[at], genes, reading, circular=circular)
        for at in range(len(genes))
    )


def _of_circle(
    genes: Sequence[Placed], around: Sequence[_Weights], reading: _Reading
) -> list[_Weights]:
    """Read once from the first gene and once from the middle; each gene far from the ends.

    So no gene is passed twice, and none is its own neighbour. Small circles are cut opposite
    to each gene.
    """
    size = len(genes)
    half = size // 2
    if size <= _SMALL_CIRCLE:
        return [
            reading.around([genes[(at + offset) % size] for offset in range(-half, size - half)])[
                half
            ]
            for at in range(size)
        ]
    turned = reading.around((*genes[half:], *genes[:half]))
    quarter = size // 4
    return [
        around[at] if quarter <= at < size - quarter else turned[(at - half) % size]
        for at in range(size)
    ]


class _Reading:
    """The forward-backward pass of a chain over the genes of a contig."""

    def __init__(self, chain: ModuleChain) -> None:
        self.chain = chain
        self.shares = chain.shares
        self.numbers = {category: at for at, category in enumerate(chain.categories)}
        self.columns = tuple(zip(*chain.emissions, strict=True))
        self._into = tuple(zip(*chain.transitions, strict=True))
        self._support: dict[int, tuple[float, ...]] = {}

    def around(self, genes: Sequence[Placed]) -> list[_Weights]:
        """For each gene, how likely its module is by the genes on both sides of it."""
        links = [link_of(*pair, self.chain.close_bp) for pair in pairwise(genes)]
        likelihoods = [self._likelihood(gene) for gene in genes]
        lefts = self._one_side(likelihoods, links)
        # The chain is reversible: read from the right it has the same probabilities.
        rights = self._one_side(likelihoods[::-1], links[::-1])[::-1]
        start = self.chain.start
        return [
            _scaled(tuple(a * b / share for a, b, share in zip(left, right, start, strict=True)))
            for left, right in zip(lefts, rights, strict=True)
        ]

    def _one_side(
        self, likelihoods: Sequence[_Weights | None], links: Sequence[Link]
    ) -> list[_Weights]:
        """For each gene, how likely its module is by the genes before it."""
        start, kept = self.chain.start, self.chain.kept
        state = start
        states = [state]
        for likelihood, link in zip(likelihoods, links, strict=False):
            if likelihood is not None:
                state = _scaled(tuple(map(mul, state, likelihood)))
            stay = kept[link]
            state = tuple(
                stay * sum(map(mul, state, column)) + (1.0 - stay) * share
                for column, share in zip(self._into, start, strict=True)
            )
            states.append(state)
        return states

    def _likelihood(self, gene: Placed) -> _Weights | None:
        """Of each module, given a gene's category and its probability; None without category."""
        number = self.numbers.get(gene.category) if gene.category is not None else None
        if number is None or gene.probability <= 0.0:
            return None
        sure, share = gene.probability, self.shares[number]
        return tuple(sure * value / share + 1.0 - sure for value in self.columns[number])

    def supports(self, best: int, category: Category | None) -> bool:
        """Whether a category next to the best one is more common than elsewhere."""
        number = self.numbers.get(category) if category is not None else None
        if number is None:
            return False
        if best not in self._support:
            inside = tuple(map(mul, self.chain.start, self.columns[best]))
            beside = [sum(map(mul, inside, column)) for column in self._into]
            self._support[best] = tuple(
                sum(map(mul, beside, column)) / (sum(inside) * share)
                for column, share in zip(self.columns, self.shares, strict=True)
            )
        return self._support[best][number] > 1.0


def _scaled(weights: _Weights) -> _Weights:
    total = sum(weights)
    return tuple(weight / total for weight in weights)


def _neighbourhood(
    at: int, modules: _Weights, genes: Sequence[Placed], reading: _Reading, *, circular: bool
) -> Neighbourhood | None:
    near = [
        other
        for other in nearest(at, len(genes), circular=circular)
        if genes[other].category in reading.numbers and genes[other].probability > 0.0
    ]
    if not near:
        return None
    shrink = reading.chain.shrink
    log_odds = [
        shrink * math.log(sum(map(mul, modules, column)) / share)
        for column, share in zip(reading.columns, reading.shares, strict=True)
    ]
    weights = [
        share * math.exp(value) for share, value in zip(reading.shares, log_odds, strict=True)
    ]
    best = max(range(len(weights)), key=weights.__getitem__)
    supporting = [other for other in near if reading.supports(best, genes[other].category)]
    return Neighbourhood(
        log_odds=MappingProxyType(
            {
                category: max(-LARGEST_LOG_ODDS, min(LARGEST_LOG_ODDS, value))
                for category, value in zip(reading.chain.categories, log_odds, strict=True)
            }
        ),
        neighbours=tuple(supporting[:_NAMED_NEIGHBOURS]),
        best=reading.chain.categories[best] if supporting else None,
        probability=weights[best] / sum(weights) if supporting else 0.0,
    )


def nearest(at: int, size: int, *, circular: bool) -> list[int]:
    """Indices of the genes within reach, nearest first, each once and never the gene itself."""
    found: dict[int, None] = {}
    for offset in range(1, REACH + 1):
        for other in (at - offset, at + offset):
            if circular:
                found[other % size] = None
            elif 0 <= other < size:
                found[other] = None
    found.pop(at, None)
    return list(found)


ECO_GENE_ORDER = "ECO:0000177"
"""Genomic context evidence."""
_LEAST_TO_REPORT = 0.7
"""Probability from which a category is reported: of genes without any evidence of their own it
was right in three of four from here on, and in every second one below."""


class NeighbourContext(NamedTuple):
    """What the neighbours of a gene suggest.

    Attributes:
        evidence: For scoring its hypotheses; None where there is none.
        context: For the report; None where no category stands out.
    """

    evidence: NeighbourEvidence | None
    context: GeneContext | None


NO_CONTEXT = NeighbourContext(None, None)


def neighbour_contexts(
    contig: Contig, alone: Sequence[Scored], model: ScoringModel
) -> tuple[NeighbourContext, ...]:
    """What the neighbours of each gene of a contig suggest.

    Args:
        contig: Its genes, in any order.
        alone: The hypotheses of each without context, in the same order.
        model: Its gene order, if any, and the kind of genome.

    Cost: 0.2 ms a gene.
    """
    genes = contig.genes
    if model.gene_order is None or not genes:
        return (NO_CONTEXT,) * len(genes)
    order = sorted(range(len(genes)), key=lambda at: genes[at].span)
    placed = [ordered_gene(genes[at], alone[at], model) for at in order]
    names = [_name_by_family(alone[at]) for at in order]
    circular = contig.topology is Topology.CIRCULAR
    readings = _by_name(placed, names, model, circular=circular)
    contexts: dict[int, NeighbourContext] = {}
    for position, at in enumerate(order):
        others, found = readings.get(_needs_others(names[position]), readings[None])
        beside = nearest(position, len(order), circular=circular)
        near = [(genes[order[other]], others[other]) for other in beside]
        context = _context(genes[at], found[position], near)
        if _is_claimed_twice(names[position], [names[other] for other in beside], model):
            context = context._replace(evidence=None)
        contexts[at] = context
    return tuple(contexts[at] for at in range(len(genes)))


class _FamilyName(NamedTuple):
    """The name of a whole protein, and the family that it comes from.

    Attributes:
        said: The term of the vocabulary, else the name.
        family: Accession.
        one_hand: It is the name by one annotator, or by one kind of source.
    """

    said: str
    family: str
    one_hand: bool


_Read = tuple[Sequence[Placed], Sequence[Neighbourhood | None]]


def _said(name: _FamilyName | None) -> str | None:
    return None if name is None else name.said


def _needs_others(name: _FamilyName | None) -> str | None:
    """The name that a gene shares with no witness; None where any neighbour may be one."""
    return name.said if name is not None and name.one_hand else None


def _name_by_family(scored: Scored) -> _FamilyName | None:
    """What a family calls the whole protein, in the best such hypothesis; None without one.

    Another hypothesis may lead: the neighbours are what would put this one first.
    """
    leads = (hypothesis.evidence[0] for hypothesis in scored.hypotheses)
    for lead in leads:
        if lead.type is EvidenceType.FAMILY and lead.specificity is Specificity.PROTEIN:
            by_one_hand = is_thin(lead) or lead.strength.endswith(LONE)
            family = lead.accession or lead.origin
            return _FamilyName(lead.product or lead.subject, family, by_one_hand)
    return None


def _by_name(
    placed: Sequence[Placed],
    names: Sequence[_FamilyName | None],
    model: ScoringModel,
    *,
    circular: bool,
) -> dict[str | None, _Read]:
    """Genes and what lies around them, by the name of the gene that is asked about.

    In phages, genes of one name do not vouch for a gene that has it by one hand only: a name that
    went astray often went to the next gene too. So it is judged by genes of other names. Under
    None: by all genes, as in bacteria, whose operons hold many proteins of one name.
    """
    order, kind = model.gene_order, model.setting.kind
    if order is None:
        return {}
    read: dict[str | None, _Read] = {
        None: (placed, neighbourhoods(placed, order, kind, circular=circular))
    }
    if kind is GenomeKind.PHAGE:
        counts = Counter(map(_said, names))
        for said in dict.fromkeys(map(_needs_others, names)):
            if said is not None and counts[said] > 1:
                others = [
                    gene._replace(category=None) if _said(name) == said else gene
                    for gene, name in zip(placed, names, strict=True)
                ]
                found = neighbourhoods(others, order, kind, circular=circular)
                read[said] = (others, found)
    return read


def _is_claimed_twice(
    name: _FamilyName | None, beside: Sequence[_FamilyName | None], model: ScoringModel
) -> bool:
    """Whether another family gives a neighbour the name of what a phage has one of.

    The major protein of a structure is one: of two different proteins that lie side by side and
    are called so, one at most is, and their place tells not which.
    """
    if name is None or model.setting.kind is not GenomeKind.PHAGE:
        return False
    product = model.products.products.get(name.said)
    if not (product.name if product else name.said).startswith(_ONE_OF_A_KIND):
        return False
    return any(
        one is not None and one.said == name.said and one.family != name.family for one in beside
    )


def ordered_gene(gene: Gene, scored: Scored, model: ScoringModel) -> Placed:
    """A gene as its neighbours see it: the category of its best hypothesis."""
    category, probability = None, 0.0
    # The order of genes was learned where hardly any lie inside others, so nested genes do not
    # count as neighbours.
    if scored.hypotheses and not _is_inside(gene):
        best = scored.hypotheses[0]
        category = category_among(read_claim(item, model) for item in best.evidence)
        probability = best.score
    return Placed(category, probability, gene.span.start, gene.span.end, gene.strand)


def _is_inside(gene: Gene) -> bool:
    """It was recovered from inside another gene."""
    inside = (RescueKind.NESTED, RescueKind.INTERNAL_START)
    return gene.rescue is not None and gene.rescue.kind in inside


def _context(
    gene: Gene, around: Neighbourhood | None, near: Sequence[tuple[Gene, Placed]]
) -> NeighbourContext:
    if around is None:
        return NO_CONTEXT
    known = [(one.name, placed.category) for one, placed in near if placed.category is not None]
    names = tuple(f"{name} ({category.value})" for name, category in known[:_NAMED_NEIGHBOURS])
    if around.best is None or not names:
        return NeighbourContext(None, None)
    shown = [name for name, _ in known[:_SHOWN_NEIGHBOURS]]
    evidence = _evidence(gene, around.best, shown)
    context = None
    if around.probability >= _LEAST_TO_REPORT:
        context = GeneContext(around.best, around.probability, names)
    return NeighbourContext(NeighbourEvidence(evidence, around.log_odds), context)


def _evidence(gene: Gene, category: Category, names: Sequence[str]) -> Evidence:
    return Evidence(
        gene_id=gene.id,
        source=EvidenceSource.GENE_CONTEXT,
        type=EvidenceType.GENE_CONTEXT,
        specificity=Specificity.CATEGORY,
        claim=context_claim(category),
        subject=category.value,
        label=f"neighbours {', '.join(names)}",
        strength=STRENGTH_CONTEXT,
        origin="gene_context",
        eco=ECO_GENE_ORDER,
    )


def name_by_place(gene: Gene, term: Product, label: str, strength: str, origin: str) -> Evidence:
    """A name of the whole protein that it has from where its gene lies.

    Args:
        gene: That is named.
        term: The name.
        label: What lies beside it, and why that tells the name.
        strength: Class of such names.
        origin: Rule and gene that it rests on: what they say twice counts once.
    """
    return Evidence(
        gene_id=gene.id,
        source=EvidenceSource.GENE_CONTEXT,
        type=EvidenceType.GENE_CONTEXT,
        specificity=Specificity.PROTEIN,
        claim=term.name,
        subject=term.name,
        label=label,
        strength=strength,
        origin=origin,
        eco=ECO_GENE_ORDER,
        product=term.id,
        go=term.go,
        cog=term.cog,
    )
