"""Audit: the product that the file gives a gene, compared with evidence independent of the file.

Left out are the file's own statements and whatever rests on this record: the name of a family
that comes from this protein and at most one other, and a copy of the protein with the same name.
Neighbours are left out too, as their categories mostly come from the file's products. The rest
is scored as usual, and its best hypothesis is compared with the product. :func:`compare` does
the same for predicted genes and those of the file.

A product is contradicted only where all of this holds; else it cannot be judged:

1. The best hypothesis, MODERATE at least, names one function of the whole protein: no class, no
   domain, and an observation covers most of the protein and of the family or entry.
2. Two independent origins name that very function: a family, a similar protein, a domain that is
   called after it. At least one of them tells it from the functions of the protein's relatives
   (:func:`~genint.interpret.file_names.sources_that_tell`), which a domain never does.
3. The two names are distinguished by EC numbers, by a part such as the cofactor or the class, as
   opposites, as different modules of a phage, or as two separate terms of the vocabulary.
   Different words alone are another wording.
4. No observation, of this hypothesis or another, speaks for the file's product.
5. Where the two may be relatives (enzymes of one kind of reaction by the first three numbers of
   their EC numbers or by their last word, names that the vocabulary tells never to take for one
   another), two sources have to tell the function from its relatives'. One family of relatives
   would name both: aconitase and AcnD, the reductases of APS and PAPS.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from genint.interpret.claims import (
    Claim,
    ScoringModel,
    agree,
    apart,
    contradiction,
    read_claim,
    relation,
)
from genint.interpret.file_names import (
    is_borne_out,
    is_class,
    names_other_symbol,
    same_function,
    sources_that_tell,
    wording,
)
from genint.interpret.scoring import SUPPORTED_LEVELS, score_evidence
from genint.knowledge.name_comparison import Verdict
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

NAMELESS_TYPES: Final = frozenset(
    {EvidenceType.GENE_CONTEXT, EvidenceType.SEQUENCE_FEATURE, EvidenceType.GENE_CALL}
)
"""Types of evidence that name no function."""
_DOMAIN = re.compile(r"\bdomain(?:-containing)?\b", re.IGNORECASE)
_BOTH_SIDES = re.compile(r"(\w+)[-/ ]+anti-?\1", re.IGNORECASE)
"""A name with both of a pair (toxin-antitoxin system, termination/antitermination protein)."""
_WHOLE = frozenset({Specificity.PROTEIN, Specificity.FAMILY})
_WHOLE_PROTEIN, _WHOLE_REFERENCE = 0.6, 0.7
"""Shares of the protein, and of profile or entry, that a name must cover to contradict."""
_MOST_ACCESSIONS = 4
_LESS_SPECIFIC = "the same function, less specific than in the file; confirmed in part"
_FEW_NAMES = 2
"""Independent names below which the name of a family is mostly that of this record."""
_COPY_IDENTITY = 0.95
_WHOLE_OF_A_COPY = 0.9
_End = tuple[str, int, int]


class Submitted(NamedTuple):
    """What the file states about a gene.

    Attributes:
        product: As written; None where it gives none.
        claim: What that claims; None where it names no function (hypothetical protein).
    """

    product: str | None
    claim: Evidence | None


def add_audits(results: Sequence[GeneResult], model: ScoringModel) -> tuple[GeneResult, ...]:
    """Results with the audits of genes of the file; predicted genes are unchanged.

    Cost: 0.5 ms a gene, half of it to score, half to compare names.
    """
    return tuple(
        replace(
            result,
            audit=audit_gene(result.gene, _evidence(result), model.for_contig(result.gene.contig)),
        )
        for result in results
    )


def audit_gene(gene: Gene, evidence: Sequence[Evidence], model: ScoringModel) -> Audit | None:
    """Compare the product of a gene of the file with the rest of the evidence.

    Args:
        gene: Of the file, or a predicted one, which has no product to audit.
        evidence: All of this gene, that of the file too, any order.
        model: Parameters, roles and vocabulary.

    Returns:
        None for predicted genes.
    """
    if gene.called_by is not CalledBy.GENBANK:
        return None
    stated = next((one for one in evidence if one.type is EvidenceType.ANNOTATION), None)
    submitted = Submitted(gene.product, stated)
    kept = independent(submitted, evidence)
    hypotheses = score_evidence(kept, model, gene=gene).hypotheses
    return audit_hypotheses(submitted, hypotheses, evidence, model)


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
    return audit_hypotheses(submitted, hypotheses, evidence, model)


def independent(submitted: Submitted, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Evidence that names the gene and does not rest on the audited record.

    Names may have been copied from another record of nearly the same genome to members of a
    family; nothing shows that, so such evidence counts.
    """
    return tuple(one for one in evidence if not _rests_on_record(one, submitted))


def _rests_on_record(item: Evidence, submitted: Submitted) -> bool:
    if item.type is EvidenceType.ANNOTATION or item.type in NAMELESS_TYPES:
        return True
    if item.origin.startswith("annotation:"):
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


def audit_hypotheses(
    submitted: Submitted,
    hypotheses: Sequence[Hypothesis],
    evidence: Sequence[Evidence],
    model: ScoringModel,
) -> Audit:
    """Compare hypotheses from evidence independent of the file with its product.

    Args:
        submitted: What the file states.
        hypotheses: Of the independent evidence, best first.
        evidence: All of the gene, to explain why there is no hypothesis.
        model: Roles and vocabulary.
    """
    if not hypotheses:
        return Audit(
            AuditVerdict.CANNOT_JUDGE, submitted.product, None, None, _why_nothing(evidence)
        )
    best = hypotheses[0]
    if not _is_clear(best):
        why = f"{_named(best)}, which is too weak to judge the file's product"
        return _audit(AuditVerdict.CANNOT_JUDGE, submitted, best, why)
    if submitted.claim is None:
        return _of_unnamed(submitted, best)
    return _of_named(submitted, hypotheses, read_claim(submitted.claim, model), model)


def _of_named(
    submitted: Submitted, hypotheses: Sequence[Hypothesis], stated: Claim, model: ScoringModel
) -> Audit:
    best = hypotheses[0]
    agreeing = next((one for one in hypotheses if _supports(one, stated, model)), None)
    why = None if agreeing is best else _exclusion(best, stated, model)
    if why is not None and agreeing is not None:
        divided = f"{_named(best)}, but {_accessions(agreeing)} supports the file: {why}"
        return _audit(AuditVerdict.CANNOT_JUDGE, submitted, best, divided)
    if why is not None and _is_borne_out(best, hypotheses, stated, model):
        return _audit(AuditVerdict.CONTRADICTS, submitted, best, f"{_named(best)}: {why}")
    if why is not None:
        weak = f"{_named(best)}: {why}, but too weak to contradict it"
        return _audit(AuditVerdict.CANNOT_JUDGE, submitted, best, weak)
    if agreeing is not None and _is_clear(agreeing):
        verdict, why = _judged(_lead(agreeing, model), stated)
        return _audit(verdict, submitted, agreeing, f"{_named(agreeing)}: {why}")
    why = _why_open(best, stated, model)
    return _audit(AuditVerdict.CANNOT_JUDGE, submitted, best, why)


def _of_unnamed(submitted: Submitted, best: Hypothesis) -> Audit:
    if best.specificity is Specificity.DOMAIN or _DOMAIN.search(best.subject):
        why = f"{_named(best)}: a domain, which is no function of the whole protein"
        return _audit(AuditVerdict.CANNOT_JUDGE, submitted, best, why)
    what = "a class" if best.specificity is Specificity.CATEGORY else "a function"
    why = f"{_named(best)}: {what}, where the file names none"
    return _audit(AuditVerdict.REFINES, submitted, best, why)


def _supports(found: Hypothesis, stated: Claim, model: ScoringModel) -> bool:
    lead = _lead(found, model)
    if found.specificity is Specificity.DOMAIN:  # decides no more than a reason's wording
        return agree(lead, stated)
    return same_function(lead, stated)


def _judged(lead: Claim, stated: Claim) -> tuple[AuditVerdict, str]:
    """The verdict where both may name one function.

    A symbol that is not the gene's may be an older one of it, or that of a relative.
    """
    if names_other_symbol(lead, stated) and not sources_that_tell(lead, [lead]):
        why = "the symbol of another gene, perhaps a relative's, which this evidence does not tell"
        return AuditVerdict.CANNOT_JUDGE, why
    return _comparison(lead, stated)


def _comparison(lead: Claim, stated: Claim) -> tuple[AuditVerdict, str]:
    """The verdict where both name one function: which of the two is more specific."""
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
    if less or is_family_only(lead, stated):
        return AuditVerdict.CONFIRMS, _LESS_SPECIFIC
    return AuditVerdict.CONFIRMS, "the function that the file names"


def _of_narrower(lead: Claim, stated: Claim) -> tuple[AuditVerdict, str]:
    """The verdict where the term found is narrower, unless the words contradict that."""
    if not lead.words - stated.words:
        return AuditVerdict.CONFIRMS, _LESS_SPECIFIC
    if own_words(stated, lead):
        why = "a related function; each name has a detail that the other lacks; confirmed in part"
        return AuditVerdict.CONFIRMS, why
    return AuditVerdict.REFINES, "the same function, more specific than in the file"


def _exclusion(best: Hypothesis, stated: Claim, model: ScoringModel) -> str | None:
    """Why the best hypothesis and the product of the file cannot both hold; None if they can."""
    claims = [read_claim(item, model) for item in best.evidence]
    lead = claims[0]
    if best.specificity not in _WHOLE or is_class(lead) or not any(map(_covers, best.evidence)):
        return None
    if any(same_function(one, stated) or agree(one, stated) for one in claims):
        return None
    return None if _names_both_sides(lead, stated) else _told_apart(lead, stated)


def _is_borne_out(
    best: Hypothesis, hypotheses: Sequence[Hypothesis], stated: Claim, model: ScoringModel
) -> bool:
    claims = [read_claim(item, model) for item in best.evidence]
    everything = [read_claim(item, model) for one in hypotheses for item in one.evidence]
    return is_borne_out(claims[0], stated, claims, everything)


def _told_apart(lead: Claim, stated: Claim) -> str | None:
    """How two names are told apart: by EC numbers, opposites, modules, or as separate terms."""
    why = contradiction(lead, stated) or apart(lead, stated)
    if why is None and wording(lead, stated) is Verdict.OPPOSITE:
        why = "names of two functions that are opposite, or commonly confused"
    if why is None and _are_two_terms(lead, stated):
        why = _other_function(stated)
    return why


def _names_both_sides(*claims: Claim) -> bool:
    return any(_BOTH_SIDES.search(one.evidence.subject) for one in claims)


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


def _why_open(best: Hypothesis, stated: Claim, model: ScoringModel) -> str:
    if best.specificity not in _WHOLE:
        return f"{_named(best)}, which neither supports nor excludes the file's product"
    apart = _told_apart(_lead(best, model), stated)
    if apart is not None:
        return f"{_named(best)}: {apart}, but too weak to contradict it"
    return f"{_named(best)}: another wording than in the file, perhaps of the same function"


def _why_nothing(evidence: Sequence[Evidence]) -> str:
    """Why there is no hypothesis without the file."""
    resting = [
        one.accession
        for one in evidence
        if one.type not in {EvidenceType.ANNOTATION, *NAMELESS_TYPES} and one.accession
    ]
    if not resting:
        return "no evidence besides the file"
    return f"the evidence ({_listed(resting)}) takes its name from this record itself"


def _lead(hypothesis: Hypothesis, model: ScoringModel) -> Claim:
    return read_claim(hypothesis.evidence[0], model)


def _is_clear(hypothesis: Hypothesis) -> bool:
    return ConfidenceLevel.of(hypothesis.score) in SUPPORTED_LEVELS


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


def _audit(verdict: AuditVerdict, submitted: Submitted, found: Hypothesis, why: str) -> Audit:
    return Audit(verdict, submitted.product, found.claim, found.score, why, found.evidence)


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


def compare(
    genome: Genome,
    results: Sequence[GeneResult],
    annotated: Genome,
    annotations: Sequence[Evidence],
    model: ScoringModel,
) -> tuple[Comparison, tuple[GeneResult, ...]]:
    """Pair predicted genes with those of the file by their stop codon.

    Args:
        genome: With predicted genes.
        results: Their results, in order.
        annotated: The genome as the file has it.
        annotations: What its products claim, of any gene.
        model: Roles, to distinguish wordings from functions.

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
            verdict = _verdict(result, own, model)
            result = replace(  # noqa: PLW2901 - the same result, completed
                result,
                compared=FileGene(other.id, other.product, same_start, verdict),
                audit=audit_prediction(
                    Submitted(other.product, own), result, model.for_contig(contig.id)
                ),
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


def _verdict(result: GeneResult, own: Evidence | None, model: ScoringModel) -> NameVerdict:
    found = result.interpretation
    if found is None:
        return NameVerdict.NEITHER if own is None else NameVerdict.ONLY_IN_FILE
    if own is None:
        return NameVerdict.ONLY_HERE
    theirs = read_claim(own, model)
    fits = any(agree(read_claim(item, model), theirs) for item in found.hypotheses[0].evidence)
    return NameVerdict.AGREES if fits else NameVerdict.DIFFERS
