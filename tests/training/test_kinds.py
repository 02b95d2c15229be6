"""Telling phages by how their genes lie: on made-up pieces, and on the data beside the project."""

from __future__ import annotations

import random

import pytest

from genint.knowledge import GeneLayout, load_contig_kinds, parse_contig_kinds
from genint.knowledge.table_files import CONTIG_KINDS, read_shipped
from training.kinds.__main__ import fit, left_out, main, measure, text_of
from training.kinds.material import (
    LAYOUTS,
    Piece,
    pieces_of,
    read_stretches,
    read_table,
    table_of,
)


def pieces(group, source, switches, number=20, seed=1):
    """Pieces that differ in how often the strand switches, and by chance in the rest."""
    chance = random.Random(f"{group}{seed}")
    return [
        Piece(
            group,
            source,
            "made up",
            GeneLayout(
                switches + chance.uniform(-0.05, 0.05),
                chance.uniform(0.1, 0.2),
                chance.uniform(0.2, 0.3),
                chance.uniform(1.0, 1.2),
            ),
        )
        for _ in range(number)
    ]


MADE = [
    *(one for name in "abc" for one in pieces(name, "bacterium", 0.3)),
    *(one for name in "xyz" for one in pieces(name, "phage", 0.06)),
]


def test_the_trait_that_sets_phages_apart_is_found():
    model = fit(MADE)
    assert model.weights.switches < -10
    assert measure(MADE)["bacterium"] == (0, 60)
    assert measure(MADE)["phage"][0] > 50


def test_each_group_is_judged_by_a_model_that_did_not_see_it():
    odd = pieces("odd", "phage", 0.3)
    assert not any(taken for one, taken in left_out([*MADE, *odd]) if one.group == "odd")


def test_the_file_gives_the_model_back():
    model = fit(MADE)
    assert parse_contig_kinds(text_of(model, measure(MADE))) == model


def test_one_kind_alone_teaches_nothing():
    with pytest.raises(ValueError, match="both"):
        fit(pieces("a", "bacterium", 0.3))


def test_without_the_data_it_ends_with_one_line(tmp_path, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["--data", str(tmp_path), "--output", str(tmp_path)])
    assert capsys.readouterr().err.startswith("error: ")


def test_the_table_gives_the_pieces_back():
    assert read_table(table_of(MADE)) == tuple(MADE)


def test_the_file_that_ships_is_what_the_training_makes_of_its_table():
    found = read_table(LAYOUTS.read_text(encoding="utf-8"))
    measured = measure(found)
    assert fit(found) == load_contig_kinds()
    assert text_of(fit(found), measured) == read_shipped(CONTIG_KINDS).decode()
    assert measured["bacterium"][0] <= 0.01 * measured["bacterium"][1]
    assert measured["prophage"][0] >= 0.8 * measured["prophage"][1]


@pytest.mark.slow
def test_the_table_has_every_piece_of_the_data_with_the_layout_that_is_found(shared_data):
    """Genes are found in one piece of twenty of each source: in all of them it takes a minute."""
    table = read_table(LAYOUTS.read_text(encoding="utf-8"))
    stretches = read_stretches(shared_data)
    assert [one[:3] for one in table] == [one[:3] for one in stretches]
    for source in ("bacterium", "prophage", "phage", "cut phage"):
        some = [one for one in stretches if one.source == source][::20]
        assert pieces_of(some) == tuple(one for one in table if one.source == source)[::20]
