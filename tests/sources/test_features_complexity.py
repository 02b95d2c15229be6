"""Low complexity by entropy."""

from __future__ import annotations

import math

import pytest

from genint.sources import LOW_COMPLEXITY_WINDOW, Residues, find_low_complexity

VARIED = "MDEKQRNSTGAHVLIFWYCPMKDE"


def test_one_kind_of_residue_has_no_entropy_at_all() -> None:
    (one,) = find_low_complexity(Residues.of(["Q" * 20]))[0]
    assert (one.first, one.last) == (1, 20)
    assert one.score == pytest.approx(math.log2(LOW_COMPLEXITY_WINDOW), abs=0.001)


def test_varied_residues_are_not_poor() -> None:
    assert find_low_complexity(Residues.of([VARIED * 3])) == {}


def test_stretches_far_apart_are_told_apart_and_in_order() -> None:
    found = find_low_complexity(Residues.of([VARIED + "GS" * 8 + VARIED * 2 + "PT" * 8 + VARIED]))
    first, second = found[0]
    assert first.last < second.first
    assert first.first <= 25 <= first.last


def test_a_stretch_ends_with_its_protein() -> None:
    found = find_low_complexity(Residues.of(["Q" * 15, "Q" * 11, "Q" * 12]))
    assert {number: (told[0].first, told[0].last) for number, told in found.items()} == {
        0: (1, 15),
        2: (1, 12),
    }
