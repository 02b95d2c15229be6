"""Call, features, context and audit of a gene as the models of the result file."""

from __future__ import annotations

from collections.abc import Sequence

from genint.model.audit import Audit
from genint.model.evidence import Evidence
from genint.model.features import SequenceFeature
from genint.model.genome import CallScores, Contig, Gene, Topology
from genint.model.interpretation import GeneContext
from genint.model.start_sites import start_sites
from genint.report import result as r

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
