"""genint on a FASTA with the families of a given build, as the bench wants it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.accuracy_truth import FamilyStrength, ToldGene, place_of, says_nothing
from genint import steps
from genint.knowledge.own_families import FamilyPack
from genint.knowledge.shipped import OWN_FAMILIES, OWN_FAMILY_MEMBERS
from genint.model.evidence import Evidence
from genint.model.interpretation import GeneResult, Parameters
from genint.model.vocabulary import Specificity

ROOT = Path(__file__).resolve().parent.parent
_EXCLUSION = "exclusion.txt"
_FILES = (*(pack.file for pack in FamilyPack), OWN_FAMILIES, OWN_FAMILY_MEMBERS)


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


def build_blind(exclusion: str, *, data: Path, work: Path, output: Path) -> Path:
    """Families that know nothing of what an exclusion file hides.

    Built again only where the exclusion or the sources of the build have changed, or where a
    build did not end.

    Args:
        exclusion: Text of the file.
        data: The data folder.
        work: Work folder of the builds, shared by all of them.
        output: Where this one goes.

    Raises:
        subprocess.CalledProcessError: the build failed.
    """
    output.mkdir(parents=True, exist_ok=True)
    if is_current(output, exclusion):
        return output
    finished = output / _EXCLUSION
    finished.unlink(missing_ok=True)
    unfinished = finished.with_suffix(".part")
    unfinished.write_text(exclusion, encoding="utf-8")
    command = [sys.executable, "-m", "training.families", "--data", str(data)]
    command += ["--work", str(work), "--output", str(output), "--exclude", str(unfinished)]
    with (output / "build.log").open("w") as log:
        subprocess.run(
            command, cwd=ROOT, check=True, stdout=log, stderr=subprocess.STDOUT, env=os.environ
        )
    unfinished.replace(finished)
    return output


def is_current(output: Path, exclusion: str, made_by: Iterable[Path] | None = None) -> bool:
    """Whether a folder has a complete build of this exclusion, begun after its sources changed.

    The exclusion file gets its name when the build has ended, and keeps the time of its
    beginning: what changed while the build ran makes it stale as well.

    Args:
        output: Folder of the build.
        exclusion: What has to be hidden.
        made_by: What builds depend on; None for all that they do.
    """
    finished = output / _EXCLUSION
    if not all((output / name).is_file() for name in (*_FILES, _EXCLUSION)):
        return False
    if finished.read_text(encoding="utf-8") != exclusion:
        return False
    began = finished.stat().st_mtime
    return all(began > path.stat().st_mtime for path in made_by or sources())


def sources() -> tuple[Path, ...]:
    """Files of the project that a build of families depends on."""
    knowledge = ROOT / "genint" / "knowledge"
    folders = (ROOT / "training" / "families", ROOT / "training" / "vocabulary", knowledge)
    return (
        *(path for folder in folders for path in sorted(folder.glob("*.py"))),
        *(path for folder in folders[:2] for path in sorted(folder.glob("*.toml"))),
        *(path for path in sorted((knowledge / "data").glob("*.tsv*")) if path.name not in _FILES),
    )


def empty_families(folder: Path) -> Path:
    """A build without any family, which leaves genint with Pfam alone."""
    from training.families import tables  # noqa: PLC0415 - only this mode needs the builder

    tables.write_empty(folder)
    return folder
