"""Made-up contigs for the tests of the bench of genes."""

from __future__ import annotations

import random

from benchmarks.genes.panel import Listed, Subject, without_genes
from genint.model import (
    CalledBy,
    Contig,
    FileFormat,
    Gene,
    Genome,
    GenomeSource,
    Interval,
    Location,
    Strand,
    Topology,
)


def made_gene(
    id_: str, start: int, end: int, strand: int = 1, *, contig: str = "c", pseudo: bool = False
) -> Gene:
    return Gene(
        id=id_,
        contig=contig,
        location=Location.simple(Interval(start, end), Strand(strand)),
        protein="M",
        translation_table=11,
        called_by=CalledBy.GENBANK,
        pseudo=pseudo,
    )


def made_contig(length: int, *genes: Gene, circular: bool = False, bases: str = "") -> Contig:
    chance = random.Random(7)
    return Contig(
        id="c",
        bases=bases or "".join(chance.choices("ACGT", k=length)),
        topology=Topology.CIRCULAR if circular else Topology.LINEAR,
        topology_stated=True,
        genes=genes,
    )


def made_genome(*contigs: Contig) -> Genome:
    return Genome(contigs, GenomeSource("made.gb", "0", FileFormat.GENBANK))


def made_subject(*contigs: Contig) -> Subject:
    genome = made_genome(*contigs)
    return Subject(Listed("made", "made.gb", "12 phages"), genome, without_genes(genome))
