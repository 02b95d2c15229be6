"""Tables that ship: read as one value, and rows only when they are needed."""

from __future__ import annotations

import pytest

from genint.knowledge import LazyTable, load_knowledge, load_products
from tests.builders.made_families import TERMINASE


def test_the_vocabulary_is_the_one_that_is_read_alone():
    loaded, alone = load_knowledge().products, load_products()
    assert loaded.version == alone.version
    assert loaded.products == alone.products
    assert dict(loaded.keys) == dict(alone.keys)
    found = loaded.find("large terminase subunit")
    assert found is not None
    assert found.id == "terminase_large_subunit"
    assert loaded.find("no such thing at all") is None


def test_families_of_another_folder_take_the_place_of_those_that_ship(family_build):
    assert TERMINASE.id in load_knowledge(family_build).own_families
    assert TERMINASE.id not in load_knowledge().own_families


LINES = ("PF1.2\tone", "PF2.7\ttwo")


def test_a_row_is_read_when_it_is_asked_for_and_once():
    read = []

    def make(row):
        read.append(row)
        return row[1]

    table = LazyTable(LINES, make, lambda accession: accession.partition(".")[0])
    assert list(table) == ["PF1", "PF2"]
    assert len(table) == 2
    assert "PF2" in table
    assert "PF2.7" not in table
    assert read == []
    assert table["PF2"] == table["PF2"] == "two"
    assert read == [("PF2.7", "two")]


def test_a_row_that_is_not_there_is_a_missing_key():
    table = LazyTable(LINES, lambda row: row[1])
    with pytest.raises(KeyError):
        table["PF3"]
    assert table.get("PF3") is None


def test_all_values_come_in_the_order_of_the_rows():
    assert tuple(LazyTable(LINES, lambda row: row[1]).values()) == ("one", "two")
