"""What the neighbours of a gene say of it."""

from __future__ import annotations

import math
from dataclasses import replace
from types import MappingProxyType

import pytest

from genint.interpret import LARGEST_LOG_ODDS, REACH, Neighbourhood, neighbourhoods
from genint.knowledge import GeneOrder, Link, ModuleChain, Placed, load_gene_order
from genint.model import Category, GenomeKind, Strand

TAIL, LYSIS, HEAD = Category.TAIL, Category.LYSIS, Category.HEAD
CHAIN = ModuleChain(
    categories=(TAIL, LYSIS),
    modules=("tail", "lysis"),
    start=(0.5, 0.5),
    transitions=((0.9, 0.1), (0.1, 0.9)),
    emissions=((1.0, 0.0), (0.0, 1.0)),
    kept=MappingProxyType({Link.CLOSE: 1.0, Link.APART: 0.8, Link.SWITCH: 0.0, Link.UNPLACED: 1.0}),
    close_bp=60,
    shrink=1.0,
)
MADE = GeneOrder("0", "made up", MappingProxyType({GenomeKind.PHAGE: CHAIN}))
SHIPPED = load_gene_order()


def row(*categories: Category | None, probability: float = 1.0) -> list[Placed]:
    """Genes close to each other on one strand."""
    return [
        Placed(category, probability, 1_000 * at, 1_000 * at + 990, Strand.FORWARD)
        for at, category in enumerate(categories)
    ]


def told(
    genes: list[Placed], order: GeneOrder = MADE, *, circular: bool = False
) -> tuple[Neighbourhood | None, ...]:
    return neighbourhoods(genes, order, GenomeKind.PHAGE, circular=circular)


def at(
    place: int, genes: list[Placed], order: GeneOrder = MADE, *, circular: bool = False
) -> Neighbourhood:
    found = told(genes, order, circular=circular)[place]
    assert found is not None
    return found


def test_a_gene_between_two_of_a_module_is_of_that_module():
    found = at(1, row(TAIL, None, TAIL))
    assert found.best is TAIL
    assert found.neighbours == (0, 2)
    # 0.9 x 0.9 of a tail module on both sides against 0.1 x 0.1.
    assert found.probability == pytest.approx(0.81 / 0.82)


def test_log_odds_can_be_redone_by_hand():
    found = at(1, row(TAIL, None))
    assert found.log_odds[TAIL] == pytest.approx(math.log(0.9 / 0.5))
    assert found.log_odds[LYSIS] == pytest.approx(math.log(0.1 / 0.5))


def test_what_a_gene_itself_is_told_has_no_part_in_its_context():
    for own in (None, TAIL, LYSIS):
        assert at(1, row(TAIL, own, TAIL)) == at(1, row(TAIL, None, TAIL))


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 9, 30])
def test_in_a_circle_no_gene_is_its_own_neighbour(size: int):
    for place in range(size):
        genes = row(*[TAIL] * size)
        other = list(genes)
        other[place] = genes[place]._replace(category=LYSIS)
        assert told(genes, circular=True)[place] == told(other, circular=True)[place]
        found = told(genes, circular=True)[place]
        assert found is None or place not in found.neighbours


def test_the_first_gene_of_a_circle_follows_the_last():
    genes = row(None, None, None, None, None, None, None, TAIL)
    assert at(0, genes, circular=True).neighbours == (7,)
    assert at(0, genes, circular=True).probability > at(0, genes).probability


@pytest.mark.parametrize("copies", [1, 6])
def test_a_circle_may_be_cut_anywhere(copies: int):
    genes = [
        gene._replace(strand=None)
        for gene in row(*[TAIL, None, LYSIS, None, None, LYSIS, HEAD] * copies)
    ]
    turned = [*genes[3:], *genes[:3]]
    for place in range(len(genes)):
        one = at(place, genes, SHIPPED, circular=True)
        other = at((place - 3) % len(genes), turned, SHIPPED, circular=True)
        assert one.best is other.best
        assert one.probability == pytest.approx(other.probability, abs=0.01)


def test_a_doubtful_neighbour_says_less():
    sure, doubtful = (at(1, row(TAIL, None, probability=p)) for p in (1.0, 0.4))
    assert doubtful.best is TAIL
    assert sure.log_odds[TAIL] > doubtful.log_odds[TAIL] > 0.0


def test_a_neighbour_that_is_never_right_is_none():
    assert told(row(TAIL, None, probability=0.0)) == (None, None)


def test_a_near_neighbour_says_more_than_a_far_one():
    near, far = at(1, row(TAIL, None)), at(4, row(TAIL, None, None, None, None))
    assert near.log_odds[TAIL] > far.log_odds[TAIL] > 0.0


def test_neighbours_are_named_nearest_first_and_within_reach():
    genes = row(TAIL, *[None] * REACH, None, TAIL, TAIL)
    assert at(REACH + 1, genes).neighbours == (REACH + 2, REACH + 3)


def test_a_gap_and_a_switch_of_strand_are_borders():
    genes = row(TAIL, None)
    apart = [genes[0], genes[1]._replace(start=5_000, end=5_500)]
    switched = [genes[0], genes[1]._replace(strand=Strand.REVERSE)]
    close, gap, switch = (at(1, some).log_odds[TAIL] for some in (genes, apart, switched))
    assert close > gap > switch
    assert switch == pytest.approx(0.0)


def test_the_reverse_complement_of_a_contig_says_the_same():
    categories = (TAIL, None, LYSIS, TAIL, None)
    genes = row(*categories)
    turned = [
        gene._replace(category=c, strand=Strand.REVERSE)
        for gene, c in zip(genes, reversed(categories), strict=True)
    ]
    for place in range(len(genes)):
        one, other = at(place, genes), at(len(genes) - 1 - place, turned)
        assert one.log_odds == pytest.approx(other.log_odds)


def test_a_category_that_the_model_does_not_know_says_nothing():
    assert told(row(HEAD, None)) == (None, None)


def test_genes_far_from_any_told_one_have_no_context():
    found = told(row(TAIL, *[None] * (REACH + 1)))
    assert found[REACH] is not None
    assert found[REACH + 1] is None


def test_a_kind_of_genome_without_a_chain_has_no_context():
    genes = row(TAIL, None)
    assert neighbourhoods(genes, MADE, GenomeKind.BACTERIUM, circular=False) == (None, None)


def test_a_contig_without_genes_is_no_error():
    assert told([]) == ()
    assert told([], circular=True) == ()


def test_shrinking_makes_probabilities_more_careful():
    careful = replace(CHAIN, shrink=0.5)
    order = GeneOrder("0", "", MappingProxyType({GenomeKind.PHAGE: careful}))
    genes = row(TAIL, None)
    assert at(1, genes, order).log_odds[TAIL] == pytest.approx(at(1, genes).log_odds[TAIL] / 2)


def test_log_odds_are_never_larger_than_neighbours_can_tell():
    for found in told(row(TAIL, TAIL, LYSIS, None, TAIL, LYSIS, LYSIS), SHIPPED):
        assert found is not None
        assert all(abs(value) <= LARGEST_LOG_ODDS for value in found.log_odds.values())


def test_no_category_is_told_where_no_neighbour_speaks_for_it():
    # The prior alone makes tail the likeliest; its only neighbour speaks against it.
    skewed = replace(CHAIN, start=(0.95, 0.05), transitions=((0.99, 0.01), (0.19, 0.81)))
    skewed = replace(skewed, kept=MappingProxyType({**CHAIN.kept, Link.CLOSE: 0.1}))
    order = GeneOrder("0", "", MappingProxyType({GenomeKind.PHAGE: skewed}))
    found = at(1, row(LYSIS, None), order)
    assert (found.best, found.probability, found.neighbours) == (None, 0.0, ())


def test_the_shipped_model_knows_the_late_genes_of_a_siphophage():
    packaging = Category.PACKAGING
    genes = row(packaging, packaging, HEAD, None, HEAD, None, TAIL, TAIL, None, TAIL, TAIL)
    found = told(genes, SHIPPED)
    assert found[8] is not None
    assert found[8].best is TAIL
    assert found[8].probability > 0.7
    assert found[3] is not None
    assert found[3].log_odds[HEAD] > 0.5
    assert found[3].log_odds[Category.INTEGRATION] < 0.0


def test_the_shipped_model_knows_operons():
    genes = row(*[Category.TRANSLATION] * 4, None, *[Category.TRANSLATION] * 4)
    found = neighbourhoods(genes, SHIPPED, GenomeKind.BACTERIUM, circular=False)[4]
    assert found is not None
    assert found.best is Category.TRANSLATION
    assert found.probability > 0.6
