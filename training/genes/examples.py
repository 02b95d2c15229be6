"""Frames of annotated genomes whose annotation is hidden, and whether they are genes."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from genint.formats import read_genome
from genint.genes.calling import ChosenSearch, search_genome
from genint.genes.orf_features import ContigFrames, MeasuredFrames, measure_frames
from genint.genes.topology import stop_number
from genint.model.genome import Contig, Gene, Genome
from genint.model.interval import Location
from genint.model.sequence import extract, translate_cds
from training.genes.decoys import shuffled, turned_round
from training.genes.panel import Group

_SEED = 20


@dataclass(frozen=True, slots=True, eq=False)
class Frames:
    """All frames of one contig that the gene finder does not call.

    Attributes:
        genome: Its name.
        group: Of the panel.
        bacterium: Kind of the genome.
        settled: What the finder saw.
        described: What is measured of the frames, several starts for a stop codon.
        stop: A number for each stop codon.
        is_gene: Annotated: the same stop codon.
        is_exact: The same start too.
        is_known: Whether the annotation can tell: False at pseudogenes, and where another
            genome of the panel has the very protein as a gene and this one says nothing.
        lengths: Lengths of the annotated genes of each stop codon, in bases.
        called: Stop codons of the calls.
        is_decoy: Made up: no frame that is not called is a gene.
    """

    genome: str
    group: Group
    settled: ChosenSearch
    described: MeasuredFrames
    stop: NDArray[np.int64]
    is_gene: NDArray[np.bool_]
    is_exact: NDArray[np.bool_]
    is_known: NDArray[np.bool_]
    lengths: Mapping[int, tuple[int, ...]]
    called: frozenset[int]
    is_decoy: bool = False


def bare(contig: Contig) -> Contig:
    """A contig without its annotation."""
    return replace(contig, genes=(), rna_genes=(), other_features=(), translation_table=None)


def read_frames(groups: Iterable[Group], folder: Path) -> tuple[Frames, ...]:
    """Frames of all genomes of a panel.

    Args:
        groups: Of the panel.
        folder: Where the files of genomes are.

    Cost: 0.3 CPU s for a phage, 10 s for a bacterium.
    """
    read = [
        (group, name, read_genome(folder / file))
        for group in groups
        for name, file in group.genomes.items()
    ]
    proteins = {gene.protein for _, _, genome in read for gene in genome.genes if gene.protein}
    return tuple(
        frames
        for group, name, genome in read
        for frames in _of_genome(group, name, genome, proteins)
    )


def read_decoys(groups: Iterable[Group], folder: Path) -> tuple[Frames, ...]:
    """Frames of two decoys of every genome: reversed, and with the codons of genes shuffled.

    Genes that the shuffled one keeps and the finder does not call are not known to be none.

    Cost: as :func:`read_frames`, twice.
    """
    found = []
    for group in groups:
        for name, file in group.genomes.items():
            genome = read_genome(folder / file)
            chance = random.Random(_SEED)  # noqa: S311 - decoys, no secrets
            mixed = [shuffled(contig, chance) for contig in genome.contigs]
            for contigs in (map(turned_round, genome.contigs), mixed):
                made = replace(genome, contigs=tuple(contigs))
                found += [
                    replace(one, is_known=one.is_known & ~one.is_gene, is_decoy=True)
                    for one in _of_genome(group, name, made, set())
                ]
    return tuple(found)


def _of_genome(group: Group, name: str, genome: Genome, proteins: set[str]) -> Iterable[Frames]:
    hidden = replace(genome, contigs=tuple(map(bare, genome.contigs)))
    searched = search_genome(hidden, scored=True)
    for contig, settled in zip(genome.contigs, searched, strict=True):
        yield _of_contig(group, name, contig, settled, proteins)


def frames_of(settled: ChosenSearch) -> ContigFrames:
    """A contig with what the finder saw on it."""
    return ContigFrames(
        settled.contig.bases,
        settled.code.number,
        circle=settled.topology.is_circle,
        bacterium=not settled.result.model.is_meta,
        calls=settled.result.calls,
        starts=settled.result.starts,
    )


def _of_contig(
    group: Group, name: str, contig: Contig, settled: ChosenSearch, proteins: set[str]
) -> Frames:
    result, contig_bp = settled.result, len(contig)
    described = measure_frames([frames_of(settled)])
    stop = described.frames.stops(contig_bp)
    genes = {_stop(gene, contig_bp): gene for gene in contig.genes if not gene.pseudo}
    pseudo = [_stop(gene, contig_bp) for gene in contig.genes if gene.pseudo]
    is_gene = np.isin(stop, np.array(sorted(genes), dtype=np.int64))
    lengths = np.array(
        [len(genes[one].span) if one in genes else 0 for one in stop.tolist()], dtype=np.int64
    )
    unsaid = np.zeros(len(stop), dtype=np.bool_)
    if not group.bacterium:
        unsaid = ~is_gene & _annotated_elsewhere(contig, settled, described, stop, proteins)
    called = frozenset(call.stop(contig_bp) for call in result.calls)
    return Frames(
        genome=name,
        group=group,
        settled=settled,
        described=described,
        stop=stop,
        is_gene=is_gene,
        is_exact=is_gene & (lengths == described.frames.length_bp),
        is_known=~(unsaid | np.isin(stop, np.array(pseudo, dtype=np.int64))),
        lengths=_lengths(contig),
        called=called,
    )


def _lengths(contig: Contig) -> dict[int, tuple[int, ...]]:
    found: dict[int, list[int]] = defaultdict(list)
    for gene in contig.genes:
        if not gene.pseudo:
            found[_stop(gene, len(contig))].append(len(gene.span))
    return {stop: tuple(lengths) for stop, lengths in found.items()}


def _stop(gene: Gene, contig_bp: int) -> int:
    return stop_number(gene.span, gene.strand, contig_bp)


def _annotated_elsewhere(
    contig: Contig,
    settled: ChosenSearch,
    described: MeasuredFrames,
    stop: NDArray[np.int64],
    proteins: set[str],
) -> NDArray[np.bool_]:
    """Stop codons with a frame whose very protein is a gene of another genome."""
    known = {
        int(stop[row])
        for row in range(len(stop))
        if protein_of(contig.bases, settled, described, row) in proteins
    }
    return np.isin(stop, np.array(sorted(known), dtype=np.int64))


def protein_of(bases: str, settled: ChosenSearch, described: MeasuredFrames, row: int) -> str:
    """Translation of a frame."""
    frames = described.frames
    location = Location.simple(frames.interval(row), frames.strand_of(row))
    return translate_cds(extract(bases, location), settled.code.number)
