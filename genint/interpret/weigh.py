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
from dataclasses import dataclass, replace

from genint.interpret.claims import Claim, agree, contradiction, fits, read_claim, relation
from genint.interpret.judgement import Judgement
from genint.knowledge.confidence import ConfidenceParameters, logistic, logit
from genint.knowledge.products import Relation
from genint.model.evidence import Evidence
from genint.model.interpretation import Hypothesis, ScoreTerm
from genint.model.vocabulary import ConfidenceLevel, EvidenceType, Specificity

_LEVELS = tuple(ConfidenceLevel)
_PARTS = frozenset({Specificity.DOMAIN, Specificity.CATEGORY})
_MODERATE = _LEVELS.index(ConfidenceLevel.MODERATE)
_PLACES_PER_LEVEL, _BEFORE_HIGH_PARTS, _PART_PLACE = 3, 1, 2
"""Places of a level: functions, (of HIGH only) what the file states, parts."""
_STATED = frozenset({"annotation", "annotation_experiment"})
"""Classes of names that the file gives outright."""


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
        key=lambda claim: _order(claim, parameters),
    )
    groups = _group(_narrow_first(claims, parameters))
    rivals = [_rivals(group, groups) for group in groups]
    hypotheses = [
        _hypothesis(group, against, parameters)
        for group, against in zip(groups, rivals, strict=True)
    ]
    ranked = sorted(hypotheses, key=_rank)
    return Weighed(_with_verdicts(ranked), _conflicts(groups))


def _order(claim: Claim, parameters: ConfidenceParameters) -> tuple[object, ...]:
    """Most specific first, then most reliable, then by figures and name."""
    # The name of a remote protein, borne out by a domain that both have, was wrong in every
    # second case: what is not sound leads nothing that says less.
    item = claim.evidence
    score_bits = item.measured.score_bits or 0.0
    return (
        item.similar is not None and not _is_sound(claim, parameters),
        claim.specificity.rank,
        -parameters.weight(item.strength),
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


def _supporting_terms(group: _Group, parameters: ConfidenceParameters) -> list[ScoreTerm]:
    """One addend for each origin, strongest class first within each type."""
    terms: list[ScoreTerm] = []
    types: set[EvidenceType] = set()
    for claim in _origins_once(group):
        item = claim.evidence
        share, why = _share(claim, group.lead, types, parameters)
        name = item.accession if item.database and item.accession else item.type.value
        reason = f"{name}, {why}" if why else name
        terms.append(ScoreTerm(reason, share * parameters.weight(item.strength)))
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


def _hypothesis(
    group: _Group, rivals: Sequence[_Group], parameters: ConfidenceParameters
) -> Hypothesis:
    supporting = _supporting_terms(group, parameters)
    against = [
        ScoreTerm(
            f"contradicted by {rival.lead.evidence.claim}",
            -parameters.conflict_share
            * sum(term.log_odds for term in _supporting_terms(rival, parameters)),
        )
        for rival in rivals
    ]
    terms = [ScoreTerm("prior", parameters.prior_log_odds), *supporting, *against]
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
    reason = "ceiling for one type of evidence" if single else "ceiling: nothing is certain"
    return [ScoreTerm(reason, -excess)]


def _rank(hypothesis: Hypothesis) -> tuple[int, bool, float, int, str]:
    """Level first; within one, what names a function before what names a part of it.

    A domain and the function of the protein that it sits in are both right, and the
    function says more. So the name that the file gives to this very protein, where it
    is sound, comes before what is surer but says less, and before what relatives are
    called at the same level.
    """
    level = _LEVELS.index(ConfidenceLevel.of(hypothesis.score))
    is_part = hypothesis.specificity in _PARTS
    if level == _MODERATE and not is_part and _is_stated(hypothesis):
        place = _BEFORE_HIGH_PARTS
    else:
        place = _PLACES_PER_LEVEL * level + (_PART_PLACE if is_part else 0)
    return (
        place,
        is_part,
        -hypothesis.score,
        hypothesis.specificity.rank,
        hypothesis.claim,
    )


def _is_stated(hypothesis: Hypothesis) -> bool:
    """Whether the file names this function without a hedge."""
    return any(item.strength in _STATED for item in hypothesis.evidence)


def _with_verdicts(ranked: Sequence[Hypothesis]) -> tuple[Hypothesis, ...]:
    """Say why each hypothesis leads or lost."""
    if not ranked:
        return ()
    best = ranked[0]
    judged = [replace(best, verdict=_why_first(best, alone=len(ranked) == 1))]
    judged.extend(replace(rival, verdict=_why_behind(rival, best)) for rival in ranked[1:])
    return tuple(judged)


def _why_behind(rival: Hypothesis, best: Hypothesis) -> str:
    behind = f"{best.score:.2f} against {rival.score:.2f}"
    if rival.specificity in _PARTS and best.specificity not in _PARTS:
        if rival.score >= best.score:
            return f"says less of the protein ({behind})"
    elif rival.score >= best.score and _is_stated(best):
        return f"at the same level as the name that the file gives ({behind})"
    if len(rival.types) < len(best.types):
        return f"fewer independent types of evidence support it ({behind})"
    if rival.score < best.score:
        return f"weaker evidence ({behind})"
    return f"says less of the protein at the same level ({behind})"


def _why_first(best: Hypothesis, *, alone: bool) -> str:
    if alone:
        return "the only hypothesis that the evidence proposes"
    return "says most of the protein among what is sound"


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
