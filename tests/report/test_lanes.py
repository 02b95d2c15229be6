import random
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genint.formats import read_genome
from genint.model import Interval
from genint.report import ALLOWED_OVERLAP_BP, ALLOWED_OVERLAP_SHARE, lanes_of
from tests.builders.cpu_cost import least_cpu_s

LENGTH = 3000


class Place(NamedTuple):
    start: int
    end: int
    strand: str = "+"

    def interval(self, length: int = LENGTH) -> Interval:
        return Interval.from_one_based(self.start, self.end, circle_bp=length)


bases = st.integers(1, LENGTH)
strands = st.sampled_from("+-")
circular_places = st.builds(Place, bases, bases, strands)
linear_places = st.builds(
    lambda one, other, strand: Place(min(one, other), max(one, other), strand),
    bases,
    bases,
    strands,
)


def clashes(one: Place, other: Place, length: int = LENGTH) -> bool:
    """Whether two genes of a strand must not lie on one lane, said in another way.

    Two that meet at both ends, around a whole circle, are counted for each end by itself.
    """
    mine, theirs = one.interval(length), other.interval(length)
    shared = max(
        min(mine.end, theirs.end + turn) - max(mine.start, theirs.start + turn)
        for turn in (-length, 0, length)
    )
    shorter = min(len(mine), len(theirs))
    allowed = max(ALLOWED_OVERLAP_BP, ALLOWED_OVERLAP_SHARE * shorter)
    return one.strand == other.strand and shared > 0 and (shared == shorter or shared > allowed)


def check(places: list[Place], lanes: tuple[int, ...], length: int = LENGTH) -> None:
    assert len(lanes) == len(places)
    for number, (one, lane) in enumerate(zip(places, lanes, strict=True)):
        for other, its_lane in zip(places[:number], lanes[:number], strict=True):
            assert lane != its_lane or not clashes(one, other, length), (one, other)


def named_lanes(genes: dict[str, Place], length: int, circular: bool) -> dict[str, int]:
    return dict(zip(genes, lanes_of(list(genes.values()), length, circular), strict=True))


@given(st.lists(linear_places, max_size=30))
def test_genes_of_a_lane_share_no_more_than_is_allowed(places):
    check(places, lanes_of(places, LENGTH, circular=False))


@given(st.lists(circular_places, max_size=30))
def test_the_same_holds_over_the_origin_of_a_circle(places):
    check(places, lanes_of(places, LENGTH, circular=True))


@given(st.lists(circular_places, max_size=20), st.integers(0, LENGTH - 1))
def test_where_a_circle_is_cut_changes_no_promise(places, turn):
    turned = [
        Place((p.start - 1 + turn) % LENGTH + 1, (p.end - 1 + turn) % LENGTH + 1, p.strand)
        for p in places
    ]
    check(turned, lanes_of(turned, LENGTH, circular=True))


@given(st.lists(circular_places, max_size=20, unique=True), st.randoms())
def test_lanes_do_not_depend_on_the_order_of_the_genes(places, rng):
    shuffled = rng.sample(places, len(places))
    lanes = dict(zip(places, lanes_of(places, LENGTH, True), strict=True))
    assert dict(zip(shuffled, lanes_of(shuffled, LENGTH, True), strict=True)) == lanes


@given(st.lists(circular_places, max_size=20))
def test_every_lane_below_a_gene_is_blocked_by_a_gene_at_least_as_long(places):
    lanes = lanes_of(places, LENGTH, True)
    for place, lane in zip(places, lanes, strict=True):
        for lower in range(lane):
            assert any(
                clashes(place, other) and len(other.interval()) >= len(place.interval())
                for other, its_lane in zip(places, lanes, strict=True)
                if its_lane == lower
            ), (place, lane, lower)


def test_strands_are_laid_out_apart():
    assert lanes_of([Place(1, 900, "+"), Place(1, 900, "-")], LENGTH, False) == (0, 0)


def test_overlapping_stop_and_start_codons_do_not_leave_the_lane():
    assert lanes_of([Place(1, 904), Place(901, 1500), Place(1497, 2000)], LENGTH, False) == (
        0,
        0,
        0,
    )


def test_a_long_overlap_puts_the_shorter_gene_on_a_lane_of_its_own():
    assert lanes_of([Place(1, 500), Place(400, 1500)], LENGTH, False) == (1, 0)


def test_a_gene_within_another_leaves_its_lane_however_short_it_is():
    assert lanes_of([Place(1, 900), Place(100, 129)], LENGTH, False) == (0, 1)


def test_no_genes_have_no_lanes():
    assert lanes_of([], LENGTH, True) == ()


def test_nested_genes_of_phix174_leave_the_lane_of_their_hosts():
    genes = {
        "A": Place(3981, 136), "A*": Place(4497, 136), "B": Place(5075, 51), "K": Place(51, 221),
        "C": Place(133, 393), "D": Place(390, 848), "E": Place(568, 843), "J": Place(848, 964),
        "F": Place(1001, 2284), "G": Place(2395, 2922), "H": Place(2931, 3917),
    }  # fmt: skip
    lanes = named_lanes(genes, 5386, circular=True)
    assert {name for name, lane in lanes.items() if lane == 0} == set("ACDJFGH")
    assert lanes["E"] == 1
    assert lanes["A*"] == 1
    assert lanes["B"] == lanes["K"] == 2


def test_most_genes_of_lambda_lie_next_to_the_backbone(shared_data):
    genome = read_genome(shared_data / "genomes" / "lambda_NC_001416.gb")
    places = [
        Place(*gene.location.span.one_based(48502), gene.location.strand.symbol)
        for gene in genome.genes
    ]
    lanes = lanes_of(places, 48502, circular=False)
    check(places, lanes, 48502)
    assert max(lanes) <= 2
    assert lanes.count(0) > 0.85 * len(lanes)


def genome_like(count: int) -> tuple[list[Place], int]:
    """Genes of a bacterium's sizes, close to one another and now and then overlapping."""
    rng = random.Random(1)
    places, at = [], 1
    for _ in range(count):
        at = max(1, at + rng.choice((-300, -4, -1, 20, 100, 300)))
        size = rng.randrange(90, 2500)
        places.append(Place(at, at + size, rng.choice("+-")))
        at += size
    return places, at + 3000


def test_ten_times_the_genes_cost_little_more_than_ten_times_as_much():
    few, many = genome_like(10_000), genome_like(100_000)
    few_s, many_s = (
        least_cpu_s(lambda genome=genome: lanes_of(*genome, circular=True))
        for genome in (few, many)
    )
    assert many_s < 50 * few_s  # a hundred times, were it quadratic
    assert max(lanes_of(*many, circular=True)) < 5


def test_nor_does_a_heap_of_genes_that_no_genome_has():
    def heap(genes):
        return [Place(1 + number, 200_000 - number) for number in range(genes)]

    few, many = heap(2_000), heap(20_000)
    few_s = least_cpu_s(lambda: lanes_of(few, 200_000, circular=False))
    many_s = least_cpu_s(lambda: lanes_of(many, 200_000, circular=False))
    assert many_s < 50 * few_s
    assert sorted(lanes_of(many, 200_000, circular=False)) == list(range(20_000))


@pytest.mark.parametrize("seed", range(5))
def test_deep_heaps_keep_the_promise_on_circles(seed):
    rng = random.Random(seed)
    heap = [Place(rng.randint(1, LENGTH), rng.randint(1, LENGTH)) for _ in range(250)]
    lanes = lanes_of(heap, LENGTH, True)
    check(heap, lanes)
    assert max(lanes) >= 64


def test_genes_around_a_whole_circle_are_a_ring_without_a_beginning():
    starts = range(1, LENGTH, 100)
    places = [Place(at, (at + 102) % LENGTH + 1) for at in starts]
    assert set(lanes_of(places, LENGTH, True)) == {0}
    overlapping = [Place(at, (at + 160) % LENGTH + 1) for at in starts]
    lanes = lanes_of(overlapping, LENGTH, True)
    check(overlapping, lanes)
    assert max(lanes) == 1
    assert all(one != other for one, other in pairwise((*lanes, lanes[0])))
