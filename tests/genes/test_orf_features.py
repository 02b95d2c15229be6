"""How frames lie to genes: against a plain count base by base."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genint.genes import FAR_BP, Calls, Line, PlacedFrame, Spans, Starts, distances, gaps
from genint.genes.orf_features import overlaps
from genint.model import CallScores, Interval, Strand

BP = 300
SCORES = CallScores(0.0, 0.0, 0.0, "ATG", None, 0.5)
SPANS = st.tuples(
    st.integers(0, BP - 1),
    st.integers(6, BP // 2),
    st.sampled_from((Strand.FORWARD, Strand.REVERSE)),
)


def placed(start: int, length: int, strand: Strand, *, circle: bool) -> PlacedFrame:
    end = start + length if circle else min(BP, start + length)
    return PlacedFrame(Interval(min(start, end - 1), end), strand, SCORES)


def frames_of(calls: list[PlacedFrame]) -> Starts:
    return Starts.of(
        (c.interval.start, c.interval.end, c.strand.value, 0, 0, 0, "ATG", None, None, 0, 0, 0)
        for c in calls
    )


def line(*, circle: bool = False) -> Line:
    return Line.of([(BP, circle)])


def columns_of(calls: list[PlacedFrame], *, circle: bool = False) -> Calls:
    return Calls.of(Spans.of([calls]), line(circle=circle))


def bases(interval: Interval, *, circle: bool) -> set[int]:
    return {at % BP if circle else at for at in range(interval.start, interval.end)}


@settings(max_examples=80, deadline=None)
@given(
    st.lists(SPANS, min_size=1, max_size=6, unique_by=lambda one: one[0]),
    st.lists(SPANS, min_size=1, max_size=6),
    st.booleans(),
)
def test_shares_are_those_of_a_count_base_by_base(
    genes: list[tuple[int, int, Strand]], others: list[tuple[int, int, Strand]], circle: bool
) -> None:
    calls = [placed(*one, circle=circle) for one in genes]
    frames = [placed(*one, circle=circle) for one in others]
    columns = columns_of(calls, circle=circle)
    found = overlaps(frames_of(frames), columns, np.zeros((len(calls), 6)), 0.0)
    free = gaps(frames_of(frames), columns, line(circle=circle))
    covered = set().union(*(bases(c.interval, circle=circle) for c in calls))
    for at, frame in enumerate(frames):
        mine = bases(frame.interval, circle=circle)
        shared = [len(mine & bases(c.interval, circle=circle)) for c in calls]
        assert found.host_share[at] == pytest.approx(max(shared) / len(mine))
        assert free.new_share[at] == pytest.approx(len(mine - covered) / len(mine))
        same = sum(s for s, c in zip(shared, calls, strict=True) if c.strand is frame.strand)
        assert found.same_share[at] == pytest.approx(same / len(mine))
        assert found.opposite_share[at] == pytest.approx((sum(shared) - same) / len(mine))
        if max(shared) > 0:
            assert shared[found.host[at]] == max(shared)
        else:
            assert found.host[at] == -1


def test_a_gap_is_told_with_the_share_that_a_frame_fills() -> None:
    calls = [
        placed(0, 100, Strand.FORWARD, circle=False),
        placed(200, 100, Strand.FORWARD, circle=False),
    ]
    frame = [placed(90, 60, Strand.FORWARD, circle=False)]
    found = gaps(frames_of(frame), columns_of(calls), line())
    assert found.gap_bp.tolist() == [100]
    assert found.fill.tolist() == [0.5]
    assert found.new_share.tolist() == [pytest.approx(50 / 60)]


def test_distances_are_those_between_stop_and_start_as_read() -> None:
    forward = [
        placed(0, 100, Strand.FORWARD, circle=False),
        placed(200, 60, Strand.FORWARD, circle=False),
    ]
    frame = [placed(96, 60, Strand.FORWARD, circle=False)]
    near = distances(frames_of(frame), columns_of(forward), line())
    assert (near.up_bp.tolist(), near.down_bp.tolist()) == ([-4], [44])
    reverse = [
        placed(0, 100, Strand.REVERSE, circle=False),
        placed(200, 60, Strand.REVERSE, circle=False),
    ]
    frame = [placed(110, 91, Strand.REVERSE, circle=False)]
    near = distances(frames_of(frame), columns_of(reverse), line())
    assert (near.up_bp.tolist(), near.down_bp.tolist()) == ([-1], [10])


def test_without_genes_of_its_strand_neighbours_are_far() -> None:
    calls = [placed(0, 100, Strand.REVERSE, circle=False)]
    near = distances(
        frames_of([placed(150, 60, Strand.FORWARD, circle=False)]), columns_of(calls), line()
    )
    assert (near.up_bp.tolist(), near.down_bp.tolist()) == ([FAR_BP], [FAR_BP])
