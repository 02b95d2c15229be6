"""The model of gene order as it ships and as it is read."""

from __future__ import annotations

import tomllib

import pytest

from genint.knowledge import (
    GENE_ORDER,
    Link,
    ModuleChain,
    Placed,
    link_of,
    load_gene_order,
    parse_gene_order,
    read_shipped,
)
from genint.model import Category, GenomeKind, Strand

ORDER = load_gene_order()
FILE = tomllib.loads(read_shipped(GENE_ORDER).decode())
CLOSE_BP = 60


def gene(start: int, end: int, strand: Strand | None = Strand.FORWARD) -> Placed:
    return Placed(None, 0.0, start, end, strand)


def test_phages_and_bacteria_have_a_chain():
    assert set(ORDER.chains) == set(GenomeKind)


def test_the_file_says_version_and_what_it_was_learned_from():
    assert ORDER.version
    assert "named genes" in ORDER.basis


@pytest.mark.parametrize("chain", ORDER.chains.values(), ids=list(ORDER.chains))
def test_probabilities_of_every_row_sum_to_one(chain: ModuleChain):
    for row in (chain.start, chain.shares, *chain.transitions, *chain.emissions):
        assert sum(row) == pytest.approx(1.0)
        assert all(0.0 < value <= 1.0 for value in row)


@pytest.mark.parametrize("chain", ORDER.chains.values(), ids=list(ORDER.chains))
def test_a_chain_reads_the_same_from_both_ends(chain: ModuleChain):
    size = range(len(chain.modules))
    for one in size:
        for other in size:
            there = chain.start[one] * chain.transitions[one][other]
            back = chain.start[other] * chain.transitions[other][one]
            assert there == pytest.approx(back, rel=0.02)


@pytest.mark.parametrize("chain", ORDER.chains.values(), ids=list(ORDER.chains))
def test_a_run_of_modules_is_broken_most_often_where_the_strand_switches(chain: ModuleChain):
    assert chain.kept[Link.CLOSE] == 1.0
    assert chain.kept[Link.SWITCH] < chain.kept[Link.APART] < chain.kept[Link.CLOSE]


@pytest.mark.parametrize("chain", ORDER.chains.values(), ids=list(ORDER.chains))
def test_what_tells_nothing_is_no_category_of_the_model(chain: ModuleChain):
    assert not {Category.OTHER, Category.UNKNOWN} & set(chain.categories)


def test_figures_on_held_out_genomes_stand_in_the_file_and_are_better_than_no_neighbours():
    kinds = {row["kind"] for row in FILE["measured"]}
    assert kinds == set(GenomeKind)
    for row in FILE["measured"]:
        assert row["log_loss"] < row["log_loss_without_neighbours"]
        assert row["passing_1"]["right_category"] > 5 * row["passing_1"]["wrong_category"]
        assert row["calibration_error"] <= 0.07
        assert sum(one["judged"] for one in row["reliability"]) == row["told"]


def test_rounded_numbers_of_a_file_are_made_to_sum_to_one():
    text = """
        version = "9"
        basis = "made up"
        [chain.phage]
        categories = ["tail", "lysis"]
        close_bp = 60
        shrink = 0.9
        kept = { close = 1, apart = 0.9, switch = 0.5, unplaced = 0.9 }
        [[chain.phage.module]]
        name = "tail"
        share = 0.333
        next = [0.5, 0.499]
        genes = [1, 1]
        [[chain.phage.module]]
        name = "lysis"
        share = 0.666
        next = [0.25, 0.75]
        genes = [0.1, 0.9]
    """
    order = parse_gene_order(text)
    chain = order.chains[GenomeKind.PHAGE]
    assert chain.start == pytest.approx((1 / 3, 2 / 3))
    assert chain.emissions[0] == (0.5, 0.5)
    assert chain.categories == (Category.TAIL, Category.LYSIS)
    assert order.version == "9"


@pytest.mark.parametrize(
    ("one", "following", "link"),
    [
        (gene(0, 300), gene(360, 600), Link.CLOSE),
        (gene(0, 300), gene(290, 600), Link.CLOSE),
        (gene(0, 300), gene(361, 600), Link.APART),
        (gene(0, 300), gene(310, 600, Strand.REVERSE), Link.SWITCH),
        (gene(0, 300, None), gene(310, 600), Link.UNPLACED),
        (gene(900, 1200), gene(10, 300), Link.UNPLACED),
    ],
)
def test_genes_are_linked_by_strand_and_gap(one: Placed, following: Placed, link: Link):
    assert link_of(one, following, CLOSE_BP) is link
