import dataclasses
import pickle

import pytest

from genint.model import CalledBy, Contig, Gene, Interval, Location, Qualifier, Strand


def gene(**changes: object) -> Gene:
    values = {
        "id": "g1",
        "contig": "c",
        "location": Location.simple(Interval(0, 9), Strand.FORWARD),
        "protein": "MK",
        "translation_table": 11,
        "called_by": CalledBy.GENBANK,
    }
    return Gene(**(values | changes))


def test_values_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        gene().id = "other"


def test_a_gene_without_symbol_is_called_by_its_id():
    assert gene().name == "g1"
    assert gene(symbol="lysA").name == "lysA"


def test_all_values_of_a_qualifier_come_in_file_order():
    notes = (Qualifier("note", "one"), Qualifier("pseudo", None), Qualifier("note", "two"))
    assert gene(qualifiers=notes).values("note") == ("one", "two")
    assert gene(qualifiers=notes).values("pseudo") == ()


def test_coding_bases_start_at_the_first_whole_codon():
    contig = Contig("c", "GATGAAATGA")
    shifted = gene(location=Location.simple(Interval(0, 10), Strand.FORWARD), codon_start=2)
    assert contig.coding_bases(shifted) == "ATGAAATGA"


def test_genomes_travel_between_processes():
    contig = Contig("c", "ATGAAATGA", genes=(gene(),))
    assert pickle.loads(pickle.dumps(contig)) == contig  # noqa: S301 - our own bytes
