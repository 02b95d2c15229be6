"""Claims of one gene put together: those of one function are a group, and what part each plays.

Nothing here depends on fitted numbers but for how often a class of evidence was right alone,
which decides what may lead and what counts as a second type, and for which of two claims of one
name leads where a service told one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

from genint.interpret.claims import (
    Claim,
    ScoringModel,
    agree,
    are_two_terms,
    contradiction,
    fits,
    read_claim,
    relation,
)
from genint.knowledge.confidence import ConfidenceParameters, Part
from genint.knowledge.products import Relation
from genint.model.evidence import Evidence
from genint.model.vocabulary import EvidenceSource, EvidenceType, Specificity

_SAME_STRETCH = 0.5
"""Share of the shorter of two stretches that lies in the other."""
SUBMITTED: Final = "uniprot_submitted"
"""Class of names that UniProt has copied from the record of the sequence."""
_WHOLE = frozenset({Specificity.PROTEIN, Specificity.FAMILY})
_SERVICES = frozenset({EvidenceSource.UNIPROT, EvidenceSource.INTERPRO})


class Support(NamedTuple):
    """A claim that counts for a group, and the part that it plays there."""

    claim: Claim
    part: Part


@dataclass(frozen=True, slots=True)
class Group:
    """Claims of one function; the first one leads and words the hypothesis."""

    claims: tuple[Claim, ...]

    @property
    def lead(self) -> Claim:
        """The claim that says most among what is sound."""
        return self.claims[0]

    @property
    def names_protein(self) -> bool:
        """Whether the hypothesis is a name of the whole protein."""
        return self.lead.specificity in _WHOLE


class Rivals(NamedTuple):
    """What stands against a group.

    Attributes:
        contradicting: Groups that cannot hold together with it.
        differing: Groups that name the same whole protein otherwise, without a known
            contradiction: two wordings of one thing, or at most one of them is right.
    """

    contradicting: tuple[Group, ...]
    differing: tuple[Group, ...]


def grouped(evidence: Sequence[Evidence], judgement: ScoringModel) -> tuple[Group, ...]:
    """Put the claims of one gene together.

    Args:
        evidence: All of one gene, any order; the result does not depend on it.
        judgement: Roles, vocabulary, reliabilities.

    Raises:
        KeyError: evidence of a class that the parameters don't know.

    Cost: quadratic in the number of items, which is below ten for most genes.
    """
    parameters = judgement.parameters
    claims = sorted(
        (read_claim(item, judgement) for item in evidence),
        key=lambda claim: _order(claim, parameters),
    )
    groups: list[Group] = []
    for claim in _narrow_first(claims, parameters):
        agreeing = (at for at, group in enumerate(groups) if agree(group.lead, claim))
        fitting = (
            at
            for at, group in enumerate(groups)
            if any(fits(member, claim) for member in group.claims)
        )
        named = (at for at, group in enumerate(groups) if _has_its_name(group, claim))
        at = next(agreeing, next(named, next(fitting, None)))
        if at is None:
            groups.append(Group((claim,)))
        else:
            groups[at] = Group((*groups[at].claims, claim))
    return tuple(_well_led(group, judgement) for group in groups)


def _has_its_name(group: Group, claim: Claim) -> bool:
    """Whether a service says the very name that a claim of the group has.

    What agrees with the hypothesis by a symbol or an identifier brings its name along: the
    same name, told again by a service, is no rival of it.
    """
    if claim.evidence.source not in _SERVICES or not claim.words:
        return False
    return any(claim.words == member.words for member in group.claims)


def _well_led(group: Group, judgement: ScoringModel) -> Group:
    """The group led by another claim of the same name where a service's would make it less sure.

    So no name is less sure for being told by a service too.
    """
    lead = group.lead
    if lead.evidence.source not in _SERVICES:
        return group
    local = (one for one in group.claims if one.evidence.source not in _SERVICES)
    same_name = (one for one in local if one.words == lead.words)
    surest = max((lead, *same_name), key=lambda one: _alone(one, judgement))
    return Group((surest, *(one for one in group.claims if one is not surest)))


def _alone(claim: Claim, judgement: ScoringModel) -> float:
    """Log-odds of a hypothesis that nothing but the claim proposes."""
    item, calibration = claim.evidence, judgement.calibration
    weight = calibration.weight(Part.LEADS, item.strength, item.type)
    return calibration.prior[claim.specificity] + weight


def wider(group: Group, judgement: ScoringModel) -> Group | None:
    """The same claims for the class that a name belongs to; None where there is none.

    Where a name is doubtful its class may be sure: a head protein, whichever it is.
    """
    lead = group.lead
    if not group.names_protein or lead.product is None or lead.product.broader is None:
        return None
    class_ = judgement.products.products[lead.product.broader]
    item = replace(
        lead.evidence,
        claim=class_.name,
        subject=class_.name,
        specificity=Specificity.CATEGORY,
        product=class_.id,
        told=lead.evidence.subject,
        aliases=(),
        ec=(),
        go=class_.go,
        cog=class_.cog,
    )
    claim = read_claim(item, judgement)
    others = (one for one in group.claims[1:] if agree(claim, one) or fits(claim, one))
    return Group((claim, *others))


def _order(claim: Claim, parameters: ConfidenceParameters) -> tuple[object, ...]:
    """Most specific first, then most reliable, then by figures and name."""
    # The name of a remote protein, borne out by a domain that both have, was wrong in every
    # second case: what is not sound leads nothing that says less.
    item = claim.evidence
    score_bits = item.measured.score_bits or 0.0
    return (
        item.similar is not None and not is_sound(claim, parameters),
        claim.specificity.rank,
        -parameters.reliability[item.strength],
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
        sound = is_sound(claim, parameters)
        ordered.insert(next(wider, len(ordered)) if sound else len(ordered), claim)
    return ordered


def is_sound(claim: Claim, parameters: ConfidenceParameters) -> bool:
    """Whether a claim's class is right often enough to count as a type of its own."""
    reliability = parameters.reliability[claim.evidence.strength]
    return reliability >= parameters.least_reliability_for_agreement


def supports(group: Group) -> tuple[Support, ...]:
    """What counts for a group: the first claim of each origin, with the part that it plays."""
    origins: dict[str, Claim] = {}
    late = partial(_speaks_late, group.lead)
    for claim in (group.lead, *sorted(group.claims[1:], key=late)):
        origins.setdefault(claim.evidence.origin, claim)
    found: list[Support] = []
    types: set[EvidenceType] = set()
    for claim in origins.values():
        found.append(Support(claim, _part(claim, group.lead, types)))
        types.add(claim.evidence.type)
    return tuple(found)


def _speaks_late(lead: Claim, claim: Claim) -> bool:
    """Whether others of its type speak before it, as the first one counts for all.

    The signatures that UniProt's rules go by come before what the rules gave, and what agrees
    with the hypothesis before a name from a service that agrees with another claim only.
    """
    item = claim.evidence
    if item.source is EvidenceSource.UNIPROT and item.type is EvidenceType.DOMAIN:
        return True
    return item.source in _SERVICES and not agree(lead, claim)


def _part(claim: Claim, lead: Claim, types: set[EvidenceType]) -> Part:
    if claim is lead:
        return Part.LEADS
    if claim.evidence.type in types:
        return Part.AGAIN
    if not agree(lead, claim):
        return Part.FITS
    less = claim.specificity.rank > lead.specificity.rank
    if less or relation(claim, lead) is Relation.BROADER:
        return Part.SAYS_LESS
    return Part.AGREES


def rivals(group: Group, groups: Sequence[Group]) -> Rivals:
    """Other groups of the gene that speak against one."""
    contradicting, differing = [], []
    for other in groups:
        if other is group:
            continue
        if contradiction(group.lead, other.lead) is not None:
            contradicting.append(other)
        elif _differ(group, other):
            differing.append(other)
    return Rivals(tuple(contradicting), tuple(differing))


def _differ(group: Group, other: Group) -> bool:
    """Whether another group names the same whole protein otherwise.

    The file's name against another is mostly wording: of 60 such pairs of E. coli 57 were. So
    it speaks against others only where both are functions of their own in the vocabulary, and
    the others never speak against it.
    """
    if _is_submitters(group.lead):
        return False
    if _is_submitters(other.lead) and not are_two_terms(group.lead, other.lead):
        return False
    return group.names_protein and other.names_protein and _same_stretch(group, other)


def _is_submitters(claim: Claim) -> bool:
    """Whether a name is the submitter's own words: of the file, or come back by UniProt."""
    item = claim.evidence
    return item.type is EvidenceType.ANNOTATION or item.strength == SUBMITTED


def _same_stretch(one: Group, other: Group) -> bool:
    """Whether two groups speak of the same residues; the file's name is of all of them."""
    ours, theirs = one.lead.evidence.measured, other.lead.evidence.measured
    if ours.protein_from is None or ours.protein_to is None:
        return True
    if theirs.protein_from is None or theirs.protein_to is None:
        return True
    first = max(ours.protein_from, theirs.protein_from)
    last = min(ours.protein_to, theirs.protein_to)
    shorter = min(ours.protein_to - ours.protein_from, theirs.protein_to - theirs.protein_from)
    return last - first + 1 >= _SAME_STRETCH * (shorter + 1)
