"""The product of the file held against what speaks of a gene without the file.

What comes from the file is taken away, and so is what rests on this very record: the name of
a family that has it from this protein and at most one other, and that of a copy of the
protein which is called as the file calls it. Neighbours are left out too, as most of what they
say rests on their products. The rest is weighed as ever, and its best hypothesis is compared
with the product of the file.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from genint.interpret.claims import Claim, ScoringModel, agree, contradiction, read_claim, relation
from genint.interpret.scoring import weigh
from genint.knowledge.name_comparison import Verdict, judge
from genint.knowledge.product_names import words_of
from genint.knowledge.products import Relation
from genint.model.evidence import Evidence
from genint.model.genome import CalledBy, Contig, Gene, Genome
from genint.model.interpretation import (
    Audit,
    AuditVerdict,
    Comparison,
    FileGene,
    GeneResult,
    Hypothesis,
    NameVerdict,
)
from genint.model.interval import Strand
from genint.model.vocabulary import ConfidenceLevel, EvidenceType, Specificity

_SYMBOL = re.compile(r"\b([A-Z][a-z]{2})([A-Z])\b")
"""Gene symbols as proteins have them: NinB."""


def same_function(lead: Claim, stated: Claim) -> bool:
    """Whether both speak of one function, one perhaps more closely than the other.

    Words in common are enough for putting evidence together, but too little for a signature
    (DNA ligase, DNA-binding protein), so the judge of names has to hold with it.
    """
    if contradiction(lead, stated) is not None or _other_gene(lead, stated):
        return False
    worded = wording(lead, stated)
    if worded.right or worded is Verdict.VAGUER:
        return True
    return worded is Verdict.UNTELLING and agree(lead, stated)


def _other_gene(lead: Claim, stated: Claim) -> bool:
    """Whether both names end in symbols of one series that are not the same: NinB and NinC."""
    ours = dict(_SYMBOL.findall(lead.evidence.subject))
    theirs = dict(_SYMBOL.findall(stated.evidence.subject))
    return any(theirs.get(stem, letter) != letter for stem, letter in ours.items())


def wording(lead: Claim, stated: Claim) -> Verdict:
    """What the judge of names says of the two."""
    return judge(stated.evidence.subject, lead.evidence.claim, lead.products)


def is_class(claim: Claim) -> bool:
    """Whether a name leaves the function open."""
    vague = claim.product is not None and claim.product.vague
    return vague or claim.specificity is Specificity.CATEGORY


def own_words(stated: Claim, lead: Claim) -> frozenset[str]:
    """Words of the file's product besides those of its term and of what was found.

    IS3 of ``IS3 family transposase``: the term may be no more than a class.
    """
    names = list(stated.product.names) if stated.product else []
    if lead.product is not None:
        names += [*lead.product.names, *lead.product.symbols]
    known = lead.words.union(*lead.aliases, *map(words_of, names))
    return stated.words - known if stated.product or is_class(stated) else frozenset()


def is_kin_only(lead: Claim, stated: Claim) -> bool:
    """Whether the evidence names the family of what the file names outright."""
    if lead.specificity is not Specificity.FAMILY or stated.specificity is Specificity.FAMILY:
        return False
    return "family" in lead.evidence.claim.lower()


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
    judgement: ScoringModel,
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
    submitted: Submitted, hypotheses: Sequence[Hypothesis], stated: Claim, judgement: ScoringModel
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


def _speaks_for(found: Hypothesis, stated: Claim, judgement: ScoringModel) -> bool:
    lead = _lead(found, judgement)
    if found.specificity is Specificity.DOMAIN:  # decides no more than a reason's wording
        return agree(lead, stated)
    return same_function(lead, stated)


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


def _exclusion(best: Hypothesis, stated: Claim, judgement: ScoringModel) -> str | None:
    """Why the best hypothesis and the product of the file cannot both hold; None if they can."""
    if best.specificity not in _WHOLE or not any(map(_covers, best.evidence)):
        return None
    claims = [read_claim(item, judgement) for item in best.evidence]
    if any(same_function(one, stated) for one in claims):
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


def _is_sure_alone(lead: Claim, judgement: ScoringModel) -> bool:
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


def _why_open(best: Hypothesis, stated: Claim, judgement: ScoringModel) -> str:
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


def _lead(hypothesis: Hypothesis, judgement: ScoringModel) -> Claim:
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


_FEW_NAMES = 2
"""Independent names below which the name of a family is mostly that of this record."""
_COPY_IDENTITY = 0.95
_WHOLE_OF_A_COPY = 0.9


def with_audit(results: Sequence[GeneResult], judgement: ScoringModel) -> tuple[GeneResult, ...]:
    """Results of the genes of a file, each with its audit; predicted genes stay as they are.

    Cost: 0.5 ms a gene, half of it to weigh, half to compare names.
    """
    return tuple(
        replace(result, audit=audit_of(result.gene, _evidence(result), judgement))
        for result in results
    )


def audit_of(gene: Gene, evidence: Sequence[Evidence], judgement: ScoringModel) -> Audit | None:
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
    return judged(submitted, weigh(kept, judgement).hypotheses, evidence, judgement)


def audit_of_prediction(submitted: Submitted, result: GeneResult, judgement: ScoringModel) -> Audit:
    """Hold the product of the file against a gene that was predicted at its place.

    The interpretation has seen nothing of the file, so it is taken as it stands; where some
    of it rests on the record nevertheless, the rest is weighed anew.
    """
    evidence = _evidence(result)
    kept = independent(submitted, evidence)
    told = result.interpretation.hypotheses if result.interpretation else ()
    if any(one not in kept and one.type not in SAYS_NO_NAME for one in evidence):
        told = weigh(kept, judgement).hypotheses
    return judged(submitted, told, evidence, judgement)


def independent(submitted: Submitted, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """What names the gene without resting on the record that is judged.

    Another record of nearly the same genome may have handed on its names to members of a
    family; nothing shows that, so it counts.
    """
    return tuple(one for one in evidence if not _rests_on_record(one, submitted))


def _rests_on_record(item: Evidence, submitted: Submitted) -> bool:
    if item.type is EvidenceType.ANNOTATION or item.type in SAYS_NO_NAME:
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
    """What was observed, each once, without the classes that were concluded from it."""
    if result.interpretation is None:
        return ()
    observed = (one for one in result.interpretation.evidence if one.told is None)
    return tuple(dict.fromkeys(observed))


_End = tuple[str, int, int]


def compare(
    genome: Genome,
    results: Sequence[GeneResult],
    annotated: Genome,
    annotations: Sequence[Evidence],
    judgement: ScoringModel,
) -> tuple[Comparison, tuple[GeneResult, ...]]:
    """Pair predicted genes with those of the file by their stop codon.

    Args:
        genome: With predicted genes.
        results: Their results, in order.
        annotated: The genome as the file has it.
        annotations: What its products claim, of any gene.
        judgement: Roles, to tell wordings from functions.

    Returns:
        The figures, and the results with their counterpart in the file and the audit of
        its product.
    """
    claims = {item.gene_id: item for item in annotations}
    contigs = {contig.id: contig for contig in genome.contigs}
    in_file: dict[_End, list[Gene]] = defaultdict(list)
    for gene in annotated.genes:
        in_file[_stop(contigs[gene.contig], gene)].append(gene)
    compared, pairs = [], {}
    for result in results:
        contig = contigs[result.gene.contig]
        other = _counterpart(contig, result.gene, in_file[_stop(contig, result.gene)])
        if other is not None:
            same_start = _start(contig, other) == _start(contig, result.gene)
            pairs[other.id] = same_start
            own = claims.get(other.id)
            verdict = _verdict(result, own, judgement)
            result = replace(  # noqa: PLW2901 - the same result, completed
                result,
                compared=FileGene(other.id, other.product, same_start, verdict),
                audit=audit_of_prediction(Submitted(other.product, own), result, judgement),
            )
        compared.append(result)
    predicted = {_stop(contigs[r.gene.contig], r.gene) for r in results}
    missed = tuple(
        gene.id for gene in annotated.genes if _stop(contigs[gene.contig], gene) not in predicted
    )
    comparison = Comparison(
        genes_in_file=len(annotated.genes),
        same_stop=len(annotated.genes) - len(missed),
        same_start=sum(pairs.values()),
        missed=missed,
        extra=tuple(result.gene_id for result in compared if result.compared is None),
        missed_genes=tuple(gene for gene in annotated.genes if gene.id not in pairs),
    )
    return comparison, tuple(compared)


def _stop(contig: Contig, gene: Gene) -> _End:
    """Record, last transcribed base (0-based, on the circle), strand."""
    part = gene.location.parts[-1]
    forward = part.strand is Strand.FORWARD
    base = part.interval.end - 1 if forward else part.interval.start
    return contig.id, base % len(contig), int(part.strand)


def _start(contig: Contig, gene: Gene) -> _End:
    part = gene.location.parts[0]
    forward = part.strand is Strand.FORWARD
    base = part.interval.start if forward else part.interval.end - 1
    return contig.id, base % len(contig), int(part.strand)


def _counterpart(contig: Contig, gene: Gene, same_stop: Sequence[Gene]) -> Gene | None:
    """Of genes that share a stop, the one with the same start, else the longest."""
    start = _start(contig, gene)
    return max(
        same_stop, key=lambda own: (_start(contig, own) == start, len(own.location)), default=None
    )


def _verdict(result: GeneResult, own: Evidence | None, judgement: ScoringModel) -> NameVerdict:
    told = result.interpretation
    if told is None:
        return NameVerdict.NEITHER if own is None else NameVerdict.ONLY_IN_FILE
    if own is None:
        return NameVerdict.ONLY_HERE
    theirs = read_claim(own, judgement)
    fits = any(agree(read_claim(item, judgement), theirs) for item in told.hypotheses[0].evidence)
    return NameVerdict.AGREES if fits else NameVerdict.DIFFERS
