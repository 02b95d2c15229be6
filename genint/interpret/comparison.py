"""Predicted genes paired with those of the file, by their stop codon."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from genint.interpret.audit import Submitted, audit_prediction, told_apart
from genint.interpret.claims import ScoringModel, agree, read_claim
from genint.model.evidence import Evidence
from genint.model.genome import Contig, Gene, Genome
from genint.model.interpretation import (
    Audit,
    AuditVerdict,
    Comparison,
    FileGene,
    GeneResult,
    NameVerdict,
)
from genint.model.interval import Strand

_End = tuple[str, int, int]


def compare(
    genome: Genome,
    results: Sequence[GeneResult],
    annotated: Genome,
    annotations: Sequence[Evidence],
    model: ScoringModel,
) -> tuple[Comparison, tuple[GeneResult, ...]]:
    """Pair predicted genes with those of the file by their stop codon.

    Args:
        genome: With predicted genes.
        results: Their results, in order.
        annotated: The genome as the file has it.
        annotations: What its products claim, of any gene.
        model: Roles, to distinguish wordings from functions.

    Returns:
        The figures, and the results with their counterpart in the file and the audit of
        its product.
    """
    claims = {item.gene_id: item for item in annotations}
    contigs = {contig.id: contig for contig in genome.contigs}
    in_file: dict[_End, list[Gene]] = defaultdict(list)
    for gene in annotated.genes:
        in_file[_stop(contigs[gene.contig], gene)].append(gene)
    compared, pairs = [], {}
    for result in results:
        contig = contigs[result.gene.contig]
        other = _counterpart(contig, result.gene, in_file[_stop(contig, result.gene)])
        if other is not None:
            same_start = _start(contig, other) == _start(contig, result.gene)
            pairs[other.id] = same_start
            own = claims.get(other.id)
            audit = audit_prediction(
                Submitted(other.product, own), result, model.for_contig(contig.id)
            )
            verdict = _verdict(result, own, audit, model)
            result = replace(  # noqa: PLW2901 - the same result, completed
                result,
                compared=FileGene(other.id, other.product, same_start, verdict),
                audit=audit,
            )
        compared.append(result)
    predicted = {_stop(contigs[r.gene.contig], r.gene) for r in results}
    missed = tuple(
        gene.id for gene in annotated.genes if _stop(contigs[gene.contig], gene) not in predicted
    )
    comparison = Comparison(
        genes_in_file=len(annotated.genes),
        same_stop=len(annotated.genes) - len(missed),
        same_start=sum(pairs.values()),
        missed=missed,
        extra=tuple(result.gene_id for result in compared if result.compared is None),
        missed_genes=tuple(gene for gene in annotated.genes if gene.id not in pairs),
    )
    return comparison, tuple(compared)


def _stop(contig: Contig, gene: Gene) -> _End:
    """Record, last transcribed base (0-based, on the circle), strand."""
    part = gene.location.parts[-1]
    forward = part.strand is Strand.FORWARD
    base = part.interval.end - 1 if forward else part.interval.start
    return contig.id, base % len(contig), int(part.strand)


def _start(contig: Contig, gene: Gene) -> _End:
    part = gene.location.parts[0]
    forward = part.strand is Strand.FORWARD
    base = part.interval.start if forward else part.interval.end - 1
    return contig.id, base % len(contig), int(part.strand)


def _counterpart(contig: Contig, gene: Gene, same_stop: Sequence[Gene]) -> Gene | None:
    """Of genes that share a stop, the one with the same start, else the longest."""
    start = _start(contig, gene)
    return max(
        same_stop, key=lambda own: (_start(contig, own) == start, len(own.location)), default=None
    )


def _verdict(
    result: GeneResult, own: Evidence | None, audit: Audit, model: ScoringModel
) -> NameVerdict:
    """How the leading name compares with the file's; names that exclude one another differ."""
    found = result.interpretation
    if found is None:
        return NameVerdict.NEITHER if own is None else NameVerdict.ONLY_IN_FILE
    if own is None:
        return NameVerdict.ONLY_HERE
    if audit.verdict in (AuditVerdict.CONFIRMS, AuditVerdict.REFINES):
        return NameVerdict.AGREES
    theirs = read_claim(own, model)
    lead, *others = (read_claim(item, model) for item in found.hypotheses[0].evidence)
    if told_apart(lead, theirs) is not None:
        return NameVerdict.DIFFERS
    fits = any(agree(claim, theirs) for claim in (lead, *others))
    return NameVerdict.AGREES if fits else NameVerdict.DIFFERS
