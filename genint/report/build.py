"""A summary as the models of the result file; converts and computes nothing new."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from genint.knowledge.confidence import ConfidenceParameters, Setting
from genint.model.audit import Comparison, FileGene
from genint.model.genome import Contig, Gene
from genint.model.interpretation import GeneResult, InterpretationSummary
from genint.model.vocabulary import ConfidenceLevel, GenomeKind
from genint.report import result as r
from genint.report.build_evidence import evidence_item, hypothesis_items
from genint.report.build_features import crispr_items, other_items, rna_items, search_items
from genint.report.build_online import answer_items, use_items
from genint.report.build_parts import (
    audit_item,
    call_item,
    context_item,
    feature_items,
    start_item,
)
from genint.report.build_places import ends, part_order, spans, symbol
from genint.report.build_rescue import product_items, rejected_items, rescue_item, start_items

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
