"""Agreement: how much an observation says of a function, and which types of evidence agree on it.

Two independent types that agree make HIGH; a claim that only fits, a fragment of a profile and a
family of relatives count as none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from genint.interpret.claims import (
    Claim,
    ScoringModel,
    agree,
    agree_by_class_only,
    agree_by_identifier_only,
    relation,
    says_as_much,
)
from genint.interpret.doubts import LONE
from genint.interpret.file_names import (
    is_class,
    is_hedged_name,
    is_of_relative,
    is_stated,
    is_wider_than_file,
    other_gene,
    says_less,
)
from genint.interpret.grouping import Group, is_sound, supports
from genint.interpret.memory import GROUPS_KEPT, remembered
from genint.knowledge.confidence import Part
from genint.knowledge.products import Relation
from genint.model.evidence import Evidence, is_beyond_file, is_of_file
from genint.model.interpretation import Says
from genint.model.vocabulary import EvidenceType, GenomeKind, Specificity

STRENGTH_OPERON: Final = "operon_partner"
"""Class of names that a gene has from its neighbours in the operon."""
STRENGTH_BESIDE_ENDOLYSIN: Final = "beside_endolysin"
"""Class of the name that a small membrane protein has beside the endolysin."""
_NAMING: Final = frozenset({EvidenceType.ANNOTATION, EvidenceType.HOMOLOGY})
"""Types that tell one protein from its paralogues, as domains and neighbours do not."""
_WHOLE = 0.7
"""Share of a profile, or of a similar protein, that is no fragment."""
_FEW_NAMES = 2
"""Named proteins below which a family has its name from one."""
_AGREEMENT = 0.8
"""Share of the weight of names from which the names of a family's members agree."""


def says_of(claim: Claim, part: Part, group: Group, model: ScoringModel) -> Says:
    """How much a claim says of the function: what counts as a type names it.

    So does, however weakly, what is called the same: a fragment of the profile of tail fibers. A
    name of the whole protein does too, unless it is a class or wider than the hypothesis; and a
    class where the hypothesis is one itself ("IS1 transposase B").
    """
    lead = group.lead
    if part is Part.LEADS or _counts_as_type(claim, part, group, model):
        return Says.NAME
    if not agree(lead, claim) or other_gene(lead, claim):
        return Says.CLASS if is_wider_than_file(claim, lead) else Says.FITS
    if (leaves := _leaves_name_to_file(claim, lead)) is not None:
        return leaves
    of_many = claim.specificity is Specificity.FAMILY and _is_domain_of_named(claim, group)
    if says_as_much(lead, claim) and not of_many:
        return Says.NAME
    if claim.specificity is Specificity.DOMAIN:
        return Says.FITS
    return Says.NAME if is_class(lead) else Says.CLASS


def _leaves_name_to_file(claim: Claim, lead: Claim) -> Says | None:
    """What a claim says that agrees with the file's name and yet does not bear it out."""
    if is_stated(lead) and is_of_relative(claim, lead):
        return Says.OTHER
    if agree_by_identifier_only(lead, claim):
        return Says.IDENTIFIER
    return Says.CLASS if agree_by_class_only(lead, claim) else None


@remembered(GROUPS_KEPT)
def agreeing_types(
    group: Group, model: ScoringModel, *, beside_neighbours: bool
) -> frozenset[EvidenceType]:
    """Independent types of evidence that agree on the hypothesis and are reliable enough.

    Neighbours make no name, and those of an annotated gene are mostly named by the same file: they
    are a type beside a name from beyond the file, none beside one that only the file gives. Nor are
    they beside a family that has its name from one protein, or by one hand from a minority: a
    wrong name is mostly one of the right module, so its place does not bear it out. In bacteria
    neither domains nor neighbours bear out the name of a minority.

    Args:
        group: The claims of one hypothesis.
        model: Weights.
        beside_neighbours: Its neighbours suggest it too.
    """
    counting = [
        claim.evidence
        for claim, part in supports(group)
        if claim.evidence.type.independent and _counts_as_type(claim, part, group, model)
    ]
    types = {item.type for item in counting}
    if _is_of_minority(group.lead.evidence, model) and not types & _NAMING:
        return frozenset(types - {EvidenceType.DOMAIN})
    if beside_neighbours and _has_name_beyond_file(counting, group):
        types.add(EvidenceType.GENE_CONTEXT)
    return frozenset(types)


def _is_of_minority(item: Evidence, model: ScoringModel) -> bool:
    """Whether a family has its name from no more than half of its members, the protein not counted.

    In bacteria the others are mostly paralogues, which have its domains and its kind of neighbours
    too: of 70 such names never seen that were HIGH 14 were another function's. In phages all 19
    held; there the members of one function go by different names.
    """
    support = item.support
    if support is None or model.setting.kind is GenomeKind.PHAGE:
        return False
    return 2 * support.independent <= support.named_members - support.is_member


def _has_name_beyond_file(counting: Sequence[Evidence], group: Group) -> bool:
    """Whether a name from beyond the file is sure enough for neighbours to count beside it.

    That of a thin family is where the file itself gives the protein the same name.
    """
    beyond = list(filter(is_beyond_file, counting))
    if any(not is_thin(item) for item in beyond):
        return True
    return bool(beyond) and any(
        claim.evidence.type is EvidenceType.ANNOTATION
        and agree(group.lead, claim)
        and not other_gene(group.lead, claim)
        for claim in group.claims
    )


def is_thin(item: Evidence) -> bool:
    """Whether a family has its name from one protein, or by one hand from a minority of them.

    The protein itself is not counted. Where a minority has the name from several kinds of sources,
    a curated entry is mostly among them, which says more than the copied names of the others.
    """
    support = item.support
    if support is None:
        return False
    if support.independent < _FEW_NAMES:
        return True
    others = support.named_members - support.is_member
    by_one_hand = item.strength.endswith(LONE) and support.consensus < _AGREEMENT
    return by_one_hand and 2 * support.independent <= others


@remembered(GROUPS_KEPT)
def _counts_as_type(claim: Claim, part: Part, group: Group, model: ScoringModel) -> bool:
    """Whether a claim counts as a type: the lead where it is sound, others by their weight.

    A fragment of a profile never counts, nor does a claim that only fits the hypothesis.
    """
    item = claim.evidence
    if item.support is not None and item.support.independent < 1:
        return False  # the protein itself gave the family its name
    if part is Part.LEADS:
        return is_sound(claim, model.parameters)
    if part is Part.FITS or not agree(group.lead, claim) or _is_mere_class(claim, group):
        return False
    if _leaves_name_open(claim, group):
        return False
    covered = item.measured.target_coverage
    if covered is not None and covered < _WHOLE:
        return False
    return _weight_of(claim, part, model) >= _least_weight(item, model)


def _weight_of(claim: Claim, part: Part, model: ScoringModel) -> float:
    """What a claim that agrees adds; a further one of a type stands for that type."""
    agreeing = Part.AGREES if part is Part.AGAIN else part
    return model.calibration.weight(agreeing, claim.evidence.strength, claim.evidence.type)


def _least_weight(item: Evidence, model: ScoringModel) -> float:
    """From which log-odds on evidence counts as a type: chosen ones have to be larger."""
    parameters = model.parameters
    if item.strength in parameters.chosen:
        return parameters.least_chosen_weight_for_agreement
    return parameters.least_weight_for_agreement


def _leaves_name_open(claim: Claim, group: Group) -> bool:
    """Whether a claim that agrees with a name may be that of another protein just as well."""
    if other_gene(group.lead, claim) or _is_shared_with_relative(claim, group):
        return True  # of one class, but of a relative
    if group.lead.evidence.strength == STRENGTH_OPERON and not _has_its_words(claim, group.lead):
        return True  # that it is a permease does not say of what
    left = _leaves_name_to_file(claim, group.lead)
    return left in {Says.IDENTIFIER, Says.CLASS} or _is_domain_of_named(claim, group)


def _has_its_words(claim: Claim, lead: Claim) -> bool:
    """Whether a claim is called the same, or has all of the other's words."""
    return relation(claim, lead) is Relation.SAME or bool(lead.words and lead.words <= claim.words)


def _is_domain_of_named(claim: Claim, group: Group) -> bool:
    """Whether a domain or its family is one that proteins of other functions have too.

    The ABC transporter domain of an antimicrobial peptide ABC transporter ATPase, and the sugar
    (and other) transporters that an alpha-ketoglutarate transporter belongs to.
    """
    lead = group.lead
    # A family that has its name from the file words that in another way.
    named = is_stated(lead) or is_hedged_name(lead) or is_of_file(lead.evidence)
    if claim.evidence.type is not EvidenceType.DOMAIN or not named:
        return False
    if claim.specificity is Specificity.DOMAIN:
        return not says_as_much(lead, claim)
    return says_less(claim, lead)


def _is_shared_with_relative(claim: Claim, group: Group) -> bool:
    """Whether a claim supports a name of the file no more than it would a relative's.

    A family that is called after a relative says so of itself, and then of the domains, which
    the relative has too.
    """
    if not is_stated(group.lead):
        return False
    of_relative = [one for one in group.claims if is_of_relative(one, group.lead)]
    return claim in of_relative or (
        bool(of_relative) and claim.evidence.type is EvidenceType.DOMAIN
    )


def _is_mere_class(claim: Claim, group: Group) -> bool:
    """Whether a claim names only a class of the hypothesis, which does not support its name."""
    vague = claim.product is not None and claim.product.vague
    less = claim.specificity is Specificity.CATEGORY or vague
    return less and group.names_protein
