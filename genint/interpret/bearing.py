"""Which types of evidence bear a hypothesis out: two independent ones make HIGH."""

from __future__ import annotations

from collections.abc import Sequence

from genint.interpret.claims import Claim, agree
from genint.interpret.grouping import Group, is_sound, supports
from genint.interpret.judgement import Judgement
from genint.knowledge.confidence import Part
from genint.model.interpretation import ScoreTerm
from genint.model.vocabulary import EvidenceType, Specificity

_WHOLE = 0.7
"""Share of a profile, or of a similar protein, that is no fragment."""


def agreeing_types(
    group: Group, judgement: Judgement, own: Sequence[ScoreTerm]
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


def _bears_out(claim: Claim, part: Part, group: Group, judgement: Judgement) -> bool:
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
