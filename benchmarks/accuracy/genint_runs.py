"""genint as the bench wants it, in a process of its own: what it tells of a genome.

    python -m benchmarks.accuracy.genint_runs QUESTION ANSWER

reads a pickled :class:`Question` and writes what was told, as a pickle too.
"""

from __future__ import annotations

import pickle
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from benchmarks.accuracy.usage import Usage, run_alone
from genint.knowledge.confidence import ConfidenceParameters, parse_confidence
from genint.model.evidence import Evidence
from genint.model.genome import Genome
from genint.model.interpretation import GeneResult, Hypothesis, InterpretationSummary, Parameters
from genint.model.vocabulary import Specificity
from genint.pipeline.conclude import conclude
from genint.pipeline.evidence import observe
from genint.pipeline.gene_calling import Called, call, read
from genint.pipeline.resources import Folders, Resources, UserProteins, load_resources
from genint.pipeline.searches import gather, plan_search, search
from genint.pipeline.searches import prepare as prepare_search
from genint.sources.similarity.search import ReferenceDatabase
from training.blind.truth import Claim, FamilyStrength, ToldGene, place_of, says_nothing

_TIMEOUT_S = 3_600
_CLAIMS = {Specificity.DOMAIN: Claim.DOMAIN, Specificity.CATEGORY: Claim.CLASS}


@dataclass(frozen=True, slots=True)
class Question:
    """What genint is asked.

    Attributes:
        genome: A FASTA whose contigs are named c0, c1, ...; or a genome with its genes, where
            no bases are known.
        circles: Length of each contig in bp where it is a circle, else None.
        families: Folder of a build of families; None for those that ship.
        reference: Named proteins to compare with, which makes it local mode; None for offline.
        max_identity: From which entries of it are left out; None to leave none out.
        confidence: Text of the parameters; None for those that ship.
        cache: Where profiles are pressed.
    """

    genome: Path | Genome
    circles: tuple[int | None, ...]
    families: Path | None
    reference: ReferenceDatabase | None
    max_identity: float | None
    confidence: str | None
    cache: Path


class GenintRun(NamedTuple):
    """What genint told, and what it used with the profiles already pressed."""

    told: tuple[ToldGene, ...]
    usage: Usage


def ask(question: Question) -> GenintRun:
    """Interpret a genome in a process of its own, after another one has pressed the profiles.

    Raises:
        ProgramFailed: it takes too long or fails.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asked, answer = folder / "question.pickle", folder / "answer.pickle"
        asked.write_bytes(pickle.dumps(question))
        command = [sys.executable, "-m", "benchmarks.accuracy.genint_runs", str(asked)]
        run_alone(command, name="genint", timeout_s=_TIMEOUT_S)
        ended = run_alone([*command, str(answer)], name="genint", timeout_s=_TIMEOUT_S)
        told = pickle.loads(answer.read_bytes())  # noqa: S301 - written by our own process
        return GenintRun(told, ended.usage)


def prepare(question: Question) -> None:
    """Press the profiles that a question needs."""
    prepare_search(_genome(question), _equipment(question), _parameters(question))


def interpret(question: Question) -> tuple[ToldGene, ...]:
    """What genint tells of a genome, computed as if for the first time."""
    genome, parameters, equipment = _genome(question), _parameters(question), _equipment(question)
    if isinstance(question.genome, Genome):
        proteins = tuple((gene.id, gene.protein) for gene in genome.genes)
        called = Called(genome, None, proteins)
    else:
        called = call(genome, parameters)
    plan = plan_search(called, equipment, parameters)
    answers = [answer for task in plan.tasks for answer in search(task)]
    findings = gather(called, plan, answers)
    observed = observe(called, findings, equipment)
    summary = conclude(observed, parameters, equipment, confidence=_confidence(question))
    return tuple(_told(result, question, summary) for result in summary.results)


def _genome(question: Question) -> Genome:
    return question.genome if isinstance(question.genome, Genome) else read(question.genome)


def _parameters(question: Question) -> Parameters:
    if question.reference is None:
        return Parameters()
    return Parameters(mode="local", max_identity=question.max_identity)


def _equipment(question: Question) -> Resources:
    """Nothing that is installed on this machine, and no results of earlier runs."""
    folders = Folders(question.cache, families=question.families, cache_limit_bytes=0)
    equipment = load_resources(Parameters(), folders)
    if question.reference is None:
        return equipment
    own = UserProteins(question.reference, proteins=0, sha256="", is_temporary=False)
    return replace(equipment, proteins=own)


def _confidence(question: Question) -> ConfidenceParameters | None:
    return None if question.confidence is None else parse_confidence(question.confidence)


def _told(result: GeneResult, question: Question, summary: InterpretationSummary) -> ToldGene:
    gene, found = result.gene, result.interpretation
    ids = [contig.id for contig in summary.genome.contigs]
    number = ids.index(gene.contig)
    place = place_of(number, gene.span, gene.strand, question.circles[number])
    if found is None or not found.hypotheses:
        return ToldGene(place, "", span=gene.span)
    leading = found.hypotheses[0]
    nothing = says_nothing(leading.claim)
    return ToldGene(
        place,
        "" if nothing else leading.claim,
        claim=_CLAIMS.get(leading.specificity, Claim.WHOLE),
        level="" if nothing else found.confidence_level.value,
        score=None if nothing else found.confidence_score,
        source=" + ".join(dict.fromkeys(one.source.value for one in leading.evidence)),
        family=_strength(leading.evidence),
        span=gene.span,
        cog=found.classification.cog_category or "",
        types=len(leading.types),
        evidence=_evidence(leading),
    )


def _strength(evidence: Sequence[Evidence]) -> FamilyStrength | None:
    for one in evidence:
        if one.support is not None:
            support = one.support
            return FamilyStrength(
                one.accession or "", support.consensus, support.named_members, support.margin_bits
            )
    return None


def _evidence(leading: Hypothesis) -> tuple[str, ...]:
    return tuple(
        f"{one.source.value} {one.accession or ''} [{one.strength}] {one.label}"
        for one in leading.evidence
    )


def main(arguments: Sequence[str]) -> None:
    """Answer a question; without a file for the answer, get ready for it alone."""
    question: Question = pickle.loads(Path(arguments[0]).read_bytes())  # noqa: S301 - our own
    if len(arguments) == 1:
        prepare(question)
        return
    Path(arguments[1]).write_bytes(pickle.dumps(interpret(question)))


if __name__ == "__main__":
    main(sys.argv[1:])
