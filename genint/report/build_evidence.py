"""Observations as the models of the result file."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from genint.knowledge.confidence import ConfidenceParameters
from genint.model.evidence import Evidence, FamilySupport
from genint.report import result as r

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
