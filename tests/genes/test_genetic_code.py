"""Genetic codes: told from the sequence, with the reason, never silently."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from genint.formats import read_genome
from genint.genes import call_genes, recoded_warnings, with_suppressors
from genint.model import (
    CalledBy,
    Contig,
    GeneCalling,
    Genome,
    Interval,
    Location,
    RnaGene,
    Strand,
    reverse_complement,
)


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


@pytest.mark.slow
def test_a_hundred_microviruses_are_all_written_in_the_usual_code(shared_data: Path) -> None:
    genome = read_genome(shared_data / "genomes" / "microviruses100_pharokka.gbk")
    notes = [c.contig.calling for c in call_genes(genome).contigs]
    assert {note.translation_table for note in notes if note} == {11}
    assert len(notes) == 100


@pytest.mark.parametrize("share", [0.8, 1.0])
def test_tga_in_place_of_one_codon_of_glycine_is_code_25(
    lambda_phage: Genome, make_genome, share: float
) -> None:
    bases = recode(lambda_phage, sense="GGA", freed="TGA", stop="TAA", share=share)
    assert calling_of(make_genome(bases)).translation_table == 25


def recoded(table: int, *, stated: bool = False) -> Contig:
    calling = GeneCalling("pyrodigal meta", table, "codons say so", "a line")
    return Contig("c1", "A" * 900, translation_table=table if stated else None, calling=calling)


def trna(anticodon: str, at: int = 100) -> RnaGene:
    place = Location.simple(Interval(at, at + 76), Strand.FORWARD)
    return RnaGene(f"r{at}", "c1", place, "tRNA", "tRNA-Xxx", anticodon=anticodon)


@pytest.mark.parametrize(
    ("table", "anticodon", "codon"), [(4, "TCA", "TGA"), (25, "TCA", "TGA"), (15, "CTA", "TAG")]
)
def test_the_trna_that_reads_the_freed_codon_is_told(table, anticodon, codon) -> None:
    found = (trna("GAA"), trna(anticodon, 200), trna(anticodon, 400))
    contig = with_suppressors(recoded(table), found)
    assert contig.calling.code_reason == (
        f"codons say so; 2 tRNA with the anticodon {anticodon}, which reads {codon}: "
        "tRNA-Xxx at 201 to 276, tRNA-Xxx at 401 to 476"
    )


def test_that_no_such_trna_was_found_is_told_too() -> None:
    contig = with_suppressors(recoded(15), (trna("GAA"), trna("TCA")))
    assert (
        "no tRNA with the anticodon CTA, which reads TAG, was found" in contig.calling.code_reason
    )


def test_codes_that_are_stated_or_usual_need_no_trna() -> None:
    for contig in (recoded(4, stated=True), recoded(11)):
        assert with_suppressors(contig, (trna("TCA"),)) is contig


def test_a_code_that_was_chosen_is_never_silent() -> None:
    contigs = (recoded(4), recoded(11), recoded(15, stated=True))
    (warning,) = recoded_warnings(contigs)
    assert (warning.code, warning.contig) == ("recoded", "c1")
    assert warning.text.startswith("genetic code 4 was chosen, the file gives none: ")
    assert "codons say so" in warning.text


def test_every_contig_of_a_recoded_draft_is_told_and_remarked_on(shared_data: Path) -> None:
    draft = read_genome(shared_data / "genomes" / "M_mycoides_LAEX01_multi.gbff.gz")
    bare = [replace(c, genes=(), translation_table=None) for c in draft.contigs]
    contigs = [c.contig for c in call_genes(replace(draft, contigs=tuple(bare))).contigs]
    assert {c.calling.translation_table for c in contigs if c.calling} == {4}
    assert [warning.contig for warning in recoded_warnings(contigs)] == [c.id for c in contigs]


@pytest.mark.parametrize("file", ["S_pyogenes_M1_NC_002737.gb.gz", "phageK_NC_005880.gbk"])
def test_pieces_of_genomes_in_the_usual_code_are_never_recoded(
    shared_data: Path, make_genome, file: str
) -> None:
    bases = read_genome(shared_data / "genomes" / file).contigs[0].bases
    step = len(bases) // 12
    for at in range(0, len(bases) - 10_000, step):
        assert calling_of(make_genome(bases[at : at + 10_000])).translation_table == 11
