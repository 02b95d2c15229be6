"""From a genome and its evidence to one result for each gene.

For each gene: :mod:`~genint.interpret.grouping` puts claims of one function together,
:mod:`~genint.interpret.scoring` scores them as hypotheses, first without and then with what
:mod:`~genint.interpret.gene_context`, :mod:`~genint.interpret.operons` and
:mod:`~genint.interpret.lysis` add, and the best one is classified and explained. Genes without a
hypothesis are ranked by :mod:`~genint.interpret.dark_matter`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from genint.interpret.audit import audit_gene
from genint.interpret.back_off import statement
from genint.interpret.claims import ScoringModel
from genint.interpret.classify import classify, classify_dark
from genint.interpret.dark_matter import add_novelty
from genint.interpret.doubts import NO_PHAGE_KNOWN, OfPhage, doubts_of, of_phage
from genint.interpret.explain import other_products, reasoning
from genint.interpret.gene_context import NeighbourContext, neighbour_contexts
from genint.interpret.grouping import Group, group_evidence
from genint.interpret.lysis import holins
from genint.interpret.memory import forget
from genint.interpret.operons import operon_names
from genint.interpret.phage_context import among_phage_genes, in_their_place
from genint.interpret.scoring import (
    NO_SERVICE_NOTES,
    Scored,
    ServiceNotes,
    score_groups,
    spurious_uncertainties,
)
from genint.interpret.uncertainty import (
    feature_uncertainties,
    joined_end_uncertainties,
    uncertainties,
)
from genint.knowledge.product_names import display_product
from genint.model.evidence import Evidence, SequenceFeature, by_gene
from genint.model.genome import Contig, Gene, Genome
from genint.model.interpretation import (
    Audit,
    AuditVerdict,
    GeneResult,
    Hypothesis,
    Interpretation,
    NovelGeneReport,
)
from genint.model.vocabulary import ConfidenceLevel, EvidenceType, Specificity

NO_FEATURES: Final[Mapping[str, tuple[SequenceFeature, ...]]] = MappingProxyType({})
NO_SERVICES: Final[Mapping[str, ServiceNotes]] = MappingProxyType({})


class GeneFindings(NamedTuple):
    """All findings about one gene.

    Attributes:
        scored: Hypotheses from its evidence and its neighbours.
        unknown: Hits of families of unknown function.
        features: Sequence features of its protein.
        around: What its neighbours suggest.
        products: What it may make besides its protein.
        services: What online services report besides evidence.
        in_phage: It is a phage's, or lies among genes of one.
        phage: What is known of the phage as a whole.
        audit: The product of the file compared with evidence independent of it.
    """

    scored: Scored
    unknown: Sequence[Evidence]
    features: tuple[SequenceFeature, ...]
    around: NeighbourContext
    products: tuple[str, ...]
    services: ServiceNotes = NO_SERVICE_NOTES
    in_phage: bool = True
    phage: OfPhage = NO_PHAGE_KNOWN
    audit: Audit | None = None


def contradicting(audit: Audit | None) -> str | None:
    """What an audit found instead of the file's name; None unless that is contradicted."""
    if audit is None or audit.verdict is not AuditVerdict.CONTRADICTS:
        return None
    return audit.reason


def interpret(  # noqa: PLR0913 - one argument for each kind of finding
    genome: Genome,
    evidence: Iterable[Evidence],
    unknown_domains: Iterable[Evidence],
    model: ScoringModel,
    features: Mapping[str, tuple[SequenceFeature, ...]] = NO_FEATURES,
    *,
    services: Mapping[str, ServiceNotes] = NO_SERVICES,
) -> tuple[GeneResult, ...]:
    """Interpret every gene of a genome.

    Args:
        genome: Its genes are final.
        evidence: Functional claims about any of its genes, any order.
        unknown_domains: Hits of families of unknown function; never a claim.
        model: Parameters and roles.
        features: Sequence features by gene id; never a claim either.
        services: What online services report besides evidence, by gene id.

    Returns:
        One result for each gene, in the order of ``genome.genes``.

    Cost: about 0.7 ms a gene.
    """
    known = Known(by_gene(evidence), by_gene(unknown_domains), features, services)
    results = []
    for contig in genome.contigs:
        own = model.for_contig(contig.id)
        products = other_products(contig)
        found = [
            _interpret_gene(contig, gene, of_gene, own)
            for gene, of_gene in findings(contig, known, products, own)
        ]
        results.extend(add_novelty(contig, found, known.unknown, products, services, model=model))
    forget()
    return tuple(results)


class Known(NamedTuple):
    """What is known of genes, by their ids.

    Attributes:
        claims: Evidence for functions.
        unknown: Hits of families of unknown function.
        features: Of their sequences.
        services: What online services report besides evidence.
    """

    claims: Mapping[str, tuple[Evidence, ...]]
    unknown: Mapping[str, tuple[Evidence, ...]]
    features: Mapping[str, tuple[SequenceFeature, ...]]
    services: Mapping[str, ServiceNotes]


def findings(
    contig: Contig,
    known: Known,
    products: Mapping[str, tuple[str, ...]],
    model: ScoringModel,
) -> Iterator[tuple[Gene, GeneFindings]]:
    """Each gene with its scores: alone first, then again where its surroundings say more.

    Args:
        contig: Its genes are final.
        known: Of genes; those of other contigs are not looked at.
        products: What genes may make besides their protein, by their ids.
        model: Parameters and roles; without a gene order neighbours say nothing.
    """
    placed = in_their_place(contig, known.claims, model)
    of_phages = among_phage_genes(contig, known.claims, model)
    groups = [group_evidence(placed[gene.id], model) for gene in contig.genes]
    alone = _scored_alone(contig, groups, model)
    contexts = neighbour_contexts(contig, alone, model)
    own = [placed[gene.id] for gene in contig.genes]
    told = _names_by_place(contig, own, alone, model, features=known.features, of_phages=of_phages)
    for at, evidence in told.items():
        own[at], groups[at] = evidence, group_evidence(evidence, model)
    leads = [scored.hypotheses[0].evidence[0] for scored in alone if scored.hypotheses]
    phage = of_phage(contig, leads, model)
    audits = [
        audit_gene(gene, evidence, model, scored, phage=phage)
        for gene, evidence, scored in zip(contig.genes, own, alone, strict=True)
    ]
    for at, (gene, of_gene, scored, audit, near) in enumerate(
        zip(contig.genes, groups, alone, audits, contexts, strict=True)
    ):
        notes = known.services.get(gene.id, NO_SERVICE_NOTES)
        contradicted = contradicting(audit)
        says_more = near.evidence or at in told or notes.spurious or contradicted
        if says_more or phage != NO_PHAGE_KNOWN:
            scored = score_groups(  # noqa: PLW2901 - by more than it says alone
                of_gene,
                model,
                near.evidence,
                notes.spurious,
                gene=gene,
                phage=phage,
                contradicted=contradicted,
            )
        yield (
            gene,
            GeneFindings(
                scored,
                known.unknown.get(gene.id, ()),
                known.features.get(gene.id, ()),
                near,
                products.get(gene.id, ()),
                notes,
                in_phage=gene.id in of_phages,
                phage=phage,
                audit=audit,
            ),
        )


def _scored_alone(
    contig: Contig, groups: Sequence[Sequence[Group]], model: ScoringModel
) -> list[Scored]:
    """The hypotheses of each gene of a contig by its own evidence."""
    return [
        score_groups(of_gene, model, gene=gene)
        for gene, of_gene in zip(contig.genes, groups, strict=True)
    ]


def _names_by_place(  # noqa: PLR0913 - all that is known of the contig
    contig: Contig,
    evidence: Sequence[Sequence[Evidence]],
    alone: Sequence[Scored],
    model: ScoringModel,
    *,
    features: Mapping[str, Sequence[SequenceFeature]],
    of_phages: Collection[str],
) -> dict[int, tuple[Evidence, ...]]:
    """The evidence of genes that have a name from their neighbours, with that name, by place."""
    if model.gene_order is None:
        return {}
    told = dict(operon_names(contig, evidence, alone, model))
    for at, name in holins(contig, alone, features, of_phages, model).items():
        told[at] = (*evidence[at], name)
    return told


def novel_genes(results: Sequence[GeneResult]) -> NovelGeneReport:
    """The dark genes of a genome, most promising first, pseudogenes last.

    Of equal priority the longer comes first: more of it can be compared and made.
    """
    dark = [
        (
            result.gene.pseudo,
            -result.novelty.priority,
            -len(result.gene.protein),
            result.gene_id,
            result,
        )
        for result in results
        if result.novelty is not None
    ]
    return NovelGeneReport(tuple(row[-1] for row in sorted(dark, key=lambda row: row[:-1])))


def _interpret_gene(
    contig: Contig, gene: Gene, findings: GeneFindings, model: ScoringModel
) -> GeneResult:
    hypotheses, conflicts = findings.scored.hypotheses, findings.scored.conflicts
    around = findings.around
    classification = classify_dark(findings.unknown, around.context)
    interpretation = None
    if hypotheses:
        families = [item.pfam for item in findings.unknown if item.pfam]
        classification = classify(hypotheses, families, model, in_phage=findings.in_phage)
        best = hypotheses[0]
        contradicted = contradicting(findings.audit)
        said = doubts_of(best.evidence, gene, model, findings.phage, contradicted=contradicted)
        doubts = [doubt.said for doubt in said]
        interpretation = Interpretation(
            hypothesis=_pseudogene(gene, best.claim),
            confidence_score=best.score,
            confidence_level=ConfidenceLevel.of(best.score),
            hypotheses=hypotheses,
            reasoning=reasoning(gene, findings.scored, classification),
            uncertainties=(
                *doubts,
                *_contradiction(best, contradicted),
                *(one for one in uncertainties(gene, findings.scored) if one not in doubts),
                *spurious_uncertainties(findings.services.spurious),
                *feature_uncertainties(best.subject, None, findings.features, len(gene.protein)),
                *joined_end_uncertainties(contig, gene),
                *findings.products,
            ),
            conflicts=conflicts,
            classification=classification,
        )
    return GeneResult(
        gene=gene,
        locus=locus_of(contig, gene),
        normalized_product=_product(gene, hypotheses),
        interpretation=interpretation,
        classification=classification,
        features=findings.features,
        context=around.context,
        audit=findings.audit,
        online=findings.services.answers,
        statement=statement(findings.scored, around, model),
    )


def _contradiction(best: Hypothesis, contradicted: str | None) -> tuple[str, ...]:
    """That the leading name is not the file's, which evidence contradicts."""
    if contradicted is None or any(item.type is EvidenceType.ANNOTATION for item in best.evidence):
        return ()
    return (f"the file's product is contradicted: {contradicted}",)


def locus_of(contig: Contig, gene: Gene) -> str:
    """The locus tag where the file has one, else record, 1-based span and strand."""
    if gene.locus_tag:
        return gene.locus_tag
    first, last = gene.span.one_based(len(contig))
    return f"{contig.id}:{first}-{last}({gene.strand.symbol})"


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
