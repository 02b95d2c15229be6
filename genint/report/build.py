"""A summary as the models of the result file; converts and computes nothing new."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Final, Literal

from genint.knowledge.confidence import ConfidenceParameters, Setting
from genint.model.evidence import Evidence, FamilySupport, SequenceFeature
from genint.model.genome import CallScores, Contig, Gene, Topology
from genint.model.interpretation import (
    Audit,
    Comparison,
    FileGene,
    GeneContext,
    GeneResult,
    Hypothesis,
    InterpretationSummary,
)
from genint.model.online import ServiceAnswer, ServiceUse
from genint.model.sequence import start_sites
from genint.model.vocabulary import ConfidenceLevel, GenomeKind
from genint.report import result as r
from genint.report.build_features import (
    crispr_items,
    ends,
    other_items,
    part_order,
    product_items,
    rejected_items,
    rescue_item,
    rna_items,
    search_items,
    spans,
    start_items,
    symbol,
)


def answer_items(answers: Iterable[ServiceAnswer]) -> tuple[r.OnlineAnswerItem, ...]:
    """What became of asking each service about one gene."""
    return tuple(r.OnlineAnswerItem(**one._asdict()) for one in answers)


def use_items(uses: Iterable[ServiceUse]) -> tuple[r.OnlineUseItem, ...]:
    """How each service answered, without what that cost."""
    return tuple(
        r.OnlineUseItem(
            service=use.service,
            releases=use.releases,
            problem=use.problem,
            proteins=use.proteins,
            answered=use.answered,
        )
        for use in uses
    )


_DECIMALS = 3


def call_item(scores: CallScores | None) -> r.CallItem | None:
    """What the gene finder measured."""
    if scores is None:
        return None
    site = scores.rbs_score
    return r.CallItem(
        total=round(scores.total, _DECIMALS),
        coding=round(scores.coding, _DECIMALS),
        start=round(scores.start, _DECIMALS),
        start_codon=scores.start_codon,
        rbs_motif=scores.rbs_motif,
        rbs_spacer=scores.rbs_spacer,
        rbs_score=None if site is None else round(site, _DECIMALS),
        confidence=round(scores.confidence, _DECIMALS),
    )


def start_item(contig: Contig, gene: Gene) -> r.StartItem | None:
    """The start of a gene and what else the frame has; None without start or sequence."""
    if gene.codon_start != 1:
        return None
    circular = contig.topology is Topology.CIRCULAR
    found = start_sites(contig.bases, gene.location, gene.translation_table, circular=circular)
    if found is None:
        return None
    return r.StartItem(codon=found.codon, upstream=found.upstream)


def feature_items(features: tuple[SequenceFeature, ...]) -> tuple[r.FeatureItem, ...]:
    """Sequence features."""
    return tuple(
        r.FeatureItem(
            kind=one.kind,
            start=one.first,
            end=one.last,
            score=round(one.score, _DECIMALS),
            method=one.method,
        )
        for one in features
    )


def context_item(context: GeneContext | None) -> r.ContextItem | None:
    """What the neighbours say."""
    if context is None:
        return None
    return r.ContextItem(
        category=context.category,
        probability=round(context.probability, _DECIMALS),
        neighbours=context.neighbours,
    )


def audit_item(audit: Audit | None, evidence: Sequence[Evidence] = ()) -> r.AuditItem | None:
    """The product of the file held against the rest of the evidence, which is that given."""
    if audit is None:
        return None
    places: dict[tuple[str, str | None, str], int] = {}
    for at, item in enumerate(evidence):
        places.setdefault(_key(item), at)
    return r.AuditItem(
        verdict=audit.verdict,
        product=audit.product,
        found=audit.found,
        score=audit.score,
        level=audit.level,
        reason=audit.reason,
        evidence=tuple(
            dict.fromkeys(places[_key(one)] for one in audit.evidence if _key(one) in places)
        ),
    )


def _key(item: Evidence) -> tuple[str, str | None, str]:
    """What was observed, whether it is taken for a name or for the class of it."""
    return item.source, item.accession, item.origin


DECIMALS: Final = 4
"""Of figures in the result file."""


def evidence_item(item: Evidence, parameters: ConfidenceParameters) -> r.EvidenceItem:
    """An observation with what it was measured by, and how far its class is trusted."""
    measured = item.measured
    return r.EvidenceItem(
        label=item.label,
        source=item.source,
        conf=parameters.reliability[item.strength],
        type=item.type,
        claim=item.claim,
        specificity=item.specificity,
        strength=item.strength,
        database=item.database,
        accession=item.accession,
        evalue=measured.evalue,
        bits=_rounded(measured.score_bits),
        threshold_bits=_rounded(measured.threshold_bits),
        coverage=_rounded(measured.protein_coverage),
        target_coverage=_rounded(measured.target_coverage),
        protein_start=measured.protein_from,
        protein_end=measured.protein_to,
        eco=item.eco,
        origin=item.origin,
        product=item.product,
        support=_support(item.support),
        similar=_similar(item),
    )


def hypothesis_items(hypotheses: tuple[Hypothesis, ...]) -> tuple[r.HypothesisItem, ...]:
    """Hypotheses, whose evidence follows one another's in the gene's list."""
    items, position = [], 0
    for hypothesis in hypotheses:
        count = len(hypothesis.evidence)
        items.append(
            r.HypothesisItem(
                function=hypothesis.claim,
                score=hypothesis.score,
                level=ConfidenceLevel.of(hypothesis.score),
                specificity=hypothesis.specificity,
                verdict=hypothesis.verdict,
                terms=_terms(hypothesis, position),
                evidence=tuple(range(position, position + count)),
            )
        )
        position += count
    return tuple(items)


def _terms(hypothesis: Hypothesis, position: int) -> tuple[r.Term, ...]:
    places = {item: position + at for at, item in enumerate(hypothesis.evidence)}
    return tuple(
        r.Term(
            reason=term.reason,
            log_odds=round(term.log_odds, DECIMALS),
            evidence=None if term.evidence is None else places.get(term.evidence),
        )
        for term in hypothesis.terms
    )


def _support(found: FamilySupport | None) -> r.SupportItem | None:
    return None if found is None else r.SupportItem(**asdict(found))


def _similar(item: Evidence) -> r.SimilarItem | None:
    entry, measured = item.similar, item.measured
    if entry is None:
        return None
    return r.SimilarItem(
        name=entry.name,
        organism=entry.organism,
        length_aa=entry.length_aa,
        identity=_rounded(measured.identity),
        start=measured.target_from,
        end=measured.target_to,
        existence=entry.existence,
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DECIMALS)


_REGIMES: tuple[Literal["novel", "shipped"], ...] = ("novel", "shipped")


def build_result(
    summary: InterpretationSummary, parameters: ConfidenceParameters
) -> r.GenintResult:
    """The result file of a summary.

    Args:
        summary: What the library returns.
        parameters: The confidence model that it was scored with, for ``conf``.

    Cost: about 0.1 ms a gene.
    """
    genome = summary.genome
    contigs = {contig.id: contig for contig in genome.contigs}
    ranks = {gene.gene_id: at for at, gene in enumerate(summary.novel_gene_report.genes, start=1)}
    used = summary.parameters
    return r.GenintResult(
        schema_version=r.SCHEMA_VERSION,
        genint_version=summary.genint_version,
        input=r.InputFile(
            filename=genome.source.filename,
            sha256=genome.source.sha256,
            format=genome.source.format,
        ),
        parameters=r.UsedParameters(
            mode=_mode(used.mode),
            phage=used.phage,
            ignore_annotations=used.ignore_annotations,
            locus_tag_prefix=used.locus_tag_prefix,
            confidence_parameters=parameters.version,
            confidence_basis=parameters.basis,
            genome_kind=GenomeKind.of(genome.length_bp),
            confidence_mode=_mode(summary.confidence_mode or used.mode),
            levels=_levels(summary, parameters),
            max_identity=used.max_identity,
            online_services=used.online_services,
            online_timeout_s=used.online_timeout_s,
        ),
        databases=tuple(r.Database(**item._asdict()) for item in summary.databases),
        programs=tuple(r.Program(**item._asdict()) for item in summary.programs),
        unavailable=summary.unavailable,
        warnings=tuple(
            r.Warned(code=w.code, text=w.text, record=w.contig, line=w.line)
            for w in genome.warnings
        ),
        summary=_counts(summary),
        comparison=_comparison(summary.comparison, contigs),
        records=tuple(_record(contig) for contig in genome.contigs),
        genes=tuple(
            _gene(item, contigs[item.gene.contig], ranks, parameters) for item in summary.results
        ),
        rna_genes=rna_items(genome),
        other_features=other_items(genome),
        crispr_arrays=crispr_items(genome),
        searches=search_items(genome),
        rejected=rejected_items(genome),
        alternative_starts=start_items(genome),
        alternative_products=product_items(genome),
        online=use_items(summary.online),
    )


def _levels(
    summary: InterpretationSummary, parameters: ConfidenceParameters
) -> tuple[r.LevelItem, ...]:
    mode = summary.confidence_mode or summary.parameters.mode
    setting = Setting(mode, GenomeKind.of(summary.genome.length_bp))
    return tuple(
        r.LevelItem(
            level=one.level, regime=regime, right=one.right, full=one.full, judged=one.judged
        )
        for regime in _REGIMES
        for one in parameters.measured_of(setting, regime)
    )


def _mode(mode: str) -> Literal["offline", "local", "online"]:
    if mode == "local":
        return "local"
    return "online" if mode == "online" else "offline"


def _counts(summary: InterpretationSummary) -> r.Counts:
    return r.Counts(
        total_genes=summary.total_genes,
        interpreted_genes=summary.interpreted_genes,
        high=summary.count(ConfidenceLevel.HIGH),
        moderate=summary.count(ConfidenceLevel.MODERATE),
        low=summary.count(ConfidenceLevel.LOW),
        speculative=summary.count(ConfidenceLevel.SPECULATIVE),
        dark=summary.novel_gene_report.dark_matter_count,
    )


def _record(contig: Contig) -> r.Record:
    calling = contig.calling
    return r.Record(
        id=contig.id,
        length=len(contig),
        topology=contig.topology,
        translation_table=calling.translation_table if calling else contig.translation_table,
        description=contig.description,
        organism=contig.organism,
        gene_calling=calling.method if calling else None,
        translation_table_reason=calling.code_reason if calling else None,
        topology_reason=calling.topology_reason if calling else None,
        terminal_repeat_bp=contig.terminal_repeat_bp,
    )


def _gene(
    item: GeneResult, contig: Contig, ranks: dict[str, int], parameters: ConfidenceParameters
) -> r.GeneItem:
    gene, told, found = item.gene, item.interpretation, item.classification
    evidence = told.evidence if told else ()
    start, end = ends(contig, gene.span)
    reasoning = told.reasoning if told else ()
    return r.GeneItem(
        id=gene.id,
        name=gene.name,
        locus=item.locus,
        record=contig.id,
        start=start,
        end=end,
        strand=symbol(gene.strand),
        parts=spans(contig, gene.location),
        part_order=part_order(gene.location),
        trans_spliced=gene.location.trans_spliced,
        length_aa=len(gene.protein),
        partial=gene.location.partial_5 or gene.location.partial_3,
        partial_5=gene.location.partial_5,
        partial_3=gene.location.partial_3,
        codon_start=gene.codon_start,
        translation_table=gene.translation_table,
        translation=gene.protein,
        pseudo=gene.pseudo,
        called_by=gene.called_by,
        call_note=gene.note,
        call=call_item(gene.scores),
        rescue=rescue_item(gene.rescue),
        start_choice=start_item(contig, gene),
        product=gene.product,
        protein_id=gene.protein_id,
        is_dark=item.is_dark,
        confidence=item.confidence_level,
        score=told.confidence_score if told else 0.0,
        function=told.hypothesis if told else None,
        normalized_product=item.normalized_product,
        cog_category=found.cog_category,
        cog_name=found.cog_name,
        cog_source=found.cog_source,
        go_terms=tuple(term.id for term in found.go_terms),
        go=tuple(r.GoTermItem(**term._asdict()) for term in found.go_terms),
        pfam_id=found.pfam_id,
        category=found.category,
        reasoning="\n".join(reasoning),
        reasoning_chain=reasoning,
        evidence=tuple(evidence_item(one, parameters) for one in evidence),
        hypotheses=hypothesis_items(told.hypotheses if told else ()),
        uncertainties=told.uncertainties if told else (),
        conflicts=told.conflicts if told else (),
        novelty=_novelty(item, ranks),
        compared=_compared(item.compared),
        features=feature_items(item.features),
        context=context_item(item.context),
        audit=audit_item(item.audit, evidence),
        online=answer_items(item.online),
    )


def _novelty(item: GeneResult, ranks: dict[str, int]) -> r.NoveltyItem | None:
    novelty = item.novelty
    if novelty is None:
        return None
    return r.NoveltyItem(
        priority=novelty.priority,
        rank=ranks[item.gene_id],
        reasons=novelty.reasons,
        observations=novelty.observations,
        neighbours=novelty.neighbours,
        next_step=novelty.next_step,
    )


def _compared(found: FileGene | None) -> r.ComparedItem | None:
    if found is None:
        return None
    return r.ComparedItem(
        id=found.id, product=found.product, same_start=found.same_start, verdict=found.verdict
    )


def _comparison(found: Comparison | None, contigs: Mapping[str, Contig]) -> r.ComparisonItem | None:
    if found is None:
        return None
    return r.ComparisonItem(
        genes_in_file=found.genes_in_file,
        same_stop=found.same_stop,
        same_start=found.same_start,
        missed=found.missed,
        extra=found.extra,
        missed_genes=tuple(_missed(contigs[gene.contig], gene) for gene in found.missed_genes),
    )


def _missed(contig: Contig, gene: Gene) -> r.MissedItem:
    start, end = ends(contig, gene.span)
    return r.MissedItem(
        id=gene.id,
        record=contig.id,
        start=start,
        end=end,
        strand=symbol(gene.strand),
        protein_id=gene.protein_id,
        product=gene.product,
    )
