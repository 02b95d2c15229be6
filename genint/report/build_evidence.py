"""Observations and hypotheses as the models of the result file."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from genint.knowledge.confidence import ConfidenceParameters
from genint.model.evidence import Evidence, FamilySupport
from genint.model.interpretation import Hypothesis
from genint.model.vocabulary import ConfidenceLevel
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
