"""What it adds to a frame's odds that a family recognises its protein, or that none does.

Counted on the frames whose proteins a run would search, in genomes whose own proteins and
those of their near relatives are hidden from the families: how often a hit of each kind falls
on genes of the record and how often on other frames. The logarithm of the ratio is the addend.
"""

from __future__ import annotations

import math
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from genint.genes import call_genes
from genint.genes.rescue import class_of
from genint.genes.topology import stop_number
from genint.knowledge.rescue import RescueParameters
from genint.model.evidence import ProfileHit
from genint.model.genome import FileFormat, Genome, GenomeSource
from genint.model.interpretation import Parameters
from genint.model.rescue import RescueKind
from genint.pipeline.gene_calling import Called
from genint.pipeline.resources import Folders, load_resources
from genint.pipeline.searches import gather, plan_search
from genint.pipeline.searches import search as search_task
from training.genes.examples import Frames, bare

KINDS: Final = ("family", "domain", "part", "none")


class Counted(NamedTuple):
    """Frames by what recognises them.

    Attributes:
        genes: Of genes of the record.
        others: Of other frames.
    """

    genes: Counter[str]
    others: Counter[str]

    @property
    def log_odds(self) -> dict[str, float]:
        """Addends, half a frame added to every count."""
        return {
            kind: round(math.log(self._share(self.genes, kind) / self._share(self.others, kind)), 4)
            for kind in KINDS
        }

    def _share(self, counts: Counter[str], kind: str) -> float:
        return (counts[kind] + 0.5) / (counts.total() + 0.5 * len(KINDS))


class Searched(NamedTuple):
    """A genome whose candidates were searched.

    Attributes:
        frames: The genome.
        hits: Of all its proteins.
        counted: Its candidates.
    """

    frames: Frames
    hits: tuple[ProfileHit, ...]
    counted: Counted


def search(
    frames: Iterable[Frames], parameters: Mapping[str, RescueParameters], families: Path
) -> tuple[Searched, ...]:
    """Search the candidates of all genomes for which families are there that know them not.

    Args:
        frames: Genomes.
        parameters: By group, fitted without it.
        families: Folder of the blind builds of ``training.confidence``.

    Cost: 2 to 10 CPU s a phage, and 15 s to press each build.
    """
    return tuple(
        _searched(one, parameters[one.group.name], build)
        for one in frames
        if (build := one.group.blind_build(families)) is not None
    )


def _searched(frames: Frames, parameters: RescueParameters, build: Path) -> Searched:
    contig = frames.settled.contig
    source = GenomeSource(frames.genome, "", FileFormat.FASTA)
    hidden = Genome((bare(contig),), source)
    calls = call_genes(hidden, phage=True, parameters=parameters)
    called = Called(hidden, calls, calls.proteins)
    hits = _hits(called, build)
    by_gene: dict[str, ProfileHit] = {}
    for hit in sorted(hits, key=lambda hit: (class_of(hit) == "part", hit.evalue)):
        by_gene.setdefault(hit.gene_id, hit)
    counted = Counted(Counter(), Counter())
    for candidate in calls.contigs[0].candidates:
        if candidate.kind is RescueKind.INTERNAL_START:
            continue
        gene = candidate.gene
        is_gene = stop_number(gene.span, gene.strand, len(contig)) in frames.lengths
        counts = counted.genes if is_gene else counted.others
        counts[class_of(by_gene.get(gene.id))] += 1
    return Searched(frames, hits, counted)


def _hits(called: Called, build: Path) -> tuple[ProfileHit, ...]:
    """What profiles find: those of Pfam and of a build."""
    options = Parameters(phage=True)
    with tempfile.TemporaryDirectory() as cache:
        equipment = load_resources(options, Folders(Path(cache), families=build))
        plan = plan_search(called, equipment, options)
        answers = [answer for task in plan.tasks for answer in search_task(task)]
        profiles = gather(called, plan, answers).profiles
    return tuple(hit for hit in profiles if hit.score_bits >= hit.threshold_bits)


def pooled(searched: Sequence[Searched], without: str = "") -> Counted:
    """All genomes together, but those of one group."""
    kept = [one for one in searched if one.frames.group.name != without]
    return Counted(
        sum((one.counted.genes for one in kept), Counter()),
        sum((one.counted.others for one in kept), Counter()),
    )
