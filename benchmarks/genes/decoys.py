"""Genomes in which a rescued frame is false by construction.

Codon-shuffled ones and reversed ones; ``training/genes/decoys.py`` says how they are made.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from benchmarks.genes.callers import Found
from benchmarks.genes.figures import Span, circle_of
from benchmarks.genes.panel import Subject, without_genes
from genint.model.genome import Genome
from genint.model.interval import Strand
from training.genes.decoys import shuffled, turned_round

PER_BP = 50_000


@dataclass(frozen=True, slots=True)
class Decoy:
    """A made-up genome.

    Attributes:
        subject: To be searched.
        kept: By contig, the stops of genes that it still has.
    """

    subject: Subject
    kept: tuple[frozenset[tuple[int, Strand]], ...]


@dataclass(frozen=True, slots=True)
class FalseCount:
    """Rescued frames of decoys.

    Attributes:
        false: Those that are no gene by construction.
        true: Those that are genes which the decoy kept.
        calls: All calls.
        length_bp: Of the decoys.
    """

    false: int = 0
    true: int = 0
    calls: int = 0
    length_bp: int = 0

    def __add__(self, other: FalseCount) -> FalseCount:
        return FalseCount(
            self.false + other.false,
            self.true + other.true,
            self.calls + other.calls,
            self.length_bp + other.length_bp,
        )

    @property
    def per_50_kb(self) -> float:
        """False rescues per 50 kb."""
        return self.false * PER_BP / max(1, self.length_bp)


def count_false(decoy: Decoy, found: Found) -> FalseCount:
    """Rescued frames of a decoy, true and false; internal starts are always false."""
    false = true = 0
    contigs = decoy.subject.bare.contigs
    for contig, calls, kept in zip(contigs, found.calls, decoy.kept, strict=True):
        circle_bp = circle_of(contig)
        rescued = [call for call in calls if call.rescued]
        right = sum(not c.internal and c.span.stop(circle_bp) in kept for c in rescued)
        true += right
        false += len(rescued) - right
    return FalseCount(false, true, sum(map(len, found.calls)), decoy.subject.bare.length_bp)


def reversed_genome(subject: Subject) -> Decoy:
    """The bases from last to first."""
    bare = subject.bare
    contigs = tuple(map(turned_round, bare.contigs))
    decoy = replace(bare, contigs=contigs)
    return Decoy(Subject(subject.listed, decoy, decoy), tuple(frozenset() for _ in contigs))


def shuffled_genome(subject: Subject, seed: int) -> Decoy:
    """Codons of genes and bases between them in another order. Cost: O(length)."""
    chance = random.Random(seed)
    contigs, kept = [], []
    for contig in subject.annotated.contigs:
        decoy = shuffled(contig, chance)
        contigs.append(decoy)
        circle_bp = circle_of(contig)
        kept.append(frozenset(Span(g.span, g.strand).stop(circle_bp) for g in decoy.genes))
    annotated: Genome = replace(subject.annotated, contigs=tuple(contigs))
    bare = without_genes(annotated)
    return Decoy(Subject(subject.listed, annotated, bare), tuple(kept))
