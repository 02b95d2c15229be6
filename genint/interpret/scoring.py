"""What online services say of a gene besides naming it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final, NamedTuple

from genint.interpret.claims import Claim, ScoringModel, agree, category_of, contradiction
from genint.interpret.grouping import Group, grouped, is_sound, rivals, supports, wider
from genint.knowledge.confidence import Part, logistic, logit
from genint.model.evidence import Evidence
from genint.model.interpretation import Hypothesis, ScoreTerm
from genint.model.online import ServiceAnswer
from genint.model.vocabulary import (
    Category,
    ConfidenceLevel,
    EvidenceSource,
    EvidenceType,
    Specificity,
)

_WHOLE = 0.7
"""Share of a profile, or of a similar protein, that is no fragment."""


def agreeing_types(
    group: Group, judgement: ScoringModel, own: Sequence[ScoreTerm]
) -> frozenset[EvidenceType]:
    """Independent types that agree on the hypothesis and were measured to bear it out."""
    types = {
        claim.evidence.type
        for claim, part in supports(group)
        if claim.evidence.type.independent and _bears_out(claim, part, group, judgement)
    }
    if any(is_context(term) for term in own):
        types.add(EvidenceType.GENE_CONTEXT)
    return frozenset(types)


def _bears_out(claim: Claim, part: Part, group: Group, judgement: ScoringModel) -> bool:
    """Whether a claim makes a type: the lead where it is sound, others where they weigh enough.

    A fragment of a profile bears out nothing, and what agrees by its rest alone does not either.
    """
    item = claim.evidence
    if item.support is not None and item.support.independent < 1:
        return False  # the protein itself gave the family its name
    if part is Part.LEADS:
        return is_sound(claim, judgement.parameters)
    if part is Part.FITS or not agree(group.lead, claim) or _is_mere_class(claim, group):
        return False
    covered = item.measured.target_coverage
    if covered is not None and covered < _WHOLE:
        return False
    # What is of a type that has spoken already stands for that type.
    weight = judgement.calibration.weight(
        Part.AGREES if part is Part.AGAIN else part, item.strength, item.type
    )
    return weight >= judgement.parameters.least_weight_for_agreement


def _is_mere_class(claim: Claim, group: Group) -> bool:
    """Whether a claim names no more than a class of the hypothesis: that bears out no name."""
    vague = claim.product is not None and claim.product.vague
    less = claim.specificity is Specificity.CATEGORY or vague
    return less and group.names_protein


def is_context(term: ScoreTerm) -> bool:
    """Whether an addend is what the neighbours say."""
    return term.evidence is not None and term.evidence.type is EvidenceType.GENE_CONTEXT


CEILING: Final = "ceiling"
"""Start of the reason of the addend that brings a sum down to its ceiling."""
BORNE_OUT: Final = frozenset({ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE})
"""Levels of names that the evidence bears out."""
_PARTS = frozenset({Specificity.DOMAIN, Specificity.CATEGORY})
_STATED = frozenset({"annotation", "annotation_experiment"})
"""Classes of names that the file gives outright."""
_SAME_STRETCH = 0.5
"""Share of the shorter of two stretches that lies in the other."""


class _Place(IntEnum):
    """Names that the evidence bears out, then everything else."""

    HIGH = 0
    STATED = 1
    NAMED = 2
    UNPROVEN = 3


def ranked(hypotheses: Sequence[Hypothesis]) -> tuple[Hypothesis, ...]:
    """Best first, each with the reason for its place."""
    if not hypotheses:
        return ()
    best, *others = sorted(hypotheses, key=_rank)
    judged = [replace(best, verdict=_why_first(alone=not others))]
    judged.extend(replace(rival, verdict=_why_behind(rival, best)) for rival in others)
    return tuple(judged)


def uncapped_log_odds(hypothesis: Hypothesis) -> float:
    """The sum of what speaks for a hypothesis and against it, before any ceiling."""
    terms = (term for term in hypothesis.terms if not term.reason.startswith(CEILING))
    return round(sum(term.log_odds for term in terms), 4)


def excluded_name(hypotheses: Sequence[Hypothesis], conflicts: Sequence[str]) -> Hypothesis | None:
    """The next hypothesis that names the whole protein as the leading one does, otherwise.

    Args:
        hypotheses: Best first.
        conflicts: Contradictions that are told anyway.

    Returns:
        None unless both rest on sound evidence of the same stretch, at least one of them on
        a similar protein: of the file's names and those of families the rules are older,
        and names of the two that differ are mostly wordings of one thing.
    """
    best = hypotheses[0]
    if best.specificity is not Specificity.PROTEIN or not best.types:
        return None
    for rival in hypotheses[1:]:
        told = any(f"“{rival.claim}”" in text and f"“{best.claim}”" in text for text in conflicts)
        if (
            rival.specificity is Specificity.PROTEIN
            and rival.types
            and EvidenceType.HOMOLOGY in best.types | rival.types
            and not told
            and _same_stretch(best.evidence[0], rival.evidence[0])
        ):
            return rival
    return None


def _same_stretch(one: Evidence, other: Evidence) -> bool:
    """Whether two observations are of the same residues; the file's name is of all of them."""
    ours, theirs = one.measured, other.measured
    if ours.protein_from is None or ours.protein_to is None:
        return True
    if theirs.protein_from is None or theirs.protein_to is None:
        return True
    first = max(ours.protein_from, theirs.protein_from)
    last = min(ours.protein_to, theirs.protein_to)
    shorter = min(ours.protein_to - ours.protein_from, theirs.protein_to - theirs.protein_from)
    return last - first + 1 >= _SAME_STRETCH * (shorter + 1)


def _rank(hypothesis: Hypothesis) -> tuple[int, float, int, str]:
    """What names a function first, where it is sure enough; then whatever is surest.

    A domain and the function of the protein that it sits in are both right, and the
    function says more. So a name that the evidence bears out comes before what is surer but
    says less, and a name that it does not bear out comes behind it. Within a level the name
    that the file gives to this very protein comes before what relatives are called.
    """
    level = ConfidenceLevel.of(hypothesis.score)
    if hypothesis.specificity in _PARTS or level not in BORNE_OUT:
        place = _Place.UNPROVEN
    elif level is ConfidenceLevel.HIGH:
        place = _Place.HIGH
    else:
        place = _Place.STATED if _is_stated(hypothesis) else _Place.NAMED
    return (
        place,
        -uncapped_log_odds(hypothesis),
        hypothesis.specificity.rank,
        hypothesis.claim,
    )


def _is_stated(hypothesis: Hypothesis) -> bool:
    """Whether the file names this function without a hedge."""
    return any(item.strength in _STATED for item in hypothesis.evidence)


def _why_first(*, alone: bool) -> str:
    if alone:
        return "the only hypothesis that the evidence proposes"
    return "says most of the protein among what is sound"


def _why_behind(rival: Hypothesis, best: Hypothesis) -> str:
    behind = f"{best.score:.2f} against {rival.score:.2f}"
    ours, theirs = uncapped_log_odds(best), uncapped_log_odds(rival)
    if theirs >= ours:
        if rival.specificity in _PARTS and best.specificity not in _PARTS:
            return f"says less of the protein ({behind})"
        if _is_stated(best):
            return f"at the same level as the name that the file gives ({behind})"
    if len(rival.types) < len(best.types):
        return f"fewer independent types of evidence support it ({behind})"
    if theirs < ours:
        if f"{best.score:.2f}" == f"{rival.score:.2f}":
            behind = f"log-odds {ours:.2f} against {theirs:.2f} before any ceiling"
        return f"weaker evidence ({behind})"
    if rival.specificity.rank > best.specificity.rank:
        return f"says less of the protein at the same level ({behind})"
    return f"as well founded, so that the order of the two says nothing ({behind})"


class FromServices(NamedTuple):
    """What services say of one gene, but for evidence of its function.

    Attributes:
        answers: What became of asking each service.
        spurious: Models of translations that are no proteins, which its protein matches.
        remarks: Predictions that are no evidence, in plain words.
    """

    answers: tuple[ServiceAnswer, ...] = ()
    spurious: tuple[Evidence, ...] = ()
    remarks: tuple[str, ...] = ()


NOTHING_ASKED: Final = FromServices()


def spurious_terms(spurious: Sequence[Evidence], judgement: ScoringModel) -> list[ScoreTerm]:
    """What it takes from every hypothesis that the gene may be none.

    A protein that is not made does nothing: the odds of each function are multiplied by the
    probability that the strongest of the models is wrong. More models say no more.
    """
    if not spurious:
        return []
    item = max(spurious, key=lambda one: judgement.parameters.reliability[one.strength])
    wrong = 1.0 - judgement.parameters.reliability[item.strength]
    return [ScoreTerm(f"the gene may be none: {item.accession}", math.log(wrong))]


def spurious_doubts(spurious: Sequence[Evidence]) -> tuple[str, ...]:
    """The same as doubts, one for each model."""
    return tuple(f"the gene may be none: {item.label}" for item in spurious)


def spurious_conflicts(claim: str, spurious: Sequence[Evidence]) -> tuple[str, ...]:
    """That a function is claimed of what may be no protein."""
    return tuple(
        f"“{claim}” against “{item.claim}” ({item.source.value}): what is not made has no function"
        for item in spurious
    )


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
    evidence: Sequence[Evidence], judgement: ScoringModel, around: Surroundings | None = None
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
    judgement: ScoringModel,
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
    judgement: ScoringModel,
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
    judgement: ScoringModel,
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


def _own_terms(
    group: Group, judgement: ScoringModel, around: Surroundings | None
) -> list[ScoreTerm]:
    """What speaks for a hypothesis, without what stands against it."""
    lead = group.lead.evidence
    prior = judgement.calibration.prior[lead.specificity]
    return [
        ScoreTerm(f"prior of a {_CLAIMS[lead.specificity]} that something proposes", prior),
        *_wider_term(lead, judgement),
        *_supporting_terms(group, judgement),
        *_context_term(group, judgement, around),
    ]


def _wider_term(lead: Evidence, judgement: ScoringModel) -> list[ScoreTerm]:
    if lead.told is None:
        return []
    return [ScoreTerm(f"wider than “{lead.told}”", judgement.calibration.wider)]


_CLAIMS = {
    "protein": "name of the whole protein",
    "family": "family of the whole protein",
    "domain": "part of the protein",
    "category": "class",
}


def _supporting_terms(group: Group, judgement: ScoringModel) -> list[ScoreTerm]:
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
    group: Group, judgement: ScoringModel, around: Surroundings | None
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
    group: Group, groups: Sequence[Group], judgement: ScoringModel, around: Surroundings | None
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
    judgement: ScoringModel,
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
