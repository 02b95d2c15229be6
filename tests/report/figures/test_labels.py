"""Labels of figures: none overlaps another, no leader crosses a circle, a text or a leader."""

import math
from itertools import combinations, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from genint.report.figures.labels import (
    Ring,
    Wanted,
    around_circle,
    in_rows,
    slanted,
    spread,
)

RING = Ring(rim=2.0, across=2.1, down=2.5, line=0.1, half_width=3.5, least_room=1.2)


def wanted(most_at: float, most: int = 60) -> st.SearchStrategy[list[Wanted]]:
    parts = st.tuples(
        st.floats(0, most_at, allow_subnormal=False), st.floats(0.2, 2), st.floats(0, 2)
    )
    return st.lists(parts, max_size=most).map(
        lambda found: [Wanted(key, *one) for key, one in enumerate(found)]
    )


@given(st.lists(st.floats(-5, 15), min_size=1, max_size=40), st.floats(0, 0.5))
def test_spread_places_keep_their_order_their_gap_and_the_bounds(places, gap):
    found = spread(sorted(places), gap, 0.0, 10.0)
    if found is None:
        assert (len(places) - 1) * gap > 10
    else:
        assert all(b - a >= gap - 1e-6 for a, b in pairwise(found))
        assert -1e-6 <= found[0] <= found[-1] <= 10 + 1e-6


def test_places_that_are_apart_already_stay():
    assert spread([1.0, 2.0, 4.0], 0.5, 0.0, 5.0) == [1.0, 2.0, 4.0]


def test_places_that_are_too_near_give_way_on_both_sides():
    assert spread([1.0, 1.0], 1.0, 0.0, 5.0) == [0.5, 1.5]


@settings(deadline=None)
@given(wanted(2 * math.pi))
def test_labels_around_a_circle_neither_touch_nor_leave_the_paper(labels):
    placed = around_circle(labels, RING)
    for side in (1, -1):
        levels = sorted(one.y for one in placed if one.side == side)
        assert all(b - a >= RING.line - 1e-6 for a, b in pairwise(levels))
    for one in placed:
        assert one.x * one.side > 0
        assert abs(one.x) + one.room <= RING.half_width + 1e-6
        assert one.room >= min(RING.least_room, labels[one.key].width) - 1e-6


@settings(deadline=None)
@given(wanted(2 * math.pi))
def test_leaders_around_a_circle_do_not_cross(labels):
    placed = around_circle(labels, RING)
    lines = []
    for one in placed:
        angle = labels[one.key].at
        lines.append(((RING.rim * math.sin(angle), RING.rim * math.cos(angle)), (one.x, one.y)))
    for one, other in combinations(lines, 2):
        assert not crosses(one, other)


def test_many_labels_of_one_place_cross_no_leader_beside_it():
    crowd = [Wanted(number, 0.0, 0.5, 1.0) for number in range(7)]
    test_leaders_around_a_circle_do_not_cross.hypothesis.inner_test(
        [*crowd, Wanted(7, 0.125, 0.5, 1.0)]
    )


def crosses(one, other) -> bool:
    """Whether two straight lines cross in their inside."""

    def turn(a, b, c) -> float:
        value = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        return 0.0 if abs(value) < 1e-6 else value

    first = turn(*one, other[0]) * turn(*one, other[1])
    second = turn(*other, one[0]) * turn(*other, one[1])
    return first < 0 and second < 0


def test_the_label_with_more_weight_gets_the_only_place():
    narrow = RING._replace(down=0.04, across=2.1)
    labels = [Wanted(0, 1.5, 0.5, 0.1), Wanted(1, 1.6, 0.5, 0.9)]
    assert [one.key for one in around_circle(labels, narrow)] == [1]


@settings(deadline=None)
@given(wanted(7.0, most=15))
def test_texts_in_rows_neither_overlap_nor_lie_on_leaders(labels):
    placed = in_rows(labels, rows=4, width=7.0, blank=0.05)
    spans = [(one, one.left, one.left + labels[one.key].width) for one in placed]
    for (one, left, right), (other, its_left, its_right) in combinations(spans, 2):
        assert one.row != other.row or right <= its_left or its_right <= left
        for upper, text, low, high in (
            (one, other, its_left, its_right),
            (other, one, left, right),
        ):
            assert upper.row <= text.row or not low < upper.foot < high
    for one, left, right in spans:
        assert 0 <= one.row < 4
        assert left >= 0
        assert right <= 7.0 + 1e-6


def test_labels_with_room_for_all_lose_none():
    labels = [Wanted(key, 0.5 + key, 0.8, 1.0) for key in range(6)]
    assert {one.row for one in in_rows(labels, rows=3, width=7.0, blank=0.05)} == {0}
    assert len(slanted(labels, gap=0.2, width=7.0, most_shift=0.1)) == 6


@settings(deadline=None)
@given(wanted(7.0))
def test_slanted_labels_keep_a_gap_and_stay_near_their_genes(labels):
    placed = slanted(labels, gap=0.15, width=7.0, most_shift=0.5)
    assert all(b.x - a.x >= 0.15 - 1e-6 for a, b in pairwise(placed))
    assert all(b.foot >= a.foot for a, b in pairwise(placed))
    assert all(abs(one.x - one.foot) <= 0.5 + 1e-6 for one in placed)
