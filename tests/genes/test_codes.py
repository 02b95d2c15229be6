"""Genetic codes: told from the sequence, with the reason, never silently."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from genint.formats import read_genome
from genint.genes import call_genes
from genint.model.genome import CalledBy, GeneCalling, Genome
from genint.model.sequence import reverse_complement


def calling_of(genome: Genome) -> GeneCalling:
    calling = call_genes(genome).contigs[0].contig.calling
    assert calling is not None
    return calling


def recode(genome: Genome, *, sense: str, freed: str, stop: str, share: float) -> str:
    """Lambda as a recoded genome would write it: genes that do not overlap others
    have a share of their ``sense`` codons written as ``freed``, and end in ``stop``."""
    contig = call_genes(genome).contigs[0].contig
    rng = random.Random(7)
    bases = list(contig.bases)
    covered = [0] * len(bases)
    for gene in contig.genes:
        for place in range(gene.span.start, gene.span.end):
            covered[place] += 1
    for gene in contig.genes:
        codons = [contig.coding_bases(gene)[at : at + 3] for at in range(0, len(gene.location), 3)]
        written = [
            freed if at and codon.startswith(sense) and rng.random() < share else codon
            for at, codon in enumerate(codons[:-1])
        ]
        coding = "".join([*written, stop if codons[-1] == freed else codons[-1]])
        if gene.strand < 0:
            coding = reverse_complement(coding)
        for place, base in enumerate(coding, gene.span.start):
            if covered[place] == 1:
                bases[place] = base
    return "".join(bases)


def test_lambda_is_written_in_the_usual_code(lambda_phage: Genome) -> None:
    calling = calling_of(lambda_phage)
    assert calling.translation_table == 11
    assert "less with TGA read through" in calling.code_reason
    assert "less with TAG read through" in calling.code_reason


def test_tga_in_place_of_glycine_is_code_25(lambda_phage: Genome, make_genome) -> None:
    bases = recode(lambda_phage, sense="GG", freed="TGA", stop="TAA", share=0.5)
    calling = calling_of(make_genome(bases))
    assert calling.translation_table == 25
    assert "TGA is read as glycine" in calling.code_reason
    assert "2.5%" in calling.code_reason


def test_tga_in_place_of_tryptophan_is_code_4(lambda_phage: Genome, make_genome) -> None:
    bases = recode(lambda_phage, sense="TGG", freed="TGA", stop="TAA", share=0.9)
    calling = calling_of(make_genome(bases))
    assert calling.translation_table == 4
    assert "TGA is read as tryptophan" in calling.code_reason


def test_tag_in_place_of_glutamine_is_code_15(lambda_phage: Genome, make_genome) -> None:
    bases = recode(lambda_phage, sense="CAG", freed="TAG", stop="TAA", share=0.5)
    calls = call_genes(make_genome(bases)).contigs[0].contig
    assert calls.calling is not None
    assert calls.calling.translation_table == 15
    assert "pyrodigal-gv" in calls.calling.method
    assert {g.called_by for g in calls.genes} == {CalledBy.PYRODIGAL_GV}
    assert all("*" not in g.protein for g in calls.genes)


@pytest.mark.parametrize("table", [1, 4, 11, 15, 25])
def test_a_code_that_the_file_states_is_honoured(
    lambda_phage: Genome, make_genome, table: int
) -> None:
    calling = calling_of(make_genome(lambda_phage.contigs[0].bases[:8000], table=table))
    assert (calling.translation_table, calling.code_reason) == (table, "as the file says")


def test_a_stated_code_that_the_finder_does_not_know_is_named(make_genome) -> None:
    calling = calling_of(make_genome("ACGT" * 2000, table=27))
    assert calling.translation_table == 11
    assert "code 27" in calling.code_reason


def test_short_contigs_get_the_usual_code_and_say_so(lambda_phage: Genome, make_genome) -> None:
    calling = calling_of(make_genome(lambda_phage.contigs[0].bases[:3000]))
    assert calling.translation_table == 11
    assert "too little coding sequence to tell" in calling.code_reason


@pytest.mark.parametrize(
    ("file", "table"),
    [
        ("table4_phage_SRR1747055_scaffold7.fa", 4),
        ("SpV4_NC_003438.fa", 4),
        ("crAss_BK025033.fa", 15),
        ("lambda_NC_001416.fasta", 11),
        ("T7_V01146.fasta", 11),
        ("SAOMS1_MW460250.fasta", 11),
        ("odd_NC_005816.fna", 11),
        ("B_quintana.fna", 11),
    ],
)
def test_codes_of_real_genomes_are_told(shared_data: Path, file: str, table: int) -> None:
    assert calling_of(read_genome(shared_data / "genomes" / file)).translation_table == table


def test_a_hundred_microviruses_are_all_written_in_the_usual_code(shared_data: Path) -> None:
    genome = read_genome(shared_data / "genomes" / "microviruses100_pharokka.gbk")
    notes = [c.contig.calling for c in call_genes(genome).contigs]
    assert {note.translation_table for note in notes if note} == {11}
    assert len(notes) == 100
