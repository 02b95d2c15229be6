"""Evidence to ranked hypotheses, by additive log-odds.

A hypothesis starts from the prior. Every independent origin that speaks for it
adds its weight: the log-odds of its class's reliability less the prior. A second
origin of the same type, and a less specific claim, add a share of theirs. Rivals
that contradict it take away. The logistic of the sum is the score; one type of
evidence alone stays below HIGH. Every addend is kept, so it can be printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from genint.interpret.claims import Claim, agree, contradiction, fits, read_claim, relation
from genint.interpret.judgement import Judgement
from genint.interpret.ranking import CEILING, ranked
from genint.knowledge.confidence import ConfidenceParameters, logistic, logit
from genint.knowledge.products import Relation
from genint.model.evidence import Evidence
from genint.model.interpretation import Hypothesis, ScoreTerm
from genint.model.vocabulary import EvidenceType


@dataclass(frozen=True, slots=True)
class Weighed:
    """Hypotheses, best first, and the contradictions between them."""

    hypotheses: tuple[Hypothesis, ...]
    conflicts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Group:
    """Claims of one function; the first one leads."""

    claims: tuple[Claim, ...]

    @property
    def lead(self) -> Claim:
        return self.claims[0]


def weigh(evidence: Sequence[Evidence], judgement: Judgement) -> Weighed:
    """Rank what the evidence of one gene allows.

    Args:
        evidence: All of one gene, any order; the result does not depend on it.
        judgement: Parameters and roles.

    Returns:
        At least one hypothesis where there is evidence, else none.

    Raises:
        KeyError: evidence of a class that the parameters don't know.

    Cost: quadratic in the number of items, which is below ten for most genes.
    """
    parameters = judgement.parameters
    claims = sorted(
        (read_claim(item, judgement) for item in evidence),
        key=lambda claim: _order(claim, judgement),
    )
    groups = _group(_narrow_first(claims, parameters))
    rivals = [_rivals(group, groups) for group in groups]
    hypotheses = [
        _hypothesis(group, against, judgement)
        for group, against in zip(groups, rivals, strict=True)
    ]
    return Weighed(ranked(hypotheses), _conflicts(groups))


def _order(claim: Claim, judgement: Judgement) -> tuple[object, ...]:
    """Most specific first, then most reliable, then by figures and name."""
    # The name of a remote protein, borne out by a domain that both have, was wrong in every
    # second case: what is not sound leads nothing that says less.
    item = claim.evidence
    score_bits = item.measured.score_bits or 0.0
    return (
        item.similar is not None and not _is_sound(claim, judgement.parameters),
        claim.specificity.rank,
        -judgement.calibration.weight(item.strength),
        -score_bits,
        item.source.value,
        item.accession or "",
        item.claim,
    )


def _narrow_first(claims: Sequence[Claim], parameters: ConfidenceParameters) -> list[Claim]:
    """Put what is a kind of another claim in front of it, so that what says more leads.

    A name too weak to count for HIGH does not lead stronger ones.
    """
    ordered: list[Claim] = []
    for claim in claims:
        wider = (
            at
            for at, other in enumerate(ordered)
            if claim.specificity is other.specificity
            and relation(claim, other) is Relation.NARROWER
        )
        sound = _is_sound(claim, parameters)
        ordered.insert(next(wider, len(ordered)) if sound else len(ordered), claim)
    return ordered


def _is_sound(claim: Claim, parameters: ConfidenceParameters) -> bool:
    reliability = parameters.reliability[claim.evidence.strength]
    return reliability >= parameters.least_reliability_for_agreement


def _group(claims: Sequence[Claim]) -> list[_Group]:
    """Each claim joins the first group whose leader it agrees with, else one that it fits."""
    groups: list[_Group] = []
    for claim in claims:
        agreeing = (at for at, group in enumerate(groups) if agree(group.lead, claim))
        fitting = (
            at
            for at, group in enumerate(groups)
            if any(fits(member, claim) for member in group.claims)
        )
        at = next(agreeing, next(fitting, None))
        if at is None:
            groups.append(_Group((claim,)))
        else:
            groups[at] = _Group((*groups[at].claims, claim))
    return groups


def _rivals(group: _Group, groups: Sequence[_Group]) -> list[_Group]:
    return [
        other
        for other in groups
        if other is not group and contradiction(group.lead, other.lead) is not None
    ]


def _origins_once(group: _Group) -> list[Claim]:
    """The first claim of each origin: what rests on one thing counts once."""
    origins: dict[str, Claim] = {}
    for claim in group.claims:
        origins.setdefault(claim.evidence.origin, claim)
    return list(origins.values())


def _supporting_terms(group: _Group, judgement: Judgement) -> list[ScoreTerm]:
    """One addend for each origin, strongest class first within each type."""
    terms: list[ScoreTerm] = []
    types: set[EvidenceType] = set()
    for claim in _origins_once(group):
        item = claim.evidence
        share, why = _share(claim, group.lead, types, judgement.parameters)
        name = item.accession if item.database and item.accession else item.type.value
        reason = f"{name}, {why}" if why else name
        weight = share * judgement.calibration.weight(item.strength)
        terms.append(ScoreTerm(reason, weight, item))
        types.add(item.type)
    return terms


def _share(
    claim: Claim, lead: Claim, types: AbstractSet[EvidenceType], parameters: ConfidenceParameters
) -> tuple[float, str]:
    """Share of its weight that a claim adds to a hypothesis, and why it is not all of it."""
    if claim.evidence.type in types:
        return parameters.same_type_share, "same type as before"
    if not agree(lead, claim):
        return parameters.fitting_share, "fits it, says nothing of its name"
    if claim.specificity.rank > lead.specificity.rank or (
        relation(claim, lead) is Relation.BROADER
    ):
        return parameters.less_specific_share, "says less than the hypothesis"
    return 1.0, ""


def _hypothesis(group: _Group, rivals: Sequence[_Group], judgement: Judgement) -> Hypothesis:
    parameters = judgement.parameters
    supporting = _supporting_terms(group, judgement)
    against = [
        ScoreTerm(
            f"contradicted by {rival.lead.evidence.claim}",
            -parameters.conflict_share
            * sum(term.log_odds for term in _supporting_terms(rival, judgement)),
        )
        for rival in rivals
    ]
    terms = [ScoreTerm("prior", judgement.calibration.prior), *supporting, *against]
    types = frozenset(
        claim.evidence.type
        for claim in _origins_once(group)
        if claim.evidence.type.independent
        and _is_sound(claim, parameters)
        and agree(group.lead, claim)
    )
    terms.extend(_ceiling_term(terms, types, parameters))
    lead = group.lead.evidence
    return Hypothesis(
        claim=lead.claim,
        subject=lead.subject,
        specificity=lead.specificity,
        score=round(logistic(sum(term.log_odds for term in terms)), 4),
        terms=tuple(terms),
        evidence=tuple(claim.evidence for claim in group.claims),
        types=types,
    )


def _ceiling_term(
    terms: Sequence[ScoreTerm], types: frozenset[EvidenceType], parameters: ConfidenceParameters
) -> list[ScoreTerm]:
    """The addend that brings a sum down to its ceiling, so that the sum stays honest."""
    single = len(types) < 2  # noqa: PLR2004 - two independent types make HIGH
    ceiling = parameters.single_type_ceiling if single else parameters.ceiling
    excess = sum(term.log_odds for term in terms) - logit(ceiling)
    if excess <= 0:
        return []
    reason = f"{CEILING} for one type of evidence" if single else f"{CEILING}: nothing is certain"
    return [ScoreTerm(reason, -excess)]


def _conflicts(groups: Sequence[_Group]) -> tuple[str, ...]:
    found = []
    for at, group in enumerate(groups):
        for other in groups[at + 1 :]:
            why = contradiction(group.lead, other.lead)
            if why is not None:
                one, two = group.lead.evidence, other.lead.evidence
                found.append(
                    f"“{one.claim}” ({one.source.value}) against "
                    f"“{two.claim}” ({two.source.value}): {why}"
                )
    return tuple(found)
