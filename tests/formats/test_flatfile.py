"""The frame of GenBank records: headers, ends, several records."""

from __future__ import annotations

import pytest

from genint.errors import FormatError
from genint.model import Topology


def codes(genome):
    return [warning.code for warning in genome.warnings]


def test_header_gives_what_a_contig_says_of_itself(genbank, read):
    [contig] = read(genbank(shape="circular")).contigs
    assert (contig.id, contig.description) == ("X1", "A small test phage")
    assert (contig.topology, contig.topology_stated) == (Topology.CIRCULAR, True)
    assert (contig.organism, contig.lineage) == ("Testphage one", ("Viruses", "Caudoviricetes"))
    assert contig.molecule_type == "DNA"


def test_shape_that_is_not_stated_is_linear_and_said_to_be_so(genbank, read):
    [contig] = read(genbank(shape="")).contigs
    assert (contig.topology, contig.topology_stated) == (Topology.LINEAR, False)


def test_record_without_terminator_warns_of_a_cut(genbank, read):
    assert codes(read(genbank().removesuffix("//\n"))) == ["missing_terminator"]


def test_length_other_than_stated_warns(genbank, read):
    assert codes(read(genbank().replace(" 60 bp", " 61 bp"))) == ["length_differs"]


def test_name_grown_together_with_the_length_is_parted(genbank, read):
    long = "NODE_1_length_60_cov_10.060"
    text = genbank().replace("X1" + " " * 24 + "60 bp", f"{long} bp").replace("  X1", "  .")
    genome = read(text)
    assert genome.contigs[0].id == "NODE_1_length_60_cov_10.0"
    assert codes(genome) == ["locus_line"]


def test_name_falls_back_from_accession_to_locus(genbank, read):
    assert read(genbank().replace("ACCESSION   X1", "ACCESSION   .")).contigs[0].id == "X1"


def test_records_of_one_accession_are_told_apart(genbank, read):
    two = [genbank(name=name).replace(f"ACCESSION   {name}", "ACCESSION   A9") for name in "BC"]
    assert [contig.id for contig in read("".join(two)).contigs] == ["B", "C"]
    genome = read(two[0] * 2)
    assert [contig.id for contig in genome.contigs] == ["B", "B_2"]
    assert codes(genome) == ["duplicate_record_id"]


def test_text_round_the_records_is_passed_over_with_a_warning(genbank, read):
    genome = read("From: a colleague\n\n" + genbank() + "Best wishes\n" + genbank(name="X2"))
    assert [contig.id for contig in genome.contigs] == ["X1", "X2"]
    assert [(w.code, w.line) for w in genome.warnings] == [
        ("text_outside_records", 1),
        ("text_outside_records", 14),
    ]


def test_blanks_in_front_of_the_first_locus_line_do_no_harm(genbank, read):
    assert read("  " + genbank()).contigs == read(genbank()).contigs


def test_record_without_sequence_beside_others_is_named(genbank, read):
    empty = "LOCUS       X9   60 bp DNA\nCONTIG      join(U1.1:1..60)\n//\n"
    genome = read(genbank() + empty)
    assert [contig.id for contig in genome.contigs] == ["X1"]
    assert codes(genome) == ["record_without_sequence"]
    assert "X9" in genome.warnings[0].text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("LOCUS       P1   60 aa\nORIGIN\n 1 mkrl\n//\n", "protein record (GenPept)"),
        ("LOCUS       W1   60 rc DNA\nWGS         A1-A9\n//\n", "master record"),
        ("LOCUS       W1   60 bp DNA\nWGS         A1-A9\n//\n", "master record"),
        ("LOCUS       C1   60 bp DNA\nCONTIG      join(U1.1:1..60)\n//\n", "CONTIG"),
        ("LOCUS       C1   60 bp DNA\nFEATURES\n     CDS             1..3\n", "cut off"),
        ("LOCUS       C1   4 bp DNA\nORIGIN\n        1 acgf\n//\n", "character 'f'"),
    ],
)
def test_record_that_holds_no_genome_is_refused_by_its_kind(read, text, reason):
    with pytest.raises(FormatError) as caught:
        read(text)
    assert reason in caught.value.reason


def test_bad_letter_is_named_with_its_line(genbank, read):
    with pytest.raises(FormatError) as caught:
        read(genbank().replace("atgaaacg", "atg?aacg"))
    assert (caught.value.source, caught.value.line) == ("small.gbk", 10)


def test_annotation_line_over_a_megabyte_is_refused(genbank, read):
    with pytest.raises(FormatError, match="1 MB") as caught:
        read(genbank(f'CDS 1..30\n/note="{"x" * 1_000_001}"'))
    assert caught.value.line == 10


def test_sequence_on_one_long_line_is_read(genbank, read):
    assert read(genbank(bases="ACGT" * 500_000)).length_bp == 2_000_000
