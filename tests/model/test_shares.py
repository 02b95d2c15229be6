"""Shares as they are printed."""

from __future__ import annotations

import pytest

from genint.model import percent, wilson


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0%"), (0.29, "29%"), (0.634, "63%"), (0.994, "99%"), (640 / 641, "99%"), (1.0, "100%")],
)
def test_only_all_of_it_reads_100_per_cent(share, text):
    assert percent(share) == text


@pytest.mark.parametrize(
    ("right", "judged", "low", "high"),
    [
        (0, 0, 0.0, 1.0),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (90, 100, 0.8256, 0.9448),
        (312, 325, 0.9327, 0.9765),
    ],
)
def test_the_interval_is_that_of_wilson(right, judged, low, high):
    assert wilson(right, judged) == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize("judged", [1, 7, 40, 1000])
def test_a_share_lies_in_its_interval_and_more_genes_make_it_narrower(judged):
    for right in range(judged + 1):
        low, high = wilson(right, judged)
        share = right / judged
        assert 0 <= low <= share + 1e-12
        assert share - 1e-12 <= high <= 1
        more = wilson(10 * right, 10 * judged)
        assert more[1] - more[0] < high - low
