"""Genomes made of product names, and what is said of them as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from genint.knowledge import load_own_families, load_roles
from genint.knowledge.defence import DefenceDatabase
from genint.knowledge.overview_tables import load_overview_knowledge
from genint.model import (
    CalledBy,
    Contig,
    FileFormat,
    Gene,
    Genome,
    GenomeKind,
    GenomeSource,
    Interval,
    Location,
    Strand,
    Topology,
)
from genint.model.overview import GenomeStatement, MarkerHit, MarkerReference, MarkersFound
from genint.overview import describe
from tests.builders.results import summarise

GENE_BP = 600
SPACE_BP = 30


def genome_of(
    products: Sequence[str | None],
    *,
    topology: Topology = Topology.LINEAR,
    kind: GenomeKind = GenomeKind.PHAGE,
    record: str = "made",
) -> Genome:
    """One record whose genes, of 600 bp one behind the other, have these products."""
    step = GENE_BP + SPACE_BP
    genes = tuple(
        Gene(
            id=f"g{at}",
            contig=record,
            location=Location.simple(
                Interval((at - 1) * step, (at - 1) * step + GENE_BP), Strand.FORWARD
            ),
            protein="M" * (GENE_BP // 3 - 1),
            translation_table=11,
            called_by=CalledBy.GENBANK,
            product=product,
        )
        for at, product in enumerate(products, start=1)
    )
    bases = "ACGT" * (step * max(len(products), 1) // 4 + 1)
    contig = Contig(record, bases, topology=topology, kind=kind, genes=genes)
    return Genome((contig,), GenomeSource("made.gbk", "0" * 64, FileFormat.GENBANK))


def described(
    genome: Genome,
    markers: Mapping[str, Sequence[MarkerHit]] | None = None,
    references: tuple[MarkerReference, ...] = (),
    defence: DefenceDatabase | None = None,
) -> tuple[GenomeStatement, ...]:
    """What is said of a genome on its annotations alone."""
    summary = summarise(genome)
    knowledge = load_overview_knowledge(load_roles(), load_own_families().families, defence)
    found = MarkersFound(markers or {}, references)
    return describe(genome, summary.results, knowledge, found, ("Pfam (35.0)",))
