"""From a genome and its evidence to one result for each gene. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final, NamedTuple

from genint.interpret.audit import with_audit
from genint.interpret.claims import ScoringModel
from genint.interpret.classify import classify, classify_dark
from genint.interpret.dark_matter import Neighbour, novelty
from genint.interpret.explain import other_products, reasoning
from genint.interpret.gene_context import in_context
from genint.interpret.grouping import grouped
from genint.interpret.scoring import (
    NOTHING_ASKED,
    FromServices,
    Weighed,
    spurious_doubts,
    weigh_groups,
)
from genint.interpret.uncertainty import feature_doubts, joint_doubts, uncertainties
from genint.knowledge.product_names import display_product
from genint.model.evidence import Evidence, SequenceFeature
from genint.model.genome import Contig, Gene, Genome, Topology
from genint.model.interpretation import (
    GeneContext,
    GeneResult,
    Hypothesis,
    Interpretation,
    NovelGeneReport,
)
from genint.model.vocabulary import ConfidenceLevel, EvidenceType, Specificity

_NEIGHBOURS_PER_SIDE = 2
NO_FEATURES: Final[Mapping[str, tuple[SequenceFeature, ...]]] = MappingProxyType({})
NO_SERVICES: Final[Mapping[str, FromServices]] = MappingProxyType({})


class Known(NamedTuple):
    """All that is known of one gene.

    Attributes:
        weighed: What its evidence and its neighbours allow.
        unknown: Hits of families of unknown function.
        features: What its residues show.
        context: What its neighbours say by themselves.
        products: What it may make besides its protein.
        services: What online services say of it besides.
    """

    weighed: Weighed
    unknown: Sequence[Evidence]
    features: tuple[SequenceFeature, ...]
    context: GeneContext | None
    products: tuple[str, ...]
    services: FromServices = NOTHING_ASKED


def interpret(  # noqa: PLR0913 - what is known, kind by kind
    genome: Genome,
    evidence: Iterable[Evidence],
    unknown_domains: Iterable[Evidence],
    judgement: ScoringModel,
    features: Mapping[str, tuple[SequenceFeature, ...]] = NO_FEATURES,
    *,
    services: Mapping[str, FromServices] = NO_SERVICES,
) -> tuple[GeneResult, ...]:
    """Interpret every gene of a genome.

    Args:
        genome: Its genes are final.
        evidence: Functional claims about any of its genes, any order.
        unknown_domains: Hits of families of unknown function; never a claim.
        judgement: Parameters and roles.
        features: What the residues show, by gene id; never a claim either.
        services: What online services say of genes besides evidence, by gene id.

    Returns:
        One result for each gene, in the order of ``genome.genes``.

    Cost: about 0.7 ms a gene.
    """
    claims, unknown = _by_gene(evidence), _by_gene(unknown_domains)
    results = []
    for contig in genome.contigs:
        groups = [grouped(claims.get(gene.id, ()), judgement) for gene in contig.genes]
        alone = [weigh_groups(of_gene, judgement) for of_gene in groups]
        around = in_context(contig, alone, judgement)
        products = other_products(contig)
        told = []
        for gene, of_gene, near in zip(contig.genes, groups, around, strict=True):
            asked = services.get(gene.id, NOTHING_ASKED)
            known = Known(
                weigh_groups(of_gene, judgement, near.surroundings, asked.spurious),
                unknown.get(gene.id, ()),
                features.get(gene.id, ()),
                near.context,
                products.get(gene.id, ()),
                asked,
            )
            told.append(_tell(contig, gene, known, judgement))
        results.extend(_with_novelty(contig, told, unknown, products, services))
    return with_audit(results, judgement)


def novel_genes(results: Sequence[GeneResult]) -> NovelGeneReport:
    """The dark genes of a genome, most promising first, pseudogenes last."""
    dark = [
        (result.gene.pseudo, -result.novelty.priority, result.gene_id, result)
        for result in results
        if result.novelty is not None
    ]
    return NovelGeneReport(tuple(row[-1] for row in sorted(dark, key=lambda row: row[:-1])))


def _by_gene(items: Iterable[Evidence]) -> Mapping[str, tuple[Evidence, ...]]:
    grouped: dict[str, list[Evidence]] = defaultdict(list)
    for item in items:
        grouped[item.gene_id].append(item)
    return {gene_id: tuple(found) for gene_id, found in grouped.items()}


def locus_of(contig: Contig, gene: Gene) -> str:
    """The locus tag where the file has one, else record, 1-based span and strand."""
    if gene.locus_tag:
        return gene.locus_tag
    first, last = gene.span.one_based(len(contig))
    return f"{contig.id}:{first}-{last}({gene.strand.symbol})"


def _tell(contig: Contig, gene: Gene, known: Known, judgement: ScoringModel) -> GeneResult:
    """Interpret one gene by what is known of it."""
    weighed = known.weighed
    families = [item.pfam for item in known.unknown if item.pfam]
    classification = classify_dark(known.unknown, known.context)
    interpretation = None
    if weighed.hypotheses:
        classification = classify(weighed.hypotheses, families, judgement)
        best = weighed.hypotheses[0]
        doubts = (
            *uncertainties(gene, weighed),
            *spurious_doubts(known.services.spurious),
            *feature_doubts(best.subject, None, known.features, len(gene.protein)),
            *joint_doubts(contig, gene),
            *known.products,
        )
        interpretation = Interpretation(
            hypothesis=_pseudogene(gene, best.claim),
            confidence_score=best.score,
            confidence_level=ConfidenceLevel.of(best.score),
            hypotheses=weighed.hypotheses,
            reasoning=reasoning(gene, weighed, classification),
            uncertainties=doubts,
            conflicts=weighed.conflicts,
            classification=classification,
        )
    return GeneResult(
        gene=gene,
        locus=locus_of(contig, gene),
        normalized_product=_product(gene, weighed.hypotheses),
        interpretation=interpretation,
        classification=classification,
        features=known.features,
        context=known.context,
        online=known.services.answers,
    )


def _pseudogene(gene: Gene, claim: str) -> str:
    if not gene.pseudo:
        return claim
    return f"pseudogene of {claim}" if not claim.startswith("contains ") else f"pseudogene; {claim}"


def _product(gene: Gene, hypotheses: Sequence[Hypothesis]) -> str:
    """The file's own name, cleaned; where it names nothing, the leading hypothesis."""
    own = display_product(gene.product) if gene.product else "hypothetical protein"
    if own != "hypothetical protein" or not hypotheses:
        return own
    best = hypotheses[0]
    if best.specificity is not Specificity.DOMAIN:
        return best.subject
    if best.evidence[0].type is not EvidenceType.DOMAIN:
        return f"protein with a region like {best.subject}"
    subject = best.subject.removesuffix(" domain")
    return f"{subject} domain-containing protein"


def _with_novelty(
    contig: Contig,
    told: Sequence[GeneResult],
    unknown: Mapping[str, tuple[Evidence, ...]],
    products: Mapping[str, tuple[str, ...]],
    services: Mapping[str, FromServices],
) -> list[GeneResult]:
    """Add what makes each dark gene worth a look; needs its neighbours told."""
    order = sorted(range(len(told)), key=lambda at: told[at].gene.span)
    rank = {at: position for position, at in enumerate(order)}
    results = []
    for at, result in enumerate(told):
        if not result.is_dark:
            results.append(result)
            continue
        around = _around(order, rank[at], told, circular=contig.topology is Topology.CIRCULAR)
        asked = services.get(result.gene_id, NOTHING_ASKED)
        doubts = (
            *spurious_doubts(asked.spurious),
            *joint_doubts(contig, result.gene),
            *products.get(result.gene_id, ()),
            *asked.remarks,
        )
        told_of = novelty(
            result.gene,
            unknown.get(result.gene_id, ()),
            around,
            doubts,
            may_be_none=bool(asked.spurious),
        )
        results.append(replace(result, novelty=told_of))
    return results


def _around(
    order: Sequence[int], position: int, told: Sequence[GeneResult], *, circular: bool
) -> list[Neighbour]:
    """Up to two genes before and behind, by coordinates, nearest first."""
    found: dict[int, Neighbour] = {}
    for side, step in (("before", -1), ("behind", 1)):
        for distance in range(1, _NEIGHBOURS_PER_SIDE + 1):
            index = position + step * distance
            if circular:
                index %= len(order)
            if not 0 <= index < len(order) or index == position or index in found:
                break
            other = told[order[index]]
            claim = other.interpretation.hypothesis if other.interpretation else None
            # What a dark gene has of its neighbours says nothing of theirs.
            category = None if other.is_dark else other.classification.category
            found[index] = Neighbour(other.gene.name, claim, category, side)
    return list(found.values())
