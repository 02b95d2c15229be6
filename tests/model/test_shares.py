"""Shares as they are printed."""

from __future__ import annotations

import pytest

from genint.model.shares import percent


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0%"), (0.29, "29%"), (0.634, "63%"), (0.994, "99%"), (640 / 641, "99%"), (1.0, "100%")],
)
def test_only_all_of_it_reads_100_per_cent(share, text):
    assert percent(share) == text
