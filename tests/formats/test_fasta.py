"""FASTA: names, shapes, letters, gaps, records without sequence."""

from __future__ import annotations

import pytest

from genint.errors import FormatError
from genint.formats import record_id, stated_topology
from genint.model import Topology


def codes(genome):
    return [warning.code for warning in genome.warnings]


def test_record_gives_id_description_and_upper_case_dna(read):
    [contig] = read("\n\n>c1 a phage\nacgu acgt RYKM\n\nswbd\n").contigs
    assert (contig.id, contig.description) == ("c1", "a phage")
    assert contig.bases == "ACGTACGTRYKMSWBD"


def test_old_comments_are_no_sequence(read):
    assert read(";a comment\n>c1\n;another\nACGT\n").contigs[0].bases == "ACGT"


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("NC_001416.1 Lambda", "NC_001416.1"),
        ("gi|9626243|ref|NC_001416.1| Lambda", "NC_001416.1"),
        ("gi|9626243|gb|J02459.1|LAMCG Lambda", "J02459.1"),
        ("lcl|contig_1", "contig_1"),
        ("a|b|c", "a|b|c"),
        ("  spaced  out", "spaced"),
        ("", ""),
    ],
)
def test_id_is_the_first_word_or_the_accession_in_it(header, name):
    assert record_id(header) == name


@pytest.mark.parametrize(
    ("header", "shape"),
    [
        ("c1 [topology=circular]", Topology.CIRCULAR),
        ("c1 length=5386 depth=1.00x circular=true", Topology.CIRCULAR),
        ("c1 suggestCircular=yes", Topology.CIRCULAR),
        ("c1 circular=false", Topology.LINEAR),
        ("c1 plasmid, circular", Topology.CIRCULAR),
        ("c1 non-circular contig", Topology.LINEAR),
        ("c1 Linear", Topology.LINEAR),
        ("c1 circular or linear", None),
        ("c1 topology=unknown", None),
        ("c1 semicircularity", None),
        ("circular", None),
        ("c1", None),
    ],
)
def test_header_states_the_shape(header, shape):
    assert stated_topology(header) is shape


def test_same_name_twice_gets_a_suffix_and_a_warning(read):
    genome = read(">a\nACGT\n>a\nACGG\n>a_2\nACGA\n")
    assert [contig.id for contig in genome.contigs] == ["a", "a_3", "a_2"]
    assert codes(genome) == ["duplicate_record_id"]


def test_header_without_sequence_is_named(read):
    genome = read(">a\n>b\nACGT\n")
    assert [contig.id for contig in genome.contigs] == ["b"]
    assert [(w.code, w.line) for w in genome.warnings] == [("empty_record", 1)]


def test_record_without_name_gets_one(read):
    genome = read(">\nACGT\n")
    assert [contig.id for contig in genome.contigs] == ["record_1"]
    assert codes(genome) == ["unnamed_record"]


@pytest.mark.parametrize(
    ("text", "code", "bases"),
    [(">a\nAC-GT-\n", "gaps_removed", "ACGT"), (">a\nACXxGTAC\n", "masked_bases", "ACNNGTAC")],
)
def test_gaps_and_masked_bases_are_mended_with_a_warning(read, text, code, bases):
    genome = read(text)
    assert (genome.contigs[0].bases, codes(genome)) == (bases, [code])


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (">a\nACGT\nAC1T\n", 3, "digit '1'"),
        (">a\nACGT\n>b\nACGTACGT.ACGT\n", 4, "gap '.'"),
        (">a\nACGTACGTACGT*\n", 2, "'*'"),
        (">a\nACGTACGTACGTACGTE\n", 2, "character 'E'"),
        (">a\nACGTACGT\u00e9\n", 2, "character '\u00e9'"),
        (">a\nACGT\n>p1 x\nMKRLAEYDLFPQWHIV\n", 3, "protein FASTA"),
        (">p1\nMKRVSSYHDWMKRSYV\n", 1, "protein FASTA"),
        (">a\n>b\n", 1, "no record holds a sequence"),
        ("; only a comment\nACGT\n", 2, "no > header"),
    ],
)
def test_fault_is_named_with_its_line(read, text, line, reason):
    with pytest.raises(FormatError) as caught:
        read(text)
    assert (caught.value.line, reason in caught.value.reason) == (line, True), caught.value


def test_every_iupac_code_is_dna(read):
    letters = "ACGTNMRWSYKVHDBN"
    assert read(f">a\n{letters}\n{letters.lower()}\n").contigs[0].bases == letters * 2


def test_genome_on_one_line_is_read(read):
    assert read(">a\n" + "ACGT" * 1_000_000).length_bp == 4_000_000


def test_header_over_a_megabyte_is_refused(read):
    with pytest.raises(FormatError, match="1 MB"):
        read(">" + "a" * 1_000_001 + "\nACGT\n")
