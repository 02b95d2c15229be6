"""Evidence to ranked hypotheses, by additive log-odds.

A hypothesis starts from the prior of what it claims. Every independent origin that speaks
for it adds its weight, by its class and the part that it plays; neighbours add what they say
of its category; rivals take away. The logistic of the sum is the score. What is not borne
out by two types of evidence, or names no more than a part or a class, stays below HIGH.
Every addend is kept, so it can be printed, and all are fitted together on genomes that
were held out (``training/confidence``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from genint.interpret.bearing import agreeing_types, is_context
from genint.interpret.claims import category_of, contradiction
from genint.interpret.grouping import Group, grouped, rivals, supports, wider
from genint.interpret.judgement import Judgement
from genint.interpret.ranking import BORNE_OUT, CEILING, ranked
from genint.interpret.services import spurious_conflicts, spurious_terms
from genint.knowledge.confidence import Part, logistic, logit
from genint.model.evidence import Evidence
from genint.model.interpretation import Hypothesis, ScoreTerm
from genint.model.vocabulary import Category, ConfidenceLevel, EvidenceSource, EvidenceType

_MOST_RIVALS = 2
"""More rivals than this say no more against a hypothesis."""
_WHY = {
    Part.LEADS: "",
    Part.AGREES: "agrees",
    Part.SAYS_LESS: "agrees, says less than the hypothesis",
    Part.AGAIN: "same type as before",
    Part.FITS: "fits it, says nothing of its name",
}


class Surroundings(NamedTuple):
    """What the neighbours of a gene say of it.

    Attributes:
        evidence: The same as an observation, its label listing the neighbours.
        log_odds: By category: how much likelier such neighbours are beside a gene of it.
    """

    evidence: Evidence
    log_odds: Mapping[Category, float]


@dataclass(frozen=True, slots=True)
class Weighed:
    """Hypotheses, best first, and the contradictions between them."""

    hypotheses: tuple[Hypothesis, ...]
    conflicts: tuple[str, ...]


def weigh(
    evidence: Sequence[Evidence], judgement: Judgement, around: Surroundings | None = None
) -> Weighed:
    """Rank what the evidence of one gene allows.

    Args:
        evidence: All of one gene, any order; the result does not depend on it.
        judgement: Parameters and roles.
        around: What its neighbours say; they raise or lower hypotheses, and make none.

    Returns:
        At least one hypothesis where there is evidence, else none.

    Raises:
        KeyError: evidence of a class that the parameters don't know.

    Cost: quadratic in the number of items, which is below ten for most genes.
    """
    return weigh_groups(grouped(evidence, judgement), judgement, around)


def weigh_groups(
    groups: Sequence[Group],
    judgement: Judgement,
    around: Surroundings | None = None,
    spurious: Sequence[Evidence] = (),
) -> Weighed:
    """The same for claims that were put together before.

    Args:
        groups: Claims of one gene.
        judgement: Parameters and roles.
        around: What its neighbours say.
        spurious: What says that the gene is none.
    """
    against = spurious_terms(spurious, judgement)
    hypotheses = [_hypothesis(group, groups, judgement, around, against) for group in groups]
    hypotheses.extend(_classes(groups, hypotheses, judgement, around, against))
    best_first = ranked(hypotheses)
    doubted = spurious_conflicts(best_first[0].claim, spurious) if best_first else ()
    return Weighed(best_first, (*_conflicts(groups), *doubted))


def _classes(
    groups: Sequence[Group],
    hypotheses: Sequence[Hypothesis],
    judgement: Judgement,
    around: Surroundings | None,
    against: Sequence[ScoreTerm],
) -> list[Hypothesis]:
    """Wider classes of names that the evidence does not bear out, where they are surer."""
    found: dict[str, Hypothesis] = {}
    claimed = {hypothesis.subject for hypothesis in hypotheses}
    for group, named in zip(groups, hypotheses, strict=True):
        if ConfidenceLevel.of(named.score) in BORNE_OUT:
            continue
        if group.lead.evidence.source is EvidenceSource.UNIPROT:
            continue  # how much surer its classes are was not found out
        class_ = wider(group, judgement)
        if class_ is None or class_.lead.evidence.subject in claimed:
            continue
        others = [other for other in groups if other is not group]
        if rivals(group, others).contradicting:
            continue  # what is contested makes no sure class
        told = _hypothesis(class_, others, judgement, around, against)
        known = found.get(told.subject)
        if told.score > named.score and (known is None or told.score > known.score):
            found[told.subject] = told
    return list(found.values())


def _hypothesis(
    group: Group,
    groups: Sequence[Group],
    judgement: Judgement,
    around: Surroundings | None,
    against: Sequence[ScoreTerm],
) -> Hypothesis:
    lead = group.lead.evidence
    own = _own_terms(group, judgement, around)
    terms = [*own, *_rival_terms(group, groups, judgement, around), *against]
    types = agreeing_types(group, judgement, own)
    terms.extend(_ceiling_term(group, terms, types, judgement))
    evidence = [claim.evidence for claim in group.claims]
    evidence += [term.evidence for term in own if term.evidence and is_context(term)]
    return Hypothesis(
        claim=lead.claim,
        subject=lead.subject,
        specificity=lead.specificity,
        score=round(logistic(sum(term.log_odds for term in terms)), 4),
        terms=tuple(terms),
        evidence=tuple(evidence),
        types=types,
    )


def _own_terms(group: Group, judgement: Judgement, around: Surroundings | None) -> list[ScoreTerm]:
    """What speaks for a hypothesis, without what stands against it."""
    lead = group.lead.evidence
    prior = judgement.calibration.prior[lead.specificity]
    return [
        ScoreTerm(f"prior of a {_CLAIMS[lead.specificity]} that something proposes", prior),
        *_wider_term(lead, judgement),
        *_supporting_terms(group, judgement),
        *_context_term(group, judgement, around),
    ]


def _wider_term(lead: Evidence, judgement: Judgement) -> list[ScoreTerm]:
    if lead.told is None:
        return []
    return [ScoreTerm(f"wider than “{lead.told}”", judgement.calibration.wider)]


_CLAIMS = {
    "protein": "name of the whole protein",
    "family": "family of the whole protein",
    "domain": "part of the protein",
    "category": "class",
}


def _supporting_terms(group: Group, judgement: Judgement) -> list[ScoreTerm]:
    """One addend for each origin."""
    terms: list[ScoreTerm] = []
    for claim, part in supports(group):
        item = claim.evidence
        name = item.accession if item.database and item.accession else item.type.value
        reason = f"{name}, {_WHY[part]}" if _WHY[part] else name
        weight = judgement.calibration.weight(part, item.strength, item.type)
        terms.append(ScoreTerm(reason, weight, item))
    return terms


def _context_term(
    group: Group, judgement: Judgement, around: Surroundings | None
) -> list[ScoreTerm]:
    """What the neighbours add or take away, where the hypothesis has a category.

    They are evidence where they agree clearly. Whether they then also make a name likelier
    was fitted: of phages' names they hardly do, since a wrong one is mostly of the right module.
    """
    category = category_of(group.lead)
    if around is None or category is None or category not in around.log_odds:
        return []
    log_odds = around.log_odds[category]
    weight = judgement.calibration.context * log_odds
    reason = f"neighbours, for a gene of {category.value}"
    if log_odds < judgement.parameters.least_context:
        return [ScoreTerm(reason, weight)] if weight else []
    item = around.evidence
    claim = f"lies where genes of {category.value} lie"
    label = f"{item.label}: {math.exp(log_odds):.1f} times as common beside {category.value}"
    return [
        ScoreTerm(reason, weight, replace(item, claim=claim, subject=category.value, label=label))
    ]


def _rival_terms(
    group: Group, groups: Sequence[Group], judgement: Judgement, around: Surroundings | None
) -> list[ScoreTerm]:
    """What rivals take away.

    Two claims that exclude one another: the odds of one are those that it has alone times the
    probability that the other is wrong. So both together never come to more than 1.
    """
    against, terms = rivals(group, groups), []
    for rival in against.contradicting[:_MOST_RIVALS]:
        total = sum(term.log_odds for term in _own_terms(rival, judgement, around))
        probability = min(logistic(total), judgement.parameters.ceiling)
        claim = rival.lead.evidence.claim
        reason = f"contradicted by {claim} ({probability:.2f} by itself)"
        terms.append(ScoreTerm(reason, math.log(1.0 - probability)))
    if against.differing and judgement.calibration.differing:
        claim = against.differing[0].lead.evidence.claim
        reason = f"another name speaks for itself: {claim}"
        terms.append(ScoreTerm(reason, judgement.calibration.differing))
    return terms


def _ceiling_term(
    group: Group,
    terms: Sequence[ScoreTerm],
    types: frozenset[EvidenceType],
    judgement: Judgement,
) -> list[ScoreTerm]:
    """The addend that brings a sum down to its ceiling, so that the sum stays honest."""
    parameters, calibration = judgement.parameters, judgement.calibration
    total = sum(term.log_odds for term in terms)
    if total < logit(calibration.least_for_moderate):
        ceiling = parameters.low_ceiling
        why = f" for what is below {calibration.least_for_moderate:.2f}"
    elif len(types) < 2:  # noqa: PLR2004 - two independent types make HIGH
        ceiling, why = parameters.moderate_ceiling, " for one type of evidence"
    elif not group.names_protein:
        ceiling, why = parameters.moderate_ceiling, " for a part or a class"
    elif total < logit(calibration.least_for_high):
        ceiling = parameters.moderate_ceiling
        why = f" for what is below {calibration.least_for_high:.2f}"
    else:
        ceiling, why = parameters.ceiling, ": nothing is certain"
    excess = total - logit(ceiling)
    return [ScoreTerm(f"{CEILING}{why}", -excess)] if excess > 0 else []


def _conflicts(groups: Sequence[Group]) -> tuple[str, ...]:
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
