"""genint on a FASTA with the families of a given build, as the bench wants it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.accuracy_truth import FamilyStrength, ToldGene, place_of, says_nothing
from genint import steps
from genint.model.evidence import Evidence
from genint.model.interpretation import GeneResult, Parameters
from genint.model.vocabulary import Specificity

ROOT = Path(__file__).resolve().parent.parent
_TABLE = "families.tsv"
_EXCLUSION = "exclusion.txt"


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
    genome = steps.read(fasta)
    length_bp = sum(len(contig) for contig in genome.contigs)
    profiles = steps.prepare_profiles(cache, families, length_bp=length_bp)
    started = time.process_time()
    called = steps.call(genome, parameters)
    hits = steps.search(called.proteins, profiles)
    summary = steps.conclude(called, hits, parameters, families)
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

    Built again only where the exclusion or the sources of the build have changed.

    Args:
        exclusion: Text of the file.
        data: The data folder.
        work: Work folder of the builds, shared by all of them.
        output: Where this one goes.

    Raises:
        subprocess.CalledProcessError: the build failed.
    """
    output.mkdir(parents=True, exist_ok=True)
    file, table = output / _EXCLUSION, output / _TABLE
    if table.exists() and file.exists() and file.read_text() == exclusion and _newer(table):
        return output
    table.unlink(missing_ok=True)
    file.write_text(exclusion)
    command = [sys.executable, "-m", "training.families", "--data", str(data)]
    command += ["--work", str(work), "--output", str(output), "--exclude", str(file)]
    with (output / "build.log").open("w") as log:
        subprocess.run(
            command, cwd=ROOT, check=True, stdout=log, stderr=subprocess.STDOUT, env=os.environ
        )
    return output


def _newer(table: Path) -> bool:
    """Whether a build is younger than all that it was made by."""
    made_by = [
        *(ROOT / "training" / "families").glob("*.[pt]*"),
        *(ROOT / "genint" / "knowledge" / "data").glob("products_*.toml"),
    ]
    return all(table.stat().st_mtime > path.stat().st_mtime for path in made_by)


def empty_families(folder: Path) -> Path:
    """A build without any family, which leaves genint with Pfam alone."""
    from training.families import tables  # noqa: PLC0415 - only this mode needs the builder

    tables.write_empty(folder)
    return folder
