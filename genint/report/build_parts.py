"""Features, context and audit of a gene as the models of the result file."""

from __future__ import annotations

from genint.model.features import SequenceFeature
from genint.model.interpretation import Audit, GeneContext
from genint.report import result as r

_DECIMALS = 3


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


def audit_item(audit: Audit | None) -> r.AuditItem | None:
    """The product of the file held against the rest of the evidence."""
    if audit is None:
        return None
    return r.AuditItem(
        verdict=audit.verdict,
        product=audit.product,
        found=audit.found,
        score=audit.score,
        level=audit.level,
        reason=audit.reason,
    )
