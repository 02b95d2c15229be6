"""A table of which each row is read once it is asked for."""

from __future__ import annotations

import pytest

from genint.knowledge.table_files import LazyTable

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
