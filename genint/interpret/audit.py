"""The product of the file held against what speaks of a gene without the file.

What comes from the file is taken away, and so is what rests on this very record: the name of
a family that has it from this protein and at most one other, and that of a copy of the
protein which is called as the file calls it. Neighbours are left out too, as most of what they
say rests on their products. The rest is weighed as ever, and its best hypothesis is compared
with the product of the file.

The verdict is for a curator, who reads what is contradicted or refined and signs what is
confirmed unread. A false *confirms* costs most, then a false *contradicts*:

* *Confirms* takes a function of the same line, at MODERATE or better. What says less than the
  file confirms it in part, and the reason says so, as long as it is a function or a domain
  called like the file's product (an endonuclease for an HNH endonuclease). A mere class
  (a tail protein for a tail fiber protein) fits a dozen names, and so cannot judge any.
* *Refines* takes a name of the whole protein: narrower than the file's, or a name where the
  file has none. A domain is no function, and does not refine.
* *Contradicts* takes a name of the whole protein, by measured evidence that covers it, and a
  reason why both cannot hold; or two types of evidence that agree on a function which the
  vocabulary knows to be another one. Different words alone never contradict, and nothing does
  while a part of the evidence names what the file names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from genint.interpret.claims import Claim, agree, contradiction, read_claim, relation
from genint.interpret.judgement import Judgement
from genint.interpret.weigh import weigh
from genint.knowledge.name_words import words_of
from genint.knowledge.products import Relation
from genint.model.evidence import Evidence
from genint.model.genome import CalledBy, Gene
from genint.model.interpretation import Audit, AuditVerdict, GeneResult, Hypothesis
from genint.model.vocabulary import ConfidenceLevel, EvidenceType, Specificity

_AND = re.compile(r"\s*[/;]\s*|,\s|\s(?:and|@)\s")
"""Between the functions that one name lists."""
_CLEAR = frozenset({ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE})
"""Levels that a verdict can rest on."""
_WHOLE = frozenset({Specificity.PROTEIN, Specificity.FAMILY})
_SAYS_NOTHING_OF_THE_NAME = frozenset(
    {EvidenceType.GENE_CONTEXT, EvidenceType.SEQUENCE_FEATURE, EvidenceType.GENE_CALL}
)
_FEW_NAMES = 2
"""Independent names below which the name of a family is mostly that of this record."""
_COPY_IDENTITY = 0.95
_WHOLE_OF_A_COPY = 0.9
_WHOLE_PROTEIN = 0.6
"""Share of the protein that a name must rest on to contradict."""
_WHOLE_REFERENCE = 0.7
"""The same of the profile or of the similar protein."""
_MOST_ACCESSIONS = 4


class Submitted(NamedTuple):
    """What the file says of a gene.

    Attributes:
        product: As written; None where it gives none.
        claim: What that claims; None where it names no function (hypothetical protein).
    """

    product: str | None
    claim: Evidence | None


class Stated(NamedTuple):
    """The product of the file as a claim, and each of several functions that it lists.

    Attributes:
        whole: All of it.
        parts: Holin and anti-holin of ``holin/anti-holin``; empty where there is one only.
    """

    whole: Claim
    parts: tuple[Claim, ...]

    @classmethod
    def of(cls, evidence: Evidence, judgement: Judgement) -> Stated:
        """Read the product of a file."""
        names = [part for part in _AND.split(evidence.subject) if words_of(part)]
        parts = tuple(_named_so(evidence, name, judgement) for name in names)
        return cls(read_claim(evidence, judgement), parts if len(parts) > 1 else ())

    def agrees(self, lead: Claim) -> bool:
        """Whether a claim speaks of what the file names, or of a part of it."""
        return agree(lead, self.whole) or any(agree(lead, part) for part in self.parts)


def _named_so(evidence: Evidence, name: str, judgement: Judgement) -> Claim:
    product = judgement.products.find(name)
    part = replace(
        evidence,
        subject=name,
        product=product.id if product else None,
        aliases=(),
        go=(),
        ec=(),
    )
    return read_claim(part, judgement)


def with_audit(results: Sequence[GeneResult], judgement: Judgement) -> tuple[GeneResult, ...]:
    """Results of the genes of a file, each with its audit; predicted genes stay as they are.

    Cost: as weighing their evidence once more, below 0.3 ms a gene.
    """
    return tuple(
        replace(result, audit=audit_of(result.gene, _evidence(result), judgement))
        for result in results
    )


def audit_of(gene: Gene, evidence: Sequence[Evidence], judgement: Judgement) -> Audit | None:
    """Hold the product of a gene of the file against the rest of the evidence.

    Args:
        gene: A gene; of one that the file does not have there is no product to judge.
        evidence: All of this gene, that of the file too, any order.
        judgement: Parameters, roles and vocabulary.

    Returns:
        None for predicted genes.
    """
    if gene.called_by is not CalledBy.GENBANK:
        return None
    stated = next((one for one in evidence if one.type is EvidenceType.ANNOTATION), None)
    submitted = Submitted(gene.product, stated)
    kept = independent(submitted, evidence)
    return _judged(submitted, weigh(kept, judgement).hypotheses, evidence, judgement)


def audit_of_prediction(submitted: Submitted, result: GeneResult, judgement: Judgement) -> Audit:
    """Hold the product of the file against a gene that was predicted at its place.

    The interpretation has seen nothing of the file, so it is taken as it stands; where some
    of it rests on the record nevertheless, the rest is weighed anew.
    """
    evidence = _evidence(result)
    kept = independent(submitted, evidence)
    told = result.interpretation.hypotheses if result.interpretation else ()
    if len(kept) < sum(one.type not in _SAYS_NOTHING_OF_THE_NAME for one in evidence):
        told = weigh(kept, judgement).hypotheses
    return _judged(submitted, told, evidence, judgement)


def independent(submitted: Submitted, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """What names the gene without resting on the record that is judged.

    Another record of nearly the same genome may have handed on its names to members of a
    family; nothing shows that, so it counts.
    """
    return tuple(one for one in evidence if not _rests_on_record(one, submitted))


def _rests_on_record(item: Evidence, submitted: Submitted) -> bool:
    if item.type is EvidenceType.ANNOTATION or item.type in _SAYS_NOTHING_OF_THE_NAME:
        return True
    if item.origin.startswith("annotation:"):
        return True
    support = item.support
    if support is not None and support.is_member and support.independent < _FEW_NAMES:
        return True
    return _is_copy(item) and _is_called_so(item, submitted)


def _is_copy(item: Evidence) -> bool:
    measured = item.measured
    if item.similar is None or measured.identity is None:
        return False
    covered = min(measured.protein_coverage or 0.0, measured.target_coverage or 0.0)
    return measured.identity >= _COPY_IDENTITY and covered >= _WHOLE_OF_A_COPY


def _is_called_so(item: Evidence, submitted: Submitted) -> bool:
    """Whether an observation has the words of the file's product."""
    claim = submitted.claim
    return claim is not None and words_of(claim.subject) == words_of(item.subject)


def _evidence(result: GeneResult) -> tuple[Evidence, ...]:
    return result.interpretation.evidence if result.interpretation else ()


def _judged(
    submitted: Submitted,
    hypotheses: Sequence[Hypothesis],
    evidence: Sequence[Evidence],
    judgement: Judgement,
) -> Audit:
    """Hold what was found without the file against its product."""
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
    return _of_named(submitted, hypotheses, Stated.of(submitted.claim, judgement), judgement)


def _of_named(
    submitted: Submitted, hypotheses: Sequence[Hypothesis], stated: Stated, judgement: Judgement
) -> Audit:
    """Where the file names a function too."""
    best = hypotheses[0]
    agreeing = next((one for one in hypotheses if stated.agrees(_lead(one, judgement))), None)
    why = None if agreeing is best else _exclusion(best, stated, judgement)
    if why is not None and agreeing is not None:
        divided = f"{_named(best)}, but {_accessions(agreeing)} speaks for the file: {why}"
        return _told(AuditVerdict.CANNOT_JUDGE, submitted, best, divided)
    if why is not None:
        return _told(AuditVerdict.CONTRADICTS, submitted, best, f"{_named(best)}: {why}")
    if agreeing is not None and _is_clear(agreeing):
        return _of_one_line(submitted, agreeing, stated, judgement)
    return _told(AuditVerdict.CANNOT_JUDGE, submitted, best, _why_open(best))


def _of_unnamed(submitted: Submitted, best: Hypothesis) -> Audit:
    """Where the file names no function."""
    if best.specificity is Specificity.DOMAIN:
        why = f"{_named(best)}: a domain, which is no function of the whole protein"
        return _told(AuditVerdict.CANNOT_JUDGE, submitted, best, why)
    what = "a class" if best.specificity is Specificity.CATEGORY else "a function"
    why = f"{_named(best)}: {what}, where the file names none"
    return _told(AuditVerdict.REFINES, submitted, best, why)


def _of_one_line(
    submitted: Submitted, found: Hypothesis, named: Stated, judgement: Judgement
) -> Audit:
    """Where both speak of one function: which of the two says more."""
    lead, stated = _lead(found, judgement), named.whole
    related = relation(lead, stated)
    if found.specificity is Specificity.DOMAIN:
        why = f"{_named(found)}, as a protein of the file's name has; so far it confirms it"
        return _told(AuditVerdict.CONFIRMS, submitted, found, why)
    if related is Relation.NARROWER or (_is_class(stated) and not _is_class(lead)):
        why = f"{_named(found)}: of the same line, and says more than the file"
        return _told(AuditVerdict.REFINES, submitted, found, why)
    if _is_class(lead) and not _is_class(stated):
        why = f"{_named(found)}: a class that fits the file's product and many others"
        return _told(AuditVerdict.CANNOT_JUDGE, submitted, found, why)
    less = related in (Relation.BROADER, Relation.SIBLING) or not agree(lead, stated)
    if less or _is_kin_only(lead, stated):
        why = f"{_named(found)}: of the same line, but says less than the file; confirmed in part"
        return _told(AuditVerdict.CONFIRMS, submitted, found, why)
    why = f"{_named(found)}: the function that the file names"
    return _told(AuditVerdict.CONFIRMS, submitted, found, why)


def _is_class(claim: Claim) -> bool:
    """Whether a name leaves the function open."""
    vague = claim.product is not None and claim.product.vague
    return vague or claim.specificity is Specificity.CATEGORY


def _is_kin_only(lead: Claim, stated: Claim) -> bool:
    """Whether the evidence names the family of what the file names outright."""
    return lead.specificity is Specificity.FAMILY and stated.specificity is Specificity.PROTEIN


def _exclusion(best: Hypothesis, stated: Stated, judgement: Judgement) -> str | None:
    """Why the best hypothesis and the product of the file cannot both hold; None if they can."""
    if best.specificity not in _WHOLE or not any(map(_covers, best.evidence)):
        return None
    if any(stated.agrees(read_claim(item, judgement)) for item in best.evidence):
        return None
    lead = _lead(best, judgement)
    why = contradiction(lead, stated.whole)
    if why is None and ConfidenceLevel.of(best.score) is ConfidenceLevel.HIGH:
        return _other_function(lead, stated.whole)
    return why


def _covers(item: Evidence) -> bool:
    """Whether an observation is of the whole protein and of the whole reference."""
    protein, target = item.measured.protein_coverage, item.measured.target_coverage
    if protein is None or target is None:
        return False
    return protein >= _WHOLE_PROTEIN and target >= _WHOLE_REFERENCE


def _other_function(lead: Claim, stated: Claim) -> str | None:
    """Where the vocabulary knows both names, and as different functions of different roles."""
    ours, theirs = lead.product, stated.product
    if ours is None or theirs is None or ours.vague or theirs.vague:
        return None
    if not lead.specific_role or not stated.specific_role:
        return None
    if lead.specific_role == stated.specific_role:
        return None
    return f"another function than {theirs.name}"


def _why_open(best: Hypothesis) -> str:
    if best.specificity in _WHOLE:
        return f"{_named(best)}: another wording or another function, which nothing known tells"
    return f"{_named(best)}, which neither speaks for the file's product nor excludes it"


def _why_nothing(evidence: Sequence[Evidence]) -> str:
    """Why there is no hypothesis without the file."""
    resting = [
        one.accession
        for one in evidence
        if one.type not in {EvidenceType.ANNOTATION, *_SAYS_NOTHING_OF_THE_NAME} and one.accession
    ]
    if not resting:
        return "no evidence beside the file"
    return f"what there is ({_listed(resting)}) has its name from this very record"


def _lead(hypothesis: Hypothesis, judgement: Judgement) -> Claim:
    return read_claim(hypothesis.evidence[0], judgement)


def _is_clear(hypothesis: Hypothesis) -> bool:
    return ConfidenceLevel.of(hypothesis.score) in _CLEAR


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
