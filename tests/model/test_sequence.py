import pytest
from Bio.Data.CodonTable import unambiguous_dna_by_id
from hypothesis import given
from hypothesis import strategies as st

from genint.model import (
    IUPAC_DNA,
    Interval,
    Location,
    Part,
    Strand,
    extract,
    reverse_complement,
    translate,
    translate_cds,
)
from genint.model.sequence import is_genetic_code, start_codons, stop_codons


@pytest.mark.parametrize("number", range(40))
def test_genetic_codes_are_those_of_ncbi_as_biopython_has_them(number):
    code = unambiguous_dna_by_id.get(number)
    assert is_genetic_code(number) == (code is not None)
    if code is not None:
        stops = dict.fromkeys(code.stop_codons, "*")
        for codon, residue in (code.forward_table | stops).items():
            assert translate(codon, number) == residue
        assert start_codons(number) == set(code.start_codons)
        assert stop_codons(number) == set(code.stop_codons)


@given(st.text(IUPAC_DNA))
def test_the_complement_of_the_complement_is_the_sequence(bases):
    assert reverse_complement(reverse_complement(bases)) == bases


@pytest.mark.parametrize(
    ("codon", "table", "residue"),
    [
        ("TGA", 11, "*"),
        ("TGA", 4, "W"),
        ("TGA", 25, "G"),
        ("TAG", 15, "Q"),
        ("NNN", 11, "X"),
        ("GCN", 11, "X"),
    ],
)
def test_codons_are_read_by_the_genetic_code(codon, table, residue):
    assert translate(codon, table) == residue


@pytest.mark.parametrize("start", ["ATG", "GTG", "TTG", "CTG"])
def test_a_start_codon_reads_methionine_and_the_last_stop_goes(start):
    assert translate_cds(start + "AAATGA", 11) == "MK"


def test_a_gene_cut_off_at_its_start_keeps_its_first_residue():
    assert translate_cds("GTGAAATGA", 11, complete_start=False) == "VK"


def test_stops_inside_stay_visible():
    assert translate_cds("ATGTAAAAATGA", 11) == "M*K"


def test_parts_are_joined_in_the_order_of_transcription():
    bases = "AAACCCGGGTTT"
    joined = Location(
        (Part(Interval(9, 12), Strand.REVERSE), Part(Interval(0, 3), Strand.FORWARD)),
        trans_spliced=True,
    )
    assert extract(bases, joined) == "AAA" + "AAA"
    assert extract(bases, Location.simple(Interval(10, 14), Strand.FORWARD)) == "TTAA"
