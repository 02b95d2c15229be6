"""A summary as the models of the result file; converts and computes nothing new.

Values of the same name are copied (:func:`_item`); what is written here is what differs: places
become 1-based on the forward strand, figures are rounded, evidence is referred to by position.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, Literal, TypeVar

from genint.knowledge.confidence import ConfidenceParameters, Setting
from genint.model.evidence import Evidence, SequenceFeature
from genint.model.genome import (
    CallScores,
    Contig,
    CrisprArray,
    Gene,
    Genome,
    OtherFeature,
    RnaGene,
    Topology,
)
from genint.model.interpretation import (
    Audit,
    Comparison,
    GeneContext,
    GeneResult,
    Hypothesis,
    InterpretationSummary,
)
from genint.model.interval import Interval, Location, Part, Strand
from genint.model.locus_tags import prefix_of
from genint.model.online import ServiceAnswer
from genint.model.overview import GenomeStatement
from genint.model.rescue import AlternativeProduct, AlternativeStart, RejectedFrame, Rescue
from genint.model.sequence import start_sites
from genint.model.vocabulary import ConfidenceLevel
from genint.report import result as r
from genint.report import result_gene as of_gene
from genint.report.result_overview import GeneRoleItem, GenomeStatementItem
from genint.report.result_run import (
    Database,
    InputFile,
    LevelItem,
    Program,
    RecordKindItem,
    UsedParameters,
    Warned,
)
from genint.report.result_run import Part as Base
from genint.report.summaries import gene_summary

_Item = TypeVar("_Item", bound=Base)

_REGIMES: Final[tuple[Literal["novel", "shipped"], ...]] = ("novel", "shipped")
_CODON_BP: Final = 3
_EVIDENCE_DECIMALS: Final = 4
_DECIMALS: Final = 3
_SHARE_DECIMALS: Final = 5
"""So that a share in per cent reads as it does where it was not rounded before."""
_RNA_DECIMALS: Final = 2
_EXISTENCE: Final = "EXISTENCE:"
"""Category of experiments that show that a protein is made (INSDC, ``/experiment``)."""
_CALL: Final = ("total", "coding", "start", "rbs_score", "confidence")


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
    prefix = summary.parameters.locus_tag_prefix
    ranks = {gene.gene_id: at for at, gene in enumerate(summary.novel_gene_report.genes, start=1)}
    return r.GenintResult(
        schema_version=r.SCHEMA_VERSION,
        genint_version=summary.genint_version,
        input=_item(InputFile, genome.source),
        parameters=_parameters(summary, parameters),
        databases=tuple(_item(Database, one) for one in summary.databases),
        programs=tuple(_item(Program, one) for one in summary.programs),
        unavailable=summary.unavailable,
        warnings=tuple(_item(Warned, one, record=one.contig) for one in genome.warnings),
        summary=_counts(summary),
        comparison=_comparison(summary.comparison, contigs),
        records=tuple(_record(contig) for contig in genome.contigs),
        genes=tuple(
            _gene(item, contigs[item.gene.contig], ranks, parameters).model_copy(
                update={"new_locus_tag": _new_tag(item.gene, prefix)}
            )
            for item in summary.results
        ),
        rna_genes=tuple(
            _rna(contig, one, prefix) for contig in genome.contigs for one in contig.rna_genes
        ),
        other_features=tuple(
            _other(contig, one) for contig in genome.contigs for one in contig.other_features
        ),
        crispr_arrays=tuple(
            _array(contig, one) for contig in genome.contigs for one in contig.crispr_arrays
        ),
        searches=tuple(_item(r.SearchItem, search) for search in genome.searches),
        rejected=tuple(
            _rejected(contig, one) for contig in genome.contigs for one in contig.rejected
        ),
        alternative_starts=_alternative_starts(genome),
        alternative_products=tuple(
            _product(contig, one)
            for contig in genome.contigs
            for one in contig.alternative_products
        ),
        online=tuple(_item(r.OnlineUseItem, use) for use in summary.online),
        overview=tuple(_statement(one, contigs[one.record]) for one in summary.overview),
    )


def _item(model: type[_Item], source: object, **given: object) -> _Item:
    """A model of the given values, and of what the source has under the other names."""
    names = _names_besides(model, frozenset(given))
    return model(**given, **{name: getattr(source, name) for name in names})


@lru_cache(maxsize=256)
def _names_besides(model: type[Base], given: frozenset[str]) -> tuple[str, ...]:
    return tuple(name for name in model.model_fields if name not in given)


def _optional(model: type[_Item], source: object | None, **given: object) -> _Item | None:
    return None if source is None else _item(model, source, **given)


def _copied(source: object, *names: str) -> dict[str, Any]:
    return {name: getattr(source, name) for name in names}


def _rounded(source: object, *names: str, decimals: int = _DECIMALS) -> dict[str, Any]:
    values = _copied(source, *names)
    return {name: _round(value, decimals) for name, value in values.items()}


def _round(value: float | None, decimals: int) -> float | None:
    return None if value is None else round(value, decimals)


def _place(contig: Contig, span: Interval) -> dict[str, Any]:
    """Record, first and last base; the last is smaller over the origin."""
    start, end = span.one_based(len(contig))
    return {"record": contig.id, "start": start, "end": end}


def _symbol(strand: Strand) -> Literal["+", "-"]:
    return "+" if strand is Strand.FORWARD else "-"


def _parameters(summary: InterpretationSummary, parameters: ConfidenceParameters) -> UsedParameters:
    used = summary.parameters
    mode = summary.confidence_mode or used.mode
    kind = summary.genome.kind
    return _item(
        UsedParameters,
        used,
        confidence_parameters=parameters.version,
        confidence_basis=parameters.basis,
        genome_kind=kind,
        confidence_mode=mode,
        record_kinds=_record_kinds(summary.genome, mode, parameters),
        levels=_levels(Setting(mode, kind), parameters),
    )


def _record_kinds(
    genome: Genome, mode: str, parameters: ConfidenceParameters
) -> tuple[RecordKindItem, ...]:
    """Which records were taken for what; nothing where all are of one kind."""
    if len(genome.kinds) == 1:
        return ()
    return tuple(
        RecordKindItem(
            genome_kind=kind,
            records=tuple(contig.id for contig in genome.contigs if contig.kind is kind),
            levels=_levels(Setting(mode, kind), parameters),
        )
        for kind in genome.kinds
    )


def _levels(setting: Setting, parameters: ConfidenceParameters) -> tuple[LevelItem, ...]:
    return tuple(
        _item(LevelItem, one, regime=regime)
        for regime in _REGIMES
        for one in parameters.measured_of(setting, regime)
    )


def _counts(summary: InterpretationSummary) -> r.Counts:
    return r.Counts(
        total_genes=summary.total_genes,
        interpreted_genes=summary.interpreted_genes,
        high=summary.count(ConfidenceLevel.HIGH),
        moderate=summary.count(ConfidenceLevel.MODERATE),
        low=summary.count(ConfidenceLevel.LOW),
        speculative=summary.count(ConfidenceLevel.SPECULATIVE),
        dark=summary.novel_gene_report.dark_matter_count,
        supported_genes=summary.supported_genes,
        file_only_genes=summary.file_only_genes,
    )


def _comparison(found: Comparison | None, contigs: Mapping[str, Contig]) -> r.ComparisonItem | None:
    if found is None:
        return None
    missed = tuple(
        _item(
            r.MissedItem,
            gene,
            **_place(contigs[gene.contig], gene.span),
            strand=_symbol(gene.strand),
        )
        for gene in found.missed_genes
    )
    return _item(r.ComparisonItem, found, missed_genes=missed)


def _record(contig: Contig) -> r.Record:
    calling = contig.calling
    return _item(
        r.Record,
        contig,
        length=len(contig),
        sequence=contig.bases,
        genome_kind=contig.kind,
        translation_table=calling.translation_table if calling else contig.translation_table,
        gene_calling=calling.method if calling else None,
        translation_table_reason=calling.code_reason if calling else None,
        topology_reason=calling.topology_reason if calling else None,
    )


def _gene(
    item: GeneResult, contig: Contig, ranks: Mapping[str, int], parameters: ConfidenceParameters
) -> r.GeneItem:
    gene, found, classified = item.gene, item.interpretation, item.classification
    location = gene.location
    evidence = found.evidence if found else ()
    reasoning = found.reasoning if found else ()
    built = r.GeneItem(
        **_copied(gene, "id", "name", "codon_start", "translation_table", "pseudo", "called_by"),
        **_copied(gene, "product", "protein_id"),
        ec_numbers=gene.values("EC_number"),
        experiments=_experiments(gene),
        **_copied(location, "trans_spliced", "partial_5", "partial_3"),
        **_copied(item, "locus", "normalized_product", "is_dark"),
        **_copied(classified, "cog_category", "cog_name", "cog_source", "pfam_id", "category"),
        **_place(contig, gene.span),
        strand=_symbol(gene.strand),
        parts=_parts(contig, location),
        part_order=_part_order(_cut_at_ends(contig, location)),
        length_aa=len(gene.protein),
        partial=location.partial_5 or location.partial_3,
        translation=gene.protein,
        call_note=gene.note,
        peptides=tuple(
            _item(of_gene.PeptideItem, one, start=one.first, end=one.last) for one in gene.peptides
        ),
        call=_call(gene.scores),
        rescue=_rescue(gene.rescue),
        start_choice=_start_choice(contig, gene),
        confidence=item.confidence_level,
        score=found.confidence_score if found else 0.0,
        function=found.hypothesis if found else None,
        basis=found.basis if found else None,
        go_terms=tuple(term.id for term in classified.go_terms),
        go=tuple(_item(of_gene.GoTermItem, term) for term in classified.go_terms),
        reasoning="\n".join(reasoning),
        reasoning_chain=reasoning,
        evidence=tuple(_evidence(one, parameters) for one in evidence),
        hypotheses=_hypotheses(found.hypotheses if found else ()),
        uncertainties=found.uncertainties if found else (),
        conflicts=found.conflicts if found else (),
        novelty=_optional(of_gene.NoveltyItem, item.novelty, rank=ranks.get(item.gene_id)),
        compared=_optional(r.ComparedItem, item.compared),
        features=_features(item.features),
        context=_context(item.context),
        statement=_optional(of_gene.StatementItem, item.statement),
        audit=_audit(item.audit, evidence),
        online=answer_items(item.online),
    )
    return built.model_copy(update={"summary": gene_summary(built)})


def _experiments(gene: Gene) -> tuple[str, ...]:
    """Those that the file cites, and what peptides show, in the categories of the INSDC."""
    cited = gene.values("experiment")
    if not gene.peptides or any(one.startswith(_EXISTENCE) for one in cited):
        return cited
    number = len(gene.peptides)
    seen = [f"{_EXISTENCE}mass spectrometry, {number} peptide{'s' if number > 1 else ''}"]
    if any(one.shows_start for one in gene.peptides):
        seen.append("COORDINATES:mass spectrometry, N-terminal peptide")
    return (*cited, *seen)


def _call(scores: CallScores | None) -> of_gene.CallItem | None:
    return None if scores is None else _item(of_gene.CallItem, scores, **_rounded(scores, *_CALL))


def _features(features: Iterable[SequenceFeature]) -> tuple[of_gene.FeatureItem, ...]:
    return tuple(
        _item(of_gene.FeatureItem, one, start=one.first, end=one.last, **_rounded(one, "score"))
        for one in features
    )


def _context(context: GeneContext | None) -> of_gene.ContextItem | None:
    if context is None:
        return None
    return _item(of_gene.ContextItem, context, **_rounded(context, "probability"))


def answer_items(answers: Iterable[ServiceAnswer]) -> tuple[r.OnlineAnswerItem, ...]:
    """What each service answered about one gene."""
    return tuple(_item(r.OnlineAnswerItem, one) for one in answers)


def _parts(contig: Contig, location: Location) -> tuple[of_gene.Span, ...]:
    """Parts in the order of the forward strand."""
    found = []
    for part in _cut_at_ends(contig, location).forward_parts:
        start, end = part.interval.one_based(len(contig))
        found.append(of_gene.Span(start=start, end=end, strand=_symbol(part.strand)))
    return tuple(found)


def _cut_at_ends(contig: Contig, location: Location) -> Location:
    """On a line a part over both ends is two, still in unrolled order; a circle has no ends."""
    length_bp = len(contig)
    if contig.topology is Topology.CIRCULAR or not location.span.wraps(length_bp):
        return location
    return replace(
        location,
        parts=tuple(
            Part(interval, part.strand)
            for part in location.parts
            for interval in part.interval.cut_at(length_bp)[:: int(part.strand)]
        ),
    )


def _part_order(location: Location) -> tuple[int, ...]:
    """The position of each part, 5' to 3', among those in forward order.

    Empty where it follows from the strand; never where the parts lie on both.
    """
    parts = location.parts
    strands = {part.strand for part in parts}
    forward = sorted(range(len(parts)), key=lambda at: parts[at].interval)
    ranks = {at: rank for rank, at in enumerate(forward)}
    order = tuple(ranks[at] for at in range(len(parts)))
    usual = tuple(sorted(order, reverse=location.strand is Strand.REVERSE))
    return () if len(strands) == 1 and order == usual else order


def _start_choice(contig: Contig, gene: Gene) -> of_gene.StartItem | None:
    """The start of a gene and others in the frame; None without start or sequence."""
    if gene.codon_start != 1:
        return None
    circular = contig.topology is Topology.CIRCULAR
    found = start_sites(contig.bases, gene.location, gene.translation_table, circular=circular)
    return _optional(of_gene.StartItem, found)


def _evidence(item: Evidence, parameters: ConfidenceParameters) -> of_gene.EvidenceItem:
    measured = item.measured
    return _item(
        of_gene.EvidenceItem,
        item,
        conf=parameters.reliability[item.strength],
        evalue=measured.evalue,
        bits=_round(measured.score_bits, _EVIDENCE_DECIMALS),
        threshold_bits=_round(measured.threshold_bits, _EVIDENCE_DECIMALS),
        coverage=_round(measured.protein_coverage, _EVIDENCE_DECIMALS),
        target_coverage=_round(measured.target_coverage, _EVIDENCE_DECIMALS),
        protein_start=measured.protein_from,
        protein_end=measured.protein_to,
        support=_optional(of_gene.SupportItem, item.support),
        similar=_optional(
            of_gene.SimilarItem,
            item.similar,
            identity=_round(measured.identity, _EVIDENCE_DECIMALS),
            start=measured.target_from,
            end=measured.target_to,
        ),
    )


def _hypotheses(hypotheses: Sequence[Hypothesis]) -> tuple[of_gene.HypothesisItem, ...]:
    """Hypotheses; the gene's list has the evidence of the first, then of the second, ..."""
    items, first = [], 0
    for hypothesis in hypotheses:
        positions = {item: first + at for at, item in enumerate(hypothesis.evidence)}
        terms = tuple(
            of_gene.Term(
                reason=term.reason,
                log_odds=round(term.log_odds, _EVIDENCE_DECIMALS),
                evidence=None if term.evidence is None else positions.get(term.evidence),
            )
            for term in hypothesis.terms
        )
        end = first + len(hypothesis.evidence)
        items.append(
            _item(
                of_gene.HypothesisItem,
                hypothesis,
                function=hypothesis.claim,
                level=ConfidenceLevel.of(hypothesis.score),
                terms=terms,
                evidence=tuple(range(first, end)),
            )
        )
        first = end
    return tuple(items)


def _audit(audit: Audit | None, evidence: Sequence[Evidence]) -> of_gene.AuditItem | None:
    """The audit of a gene with this evidence, to which it refers by position."""
    if audit is None:
        return None
    positions: dict[tuple[str, str | None, str], int] = {}
    for at, item in enumerate(evidence):
        positions.setdefault(_observed(item), at)
    known = (positions.get(_observed(item)) for item in audit.evidence)
    used = tuple(dict.fromkeys(at for at in known if at is not None))
    return _item(of_gene.AuditItem, audit, evidence=used)


def _observed(item: Evidence) -> tuple[str, str | None, str]:
    """What was observed, whether it supports a name or the class of it."""
    return item.source, item.accession, item.origin


def _rescue(rescue: Rescue | None) -> of_gene.RescueItem | None:
    if rescue is None:
        return None
    return _item(
        of_gene.RescueItem,
        rescue,
        **_rounded(rescue, "probability", "threshold"),
        **_rounded(rescue, "host_overlap", decimals=_SHARE_DECIMALS),
        terms=tuple(
            of_gene.RescueTermItem(reason=term.reason, log_odds=round(term.log_odds, _DECIMALS))
            for term in rescue.terms
        ),
        host=rescue.host_id,
        held_out=_optional(of_gene.HeldOutItem, rescue.held_out),
    )


def _rejected(contig: Contig, frame: RejectedFrame) -> r.RejectedItem:
    return _item(
        r.RejectedItem,
        frame,
        **_place(contig, frame.interval),
        strand=_symbol(frame.strand),
        rescue=_rescue(frame.rescue),
    )


def _alternative_starts(genome: Genome) -> tuple[r.AlternativeStartItem, ...]:
    found = []
    for contig in genome.contigs:
        without_stop = {gene.id for gene in contig.genes if gene.location.partial_3}
        found += [
            _alternative_start(contig, start, has_stop=start.gene_id not in without_stop)
            for start in contig.alternative_starts
        ]
    return tuple(found)


def _alternative_start(
    contig: Contig, start: AlternativeStart, *, has_stop: bool
) -> r.AlternativeStartItem:
    return _item(
        r.AlternativeStartItem,
        start,
        gene=start.gene_id,
        **_place(contig, start.interval),
        strand=_symbol(start.strand),
        length_aa=len(start.interval) // _CODON_BP - has_stop,
        **_rounded(start, "start_score", "probability"),
        **_rounded(start, "share", decimals=_SHARE_DECIMALS),
    )


def _product(contig: Contig, product: AlternativeProduct) -> r.AlternativeProductItem:
    site = product.site.one_based(len(contig))
    return _item(
        r.AlternativeProductItem,
        product,
        gene=product.gene_id,
        joined=product.joined_id,
        record=contig.id,
        parts=_parts(contig, product.location),
        length_aa=len(product.protein),
        translation=product.protein,
        site_start=site[0],
        site_end=site[1],
        **_rounded(product, "probability"),
    )


def _new_tag(gene: Gene | RnaGene, prefix: str | None) -> str | None:
    """The locus tag by the prefix of the run; of what was predicted that is the id."""
    return gene.new_tag or (gene.id if prefix and prefix_of(gene.id) == prefix else None)


def _rna(contig: Contig, gene: RnaGene, prefix: str | None) -> r.RnaGeneItem:
    place = gene.anticodon_place
    anticodon = place.one_based(len(contig)) if place else (None, None)
    return _item(
        r.RnaGeneItem,
        gene,
        **_place(contig, gene.location.span),
        **_copied(gene.location, "partial_5", "partial_3"),
        **_rounded(gene, "score", decimals=_RNA_DECIMALS),
        strand=_symbol(gene.location.strand),
        name=gene.symbol,
        new_locus_tag=_new_tag(gene, prefix),
        anticodon_start=anticodon[0],
        anticodon_end=anticodon[1],
    )


def _array(contig: Contig, array: CrisprArray) -> r.CrisprArrayItem:
    return _item(r.CrisprArrayItem, array, **_place(contig, array.location.span))


def _statement(one: GenomeStatement, contig: Contig) -> GenomeStatementItem:
    start, end = one.interval.one_based(len(contig)) if one.interval else (None, None)
    return _item(
        GenomeStatementItem,
        one,
        start=start,
        end=end,
        genes=tuple(_item(GeneRoleItem, role, gene=role.gene_id) for role in one.genes),
        parts=tuple(_statement(part, contig) for part in one.parts),
        **_rounded(one, "probability"),
    )


def _other(contig: Contig, feature: OtherFeature) -> r.OtherFeatureItem:
    return _item(
        r.OtherFeatureItem,
        feature,
        **_place(contig, feature.location.span),
        strand=_symbol(feature.location.strand),
        name=feature.symbol,
        new_locus_tag=feature.new_tag,
    )
