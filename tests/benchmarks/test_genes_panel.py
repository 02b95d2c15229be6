"""Genomes of the bench are there, have genes, and lose them before they are searched."""

from __future__ import annotations

from pathlib import Path

from benchmarks.genes.panel import GENOMES, PANEL, chosen, in_shape, missing, read, without_genes
from genint.model import Topology
from tests.benchmarks.genes_examples import made_contig, made_gene, made_genome


def test_every_listed_genome_is_there_and_has_genes(shared_data: Path) -> None:
    folder = shared_data / "genomes"
    assert missing(GENOMES, folder) == ()
    for subject in read(chosen(bacteria=False, quick=False), folder):
        assert subject.annotated.genes
        assert not subject.bare.genes
        assert subject.bare.length_bp == subject.annotated.length_bp


def test_missing_files_are_named(tmp_path: Path) -> None:
    assert missing(GENOMES[:1], tmp_path) == ("lambda_NC_001416.gb",)


def test_the_panel_has_twelve_phages() -> None:
    assert len([one for one in GENOMES if one.pool == PANEL]) == 12


def test_nothing_of_the_record_but_bases_and_shape_is_left() -> None:
    contig = made_contig(300, made_gene("a", 0, 90), circular=True)
    (bare,) = without_genes(made_genome(contig)).contigs
    assert (bare.genes, bare.description, bare.translation_table) == ((), "", None)
    assert (bare.bases, bare.topology) == (contig.bases, Topology.CIRCULAR)


def test_a_file_that_says_nothing_is_a_line_that_is_not_stated() -> None:
    genome = made_genome(made_contig(300, circular=True))
    (silent,) = in_shape(genome, None).contigs
    (line,) = in_shape(genome, Topology.LINEAR).contigs
    assert (silent.topology, silent.topology_stated) == (Topology.LINEAR, False)
    assert (line.topology, line.topology_stated) == (Topology.LINEAR, True)
