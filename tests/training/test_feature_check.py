"""Check of sequence features against names: classes, halves, what is printed."""

from __future__ import annotations

import pytest

from training.feature_check import (
    BACTERIAL,
    PHAGE,
    Named,
    NameRule,
    features_of,
    is_held_out,
    named_of,
    print_doubts,
    print_shares,
    sample,
    thinned,
)

HELIX = "M" + "DEKQRNSTEEKDQKRNSEDTGKEQDNSRKP" + "LLIVALFLLAIVGLLAIVL" + "DEKQRNSTEE"
WATER = "M" + "DEKQRNSTEEKDQKRNSEDTGKEQDNSRKP" * 2


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("50S ribosomal subunit protein L3", "cytoplasmic"),
        ("lactose permease", "inner membrane"),
        ("putative lipoprotein", "lipoprotein"),
        ("outer membrane porin F", "outer membrane"),
        ("molybdate ABC transporter periplasmic binding protein", "periplasmic"),
    ],
)
def test_names_of_bacterial_proteins_tell_where_they_lie(name: str, label: str) -> None:
    (one,) = named_of([(name, WATER)], BACTERIAL)
    assert one.label == label


@pytest.mark.parametrize(
    "name",
    ["lipoprotein signal peptidase", "hypothetical protein", "maltose ABC transporter ATPase"],
)
def test_names_that_tell_no_place_are_left_out(name: str) -> None:
    assert not tuple(named_of([(name, WATER)], BACTERIAL))


def test_a_name_of_two_classes_is_left_out() -> None:
    rules = (NameRule("first", "holin"), NameRule("second", "lysis"))
    assert not tuple(named_of([("lysis protein holin", WATER)], rules))


def test_equal_proteins_count_once() -> None:
    assert len(tuple(named_of([("holin", WATER), ("Holin", WATER)], PHAGE))) == 1


def test_halves_are_by_residues_alone() -> None:
    (one,) = named_of([("holin", WATER)], PHAGE)
    assert one.held_out == is_held_out(WATER)
    assert {is_held_out("M" * number) for number in range(20)} == {True, False}


def test_thinning_keeps_the_same_proteins_in_any_order() -> None:
    named = [Named("holin", "holin", "M" * number, held_out=False) for number in range(2000)]
    assert tuple(thinned(named)) == tuple(thinned(reversed(named)))
    assert len(tuple(thinned(named))) == 1500


def test_a_sample_knows_the_class_where_there_is_one() -> None:
    told = [("holin", WATER), ("hypothetical protein", HELIX)]
    assert [one.label for one in sample(told, PHAGE, every=1)] == ["holin", ""]


def test_features_come_in_the_order_of_the_proteins() -> None:
    named = [Named("", "", residues, held_out=False) for residues in (WATER, HELIX, WATER)]
    assert [len(found) for found in features_of(named)] == [0, 1, 0]


def test_tables_tell_shares_and_ratios(capsys: pytest.CaptureFixture[str]) -> None:
    named = tuple(named_of([("holin", HELIX), ("phage holin", WATER)], PHAGE))
    print_shares(named, PHAGE[:1])
    print_doubts(named, named_of_others(), each=True)
    printed = capsys.readouterr().out
    assert "holin\theld out\t" in printed
    assert "phage holin\tnamed as a holin, but no transmembrane segment" in printed
    row = next(line for line in printed.splitlines() if line.startswith("holin\t2\t"))
    assert row.split("\t")[2].startswith("50.0%")
    assert row.split("\t")[3].startswith("100.0%")


def named_of_others() -> tuple[Named, ...]:
    return (Named("", "hypothetical protein", WATER + "A", held_out=False),)
