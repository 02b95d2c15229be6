"""Audit: the product that the file gives a gene, compared with evidence independent of the file.

Left out are the file's own statements and whatever rests on this record: the name of a family
that comes from this protein and at most one other, and a copy of the protein with the same name.
Neighbours are left out too, as their categories mostly come from the file's products. The rest
is scored as usual, and its best hypothesis is compared with the product.

Evidence confirms a product where it names that function by the same rules that decide whether a
name of the file is supported by evidence (:func:`~genint.interpret.agreement.says_of`). A product
is contradicted only where all of this holds; else it cannot be judged:

1. The best hypothesis, MODERATE at least, names one function of the whole protein: no class, no
   domain, and an observation covers most of the protein and of the family or entry.
2. Either the two names have nothing in common
   (:func:`~genint.interpret.common_ground.speaks_for`), no word, symbol or kind of reaction, also
   in the other names that the vocabulary lists for them; references know the file's name
   (:func:`~genint.interpret.common_ground.is_known_apart`), as different words alone may be another
   wording of the same function; and a source tells the function from those of relatives
   (:func:`~genint.interpret.file_names.sources_that_tell`). In a phage, whose proteins have few
   relatives, a family does as well where its evidence adds up to 0.93 before any limit.
3. Or the two exclude one another (enzyme numbers, a part such as the cofactor, opposites, modules
   of a phage), and two sources tell the function from those of relatives. One family of relatives
   would name both: aconitase and AcnD, the reductases of APS and PAPS.
4. No observation, of this hypothesis or another, names the file's product, and in the first case
   none has anything in common with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from genint.interpret.claims import (
    Claim,
    ScoringModel,
    agree,
    agree_by_identifier_only,
    apart,
    contradiction,
    read_claim,
    relation,
)
from genint.interpret.common_ground import is_known_apart, speaks_for
from genint.interpret.doubts import NO_PHAGE_KNOWN, OfPhage
from genint.interpret.file_names import (
    ENOUGH_SOURCES,
    is_class,
    names_other_symbol,
    same_function,
    says_less,
    sources_that_tell,
    wording,
)
from genint.interpret.grouping import group_evidence
from genint.interpret.scoring import LIMIT, Scored, score_evidence, score_groups
from genint.knowledge.confidence import logistic
from genint.knowledge.distinctions import distinction
from genint.knowledge.name_comparison import Verdict
from genint.knowledge.product_names import words_of
from genint.knowledge.products import Relation
from genint.model.evidence import Evidence, is_of_file
from genint.model.genome import CalledBy, Gene
from genint.model.interpretation import Audit, AuditVerdict, GeneResult, Hypothesis, Says
from genint.model.vocabulary import Category, ConfidenceLevel, EvidenceType, GenomeKind, Specificity

NAMELESS_TYPES: Final = frozenset(
    {EvidenceType.GENE_CONTEXT, EvidenceType.SEQUENCE_FEATURE, EvidenceType.GENE_CALL}
)
"""Types of evidence that name no function."""
_DOMAIN = re.compile(r"\bdomain(?:-containing)?\b", re.IGNORECASE)
_OPEN = re.compile(
    r"\b(?:super)?family\b|\bbiosynthesis protein\b|-(?:binding|dependent) oxidoreductase\b",
    re.IGNORECASE,
)
"""Names of many functions that no term of the vocabulary is."""
_WHOLE = frozenset({Specificity.PROTEIN, Specificity.FAMILY})
_VIRION: Final = frozenset({Category.PACKAGING, Category.HEAD, Category.CONNECTOR, Category.TAIL})
_OF_A_MODULE: Final = re.compile(
    r"\b(?:baseplate|capsid|head|lysis|packaging|replication|tail)\b", re.IGNORECASE
)
"""In names of classes by the task that they have part in; an endopeptidase may have any."""
_WHOLE_PROTEIN, _WHOLE_REFERENCE = 0.6, 0.7
"""Shares of the protein, and of profile or entry, that a name must cover to contradict."""
_SURE_ALONE = 0.93
"""Sum of a family's evidence before any limit from which it contradicts in a phage."""
_MOST_ACCESSIONS = 4
_LESS_SPECIFIC = "the same function, less specific than in the file; confirmed in part"
_TOO_WEAK = "which is too weak to judge the file's product"
_NEITHER = "which neither supports nor excludes the file's product"
_BY_IDENTIFIER = (
    "the function of the file's gene symbol or EC number, but not in the words of its product: "
    "another wording, or the product is not that of this gene"
)
_UNTOLD = "no source here tells this function from those of relatives, or the file's is a class"
_OF_OTHER_KIND = (
    "what the file's gene symbol or other identifiers stand for, while its product is of another "
    "kind"
)
_NOTHING_COMMON = "a function that has nothing in common with the file's product"
_FEW_NAMES = 2
"""Independent names below which the name of a family is mostly that of this record."""
_COPY_IDENTITY = 0.95
_WHOLE_OF_A_COPY = 0.9


class Submitted(NamedTuple):
    """What the file states about a gene.

    Attributes:
        product: As written; None where it gives none.
        claim: What that claims; None where it names no function (hypothetical protein).
    """

    product: str | None
    claim: Evidence | None


def audit_gene(
    gene: Gene,
    evidence: Sequence[Evidence],
    model: ScoringModel,
    scored: Scored | None = None,
    *,
    phage: OfPhage = NO_PHAGE_KNOWN,
) -> Audit | None:
    """Compare the product of a gene of the file with the rest of the evidence.

    Args:
        gene: Of the file, or a predicted one, which has no product to audit.
        evidence: All of this gene, that of the file too, any order.
        model: Parameters, roles and vocabulary.
        scored: All the evidence, scored without neighbours; None to score it where it is needed.
        phage: What is known of the phage as a whole, which may raise doubts.

    Returns:
        None for predicted genes.

    Cost: 0.5 ms, half of it to score, half to compare names.
    """
    if gene.called_by is not CalledBy.GENBANK:
        return None
    stated = next((one for one in evidence if one.type is EvidenceType.ANNOTATION), None)
    submitted = Submitted(gene.product, stated)
    kept = independent(submitted, evidence)
    groups = group_evidence(kept, model)
    hypotheses = score_groups(groups, model, gene=gene, phage=phage).hypotheses
    return _Audited(submitted, kept, evidence, gene, model, scored).judge(hypotheses)


def audit_prediction(submitted: Submitted, result: GeneResult, model: ScoringModel) -> Audit:
    """Compare the product of the file with the gene that was predicted in its place.

    The interpretation did not use the file, so its hypotheses are taken as they are; where some
    evidence rests on the record nevertheless, the rest is scored again.
    """
    evidence = _evidence(result)
    kept = independent(submitted, evidence)
    hypotheses = result.interpretation.hypotheses if result.interpretation else ()
    if any(one not in kept and one.type not in NAMELESS_TYPES for one in evidence):
        hypotheses = score_evidence(kept, model, gene=result.gene).hypotheses
    return _Audited(submitted, kept, evidence, result.gene, model).judge(hypotheses)


def independent(submitted: Submitted, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Evidence that names the gene and does not rest on the audited record.

    Names may have been copied from another record of nearly the same genome to members of a
    family; nothing shows that, so such evidence counts.
    """
    return tuple(one for one in evidence if not _rests_on_record(one, submitted))


def _rests_on_record(item: Evidence, submitted: Submitted) -> bool:
    if item.type is EvidenceType.ANNOTATION or item.type in NAMELESS_TYPES:
        return True
    if is_of_file(item):
        return True
    support = item.support
    if support is not None and support.is_member and support.independent < _FEW_NAMES:
        return True
    return _is_copy(item) and _has_same_words(item, submitted)


def _is_copy(item: Evidence) -> bool:
    measured = item.measured
    if item.similar is None or measured.identity is None:
        return False
    covered = min(measured.protein_coverage or 0.0, measured.target_coverage or 0.0)
    return measured.identity >= _COPY_IDENTITY and covered >= _WHOLE_OF_A_COPY


def _has_same_words(item: Evidence, submitted: Submitted) -> bool:
    """Whether an observation has the words of the file's product."""
    claim = submitted.claim
    return claim is not None and words_of(claim.subject) == words_of(item.subject)


def _evidence(result: GeneResult) -> tuple[Evidence, ...]:
    """All observations, each once, without the wider classes derived from them."""
    if result.interpretation is None:
        return ()
    observed = (one for one in result.interpretation.evidence if one.original_name is None)
    return tuple(dict.fromkeys(observed))


class _Audited(NamedTuple):
    """A product of the file, and all that is needed to judge it.

    Attributes:
        submitted: What the file states.
        kept: Evidence independent of it.
        evidence: All of the gene, to explain why there is none.
        gene: Its gene.
        model: Parameters, roles and vocabulary.
        scored: All evidence, scored; None where it was not.
    """

    submitted: Submitted
    kept: Sequence[Evidence]
    evidence: Sequence[Evidence]
    gene: Gene
    model: ScoringModel
    scored: Scored | None = None

    def judge(self, hypotheses: Sequence[Hypothesis]) -> Audit:
        """Compare hypotheses from the kept evidence, best first, with the product."""
        if not hypotheses:
            product, why = self.submitted.product, _why_nothing(self.evidence)
            return Audit(AuditVerdict.CANNOT_JUDGE, product, None, None, why)
        best = hypotheses[0]
        if self.submitted.claim is None:
            return self._of_unnamed(best)
        stated = read_claim(self.submitted.claim, self.model)
        naming = self._naming(self.submitted.claim)
        agreeing = next((one for one in hypotheses if one.evidence[0] in naming), None)
        if agreeing is not None and _is_clear(agreeing):
            judged, why = _judged(_lead(agreeing, self.model), stated)
            return self._audit(judged, agreeing, why)
        if not _is_clear(best):
            return self._cannot(best, _why_weak(best, agreeing, self.model))
        if agreeing is None and self._is_contradicted(best, hypotheses, stated):
            differing = told_apart(_lead(best, self.model), stated) or _NOTHING_COMMON
            return self._audit(AuditVerdict.CONTRADICTS, best, differing, " without the file")
        why = self._why_open(best, hypotheses, stated)
        if agreeing is not None:
            why = f"{why}; {_accessions(agreeing)} supports the file"
        return self._cannot(best, why)

    def _naming(self, claim: Evidence) -> frozenset[Evidence]:
        """Kept observations that name the function of the file's product.

        They are those that support the product when both are scored together.
        """
        together = self.scored
        if together is None or len(self.kept) + 1 < len(self.evidence):
            together = score_evidence((*self.kept, claim), self.model, gene=self.gene)
        return frozenset(
            term.evidence
            for one in together.hypotheses
            if claim in one.evidence
            for term in one.terms
            if term.evidence is not None and term.says is Says.NAME
        )

    def _of_unnamed(self, best: Hypothesis) -> Audit:
        if not _is_clear(best):
            return self._cannot(best, _TOO_WEAK)
        if best.specificity is Specificity.DOMAIN or _DOMAIN.search(best.subject):
            return self._cannot(best, "a domain, which is no function of the whole protein")
        what = "a class" if best.specificity is Specificity.CATEGORY else "a function"
        return self._audit(AuditVerdict.REFINES, best, f"{what}, where the file names none")

    def _is_contradicted(
        self, best: Hypothesis, hypotheses: Sequence[Hypothesis], stated: Claim
    ) -> bool:
        lead = _lead(best, self.model)
        if best.specificity not in _WHOLE or _leaves_open(lead):
            return False
        if not any(map(_covers, best.evidence)):
            return False
        everything = [read_claim(item, self.model) for one in hypotheses for item in one.evidence]
        told = len(sources_that_tell(lead, everything))
        if not any(speaks_for(one, stated) for one in everything):
            sure = told or (self._is_sure_of_phage(best) and not is_class(stated))
            return bool(sure) and is_known_apart(lead, stated)
        agreed = any(agree(one, stated) or same_function(one, stated) for one in everything)
        return told >= ENOUGH_SOURCES and not agreed and told_apart(lead, stated) is not None

    def _is_sure_of_phage(self, best: Hypothesis) -> bool:
        if self.model.setting.kind is not GenomeKind.PHAGE:
            return False
        support = (term.log_odds for term in best.terms if not term.reason.startswith(LIMIT))
        return (
            best.evidence[0].type is EvidenceType.FAMILY and logistic(sum(support)) >= _SURE_ALONE
        )

    def _why_open(self, best: Hypothesis, hypotheses: Sequence[Hypothesis], stated: Claim) -> str:
        """Why clear evidence neither confirms nor contradicts the product."""
        lead = _lead(best, self.model)
        claims = [read_claim(item, self.model) for one in hypotheses for item in one.evidence]
        common = any(speaks_for(one, stated) for one in claims)
        if best.specificity not in _WHOLE or _leaves_open(lead):
            fits = common and agree(lead, stated)
            return _fitting(lead) if fits else _NEITHER
        apart_by = told_apart(lead, stated)
        if common:
            return _why_common(lead, stated, apart_by)
        if not is_known_apart(lead, stated):
            return "no word in common with the file's product, perhaps another wording of it"
        return f"{apart_by or _NOTHING_COMMON}, but not enough to contradict it: {_UNTOLD}"

    def _cannot(self, found: Hypothesis, why: str) -> Audit:
        return self._audit(AuditVerdict.CANNOT_JUDGE, found, why)

    def _audit(self, verdict: AuditVerdict, found: Hypothesis, why: str, scored: str = "") -> Audit:
        join = ", " if why.startswith("which ") else ": "
        said = f"{_named(found, scored)}{join}{why}"
        return Audit(
            verdict, self.submitted.product, found.claim, found.score, said, found.evidence
        )


def _why_weak(best: Hypothesis, agreeing: Hypothesis | None, model: ScoringModel) -> str:
    if agreeing is best:
        if best.specificity is Specificity.DOMAIN:
            return _fitting(_lead(best, model))
        return "the function that the file names, but by itself too weak to confirm it"
    return _TOO_WEAK


def _why_common(lead: Claim, stated: Claim, apart_by: str | None) -> str:
    """Why a name that has something in common with the file's does not confirm it."""
    if apart_by is not None:
        return f"{apart_by}, but not enough to contradict it: relatives may share this evidence"
    if agree_by_identifier_only(lead, stated):
        return _BY_IDENTIFIER
    if same_function(lead, stated) or agree(lead, stated):
        return _fitting(lead)
    return "another wording than in the file, perhaps of the same function"


def _fitting(lead: Claim) -> str:
    """What evidence says that has the file's function among others."""
    if lead.specificity is Specificity.DOMAIN:
        return "a domain that fits the file's product, but is no function of the whole protein"
    return "a class that fits the file's product and many others"


def _judged(lead: Claim, stated: Claim) -> tuple[AuditVerdict, str]:
    """The verdict where both may name one function.

    A symbol that is not the gene's may be an older one of it, or that of a relative.
    """
    if names_other_symbol(lead, stated) and not sources_that_tell(lead, [lead]):
        why = "the symbol of another gene, perhaps a relative's, which this evidence does not tell"
        return AuditVerdict.CANNOT_JUDGE, why
    if (differs := distinction(lead.evidence.subject, stated.evidence.subject)) is not None:
        return AuditVerdict.CANNOT_JUDGE, _why_common(lead, stated, differs)
    if _are_of_two_kinds(lead, stated):
        return AuditVerdict.CANNOT_JUDGE, _OF_OTHER_KIND
    return _comparison(lead, stated)


def _are_of_two_kinds(lead: Claim, stated: Claim) -> bool:
    """Whether the file names a class of proteins, and the evidence one that is not of it.

    Such as lysis protein, for transcriptional activator CII.
    """
    named_so = _OF_A_MODULE.search(stated.evidence.subject) is not None
    if not named_so or not is_class(stated) or not stated.words.isdisjoint(lead.words):
        return False
    kind, found = _kind(stated), _kind(lead)
    return None not in (kind, found) and kind != found


def _kind(claim: Claim) -> Category | None:
    """The category of a name; those of parts of the virion are one."""
    known = claim.product or claim.role
    category = known.category if known else None
    return Category.HEAD if category in _VIRION else category


def _comparison(lead: Claim, stated: Claim) -> tuple[AuditVerdict, str]:
    """The verdict where both name one function: which of the two is more specific."""
    related = relation(lead, stated)
    if lead.specificity is Specificity.DOMAIN:
        return AuditVerdict.CANNOT_JUDGE, _fitting(lead)
    worded = wording(lead, stated)
    if worded is Verdict.SAME_WORDS or related is Relation.SAME:
        return AuditVerdict.CONFIRMS, "the function that the file names"
    if is_class(lead) and not is_class(stated):
        return AuditVerdict.CANNOT_JUDGE, _fitting(lead)
    narrower = related is Relation.NARROWER or _is_of_family(lead, stated)
    if narrower or (is_class(stated) and not is_class(lead)):
        return _of_narrower(lead, stated, related)
    less = worded is Verdict.VAGUER or related is Relation.BROADER or _is_wider(lead, worded)
    if less or is_family_only(lead, stated):
        return AuditVerdict.CONFIRMS, _LESS_SPECIFIC
    return AuditVerdict.CONFIRMS, "the function that the file names"


def _is_of_family(lead: Claim, stated: Claim) -> bool:
    """Whether the file gives only the family of what the evidence names: dehydratase family."""
    return "family" in stated.evidence.subject.lower() and says_less(stated, lead)


def _is_wider(lead: Claim, worded: Verdict) -> bool:
    """Whether a name is that of a Pfam family, which mostly holds several functions."""
    return lead.evidence.type is EvidenceType.DOMAIN and not worded.right


def _of_narrower(lead: Claim, stated: Claim, related: Relation) -> tuple[AuditVerdict, str]:
    """The verdict where the term found is narrower, unless the words contradict that."""
    if related is not Relation.NARROWER and _are_families(lead, stated):
        return AuditVerdict.CONFIRMS, "the family that the file names, in other words"
    if lead.words < stated.words or (
        lead.words == stated.words and related is not Relation.NARROWER
    ):
        return AuditVerdict.CONFIRMS, _LESS_SPECIFIC
    if own_words(stated, lead):
        why = "a related function; each name has a detail that the other lacks; confirmed in part"
        return AuditVerdict.CONFIRMS, why
    return AuditVerdict.REFINES, "the same function, more specific than in the file"


def _are_families(lead: Claim, stated: Claim) -> bool:
    """Whether a family is found for what the file names as a family or a kind of protein.

    Such as "short-chain dehydrogenase/reductase SDR" for "SDR family oxidoreductase".
    """
    return lead.specificity is Specificity.FAMILY and stated.specificity in _WHOLE


def told_apart(lead: Claim, stated: Claim) -> str | None:
    """How two names are told apart: by EC numbers, opposites, modules, or as separate terms."""
    why = contradiction(lead, stated) or apart(lead, stated)
    if why is None and wording(lead, stated) is Verdict.OPPOSITE:
        why = "names of two functions that are opposite, or commonly confused"
    if why is None and _are_two_terms(lead, stated):
        why = _other_function(stated)
    return why


def _covers(item: Evidence) -> bool:
    """Whether an observation is of the whole protein and of the whole reference."""
    protein, target = item.measured.protein_coverage, item.measured.target_coverage
    if protein is None or target is None:
        return False
    return protein >= _WHOLE_PROTEIN and target >= _WHOLE_REFERENCE


def _are_two_terms(lead: Claim, stated: Claim) -> bool:
    """Whether the vocabulary lists both names, as different functions."""
    ours, theirs = lead.product, stated.product
    if ours is None or theirs is None or ours.vague or theirs.vague:
        return False
    return wording(lead, stated) in (Verdict.WRONG, Verdict.OPPOSITE)


def _other_function(stated: Claim) -> str:
    named = stated.product.name if stated.product else stated.evidence.subject
    return f"in the vocabulary a different function from {named}"


def _why_nothing(evidence: Sequence[Evidence]) -> str:
    """Why there is no hypothesis without the file."""
    resting = [
        one
        for one in evidence
        if one.type not in {EvidenceType.ANNOTATION, *NAMELESS_TYPES} and one.accession
    ]
    if not resting and any(one.type is EvidenceType.GENE_CONTEXT for one in evidence):
        return "only its place names it, by the names of its neighbours, which the file may give"
    if not resting:
        return "no evidence besides the file"
    names = _listed([one.accession or "" for one in resting])
    if any(one.support and one.support.independent >= _FEW_NAMES for one in resting):
        return f"the evidence ({names}) has its name from the same annotation program as the file"
    return f"the evidence ({names}) takes its name from this record and at most one other"


def _leaves_open(claim: Claim) -> bool:
    """Whether a name may be that of the file's function too, which it need not have a word of.

    Nicotinamidase is an "isochorismatase family cysteine hydrolase".
    """
    return is_class(claim) or _OPEN.search(claim.evidence.subject) is not None


def _lead(hypothesis: Hypothesis, model: ScoringModel) -> Claim:
    return read_claim(hypothesis.evidence[0], model)


def _is_clear(hypothesis: Hypothesis) -> bool:
    return ConfidenceLevel.of(hypothesis.score).is_supported


def _named(found: Hypothesis, scored: str) -> str:
    return f"“{found.claim}” ({found.score:.2f}{scored}) by {_accessions(found)}"


def _accessions(found: Hypothesis) -> str:
    return _listed([item.accession or item.source.value for item in found.evidence])


def _listed(names: Sequence[str]) -> str:
    """Each once, the first few."""
    once = list(dict.fromkeys(names))
    more = len(once) - _MOST_ACCESSIONS
    if more > 0:
        once[_MOST_ACCESSIONS:] = [f"{more} more"]
    return " and ".join((", ".join(once[:-1]), once[-1])) if len(once) > 1 else once[0]


def own_words(stated: Claim, lead: Claim) -> frozenset[str]:
    """Words that only the file's product has, not its term and not the hypothesis.

    IS3 of ``IS3 family transposase``: the term may be no more than a class.
    """
    names = list(stated.product.names) if stated.product else []
    if lead.product is not None:
        names += [*lead.product.names, *lead.product.symbols]
    known = lead.words.union(*lead.aliases, *map(words_of, names))
    return stated.words - known if stated.product or is_class(stated) else frozenset()


def is_family_only(lead: Claim, stated: Claim) -> bool:
    """Whether the evidence names only the family of what the file names."""
    if lead.specificity is not Specificity.FAMILY or stated.specificity is Specificity.FAMILY:
        return False
    return "family" in lead.evidence.claim.lower()
