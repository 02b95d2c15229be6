"""Ids of predicted genes."""

from __future__ import annotations

from genint.genes.calls import base_id, gap_id


def test_base_calls_count_in_tens_from_ten() -> None:
    assert [base_id("phage", place) for place in (0, 1, 998)] == [
        "phage_00010",
        "phage_00020",
        "phage_09990",
    ]


def test_gaps_lie_behind_their_base_call_and_before_the_first() -> None:
    assert gap_id("phage", 0, 1) == "phage_00011"
    assert gap_id("phage", 4, 9) == "phage_00059"
    assert gap_id("phage", -1, 1) == "phage_00001"


def test_large_genomes_get_a_sixth_digit() -> None:
    assert base_id("chromosome", 9999) == "chromosome_100000"
