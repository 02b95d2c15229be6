"""Groups of claims: claims of one gene for one function, and the part that each plays.

The fitted numbers matter here in two places only: how often a class of evidence was right alone
decides which claims are sound, and the surer of two claims of one name leads where one of them
comes from an online service.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

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
from genint.interpret.file_names import (
    ENOUGH_SOURCES,
    is_hedged_name,
    is_wider_than_file,
    narrows,
    rewords,
    same_function,
    sources_that_tell,
    sources_to_replace,
    stated_claim,
)
from genint.interpret.memory import GROUPS_KEPT, remembered
from genint.knowledge.confidence import ConfidenceParameters, Part
from genint.knowledge.products import Relation
from genint.model.evidence import (
    SUBMITTED,
    WHOLE_PROFILE,
    WHOLE_PROTEIN,
    Evidence,
    Measurements,
)
from genint.model.vocabulary import EvidenceSource, EvidenceType, GenomeKind, Specificity

_SAME_STRETCH = 0.5
"""Share of the shorter of two stretches that lies in the other."""
_FEW_NAMES = 2
"""Named members below which a class depends on one annotator."""
_AGREEMENT = 0.6
"""Share of the weight of the members' names from which a class is theirs: the others are mostly
kinds of it. Of 62 such classes beside a domain, in 8 blind runs, 61 held."""
_WHOLE = frozenset({Specificity.PROTEIN, Specificity.FAMILY})
_SERVICES = frozenset(
    {
        EvidenceSource.UNIPROT,
        EvidenceSource.INTERPRO,
        *(source for source in EvidenceSource if source.is_imported),
    }
)
"""Online services, and other programs whose results the user gave."""


class Support(NamedTuple):
    """A claim that counts for a group, and the part that it plays there."""

    claim: Claim
    part: Part


@dataclass(frozen=True, slots=True)
class Group:
    """Claims for one function; the first one leads and words the hypothesis."""

    claims: tuple[Claim, ...]

    @property
    def lead(self) -> Claim:
        """The most specific of the sound claims."""
        return self.claims[0]

    @property
    def names_protein(self) -> bool:
        """Whether the hypothesis is a name of the whole protein."""
        return self.lead.specificity in _WHOLE

    def tells(self, groups: Sequence[Group]) -> int:
        """How many sources outside the file tell its function from those of relatives."""
        return len(sources_that_tell(self.lead, self._all_claims(groups)))

    def _all_claims(self, groups: Sequence[Group]) -> list[Claim]:
        others = (claim for other in groups if other is not self for claim in other.claims)
        return [*self.claims, *others]

    def replaces(self, groups: Sequence[Group]) -> bool:
        """Whether it would replace the file's own name of one function by another function.

        Or by a more specific one, which may be that of a relative.
        """
        own = stated_claim(self.claims)
        if own is not None:
            return own is not self.lead and narrows(self.lead, own)
        stated = stated_claim(claim for other in groups for claim in other.claims)
        return stated is not None and not same_function(self.lead, stated)

    def sources_to_replace(self, groups: Sequence[Group], *, in_bacterium: bool) -> int:
        """How many sources must tell its function from its relatives', to be HIGH."""
        if self.replaces(groups):
            return ENOUGH_SOURCES
        return sources_to_replace(self.lead, self._all_claims(groups), in_bacterium=in_bacterium)

    def is_kept(self, groups: Sequence[Group]) -> bool:
        """Whether it is the file's own name, hedged, and no source can replace it."""
        if not is_hedged_name(self.lead):
            return False
        return not any(
            other.names_protein
            and other.tells(groups)
            >= sources_to_replace(other.lead, self._all_claims(groups), in_bacterium=False)
            for other in groups
            if other is not self
        )


class Rivals(NamedTuple):
    """Groups that oppose a group.

    Attributes:
        contradicting: Groups that cannot hold together with it.
        differing: Groups that name the same whole protein otherwise, without a known
            contradiction: two wordings of one thing, or at most one of them is right.
    """

    contradicting: tuple[Group, ...]
    differing: tuple[Group, ...]


def group_evidence(evidence: Sequence[Evidence], model: ScoringModel) -> tuple[Group, ...]:
    """Group the claims of one gene by function.

    Args:
        evidence: All of one gene, any order; the result does not depend on it.
        model: Roles, vocabulary, reliabilities.

    Raises:
        KeyError: evidence of a class that the parameters don't know.

    Cost: quadratic in the number of items, which is below ten for most genes.
    """
    parameters = model.parameters
    claims = sorted(
        (read_claim(item, model) for item in evidence),
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
        named = (at for at, group in enumerate(groups) if _shares_name(group, claim))
        wider = (at for at, group in enumerate(groups) if is_wider_than_file(claim, group.lead))
        at = next(agreeing, next(named, next(fitting, next(wider, None))))
        if at is None:
            groups.append(Group((claim,)))
        else:
            groups[at] = Group((*groups[at].claims, claim))
    surest = [_with_surest_lead(group, model) for group in groups]
    in_bacterium = model.setting.kind is GenomeKind.BACTERIUM
    return tuple(_with_stated_lead(group, claims, in_bacterium=in_bacterium) for group in surest)


def _with_stated_lead(group: Group, claims: Sequence[Claim], *, in_bacterium: bool) -> Group:
    """The group led by the file's own name, unless its lead is a better wording of that.

    Claims are grouped by what they share (a word, an identifier), which paralogues share too.
    So the evidence supports the name of the file, and does not replace it. It may say the same
    in other words, or more where a source tells the function from its relatives'.
    """
    stated = stated_claim(group.claims)
    if stated is None or stated is group.lead:
        return group
    if rewords(group.lead, stated, in_bacterium=in_bacterium):
        return group
    if narrows(group.lead, stated) and sources_that_tell(group.lead, claims):
        return group
    return Group((stated, *(one for one in group.claims if one is not stated)))


def _shares_name(group: Group, claim: Claim) -> bool:
    """Whether a service reports the very name that a claim of the group has.

    A claim may agree with the hypothesis by a symbol or an identifier. Its name, when a service
    reports it too, is then no rival of the hypothesis.
    """
    if claim.evidence.source not in _SERVICES or not claim.words:
        return False
    return any(claim.words == member.words for member in group.claims)


def _with_surest_lead(group: Group, model: ScoringModel) -> Group:
    """The group led by another claim of the same name where that scores higher than a service's.

    So a name never loses score because a service reports it too.
    """
    lead = group.lead
    if lead.evidence.source not in _SERVICES:
        return group
    same_name = (one for one in group.claims[1:] if one.words == lead.words)
    surest = max((lead, *same_name), key=lambda one: _alone(one, model))
    return Group((surest, *(one for one in group.claims if one is not surest)))


def _alone(claim: Claim, model: ScoringModel) -> float:
    """Log-odds of a hypothesis with this claim alone."""
    item, calibration = claim.evidence, model.calibration
    weight = calibration.weight(Part.LEADS, item.strength, item.type)
    return calibration.prior[claim.specificity] + weight


def class_group(group: Group, model: ScoringModel) -> Group | None:
    """The same claims for the wider class of a name; None where there is none.

    Where a name is doubtful its class may be sure: a head protein, whichever it is.
    """
    lead = group.lead
    if not group.names_protein or lead.product is None or lead.product.broader is None:
        return None
    class_ = model.products.products[lead.product.broader]
    item = replace(
        lead.evidence,
        claim=class_.name,
        subject=class_.name,
        specificity=Specificity.CATEGORY,
        product=class_.id,
        original_name=lead.evidence.subject,
        aliases=(),
        ec=(),
        go=class_.go,
        cog=class_.cog,
    )
    claim = read_claim(item, model)
    others = (one for one in group.claims[1:] if agree(claim, one) or fits(claim, one))
    return Group((claim, *others))


def _order(claim: Claim, parameters: ConfidenceParameters) -> tuple[object, ...]:
    """Most specific first, then most reliable, then by figures and name."""
    # The name of a remote protein, supported by a domain that both have, was wrong in every
    # second case: a claim that is not sound does not lead a less specific one.
    item = claim.evidence
    score_bits = item.measured.score_bits or 0.0
    return (
        (item.similar is not None or item.source.is_imported) and not is_sound(claim, parameters),
        _rank(claim, parameters),
        -parameters.reliability[item.strength],
        -score_bits,
        item.source.value,
        item.accession or "",
        item.claim,
    )


def _rank(claim: Claim, parameters: ConfidenceParameters) -> float:
    """How specific a claim is, 0 for the most: its rank, and where classes of wholes stand.

    The class of a whole protein says what it does; a domain of it, which many classes have,
    says less: a repressor of 237 residues is more than its helix-turn-helix.
    """
    if is_class_of_whole(claim, parameters):
        return (Specificity.FAMILY.rank + Specificity.DOMAIN.rank) / 2
    return claim.specificity.rank


def is_class_of_whole(claim: Claim, parameters: ConfidenceParameters) -> bool:
    """Whether members of a family that covers profile and protein agree on a class."""
    item, support = claim.evidence, claim.evidence.support
    if support is None or item.specificity is not Specificity.CATEGORY:
        return False
    if support.agreeing < _FEW_NAMES or not support.independent:
        return False
    if support.consensus < _AGREEMENT:
        return False
    return covers_whole(item) and is_sound(claim, parameters)


def covers_whole(item: Evidence) -> bool:
    """Whether a match to a family covers the protein and the family."""
    measured = item.measured
    whole = (measured.target_coverage or 0.0) >= WHOLE_PROFILE
    return whole and (measured.protein_coverage or 0.0) >= WHOLE_PROTEIN


def _narrow_first(claims: Sequence[Claim], parameters: ConfidenceParameters) -> list[Claim]:
    """Put a claim before those that it is a kind of, so that the more specific one leads.

    A name too weak to count for HIGH does not lead stronger ones.
    """
    ordered: list[Claim] = []
    for claim in claims:
        class_group = (
            at
            for at, other in enumerate(ordered)
            if claim.specificity is other.specificity
            and relation(claim, other) is Relation.NARROWER
        )
        sound = is_sound(claim, parameters)
        ordered.insert(next(class_group, len(ordered)) if sound else len(ordered), claim)
    return ordered


def is_sound(claim: Claim, parameters: ConfidenceParameters) -> bool:
    """Whether a claim's class is right often enough to count as a type of its own."""
    reliability = parameters.reliability[claim.evidence.strength]
    return reliability >= parameters.least_reliability_for_agreement


@remembered(GROUPS_KEPT)
def supports(group: Group) -> tuple[Support, ...]:
    """The claims that count: the first one of each origin, with the part that it plays."""
    origins: dict[str, Claim] = {}
    late = partial(_counts_last, group.lead)
    for claim in (group.lead, *sorted(group.claims[1:], key=late)):
        origins.setdefault(claim.evidence.origin, claim)
    found: list[Support] = []
    types: set[EvidenceType] = set()
    for claim in origins.values():
        found.append(Support(claim, _part(claim, group.lead, types)))
        types.add(claim.evidence.type)
    return tuple(found)


def _counts_last(lead: Claim, claim: Claim) -> bool:
    """Whether a claim counts after others of its type, of which only the first has full weight.

    The signatures that UniProt's rules use come before the names that the rules gave, and claims
    that agree with the hypothesis before a name from a service that agrees with another claim.
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
    less_specific = claim.specificity.rank > lead.specificity.rank
    if less_specific or relation(claim, lead) is Relation.BROADER:
        return Part.SAYS_LESS
    return Part.AGREES


def rivals(group: Group, groups: Sequence[Group]) -> Rivals:
    """Other groups of the gene that oppose one."""
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
    """Whether another group gives the same whole protein another name.

    A difference from the file's name is mostly wording: 57 of 60 such pairs of E. coli. So the
    file's name opposes others only where both are separate terms of the vocabulary, and the
    others never oppose it. Names of other programs oppose no more than that either.
    """
    if _is_submitted_name(group.lead):
        return False
    may_be_wording = _is_submitted_name(other.lead) or other.lead.evidence.source.is_imported
    if may_be_wording and not are_two_terms(group.lead, other.lead):
        return False
    return (
        group.names_protein
        and other.names_protein
        and same_stretch(group.lead.evidence.measured, other.lead.evidence.measured)
    )


def _is_submitted_name(claim: Claim) -> bool:
    """Whether a name is the submitter's own: from the file, or from the file through UniProt."""
    item = claim.evidence
    return item.type is EvidenceType.ANNOTATION or item.strength == SUBMITTED


def same_stretch(ours: Measurements, theirs: Measurements) -> bool:
    """Whether two observations are of the same residues; the file's name is of all of them."""
    if ours.protein_from is None or ours.protein_to is None:
        return True
    if theirs.protein_from is None or theirs.protein_to is None:
        return True
    first = max(ours.protein_from, theirs.protein_from)
    last = min(ours.protein_to, theirs.protein_to)
    shorter = min(ours.protein_to - ours.protein_from, theirs.protein_to - theirs.protein_from)
    return last - first + 1 >= _SAME_STRETCH * (shorter + 1)
