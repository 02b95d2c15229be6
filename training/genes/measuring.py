"""What is found in genomes of a panel by models that were fitted without them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from genint.genes import call_genes, decide
from genint.genes.topology import stop_number
from genint.knowledge.rescue import RescueParameters
from genint.model.evidence import ProfileHit
from genint.model.genome import FileFormat, Genome, GenomeSource
from genint.model.rescue import HeldOut, RescueKind
from training.genes.examples import Frames, bare

_STEPS = (0.1, 0.3, 0.6, 0.8, 1.0)


class Rescued(NamedTuple):
    """A frame that was weighed.

    Attributes:
        kind: How it lies to the calls.
        probability: As told.
        accepted: It became a gene.
        is_gene: The record has its stop codon as that of a gene; of internal starts, its
            very length too.
    """

    kind: RescueKind
    probability: float
    accepted: bool
    is_gene: bool


class Measured(NamedTuple):
    """One genome.

    Attributes:
        name: Its name.
        genes: Stop codons of genes of the record.
        called: Of these, called by the gene finder.
        calls: Calls of the finder.
        length_bp: Of the contig.
        rescued: Frames that were accepted, and near misses.
    """

    name: str
    genes: int
    called: int
    calls: int
    length_bp: int
    rescued: tuple[Rescued, ...]


def measure(
    frames: Frames, parameters: RescueParameters, hits: Sequence[ProfileHit] | None = None
) -> Measured:
    """Find the genes of one contig, its annotation hidden, and hold them against it."""
    contig = frames.settled.contig
    source = GenomeSource(frames.genome, "", FileFormat.GENBANK)
    hidden = Genome((bare(contig),), source)
    calls = call_genes(hidden, phage=True, parameters=parameters)
    (found,) = decide(calls, hits, parameters=parameters).contigs
    known = {stop: set(lengths) for stop, lengths in frames.lengths.items()}
    rescued = [
        Rescued(
            gene.rescue.kind,
            gene.rescue.probability,
            accepted=True,
            is_gene=_is_gene(
                known.get(stop_number(gene.span, gene.strand, len(contig))),
                len(gene.span),
                gene.rescue.kind,
            ),
        )
        for gene in found.genes
        if gene.rescue is not None
    ]
    rescued += [
        Rescued(
            one.rescue.kind,
            one.rescue.probability,
            accepted=False,
            is_gene=_is_gene(
                known.get(stop_number(one.interval, one.strand, len(contig))),
                len(one.interval),
                one.rescue.kind,
            ),
        )
        for one in found.rejected
        if one.rescue is not None
    ]
    return Measured(
        frames.genome,
        genes=len(known),
        called=len(frames.called & set(known)),
        calls=len(frames.called),
        length_bp=len(contig),
        rescued=tuple(rescued),
    )


def _is_gene(lengths: Iterable[int] | None, length_bp: int, kind: RescueKind) -> bool:
    if lengths is None:
        return False
    return kind is not RescueKind.INTERNAL_START or length_bp in lengths


def held_out(measured: Sequence[Measured]) -> tuple[HeldOut, ...]:
    """How often probabilities held, in a few steps; products of internal starts left away."""
    frames = [
        one
        for each in measured
        for one in each.rescued
        if one.kind is not RescueKind.INTERNAL_START
    ]
    found = []
    for low, high in pairwise(_STEPS):
        mine = [one.is_gene for one in frames if low <= one.probability < high]
        if mine:
            found.append(HeldOut(low, high, sum(mine), len(mine)))
    return tuple(found)


def measure_all(
    frames: Sequence[Frames], parameters: Mapping[str, RescueParameters]
) -> tuple[Measured, ...]:
    """All genomes, each by the parameters fitted without its group."""
    return tuple(measure(one, parameters[one.group.name]) for one in frames)
