"""genint on a FASTA with the families of a given build, as the bench wants it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from genint import steps
from genint.model.evidence import Evidence
from genint.model.interpretation import GeneResult, Parameters
from genint.model.vocabulary import Specificity
from training.blind.truth import FamilyStrength, ToldGene, place_of, says_nothing


class GenintRun(NamedTuple):
    """What genint told, and its CPU seconds with the profiles already pressed."""

    told: tuple[ToldGene, ...]
    cpu_s: float


def run_genint(
    fasta: Path, contigs: Sequence[int | None], *, families: Path | None, cache: Path
) -> GenintRun:
    """Interpret a FASTA in this process.

    Args:
        fasta: The genome; contigs are named c0, c1, ...
        contigs: Length of each contig in bp where it is a circle, else None.
        families: Folder of a build of families; None for those that ship.
        cache: Where profiles are pressed.
    """
    parameters = Parameters()
    # No results of earlier runs: every run is timed as the first one.
    folders = steps.Folders(cache=cache, families=families, cache_limit_bytes=0)
    genome = steps.read(fasta)
    equipment = steps.equip(parameters, folders)
    steps.prepare(genome, equipment, parameters)
    started = time.process_time()
    called = steps.call(genome, parameters)
    plan = steps.plan_search(called, equipment, parameters)
    answers = [answer for task in plan.tasks for answer in steps.search(task, plan.kit)]
    findings = steps.gather(called, plan, answers)
    summary = steps.conclude(called, findings, parameters, equipment)
    seconds = time.process_time() - started
    return GenintRun(_told(summary.results, contigs), seconds)


def _told(results: tuple[GeneResult, ...], contigs: Sequence[int | None]) -> tuple[ToldGene, ...]:
    told = []
    for result in results:
        gene = result.gene
        number = int(gene.contig.removeprefix("c"))
        place = place_of(number, gene.span, gene.strand, contigs[number])
        found = result.interpretation
        leading = found.hypotheses[0] if found and found.hypotheses else None
        if found is None or leading is None or leading.specificity is Specificity.CATEGORY:
            told.append(ToldGene(place, ""))
            continue
        told.append(
            ToldGene(
                place,
                "" if says_nothing(leading.claim) else leading.claim,
                domain=leading.specificity is Specificity.DOMAIN,
                level=found.confidence_level.value,
                score=found.confidence_score,
                source=" + ".join(dict.fromkeys(one.source.value for one in leading.evidence)),
                family=_strength(leading.evidence),
            )
        )
    return tuple(told)


def _strength(evidence: tuple[Evidence, ...]) -> FamilyStrength | None:
    for one in evidence:
        if one.support is not None:
            support = one.support
            return FamilyStrength(
                one.accession or "", support.consensus, support.named_members, support.margin_bits
            )
    return None
