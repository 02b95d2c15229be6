"""Genes of many contigs are found in parts, with the same calls as in one go."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from genint.formats import read_genome_bytes
from genint.model import (
    CalledBy,
    Contig,
    FileFormat,
    Gene,
    Genome,
    GenomeSource,
    Interval,
    Location,
    Parameters,
    Strand,
    Topology,
)
from genint.model.imported import ReadPeptide
from genint.pipeline import gene_calling
from genint.pipeline.gene_calling import call, call_or_split, call_part, join_calls

PIECE_BP = 3_000


@pytest.fixture
def few_make_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of some contigs are cut into parts, so that a test needs no megabases."""
    monkeypatch.setattr(gene_calling, "_MANY_CONTIGS", 4)
    monkeypatch.setattr(gene_calling, "_PART_BP", 2 * PIECE_BP)


@pytest.fixture(scope="module")
def contigs(examples: Path) -> Genome:
    """Pieces of lambda, the last one longer than the others."""
    bases = "".join((examples / "lambda.fasta").read_text().splitlines()[1:])
    ends = [*range(0, 5 * PIECE_BP, PIECE_BP), 5 * PIECE_BP + 12_000]
    pieces = [bases[start:end] for start, end in pairwise(ends)]
    text = "".join(f">piece_{at}\n{piece}\n" for at, piece in enumerate(pieces))
    return read_genome_bytes(text.encode(), "pieces.fasta")


@pytest.mark.usefixtures("few_make_parts")
@pytest.mark.parametrize("phage", [False, True])
def test_parts_give_the_calls_of_the_whole_file(contigs: Genome, phage: bool) -> None:
    parameters = Parameters(phage=phage)
    uncalled, parts = call_or_split(contigs, parameters)
    assert len(parts) > 1
    assert join_calls(uncalled, *map(call_part, parts)) == call(contigs, parameters)


@pytest.mark.usefixtures("few_make_parts")
def test_numbers_over_all_records_and_peptides_keep_a_file_whole(contigs: Genome) -> None:
    tagged, parts = call_or_split(contigs, Parameters(locus_tag_prefix="ABC"))
    assert tagged.calls is not None
    assert parts == ()
    peptides = [ReadPeptide("MKLVRAAGEK")]
    assert call_or_split(contigs, Parameters(), peptides)[1] == ()


def test_a_file_of_few_contigs_is_called_in_one_go(contigs: Genome) -> None:
    called, parts = call_or_split(contigs, Parameters())
    assert parts == ()
    assert called == call(contigs, Parameters())


def test_the_ends_of_an_annotated_linear_record_are_compared():
    repeat = "ACGTTGCAATGCCGATTAGCCATTAGGCATTACGGATTACA" * 2
    middle = "GATTACA" * 200
    contig = Contig("t", repeat + middle + repeat, topology=Topology.LINEAR)
    gene = Gene(
        id="g",
        contig="t",
        location=Location.simple(Interval(90, 390), Strand.FORWARD),
        protein="M" * 99,
        translation_table=11,
        called_by=CalledBy.GENBANK,
    )
    for topology, expected in ((Topology.LINEAR, len(repeat)), (Topology.CIRCULAR, 0)):
        whole = replace(contig, topology=topology, genes=(gene,))
        genome = Genome((whole,), GenomeSource("t.gbk", "0" * 64, FileFormat.GENBANK))
        (called,) = call(genome, Parameters()).annotated.contigs
        assert called.terminal_repeat_bp == expected
