"""Phages that have the composition of a bacterium beside them are told by how their genes lie."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from genint.formats import read_genome
from genint.genes import layout_of, with_phages
from genint.knowledge import GeneLayout, load_contig_kinds
from genint.model import Contig, FileFormat, Genome, GenomeKind, GenomeSource, Parameters
from genint.pipeline.gene_calling import call

MODEL = load_contig_kinds()
PHAGE, BACTERIUM = GenomeKind.PHAGE, GenomeKind.BACTERIUM
PIECE_BP = 40_000


def genome(*contigs: Contig) -> Genome:
    return Genome(contigs, GenomeSource("mixed.fasta", "0" * 64, FileFormat.FASTA))


def kinds(found: Genome) -> list[GenomeKind | None]:
    return [contig.kind for contig in found.contigs]


@pytest.fixture(scope="module")
def lambda_bases(examples: Path) -> str:
    return read_genome(examples / "lambda.fasta").contigs[0].bases


def test_runs_on_one_strand_and_short_close_genes_speak_for_a_phage():
    bacterial = GeneLayout(switches=0.3, short=0.08, gaps=0.4, genes_per_kb=0.9)
    before = MODEL.log_odds(bacterial)
    assert MODEL.log_odds(bacterial._replace(switches=0.05)) > before
    assert MODEL.log_odds(bacterial._replace(short=0.3)) > before
    assert MODEL.log_odds(bacterial._replace(gaps=0.1)) > before
    assert not MODEL.is_phage(bacterial)


def test_without_two_genes_there_is_no_layout():
    assert layout_of("N" * 20_000) is None


def test_lambda_among_records_taken_for_a_bacteriums_is_a_phage(lambda_bases):
    held = Contig("host", "N" * 20_000, kind=BACTERIUM)
    found = with_phages(genome(held, Contig("x", lambda_bases, kind=BACTERIUM)), MODEL)
    assert kinds(found) == [BACTERIUM, PHAGE]


@pytest.mark.parametrize(
    "changes",
    [{"lineage": ("Bacteria",)}, {"description": "plasmid pX"}, {"bases": "N" * 600_000}],
)
def test_what_the_file_calls_a_cells_and_what_is_too_long_for_a_piece_stays(lambda_bases, changes):
    one = replace(Contig("x", lambda_bases, kind=BACTERIUM), **changes)
    assert kinds(with_phages(genome(one, one), MODEL)) == [BACTERIUM, BACTERIUM]


def test_a_single_record_is_not_asked(lambda_bases):
    alone = genome(Contig("x", lambda_bases, kind=BACTERIUM))
    assert with_phages(alone, MODEL) is alone


@pytest.mark.slow
def test_in_a_mixed_file_lambda_is_a_phage_and_pieces_of_its_host_are_not(
    shared_data, lambda_bases
):
    """E. coli is none of the bacteria that the model was fitted on; lambda has its composition."""
    file = shared_data / "genomes" / "E_coli_K12_MG1655_NC_000913.gbk.gz"
    host = read_genome(file).contigs[0].bases[2_000_000 : 2_000_000 + 13 * PIECE_BP]
    pieces = [Contig(f"b{at}", host[at : at + PIECE_BP]) for at in range(0, len(host), PIECE_BP)]
    called = call(genome(*pieces, Contig("x", lambda_bases)), Parameters())
    assert kinds(called.annotated) == [*[BACTERIUM] * len(pieces), PHAGE]
