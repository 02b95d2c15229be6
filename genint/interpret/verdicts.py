"""What evidence says to the product of a file: confirmed, refined, contradicted, or open.

The verdict is for a curator, who reads what is contradicted or refined and signs what is
confirmed unread. A false *confirms* costs most, then a false *contradicts*:

* *Confirms* takes a function of the same line, at MODERATE or better. What says less than the
  file confirms it in part, and the reason says so, as long as it is a function of the whole
  protein (an endonuclease for an HNH endonuclease). A mere class (a tail protein for a tail
  fiber protein) fits a dozen names, and a domain those of all proteins that have it (ABC
  transporters of whatever substance), so neither judges any; the reason says that it fits.
* *Refines* takes a name of the whole protein: narrower than the file's, or a name where the
  file has none. A domain is no function, and does not refine.
* *Contradicts* takes a name of the whole protein, by measured evidence that covers it, and a
  reason why both cannot hold; or two terms of the vocabulary that are different functions,
  where the evidence is HIGH, or is strong and the roles differ too (below HIGH, a lactate
  dehydrogenase is often called a malate dehydrogenase, after the larger family). Different
  words alone never contradict, and nothing does while the evidence names what the file names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from genint.interpret.claims import Claim, agree, contradiction, read_claim, relation
from genint.interpret.judgement import Judgement
from genint.interpret.one_line import is_class, is_kin_only, is_one_line, own_words, wording
from genint.knowledge.name_judge import Verdict
from genint.knowledge.products import Relation
from genint.model.audit import Audit, AuditVerdict
from genint.model.evidence import Evidence
from genint.model.interpretation import Hypothesis
from genint.model.vocabulary import ConfidenceLevel, EvidenceType, Specificity

SAYS_NO_NAME: Final = frozenset(
    {EvidenceType.GENE_CONTEXT, EvidenceType.SEQUENCE_FEATURE, EvidenceType.GENE_CALL}
)
"""Types of evidence that name no function."""
_DOMAIN = re.compile(r"\bdomain(?:-containing)?\b", re.IGNORECASE)
_BOTH_SIDES = re.compile(r"(\w+)[-/ ]+anti-?\1", re.IGNORECASE)
"""A name with both of a pair (toxin-antitoxin system, termination/antitermination protein)."""
_CLEAR = frozenset({ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE})
"""Levels that a verdict can rest on."""
_WHOLE = frozenset({Specificity.PROTEIN, Specificity.FAMILY})
_WHOLE_PROTEIN, _WHOLE_REFERENCE = 0.6, 0.7
"""Shares of the protein, and of profile or entry, that a name must cover to contradict."""
_SURE_ALONE = 0.85
"""How often a class of evidence must be right by itself to contradict without another type."""
_MOST_ACCESSIONS = 4


class Submitted(NamedTuple):
    """What the file says of a gene.

    Attributes:
        product: As written; None where it gives none.
        claim: What that claims; None where it names no function (hypothetical protein).
    """

    product: str | None
    claim: Evidence | None


def judged(
    submitted: Submitted,
    hypotheses: Sequence[Hypothesis],
    evidence: Sequence[Evidence],
    judgement: Judgement,
) -> Audit:
    """Hold what was found without the file against its product.

    Args:
        submitted: What the file says.
        hypotheses: What the rest of the evidence allows, best first.
        evidence: All of the gene, to tell why there is nothing.
        judgement: Roles and vocabulary.
    """
    if not hypotheses:
        return Audit(
            AuditVerdict.CANNOT_JUDGE, submitted.product, None, None, _why_nothing(evidence)
        )
    best = hypotheses[0]
    if not _is_clear(best):
        why = f"{_named(best)}, but that is too weak to judge by"
        return _told(AuditVerdict.CANNOT_JUDGE, submitted, best, why)
    if submitted.claim is None:
        return _of_unnamed(submitted, best)
    return _of_named(submitted, hypotheses, read_claim(submitted.claim, judgement), judgement)


def _of_named(
    submitted: Submitted, hypotheses: Sequence[Hypothesis], stated: Claim, judgement: Judgement
) -> Audit:
    best = hypotheses[0]
    agreeing = next((one for one in hypotheses if _speaks_for(one, stated, judgement)), None)
    why = None if agreeing is best else _exclusion(best, stated, judgement)
    if why is not None and agreeing is not None:
        divided = f"{_named(best)}, but {_accessions(agreeing)} speaks for the file: {why}"
        return _told(AuditVerdict.CANNOT_JUDGE, submitted, best, divided)
    if why is not None:
        return _told(AuditVerdict.CONTRADICTS, submitted, best, f"{_named(best)}: {why}")
    if agreeing is not None and _is_clear(agreeing):
        verdict, why = _comparison(_lead(agreeing, judgement), stated)
        return _told(verdict, submitted, agreeing, f"{_named(agreeing)}: {why}")
    why = _why_open(best, stated, judgement)
    return _told(AuditVerdict.CANNOT_JUDGE, submitted, best, why)


def _of_unnamed(submitted: Submitted, best: Hypothesis) -> Audit:
    if best.specificity is Specificity.DOMAIN or _DOMAIN.search(best.subject):
        why = f"{_named(best)}: a domain, which is no function of the whole protein"
        return _told(AuditVerdict.CANNOT_JUDGE, submitted, best, why)
    what = "a class" if best.specificity is Specificity.CATEGORY else "a function"
    why = f"{_named(best)}: {what}, where the file names none"
    return _told(AuditVerdict.REFINES, submitted, best, why)


def _speaks_for(found: Hypothesis, stated: Claim, judgement: Judgement) -> bool:
    lead = _lead(found, judgement)
    if found.specificity is Specificity.DOMAIN:  # decides no more than a reason's wording
        return agree(lead, stated)
    return is_one_line(lead, stated)


def _comparison(lead: Claim, stated: Claim) -> tuple[AuditVerdict, str]:
    """Where both speak of one function: which of the two says more, and what that means."""
    related = relation(lead, stated)
    if lead.specificity is Specificity.DOMAIN:
        why = "a domain that fits the file's product, but is no function of the whole protein"
        return AuditVerdict.CANNOT_JUDGE, why
    worded = wording(lead, stated)
    if worded is Verdict.SAME_WORDS or related is Relation.SAME:
        return AuditVerdict.CONFIRMS, "the function that the file names"
    if related is Relation.NARROWER or (is_class(stated) and not is_class(lead)):
        return _of_narrower(lead, stated)
    if is_class(lead) and not is_class(stated):
        why = "a class that fits the file's product and many others"
        return AuditVerdict.CANNOT_JUDGE, why
    less = worded is Verdict.VAGUER or related is Relation.BROADER
    if less or is_kin_only(lead, stated):
        return AuditVerdict.CONFIRMS, "of the same line, but less than the file; confirmed in part"
    return AuditVerdict.CONFIRMS, "the function that the file names"


def _of_narrower(lead: Claim, stated: Claim) -> tuple[AuditVerdict, str]:
    """Where the term of what was found is narrower; words may say otherwise."""
    if not lead.words - stated.words:
        return AuditVerdict.CONFIRMS, "of the same line, but less than the file; confirmed in part"
    if own_words(stated, lead):
        why = "of the same line, each says something that the other does not; confirmed in part"
        return AuditVerdict.CONFIRMS, why
    return AuditVerdict.REFINES, "of the same line, and says more than the file"


def _exclusion(best: Hypothesis, stated: Claim, judgement: Judgement) -> str | None:
    """Why the best hypothesis and the product of the file cannot both hold; None if they can."""
    if best.specificity not in _WHOLE or not any(map(_covers, best.evidence)):
        return None
    claims = [read_claim(item, judgement) for item in best.evidence]
    if any(is_one_line(one, stated) for one in claims):
        return None
    lead = claims[0]
    doubted = any(agree(one, stated) for one in claims) or _names_both_sides(lead, stated)
    why = None if doubted else contradiction(lead, stated)
    if why is None and not doubted and wording(lead, stated) is Verdict.OPPOSITE:
        why = "names of two things that are opposed, or commonly mixed up"
    is_strong = len(best.types) > 1 or _is_sure_alone(lead, judgement)
    by_roles = not doubted and is_strong and _play_two_roles(lead, stated)
    if why is None and (by_roles or (_is_high(best) and _are_two_terms(lead, stated))):
        why = _other_function(stated)
    return why


def _is_sure_alone(lead: Claim, judgement: Judgement) -> bool:
    return judgement.parameters.reliability[lead.evidence.strength] >= _SURE_ALONE


def _names_both_sides(*claims: Claim) -> bool:
    return any(_BOTH_SIDES.search(one.evidence.subject) for one in claims)


def _covers(item: Evidence) -> bool:
    """Whether an observation is of the whole protein and of the whole reference."""
    protein, target = item.measured.protein_coverage, item.measured.target_coverage
    if protein is None or target is None:
        return False
    return protein >= _WHOLE_PROTEIN and target >= _WHOLE_REFERENCE


def _are_two_terms(lead: Claim, stated: Claim) -> bool:
    """Whether the vocabulary knows both names, and as different functions."""
    ours, theirs = lead.product, stated.product
    if ours is None or theirs is None or ours.vague or theirs.vague:
        return False
    return wording(lead, stated) in (Verdict.WRONG, Verdict.OPPOSITE)


def _play_two_roles(lead: Claim, stated: Claim) -> bool:
    """Whether they are of different roles besides, so that no paralogue explains it."""
    ours, theirs = lead.specific_role, stated.specific_role
    return bool(ours and theirs) and ours != theirs and _are_two_terms(lead, stated)


def _other_function(stated: Claim) -> str:
    named = stated.product.name if stated.product else stated.evidence.subject
    return f"in the vocabulary another function than {named}"


def _why_open(best: Hypothesis, stated: Claim, judgement: Judgement) -> str:
    if best.specificity not in _WHOLE:
        return f"{_named(best)}, which neither speaks for the file's product nor excludes it"
    if _are_two_terms(_lead(best, judgement), stated):
        return f"{_named(best)}: {_other_function(stated)}, but on too little to contradict"
    return f"{_named(best)}: other words than the file's, for one function or for two"


def _why_nothing(evidence: Sequence[Evidence]) -> str:
    """Why there is no hypothesis without the file."""
    resting = [
        one.accession
        for one in evidence
        if one.type not in {EvidenceType.ANNOTATION, *SAYS_NO_NAME} and one.accession
    ]
    if not resting:
        return "no evidence beside the file"
    return f"what there is ({_listed(resting)}) has its name from this very record"


def _lead(hypothesis: Hypothesis, judgement: Judgement) -> Claim:
    return read_claim(hypothesis.evidence[0], judgement)


def _is_clear(hypothesis: Hypothesis) -> bool:
    return ConfidenceLevel.of(hypothesis.score) in _CLEAR


def _is_high(hypothesis: Hypothesis) -> bool:
    return ConfidenceLevel.of(hypothesis.score) is ConfidenceLevel.HIGH


def _named(found: Hypothesis) -> str:
    return f"“{found.claim}” ({found.score:.2f}) by {_accessions(found)}"


def _accessions(found: Hypothesis) -> str:
    return _listed([item.accession or item.source.value for item in found.evidence])


def _listed(names: Sequence[str]) -> str:
    """Each once, the first few."""
    once = list(dict.fromkeys(names))
    more = len(once) - _MOST_ACCESSIONS
    if more > 0:
        once[_MOST_ACCESSIONS:] = [f"{more} more"]
    return " and ".join((", ".join(once[:-1]), once[-1])) if len(once) > 1 else once[0]


def _told(verdict: AuditVerdict, submitted: Submitted, found: Hypothesis, why: str) -> Audit:
    return Audit(verdict, submitted.product, found.claim, found.score, why, found.evidence)
