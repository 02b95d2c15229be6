"""Lengths of proteins by name: what is found for a name, and what ships."""

from __future__ import annotations

import pytest

from genint.knowledge import key_of, load_name_lengths, load_products
from genint.knowledge.table_files import NAME_LENGTHS, read_shipped

VOCABULARY = load_products()
LENGTHS = load_name_lengths()


@pytest.mark.parametrize(
    ("name", "shortest_aa"),
    [
        ("dextranase", range(500, 900)),
        ("iduronate sulfatase", range(300, 500)),
        ("ribonucleotide reductase", range(200, 400)),
        ("portal protein", range(250, 450)),
        ("terminase large subunit", range(250, 450)),
        ("valyl-tRNA synthetase", range(700, 900)),
    ],
)
def test_names_of_long_proteins_have_the_length_that_nearly_all_reach(name, shortest_aa):
    known = LENGTHS[key_of(name, VOCABULARY.find(name))]
    assert known.shortest_aa in shortest_aa
    assert known.proteins >= 5


@pytest.mark.parametrize(
    "name", ["holin", "spanin", "transcriptional regulator", "50S ribosomal protein L36"]
)
def test_names_that_short_proteins_have_are_not_listed(name):
    assert key_of(name, VOCABULARY.find(name)) not in LENGTHS


def test_a_number_makes_no_other_enzyme():
    assert key_of("iduronate 2-sulfatase", None) == key_of("iduronate sulfatase", None)


def test_a_term_and_words_are_never_confused():
    holin = VOCABULARY.find("holin")
    assert key_of("holin", holin) != key_of("holin", None)


def test_a_name_that_says_nothing_has_no_length():
    assert key_of("hypothetical protein", None) not in LENGTHS


def test_the_table_is_small_and_holds_no_residues():
    content = read_shipped(NAME_LENGTHS).decode()
    assert len(content) < 200_000
    rows = [line.split("\t") for line in content.splitlines() if not line.startswith("#")][1:]
    assert rows == sorted(rows)
    assert all(len(row) == 3 and row[1].isdigit() and row[2].isdigit() for row in rows)
