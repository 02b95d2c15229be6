"""Fitting the ranking of dark genes: on made-up genes, and on the phages beside the project."""

from __future__ import annotations

import pytest

from genint.knowledge import DarkTraits, load_dark_ranking, parse_dark_ranking
from genint.knowledge.table_files import DARK_RANKING, read_shipped
from training.dark_ranking.__main__ import basis_of, main, measure, text_of
from training.dark_ranking.fitting import SHORTEST_AA, fit, left_out, ranked
from training.dark_ranking.material import (
    DARK_GENES,
    DarkGene,
    Regime,
    read_material,
    read_table,
    table_of,
)


def genes(genome, lengths_of_unknown, lengths_of_known, *, group=None, of_virion=0.0):
    lengths = [
        *((aa, True) for aa in lengths_of_unknown),
        *((aa, False) for aa in lengths_of_known),
    ]
    return [
        DarkGene(genome, group or genome, f"g{at:03}", DarkTraits(aa, of_virion, False), unknown)
        for at, (aa, unknown) in enumerate(lengths)
    ]


SHORT, LONG = range(50, 150, 5), range(200, 600, 20)
MADE = [gene for name in ("a", "b", "c") for gene in genes(name, SHORT, LONG)]


def test_what_sets_unknown_genes_apart_is_found():
    model = fit(MADE)
    assert model.per_log_length < -1
    assert model.of_virion == model.conserved == 0
    in_virion = [gene for name in ("d", "e") for gene in genes(name, (), SHORT, of_virion=1.0)]
    assert fit([*MADE, *in_virion]).of_virion < -0.5


def test_a_gene_is_a_target_where_it_is_likelier_unknown_than_known():
    found = ranked(fit(MADE), genes("new", SHORT, LONG))
    assert (found.dark, found.known, found.first_known) == (40, 20, 0)
    assert (found.targets, found.targets_known, found.order) == (10, 0, 1.0)
    only_long = ranked(fit(MADE), genes("new", (), LONG))
    assert (only_long.targets, only_long.order) == (0, None)
    assert only_long.first_known == 10


def test_a_genome_is_ranked_by_a_model_that_saw_nothing_of_its_group():
    wrong = genes("d", LONG, SHORT, group="own") + genes("e", LONG, SHORT, group="own")
    for one in left_out([*MADE, *wrong], wrong):
        assert one.order == 0.0


def test_one_large_genome_does_not_outvote_the_others():
    large = genes("large", [*LONG] * 20, [*SHORT] * 20)
    assert fit([*MADE, *large]).per_log_length < 0


def test_the_file_says_what_was_fitted_and_measured_and_nothing_else():
    material = dict.fromkeys(Regime, tuple(MADE))
    model = fit(MADE, basis=basis_of(material))
    measured = measure(material)
    text = text_of(model, measured)
    assert text == text_of(fit(MADE, basis=basis_of(material)), measure(material))
    assert parse_dark_ranking(text) == model
    assert model.shortest_aa in SHORTEST_AA
    assert "60 of them have no function in their record" in text


def test_a_value_that_is_missing_is_told():
    with pytest.raises(KeyError, match="shortest_aa"):
        parse_dark_ranking(
            'version = "1"\nbasis = ""\ntarget_from = 0.5\n[log_odds]\nstart = 1.0\n'
            "per_log_length = 1.0\nof_virion = 1.0\nconserved = 1.0\n"
        )


def test_without_the_data_it_ends_with_one_line(tmp_path, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["--data", str(tmp_path), "--output", str(tmp_path)])
    assert capsys.readouterr().err.startswith("error: ")
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def material():
    with DARK_GENES.open(encoding="utf-8") as lines:
        return read_table(lines)


def test_the_table_gives_the_dark_genes_back():
    made = {Regime.HIDDEN: tuple(MADE), Regime.SHIPPED: tuple(MADE[:3])}
    assert read_table(table_of(made).splitlines(keepends=True)) == made


def test_the_file_that_ships_is_what_the_training_makes_of_its_table(material):
    model = fit(material[Regime.HIDDEN], basis=basis_of(material))
    assert model == load_dark_ranking()
    assert text_of(model, measure(material)) == read_shipped(DARK_RANKING).decode()


@pytest.mark.slow
def test_the_table_has_the_dark_genes_that_are_found_in_the_data(shared_data, searched, material):
    """Those of three phages: searching the proteins of all of them takes a minute."""
    some = ("lambda", "T7", "phiX174")
    assert read_material(shared_data, searched, some) == {
        regime: tuple(one for one in genes if one.genome in some)
        for regime, genes in material.items()
    }


def test_of_the_first_ten_dark_genes_of_an_unseen_phage_at_most_two_are_known(material):
    """But of DE3, where seven of 16 dark genes are."""
    for one in left_out(material[Regime.HIDDEN], material[Regime.SHIPPED]):
        assert one.first_known <= (4 if one.genome == "DE3" else 2), one
