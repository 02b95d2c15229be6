"""Genomes that the tests of gene calling share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from genint.formats import read_genome
from genint.model import Contig, FileFormat, Genome, GenomeSource, Topology

GenomeMaker = Callable[..., Genome]


@pytest.fixture(scope="session")
def lambda_phage(examples: Path) -> Genome:
    return read_genome(examples / "lambda.fasta")


@pytest.fixture(scope="session")
def phix174(examples: Path) -> Genome:
    """The annotated circle: A, A*, B, K, C, D, E, J, F, G, H."""
    return read_genome(examples / "phiX174.gbk")


@pytest.fixture(scope="session")
def make_genome() -> GenomeMaker:
    """Builds a genome of bare sequences: what a FASTA file gives."""

    def make(*sequences: str, circle: bool | None = None, table: int | None = None) -> Genome:
        topology = Topology.CIRCULAR if circle else Topology.LINEAR
        contigs = tuple(
            Contig(
                f"c{number}",
                bases,
                topology=topology,
                topology_stated=circle is not None,
                translation_table=table,
            )
            for number, bases in enumerate(sequences, 1)
        )
        return Genome(contigs, GenomeSource("made.fasta", "0" * 64, FileFormat.FASTA))

    return make
