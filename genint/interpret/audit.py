"""The product of the file held against what speaks of a gene without the file.

What comes from the file is taken away, and so is what rests on this very record: the name of
a family that has it from this protein and at most one other, and that of a copy of the
protein which is called as the file calls it. Neighbours are left out too, as most of what they
say rests on their products. The rest is weighed as ever, and its best hypothesis is compared
with the product of the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from genint.interpret.judgement import Judgement
from genint.interpret.verdicts import SAYS_NO_NAME, Submitted, judged
from genint.interpret.weigh import weigh
from genint.knowledge.name_words import words_of
from genint.model.audit import Audit
from genint.model.evidence import Evidence
from genint.model.genome import CalledBy, Gene
from genint.model.interpretation import GeneResult
from genint.model.vocabulary import EvidenceType

_FEW_NAMES = 2
"""Independent names below which the name of a family is mostly that of this record."""
_COPY_IDENTITY = 0.95
_WHOLE_OF_A_COPY = 0.9


def with_audit(results: Sequence[GeneResult], judgement: Judgement) -> tuple[GeneResult, ...]:
    """Results of the genes of a file, each with its audit; predicted genes stay as they are.

    Cost: 0.5 ms a gene, half of it to weigh, half to compare names.
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
    return judged(submitted, weigh(kept, judgement).hypotheses, evidence, judgement)


def audit_of_prediction(submitted: Submitted, result: GeneResult, judgement: Judgement) -> Audit:
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
